"""What is shown first, learnt from what was fetched. Nothing in here needs more than the standard library."""
