"""pytest: what it prints for each outcome a test, a module, a fixture or a run can have."""

from __future__ import annotations

from functools import partial

from scripts.recording.project import Project
from scripts.recording.recipe import Recipe

_pytest = partial(Recipe, "pytest")

_ORCHARD = '''\
"""Sort apples by weight."""

import logging
import warnings

log = logging.getLogger("orchard")

GRADES = {"small": 90, "medium": 140, "large": 200}


def grade(weight: int) -> str:
    if weight < 0:
        raise ValueError(f"weight must not be negative, got {weight}")
    for name, limit in GRADES.items():
        if weight <= limit:
            return name
    return "huge"


def crate(weights: list[int]) -> dict[str, int]:
    log.info("sorting %d apples", len(weights))
    counts: dict[str, int] = {}
    for weight in weights:
        name = grade(weight)
        counts[name] = counts.get(name, 0) + 1
    return counts


def old_crate(weights: list[int]) -> dict[str, int]:
    warnings.warn("old_crate() is deprecated, use crate()", DeprecationWarning, stacklevel=2)
    return crate(weights)
'''

_PASSING = """\
import pytest

from orchard import crate, grade


@pytest.mark.parametrize("weight", range(60, 100))
def test_light(weight):
    assert grade(weight) in ("small", "medium")


def test_huge():
    assert grade(500) == "huge"


def test_crate():
    assert crate([80, 85, 130]) == {"small": 2, "medium": 1}


def test_negative():
    with pytest.raises(ValueError):
        grade(-1)
"""

_FAILING = """\
from orchard import crate, grade


def test_boundary():
    assert grade(140) == "large"


def test_counts():
    assert crate([80, 85, 130, 210]) == {"small": 2, "medium": 2, "large": 1}


def test_negative():
    assert grade(-5) == "small"


def test_long_text():
    have = "\\n".join(f"row {n}: {grade(n * 20)}" for n in range(12))
    want = have.replace("row 7: medium", "row 7: large")
    assert have == want


class TestCrates:
    def test_empty(self):
        assert crate([]) == {}

    def test_missing_grade(self):
        assert crate([80])["medium"] == 0
"""

_FIXTURES = """\
import pytest

from orchard import crate


@pytest.fixture
def scales():
    raise ConnectionError("scales do not answer on /dev/ttyUSB0")


@pytest.fixture
def press():
    yield "press"
    raise RuntimeError("press is still warm")


def test_weigh(scales):
    assert scales


def test_juice(press):
    assert press == "press"


def test_unknown(cider_mill):
    assert cider_mill


def test_crate():
    assert crate([80]) == {"small": 1}
"""

_OUTCOMES = """\
import sys

import pytest

from orchard import grade


@pytest.mark.skip(reason="scales are at the shop")
def test_scales():
    assert False


@pytest.mark.skipif(sys.version_info > (3,), reason="needs Python 2")
def test_old_python():
    assert False


@pytest.mark.xfail(reason="pears are not sorted yet")
def test_pears():
    assert grade("pear") == "small"


@pytest.mark.xfail(reason="thought to be broken")
def test_lucky():
    assert grade(80) == "small"


@pytest.mark.xfail(strict=True, reason="must stay broken")
def test_strict():
    assert grade(80) == "small"


def test_plain():
    assert grade(80) == "small"
"""

_WARNINGS = """\
import pytest

from orchard import old_crate


@pytest.mark.parametrize("n", range(15))
def test_old_crate(n):
    assert old_crate([80] * n) in ({}, {"small": n})


def test_unclosed():
    open(__file__)


@pytest.mark.slow
def test_unknown_mark():
    pass
"""

_OUTPUT = """\
import logging
import sys

from orchard import crate


def test_noisy():
    for row in range(30):
        print(f"row {row} is ripe")
    print("row 30 is ROTTEN", file=sys.stderr)
    logging.getLogger("orchard").warning("belt slipped at crate 17")
    assert crate([80, 150]) == {"small": 2}


def test_quiet():
    print("nothing to see")
"""

_PARAMETERS = """\
import pytest

from orchard import grade

CASES = [(60 + 7 * n, "small" if n < 8 else "medium") for n in range(24)]


@pytest.mark.parametrize(("weight", "name"), CASES)
def test_grade(weight, name):
    assert grade(weight) == name
"""

_CHAIN = """\
from orchard import grade


def read_scales(text):
    try:
        return int(text)
    except ValueError as error:
        raise RuntimeError(f"scales sent {text!r}") from error


def weigh_all(texts):
    return [grade(read_scales(text)) for text in texts]


def test_weigh_all():
    assert weigh_all(["80", "120", "8o"]) == ["small", "medium", "small"]
"""


def _orchard(project: Project, **modules: str) -> None:
    project.write({"orchard.py": _ORCHARD})
    project.write({f"tests/test_{name}.py": text for name, text in modules.items()})
    project.write({"pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n'})


def _passing(project: Project) -> None:
    _orchard(project, crates=_PASSING)


def _failing(project: Project) -> None:
    _orchard(project, crates=_PASSING, grades=_FAILING)


def _fixtures(project: Project) -> None:
    _orchard(project, crates=_PASSING, scales=_FIXTURES)


def _outcomes(project: Project) -> None:
    _orchard(project, crates=_PASSING, outcomes=_OUTCOMES)


def _warnings(project: Project) -> None:
    _orchard(project, crates=_PASSING, old=_WARNINGS)


def _output(project: Project) -> None:
    _orchard(project, output=_OUTPUT)


def _parameters(project: Project) -> None:
    _orchard(project, parameters=_PARAMETERS)


def _chain(project: Project) -> None:
    _orchard(project, chain=_CHAIN)


def _everything(project: Project) -> None:
    _orchard(project, crates=_PASSING, grades=_FAILING, scales=_FIXTURES, outcomes=_OUTCOMES, old=_WARNINGS)


def _collection(project: Project) -> None:
    missing = "from orchard import press\n\n\ndef test_press():\n    assert press()\n"
    syntax = "def test_press(:\n    pass\n"
    _orchard(project, crates=_PASSING, missing=missing, syntax=syntax)


def _conftest(project: Project) -> None:
    _passing(project)
    project.write({"tests/conftest.py": "import cider_mill\n"})


def _internal(project: Project) -> None:
    _passing(project)
    hook = "def pytest_runtest_logreport(report):\n    raise KeyError('press')\n"
    project.write({"tests/conftest.py": hook})


def _no_tests(project: Project) -> None:
    _orchard(project, nothing="# tests will come\n")


def _segfault(project: Project) -> None:
    crash = "import ctypes\n\n\ndef test_press():\n    ctypes.string_at(0)\n"
    _orchard(project, crates=_PASSING, press=crash)


def _interrupt(project: Project) -> None:
    _orchard(project, crates=_PASSING, stop="def test_stop():\n    raise KeyboardInterrupt\n")


def _doctest(project: Project) -> None:
    project.write({"cider.py": '"""Cider.\n\n>>> 3 * 4\n13\n"""\n'})


_ROW = """

@pytest.mark.parametrize("n", range(40))
def test_row_{row:02}(n):
    assert n * {row} != {wrong}
"""


def _with_pytest_7(project: Project) -> None:
    _everything(project)
    project.shell("python -m venv .venv && pip install -q pytest==7.0.1")


def _large(project: Project) -> None:
    rows = [_ROW.format(row=row, wrong=row * 33 if row in (7, 11) else -1) for row in range(15)]
    _orchard(project, rows="import pytest\n" + "".join(rows))


_NAMES = (
    "tests/test_grades.py::test_boundary",
    "tests/test_grades.py::test_counts",
    "tests/test_grades.py::test_negative",
    "tests/test_grades.py::test_long_text",
    "tests/test_grades.py::TestCrates::test_missing_grade",
)
_REASONS = (
    "assert 'medium' == 'large'",
    "ValueError: weight must not be negative, got -5",
    "KeyError: 'medium'",
    "tests/test_grades.py:5: AssertionError",
    "orchard.py:13: ValueError",
    "tests/test_grades.py:27: KeyError",
)
_SUMMARY = "5 failed, 44 passed"
_UNIT_REASON = "ConnectionError: scales do not answer on /dev/ttyUSB0"
_FIXTURE_TEXT = (
    _UNIT_REASON,
    "fixture 'cider_mill' not found",
    "RuntimeError: press is still warm",
    "ERROR at setup of test_weigh",
    "ERROR at teardown of test_juice",
    "tests/test_scales.py:8: ConnectionError",
    "3 errors",
)

RECIPES = (
    _pytest("all-pass", "pytest", ("43 passed",), _passing),
    _pytest("all-pass-quiet", "pytest -q", ("43 passed",), _passing),
    _pytest("all-pass-verbose", "pytest -v", ("43 passed",), _passing),
    _pytest("all-pass-module", "python -m pytest tests/test_crates.py", ("43 passed",), _passing, tool="pytest"),
    _pytest("failures", "pytest", (*_NAMES, *_REASONS, _SUMMARY), _failing, exit_code=1),
    _pytest("failures-short-traceback", "pytest --tb=short", (*_NAMES, _SUMMARY, "got -5"), _failing, exit_code=1),
    _pytest("failures-line-traceback", "pytest --tb=line -q", (_SUMMARY, "got -5"), _failing, exit_code=1),
    _pytest("failures-native-traceback", "pytest --tb=native -q", (*_NAMES, _SUMMARY, "got -5"), _failing, exit_code=1),
    _pytest("failures-verbose", "pytest -v", (*_NAMES, *_REASONS, _SUMMARY), _failing, exit_code=1),
    _pytest("failures-very-verbose", "pytest -vv tests/test_grades.py", (*_NAMES, "5 failed, 1 passed"), _failing, exit_code=1),
    _pytest("first-failure-only", "pytest -x", (_NAMES[0], _REASONS[0], "stopping after 1 failures"), _failing, exit_code=1),
    _pytest(
        "failures-colour",
        "pytest",
        (_NAMES[2].split("::")[0], "got -5", "5 failed"),
        _failing,
        exit_code=1,
        terminal=True,
        notes="colours, line ends CRLF",
    ),
    _pytest("failures-no-summary", "pytest -q -r N", ("test_boundary", *_REASONS, _SUMMARY), _failing, exit_code=1),
    _pytest(
        "failures-exit-masked",
        "pytest -q || true",
        (*_NAMES, *_REASONS, _SUMMARY),
        _failing,
        notes="failures under exit status 0",
    ),
    _pytest(
        "collection-errors",
        "pytest",
        (
            "tests/test_missing.py",
            "tests/test_syntax.py",
            "SyntaxError: invalid syntax",
            "ImportError: cannot import name 'press' from 'orchard'",
            "2 errors",
        ),
        _collection,
        exit_code=2,
    ),
    _pytest(
        "conftest-fails",
        "pytest",
        ("ModuleNotFoundError: No module named 'cider_mill'", "tests/conftest.py"),
        _conftest,
        exit_code=4,
    ),
    _pytest("fixture-errors", "pytest", _FIXTURE_TEXT, _fixtures, exit_code=1),
    _pytest("fixture-errors-verbose", "pytest -v", _FIXTURE_TEXT, _fixtures, exit_code=1),
    _pytest(
        "outcomes",
        "pytest -ra",
        (
            "scales are at the shop",
            "pears are not sorted yet",
            "thought to be broken",
            "tests/test_outcomes.py::test_lucky",
            "[XPASS(strict)] must stay broken",
            "tests/test_outcomes.py::test_strict",
            "1 failed",
            "2 skipped",
            "1 xfailed",
            "1 xpassed",
        ),
        _outcomes,
        exit_code=1,
    ),
    _pytest(
        "warnings",
        "pytest",
        (
            "DeprecationWarning: old_crate() is deprecated, use crate()",
            "PytestUnknownMarkWarning",
            "tests/test_old.py",
            "60 passed",
        ),
        _warnings,
    ),
    _pytest(
        "warnings-as-errors",
        "pytest -q -W error::DeprecationWarning",
        ("15 failed", "tests/test_old.py::test_old_crate[14]", "DeprecationWarning: old_crate() is deprecated, use crate()"),
        _warnings,
        exit_code=1,
        notes="fifteen failures for the same reason",
    ),
    _pytest(
        "captured-output",
        "pytest",
        (
            "tests/test_output.py::test_noisy",
            "row 30 is ROTTEN",
            "belt slipped at crate 17",
            "tests/test_output.py:12: AssertionError",
            "1 failed, 1 passed",
        ),
        _output,
        exit_code=1,
    ),
    _pytest("output-not-captured", "pytest -s -q", ("row 30 is ROTTEN", "1 failed, 1 passed"), _output, exit_code=1),
    _pytest(
        "parametrised-failures",
        "pytest",
        (
            "tests/test_parameters.py::test_grade[95-small]",
            "tests/test_parameters.py::test_grade[221-medium]",
            "15 failed, 9 passed",
        ),
        _parameters,
        exit_code=1,
    ),
    _pytest(
        "chained-exceptions",
        "pytest",
        (
            "ValueError: invalid literal for int() with base 10: '8o'",
            "1 failed",
            "RuntimeError: scales sent '8o'",
            "tests/test_chain.py::test_weigh_all",
            "tests/test_chain.py:8: RuntimeError",
        ),
        _chain,
        exit_code=1,
    ),
    _pytest("everything", "pytest -rA", (*_NAMES, *_REASONS, _UNIT_REASON, "6 failed", "3 errors"), _everything, exit_code=1),
    _pytest(
        "everything-version-7",
        "pytest",
        (*_NAMES, *_REASONS, _UNIT_REASON, "6 failed", "3 errors"),
        _with_pytest_7,
        exit_code=1,
        notes="an old version",
    ),
    _pytest("xdist", "pytest -n 2", (*_NAMES, *_REASONS, _SUMMARY), _failing, exit_code=1),
    _pytest("xdist-verbose", "pytest -n 2 -v", (*_NAMES, *_REASONS, _SUMMARY), _failing, exit_code=1),
    _pytest("coverage", "pytest --cov=orchard --cov-report=term-missing", ("43 passed", "orchard.py", "TOTAL"), _passing),
    _pytest(
        "coverage-too-low",
        "pytest --cov=orchard --cov-fail-under=99",
        ("43 passed", "Required test coverage of 99"),
        _passing,
        exit_code=1,
    ),
    _pytest("durations", "pytest --durations=5", ("43 passed",), _passing),
    _pytest("internal-error", "pytest", ("INTERNALERROR", "KeyError: 'press'", "tests/conftest.py"), _internal, exit_code=3),
    _pytest("usage-error", "pytest --parallel", ("error: unrecognized arguments: --parallel",), _passing, exit_code=4),
    _pytest(
        "missing-path",
        "pytest tests/test_pears.py",
        ("ERROR: file or directory not found: tests/test_pears.py",),
        _passing,
        exit_code=4,
    ),
    _pytest("no-tests", "pytest", ("no tests ran",), _no_tests, exit_code=5),
    _pytest("all-deselected", "pytest -k pears", ("43 deselected",), _passing, exit_code=5),
    _pytest(
        "segfault",
        "pytest -v",
        (
            "Fatal Python error: Segmentation fault",
            "tests/test_press.py::test_press",
            'tests/test_press.py", line 5 in test_press',
        ),
        _segfault,
        exit_code=139,
    ),
    _pytest("interrupted", "pytest", ("KeyboardInterrupt", "tests/test_stop.py:2"), _interrupt, exit_code=2),
    _pytest(
        "doctest-failure",
        "pytest --doctest-modules cider.py",
        ("Expected:", "Got:", "cider.py:3: DocTestFailure", "1 failed"),
        _doctest,
        exit_code=1,
    ),
    _pytest(
        "collect-only",
        "pytest --collect-only -q",
        ("tests/test_grades.py::TestCrates::test_empty", "49 tests collected"),
        _failing,
    ),
    _pytest(
        "large-verbose",
        "pytest -v",
        ("tests/test_rows.py::test_row_07[33]", "tests/test_rows.py::test_row_11[33]", "2 failed, 598 passed"),
        _large,
        exit_code=1,
        notes="600 tests, two of them fail",
    ),
)
