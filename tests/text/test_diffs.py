from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from token_saver.text.code_worth import kind, worth
from token_saver.text.diffs import FileDiff, changes_only, split, squeeze_diff
from token_saver.text.pieces import count_lines, render

if TYPE_CHECKING:
    from token_saver.text.diffs import Hunk

HEAD = ["diff --git a/ferry.py b/ferry.py", "index 1f2e3d4..5a6b7c8 100644", "--- a/ferry.py", "+++ b/ferry.py"]
WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\n", exclude_categories=["Cs", "Cc"]), max_size=30)
BODY = st.lists(st.tuples(st.sampled_from(" +-"), WORDS).map("".join), min_size=1, max_size=30)


def hunk(body: list[str], header: str = "") -> list[str]:
    old = sum(line[:1] != "+" for line in body)
    new = sum(line[:1] != "-" for line in body)
    return [f"@@ -10,{old} +10,{new} @@{header}", *body]


def numbered(mark: str, count: int, text: str = "value") -> list[str]:
    return [f"{mark}{text}_{number} = {number}" for number in range(count)]


def shown(lines: list[str], budget: int = 10_000) -> list[str]:
    return render(squeeze_diff(lines, budget))


def files(lines: list[str]) -> list[FileDiff]:
    return [part for part in split(lines) if isinstance(part, FileDiff)]


def changed(lines: list[str]) -> list[str]:
    return [line for line in lines if line[:1] in ("+", "-")]


@given(st.lists(BODY, min_size=1, max_size=6))
def test_every_changed_line_of_a_small_diff_survives_verbatim_at_column_0(bodies: list[list[str]]) -> None:
    body = [line for part in bodies for line in hunk(part)]
    result = shown(HEAD + body)
    assert [line for line in result if line in set(changed(body))] == [line for line in changed(body) if line in set(result)]
    assert sorted(changed(result)) == sorted(changed(body))


@given(
    st.lists(
        st.one_of(st.sampled_from([*HEAD, "@@ -1,2 +1,2 @@", "@@@ -1 -1 +1 @@@", "\\ No newline", ""]), WORDS, BODY.map("".join))
    )
)
def test_no_line_leaves_the_ledger_whatever_stands_there(lines: list[str]) -> None:
    flat = [line for part in split(lines) for line in (part if isinstance(part, list) else all_lines(part))]
    assert flat == lines
    assert count_lines(squeeze_diff(lines, 400)) == len(lines)


def all_lines(file: FileDiff) -> list[str]:
    def of(part: Hunk) -> list[str]:
        return [part.header, *part.lines]

    return [*file.head, *file.binary, *(line for part in file.hunks for line in of(part))]


def test_a_small_diff_keeps_its_context_and_says_the_name_once() -> None:
    body = hunk([" before", "-old", "+new", " after"], " class Ferry:")
    assert shown(HEAD + body) == [HEAD[0], *body]


def test_context_of_a_larger_diff_is_counted_where_it_stood() -> None:
    body = [" a", " b", " c", "-old", "+new", *numbered(" ", 80), "-older", " x", "+newer", " y", " z"]
    lines = HEAD + hunk(body, " class Ferry:") + hunk(numbered("+", 30))
    for budget, near in ((changes_only(files(lines), 10_000), 0), (3000, 1)):
        result = shown(lines, budget)
        first = result.index("-old")
        assert result[first : first + 2 + near] == ["-old", "+new", " value_0 = 0"][: 2 + near]
        assert result[first + 2 + near] == f"[… {80 - 2 * near} lines of context]"
        last = result.index("+newer")
        assert result[last - 2 : last + 1] == ["-older", " x", "+newer"]
        assert "@@ -10,88 +10,88 @@ class Ferry:" in result


def test_a_removed_line_that_looks_like_a_heading_is_a_removed_line() -> None:
    body = ["--- old comment", "+++ new comment", "-x"]
    (found,) = files(HEAD + hunk(body))
    assert list(found.hunks[0].lines) == body


def test_combined_diffs_are_kept_with_both_columns() -> None:
    lines = [
        "diff --cc README.md",
        "index e1e6ca8,9d7958b..0000000",
        "--- a/README.md",
        "+++ b/README.md",
        "@@@ -1,4 -1,4 +1,8 @@@ Title",
        *numbered("  ", 60),
        "++<<<<<<< HEAD",
        " +ours",
        "++=======",
        "+ theirs",
        "++>>>>>>> origin/main",
    ]
    result = shown(lines, 200)
    assert result[0] == "diff --cc README.md"
    assert result[-7:-1] == lines[-6:]
    assert result[-1].startswith("[… 59 lines of context")


def test_modes_renames_binary_notes_and_missing_line_ends_stay() -> None:
    lines = [
        "diff --git a/run.sh b/go.sh",
        "old mode 100644",
        "new mode 100755",
        "similarity index 80%",
        "rename from run.sh",
        "rename to go.sh",
        "index 1111111..2222222",
        "--- a/run.sh",
        "+++ b/go.sh",
        "@@ -1 +1 @@",
        "-a",
        "\\ No newline at end of file",
        "+b",
        "diff --git a/logo.png b/logo.png",
        "index 3333333..4444444 100644",
        "Binary files a/logo.png and b/logo.png differ",
    ]
    result = shown(lines)
    assert set(lines) - set(result) == {lines[6], lines[7], lines[8], lines[14]}


def test_a_binary_patch_is_counted() -> None:
    lines = [
        "diff --git a/logo.png b/logo.png",
        "index 3333333..4444444 100644",
        "GIT binary patch",
        "delta 60",
        *("zcmZ?wbhEHb6krfwXkcJq00960" for _ in range(60)),
        "",
    ]
    assert shown(lines) == [lines[0], "[… 62 lines of binary patch]"]


def test_plain_unified_diffs_are_read_file_by_file() -> None:
    first = ["--- a.txt\t2024-01-01", "+++ b.txt\t2024-01-02", *hunk(["-x", "+y"])]
    second = ["diff -ru one/c two/c", "--- one/c\t2024-01-01", "+++ two/c\t2024-01-02", *hunk(["-- note", "+n"])]
    found = files(first + second)
    assert [file.name for file in found] == ["b.txt", "two/c"]
    assert shown(first + second) == first + second


def test_an_outline_keeps_files_signatures_and_what_is_raised() -> None:
    body = [
        "+def board(passengers):",
        "+    if not passengers:",
        '+        raise ValueError("nobody on board")',
        *numbered("+", 400),
        "-def embark(passengers):",
        "-    return len(passengers)",
    ]
    lock = ["diff --git a/uv.lock b/uv.lock", "--- a/uv.lock", "+++ b/uv.lock", *hunk(numbered("+", 300, "locked"))]
    result = shown(HEAD + hunk(body) + lock, 1500)
    assert sum(map(len, result)) < 2200
    for line in (HEAD[0], lock[0], body[0], body[2], body[-2], body[-1]):
        assert line in result
    assert any(line.startswith("[… ") and "added lines" in line for line in result)


def test_an_outline_prefers_what_is_new_to_what_only_moved() -> None:
    moved = [f"def helper_{number}():" for number in range(30)]
    old = HEAD + hunk([f"-{line}" for line in moved])
    new = [line.replace("ferry", "boat") for line in HEAD] + hunk([f"+{line}" for line in moved] + ["+def fresh():"])
    result = shown(old + new + HEAD + hunk(numbered("+", 300)), 900)
    assert "+def fresh():" in result
    assert not any(line.startswith("-def helper") for line in result)


def test_long_lines_of_a_change_are_cut_and_say_so() -> None:
    body = ["-" + "a" * 5000, "+" + "b" * 5000, *numbered(" ", 60)]
    result = shown(HEAD + hunk(body), 9000)
    assert result[2].startswith("-aaa") and "…[+" in result[2] and len(result[2]) < 1100


def test_words_that_name_the_kind_of_a_file() -> None:
    names = {
        "uv.lock": "generated",
        "web/app.min.js": "generated",
        "package-lock.json": "generated",
        "docs/index.md": "prose",
        "CHANGELOG.md": "",
        "tests/test_fares.py": "test",
        "src/fares.test.ts": "test",
        "src/contest.py": "",
    }
    assert {name: kind(name) for name in names} == names


def test_what_a_line_says_is_ranked() -> None:
    lines = ["def a():", 'raise KeyError("x")', "return x", "if x:", "x = y(1)", "value,", "# note", ")"]
    ranks = [worth(line) for line in lines]
    assert ranks == sorted(ranks, reverse=True) and len(set(ranks)) == len(ranks)


def test_squeezing_is_linear() -> None:
    def seconds(copies: int) -> float:
        lines: list[str] = []
        for copy in range(copies):
            lines += [line.replace("ferry", f"ferry{copy}") for line in HEAD]
            for part in range(8):
                lines += hunk([*numbered(" ", 3), f"+def f{copy}_{part}():", *numbered("+", 20, f"v{copy}_{part}")])
        best = 9.0
        for _ in range(3):
            start = time.process_time()
            squeeze_diff(lines, 20_000)
            best = min(best, time.process_time() - start)
        return best

    assert seconds(400) < 4 * 2.2 * max(seconds(100), 0.01)
