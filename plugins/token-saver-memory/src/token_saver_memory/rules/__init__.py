"""Rules that stand beside the memory: what is refused once, what needs something done before, and what is only advised."""
