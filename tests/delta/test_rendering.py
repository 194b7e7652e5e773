"""What is told of the difference between two runs."""

from __future__ import annotations

import pathlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from token_saver.delta import rendering, service, snapshots
from token_saver.diagnostics import Diagnostic, Snapshot, compare, identity
from token_saver.errors import StoreError
from token_saver.kept import Bounds, Kept
from token_saver.text.markers import has_marker


def finding(rule: str, file: str, line: int, message: str) -> Diagnostic:
    detail = f"{file}:{line}:1: {rule} {message}"
    return Diagnostic(identity(rule, file, message), message, detail, location=f"{file}:{line}", name=rule)


def failure(test: str, reason: str) -> Diagnostic:
    return Diagnostic(test, reason, f"___ {test} ___\nE   {reason}", location=f"{test.partition('::')[0]}:9")


OS, RE = finding("F401", "a.py", 3, "`os` unused"), finding("F401", "a.py", 4, "`re` unused")
NONE, OTHER = finding("E711", "a.py", 9, "comparison to None"), finding("F401", "b.py", 1, "`os` unused")
BAD, WORSE = failure("tests/test_a.py::test_x[1]", "assert 1 == 2"), failure("tests/test_a.py::test_y", "assert 3 == 4")


def told(previous: Snapshot, current: Snapshot, ordinary: str = "", hint: str = "") -> str:
    return rendering.rendered(compare(previous, current), current, previous, 7, ordinary, hint)


def test_a_repeat_names_every_finding_by_file_and_rule() -> None:
    run = Snapshot("ruff", "Found 4 errors.", (OS, RE, NONE, OTHER))
    assert told(run, run) == (
        "since run 7: nothing new\n[… 4 unchanged findings: a.py: F401 3 4, E711 9; b.py: F401 1]\nFound 4 errors.\n"
    )


def test_a_repeat_names_every_test_by_file() -> None:
    run = Snapshot("pytest", "=== 2 failed, 3 passed in 0.1s ===", (BAD, WORSE))
    assert told(run, run) == (
        "since run 7: nothing new\n[… 2 unchanged findings: tests/test_a.py::test_x[1], ::test_y]\n2 failed, 3 passed in 0.1s\n"
    )


def test_new_and_changed_findings_stand_in_full_and_apart() -> None:
    before = Snapshot("pytest", "", (BAD,))
    changed = failure("tests/test_a.py::test_x[1]", "assert 5 == 2")
    text = told(before, Snapshot("pytest", "", (changed, WORSE)))
    assert text == f"since run 7: 1 new, 1 changed\nnew:\n{WORSE.detail}\nchanged:\n{changed.detail}\n"


def test_what_is_gone_is_named_and_only_what_was_seen_to_pass_is_said_to_pass() -> None:
    before = Snapshot("pytest", "", (BAD, WORSE))
    text = told(before, Snapshot("pytest", "2 passed", (), ("tests/test_a.py::test_x[1]",)))
    assert "since run 7: 1 now passing, 1 no longer reported\n" in text
    assert "now passing: tests/test_a.py::test_x[1]\n" in text
    assert "no longer reported: tests/test_a.py::test_y\n" in text


def test_context_is_shown_when_it_is_new_and_the_ordinary_result_shows_it() -> None:
    before = Snapshot("x", "", (OS,), context="platform linux\nwarning: old\ntook 3 ms")
    after = Snapshot("x", "", (OS,), context="platform linux\nwarning: new\nnoise\ntook 9 ms")
    text = told(before, after, ordinary="warning: new\nelse\n")
    assert text == (
        "since run 7: nothing new\nwarning: new\n"
        "[… 2 unchanged lines of context, 1 new line of context, 1 unchanged finding: a.py: F401 3]\n"
    )


def test_a_count_in_the_context_that_changed_is_not_taken_for_a_time() -> None:
    text = told(
        Snapshot("x", "", (), context="12 files checked"), Snapshot("x", "", (), context="13 files checked"), "13 files checked"
    )
    assert "13 files checked\n" in text


def test_a_hint_names_the_command_that_shows_the_run_before() -> None:
    run = Snapshot("ruff", "", (OS,))
    assert told(run, run, hint="token-saver delta show").startswith("since run 7 (token-saver delta show 7): nothing new\n")


findings = st.sampled_from([OS, RE, NONE, OTHER, BAD, WORSE, failure("tests/test_a.py::test_y", "assert 0")])
runs = st.builds(
    lambda found, passed, context: Snapshot("x", "3 in all", tuple(found), tuple(passed), context),
    st.lists(findings, max_size=6),
    st.lists(st.sampled_from([BAD.identifier, WORSE.identifier]), max_size=2),
    st.sampled_from(["", "one\ntwo", "two\nthree"]),
)


@given(runs, runs)
def test_every_current_finding_is_named_and_every_new_detail_is_there(previous: Snapshot, current: Snapshot) -> None:
    text = told(previous, current)
    for change in compare(previous, current):
        if change.needs_detail:
            assert change.diagnostic.detail in text
        elif change.kind == "unchanged":
            assert change.diagnostic.name.rpartition("::")[2] in text
    assert text == told(previous, current)
    unchanged = [change for change in compare(previous, current) if change.kind == "unchanged"]
    assert has_marker(text) or not unchanged
    assert ("now passing" in text) == any(change.kind == "passed" for change in compare(previous, current))


@pytest.fixture
def kept(tmp_path: pathlib.Path) -> Kept:
    return Kept(str(tmp_path / "delta.sqlite3"), Bounds(3600.0, 10, one=snapshots.MOST_BYTES))


def difference(kept: Kept, run: Snapshot, ordinary: str) -> str | None:
    return service.difference(run, ordinary, status=1, scope="s", kept=kept, hint="")


def test_the_first_run_shows_the_ordinary_result_and_becomes_what_the_next_is_compared_with(kept: Kept) -> None:
    run = Snapshot("ruff", "Found 4 errors.", (OS, RE, NONE, OTHER))
    ordinary = "x" * 1000
    assert difference(kept, run, ordinary) is None
    assert (difference(kept, run, ordinary) or "").startswith("since run 1: nothing new\n")
    assert (difference(kept, run, ordinary) or "").startswith("since run 2: nothing new\n")


def test_the_ordinary_result_wins_when_it_is_no_larger_and_holds_all_that_is_new(kept: Kept) -> None:
    difference(kept, Snapshot("ruff", "", (OS,)), "")
    ordinary = f"{OS.detail}\n{NONE.detail}\n"
    assert difference(kept, Snapshot("ruff", "", (OS, NONE)), ordinary) is None


def test_a_shorter_ordinary_result_without_a_new_detail_does_not_win(kept: Kept) -> None:
    difference(kept, Snapshot("ruff", "", (OS,)), "")
    text = difference(kept, Snapshot("ruff", "", (OS, NONE)), "one more\n")
    assert text is not None and NONE.detail in text


def test_a_run_is_written_and_read_back_as_it_was() -> None:
    run = Snapshot("x", "sum", (OS, BAD), ("a", "b"), "context\n\udcff lone")
    read, status = snapshots.decoded(snapshots.encoded(run, 1))
    assert status == 1 and (read.family, read.summary, read.passed, read.context) == ("x", "sum", ("a", "b"), run.context)
    for one, other in zip(read.diagnostics, run.diagnostics, strict=True):
        assert all(getattr(one, field) == getattr(other, field) for field in Diagnostic.__slots__)


@pytest.mark.parametrize("payload", [b"", b"{}", b"[]", b"\xff", b'{"schema":2}', b'{"schema":1,"diagnostics":[[1]]}'])
def test_what_is_no_run_is_refused(payload: bytes) -> None:
    with pytest.raises(StoreError):
        snapshots.decoded(payload)


def test_a_run_of_the_most_bytes_is_kept_and_one_of_a_byte_more_makes_the_next_one_the_first(kept: Kept) -> None:
    empty = len(snapshots.encoded(Snapshot("x", "", ()), 1))
    assert difference(kept, Snapshot("x", "", (), context="x" * (snapshots.MOST_BYTES - empty)), "") is None
    assert kept.latest("s") is not None
    with pytest.raises(StoreError, match="1048577 bytes"):
        difference(kept, Snapshot("x", "", (), context="x" * (snapshots.MOST_BYTES - empty + 1)), "")
    assert kept.latest("s") is None


def test_a_run_of_too_many_findings_is_not_kept(kept: Kept) -> None:
    with pytest.raises(StoreError, match="501 findings"):
        difference(kept, Snapshot("x", "", (OS,) * 501), "")


def test_the_scope_tells_sessions_folders_commands_and_families_apart() -> None:
    parts = [("s", "/a", "ruff check", "ruff"), ("t", "/a", "ruff check", "ruff"), ("s", "/b", "ruff check", "ruff")]
    parts += [("s", "/a", "ruff check ", "ruff"), ("s", "/a", "ruff check", "other"), ("s", "/a\0", "ruff check", "ruff")]
    assert len({snapshots.scope(*part) for part in parts}) == len(parts)
