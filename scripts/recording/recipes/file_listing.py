"""ls, find, tree and fd: a small project, one with many files, and paths that are not there."""

from __future__ import annotations

from functools import partial

from scripts.recording.project import Project
from scripts.recording.recipe import Recipe

_listing = partial(Recipe, "file_listing")

_LANGUAGES = ("da", "de", "en", "es", "fi", "fr", "is", "nb", "nl", "sv")
_VENDORED = ("array-tools", "colour-map", "date-parts", "event-bus", "file-walk", "http-mini", "json-lines", "left-margin")


def _press(project: Project) -> None:
    """Make a small publishing project with a vendored folder, a link, hidden files and odd names."""
    project.write({f"press/locale/{name}/messages.po": f"# {name}\n" * 40 for name in _LANGUAGES})
    project.write({f"press/src/press/{name}.py": f"# {name}\n" * 20 for name in ("__init__", "cli", "layout", "paper", "proof")})
    for name in _VENDORED:
        project.write(
            {f"press/node_modules/{name}/{path}": "x\n" for path in ("package.json", "index.js", "lib/main.js", "LICENSE")}
        )
    project.write({"press/README.md": "# Press\n", "press/.env.example": "INK=black\n", "press/.gitignore": "dist\n"})
    project.write({"press/final draft (2).txt": "x\n", "press/été.txt": "x\n", "press/build.sh": "#!/bin/sh\n"})
    project.shell("chmod +x press/build.sh && ln -s README.md press/LIES-MICH.md && truncate -s 3M press/proofs.pdf")
    project.settle()


def _archive(project: Project) -> None:
    names = [f"issue-{number:03}" for number in range(1, 91)]
    project.write({f"archive/{name}/{part}": "x\n" for name in names for part in ("cover.svg", "text.md", "meta.json")})
    project.settle()


RECIPES = (
    _listing("ls", "ls", ("README.md", "final draft (2).txt", "été.txt", "node_modules"), _press, folder="press"),
    _listing(
        "ls-long",
        "ls -la",
        ("LIES-MICH.md -> README.md", ".env.example", "proofs.pdf", "final draft (2).txt", "3145728"),
        _press,
        folder="press",
    ),
    _listing("ls-long-human", "ls -lh src/press", ("layout.py", "__init__.py"), _press, folder="press"),
    _listing("ls-recursive", "ls -R", ("./node_modules/event-bus/lib:", "messages.po", "./src/press:"), _press, folder="press"),
    _listing("ls-long-large", "ls -la archive", ("issue-001", "issue-090"), _archive),
    _listing(
        "ls-recursive-large", "ls -lR archive", ("archive/issue-045:", "meta.json"), _archive, notes="90 folders, 270 files"
    ),
    _listing(
        "ls-colour",
        "ls -la --color=always",
        ("README.md", "build.sh", "node_modules"),
        _press,
        folder="press",
        terminal=True,
        notes="colours, line ends CRLF",
    ),
    _listing(
        "ls-terminal-columns",
        "ls",
        ("README.md", "build.sh"),
        _press,
        folder="press",
        terminal=True,
        notes="in columns, with quoted names",
    ),
    _listing(
        "ls-missing",
        "ls src/print docs",
        ("ls: cannot access 'src/print': No such file or directory",),
        _press,
        folder="press",
        exit_code=2,
    ),
    _listing("ls-empty", "mkdir -p dist && ls dist", (), _press, folder="press", tool="ls"),
    _listing(
        "ls-one-column-missing",
        "ls -1 src/press/paper.py src/print",
        ("src/press/paper.py", "ls: cannot access 'src/print': No such file or directory"),
        _press,
        folder="press",
        exit_code=2,
    ),
    _listing(
        "find-files",
        "find . -type f",
        (
            "./README.md",
            "./.env.example",
            "./final draft (2).txt",
            "./node_modules/left-margin/lib/main.js",
            "./locale/is/messages.po",
        ),
        _press,
        folder="press",
    ),
    _listing("find-name", "find . -name '*.py'", ("./src/press/layout.py",), _press, folder="press"),
    _listing("find-hidden", "find . -name '.env*'", ("./.env.example",), _press, folder="press"),
    _listing("find-ls", "find src -ls", ("src/press/layout.py", "src/press/proof.py"), _press, folder="press"),
    _listing(
        "find-exec", "find src -name '*.py' -exec wc -l {} +", ("20 src/press/layout.py", "100 total"), _press, folder="press"
    ),
    _listing(
        "find-print0",
        "find src -name '*.py' -print0",
        ("src/press/layout.py",),
        _press,
        folder="press",
        notes="names end with NUL",
    ),
    _listing(
        "find-missing",
        "find . gone -name '*.sh'",
        ("find: ‘gone’: No such file or directory", "./build.sh"),
        _press,
        folder="press",
        exit_code=1,
    ),
    _listing("find-bad-option", "find . -nmae x", ("find: unknown predicate `-nmae'",), _press, folder="press", exit_code=1),
    _listing("find-large", "find archive", ("archive/issue-001", "cover.svg", "archive/issue-090"), _archive, notes="361 paths"),
    _listing("find-nothing", "find . -name '*.rs'", (), _press, folder="press"),
    _listing("tree", "tree", ("layout.py", "LIES-MICH.md -> README.md", "31 directories, 53 files"), _press, folder="press"),
    _listing("tree-depth", "tree -L 2 -a -I node_modules", (".env.example", "locale", "press"), _press, folder="press"),
    _listing("tree-json", "tree -J src", ('"name":"layout.py"', '"type":"report"'), _press, folder="press"),
    _listing("tree-large", "tree archive", ("issue-001", "issue-090", "91 directories, 270 files"), _archive),
    _listing(
        "tree-missing", "tree dist", ("dist  [error opening dir]", "0 directories, 0 files"), _press, folder="press", exit_code=2
    ),
    _listing("fd-extension", "fdfind -e po", ("locale/is/messages.po",), _press, folder="press"),
    _listing("fd-all", "fdfind -H -I . archive", ("archive/issue-001/cover.svg", "archive/issue-090/"), _archive),
)
