"""What runs observed, read from complete outputs: one module a tool, imported when a snapshot is asked for.

Each module has ``observe(capture)``, which returns a ``Snapshot``, or None for a form that it does not know, a run that was
cut off, or totals that the findings do not add up to. Of the lines of a capture every one that is not blank is in a detail,
in the summary or in the context; only a line that merely says that a test passed is left to ``passed``.
"""
