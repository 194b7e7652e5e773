"""One tool family a file.

A family is a subclass of ``token_saver.processor.Family`` in a module of this package: its docstring says in one sentence
what stays and what is counted, ``commands`` says whose output it reads, and ``read`` yields a piece for every line. There
is no list to add it to: ``token_saver.plugins`` finds every public family of this package.
"""
