"""``python -m token_saver``."""

from __future__ import annotations

import sys

from token_saver.cli import main

sys.exit(main())
