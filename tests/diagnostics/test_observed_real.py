"""Sequences with the real tools: a run, an edit that moves its findings, a repair; each tool that is installed here."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from token_saver.diagnostics import NEW, NOT_OBSERVED, PASSED, UNCHANGED, Snapshot, compare
from token_saver.engine import CompressionEngine

BIN = Path(sys.executable).parent
QUIET = {"PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


@dataclass(frozen=True)
class Sequence:
    """``files`` report ``count`` findings; ``above`` is put over ``edited``; ``mend`` (old, new) repairs what is ``gone``."""

    name: str
    command: str
    files: dict[str, str]
    edited: str
    above: str
    mend: tuple[str, str]
    count: int
    gone: str
    passes: bool = False


PYTHON = (
    "# Fares of the ferry.\n# In whole crowns.\n# One a passenger.\n\nimport os\nimport sys\n\n\ndef fare(n: int) -> str:\n"
    "    return n\n\n\ndef berth() -> int:\n    return 'three'\n"
)
C = "int fare(int n) {\n    return n * undeclared;\n}\nint berth(void) {\n    int unused;\n    return missing;\n}\n"
GO = 'package ferry\n\nimport "testing"\n\nfunc Fare(n int) int { return n * 40 }\n\n'
GO_TESTS = (
    'func TestTwo(t *testing.T) {\n\tif Fare(2) != 90 {\n\t\tt.Errorf("Fare(2) = %d", Fare(2))\n\t}\n}\n\n'
    'func TestThree(t *testing.T) {\n\tfor _, n := range []int{1, 3} {\n\t\tt.Run("of", func(t *testing.T) {\n'
    '\t\t\tif Fare(n) != 40 {\n\t\t\t\tt.Fatalf("got %d", Fare(n))\n\t\t\t}\n\t\t})\n\t}\n}\n'
)
GO_FILES = {"go.mod": "module harbor.example/ferry\n\ngo 1.19\n", "fare_test.go": GO + GO_TESTS}
RUST = (
    "pub fn fare(n: u32) -> u32 {\n    let unused = 1;\n    n * 40\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n"
    "    #[test]\n    fn two() {\n        assert_eq!(fare(2), 90);\n    }\n"
    "    #[test]\n    fn three() {\n        assert_eq!(fare(3), 121);\n    }\n}\n"
)
TESTS = (
    'import pytest\n\n\n@pytest.mark.parametrize("name", ["a - b", "c::d", "[x]"])\ndef test_name(name):\n'
    '    assert name == "other"\n\n\ndef test_sum():\n    assert sum([1, 2]) == 4\n\n\n@pytest.fixture\ndef quay():\n'
    '    raise OSError("no quay")\n\n\ndef test_quay(quay):\n    pass\n'
)
UNITS = (
    "import unittest\n\n\nclass Fares(unittest.TestCase):\n    def test_two(self):\n        self.assertEqual(80, 90)\n\n"
    "    def test_many(self):\n        for n in (1, 2, 3):\n"
    "            with self.subTest(n=n):\n                self.assertEqual(n, 2)\n"
)
RUBY = (
    "RSpec.describe 'Ferry' do\n  it('prices two') { expect(80).to eq(90) }\n  it('names ports') { expect('a').to eq('b') }\n"
    "  it('floats') { expect(1).to eq(1) }\nend\n"
)
PHP = (
    "<?php\nuse PHPUnit\\Framework\\TestCase;\nfinal class FareTest extends TestCase {\n"
    "  /** @dataProvider prices */\n  public function testPrice($a, $b) { $this->assertSame($a, $b); }\n"
    "  public static function prices() { return ['a b' => [1, 2], [3, 4]]; }\n"
    "  public function testTwo() { $this->assertSame(80, 90); }\n}\n"
)
JS = (
    "// Fares of the ferry.\n// In whole crowns.\n// One a passenger.\n\nconst fare = (n) => n * 40;\n\n"
    "describe('fare', () => {\n  test('one', () => { expect(fare(1)).toBe(40); });\n"
    "  test('two', () => { expect(fare(2)).toBe(90); });\n"
    "  test.each([[1, 40], [3, 130]])('%i for %i', (n, cost) => { expect(fare(n)).toBe(cost); });\n});\n"
)
LINTED = "// Fares.\n\nvar fares = { adult: 40 };\nfunction price(kind) {\n  return fars[kind];\n}\n"
CONFIG = 'export default [{ rules: { "no-unused-vars": "error", "no-undef": "error" } }];\n'
TYPED = "// Fares.\n\nconst fare: number = 'forty';\nfunction berth(n: number): string {\n  return n;\n}\nberth('two');\n"
SEQUENCES = (
    Sequence(
        "jest",
        "jest --verbose",
        {"package.json": "{}", "fare.test.js": JS},
        "fare.test.js",
        "// one\n// two\n",
        ("toBe(90)", "toBe(80)"),
        2,
        "fare.test.js › fare › two",
        passes=True,
    ),
    Sequence(
        "vitest",
        "vitest run --globals",
        {"package.json": "{}", "fare.test.js": JS},
        "fare.test.js",
        "// one\n// two\n",
        ("toBe(90)", "toBe(80)"),
        2,
        "fare.test.js > fare > two",
    ),
    Sequence(
        "eslint",
        "eslint fares.js",
        {"eslint.config.mjs": CONFIG, "fares.js": LINTED},
        "fares.js",
        "// one\n// two\n",
        ("fars[kind]", "kind"),
        3,
        "'fars' is not defined",
    ),
    Sequence(
        "eslint json",
        "eslint -f json fares.js",
        {"eslint.config.mjs": CONFIG, "fares.js": LINTED},
        "fares.js",
        "// one\n",
        ("fars[kind]", "kind"),
        3,
        "'fars' is not defined",
    ),
    Sequence(
        "tsc",
        "tsc --noEmit --strict fare.ts",
        {"fare.ts": TYPED},
        "fare.ts",
        "// one\n// two\n",
        ("berth('two')", "berth(2)"),
        3,
        "TS2345|fare.ts|",
    ),
    Sequence(
        "tsc pretty",
        "tsc --noEmit --strict --pretty fare.ts",
        {"fare.ts": TYPED},
        "fare.ts",
        "// one\n// two\n",
        ("berth('two')", "berth(2)"),
        3,
        "TS2345|fare.ts|",
    ),
    Sequence(
        "pyright",
        "pyright fare.py",
        {"fare.py": PYTHON},
        "fare.py",
        '"""Fares."""\n\n',
        ("'three'", "3"),
        2,
        "reportReturnType|",
    ),
    Sequence(
        "pytest",
        "pytest -v -p no:cacheprovider",
        {"test_fare.py": TESTS},
        "test_fare.py",
        "# one\n# two\n",
        ("== 4", "== 3"),
        5,
        "test_fare.py::test_sum",
        passes=True,
    ),
    Sequence(
        "pytest -x",
        "pytest -x -p no:cacheprovider",
        {"test_fare.py": TESTS},
        "test_fare.py",
        "# one\n",
        ('"a - b", ', '"other", '),
        1,
        "test_fare.py::test_name[a - b]",
    ),
    Sequence(
        "unittest",
        "python -m unittest -v",
        {"test_fare.py": UNITS},
        "test_fare.py",
        "# one\n# two\n",
        ("(80, 90)", "(90, 90)"),
        3,
        "test_two (test_fare.Fares.test_two)",
        passes=True,
    ),
    Sequence(
        "ruff",
        "ruff check --isolated",
        {"fare.py": PYTHON},
        "fare.py",
        '"""Fares."""\n\n',
        ("import sys\n", ""),
        2,
        "F401|fare.py|[*] `sys` imported but unused",
    ),
    Sequence(
        "ruff concise",
        "ruff check --isolated --output-format concise",
        {"fare.py": PYTHON},
        "fare.py",
        '"""Fares."""\n\n',
        ("import sys\n", ""),
        2,
        "F401|fare.py|[*] `sys` imported but unused",
    ),
    Sequence(
        "ruff json",
        "ruff check --isolated --output-format json",
        {"fare.py": PYTHON},
        "fare.py",
        '"""Fares."""\n\n',
        ("import sys\n", ""),
        2,
        "`sys` imported but unused",
    ),
    Sequence(
        "mypy",
        "mypy fare.py",
        {"fare.py": PYTHON},
        "fare.py",
        '"""Fares."""\n\n',
        ("'three'", "3"),
        2,
        'return-value|fare.py|Incompatible return value type (got "str", expected "int")  [return-value]',
    ),
    Sequence(
        "gcc",
        "gcc -Wall -c fare.c",
        {"fare.c": C},
        "fare.c",
        "/* one */\n\n",
        ("    int unused;\n", ""),
        5,
        "-Wunused-variable|fare.c|berth|unused variable ‘unused’",
    ),
    Sequence(
        "go test",
        "go test ./...",
        GO_FILES,
        "fare_test.go",
        "// one\n// two\n",
        ("!= 90", "!= 80"),
        2,
        "harbor.example/ferry.TestTwo",
    ),
    Sequence(
        "go test -json",
        "go test -json ./...",
        GO_FILES,
        "fare_test.go",
        "// one\n",
        ("!= 90", "!= 80"),
        2,
        "harbor.example/ferry.TestTwo",
        passes=True,
    ),
    Sequence(
        "cargo test",
        "cargo test --offline --lib",
        {"Cargo.toml": '[package]\nname = "ferry"\nversion = "0.1.0"\nedition = "2021"\n', "src/lib.rs": RUST},
        "src/lib.rs",
        "// one\n// two\n",
        ("(3), 121", "(3), 120"),
        3,
        "src/lib.rs tests::three",
        passes=True,
    ),
    Sequence(
        "rspec",
        "rspec -fd spec/fare_spec.rb",
        {"spec/fare_spec.rb": RUBY},
        "spec/fare_spec.rb",
        "# one\n# two\n",
        ("eq(90)", "eq(80)"),
        2,
        "Ferry prices two",
        passes=True,
    ),
    Sequence(
        "phpunit",
        "phpunit FareTest.php",
        {"FareTest.php": PHP},
        "FareTest.php",
        "",
        ("80, 90", "90, 90"),
        3,
        "FareTest::testTwo",
    ),
)


@pytest.mark.parametrize("sequence", SEQUENCES, ids=lambda sequence: sequence.name)
def test_findings_keep_their_identity_through_edit_and_repair(
    sequence: Sequence, tmp_path: Path, engine: CompressionEngine
) -> None:
    if shutil.which(sequence.command.partition(" ")[0], path=_path()) is None:
        pytest.skip(f"{sequence.command.partition(' ')[0]} is not installed")
    for name, text in sequence.files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    first = _observed(sequence, tmp_path, engine)
    assert len(first.diagnostics) == sequence.count

    again = _observed(sequence, tmp_path, engine)
    assert _kinds(first, again) == {UNCHANGED: sequence.count}

    source = tmp_path / sequence.edited
    text = source.read_text(encoding="utf-8")
    source.write_text(sequence.above + text, encoding="utf-8")
    moved = _observed(sequence, tmp_path, engine)
    assert _kinds(again, moved) == {UNCHANGED: sequence.count}
    if sequence.above:
        assert any(change.moved for change in compare(again, moved))

    assert sequence.mend[0] in text
    source.write_text(sequence.above + text.replace(*sequence.mend), encoding="utf-8")
    mended = compare(moved, _observed(sequence, tmp_path, engine))
    gone = [change for change in mended if change.kind in (PASSED, NOT_OBSERVED)]
    assert len(gone) == 1
    assert sequence.gone in gone[0].diagnostic.identifier
    assert gone[0].kind == (PASSED if sequence.passes else NOT_OBSERVED)
    assert [change.diagnostic.identifier for change in mended if change.kind == NEW] in ([], ["test_fare.py::test_name[c::d]"])


def _kinds(before: Snapshot, after: Snapshot) -> dict[str, int]:
    kinds = [change.kind for change in compare(before, after)]
    return {kind: kinds.count(kind) for kind in kinds}


def _observed(sequence: Sequence, folder: Path, engine: CompressionEngine) -> Snapshot:
    env = {**os.environ, "PATH": _path(), **QUIET}
    for name in ("PYTEST_ADDOPTS", "PYTEST_CURRENT_TEST", "FORCE_COLOR", "CARGO_TARGET_DIR"):
        env.pop(name, None)
    ran = subprocess.run(
        sequence.command.split(),
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    snapshot = engine.diagnostics(sequence.command, ran.stdout, exit_code=ran.returncode)
    assert snapshot is not None, ran.stdout
    return snapshot


def _path() -> str:
    return f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"
