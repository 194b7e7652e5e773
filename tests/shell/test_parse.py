from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from token_saver.errors import ShellSyntaxError
from token_saver.shell.parse import parse, read_with_grammar
from token_saver.shell.scan import scan
from token_saver.shell.script import Compound, Pipeline, Script, Simple, walk, words_of


def outline(script: Script) -> str:
    """Write *script* with brackets around what belongs together."""
    return " ".join(_pipeline(pipeline) + ("↵" if separator == "\n" else separator) for pipeline, separator in script.items)


def _pipeline(pipeline: Pipeline) -> str:
    parts = [_command(pipeline.commands[0])]
    for joint, command in zip(pipeline.joints, pipeline.commands[1:], strict=True):
        parts += [joint, _command(command)]
    return ("! " if pipeline.negated else "") + " ".join(parts)


def _command(command: Simple | Compound) -> str:
    redirects = [f"{each.fd}{each.operator}{each.target.text}" for each in command.redirects]
    if isinstance(command, Compound):
        return f"{command.kind}{{{' / '.join(outline(body) for body in command.bodies)}}}" + "".join(redirects)
    assignments = [f"{name}={value.text}" for name, value in command.assignments]
    return "[" + " ".join([*assignments, *(word.text for word in command.words), *redirects]) + "]"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a && b | c; d &", "[a]&& [b] | [c]; [d]&"),
        ("! a | b || c", "! [a] | [b]|| [c]"),
        ("a &&\n  b # note\n\nc", "[a]&& [b]↵ [c]"),
        ("a |\n b", "[a] | [b]"),
        ("a |& b", "[a] |& [b]"),
        ("X=1 Y='a b' cmd \"q \\\" $z\" 'w'", '[X=1 Y=a b cmd q " $z w]'),
        ("a > f b 2>&1 c", "[a b c >f 2>&1]"),
        ("a && b 2>&1 | c", "[a]&& [b 2>&1] | [c]"),
        ("a | b && c > f || d", "[a] | [b]&& [c >f]|| [d]"),
        ('a <<< "x $y"', "[a <<<x $y]"),
        ("> f", "[>f]"),
        ("a 2>&- <&3 &>> g", "[a 2>&- <&3 &>>g]"),
        ("a $'x\\ty\\'' b", "[a x\ty' b]"),
        ("fo\\\no ba\\\nr", "[foo bar]"),
        ('a $(b; c) `d` "$(e)" ${f:-g} $((h+1)) <(i)', "[a $(b; c) `d` $(e) ${f:-g} $((h+1)) <(i)]"),
        ("a=(1 2) b[0]=3; c", "[a=(1 2) b=3]; [c]"),
        ("(a && b) > f", "subshell{[a]&& [b]}>f"),
        ("{ a; b; } 2>&1 | c", "group{[a]; [b];}2>&1 | [c]"),
        ("if a; then b; elif c; then d; else e; fi", "if{[a]; / [b]; / [c]; / [d]; / [e];}"),
        ("while a; do b; done < f", "while{[a]; / [b];}<f"),
        ("for i in 1 $(a); do b $i; c; done; d", "for{[b $i]; [c];}; [d]"),
        ("for ((i=0; i<3; i++)); do a; done", "for{[a];}"),
        ("case $x in a|b) c;; *) d; e;; esac", "case{[c] / [d]; [e]}"),
        ("f() { a; }; function g { b; }", "function{group{[a];}}; function{group{[b];}}"),
        ("[[ -f a && b == c* ]] && d", "test{}&& [d]"),
        ("[ -f a ] || b", "[[ -f a ]]|| [b]"),
        ("((x++)); a", "arithmetic{}; [a]"),
        ('export A=1 B="$C" && unset D; declare -a e=(1 2)', "[export A=1 B=$C]&& [unset D]; [declare -a e=(1 2)]"),
        ("cat <<E | head && ls\nx $y\nE\npwd", "[cat <<E] | [head]&& [ls]↵ [pwd]"),
        ("cat <<'E F' 2>&1 | tail -3\nit's (\nE F", "[cat <<E F 2>&1] | [tail -3]↵"),
        ("cat <<-E\n\tx\n\tE\nls", "[cat <<-E]↵ [ls]"),
        ("cat <<A <<B; ls\n1\nA\n2\nB\n", "[cat <<A <<B]; [ls]↵"),
        ("a \"$(cat <<'E'\n)\"'\nE\n)\" b", "[a $(cat <<'E'\n)\"'\nE\n) b]"),
        ("é 日本 | ü", "[é 日本] | [ü]"),
    ],
)
def test_the_structure_is_read(text: str, expected: str) -> None:
    assert outline(parse(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "'a", '"a', "a $(b", "a `b", "a &&", "| a", "a | | b", "a; ; b", "a;; b", "a &; b", "a )", "a (b)", "(a", "{ a", "a >",
        "if a; then", "for x in a; b", "done", "fi", "a && ! ", "! ! a", "a | ! b", "coproc a", "cat <<E\nx", "cat <<E", "a \\",
        "a\0b", "a\r\nb", "", "  ", "# only a note", "\ud800 a", "a {fd}> x", "f() a", "$ 2>&1 x", "- 2>&1 -x # $(b)",
        "{ }", "( )", "if a; then fi", "until a; do # b\n done", "time fi", "time", "f() ((x++)) > g h",
    ],
)  # fmt: skip
def test_what_is_broken_or_doubtful_is_refused(text: str) -> None:
    with pytest.raises(ShellSyntaxError):
        parse(text)


def test_every_part_is_where_it_says() -> None:
    text = 'X=é cd \'ü\' && git log "$(git -C x rev-parse HEAD)" > "f ß" | tail -3 # end'
    for command in walk(parse(text)):
        for word in words_of(command):
            assert text[word.start : word.end] == word.raw
    script = parse(text)
    assert [text[each.start : each.end] for each in script.pipelines] == [
        "X=é cd 'ü'",
        'git log "$(git -C x rev-parse HEAD)" > "f ß" | tail -3',
    ]


def test_substitutions_and_parameters_are_found_in_every_word() -> None:
    (pipeline,) = parse('a "$(b "$(c)")" $d "${e:-$(f)}" $((g + 1)) <(h) > $i').pipelines
    (command,) = pipeline.commands
    names = {name for word in words_of(command) for name in word.names}
    programs = {each.words[0].text for each in walk(Script(((pipeline, ""),))) if isinstance(each, Simple)}
    assert names == {"d", "e", "f", "g", "i"}
    assert programs == {"a", "b", "c", "f", "h"}


def test_a_here_document_tells_whether_its_body_is_expanded() -> None:
    def target(text: str) -> bool:
        command = parse(text).pipelines[0].commands[0]
        return command.redirects[0].target.literal

    assert target("cat <<'E'\n$(rm x)\nE")
    assert target("cat <<E\nplain\nE")
    assert not target("cat <<E\n$(rm x)\nE")


_WORDS = [
    "a", "git", "-x", "X=1", "x=", "a=b", "'s q'", '"d $x q"', '"a\\"b"', "e\\ f", "*.py", "a{1,2}", "~/x", "$x", "${y}", '"$z"w',
    "2", "10", "a#b", "é", "日本", "-", "[x]", "!", "@{1}", "HEAD^", "%1", "a\\\nb", '"\n"', "''", "\\;", "\\|", "'|'", '"&&"',
    "$", "x+=1", "'a'b\"c\"", "$?", "{a}", "a,b", "./x", "a!b", "\u00a0", "time", "x}",
]  # fmt: skip
_GLUE = [
    " ", "  ", "\t", " \\\n ", " | ", " && ", " || ", "; ", ";", " & ", "\n", "\n\n", " # c\n", " |& ", " > ", " 2>&1 ", " >>",
    " </dev/null", " 2>", " &>x ", "&", "|", " <<<",
]  # fmt: skip


@settings(max_examples=1500)
@given(st.lists(st.tuples(st.sampled_from(_WORDS), st.sampled_from(_GLUE)), min_size=1, max_size=7))
def test_the_fast_lane_and_the_grammar_agree(parts: list[tuple[str, str]]) -> None:
    text = "".join(word + glue for word, glue in parts).rstrip()
    quick = scan(text)
    try:
        slow, _ = read_with_grammar(text)
    except ShellSyntaxError:
        return
    assert quick is None or quick == slow


@given(st.text(alphabet=st.sampled_from(list("ab -='\"\\$|&;<>(){}#!\n\t*~`é[]")), max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        script = parse(text)
    except ShellSyntaxError:
        return
    for command in walk(script):
        assert 0 <= command.start <= command.end <= len(text)
