"""Claude Code's ``PreToolUse`` event, from a checkout: ``PYTHON -I -S scripts/hook_pretool.py``, with the event on stdin."""

import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src"))

from token_saver.hosts.hook import main

sys.exit(main(["claude", "wrap"]))
