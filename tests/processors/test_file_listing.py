"""What the recorded cases of listings cannot say."""

from __future__ import annotations

import pytest
from tests.recorded import Recorded, shared_captures

from token_saver.engine import CompressionEngine
from token_saver.processor import Capture, as_command
from token_saver.processors.file_listing import FileListingProcessor
from token_saver.text.pieces import count_lines, render

LISTING = FileListingProcessor()


def shown(command: str, text: str, exit_code: int | None = 0) -> list[str]:
    """Return the lines that an agent sees; every line of *text* is accounted for."""
    capture = Capture(as_command(command), text, exit_code)
    pieces = list(LISTING.read(capture))
    assert count_lines(pieces) == len(capture.lines)
    return render(pieces)


def test_rows_lose_padding_and_say_the_owner_once() -> None:
    text = (
        "total 12\n"
        "drwxr-xr-x 15 mara staff  4096 Nov 30 18:02 .\n"
        "-rw-r--r--  1 mara staff    12 Nov 30 17:40 .env\n"
        "-rwxr-xr-x  1 root wheel 75267 Nov 30 17:40 deploy.sh\n"
        "lrwxrwxrwx  1 root wheel     9 Nov 30 17:40 LIES-MICH.md -> README.md\n"
    )
    assert shown("ls -la", text) == [
        "total 12",
        "drwxr-xr-x 15 mara staff 4096 Nov 30 18:02 .",
        "-rw-r--r-- 1 12 Nov 30 17:40 .env",
        "-rwxr-xr-x 1 root wheel 75267 Nov 30 17:40 deploy.sh",
        "lrwxrwxrwx 1 9 Nov 30 17:40 LIES-MICH.md -> README.md",
    ]


def test_neighbours_made_together_share_a_heading() -> None:
    text = "".join(
        f"-rw-r--r-- 1 mara staff {size:>6} Nov 30 17:40 {name}\n" for size, name in [(1, "a.md"), (220, "b c.md"), (3, "d.md")]
    )
    assert shown("ls -l", text) == ["-rw-r--r-- 1 mara staff Nov 30 17:40:", " 1 a.md", " 220 b c.md", " 3 d.md"]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("-rw-r--r--  1 nutzer gruppe  900  1. Apr 08:00 bericht.txt", "-rw-r--r-- 1 nutzer gruppe 900 1. Apr 08:00 bericht.txt"),
        ("-rw-r--r-- 1 root root   51 30 nov.  17:40 été.txt", "-rw-r--r-- 1 root root 51 30 nov. 17:40 été.txt"),
        ("-rw-r--r-- 1 0 0  51 2026-01-18 01:43 a.txt", "-rw-r--r-- 1 0 0 51 2026-01-18 01:43 a.txt"),
        (
            "-rwxr-xr-x 1 root   root     51384 2018-01-18 01:43:49.000000000 -0800 [",
            "-rwxr-xr-x 1 root root 51384 2018-01-18 01:43:49.000000000 -0800 [",
        ),
        ("crw-rw-rw-  1 root tty      5,   0 Oct 25 18:21 tty", "crw-rw-rw- 1 root tty 5,0 Oct 25 18:21 tty"),
        (
            "  2343187    140 -rw-r--r--   1 root  root  140235 Nov 30 17:40 a.py",
            "2343187 140 -rw-r--r-- 1 root root 140235 Nov 30 17:40 a.py",
        ),
        ("drwxr-xr-x. 17 root root 4.0K Oct 26 10:14 tmp", "drwxr-xr-x. 17 root root 4.0K Oct 26 10:14 tmp"),
    ],
)
def test_rows_of_other_formats_and_languages(row: str, expected: str) -> None:
    assert shown("ls -l", row + "\n") == [expected]


def test_a_row_that_is_no_row_stays() -> None:
    text = "insgesamt 2\n-rw-r--r-- 1 a b 1 1. Apr 08:00 x\n?????????? ? ? ? ? ? lost\nls: konnte nicht zugreifen: y\n"
    lines = shown("ls -la", text, 1)
    assert lines[0] == "insgesamt 2" and "?????????? ? ? ? ? ? lost" in lines and "ls: konnte nicht zugreifen: y" in lines


def test_long_listings_keep_every_name_and_say_which_columns_went() -> None:
    rows = "".join(
        f"-rw-r--r-- 1 root root {n * 31 % 9000:>6} Jan {n % 28 + 1:>2} 10:{n % 60:02} report_{n}.csv\n" for n in range(500)
    )
    lines = shown("ls -l", f"total 99\n{rows}-rwxr-xr-x 1 root root 99999999 Jan  1 10:00 huge.bin\n")
    assert lines[0].startswith("[… ") and "owner" in lines[0]
    names = " ".join(lines)
    assert all(f"report_{n}.csv" in names for n in range(500))
    assert "huge.bin(99999999)" in names


def test_huge_recursive_listings_name_every_directory_and_count_by_extension() -> None:
    parts = [
        f"lib/part_{d}:\ntotal 8\n" + "".join(f"-rw-r--r-- 1 root root 12 Jan  1 10:00 module_{d}_{n}.py\n" for n in range(200))
        for d in range(30)
    ]
    text = "\n".join(parts)
    lines = shown("ls -lR lib", text)
    assert all(f"lib/part_{d}:" in lines for d in range(30))
    assert sum(line.startswith("[… ") and line.endswith(" .py]") for line in lines) == 30
    assert sum(map(len, lines)) < len(text) / 10


def test_names_on_a_terminal_lose_their_padding() -> None:
    text = "README.md    src          été.txt\nbuild.sh     a  b.txt\n"
    assert shown("ls", text) == ["README.md  src  été.txt", "build.sh  a  b.txt"]
    assert shown("ls", "a   b.txt\n") == ["a   b.txt"]


def test_dotfiles_asked_for_by_name_are_all_shown() -> None:
    """O30."""
    text = "".join(f"./services/part_{n}/.env\n" for n in range(200)) + "./server/.env.local\n"
    assert shown("find . -name '.env*'", text) == text.splitlines()


def test_dotfiles_outlive_other_names() -> None:
    text = "".join(f"./src/package/module_number_{n}.py\n" for n in range(9000)) + "./src/package/.env.local\n"
    (names, mark) = shown("find . -type f", text)
    assert ".env.local" in names and mark.endswith(" .py]")


def test_paths_are_written_by_folder_when_they_are_many() -> None:
    text = "".join(f"./src/part_{d}\n" + "".join(f"./src/part_{d}/file_{n}.py\n" for n in range(10)) for d in range(40))
    lines = shown("find src", text)
    assert lines[0] == "./src/part_0/ " + " ".join(f"file_{n}.py" for n in range(10))
    assert len(lines) == 40


def test_far_too_many_folders_are_counted_by_those_above_them() -> None:
    text = "".join(f"/data/year_{n % 40}/day_{n}/measure.csv\n" for n in range(20000))
    lines = "\n".join(shown("find /data -type f", text))
    assert all(f"/data/year_{n}/" in lines for n in range(40))
    assert len(lines) < 40_000


def test_refusals_are_grouped_by_reason() -> None:
    text = (
        "".join(f"find: ‘/proc/{n}/task’: Permission denied\n" for n in range(50))
        + "find: ‘/gone’: No such file or directory\n./a\n"
    )
    lines = shown("find / -name a", text, 1)
    assert lines[0] == "./a" and "find: ‘/gone’: No such file or directory" in lines
    assert "find: ‘/proc/2/task’: Permission denied" in lines and "[… 47 lines of Permission denied]" in lines


@pytest.mark.parametrize(
    "command", ["find . -name '*.py' -exec wc -l {} +", "find . -printf '%s %p\\n'", "tree -J", "fd -x cat", "ls --help"]
)
def test_what_is_no_list_of_names_is_not_read_as_one(command: str) -> None:
    text = "  120 ./a/b.py\n  110 ./a/c.py\n  230 total\n"
    assert shown(command, text) == text.splitlines()


def test_branches_of_a_tree_become_one_blank_a_level() -> None:
    text = "\n".join(
        [
            *(
                ".",
                "├── docs",
                "│\xa0\xa0 ├── index.md",
                "│\xa0\xa0 └── usage.md",
                "├── src",
                "│   └── app",
                "│       ├── a.py",
                "│       └── b c.py",
            ),
            *("└── tox.ini", "", "3 directories, 5 files", ""),
        ]
    )
    assert shown("tree", text) == [
        *(".", " docs", "  index.md usage.md", " src", "  app", "   a.py, b c.py", " tox.ini", "", "3 directories, 5 files"),
    ]


def test_a_huge_tree_keeps_its_upper_levels() -> None:
    body = "".join(f"├── part_{d}\n" + "".join(f"│   ├── module_{d}_{n}.py\n" for n in range(400)) for d in range(30))
    lines = shown("tree", f".\n{body}\n30 directories, 12000 files\n")
    assert all(f"part_{d}" in lines[1] for d in range(30))
    assert "[… 12000 entries below]" in lines and "30 directories, 12000 files" in lines


def test_a_tree_that_was_shortened_is_left_as_it_is() -> None:
    text = ".\n docs\n  index.md usage.md\n\n2 directories, 2 files\n"
    assert shown("tree", text) == text.splitlines()


CAPTURES = [capture for capture in shared_captures("captures") if capture.family in ("files", "tree")]


@pytest.mark.parametrize("capture", CAPTURES, ids=str)
def test_shared_listings_keep_what_an_agent_needs(capture: Recorded, engine: CompressionEngine) -> None:
    result = engine.run(capture.command, capture.text, capture.exit_code)
    assert not result.fault
    assert capture.lost(result.output) == []
