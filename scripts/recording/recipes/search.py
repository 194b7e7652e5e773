"""grep, ripgrep, ag and git grep: matches with and without context, counts, names, and nothing found."""

from __future__ import annotations

from functools import partial

from scripts.recording.harbor import harbor
from scripts.recording.project import Project
from scripts.recording.recipe import Recipe

_search = partial(Recipe, "search")

_STATIONS = ("north-pier", "old-mill", "lighthouse", "fish-market", "west-quay", "ropewalk", "custom-house", "dry-dock")

_MODULE = '''\
"""Readings of the tide gauge at {name}."""

import logging

from tides.gauge import Gauge, GaugeError

log = logging.getLogger("tides.{module}")


class {title}(Gauge):
    # TODO: the offset of {name} was measured in 2019
    offset = {offset}

    def read(self) -> float:
        try:
            level = self.port.level()
        except OSError as error:
            log.error("%s does not answer", self.name)
            raise GaugeError("{name}") from error
        return level + self.offset

    def describe(self) -> str:
        return f"{name}: {{self.read():.2f}} m"
'''


def _tides(project: Project) -> None:
    """Make eight alike modules, tests, documents, a minified script, and a binary file."""
    project.write({"src/tides/gauge.py": "class GaugeError(Exception):\n    pass\n\n\nclass Gauge:\n    offset = 0.0\n"})
    for number, name in enumerate(_STATIONS):
        module = name.replace("-", "_")
        words = {"name": name, "module": module, "title": module.title().replace("_", ""), "offset": f"0.{number}5"}
        project.write({f"src/tides/stations/{module}.py": _MODULE.format(**words)})
        project.write({f"docs/{name}.md": f"# {name}\n\nThe gauge at {name} reports a level each minute.\n"})
    project.write({"tests/test_gauge.py": "from tides.gauge import GaugeError\n\n\ndef test_error():\n    assert GaugeError\n"})
    project.write({"web/chart.min.js": "function level(a){return a+1};" * 400 + "\n", "notes Lunden.txt": "level: ok\n"})
    (project.root / "web/icon.bin").write_bytes(b"\x00\x01level\x02\x00" * 20)


def _harbor(project: Project) -> None:
    harbor(project)


def _log_file(project: Project) -> None:
    lines = [
        f"2024-03-0{day} {hour:02}:00 gauge {name} level 1.{(day * hour) % 10}{hour % 10}\n"
        for day in range(1, 8)
        for hour in range(24)
        for name in _STATIONS
    ]
    lines[777] = "2024-03-05 02:00 gauge old-mill level 9.99 OVERFLOW\n"
    project.write({"logs/gauges.log": "".join(lines)})


_ONE = "src/tides/stations/old_mill.py:16:"
_TODO = ("src/tides/stations/north_pier.py:11:", "src/tides/stations/dry_dock.py:11:", "the offset of lighthouse was measured")

RECIPES = (
    _search(
        "grep-recursive",
        "grep -rn GaugeError src tests",
        (
            "src/tides/gauge.py:1:",
            "tests/test_gauge.py:1:",
            'raise GaugeError("old-mill") from error',
            "src/tides/stations/dry_dock.py:5:",
        ),
        _tides,
    ),
    _search("grep-todo", "grep -rn TODO --include=*.py .", _TODO, _tides),
    _search(
        "grep-context",
        "grep -n -C2 'raise GaugeError' -r src/tides/stations",
        (
            "src/tides/stations/old_mill.py-17-",
            'src/tides/stations/old_mill.py:19:            raise GaugeError("old-mill") from error',
        ),
        _tides,
    ),
    _search(
        "grep-count",
        "grep -rc level src docs",
        ("src/tides/gauge.py:0", "src/tides/stations/old_mill.py:2", "docs/lighthouse.md:1"),
        _tides,
    ),
    _search("grep-names", "grep -rl level src docs", ("src/tides/stations/old_mill.py", "docs/lighthouse.md"), _tides),
    _search(
        "grep-binary-and-long",
        "grep -rn level .",
        ("grep: ./web/icon.bin: binary file matches", "./notes Lunden.txt:1:level: ok", "./web/chart.min.js:1:"),
        _tides,
        notes="a binary file, a path with a blank, a line of 12000 characters",
    ),
    _search("grep-one-file", "grep -n def src/tides/stations/old_mill.py", ("14:", "22:"), _tides),
    _search(
        "grep-log",
        "grep -n 'old-mill' logs/gauges.log",
        ("778:2024-03-05 02:00 gauge old-mill level 9.99 OVERFLOW",),
        _log_file,
        notes="many alike matches in one file, one that differs",
    ),
    _search("grep-nothing", "grep -rn kraken src", (), _tides, exit_code=1),
    _search(
        "grep-missing-folder",
        "grep -rn GaugeError src/gauges tests",
        ("grep: src/gauges: No such file or directory", "tests/test_gauge.py:1:"),
        _tides,
        exit_code=2,
    ),
    _search("grep-bad-pattern", "grep -rn '[level' src", ("grep: Unmatched [",), _tides, exit_code=2),
    _search("grep-colour", "grep -rn --color=always GaugeError tests", ("tests/test_gauge.py",), _tides),
    _search("git-grep", "git grep -n fare", ("src/harbor/fares.py:", "tests/test_fares.py:"), _harbor, tool="git"),
    _search(
        "rg-plain",
        "rg -n GaugeError",
        ("src/tides/gauge.py:1:", "tests/test_gauge.py:1:", 'raise GaugeError("old-mill") from error'),
        _tides,
    ),
    _search(
        "rg-heading",
        "rg --heading -n GaugeError",
        ("src/tides/gauge.py", "tests/test_gauge.py", 'raise GaugeError("old-mill") from error'),
        _tides,
    ),
    _search(
        "rg-terminal",
        "rg GaugeError tests src",
        ("tests/test_gauge.py", "src/tides/stations/old_mill.py"),
        _tides,
        terminal=True,
        notes="headings and colours, line ends CRLF",
    ),
    _search("rg-context", "rg -n -C3 'except OSError' src", ("src/tides/stations/ropewalk.py",), _tides),
    _search(
        "rg-json",
        "rg --json 'raise GaugeError' src",
        ('"type":"match"', '"path":{"text":"src/tides/stations/old_mill.py"}', '"line_number":19'),
        _tides,
        notes="one JSON document a line",
    ),
    _search("rg-count", "rg -c level", ("src/tides/stations/old_mill.py:2", "docs/lighthouse.md:1"), _tides),
    _search("rg-names", "rg -l level", ("src/tides/stations/old_mill.py", "docs/lighthouse.md", "notes Lunden.txt"), _tides),
    _search("rg-many", "rg -n 'self|level' src docs", ("src/tides/stations/old_mill.py:", "docs/lighthouse.md:"), _tides),
    _search(
        "rg-stats",
        "rg --stats -c level src",
        ("src/tides/stations/old_mill.py:2", "8 files contained matches"),
        _tides,
    ),
    _search("rg-nothing", "rg kraken", (), _tides, exit_code=1),
    _search("rg-bad-pattern", "rg '(level' src", ("regex parse error:", "unclosed group"), _tides, exit_code=2),
    _search("ag-plain", "ag GaugeError src tests", ("src/tides/gauge.py:1:", "tests/test_gauge.py:1:"), _tides),
    _search("ag-context", "ag -C 2 'except OSError' src", ("src/tides/stations/old_mill.py:17:",), _tides),
)
