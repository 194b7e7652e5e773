from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from token_saver.shell.command_line import CommandLine

SOURCES = pathlib.Path(__file__).parents[2] / "src"


@pytest.mark.parametrize(
    ("command", "program", "launcher"),
    [
        ("pytest -q", "pytest", ""),
        (".venv/bin/pytest -q", "pytest", ""),
        ("'/opt/my tools/git.exe' status", "git", ""),
        ("cat webpack.config.js", "cat", ""),
        ("grep -rn make .", "grep", ""),
        ('rg "docker run" README.md', "rg", ""),
        ("ls node_modules/vite", "ls", ""),
        ("find . -name pytest", "find", ""),
        ("echo git status", "echo", ""),
        ("python -m pytest", "pytest", "python -m"),
        ("python3.12 -W error -m pytest", "pytest", "python -W error -m"),
        ("python3 -m pip install x", "pip", "python -m"),
        ("python3 app.py", "python", ""),
        ("python -c 'import pytest'", "python", ""),
        ("pip3 install x", "pip", ""),
        ("npx jest", "jest", "npx"),
        ("npx --yes jest@29 -t x", "jest", "npx --yes"),
        ("npx @biomejs/biome check", "biome", "npx"),
        ("npx -p typescript tsc --noEmit", "tsc", "npx -p typescript"),
        ("pnpm exec vitest run", "vitest", "pnpm exec"),
        ("pnpm vitest run", "vitest", "pnpm"),
        ("pnpm run build", "pnpm", ""),
        ("pnpm install", "pnpm", ""),
        ("bunx eslint .", "eslint", "bunx"),
        ("yarn jest", "jest", "yarn"),
        ("yarn run jest", "jest", "yarn run"),
        ("yarn add left-pad", "yarn", ""),
        ("yarn run build", "yarn", ""),
        ("uv run pytest", "pytest", "uv run"),
        ("uv run -m pytest -q", "pytest", "uv run -m"),
        ("uv run --with x python -m pytest -q", "pytest", "uv run --with x python -m"),
        ("uv pip install x", "uv", ""),
        ("uv sync", "uv", ""),
        ("uvx ruff@latest check", "ruff", "uvx"),
        ("poetry run mypy .", "mypy", "poetry run"),
        ("poetry install", "poetry", ""),
        ("pipx run black==24.1 .", "black", "pipx run"),
        ("hatch run pytest", "pytest", "hatch run"),
        ("bundle exec rspec", "rspec", "bundle exec"),
        ("bundle install", "bundle", ""),
        ("coverage run -m pytest", "pytest", "coverage run -m"),
        ("coverage report", "coverage", ""),
        ("node node_modules/.bin/jest", "jest", "node"),
        ("node app.js", "node", ""),
        ("php vendor/bin/phpunit", "phpunit", "php"),
        ("env X=1 -u Y make", "make", "env X=1 -u Y"),
        ("env", "env", ""),
        ("env X=1", "env", ""),
        ("time make", "make", "time"),
        ("timeout 60 make", "make", "timeout 60"),
        ("timeout -k 5 -s INT 60 make", "make", "timeout -k 5 -s INT 60"),
        ("nice -n 5 make", "make", "nice -n 5"),
        ("nohup make", "make", "nohup"),
        ("command git status", "git", "command"),
        ("command -v git", "command", ""),
        ("exec make", "make", "exec"),
        ("sudo -u x ls", "ls", "sudo -u x"),
        ("sudo", "sudo", ""),
        ("xargs -n 1 git show", "git", "xargs -n 1"),
        ("docker exec -it web pytest", "pytest", "docker exec -it web"),
        ("docker compose -f x.yml exec -T web pytest", "pytest", "docker compose -f x.yml exec -T web"),
        ("docker exec web", "docker", ""),
        ("docker ps", "docker", ""),
        ("kubectl exec -n a pod -- ls /", "ls", "kubectl exec -n a pod --"),
        ("ssh -p 22 host uptime", "uptime", "ssh -p 22 host"),
        ("ssh host 'cd x && git status'", "git", "ssh host"),
        ("ssh host", "ssh", ""),
        ("bash -c 'make test'", "make", "bash -c"),
        ("sh -lc 'cd x && make'", "make", "sh -lc"),
        ("bash -euo pipefail -c 'pytest -q'", "pytest", "bash -euo pipefail -c"),
        ("bash script.sh", "bash", ""),
        ("X=1 env Y=2 timeout 5 uv run python -m pytest -q", "pytest", "env Y=2 timeout 5 uv run python -m"),
        ('sudo env A=b bash -c "timeout 5 uv run pytest"', "pytest", "sudo env A=b bash -c timeout 5 uv run"),
        ('"$VIRTUAL_ENV/bin/pytest" -q', "pytest", ""),
        ("$TOOL -q", "", ""),
        ("", "", ""),
        ("'unclosed", "", ""),
    ],
)
def test_launchers_are_taken_off_and_operands_are_no_programs(command: str, program: str, launcher: str) -> None:
    line = CommandLine(command)
    assert (line.program, " ".join(line.launcher)) == (program, launcher)


@pytest.mark.parametrize(
    ("command", "subcommand"),
    [
        ("git -C x -c a=b status", "status"),
        ("git --no-pager log", "log"),
        ("docker --context c ps", "ps"),
        ("kubectl -n ns get pods", "get"),
        ("cargo +nightly test", "test"),
        ("npm --prefix x run build", "run"),
        ("ls -la", ""),
        ("aws --profile p s3 ls", "s3"),
    ],
)
def test_the_subcommand_follows_the_global_options(command: str, subcommand: str) -> None:
    assert CommandLine(command).subcommand == subcommand


@pytest.mark.parametrize(
    ("command", "words", "expected"),
    [
        ("git stash list", "git stash list", True),
        ("git -C x stash --verbose list", "git stash list", True),
        ("git stash", "git stash list", False),
        ("git stash list", "git stash", True),
        ("uv run pytest", "pytest", True),
        ("git pytest", "pytest", False),
        ("docker compose -f a.yml up", "docker compose up", True),
        ("kubectl get -n default pods", "kubectl get pods", True),
        ("gitk", "git", False),
    ],
)
def test_starts_compares_whole_words_and_passes_over_options(command: str, words: str, expected: bool) -> None:
    assert CommandLine(command).starts(words) is expected


def test_flags_come_without_values_and_clusters_also_letter_by_letter() -> None:
    line = CommandLine("grep -rvn --include='*.py' -A3 -- -x .")
    assert line.flags == {"-rvn", "-r", "-v", "-n", "--include", "-A3", "-A", "-3"}
    assert line.has("-v") and line.has("--include") and not line.has("-x")
    assert CommandLine("go test -run X").flags == {"-run"}


@pytest.mark.parametrize(
    ("command", "names", "value"),
    [
        ("git log --format=%h", ("--format",), "%h"),
        ("git log --format %h", ("--format",), "%h"),
        ("head -n5 x", ("-n",), "5"),
        ("head -n 5 x", ("-n", "--lines"), "5"),
        ("tail -n -5 x", ("-n",), "-5"),
        ("grep -rnA 3 x", ("-A",), "3"),
        ("pytest -q --tb=short --tb=long", ("--tb",), "long"),
        ("pytest -k -q", ("-q",), None),
        ("pytest -- --tb=short", ("--tb",), None),
        ("ls", ("-n",), None),
        ("cmake -DX=1=2 .", ("-D",), "X=1=2"),
    ],
)
def test_an_option_s_value_is_found_however_it_is_written(command: str, names: tuple[str, ...], value: str | None) -> None:
    assert CommandLine(command).option(*names) == value


def test_operands_leave_out_options_and_their_known_values() -> None:
    assert CommandLine("pytest -k 'a or b' tests -x").operands == ("tests",)
    assert CommandLine("git -C x log -n 3 main -- src").operands == ("log", "main", "src")
    assert CommandLine("grep -e x a.txt -").operands == ("a.txt", "-")


@pytest.mark.parametrize(
    ("command", "program", "segments", "piped"),
    [
        ("git status", "git", ["git status"], []),
        ("cd web && npm test", "npm", ["npm test"], []),
        ("git status; git branch", "git", ["git status", "git branch"], []),
        ("git status && pytest -q", "pytest", ["git status", "pytest -q"], []),
        ("pytest -q; rm -f x", "pytest", ["pytest -q"], []),
        ("pytest -q || true", "pytest", ["pytest -q"], []),
        ("echo start; pytest -q; echo rc=$?", "pytest", ["pytest -q"], []),
        ("echo hello", "echo", ["echo hello"], []),
        ("mkdir x", "mkdir", ["mkdir x"], []),
        ("X=1", "", ["X=1"], []),
        ("pytest 2>&1 | tail -30", "pytest", ["pytest 2>&1 | tail -30"], ["tail -30"]),
        ("cat a | grep x | head -3", "cat", ["cat a | grep x | head -3"], ["grep x", "head -3"]),
        ("cat a.json | jq .", "jq", ["cat a.json | jq ."], []),
        ("find . | xargs grep x | head", "grep", ["find . | xargs grep x | head"], ["head"]),
        ("ls | wc -l", "wc", ["ls | wc -l"], []),
        ("git diff > a.patch; git status", "git", ["git status"], []),
        ("pytest >&2", "pytest", ["pytest >&2"], []),
        ("make > log 2>&1", "make", ["make > log 2>&1"], []),
        ("# note\ncd x\n\ngrep -c a f1\ngrep -c b f2 # done\n", "grep", ["grep -c a f1", "grep -c b f2"], []),
        ("npm run dev & sleep 5; curl localhost", "curl", ["npm run dev", "curl localhost"], []),
        ("bash -c 'ls; git log | head -3'", "git", ["ls", "git log | head -3"], ["head -3"]),
    ],
)
def test_of_several_commands_the_one_that_speaks_is_told(
    command: str, program: str, segments: list[str], piped: list[str]
) -> None:
    line = CommandLine(command)
    assert (line.program, [str(s) for s in line.segments], [str(p) for p in line.piped]) == (program, segments, piped)


def test_a_part_with_a_here_document_is_known() -> None:
    line = CommandLine("psql -q <<'E' | head -3\nselect 1;\nE\nls -la")
    assert [(each.program, each.piped) for each in line.segments] == [("psql", ("head -3",)), ("ls", ())]


def test_assignments_before_the_command_are_told() -> None:
    assert CommandLine("A=1 B='x y' pytest").assignments == (("A", "1"), ("B", "x y"))
    assert CommandLine("pytest A=1").assignments == ()


def test_a_command_line_is_an_ordinary_string() -> None:
    assert CommandLine("git status") == "git status"
    assert f"{CommandLine('git status')}" == "git status"


@given(st.text(alphabet=st.sampled_from(list("ab -='\"\\$|&;<>(){}#!\n\t*~`é\x00")), max_size=40) | st.text())
def test_no_text_makes_it_raise(text: str) -> None:
    line = CommandLine(text)
    assert all(isinstance(segment, CommandLine) for segment in line.segments)
    assert bool(line.program) <= bool(line.segments)
    assert (line.words[:1] == (line.program,)) or line.words == ()
    line.option("-x"), line.has("-x"), line.starts("git status"), line.piped, line.flags


def test_without_the_grammar_a_line_that_needs_it_is_not_known() -> None:
    """The wrapper and the hook start an interpreter without site packages."""
    code = (
        f"import sys; sys.path.insert(0, {str(SOURCES)!r})\n"
        "from token_saver.shell.command_line import CommandLine\n"
        "print([CommandLine(text).program for text in ('git log', 'git log $(x)')])\n"
    )
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "['git', '']\n"
