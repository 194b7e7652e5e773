"""What the recorded cases of git cannot say."""

from __future__ import annotations

import json
import time

import pytest
from tests.recorded import SHARED, read

from token_saver.processor import Capture, as_command
from token_saver.processors.git import GitProcessor
from token_saver.text.pieces import count_lines, render

GIT = GitProcessor()


def shown(command: str, text: str, exit_code: int | None = 0) -> list[str]:
    """Return the lines that an agent sees; every line of *text* is accounted for."""
    capture = Capture(as_command(command), text, exit_code)
    pieces = GIT.pieces(capture)
    assert count_lines(pieces) == len(capture.lines)
    return render(pieces)


def commits(count: int, body: str = "", rest: str = "", author: str = "Mara Lindqvist") -> str:
    return "\n".join(
        f"commit {number:040x}\nAuthor: {author} <mara@harbor.example>\nDate:   Mon Jun {1 + number % 28} 09:00:00 2026 +0200\n\n"
        f"    Change number {number} of the fares\n{body}{rest}"
        for number in range(count)
    )


def diff(name: str, *body: str) -> str:
    old = sum(line[:1] != "+" for line in body)
    new = sum(line[:1] != "-" for line in body)
    head = [f"diff --git a/{name} b/{name}", "index 1f2e3d4..5a6b7c8 100644", f"--- a/{name}", f"+++ b/{name}"]
    return "\n".join([*head, f"@@ -1,{old} +1,{new} @@ class Ferry:", *body]) + "\n"


def test_staged_and_unstaged_stay_apart_and_hints_are_counted() -> None:
    text = (
        "On branch main\n\nChanges to be committed:\n"
        '  (use "git restore --staged <file>..." to unstage)\n\tmodified:   a.py\n\n'
        'Changes not staged for commit:\n  (use "git add <file>..." to update what will be committed)\n'
        '\tmodified:   a.py\n\nno changes added to commit (use "git add" and/or "git commit -a")\n'
    )
    assert shown("git status", text) == [
        "On branch main",
        "",
        "Changes to be committed:",
        "\tmodified: a.py",
        "",
        "Changes not staged for commit:",
        "\tmodified: a.py",
        "",
        "no changes added to commit",
        "[… 2 hints]",
    ]


@pytest.mark.parametrize(
    "state",
    [
        "You are currently rebasing branch 'summer' on 'b016608'.\n  (all conflicts fixed: run \"git rebase --continue\")",
        'All conflicts fixed but you are still merging.\n  (use "git commit" to conclude merge)',
        'You are currently cherry-picking commit 7896c0a.\n  (fix conflicts and run "git cherry-pick --continue")',
        "You are currently bisecting, started from branch 'main'.",
        "Last command done (1 command done):\n   pick 7896c0a Summer fares\nNext commands to do (2 remaining commands):",
    ],
)
def test_the_state_of_an_operation_stays(state: str) -> None:
    lines = shown("git status", f"On branch main\n{state}\n\nnothing to commit, working tree clean\n")
    assert [line for line in state.split("\n") if "(use " not in line and line not in lines] == []


@pytest.mark.parametrize(
    "command", ["git status --porcelain=v2", "git status --porcelain", "git -C x status -z", "git worktree list --porcelain"]
)
def test_what_programs_read_is_not_touched(command: str) -> None:
    lines = [f"?? export/{number}/table.csv" for number in range(2000)]
    assert shown(command, "\n".join(lines) + "\n") == lines


def test_many_untracked_files_are_all_named() -> None:
    names = [f"src/harbor/timetables/{word}_{number}.csv" for word in ("early", "late") for number in range(60)]
    lines = shown("git status", "On branch main\n\nUntracked files:\n" + "".join(f"\t{name}\n" for name in names))
    text = "\n".join(lines)
    assert "\tsrc/harbor/timetables/: early_0.csv early_1.csv" in text
    assert [name for name in names if name.rpartition("/")[2] not in text] == []


def test_every_commit_that_was_asked_for_by_number_stays() -> None:
    lines = shown("git log -900", commits(900))
    assert [number for number in range(900) if f"Change number {number} of the fares" not in "\n".join(lines)] == []
    assert "Mara Lindqvist" in "\n".join(lines)


def test_a_history_without_end_says_how_much_of_it_is_left_out() -> None:
    lines = shown("git log", commits(4000))
    count = sum(line.startswith("00000") and "Change number" in line for line in lines)
    assert 500 < count < 4000
    assert f"{4000 - count} older commits: down to 00000000 Jun 24 2026 Change number 3999 of the fares" in lines[-1]


def test_a_history_in_the_budget_keeps_bodies_and_counts_trailers() -> None:
    body = "\n    The fares are whole crowns.\n    \n    Signed-off-by: Mara Lindqvist <mara@harbor.example>\n"
    lines = shown("git log", commits(6, body))
    assert lines[0] == "00000000 Jun 1 2026 09:00 Mara Lindqvist <mara@harbor.example>: Change number 0 of the fares"
    assert lines[1] == "    The fares are whole crowns."
    assert lines[2] == "00000000 Jun 2 2026 09:00 Mara Lindqvist: Change number 1 of the fares"
    assert lines[-1] == "[… 6 trailers]"


def test_a_merge_of_a_pull_request_is_told_by_its_title() -> None:
    merge = (
        "commit 9e157869679face1058f497412b047d845cb1bd7\nMerge: 955d6224 52832304\nAuthor: Jonas Feld <j@harbor.example>\n"
        "Date:   2026-06-02 09:00:00 +0200\n\n    Merge pull request #40 from mara/winter\n    \n    Add the winter timetable\n\n"
    )
    lines = shown("git log -200", merge + commits(199, rest="\n1\t2\tsrc/fares.py\n"))
    assert lines[:2] == ["2026-06", "9e157869 Merge #40: Add the winter timetable"]


def test_rows_of_changes_are_counted_by_file_when_there_are_many_commits() -> None:
    lines = shown("git log --numstat -700", commits(700, rest="\n1\t2\tsrc/fares.py\n0\t9\tREADME.md\n"))
    assert "1400 rows of changes: src/fares.py 700, README.md 700" in lines[-1]


def test_patches_of_a_history_keep_hash_subject_files_and_lines() -> None:
    patch = "\n" + diff("src/fares.py", *(f" line {n}" for n in range(9)), "-BASE = 1", "+BASE = 2")
    lines = shown("git log -p", commits(8, rest=patch))
    assert lines[0] == f"commit {0:040x} Jun 1 2026 Mara Lindqvist"
    assert lines.count("diff --git a/src/fares.py b/src/fares.py") == lines.count("+BASE = 2") == 8


def test_changed_lines_stand_at_column_0_and_a_lock_file_is_counted() -> None:
    lock = diff("poetry.lock", *(f"+locked-{n} = {n}" for n in range(900)))
    lines = shown("git diff", diff("fares.py", *(f" x {n}" for n in range(40)), "-old = 1", "+new = 1") + lock)
    assert "-old = 1" in lines and "+new = 1" in lines
    assert "diff --git a/poetry.lock b/poetry.lock" in lines
    assert any("added lines" in line for line in lines[-3:])


def test_words_that_changed_stay_in_a_diff_by_words() -> None:
    text = diff("a.md", *(f"  context {n}" for n in range(9)), " The fare is [-42-]{+43+} crowns.", " end").replace(
        "+1,11", "+1,11"
    )
    lines = shown("git diff --word-diff", text)
    assert " The fare is [-42-]{+43+} crowns." in lines and "[… 9 lines of context]" in lines


def test_a_diff_whose_words_are_marked_by_colour_alone_stays() -> None:
    lines = diff("a.md", *(f" context {n}" for n in range(40)), " The fare is 4243 crowns.").rstrip("\n").split("\n")
    assert shown("git diff --color-words", "\n".join(lines)) == lines


def test_a_custom_format_is_kept_line_by_line() -> None:
    lines = [f"{number:07x}|Mara|2026-06-01|Change {number}" for number in range(300)]
    assert shown("git log -300 --format='%h|%an|%ad|%s'", "\n".join(lines) + "\n") == lines


def test_refusals_survive_in_other_languages() -> None:
    text = (
        "To ../team.git\n ! [rejected]        main -> main (non-fast-forward)\n"
        "Fehler: Fehler beim Versenden einiger Referenzen nach '../team.git'\n"
        "Hinweis: Aktualisierungen wurden zurückgewiesen, weil die Spitze Ihres aktuellen\n"
        "Hinweis: Branches hinter seinem externen Gegenstück zurückgefallen ist. Führen Sie\n"
        "Hinweis: die externen Änderungen zusammen (z.B. 'git pull ...'), bevor Sie\n"
        'Hinweis: erneut "push" ausführen.\n'
    )
    lines = shown("git push", text, 1)
    assert lines[:3] == [
        "To ../team.git",
        " ! [rejected] main -> main (non-fast-forward)",
        "Fehler: Fehler beim Versenden einiger Referenzen nach '../team.git'",
    ]
    assert lines[-1] == "[… 2 hints]"


def test_conflicts_stay_whole_and_files_that_merged_by_themselves_are_named() -> None:
    conflicts = [f"CONFLICT (content): Merge conflict in src/{name}.py" for name in "abc"]
    text = "".join(f"Auto-merging src/{name}.py\n{conflict}\n" for name, conflict in zip("abc", conflicts, strict=True))
    lines = shown("git merge topic", f"{text}Auto-merging src/d.py\nAutomatic merge failed\n", 1)
    assert lines == [*conflicts, "Auto-merging src/d.py", "Automatic merge failed", "[… 3 automatic merges]"]


def test_the_output_of_several_commands_is_read_part_by_part() -> None:
    text = 'On branch main\n  (use "git add <file>..." to update)\n\tmodified:   a.py\n' + diff("a.py", "-x", "+y")
    lines = shown("git status && git diff", text)
    assert lines[:2] == ["On branch main", "\tmodified: a.py"] and "-x" in lines and "+y" in lines


def test_many_new_tags_share_a_line() -> None:
    text = "From ../team\n" + "".join(f" * [new tag]         v1.{n}       -> v1.{n}\n" for n in range(9))
    assert shown("git fetch --tags", text)[1] == " * [new tag] " + ", ".join(f"v1.{n}" for n in range(9))


def test_a_mistaken_option_keeps_the_mistake_and_the_synopsis() -> None:
    text = "error: unknown option `progess'\nusage: git push [<options>]\n\n" + "    -v, --verbose   be more verbose\n" * 30
    assert shown("git push --progess", text, 129) == [
        "error: unknown option `progess'",
        "usage: git push [<options>]",
        "[… 30 lines of usage]",
    ]


def test_asked_for_help_stays() -> None:
    lines = ["usage: git push [<options>]", "", *(f"    --option-{n}   does {n}" for n in range(30))]
    assert shown("git push -h", "\n".join(lines), 129) == lines


def test_what_a_hook_says_stays() -> None:
    hook = [f"src/fares.py:{n}:1: E501 line too long ({n + 80} > 79 characters)" for n in range(30)]
    assert shown("git commit -m x", "\n".join(hook) + "\n", 1) == hook


def test_a_table_of_changes_names_every_file() -> None:
    rows = [f" src/{word}/fares.py                    | {n} ++++++-----" for n, word in enumerate("abcdefghijk")]
    lines = shown("git diff --stat", "\n".join([*rows, " 11 files changed, 60 insertions(+), 55 deletions(-)"]) + "\n")
    assert lines == [
        *(f"src/{word}/fares.py | {n} +-" for n, word in enumerate("abcdefghijk")),
        " 11 files changed, 60 insertions(+), 55 deletions(-)",
    ]


def test_a_huge_table_of_changes_keeps_the_largest_and_names_folders() -> None:
    rows = [
        f" src/{chr(97 + n % 20)}/part_{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{'x' * (n % 40)}.py | {n} +" for n in range(1200)
    ]
    lines = shown("git diff --stat", "\n".join(rows) + "\n")
    assert sum(map(len, lines)) < 25_000
    assert any(line.endswith("| 1199 +") for line in lines)
    assert "files: src/" in lines[-1]


def test_a_drawing_of_whole_commits_keeps_its_place_and_one_line_each() -> None:
    text = (
        "*   commit 4cdbab855e886d8ca265f94cbd1705cb34df1c70 (tag: v1.0)\n|\\  Merge: 30f4ee0 7c5a9bc\n"
        "| | Author: Mara Lindqvist <mara@harbor.example>\n| | Date:   Fri Mar 1 09:00:00 2024 +0100\n| | \n"
        "| |     Merge branch 'winter'\n| | \n"
        "| * commit 7c5a9bccc964e96cd4473cadabb2185befa9a44b\n"
        "|/  Author: Priya Raman <priya@harbor.example>\n|   Date:   Wed Jan 24 13:00:00 2024 +0100\n|   \n"
        "|       Add the winter timetable\n|   \n|       From November to March every crossing takes longer.\n"
    )
    assert shown("git log --graph", text) == [
        "*   4cdbab85 (tag: v1.0) Mar 1 2024 Mara Lindqvist: Merge branch 'winter'",
        "| * 7c5a9bcc Jan 24 2024 Priya Raman: Add the winter timetable",
        "|       From November to March every crossing takes longer.",
    ]


def test_a_committer_is_named_where_it_is_not_the_author() -> None:
    text = commits(9).replace("Date:  ", "AuthorDate:").replace("\n\n", "\nCommit: Jonas Feld <j@harbor.example>\n\n")
    assert "Mara Lindqvist <mara@harbor.example> | Commit: Jonas Feld: Change" in shown("git log --format=fuller", text)[0]


def test_the_newest_rows_stay_when_not_all_fit() -> None:
    rows = "\n" + "".join(f"M\tsrc/harbor/part_{word}/fares.py\n" for word in "abcdefgh")
    lines = shown("git log --name-status -40", commits(40, rest=rows))
    text = "\n".join(lines)
    assert [number for number in range(40) if f"Change number {number} of" not in text] == []
    assert lines[1] == "M\tsrc/harbor/part_a/fares.py"
    assert "rows of changes: src/harbor/part_a/fares.py" in lines[-1]


def test_files_of_a_raw_diff_and_of_a_tree_are_named() -> None:
    names = [f"src/harbor/{a}{b}.py" for a in "abcdefghij" for b in "abcdefghij"]
    raw = shown("git diff --raw", "".join(f":100644 100644 1111111 2222222 M\t{name}\n" for name in names))
    tree = shown("git ls-tree -r HEAD", "".join(f"100644 blob {n:040x}\t{name}\n" for n, name in enumerate(names)))
    for lines in (raw, tree):
        assert [name for name in names if not any(line.endswith(name) for line in lines)] == []
    assert tree[1] == "100644 blob 00000000 src/harbor/ab.py"


def test_the_content_of_a_file_stays_as_it_is() -> None:
    lines = [f"def fare_{number}(): ...  # error: none" for number in range(600)]
    assert shown("git show HEAD:src/fares.py", "\n".join(lines)) == lines


def test_matches_keep_path_and_line_and_lose_indentation() -> None:
    assert shown("git grep -n fare", "src/fares.py:12:        return fare\nsrc/a.py:3:fare = 1\n") == [
        "src/fares.py:12:return fare",
        "src/a.py:3:fare = 1",
    ]


def test_blame_says_who_once_and_keeps_signatures_of_a_long_file() -> None:
    row = "bd293687 (Jonas Feld 2024-01-09 14:30:00 +0100 {}) {}"
    body = [f"def fare_{n}():" if n % 20 == 0 else f"    value = {n}" for n in range(1600)]
    lines = shown("git blame src/fares.py", "\n".join(row.format(n + 1, text) for n, text in enumerate(body)))
    assert lines[0] == "bd293687 (Jonas Feld 2024-01-09)" and lines[1] == "1) def fare_0():"
    assert [n for n in range(0, 1600, 20) if f"{n + 1}) def fare_{n}():" not in lines] == []
    assert sum(map(len, lines)) < 40_000


def test_reading_is_linear() -> None:
    def seconds(copies: int) -> float:
        text = commits(300 * copies, rest="\n1\t2\tsrc/fares.py\n") + "x\n"
        best = 9.0
        for _ in range(3):
            start = time.process_time()
            shown("git log --numstat", text)
            best = min(best, time.process_time() - start)
        return best

    assert seconds(16) < 4 * 2.2 * max(seconds(4), 0.01)


@pytest.mark.skipif(not (SHARED / "captures").is_dir(), reason="the shared captures are not here")
def test_the_shared_captures_are_as_small_as_they_should_be() -> None:
    """Percent left by size in tokens, over all captures of git; all that must survive does (test_shared_captures)."""
    most = {300: 0.90, 2_000: 0.65, 10_000: 0.35, 10**9: 0.085}
    before = dict.fromkeys(most, 0)
    after = dict.fromkeys(most, 0)
    for entry in json.loads((SHARED / "captures" / "index.json").read_text(encoding="utf-8")):
        if entry["family"] != "git":
            continue
        text = read(SHARED / "captures" / entry["input"])
        size = next(limit for limit in most if len(text) / 4 < limit)
        before[size] += len(text)
        after[size] += min(len(text), len("\n".join(shown(entry["command"], text, entry["exit_code"]))))
    assert {size: after[size] / before[size] for size in most if after[size] > most[size] * before[size]} == {}
