"""Small projects with findings, one a tool: how they begin, what the edit changes, how they end.

The edit moves findings by inserted lines, mends one or two, changes the text of one and adds one.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Project:
    """``fresh`` has to be shown in full after the edit, ``same`` by name, ``mended`` must not be called a failure."""

    tool: str
    program: str
    command: str
    files: dict[str, str]
    edit: dict[str, str]
    fixed: dict[str, str]
    fresh: tuple[str, ...]
    same: tuple[str, ...]
    mended: tuple[str, ...] = ()
    passing: tuple[str, ...] = ()


def _python_tests(values: dict[str, tuple[int, int]], above: str = "") -> str:
    tests = [
        f"def test_{name}():\n    cart = Cart([{value}, 2, 3])\n    expected = {expected}\n    assert cart.total() == expected\n"
        for name, (value, expected) in values.items()
    ]
    plain = [f"def test_adding_{number}_items():\n    assert Cart([1] * {number}).total() == {number}\n" for number in range(8)]
    return f"from cart import Cart\n{above}\n\n" + "\n\n".join([*tests, *plain])


_CART = """\
class Cart:
    def __init__(self, prices):
        self.prices = prices

    def total(self):
        return sum(self.prices)
"""
_BEFORE = {
    name: (1, 7 + at) for at, name in enumerate(("discount", "shipping", "vat", "rounding", "voucher", "currency", "refund"))
}
_AFTER = {**_BEFORE, "shipping": (2, 7), "vat": (1, 99), "gift": (1, 50)}
_ALL = dict.fromkeys(_AFTER, (1, 6))
_MOVED = "\nLIMIT = 3\nRATE = 4\n"


def _pytest(tool: str, options: str) -> Project:
    verbose = "-v" in options
    return Project(
        tool=tool,
        program="pytest",
        command=f"pytest{options} -p no:cacheprovider",
        files={"cart.py": _CART, "test_cart.py": _python_tests(_BEFORE), "test_more.py": _python_tests({"bulk": (4, 1)})},
        edit={"test_cart.py": _python_tests(_AFTER, _MOVED)},
        fixed={"test_cart.py": _python_tests(_ALL), "test_more.py": _python_tests({"bulk": (1, 6)})},
        fresh=("assert 6 == 99", "assert 6 == 50", "test_gift"),
        same=("test_discount", "test_rounding", "test_voucher", "test_currency", "test_refund", "test_bulk"),
        mended=("test_cart.py::test_shipping",),
        passing=("test_cart.py::test_shipping",) if verbose else (),
    )


def _unittest() -> Project:
    def module(values: dict[str, tuple[int, int]], above: str = "") -> str:
        tests = [
            f"    def test_{name}(self):\n        self.assertEqual(Cart([{value}, 2, 3]).total(), {expected})\n"
            for name, (value, expected) in values.items()
        ]
        return f"import unittest\n\nfrom cart import Cart\n{above}\n\nclass TestCart(unittest.TestCase):\n" + "\n".join(tests)

    return Project(
        tool="unittest",
        program="python3",
        command="python3 -m unittest -v",
        files={"cart.py": _CART, "test_cart.py": module(_BEFORE)},
        edit={"test_cart.py": module(_AFTER, _MOVED)},
        fixed={"test_cart.py": module(_ALL)},
        fresh=("6 != 99", "6 != 50"),
        same=("test_discount", "test_rounding", "test_voucher", "test_currency", "test_refund"),
        mended=("test_shipping",),
    )


_UNUSED = """\
import os
import re
import sys


def total(prices):
    if prices == None:
        return 0
    l = len(prices)
    return sum(prices)
"""
_MORE_UNUSED = 'import json\nimport shlex\n\nRATES = {}\n\n\ndef rate(name):\n    value = RATES[name]\n    return f"rate"\n'
_RUFF_MENDED = """\
import os
import re

LIMIT = 3


def total(prices):
    if prices is None:
        return 0
    l = len(prices)
    return summed(prices)
"""
_CLEAN = "def total(prices):\n    return sum(prices)\n"


def _ruff(tool: str, form: str) -> Project:
    return Project(
        tool=tool,
        program="ruff",
        command=f"ruff check --no-cache --select F,E{form}",
        files={
            "cart.py": _UNUSED,
            "rates.py": _MORE_UNUSED,
            "names.py": "from cart import *\nfrom os import *\n\nprint(total([]))\n",
        },
        edit={"cart.py": _RUFF_MENDED},
        fixed={"cart.py": _CLEAN, "rates.py": _CLEAN, "names.py": "from cart import total\n\nprint(total([]))\n"},
        fresh=("Undefined name `summed`",),
        same=("F401", "F541", "F841"),
        mended=("E711",),
    )


_TYPED = "\n".join(f"def f{number}(x: int) -> str:\n    value: str = x + {number}\n    return value\n\n" for number in range(9))
_TYPED_EDITED = '"""Types."""\n\nLIMIT = 3\n\n' + _TYPED.replace("x + 3", "str(x)").replace("x + 5", "[x]") + "y: int = 'text'\n"


def _mypy() -> Project:
    return Project(
        tool="mypy",
        program="mypy",
        command="mypy --strict typed.py",
        files={"typed.py": _TYPED},
        edit={"typed.py": _TYPED_EDITED},
        fixed={"typed.py": "def f(x: int) -> str:\n    return str(x)\n"},
        fresh=('expression has type "list[int]", variable has type "str"', 'expression has type "str", variable has type "int"'),
        same=("typed.py",),
    )


_ESLINT = (
    "export default [{ rules: { 'no-undef': 'error', 'no-unused-vars': 'error', eqeqeq: 'error', 'no-empty': 'error' } }];\n"
)
_JS = "".join(
    f"export function f{n}(a) {{\n  const unused{n} = 1;\n  if (a == {n}) {{}}\n  return missing{n};\n}}\n" for n in range(4)
)
_JS_EDITED = (
    "// Rates.\nexport const LIMIT = 3;\n\n" + _JS.replace("  const unused2 = 1;\n", "") + "export const last = another;\n"
)


def _eslint() -> Project:
    return Project(
        tool="eslint",
        program="eslint",
        command="eslint .",
        files={"eslint.config.mjs": _ESLINT, "package.json": '{"type":"module"}\n', "cart.js": _JS, "rates.js": _JS},
        edit={"cart.js": _JS_EDITED},
        fixed={"cart.js": "export const one = 1;\n", "rates.js": "export const two = 2;\n"},
        fresh=("'another' is not defined",),
        same=("cart.js", "rates.js"),
    )


_TS = "".join(
    f"export function f{n}(a: number): string {{\n  const text: string = a;\n  return text + missing{n};\n}}\n" for n in range(5)
)
_TS_EDITED = "// Rates.\nexport const LIMIT = 3;\n\n" + _TS.replace("missing2", "'ok'") + "export const last: number = 'text';\n"


def _tsc() -> Project:
    return Project(
        tool="tsc",
        program="tsc",
        command="tsc --noEmit --strict cart.ts rates.ts",
        files={"cart.ts": _TS, "rates.ts": _TS},
        edit={"cart.ts": _TS_EDITED},
        fixed={"cart.ts": "export const one = 1;\n", "rates.ts": "export const two = 2;\n"},
        fresh=("Type 'string' is not assignable to type 'number'",),
        same=("cart.ts", "rates.ts"),
    )


_CARGO = '[package]\nname = "cart"\nversion = "0.1.0"\nedition = "2021"\n'
_RUST = "".join(
    f'pub fn f{n}(a: u32) -> u32 {{\n    let unused{n} = 1;\n    let text: u32 = "{n}";\n    a + text\n}}\n' for n in range(5)
)
_RUST_EDITED = "pub const LIMIT: u32 = 3;\n\n" + _RUST.replace('"2"', "2") + "pub fn last() -> u32 {\n    missing()\n}\n"


def _rust_tests(values: dict[str, tuple[int, int]], above: str = "") -> str:
    tests = [f"    #[test]\n    fn {name}() {{\n        assert_eq!({a} + 5, {b});\n    }}\n" for name, (a, b) in values.items()]
    return f"{above}#[cfg(test)]\nmod tests {{\n" + "\n".join(tests) + "}\n"


def _cargo_build() -> Project:
    return Project(
        tool="cargo build",
        program="cargo",
        command="cargo build --offline",
        files={"Cargo.toml": _CARGO, "src/lib.rs": _RUST},
        edit={"src/lib.rs": _RUST_EDITED},
        fixed={"src/lib.rs": "pub fn one() -> u32 {\n    1\n}\n"},
        fresh=("cannot find function `missing`",),
        same=("src/lib.rs",),
    )


def _cargo_test() -> Project:
    return Project(
        tool="cargo test",
        program="cargo",
        command="cargo test --offline",
        files={"Cargo.toml": _CARGO, "src/lib.rs": _rust_tests(_BEFORE)},
        edit={"src/lib.rs": _rust_tests(_AFTER, "pub const LIMIT: u32 = 3;\n\n")},
        fixed={"src/lib.rs": _rust_tests(_ALL)},
        fresh=("right: 99", "right: 50"),
        same=("discount", "rounding", "voucher"),
        passing=("tests::shipping",),
    )


def _script_tests(values: dict[str, tuple[int, int]], above: str = "") -> str:
    head = "import { expect, test } from 'vitest';\n"
    return (
        head
        + above
        + "".join(f"\ntest('{name}', () => {{\n  expect({a} + 5).toBe({b});\n}});\n" for name, (a, b) in values.items())
    )


def _vitest() -> Project:
    return Project(
        tool="vitest",
        program="vitest",
        command="vitest run --root .",
        files={"package.json": '{"type":"module"}\n', "cart.test.js": _script_tests(_BEFORE)},
        edit={"cart.test.js": _script_tests(_AFTER, "\nexport const LIMIT = 3;\n")},
        fixed={"cart.test.js": _script_tests(_ALL)},
        fresh=("expected 6 to be 99", "expected 6 to be 50"),
        same=("discount", "rounding", "voucher"),
    )


def _jest() -> Project:
    def module(values: dict[str, tuple[int, int]], above: str = "") -> str:
        return _script_tests(values, above).split("\n", 1)[1]

    return Project(
        tool="jest",
        program="jest",
        command="jest --rootDir .",
        files={"package.json": "{}\n", "cart.test.js": module(_BEFORE)},
        edit={"cart.test.js": module(_AFTER, "\nconst LIMIT = 3;\n")},
        fixed={"cart.test.js": module(_ALL)},
        fresh=("Expected: 99", "Expected: 50"),
        same=("discount", "rounding", "voucher"),
    )


def _go_test() -> Project:
    def module(values: dict[str, tuple[int, int]], above: str = "") -> str:
        tests = "".join(
            f"\nfunc Test{name.title()}(t *testing.T) {{\n"
            f'\tif {a}+5 != {b} {{\n\t\tt.Errorf("got %d, want {b}", {a}+5)\n\t}}\n}}\n'
            for name, (a, b) in values.items()
        )
        return f'package cart\n\nimport "testing"\n{above}{tests}'

    return Project(
        tool="go test",
        program="go",
        command="go test ./...",
        files={"go.mod": "module cart\n\ngo 1.19\n", "cart_test.go": module(_BEFORE)},
        edit={"cart_test.go": module(_AFTER, "\nconst limit = 3\n")},
        fixed={"cart_test.go": module(_ALL)},
        fresh=("want 99", "want 50"),
        same=("TestDiscount", "TestRounding", "TestVoucher"),
    )


_C = "".join(f"int f{n}(int a) {{\n  char *text = a;\n  return missing{n} + a;\n}}\n" for n in range(5))
_C_EDITED = "/* Rates. */\n#define LIMIT 3\n\n" + _C.replace("missing2", "2") + "int last(void) {\n  return another;\n}\n"


def _gcc() -> Project:
    return Project(
        tool="gcc",
        program="gcc",
        command="gcc -c -Wall -o cart.o cart.c",
        files={"cart.c": _C},
        edit={"cart.c": _C_EDITED},
        fixed={"cart.c": "int one(void) {\n  return 1;\n}\n"},
        fresh=("undeclared",),
        same=("cart.c",),
    )


PROJECTS = (
    _pytest("pytest", ""),
    _pytest("pytest -v", " -v"),
    _unittest(),
    _ruff("ruff", ""),
    _ruff("ruff concise", " --output-format=concise"),
    _mypy(),
    _eslint(),
    _tsc(),
    _cargo_build(),
    _cargo_test(),
    _vitest(),
    _jest(),
    _go_test(),
    _gcc(),
)
