"""Linters, type checkers and formatters on one small module each, with mistakes of several kinds."""

from __future__ import annotations

from scripts.recording.project import Project
from scripts.recording.recipe import Recipe

_FERRY = """\
import os, sys
from typing import *


def fare(passengers, seats=[]):
    try:
        price = passengers * 40
    except:
        pass
    unused = 1
    if passengers == None:
        print("no passengers")
    assert type(passengers) == int
    return undefined_price


class ferry:
    def Board(self, l):
        return eval(l)
def arrival(minutes:int)->str:
  return minutes+45
departures = lambda: 3
"""
_CLEAN = '''\
"""Ferries."""


def crossing_minutes(start: str, end: str) -> int:
    """Return the minutes from start to end."""
    return len(start) + len(end)
'''
_TYPED = """\
from dataclasses import dataclass


@dataclass
class Crossing:
    start: str
    minutes: int


def total(crossings: list[Crossing]) -> int:
    return sum(crossing.start for crossing in crossings)


def longest(crossings: list[Crossing]) -> Crossing:
    if not crossings:
        return None
    return max(crossings, key=lambda crossing: crossing.minuts)


def label(crossing: Crossing) -> str:
    return crossing.minutes + " minutes"


total("Ostervik")
reveal_type(longest([]))
"""
_BROKEN = "def quay(:\n    return 1\n"


def _python(project: Project) -> None:
    project.write({"ferry.py": _FERRY, "harbor/clean.py": _CLEAN, "harbor/broken.py": _BROKEN})


def _typed(project: Project) -> None:
    project.write({"crossings.py": _TYPED})


def _clean(project: Project) -> None:
    project.write({"clean.py": _CLEAN})


_MANY = "".join(f"def fare_{n}(x,y = {n}):\n  return x+y+missing_{n % 3}\nimport os\n" for n in range(1, 31))


def _many(project: Project) -> None:
    project.write({"a.py": _MANY, "b.py": _MANY, "harbor/c.py": _MANY})


_YAML = """\
ports:
    - name: Ostervik
      berths: 3
      berths: 4
    - name:   Lunden
      tags: [ferry,car]
      open: yes
broken: [1, 2
"""
_DOCKERFILE = """\
FROM debian:latest
MAINTAINER mara@harbor.example
RUN apt-get update && apt-get install curl
RUN cd /srv && sudo make
ADD timetable.csv /srv/timetable.csv
CMD python3 serve.py
"""
_SHELL = """\
#!/bin/sh
for f in `ls *.csv`; do
  if [ $f == "fares.csv" ]; then rm -rf $HOME/$f/*; fi
done
read name
echo Hello, $nmae
cd harbor
"""
_MARKDOWN = """\
#Timetable
* Ostervik
   - Lunden
Some text with a very long line that goes on and on and on until it is clearly longer than eighty characters in all.


See http://harbor.example for more
"""
_SQL = "SELECT port,Berths from ports join ferries using(port) where open=1\n"
_JS = """\
var fares = { adult: 40, child: 20, adult: 45 }
function price(kind, count) {
  if (kind == 'adult') { debugger }
  switch (kind) {
    case 'child': let half = count; case 'senior': break
  }
  return fars[kind]
}
let unused = price
"""
_CSS = "a { colr: red }\n.quay { }\n.quay { width: 0px; WIDTH: 10PX }\n@media (max-wdth: 1px) { b { top: 1 } }\n"


def _javascript(project: Project) -> None:
    project.write(
        {"fares.js": _JS, "ok.js": "export const fare = 40;\n", "package.json": '{ "name": "ferry", "type": "module" }\n'}
    )
    project.write({"eslint.config.js": 'import js from "@eslint/js";\nexport default [js.configs.recommended];\n'})
    project.write({".stylelintrc.json": '{ "extends": "stylelint-config-standard" }\n', "quay.css": _CSS})
    if project.tools:
        project.shell(f"ln -s {project.tools}/node_modules node_modules")


def _texts(project: Project) -> None:
    project.write({"ports.yaml": _YAML, "Dockerfile": _DOCKERFILE, "deploy.sh": _SHELL, "README.md": _MARKDOWN, "q.sql": _SQL})
    project.write({"notes.txt": "The ferry recieves teh passangers.\nThe timetable is adress the harbor.\n"})


_RUBY = """\
class Ferry
  def initialize(name,berths)
    @name = name
    unused = 1
    if berths == nil then puts "no berth" end
  end
  def to_s
    return "Ferry " + @name
  end
end
"""
_C = """\
#include <stdlib.h>
#include <string.h>
int berths(int n) {
    int list[4];
    char *name = malloc(10);
    strcpy(name, "Ostervik and Lunden");
    if (n = 3) return list[7];
    return 10 / (n - n);
}
"""
_LUA = "local berths = 3\nfares = 40\nfunction price(kind, count)\n  local kind = kind\n  return fars * count   \nend\n"
_PERL = 'sub fare { my $n = shift; eval "$n + 1"; open(FH, $n); return $n; }\nprint fare(3);\n'
_HASKELL = """\
module Ferry where

fares xs = map (\\x -> x + 1) (filter (\\x -> x > 0) xs)

empty xs = if length xs == 0 then True else False
"""


def _others(project: Project) -> None:
    project.write({"ferry.rb": _RUBY, "berths.c": _C, "fares.lua": _LUA, "Fare.pl": _PERL, "Ferry.hs": _HASKELL})


_PRE_COMMIT = """\
repos:
  - repo: local
    hooks:
      - id: ruff
        name: ruff check
        entry: ruff check
        language: system
        types: [python]
      - id: names
        name: no ferry in lower case
        entry: "class ferry"
        language: pygrep
        types: [python]
      - id: never
        name: never runs
        entry: "false"
        language: system
        files: nothing
      - id: fine
        name: always fine
        entry: "true"
        language: system
"""


def _hooks(project: Project) -> None:
    _python(project)
    project.write({".pre-commit-config.yaml": _PRE_COMMIT})
    project.shell("git init -q && git add -A && git commit -qm start")


_FLAKE8 = (
    "ferry.py:1:10: E401 multiple imports on one line",
    "ferry.py:1:1: F401 'os' imported but unused",
    "ferry.py:1:1: F401 'sys' imported but unused",
    "ferry.py:2:1: F403 'from typing import *' used; unable to detect undefined names",
    "ferry.py:8:5: E722 do not use bare 'except'",
    "ferry.py:10:5: F841 local variable 'unused' is assigned to but never used",
    "ferry.py:11:19: E711 comparison to None should be 'if cond is None:'",
    "ferry.py:13:12: E721 do not compare types",
    "ferry.py:14:12: F405 'undefined_price' may be undefined, or defined from star imports: typing",
    "ferry.py:18:21: E741 ambiguous variable name 'l'",
    "ferry.py:22:1: E731 do not assign a lambda expression, use a def",
    "harbor/broken.py:1:11: E999 SyntaxError: invalid syntax",
)
RECIPES = [
    Recipe(
        "ruff",
        "check",
        "ruff check --isolated .",
        ("F841", "E722", "B006", "S110", "harbor/broken.py:1:10", "invalid-syntax", "unsafe fixes"),
        _python,
        1,
    ),
    Recipe(
        "ruff",
        "concise",
        "ruff check --isolated --select E,F --output-format concise .",
        (
            "ferry.py:8:5: E722 Do not use bare `except`",
            "ferry.py:10:5: F841 Local variable `unused` is assigned to but never used",
            "ferry.py:11:22: E711",
            "ferry.py:13:12: E721",
            "ferry.py:14:12: F405",
            "ferry.py:18:21: E741",
            "ferry.py:22:1: E731",
            "harbor/broken.py:1:10: invalid-syntax",
        ),
        _python,
        1,
    ),
    Recipe(
        "ruff",
        "concise-many",
        "ruff check --isolated --select E,F --output-format concise .",
        ("Found ", "a.py:", "b.py:", "harbor/c.py", "F821", "F811"),
        _many,
        1,
    ),
    Recipe("ruff", "json", "ruff check --isolated --output-format json ferry.py", ('"F841"', '"E722"', "ferry.py"), _python, 1),
    Recipe("ruff", "clean", "ruff check --isolated clean.py", ("All checks passed!",), _clean),
    Recipe("ruff", "format-check", "ruff format --isolated --check .", ("ferry.py", "harbor/broken.py"), _python, 2),
    Recipe("flake8", "mistakes", "flake8 --isolated .", _FLAKE8, _python, 1),
    Recipe(
        "flake8",
        "many",
        "flake8 --isolated .",
        ("a.py:2:14: F821 undefined name 'missing_1'", "b.py", "harbor/c.py", "F811"),
        _many,
        1,
    ),
    Recipe(
        "pylint",
        "mistakes",
        "pylint ferry.py",
        (
            "ferry.py:14:11: E0602: Undefined variable 'undefined_price' (undefined-variable)",
            "ferry.py:19:15: W0123: Use of eval (eval-used)",
            "ferry.py:5:0: W0102",
            "ferry.py:8:4: W0702",
            "ferry.py:2:0: W0401",
            "ferry.py:10:4: W0612",
            "ferry.py:11:7: C0121",
            "ferry.py:13:11: C0123",
            "W0611: Unused import os",
            "W0611: Unused import sys",
            "Your code has been rated at 0.00/10",
        ),
        _python,
        30,
    ),
    Recipe(
        "mypy",
        "mistakes",
        "mypy --strict crossings.py",
        (
            "crossings.py:11: error: Generator has incompatible item type",
            'crossings.py:16: error: Incompatible return value type (got "None", expected "Crossing")',
            'crossings.py:17: error: "Crossing" has no attribute "minuts"',
            "crossings.py:21: error: Incompatible return value type",
            "crossings.py:21: error: Unsupported operand types for +",
            'crossings.py:24: error: Argument 1 to "total" has incompatible type "str"; expected "list[Crossing]"',
            "crossings.py:25: note: Revealed type is",
            "Found 6 errors in 1 file (checked 1 source file)",
        ),
        _typed,
        1,
    ),
    Recipe("mypy", "clean", "mypy clean.py", ("Success: no issues found in 1 source file",), _clean),
    Recipe("mypy", "syntax", "mypy harbor", ("harbor/broken.py:1: error:", "[syntax]"), _python, 2),
    Recipe(
        "pyright",
        "mistakes",
        "pyright crossings.py",
        (
            "crossings.py:11:",
            "crossings.py:16:",
            "crossings.py:17:",
            "crossings.py:21:",
            "crossings.py:24:",
            "reportReturnType",
            "reportAttributeAccessIssue",
            "reportArgumentType",
            "reportOperatorIssue",
        ),
        _typed,
        1,
    ),
    Recipe(
        "ty",
        "mistakes",
        "ty check crossings.py",
        ("crossings.py:11:", "crossings.py:16:", "crossings.py:21:", "crossings.py:24:", "invalid-argument-type", "Found "),
        _typed,
        1,
    ),
    Recipe("black", "check", "black --check .", ("ferry.py", "harbor/broken.py", "1 file would be reformatted"), _python, 123),
    Recipe("black", "isort-check", "isort --check-only .", ("ferry.py",), _python, 1, tool="isort"),
    Recipe(
        "bandit",
        "mistakes",
        "bandit -q -r .",
        ("B110:try_except_pass", "B101:assert_used", "B307:blacklist", "ferry.py:19:15", "harbor/broken.py (syntax error"),
        _python,
        1,
    ),
    Recipe(
        "yamllint",
        "mistakes",
        "yamllint ports.yaml",
        ('duplication of key "berths"', "too many spaces after colon", "syntax error", "ports.yaml"),
        _texts,
        1,
    ),
    Recipe(
        "shellcheck",
        "terminal-form",
        "shellcheck deploy.sh",
        ("In deploy.sh line 2:", "SC2006", "SC3014", "SC2115", "SC2086", "SC2154", "SC2164", "SC2162"),
        _texts,
        1,
    ),
    Recipe(
        "shellcheck", "gcc-form", "shellcheck -f gcc deploy.sh", ("deploy.sh:2:10", "[SC2115]", "[SC2154]", "[SC2164]"), _texts, 1
    ),
    Recipe(
        "hadolint",
        "mistakes",
        "hadolint Dockerfile",
        (
            "Dockerfile:1 DL3007",
            "Dockerfile:2 DL4000",
            "Dockerfile:3 DL3008",
            "Dockerfile:4 DL3004",
            "Dockerfile:5 DL3020",
            "DL3025",
        ),
        _texts,
        1,
    ),
    Recipe("sqlfluff", "lint", "sqlfluff lint --dialect postgres q.sql", ("CP01", "LT01", "q.sql", "FAIL"), _texts, 1),
    Recipe("typos", "mistakes", "typos notes.txt", ("recieves", "teh", "notes.txt:1:11", "notes.txt:1:20"), _texts, 2),
    Recipe(
        "typos",
        "codespell",
        "codespell notes.txt",
        ("notes.txt:1: recieves ==> receives", "notes.txt:1: teh ==> the"),
        _texts,
        65,
        tool="codespell",
    ),
    Recipe(
        "markdownlint",
        "mistakes",
        "markdownlint-cli2 README.md",
        ("MD018", "MD013", "MD034", "README.md:1"),
        _texts,
        1,
        tool="markdownlint-cli2",
    ),
    Recipe(
        "eslint",
        "stylish",
        "npx eslint .",
        ("no-dupe-keys", "no-debugger", "no-undef", "no-unused-vars", "no-fallthrough", "no-case-declarations", "fares.js"),
        _javascript,
        1,
        tool="eslint",
    ),
    Recipe("eslint", "json", "npx eslint -f json .", ("no-dupe-keys", "no-undef", "fares.js"), _javascript, 1, tool="eslint"),
    Recipe(
        "prettier",
        "check",
        "npx prettier --check .",
        ("fares.js", "quay.css", "Code style issues found in"),
        _javascript,
        1,
        tool="prettier",
    ),
    Recipe(
        "stylelint",
        "mistakes",
        "npx stylelint quay.css",
        ("property-no-unknown", "block-no-empty", "quay.css"),
        _javascript,
        2,
        tool="stylelint",
    ),
    Recipe(
        "biome",
        "lint",
        "npx biome lint fares.js",
        ("noDebugger", "noDoubleEquals", "noDuplicateObjectKeys"),
        _javascript,
        1,
        tool="biome",
    ),
    Recipe(
        "oxlint",
        "denied",
        "npx oxlint --deny-warnings fares.js ok.js",
        ("no-debugger", "no-dupe-keys", "no-unused-vars", "fares.js:1:15", "fares.js:3:26", "fares.js:9:5", "Found 5 warnings"),
        _javascript,
        1,
        tool="oxlint",
    ),
    Recipe(
        "oxlint",
        "mistakes",
        "npx oxlint fares.js ok.js",
        ("no-debugger", "no-dupe-keys", "fares.js:1:15", "fares.js:3:26", "Found 5 warnings"),
        _javascript,
        tool="oxlint",
    ),
    Recipe(
        "rubocop",
        "mistakes",
        "rubocop --cache false ferry.rb",
        ("ferry.rb:2:22", "Lint/UselessAssignment", "Style/NilComparison", "Style/RedundantReturn", "1 file inspected"),
        _others,
        1,
    ),
    Recipe(
        "cppcheck",
        "mistakes",
        "cppcheck --enable=all berths.c",
        ("arrayIndexOutOfBounds", "bufferAccessOutOfBounds", "memleak"),
        _others,
    ),
    Recipe("luacheck", "mistakes", "luacheck fares.lua", ("fares.lua:2:1", "fares.lua:5:10", "Total: "), _others, 1),
    Recipe("perlcritic", "mistakes", "perlcritic --stern Fare.pl", ("at line 1",), _others, 2),
    Recipe("hlint", "mistakes", "hlint Ferry.hs", ("Ferry.hs:3:", "Ferry.hs:5:", "hints"), _others, 1),
    Recipe(
        "pre-commit",
        "failing-hooks",
        "pre-commit run --all-files",
        ("ruff check", "- hook id: ruff", "F841", "E722", "- hook id: names", "ferry.py:17:"),
        _hooks,
        1,
    ),
]
