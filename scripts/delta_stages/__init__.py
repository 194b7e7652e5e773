"""Five runs of one check with a real tool: baseline, repeat, edit, repeat, fixed; and what is shown of each."""
