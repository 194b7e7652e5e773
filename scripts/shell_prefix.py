"""The shell prefix for Claude Code from a checkout: ``PYTHON -I -S scripts/shell_prefix.py 'SHELL TEXT'``."""

import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src"))

from token_saver.hosts.prefix import main

os._exit(main(sys.argv[1:]))
