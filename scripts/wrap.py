"""``token-saver run`` for hosts that know this file: ``PYTHON -I -S scripts/wrap.py -- CMD…`` or ``-c 'SHELL TEXT'``."""

import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src"))

from token_saver.hosts.wrapper import main

sys.exit(main(["run", *sys.argv[1:]]))
