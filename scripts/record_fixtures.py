"""Record the captures under tests/fixtures again: run the real tools on small projects made for it.

usage: record_fixtures.py [FAMILY | FAMILY/CASE]… [--list] [--tools DIR]
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scripts.recording.main import main

if __name__ == "__main__":
    sys.exit(main())
