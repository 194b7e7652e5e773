"""Command lines for the tests against real shells: what agents type, collected; and what the grammar allows, generated.

The programs are small scripts of ``STUB``: they print their name and arguments so that nothing is lost, one variable of
their environment, and what options ask for: ``--err`` something on stderr, ``--in`` their input, ``--exit=N``, ``--file=F``.
"""

from __future__ import annotations

import random

STUB = r"""#!/bin/sh
printf '%s' "${0##*/}"
for word do printf '<%s>' "$word"; done
printf ' X=%s Y=%s\n' "$X" "$Y"
code=0
for word do
  case $word in
    --err) echo "trouble of ${0##*/}" >&2 ;;
    --in) cat ;;
    --lines) printf 'a\nb\nc x\nd\n' ;;
    --file=*) echo written > "${word#--file=}" ;;
    --exit=*) code=${word#--exit=} ;;
  esac
done
exit "$code"
"""

PROGRAMS = ("git", "pytest", "npm", "make", "cargo", "uv", "docker")
UNKNOWN = ("mytool", "deploy")

COLLECTED = """
git status
git status 2>&1
git log --oneline | head -2
git log --lines 2>&1 | tail -2
git log --lines | grep x
git log --lines | sort -r | head -2
git log --lines | tee copy
git log --lines | cat
git diff --stat && pytest -q --exit=1 || echo failed
cd sub && npm test; git status
cd sub && git status && cd .. && pwd
(cd sub && npm test --err)
(cd sub && npm test --err) 2>&1 | tail -3
{ git status; make all; } | head -3
X=1 pytest -q
X=1 Y='two words' pytest -q --err 2>/dev/null
X=1 git log --lines | head -2
export X=5; pytest -q; git status
X=5; export X; pytest -q
X=6; pytest -q $X "$X" '$X'
X=8; git log "$X" | head -1
X=8; git log "$X" 2>&1; git log "${X:-none}" 2>&1
set -- one 'two three'; git log "$2" 2>&1
for v in 1 2; do X=$v; done; git log $X $v | cat
PATH="$PWD/tools:/usr/bin:/bin" make all
PATH=/usr/bin:/bin; PATH=$PATH:$PWD/tools; make all
env X=7 pytest -q
env -u X pytest
timeout 60 pytest -q --exit=3
nice -n 5 make -j2
command git status
! pytest --exit=1
! git status && echo no || echo yes
pytest --exit=1; echo rc=$?
pytest --exit=2 2>&1 | tail -1; echo rc=$?
pytest --exit=3 2>&1; echo rc=$?
git status && make --exit=4 && echo never; echo rc=$?
set -e; git status; pytest --exit=1; echo never
set -eu; git status; echo ok
set -- one two; git log "$@" $#
if git diff --exit=1; then echo same; else echo changed; fi
if pytest; then make all; else npm test; fi
for f in a.txt 'b c.txt'; do git add -v "$f"; done
for i in 1 2 3; do make $i; done | tail -2
while read -r line; do git show "$line"; done < names.txt
case $X in 1) git one;; *) make other;; esac
f() { git "$@"; }; f status; pytest -q
git() { echo mine "$@"; }; git status; make all
pytest *.txt
pytest *.none 'a*' a\\*
pytest ~/x "~/y"
pytest "a  b" 'c"d' e\\ f "g'h" "" ''
pytest 'it'\\''s' "say \\"hi\\"" 'back\\slash' "dollar \\$X \\\\"
pytest "$X" "${X:-none}" ${X:-two words} "${#X}"
pytest $(echo one two) "$(echo one two)" `echo three`
pytest "$(git rev-parse HEAD)" "$(printf '%s' "$(echo deep)")"
pytest $((1 + 2)) "$((3 * 4))"
pytest 'ünï cödé' 日本語 "é"
pytest a\\
  -q \\
  --exit=2
git status # and then | sh
# only a note
git status;# note\\necho after
git status\\ngit log\\nmake all
\\n\\n  git status\\n\\n
git commit -m "first line\\n\\nthird 'line'" && git log -1
git commit -F - --in <<'EOF'\\nit's $X "quoted" `kept`\\nEOF
git commit -F - --in <<EOF\\nplain text\\nEOF
git commit -F - --in <<-EOF\\n\\tindented\\n\\tEOF
git commit --in < names.txt
git apply --in --stdin < names.txt && git status
cat > new.py <<'EOF'\\nprint("hi")  # | head\\nEOF\\npytest new.py
cat <<A; git status\\nbody\\nA
cat <<'A' | head -1; git log --lines 2>&1 | tail -1\\none\\ntwo\\nA
echo in | pytest --in
echo "ok"; git status; echo 'done'
printf 3.14 && git status
git status > out.txt; cat out.txt
git status >> out.txt
make all 2> err.txt || true
make --err >/dev/null 2>&1
make --err 2>&1 >/dev/null
make --err 1>&2
git status & wait; make all
git log --lines | wc -l
git log --lines | awk '{print $1}'
git log --lines | xargs echo
ls a.txt | xargs git add -v
mytool && git status; deploy --exit=2
uv run pytest -q
uv run python -m pytest -q
docker exec web pytest -q
docker compose -f x.yml ps
bash -c 'git status; make all --exit=3'; echo rc=$?
sh -c "git log 'a b'" && npm test
git -C sub -c a.b=c status --short
git log --format='%h %s' -3
git log '--pretty=format:%h' "--author=A <a@b>"
./run.sh; git status
"./run.sh" x && make all
sub/../run.sh
PATH=$PATH:/nowhere git status
PATH="$PATH" pytest -q
export PATH="$PATH:/nowhere"; git status
. ./env.sh; pytest -q
. ./env.sh && git status && echo $SOURCED
cd sub; pwd; git status; cd - >/dev/null; pwd
exit 3; git status
git status; exit 4
git status; (exit 5); echo rc=$?
true && { git status; make all; } && echo grouped
{ cd sub; git status; }; pwd
(git status; make --exit=2); echo rc=$?
git status || { echo failed; exit 1; }
trap 'echo bye' EXIT; git status
umask 077; git status --file=private.txt
[ -f a.txt ] && git add -v a.txt
test -f none || make none
git diff --exit=1 --quiet; echo rc=$?
git diff a..b -- 'x y' :!z HEAD^ HEAD~2 @{1} stash@{0}
make -j4 CFLAGS="-O2 -g" V=1 all
npm run build -- --mode=production --flag='a b'
cargo test --lib -- --nocapture 'mod::case' 2>&1 | tail -3
cargo build --err 2>&1 | grep trouble
cargo build 2>&1 | grep -v '^$' | head -20
""".replace("\\\\", "\\")

BASH_AND_ZSH = r"""
pytest $'a\tb' $'it\'s'
pytest {a,b}{1,2} x{1..3}
pytest <(echo one) >/dev/null; git status
git commit --in <<< "here $X"
git status |& tail -1
[[ -f a.txt ]] && git status
((1 + 1)) && git status
function g { make "$@"; }; g all; git status
arr=(one 'two three'); pytest "${arr[@]}"
git status &>/dev/null; make all
set -o pipefail; pytest --exit=3 | tail -1; echo rc=$?
set -euo pipefail; git status; pytest --lines 2>&1 | tail -1
pytest "${X/a/b}" "${X^^}" 2>/dev/null; make all
for ((i=0; i<2; i++)); do git show $i; done; make all


"""


def collected(shell: str) -> list[str]:
    """Return the collected lines that *shell* understands."""
    text = COLLECTED + (BASH_AND_ZSH if shell != "dash" else "")
    return [line.replace("\\n", "\n").replace("\\t", "\t") for line in text.split("\n") if line]


class Generator:
    """Makes command lines of every construct, from a seed; none runs long, asks for input or leaves the folder."""

    def __init__(self, seed: int, shell: str) -> None:
        self._random = random.Random(seed)
        self._rich = shell != "dash"
        self._copies_streams = shell == "zsh"  # `1>&2 |` writes to both there (MULTIOS), in an order that chance decides

    def line(self) -> str:
        """Return one command line."""
        return self._list(self._random.randint(1, 3), depth=2)

    def _one(self, *choices: str) -> str:
        return self._random.choice(choices)

    def _maybe(self, chance: float) -> bool:
        return self._random.random() < chance

    def _list(self, length: int, depth: int) -> str:
        made = self._pipeline(depth)
        for _ in range(length - 1):
            made += self._one(" && ", " || ", "; ", ";", "\n", " ;\n", " && \\\n  ", " # note\n") + self._pipeline(depth)
        return made

    def _pipeline(self, depth: int) -> str:
        made = self._command(depth)
        if self._maybe(0.35):
            made += self._one("", " 2>&1") + self._one(" | ", "|", " |\n  ") + self._filter()
        return ("! " if self._maybe(0.08) else "") + made

    def _filter(self) -> str:
        return self._one(
            "head -2", "tail -n 1", "cat", "sort", "grep -v zzz", "grep 'a\\|b'", "wc -l", "sed -n '1,2p'",
            "tee copy", "tr a b",
            "grep git | head -1", "sort -r | tail -2", "mytool --in", "cut -c1-20",
        )  # fmt: skip

    def _command(self, depth: int) -> str:
        if depth and self._maybe(0.22):
            return self._construct(depth - 1)
        if self._maybe(0.2):
            return self._one(
                "true", "false", "echo hi", "echo rc=$?", "cd sub", "cd ..", "X=3", "export Y=4", "mytool a", "pwd",
                ":", "unset X",
                "printf '%s\\n' \"$X\"", "[ -f a.txt ]", "read -r v < names.txt", "deploy --exit=2",
            )  # fmt: skip
        return self._known()

    def _construct(self, depth: int) -> str:
        inner = self._list(self._random.randint(1, 2), depth)
        return self._one(
            f"({inner})",
            f"( {inner}\n)",
            f"{{ {inner}\n}}",
            f"if {self._command(0)}; then {inner}\nfi",
            f"if {self._command(0)}\nthen\n{inner}\nelse {self._known()}\nfi",
            f"for v in 1 'b c'; do {inner}\ndone",
            f"case $X in 3) {inner}\n;; *) {self._known()};; esac",
            f"while false; do {inner}\ndone",
            f"f() {{ {inner}\n}}; f",
        )

    def _known(self) -> str:
        words = [self._launcher() + self._one(*PROGRAMS), self._one("status", "log", "test", "run", "'all'", '"x y"')]
        words += [self._word() for _ in range(self._random.randint(0, 4))]
        words += [option for option in ("--err", "--lines", f"--exit={self._random.randint(1, 9)}") if self._maybe(0.2)]
        before = "".join(self._one("X=1 ", "Y='a b' ", 'X="$Y" ', "X= ") for _ in range(2) if self._maybe(0.15))
        return before + self._spaced(words) + self._redirect()

    def _launcher(self) -> str:
        if self._maybe(0.8):
            return ""
        return self._one("env Z=1 ", "nice -n 1 ", "timeout 20 ", "command ", "env -u X ", "nohup ", "nice timeout 20 ")

    def _spaced(self, words: list[str]) -> str:
        return "".join(word + self._one(" ", " ", " ", "  ", " \\\n ", "\t") for word in words).rstrip(" \t\\\n")

    def _redirect(self) -> str:
        if self._maybe(0.7):
            return ""
        choices = [" 2>&1", " 2>/dev/null", " < names.txt", " >out.txt", " 2>>err.txt", " >/dev/null", " 2> 'e r.txt'"]
        if not self._copies_streams:
            choices += [" 1>&2", *([" &>both.txt"] if self._rich else [])]
        if self._rich:
            choices += [" <<< word", ' <<< "$X"']
        return self._random.choice(choices)

    def _word(self) -> str:
        words = [
            "a", "-x", "--opt=v", "'s q'", '"d q"', '"$X"', "$X", "${Y}", '"${X:-d e}"', "b\\ c", "'it'\\''s'",
            '"say \\"x\\""', "*.txt",
            "'*'", "é", "'日本'", "a=b", "-", "--", "'a|b'", "\"a && b\"", "'$X'", "\\$X", "$(echo s t)",
            '"$(echo s t)"', "`echo u`",
            "$((2+3))", "'#no'", "a#b", "{x}", "~", "'~'", "''", '""', "HEAD^", "a:b,c", "'a\nb'", "%s", "1", "\\;",
            "'('", "'`'", "\"'\"",
            '"$(printf "%s" "$(echo n)")"', "@{1}", "!", "'!'", "é\\'", "/", ".", "sub/*", "[ab].txt", "'\\'",
        ]  # fmt: skip
        if self._rich:
            words += ["$'t\\tn\\n'", "$'q\\'q'", "x{1,2}", "{a..c}", '"${X/a/b}"', "$'\\x41'", "{a,b}.txt"]
        return self._random.choice(words)
