"""Tools for those who measure the quality of results: who compresses, who counts, who works in parallel, what went."""
