"""Recorded output and a manifest become measurements; the commands that a manifest names are labels and never run."""
