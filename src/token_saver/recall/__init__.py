"""What was left out, kept for a while: the full masked outputs, how a part of one is chosen, and what a repeat tells."""
