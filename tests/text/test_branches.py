from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from token_saver.text.branches import branches, read_branches
from token_saver.text.pieces import count_lines, render
from token_saver.text.rx import rx

NPM = "map@1.0.0\n├─┬ chalk@4.1.2\n│ ├── ansi@4.3.0\n│ └── color@7.2.0\n└── ms@2.1.3"


def shown(text: str) -> str:
    return "\n".join(render(branches(text.split("\n"), "package", again=(" deduped",), keep=rx("UNMET"))))


def test_a_blank_a_level_stands_for_the_guides() -> None:
    assert shown(NPM) == "map@1.0.0\n chalk@4.1.2\n  ansi@4.3.0\n  color@7.2.0\n ms@2.1.3"


def test_every_way_of_drawing_gives_the_same_depths() -> None:
    drawings = (
        "a\n├── b\n│   └── c\n└── d",
        "a\n├─┬ b\n│ └── c\n└── d",
        "a\n├─ b\n│  └─ c\n└─ d",
        "a\n+-- b\n|   `-- c\n`-- d",
        "a\n├── b\n│\xa0\xa0 └── c\n└── d",
    )
    assert [[(depth, name) for depth, name, _ in read_branches(text.split("\n"))] for text in drawings] == [
        [(0, "a"), (1, "b"), (2, "c"), (1, "d")]
    ] * len(drawings)


def test_a_second_tree_starts_again_at_the_root() -> None:
    assert [depth for depth, _, _ in read_branches(["a", "└─┬ b", "  └── c", "", "d", "└── e"])] == [0, 1, 2, 0, 0, 1]


def test_what_stands_elsewhere_in_full_is_counted_and_problems_stay() -> None:
    rows = ["app@1.0.0"]
    for n in range(200):
        rows += [f"├─┬ package-{n}@1.{n}.0", f"│ ├── inner-{n}@2.{n}.0", "│ └── shared@3.0.0 deduped"]
    rows += ["└── UNMET DEPENDENCY gone@1.0.0 deduped"]
    result = shown("\n".join(rows))
    assert "200 repeated packages]" in result
    assert "UNMET DEPENDENCY gone@1.0.0" in result
    assert all(f"package-{n}@1.{n}.0" in result for n in range(200))


def test_deep_levels_are_told_by_name_when_there_is_no_room() -> None:
    rows = ["app"]
    for n in range(300):
        rows += [f"├── top-{n}", f"│   └── below-of-a-long-name-{n}"]
    result = shown("\n".join(rows))
    assert all(f"top-{n}\n" in result for n in range(300))
    assert "300 packages of a deeper level: below-of-a-long-name-0, " in result


@given(st.lists(st.text(alphabet="│├└─┬ ab+|`-", max_size=14), max_size=40))
def test_every_line_is_accounted_for_and_a_second_pass_changes_nothing(lines: list[str]) -> None:
    pieces = branches(lines, "package")
    assert count_lines(pieces) == len(lines)
    names = [line.strip(" ") for line in render(pieces) if line.strip()]
    assert all(any(name in line for line in lines) for name in names)
