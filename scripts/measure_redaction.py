"""Measure how often redaction masks what is no secret, over source files of installed packages, and how fast it is.

    python scripts/measure_redaction.py [FOLDER ...] [--show N]

Every masked line counts as false, as published packages hold no secrets (a made-up one in an example counts too). The
status is 1 when there are 1 or more of them in 10 000 lines, or fewer than 10 000 files to tell.
"""

from __future__ import annotations

import argparse
import os
import sys
import sysconfig
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "src"))

from token_saver.redaction import mask  # noqa: E402

SOURCE = {
    *(".py", ".pyi", ".js", ".ts", ".mjs", ".cjs", ".tsx", ".jsx", ".c", ".h", ".cc", ".cpp", ".hpp", ".go", ".rs"),
    *(".java", ".rb", ".php", ".pl", ".sh", ".toml", ".yaml", ".yml", ".json", ".cfg", ".ini", ".md", ".rst"),
}
LEAST_FILES = 10_000
MOST_RATE = 1.0
MOST_BYTES = 1_000_000


def sources(folders: list[Path]) -> Iterator[Path]:
    """Yield the source files below *folders*, each once, in order."""
    seen: set[tuple[int, int]] = set()
    for folder in folders:
        for directory, subfolders, names in os.walk(folder):
            subfolders.sort()
            for path in (Path(directory, name) for name in sorted(names)):
                if path.suffix in SOURCE and path.is_file() and path.stat().st_size <= MOST_BYTES:
                    identity = (path.stat().st_dev, path.stat().st_ino)
                    if identity not in seen:
                        seen.add(identity)
                        yield path


def masked_lines(text: str, masked: str) -> list[str]:
    """Return the lines that masking made."""
    before = set(text.splitlines())
    return [line for line in masked.splitlines() if line not in before]


def default_folders() -> list[Path]:
    """Return where this interpreter and the system keep installed packages."""
    found = [Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("purelib"))]
    return [
        *found,
        *(path for path in (Path("/usr/lib/python3"), Path("/usr/lib/node_modules"), Path("/usr/share")) if path.is_dir()),
    ]


def main() -> int:
    """Print the figures and return the status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N masked lines")
    options = parser.parse_args()
    count: Counter[str] = Counter()
    seconds = 0.0
    for path in sources(options.folders or default_folders()):
        text = path.read_text(encoding="utf-8", errors="replace")
        began = time.process_time()
        masked, found = mask(text)
        seconds += time.process_time() - began
        count.update(files=1, lines=text.count("\n") + 1, characters=len(text), masked=found)
        for line in masked_lines(text, masked)[: max(0, options.show - count["shown"])] if found else ():
            count["shown"] += 1
            print(f"{path}: {line.strip()[:200]}")
    rate = 10_000 * count["masked"] / max(1, count["lines"])
    speed = count["characters"] / max(seconds, 1e-9) / 1e6
    print(
        f"{count['files']:,} files, {count['lines']:,} lines: {count['masked']:,} masked, {rate:.3f} in 10 000 lines"
        f" (below {MOST_RATE:g} wanted); {speed:.0f} million characters a second"
    )
    return 0 if rate < MOST_RATE and count["files"] >= LEAST_FILES else 1


if __name__ == "__main__":
    sys.exit(main())
