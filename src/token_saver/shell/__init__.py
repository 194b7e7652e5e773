"""Reading a command line: what it runs, what it does with the output, and how to wrap it without changing what it means.

``scan`` reads the plain commands that agents type most; ``parse`` reads everything else with the grammar of bash. Both give
the same ``Script``. ``command_line`` answers what the processors ask, ``rewrite`` puts the wrapper in.
"""
