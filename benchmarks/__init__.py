"""How fast, how much memory, how much shorter: ``python -m benchmarks`` prints it, against the targets."""
