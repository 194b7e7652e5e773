"""Words that only start another program: ``uv run``, ``timeout 60``, ``python -m``, ``docker exec web``, ``bash -c '…'``.

A row says which of the launcher's options take the next word, and how many operands (a duration, a container, a host) stand
before the program. Taken from the manuals of the launchers.
"""

from __future__ import annotations

from token_saver.shell.options import takes_value
from token_saver.shell.script import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_DEEPEST = 16


class Launch:
    """What a simple command starts: ``launcher`` words, and the ``words`` of the program or the ``script`` that a shell reads."""

    __slots__ = ("launcher", "script", "words")

    def __init__(self, launcher: tuple[str, ...], words: tuple[str, ...], script: str | None = None) -> None:
        self.launcher = launcher
        self.words = words
        self.script = script


class _Row:
    """A launcher: its options with a value, the operands before the program, whether ``A=1`` may stand before it.

    With an option that is refused it starts no program. A row of the table is written as those options, then the number of
    operands, ``=`` for assignments, and ``!`` in front of what is refused.
    """

    __slots__ = ("assignments", "operands", "refuse", "values")

    def __init__(self, text: str) -> None:
        words = text.split()
        self.values = frozenset(word for word in words if word[0] == "-")
        self.operands = 1 if "1" in words else 0
        self.assignments = "=" in words
        self.refuse = frozenset(word[1:] for word in words if word[0] == "!")


_UV_RUN = (
    "--with --with-requirements --with-editable --extra --no-extra --group --no-group --only-group -p --python "
    "--package --project --directory --env-file --index --default-index --index-url -i --extra-index-url "
    "--find-links -f --cache-dir --config-file --color --refresh-package --upgrade-package -P --python-platform "
    "--reinstall-package -C --config-setting -w"
)
_UVX = "--from --with --with-editable --with-requirements -p --python --index --index-url --extra-index-url --env-file -w"
_CONTAINER_EXEC = "-e --env -u --user -w --workdir --env-file --detach-keys --index 1"

_ROWS = {
    "builtin": "",
    "bundle exec": "--gemfile",
    "bunx": "-p --package",
    "bun x": "-p --package",
    "chronic": "",
    "command": "!-v !-V",
    "conda run": "-n -p --name --prefix --cwd",
    "direnv exec": "1",
    "doas": "-u -C",
    "doppler run": "-p -c --project --config",
    "dotenv": "-f -e --file !get !set !list",
    "env": "-u -C --unset --chdir = !-S !--split-string",
    "exec": "-a",
    "hatch run": "",
    "ionice": "-c -n -p --class --classdata",
    "kubectl exec": "-n --namespace -c --container --context --kubeconfig 1",
    "mamba run": "-n -p --name --prefix --cwd",
    "micromamba run": "-n -p --name --prefix --cwd",
    "mise exec": "",
    "nice": "-n --adjustment",
    "nocorrect": "",
    "noglob": "",
    "nohup": "",
    "npm exec": "-p --package -w --workspace",
    "npx": "-p --package -w --workspace --node-arg !-c !--call",
    "oc exec": "-n --namespace -c --container --context --kubeconfig 1",
    "op run": "--env-file",
    "pdm run": "-p --project",
    "pipenv run": "",
    "pipx run": "--spec --python --pip-args --index-url",
    "pnpm dlx": "--package",
    "pnpm exec": "",
    "poetry run": "-C -P --directory --project",
    "rye run": "",
    "setsid": "",
    "ssh": "-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -P -Q -R -S -W -w 1",
    "stdbuf": "-i -o -e --input --output --error",
    "sudo": "-u -g -h -p -C -r -t -T -D -R -U --user --group --host --prompt --chdir =",
    "time": "-f -o --format --output",
    "timeout": "-s -k --signal --kill-after 1",
    "unbuffer": "",
    "uv tool run": _UVX,
    "uvx": _UVX,
    "xargs": "-n -I -P -L -d -a -E -s --max-args --max-procs --max-lines --delimiter --arg-file --replace",
    "xvfb-run": "-s -n -e -f -w -p --server-args --server-num --error-file --auth-file",
}

_VERSIONED = names("npx bunx uvx")
_VERSIONED_PAIRS = frozenset({("bun", "x"), ("npm", "exec"), ("pnpm", "dlx"), ("pipx", "run"), ("uv", "tool")})
_SHELLS = names("sh bash dash zsh ksh")
_SHELL_VALUES = names("-o +o -O +O --rcfile --init-file")
_UV_VALUES = names("--directory --project --color --config-file --cache-dir")
_COVERAGE_VALUES = names("--source --omit --include --rcfile --data-file --context --concurrency")
_PYTHON_VALUES = names("-W -X --check-hash-based-pycs")
_NODE_TOOLS = names(
    "ava biome c8 cypress esbuild eslint husky jasmine jest karma knip lerna lint-staged markdownlint mocha next "
    "ng nuxt nx nyc oxlint playwright prettier prisma rollup rspack standard storybook stylelint svelte-check tap "
    "tsc tsd tsup tsx turbo typedoc vite vitest vue-tsc webpack xo"
)
"""Programs that package managers run by their bare name: ``yarn jest``. Any other word is the manager's own, or a script's."""
_BIN_FOLDERS = ("node_modules/.bin/", "vendor/bin/", "/venv/bin/", ".venv/bin/")
_SUFFIXES = (".exe", ".cmd", ".bat")


def unwrap(words: Sequence[str]) -> Launch:
    """Take the launchers off *words*; what is left begins with the name of the program."""
    rest = tuple(words)
    launcher: list[str] = []
    versioned = False
    for _ in range(_DEEPEST):
        step = _step(rest) if rest else None
        if step is None:
            break
        begin, script = step
        taken = (program_name(rest[0]), *rest[1:begin])
        launcher += taken
        if script is not None:
            return Launch(tuple(launcher), rest, script)
        versioned = taken[0] in _VERSIONED or taken[:2] in _VERSIONED_PAIRS
        rest = rest[begin:]
    if not rest:
        return Launch((), ())
    name = program_name(rest[0])
    return Launch(tuple(launcher), (_unversioned(name) if versioned else name, *rest[1:]))


def steps(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the words of each launcher that stands before the program; of a shell, those before its text."""
    rest = tuple(words)
    for _ in range(_DEEPEST):
        step = _step(rest) if rest else None
        if step is None:
            return
        yield (program_name(rest[0]), *rest[1 : step[0]])
        rest = rest[step[0] :]


def program_name(word: str) -> str:
    """Return the name under which the program *word* is known: no folder, no ``.exe``, no version of Python or pip."""
    name = word.replace("\\", "/").rstrip("/").rpartition("/")[2]
    lowered = name.lower()
    for suffix in _SUFFIXES:
        if lowered.endswith(suffix):
            name = name[: -len(suffix)]
    for known in ("python", "pip"):
        if name.startswith(known) and name[len(known) :].strip("0123456789.") == "" and len(name) > len(known):
            return known
    return name


def _step(words: tuple[str, ...]) -> tuple[int, str | None] | None:
    """Return where the program begins that *words* start, and the text if a shell is to read one; None for no launcher."""
    program = program_name(words[0])
    special = _SPECIAL.get(program)
    if special is not None:
        found = special(words)
        if found is not None:
            return found, words[found] if program in _SHELLS else None
    for length in (3, 2, 1):
        key = " ".join((program, *words[1:length]))
        row = _ROWS.get(key) if len(words) >= length else None
        if row is not None:
            begin = _inner(words, length, _Row(row))
            return None if begin is None else (begin, " ".join(words[begin:]) if key == "ssh" else None)
    return None


def _inner(words: tuple[str, ...], at: int, row: _Row) -> int | None:
    """Return where the program begins; None when there is none, or an option says that this starts none."""
    operands = row.operands
    while at < len(words):
        word = words[at]
        if word in row.refuse:
            return None
        if word == "--":
            at += 1
            operands = 0
        elif word.startswith("-") and len(word) > 1:
            at += 2 if word in row.values else 1
        elif row.assignments and "=" in word:
            at += 1
        elif operands:
            operands -= 1
            at += 1
        else:
            return at
    return None


def _container(words: tuple[str, ...]) -> int | None:
    """``docker --context c compose -f x.yml exec web pytest``: options stand between the words that make the launcher."""
    at = 1
    while at < len(words) and words[at] != "exec":
        if words[at].startswith("-"):
            at += 2 if words[at] in takes_value("docker compose", "") | takes_value("docker", "") else 1
        elif words[at] in ("compose", "container"):
            at += 1
        else:
            return None
    return _inner(words, at + 1, _Row(_CONTAINER_EXEC))


def _module(words: tuple[str, ...], at: int, values: frozenset[str]) -> int | None:
    """Return where the module's name stands when ``-m`` comes before any operand."""
    while at + 1 < len(words):
        word = words[at]
        if word in ("-m", "--module"):
            return at + 1
        if not word.startswith("-") or word == "-c":
            return None
        at += 2 if word in values else 1
    return None


def _python(words: tuple[str, ...]) -> int | None:
    return _module(words, 1, _PYTHON_VALUES)


def _coverage(words: tuple[str, ...]) -> int | None:
    return _module(words, 2, _COVERAGE_VALUES) if words[1:2] == ("run",) else None


def _uv(words: tuple[str, ...]) -> int | None:
    """Options may stand before ``run``, and ``run -m`` names a module."""
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in _UV_VALUES else 1
    if words[at : at + 1] != ("run",):
        return None
    run = _Row(_UV_RUN)
    module = _module(words, at + 1, run.values)
    return module if module is not None else _inner(words, at + 1, run)


def _shell(words: tuple[str, ...]) -> int | None:
    """Return where the text after ``-c``, ``-lc`` or ``-euo pipefail -c`` stands."""
    at = 1
    commanded = False
    while at < len(words) and words[at][:1] in ("-", "+") and len(words[at]) > 1:
        word = words[at]
        short = word[0] == "-" and not word.startswith("--")
        commanded = commanded or (short and "c" in word)
        at += 2 if word in _SHELL_VALUES or (short and word.endswith("o")) else 1
    return at if commanded and at < len(words) else None


def _script_of_a_folder(words: tuple[str, ...]) -> int | None:
    """``node node_modules/.bin/jest``, ``php vendor/bin/phpunit``: the script is the program."""
    script = words[1].replace("\\", "/") if len(words) > 1 else ""
    return 1 if any(folder in script for folder in _BIN_FOLDERS) else None


def _package_manager(words: tuple[str, ...]) -> int | None:
    at = 2 if words[1:2] == ("run",) else 1
    return at if len(words) > at and words[at] in _NODE_TOOLS else None


def _unversioned(name: str) -> str:
    """``jest@29`` started by ``npx`` is jest; so is ``black==24`` started by ``pipx run``."""
    return name.partition("@")[0].partition("==")[0] or name


_SPECIAL: dict[str, Callable[[tuple[str, ...]], int | None]] = {
    "bun": _package_manager,
    "coverage": _coverage,
    "docker": _container,
    "docker-compose": _container,
    "node": _script_of_a_folder,
    "php": _script_of_a_folder,
    "pnpm": _package_manager,
    "podman": _container,
    "podman-compose": _container,
    "py": _python,
    "pypy3": _python,
    "python": _python,
    "uv": _uv,
    "yarn": _package_manager,
    **dict.fromkeys(_SHELLS, _shell),
}
