from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from token_saver.command_policy import CommandPolicy
from token_saver.processor import hook_pattern
from token_saver.shell import rewrite as rewriting
from token_saver.shell.command_line import CommandLine
from token_saver.shell.rewrite import quoted, rewrite
from token_saver.shell.scan import scan

POLICY = CommandPolicy(hook_pattern(words) for words in ("git", "pytest", "npm test", "make", "grep", "psql"))


@pytest.mark.parametrize(
    ("command", "made"),
    [
        ("git status", "ts run -- git status"),
        ("cd web && npm test; git status", "cd web && ts run -- npm test; ts run -- git status"),
        ("X=1 Y='a b' pytest -q", "X=1 Y='a b' ts run -- pytest -q"),
        ("pytest -q || true", "ts run -- pytest -q || true"),
        ("! grep -rn x .", "! ts run -- grep -rn x ."),
        ("time make", "time ts run -- make"),
        ("time -p make", "time -p ts run -- make"),
        ("time make 2>&1", "time ts run -c 'make 2>&1'"),
        ("timeout 60 make -j", "ts run -- timeout 60 make -j"),
        ("psql < a.sql", "ts run -- psql < a.sql"),
        ("<a.sql psql", "<a.sql ts run -- psql"),
        ("psql <<'E' | head\nselect 1\nE", None),
        ("psql <<'E'\nselect 1\nE\nmake", "ts run -- psql <<'E'\nselect 1\nE\nts run -- make"),
        ("pytest 2>&1 | tail -30", "ts run -c 'pytest 2>&1 | tail -30'"),
        ("cd x && pytest 2>/dev/null && make", "cd x && ts run -c 'pytest 2>/dev/null' && ts run -- make"),
        ("git log | head -5; git log", "ts run -c 'git log | head -5'; ts run -- git log"),
        ("! git log | head -5", "! ts run -c 'git log | head -5'"),
        ("git log --grep \"it's\" --author 'x' 2>&1", "ts run -c 'git log --grep \"it'\\''s\" --author '\\''x'\\'' 2>&1'"),
        ("command git status", "ts run -c 'command git status'"),
        ("HOME=/x git status", "ts run -c 'HOME=/x git status'"),
        ("HOME=$X git status", None),
        ("(cd x && make) | tail", "ts run -c '(cd x && make) | tail'"),
        ("(cd x && make)", "(cd x && ts run -- make)"),
        ("{ git log; make; }", "{ ts run -- git log; ts run -- make; }"),
        ("if make; then git status; else pytest; fi", "if ts run -- make; then ts run -- git status; else ts run -- pytest; fi"),
        ("case $x in a) make;; *) pytest;; esac", "case $x in a) ts run -- make;; *) ts run -- pytest;; esac"),
        ("for i in 1 2; do make; done", None),
        ("make & pytest", "make & ts run -- pytest"),
        ("git status # done\n\nmake", "ts run -- git status # done\n\nts run -- make"),
        ("git log $x", "ts run -- git log $x"),
        ("git log $x | head", None),
        ("git log $HOME/x | head", "ts run -c 'git log $HOME/x | head'"),
        ('"$VENV/bin/pytest" -q', 'ts run -- "$VENV/bin/pytest" -q'),
        ("$VENV/bin/pytest -q", None),
        ("~/bin/git status", "ts run -- ~/bin/git status"),
        ("git diff $(git merge-base a b)", "ts run -- git diff $(git merge-base a b)"),
        ("set -o pipefail; make | tail; make", "set -o pipefail; make | tail; ts run -- make"),
        ("set -f; make 2>&1; make *", "set -f; make 2>&1; ts run -- make *"),
        ("set -eux; make", None),
        ("PATH=/x; make", None),
        ("export PATH=/x:$PATH; make", "export PATH=/x:$PATH; ts run -- make"),
        ("echo ${PIPESTATUS[0]}; make", None),
        ("make; echo $_; make 2>&1", "ts run -- make; echo $_; make 2>&1"),
        ("uptime", None),
        ("git log 'x", None),
    ],
)
def test_the_wrapper_goes_where_it_belongs(command: str, made: str | None) -> None:
    assert rewrite(command, POLICY, launcher="ts") == made


def test_the_shell_of_the_host_can_be_named() -> None:
    assert rewrite("make 2>&1", POLICY, shell="/bin/my sh") == "token-saver run --shell '/bin/my sh' -c 'make 2>&1'"
    assert rewrite("make", POLICY, shell="/bin/zsh") == "token-saver run -- make"


def test_a_launcher_may_be_several_words() -> None:
    assert rewrite("make", POLICY, launcher="'/opt/my python' -I entry.py") == "'/opt/my python' -I entry.py run -- make"


@pytest.mark.parametrize("launcher", ["ts;", "ts |", "ts &&", "$(ts)\n", "ts '", "a=1"])
def test_a_launcher_that_changes_the_line_is_not_put_in(launcher: str) -> None:
    assert rewrite("make && git log", POLICY, launcher=launcher) is None


def test_a_rewrite_that_reads_as_something_else_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    assert rewrite("make 'a b' 2>&1", POLICY) is not None
    monkeypatch.setattr(rewriting, "_put_in", lambda command, *rest: command.replace("make", "token-saver run -- rm"))
    assert rewrite("make 'a b' 2>&1", POLICY) is None
    assert rewrite("make", POLICY) is None


def test_what_was_rewritten_is_not_rewritten_again() -> None:
    made = rewrite("make && git log | head", POLICY)
    assert made is not None
    assert rewrite(made, POLICY) is None


def test_the_label_of_a_wrapped_text_is_the_text() -> None:
    made = rewrite("cd x && CI=1 uv run pytest -q 2>&1 | tail -3", POLICY)
    assert made is not None
    text = CommandLine(made).args[-1]
    assert (CommandLine(text).program, CommandLine(text).piped) == ("pytest", ("tail -3",))


@given(st.text())
def test_any_text_can_be_quoted(text: str) -> None:
    script = scan("x " + quoted(text))
    if script is not None:
        assert [word.text for word in script.pipelines[0].commands[0].words] == ["x", text]
    else:
        assert "\0" in text or "\r" in text


@given(
    st.lists(
        st.sampled_from(
            ["git log", " | ", "; ", "make", " && ", "'", '"', " 2>&1", "$(", ")", "x=1 ", "\n", "<<E\n", "E\n", "{ "]
        )
    )
)
def test_taking_the_wrappers_out_gives_the_original(parts: list[str]) -> None:
    command = "".join(parts)
    made = rewrite(command, POLICY)
    if made is not None and " -c " not in made:
        assert made.replace("token-saver run -- ", "") == command
