"""Whether what is remembered about a piece of code is still so: a hash of its tokens decides, git explains."""
