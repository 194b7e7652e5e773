"""One module a family; each lists its ``RECIPES``."""
