"""Linters, type checkers and formatters: what their cases cannot say, and formats of tools that are not recorded."""

from __future__ import annotations

import json

import pytest

from token_saver.engine import CompressionEngine


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("flake8 .", "pkg/m{n}.py:{n}:80: E501 line too long ({n} > 79 characters)"),
        ("mypy .", "pkg/m{n}.py:{n}: error: Missing return statement  [return]"),
        ("pylint pkg", "pkg/m{n}.py:{n}:0: C0116: Missing function docstring (missing-function-docstring)"),
        ("ruff check --output-format concise", "pkg/m{n}.py:{n}:1: F401 [*] `os` imported but unused"),
        ("golangci-lint run", "pkg/m{n}.go:{n}:2: Error return value is not checked (errcheck)"),
        ("shellcheck -f gcc *.sh", "pkg/m{n}.sh:{n}:2: note: Double quote to prevent globbing. [SC2086]"),
        ("hadolint -f tty", "pkg/m{n}:{n} DL3008 warning: Pin versions"),
        ("rubocop", "pkg/m{n}.rb:{n}:1: C: Layout/LineLength: Line is too long. [{n}/80]"),
        ("ktlint", "pkg/m{n}.kt:{n}:1: Unexpected blank line(s) (standard:no-blank-lines)"),
        ("swiftlint", "/p/m{n}.swift:{n}:1: warning: Line Length Violation: Line should be 120 characters or less (line_length)"),
        ("buf lint", 'pkg/m{n}.proto:{n}:1:Field name "petID" should be lower_snake_case.'),
        ("protolint lint .", "[pkg/m{n}.proto:{n}:1] The line length is 9{n}, but it must be shorter than 80"),
        ("luacheck .", "    pkg/m{n}.lua:{n}:7: unused variable 'x'"),
        ("codespell", "pkg/m{n}.txt:{n}: teh ==> the"),
        ("markdownlint .", "pkg/m{n}.md:{n} MD009/no-trailing-spaces Trailing spaces [Expected: 0; Actual: 1]"),
        (
            "perlcritic .",
            "pkg/m{n}.pl: Code before strictures are enabled at line {n}, column 1.  See page 429 of PBP.  (Severity: 5)",
        ),
    ],
)
def test_hundreds_of_one_kind_are_a_few_and_every_file(engine: CompressionEngine, command: str, line: str) -> None:
    rare = "pkg/rare.x:7:7: error: a thing of its own kind [rare-rule]"
    text = "\n".join([*(line.format(n=n) for n in range(1, 401)), rare, "Found 401 problems"]) + "\n"
    result, _, changed = engine.compress(command, text, exit_code=1)
    assert changed
    assert len(result) < len(text) * 0.45
    assert line.format(n=1) in result
    assert rare in result
    assert "Found 401 problems" in result
    assert [
        n for n in range(1, 401) if f"m{n}" not in result.replace("{", "{pkg/").replace(",", ",pkg/") and f"m{n}," not in result
    ] == []


def test_eslint_names_every_file_and_keeps_parse_errors(engine: CompressionEngine) -> None:
    files = [
        f"/p/src/m{n}.js\n   {n}:1   error    'x' is not defined      "
        f"    no-undef\n  1{n}:10  warning  Line {n} too long  max-len\n"
        for n in range(120)
    ]
    text = "\n".join(
        [
            "",
            *files,
            "/p/src/bad.js\n  3:7  error  Parsing error: Unexpected token\n",
            "✖ 241 problems (121 errors, 120 warnings)\n",
        ]
    )
    result, _, _ = engine.compress("npx eslint src", text, exit_code=1)
    assert "/p/src/bad.js\n  3:7  error  Parsing error: Unexpected token" in result
    assert "✖ 241 problems (121 errors, 120 warnings)" in result
    assert [n for n in range(120) if f"m{n}" not in result] == []
    assert len(result) < len(text) // 2


def test_mypy_keeps_notes_beside_their_error_and_types_that_were_asked_for(engine: CompressionEngine) -> None:
    text = (
        'a.py:3: error: No overload variant of "f" matches  [call-overload]\na.py:3: note: Possible overload variants:\n'
        "a.py:3: note:     def f(x: int) -> int\na.py:9: note: Revealed type "
        'is "builtins.int"\nFound 1 error in 1 file (checked 1 source file)\n'
    )
    assert engine.compress("mypy a.py", text, exit_code=1)[0] == text


def test_pyright_keeps_the_explanation_below_a_finding(engine: CompressionEngine) -> None:
    text = (
        '/p/a.py\n  /p/a.py:3:9 - error: Type "int" is not assignable to '
        'return type "str"\n    "int" is not assignable to "str" (reportReturnType)\n'
        "1 error, 0 warnings, 0 informations\n"
    )
    result, _, _ = engine.compress("pyright a.py", text, exit_code=1)
    assert '/p/a.py:3:9 - error: Type "int" is not assignable to return type "str"' in result
    assert '"int" is not assignable to "str" (reportReturnType)' in result


def test_shellcheck_keeps_source_message_and_code(engine: CompressionEngine) -> None:
    text = (
        "\nIn deploy.sh line 5:\nrm -rf $HOME/$f\n       ^---^ "
        'SC2115 (warning): Use "${var:?}" to ensure this never expands to / .\n'
        "             ^-- SC2086 (info): Double quote to prevent globbing and word splitting.\n\n"
        'For more information:\n  https://www.shellcheck.net/wiki/SC2115 -- Use "${var:?}" to ensure this ...\n'
        "  https://www.shellcheck.net/wiki/SC2086 -- Double quote to prevent globbing ...\n"
    )
    result, _, _ = engine.compress("shellcheck deploy.sh", text, exit_code=1)
    for part in ("In deploy.sh line 5:", "rm -rf $HOME/$f", "SC2115 (warning): Use", "SC2086 (info): Double quote"):
        assert part in result
    assert "shellcheck.net" not in result


def test_phpstan_tables_keep_file_line_message_and_identifier(engine: CompressionEngine) -> None:
    rows = "".join(
        f"  {n}     Call to an undefined method Ferry::fare{n}().\n         🪪 method.notFound\n" for n in range(10, 60)
    )
    text = (
        " ------ ------------------------------------\n  Line   src/Ferry.php\n"
        f" ------ ------------------------------------\n{rows}"
        "  99     Access to an undefined property\n         Ferry::$berths.\n ------ ------------------------------------\n\n"
        " [ERROR] Found 51 errors\n"
    )
    result, _, _ = engine.compress("vendor/bin/phpstan analyse src", text, exit_code=1)
    assert "Line   src/Ferry.php" in result
    assert "10  Call to an undefined method Ferry::fare10(). 🪪 method.notFound" in result
    assert "99  Access to an undefined property Ferry::$berths." in result
    assert "[ERROR] Found 51 errors" in result
    assert "method.notFound findings: src/Ferry.php" in result


def test_tflint_keeps_message_rule_and_place(engine: CompressionEngine) -> None:
    issue = (
        'Warning: variable "v{n}" is declared but not used (terraform_unused_declarations)\n'
        '\n  on main.tf line {n}:\n   {n}: variable "v{n}" {{\n\n'
    )
    text = "41 issue(s) found:\n\n" + "".join(issue.format(n=n) for n in range(1, 41))
    text += 'Error: Invalid instance type (aws_instance_invalid_type)\n\n  on ec2.tf line 7:\n   7:   type = "t9.mini"\n\n'
    result, _, _ = engine.compress("tflint", text, exit_code=2)
    assert 'Warning: variable "v1" is declared but not used (terraform_unused_declarations) on main.tf line 1:' in result
    assert "Error: Invalid instance type (aws_instance_invalid_type) on ec2.tf line 7:" in result
    assert "terraform_unused_declarations findings: main.tf:" in result


def test_prettier_says_what_prettier_said(engine: CompressionEngine) -> None:
    text = "Checking formatting...\n" + "".join(f"[warn] src/module_{n}.ts\n" for n in range(200))
    text += "[warn] Code style issues found in 200 files. Run Prettier with --write to fix.\n"
    result, _, _ = engine.compress("npx prettier --check .", text, exit_code=1)
    assert "Code style issues found in 200 files" in result
    assert [n for n in range(200) if f"module_{n}" not in result] == []
    assert len(result) < len(text)


def test_black_keeps_what_cannot_be_parsed(engine: CompressionEngine) -> None:
    text = "".join(f"would reformat /p/src/m{n}.py\n" for n in range(90))
    text += (
        "error: cannot parse: /p/src/bad.py:1:11\n    def broken(:\n              ^\n"
        "90 files would be reformatted, 1 file would fail to reformat.\n"
    )
    result, _, _ = engine.compress("black --check .", text, exit_code=123)
    assert "error: cannot parse: /p/src/bad.py:1:11" in result
    assert "90 files would be reformatted, 1 file would fail to reformat." in result
    assert [n for n in range(90) if f"m{n}" not in result] == []


def test_a_linter_that_crashes_is_kept(engine: CompressionEngine) -> None:
    crash = (
        "\nOops! Something went wrong! :(\n\nESLint: 9.39.5\n\nTypeError: Cannot "
        "read properties of undefined (reading 'rules')\n    at load (/p/eslint.config.js:3:7)\n"
    )
    result, _, _ = engine.compress("npx eslint .", crash, exit_code=2)
    assert "TypeError: Cannot read properties of undefined (reading 'rules')" in result
    assert "/p/eslint.config.js:3:7" in result


@pytest.mark.parametrize(
    ("command", "finding"),
    [
        (
            "ruff check --output-format json",
            {"code": "F401", "filename": "a.py", "location": {"row": 3, "column": 1}, "url": "https://x", "message": "m"},
        ),
        (
            "eslint -f json .",
            {"filePath": "a.js", "messages": [{"ruleId": "semi", "line": 3, "column": 1, "endLine": 3, "message": "m"}]},
        ),
        ("shellcheck -f json a.sh", {"file": "a.sh", "line": 3, "endLine": 3, "code": 2086, "message": "m", "fix": None}),
    ],
)
def test_json_stays_json_with_place_rule_and_message(engine: CompressionEngine, command: str, finding: dict[str, object]) -> None:
    text = json.dumps([finding] * 12, indent=2)
    result, _, _ = engine.compress(command, text, exit_code=1)
    told = json.dumps(json.loads(result))
    assert len(result) < len(text)
    for part in ('"a.', " 3", '"m"'):
        assert part in told


@pytest.mark.parametrize(
    "command",
    [
        "cat eslint.config.js",
        "tail mypy.ini",
        "grep -n ruff pyproject.toml",
        "rg flake8 .",
        "ls node_modules/eslint",
        "cat notes/rubocop.md",
    ],
)
def test_a_tool_named_as_an_argument_is_not_run(engine: CompressionEngine, command: str) -> None:
    text = "".join(f"a.py:{n}:1: E501 line too long\n" for n in range(5))
    assert engine.compress(command, text, exit_code=0)[1] not in {"eslint", "mypy", "ruff", "flake8", "rubocop"}


@pytest.mark.parametrize(
    "text",
    [
        "datei.py:3: Fehler: Unbekannter Name »x«\nEs wurden 2 Fehler gefunden\n",
        "fichier.py:3 : erreur : nom « x » non défini\n2 erreurs trouvées\n",
        "archivo.py:3: error: el nombre «x» no está definido\nSe encontraron 2 errores\n",
    ],
)
def test_other_languages_stay_whole(engine: CompressionEngine, text: str) -> None:
    assert engine.compress("pylint .", text, exit_code=1)[0] == text
