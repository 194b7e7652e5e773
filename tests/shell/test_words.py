"""What is read as a word is what a real shell hands to the program."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from token_saver.errors import ShellSyntaxError
from token_saver.shell.ansi_c import decode
from token_saver.shell.parse import parse
from token_saver.shell.scan import scan
from token_saver.shell.script import Script, Simple

SHELLS = [name for name in ("bash", "dash", "zsh") if shutil.which(name)]
PIECES = [
    "a", "B", "é", "日", "-", "=", ":", ",", "%", "@", "^", "+", ".", "/", "#", "!", "1", "'", "'", '"', '"', "\\", "\\\\", "\\'",
    '\\"', "\\ ", "\\\n", " ", " ", "\t", "' '", '" "', "'\\'", '"\\a"', '"\\$"', '"\\`"', "'\"'", "\"'\"", "''", '""',
    "\\n", "\\#", "\\;", "'|'", '"&"', "'\n'", "_",
]  # fmt: skip


def _words(script: Script | None) -> list[str] | None:
    """Return the words of the one simple command in *script* when the shell expands nothing in them."""
    if script is None or len(script.items) != 1 or len(script.pipelines[0].commands) != 1:
        return None
    command = script.pipelines[0].commands[0]
    if not isinstance(command, Simple) or command.redirects or command.assignments or script.pipelines[0].negated:
        return None
    return [word.text for word in command.words] if all(word.literal for word in command.words) else None


def _handed_over(shell: str, text: str) -> list[str]:
    ran = subprocess.run([shell, "-c", text], capture_output=True, check=True, env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"})
    return ran.stdout.decode().split("\0")[:-1]


@pytest.mark.parametrize("shell", SHELLS)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=12).map("".join))
def test_words_are_what_the_shell_hands_over(shell: str, text: str) -> None:
    line = f"printf '%s\\0' x{text}"
    words = _words(scan(line))
    if words is not None:
        assert words[2:] == _handed_over(shell, line)


@pytest.mark.skipif("bash" not in SHELLS, reason="bash is not there")
@pytest.mark.parametrize(
    "raw",
    [
        r"$'a\tb\n'",
        r"$'\'\"\\\?'",
        r"$'\x41\x4a'",
        r"$'\101\0'",
        r"$'é\u00e9\U0001F600'",
        r"$'\e\a\b\f\r\v'",
        r"$'\cA\cz'",
        r"$'\q\x'",
        "$''",
    ],
)
def test_dollar_quotes_are_read_as_bash_reads_them(raw: str) -> None:
    assert "".join(_handed_over("bash", f"printf '%s\\0' {raw}")) == decode(raw).partition("\0")[0]


def test_a_word_that_the_shell_computes_is_not_literal() -> None:
    for text in ("$x", "${x}", "a*b", "?", "[ab]", "~", "a{b,c}", "{1..3}", '"$x"'):
        script = scan(f"printf {text}")
        assert script is not None
        assert not script.pipelines[0].commands[0].words[1].literal, text
    for text in ("$(x)", "`x`", "$((1))", "${x:-y}", "<(x)"):
        assert not parse(f"printf {text}").pipelines[0].commands[0].words[1].literal, text


def test_the_grammar_reads_words_as_the_fast_lane_does() -> None:
    for text in ("'a b'c\"d $e\"\\f", "x''y", '"a\\\nb"', "a\\\nb"):
        line = f"printf {text} $(true)"
        try:
            slow = parse(line).pipelines[0].commands[0].words[1].text
        except ShellSyntaxError:
            continue
        quick = scan(f"printf {text}")
        assert quick is not None
        assert quick.pipelines[0].commands[0].words[1].text == slow
