"""What was saved, recorded on this machine and counted so that an auditor can follow it.

Nothing here is imported by the core, and importing it opens no file. ``spool`` is what a command costs; everything else
serves whoever reads statistics.
"""
