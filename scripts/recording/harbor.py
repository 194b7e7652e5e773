"""The invented project that the git recipes work on: a ferry timetable with a short history and one merge."""

from __future__ import annotations

from typing import NamedTuple

from scripts.recording.project import Project

TIMETABLE = '''\
"""When ferries leave, and how long a crossing takes."""

from datetime import datetime, timedelta

CROSSINGS = {
    ("Ostervik", "Lunden"): 45,
    ("Lunden", "Skarholm"): 70,
    ("Skarholm", "Ostervik"): 95,
}


def crossing_minutes(start: str, end: str) -> int:
    """Return the minutes from start to end."""
    return CROSSINGS[(start, end)]


def arrival(departure: datetime, start: str, end: str) -> datetime:
    """Return when a ferry that leaves at departure arrives."""
    return departure + timedelta(minutes=crossing_minutes(start, end))
'''

FARES = '''\
"""What a crossing costs."""

BASE_FARE = 40
CAR_SURCHARGE = 120


def fare(passengers: int, car: bool = False) -> int:
    """Return the price in crowns."""
    total = passengers * BASE_FARE
    if car:
        total += CAR_SURCHARGE
    return total
'''

TESTS = """\
from harbor.fares import fare


def test_one_passenger():
    assert fare(1) == 40


def test_car():
    assert fare(2, car=True) == 200
"""

README = """\
# Harbor

Timetables and fares for the three islands.

## Use

    python -m harbor Ostervik Lunden
"""


CHILDREN = """\
    if children > passengers:
        raise ValueError("more children than passengers")
"""


class Step(NamedTuple):
    """One commit: new files, then (path, old, new) edits."""

    date: str
    author: str
    message: str
    files: dict[str, str]
    edits: tuple[tuple[str, str, str], ...] = ()


STEPS = (
    Step(
        "2024-01-08T09:12:00+01:00",
        "Mara Lindqvist",
        "Start the timetable",
        {"README.md": README, "src/harbor/__init__.py": "", "src/harbor/timetable.py": TIMETABLE},
    ),
    Step(
        "2024-01-09T14:30:00+01:00",
        "Jonas Feld",
        "Add fares\n\nPrices are whole crowns. The car surcharge does not depend on the crossing.",
        {"src/harbor/fares.py": FARES, "tests/test_fares.py": TESTS},
    ),
    Step(
        "2024-01-11T10:05:00+01:00",
        "Mara Lindqvist",
        "Describe how to set up a checkout",
        {"docs/setup.md": "# Set up\n\nMake a virtual environment and install the project into it.\n"},
        (("README.md", "## Use\n", "See docs/setup.md.\n\n## Use\n"),),
    ),
    Step(
        "2024-01-15T16:41:00+01:00",
        "Priya Raman",
        "Let children travel free",
        {},
        (
            ("src/harbor/fares.py", "passengers: int, car", "passengers: int, children: int = 0, car"),
            (
                "src/harbor/fares.py",
                "passengers * BASE_FARE\n",
                "(passengers - children) * BASE_FARE\n" + CHILDREN,
            ),
        ),
    ),
    Step(
        "2024-01-16T11:20:00+01:00",
        "Jonas Feld",
        "Correct the crossing from Lunden to Skarholm (#12)",
        {},
        (("src/harbor/timetable.py", '("Lunden", "Skarholm"): 70', '("Lunden", "Skarholm"): 75'),),
    ),
    Step(
        "2024-01-22T08:55:00+01:00",
        "Mara Lindqvist",
        "Add the command line",
        {
            "src/harbor/__main__.py": "import sys\n\nfrom harbor.timetable import crossing_minutes\n\n"
            "print(crossing_minutes(sys.argv[1], sys.argv[2]), 'minutes')\n"
        },
    ),
)

WINTER = Step(
    "2024-01-24T13:00:00+01:00",
    "Priya Raman",
    "Add the winter timetable\n\nFrom November to March every crossing takes ten minutes longer.",
    {"src/harbor/winter.py": "WINTER_EXTRA = 10\n\n\ndef winter(minutes: int) -> int:\n    return minutes + WINTER_EXTRA\n"},
    (("README.md", "Timetables and fares", "Summer and winter timetables, and fares"),),
)

RAISE = Step(
    "2024-01-25T15:10:00+01:00",
    "Jonas Feld",
    "Raise the base fare to 42",
    {"CHANGELOG.md": "# Changes\n\n- The base fare is 42 crowns.\n"},
    (
        ("src/harbor/fares.py", "BASE_FARE = 40", "BASE_FARE = 42"),
        ("tests/test_fares.py", "== 40", "== 42"),
        ("tests/test_fares.py", "== 200", "== 204"),
    ),
)


def take(project: Project, step: Step, folder: str = ".") -> None:
    """Make one commit in the repository at *folder*."""
    below = "" if folder == "." else folder + "/"
    project.write({below + path: text for path, text in step.files.items()})
    for path, old, new in step.edits:
        project.edit(below + path, old, new)
    project.commit(step.message, step.date, step.author, folder)


def harbor(project: Project, folder: str = ".") -> None:
    """Make the repository: six commits, a branch that is merged, tag v1.0, one commit more."""
    (project.root / folder).mkdir(exist_ok=True)
    project.shell("git init -q", folder)
    for step in STEPS:
        take(project, step, folder)
    project.shell("git checkout -q -b winter-timetable", folder)
    take(project, WINTER, folder)
    project.shell("git checkout -q main", folder)
    take(project, RAISE, folder)
    project.shell("git merge -q --no-ff -m \"Merge branch 'winter-timetable'\" winter-timetable && git tag v1.0", folder)
    project.edit(
        ("" if folder == "." else folder + "/") + "CHANGELOG.md", "crowns.\n", "crowns.\n- There is a winter timetable.\n"
    )
    project.commit("Note the winter timetable in the changes", "2024-02-02T09:30:00+01:00", folder=folder)


def shared(project: Project) -> None:
    """Make a bare repository ``team.git`` and two clones of it: ``mara`` and ``jonas``."""
    harbor(project, "mara")
    project.shell(
        "git clone -q --bare mara team.git && cd mara && git remote add origin ../team.git"
        " && git fetch -q && git branch -q -u origin/main main && cd .. && git clone -q team.git jonas"
    )


def diverge(project: Project) -> None:
    """Jonas pushes one commit; Mara has another one on the same line, not pushed."""
    shared(project)
    project.edit("jonas/src/harbor/fares.py", "CAR_SURCHARGE = 120", "CAR_SURCHARGE = 150")
    project.commit("Raise the car surcharge", "2024-02-05T10:00:00+01:00", "Jonas Feld", "jonas")
    project.shell("git push -q origin main", "jonas")
    project.edit("mara/src/harbor/fares.py", "CAR_SURCHARGE = 120", "CAR_SURCHARGE = 125")
    project.commit("Adjust the car surcharge", "2024-02-05T11:00:00+01:00", folder="mara")


def conflict(project: Project) -> None:
    """Two branches that change the same line of fares.py; ``summer-fares`` also deletes docs/setup.md."""
    harbor(project)
    project.shell("git checkout -q -b summer-fares && git rm -q docs/setup.md")
    project.edit("src/harbor/fares.py", "BASE_FARE = 42", "BASE_FARE = 50")
    project.commit("Summer fares", "2024-02-06T10:00:00+01:00", "Priya Raman")
    project.shell("git checkout -q main")
    project.edit("src/harbor/fares.py", "BASE_FARE = 42", "BASE_FARE = 44")
    project.edit("docs/setup.md", "install the project", "install Harbor")
    project.commit("Round the base fare", "2024-02-06T12:00:00+01:00")
