"""What the hosts' own session transcripts say about the commands of the past: their cost, and what would have been saved.

Transcripts are read where the hosts keep them, one line at a time, and nothing of their content is stored: of a command only
the program and its subcommand appear in a report. ``transcripts`` finds and pairs, ``claude`` and ``codex`` know a format,
``report`` adds up.
"""
