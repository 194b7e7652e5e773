"""Commands that no family knows: scripts of ours that print what such scripts print."""

from __future__ import annotations

from functools import partial

from scripts.recording.project import Project
from scripts.recording.recipe import Recipe

_generic = partial(Recipe, "generic")

_PROGRESS = """\
import sys

for done in range(0, 201):
    sys.stdout.write(f"\\rloading tiles: {done / 2:5.1f}% [{'#' * (done // 10):<20}] {done}/200")
    if done == 130:
        sys.stdout.write("\\nwarning: tile 130 is empty\\n")
sys.stdout.write("\\nstored 199 of 200 tiles in tiles.db\\n")
"""

_TRACE = """\
import json


def read_settings(path):
    with open(path) as file:
        return json.load(file)


def start(path):
    settings = read_settings(path)
    return settings["tiles"]


print("tile server 0.4")
print("reading settings.json")
start("settings.json")
"""

_NODE_TRACE = """\
function readTile(row) {
  if (row > 2) throw new RangeError(`row ${row} is outside the map`);
  return row;
}
console.log("tile server 0.4");
[1, 2, 3].forEach((row) => console.log("tile", readTile(row)));
"""

_LOG = """\
import random

random.seed(7)
for n in range(1200):
    second = f"{n // 3600:02}:{n // 60 % 60:02}:{n % 60:02}"
    if n == 611:
        print(f"2024-03-01T{second} ERROR tile 17/8/3: checksum mismatch (want 9f3c, have 0000)")
    elif n == 977:
        print(f"2024-03-01T{second} FATAL disk quota exceeded on /var/tiles")
    elif n % 400 == 13:
        print(f"2024-03-01T{second} WARN slow tile: {random.randrange(900, 2000)} ms")
    else:
        x, y = random.randrange(64), random.randrange(64)
        print(f"2024-03-01T{second} INFO served tile 6/{x}/{y} in {random.randrange(3, 40)} ms to 10.0.{x}.{y}")
"""

_COLOUR = """\
for name, state in (("north", 32), ("east", 32), ("south", 31), ("west", 33)):
    word = {32: "ok", 31: "FAILED: 3 tiles missing", 33: "skipped"}[state]
    print(f"\\033[1m{name:8}\\033[0m \\033[{state}m{word}\\033[0m \\033]8;;https://tiles.example/{name}\\033\\\\report\\033]8;;\\033\\\\")
"""

_SPINNER = """\
import sys

frames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
for n in range(80):
    sys.stdout.write(f"\\033[?25l\\033[1G\\033[0K{frames[n % 10]} rendering sheet {n // 20 + 1}/4")
sys.stdout.write("\\033[1G\\033[0K✔ 4 sheets rendered\\n\\033[?25h")
"""

_BUILD = """\
set -u
for step in fetch unpack patch configure; do echo "==> $step"; for n in 1 2 3 4 5 6; do echo "    $step part $n"; done; done
echo "==> render"
echo "cannot open style.xml: No such file or directory" >&2
exit 3
"""

_LATIN1 = r"""
import sys
sys.stdout.buffer.write(b"name: Sm\xf8rrebr\xf8d\nprice: 45\n" + b"row: plain\n" * 30 + b"bad: \xff\xfe\n")
"""

_TABLE = """\
print("STATION      LEVEL   STATE")
for n in range(60):
    print(f"gauge-{n:02}     {1 + n % 7 / 10:5.2f}   {'ALARM' if n == 41 else 'ok'}")
"""


def _python(text: str, name: str = "tiles.py") -> partial[None]:
    return partial(_write, {name: text})


def _write(files: dict[str, str], project: Project) -> None:
    project.write(files)


RECIPES = (
    _generic(
        "progress-bar",
        "python tiles.py",
        ("warning: tile 130 is empty", "stored 199 of 200 tiles in tiles.db"),
        _python(_PROGRESS),
        notes="a bar drawn with carriage returns",
    ),
    _generic(
        "spinner", "python tiles.py", ("✔ 4 sheets rendered",), _python(_SPINNER), notes="cursor movements and private modes"
    ),
    _generic(
        "python-traceback",
        "python tiles.py",
        (
            "FileNotFoundError: [Errno 2] No such file or directory: 'settings.json'",
            'tiles.py", line 5, in read_settings',
            "tile server 0.4",
        ),
        _python(_TRACE),
        exit_code=1,
    ),
    _generic(
        "node-traceback",
        "node tiles.js",
        ("RangeError: row 3 is outside the map", "tiles.js:2:22", "tile 2"),
        _python(_NODE_TRACE, "tiles.js"),
        exit_code=1,
    ),
    _generic(
        "long-log",
        "python tiles.py",
        ("ERROR tile 17/8/3: checksum mismatch (want 9f3c, have 0000)", "FATAL disk quota exceeded on /var/tiles"),
        _python(_LOG),
        notes="1200 lines, two of them errors",
    ),
    _generic("colours-and-links", "python tiles.py", ("FAILED: 3 tiles missing", "skipped"), _python(_COLOUR)),
    _generic(
        "script-fails-quietly",
        "sh build.sh",
        ("cannot open style.xml: No such file or directory", "==> render"),
        _python(_BUILD, "build.sh"),
        exit_code=3,
        tool="bash",
        notes="the reason has no error word",
    ),
    _generic(
        "shell-trace",
        "bash -x build.sh",
        ("cannot open style.xml: No such file or directory", "exit 3"),
        _python(_BUILD, "build.sh"),
        exit_code=3,
    ),
    _generic("invalid-utf8", "python tiles.py", ("price: 45", "name: Sm"), _python(_LATIN1), notes="bytes that are not UTF-8"),
    _generic(
        "alike-rows", "python tiles.py", ("gauge-41      1.60   ALARM",), _python(_TABLE), notes="sixty rows, one of them differs"
    ),
    _generic("one-line", "python -c 'print(42)'", ("42",), notes="nothing to shorten"),
    _generic("one-long-line", 'python -c \'print("abc," * 8000 + "END-MARK")\'', ("END-MARK",), notes="32 KB on one line"),
    _generic("no-such-command", "tiles --serve", ("tiles: command not found",), exit_code=127, tool="bash"),
    _generic("silent", "true", (), tool="bash", notes="no output at all"),
)
