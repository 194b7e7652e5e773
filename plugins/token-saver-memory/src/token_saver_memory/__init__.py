"""The memory of Token-Saver: what is learnt about a project is kept, found, checked against the code and forgotten."""
