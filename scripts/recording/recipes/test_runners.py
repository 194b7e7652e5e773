"""Test runners other than pytest: failures of several kinds, errors outside tests, skips, and a run that is fine."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from scripts.recording.project import Project
from scripts.recording.recipe import Recipe

_FARES_JS = """\
function fare(passengers, car) {
  if (passengers < 0) throw new RangeError(`passengers must not be negative, got ${passengers}`);
  return passengers * 40 + (car ? 120 : 0);
}
function ports() { return [{ name: "Ostervik", berths: 3 }, { name: "Lunden", berths: 1 }]; }
module.exports = { fare, ports };
"""
_JEST = """\
const { fare, ports } = require("./fares");
describe("fare", () => {
  test("one passenger", () => expect(fare(1)).toBe(40));
  test("two passengers", () => expect(fare(2)).toBe(90));
  test("with a car", () => { console.log("pricing a car"); expect(fare(1, true)).toBe(160); });
  test("negative", () => { fare(-1); });
  test.skip("groups", () => {});
  test.todo("season tickets");
  test.each([[1, 40], [3, 130]])("%i passengers cost %i", (n, cost) => expect(fare(n)).toBe(cost));
});
test("ports", () => expect(ports()).toEqual([{ name: "Ostervik", berths: 3 }, { name: "Skarholm", berths: 2 }]));
test("slow", (done) => { setTimeout(() => {}, 5); }, 50);
"""
_JEST_FINE = "const { fare } = require('./fares');\n" + "".join(
    f"test('fare of {n}', () => expect(fare({n})).toBe({n * 40}));\n" for n in range(1, 41)
)


def _node(files: dict[str, str]) -> Callable[[Project], None]:
    def setup(project: Project) -> None:
        project.write({"package.json": '{ "name": "ferry" }\n', "fares.js": _FARES_JS, **files})
        if project.tools:
            project.shell(f"ln -s {project.tools}/node_modules node_modules")

    return setup


_VITEST = """\
import { describe, expect, test } from "vitest";
import { fare, ports } from "./fares";
describe("fare", () => {
  test("one passenger", () => expect(fare(1)).toBe(40));
  test("two passengers", () => expect(fare(2)).toBe(90));
  test("negative", () => { console.error("asking for a negative fare"); fare(-1); });
  test.skip("groups", () => {});
});
test("ports", () => expect(ports()).toEqual([{ name: "Ostervik", berths: 3 }, { name: "Skarholm", berths: 2 }]));
"""
_MOCHA = """\
const assert = require("assert");
const { fare, ports } = require("../fares");
describe("fare", () => {
  it("prices one passenger", () => assert.strictEqual(fare(1), 40));
  it("prices two passengers", () => assert.strictEqual(fare(2), 90));
  it("refuses negative numbers", () => fare(-1));
  it("prices groups");
  describe("ports", () => { it("are two", () => assert.deepStrictEqual(ports().map((p) => p.name), ["Ostervik", "Skarholm"])); });
});
"""
_NODE_TEST = """\
const test = require("node:test");
const assert = require("node:assert");
const { fare } = require("./fares");
test("one passenger", () => assert.strictEqual(fare(1), 40));
test("two passengers", () => assert.strictEqual(fare(2), 90));
test("negative", () => fare(-1));
test("groups", { skip: "no group fares yet" }, () => {});
test("slow", { timeout: 50 }, () => new Promise(() => setTimeout(() => {}, 500)));
for (let n = 1; n <= 12; n++) test(`fare of ${n}`, () => assert.strictEqual(fare(n), n * 40));
"""
_UNITTEST = """\
import unittest

from fares import fare


class FareTest(unittest.TestCase):
    def test_one(self):
        self.assertEqual(fare(1), 40)

    def test_two(self):
        self.assertEqual(fare(2), 90, "two passengers")

    def test_negative(self):
        fare(-1)

    @unittest.skip("no group fares yet")
    def test_groups(self):
        pass

    @unittest.expectedFailure
    def test_known(self):
        self.assertEqual(fare(0), 1)

    def test_many(self):
        for n in range(4):
            with self.subTest(n=n):
                self.assertEqual(fare(n) % 80, 0)


class QuayTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise ConnectionError("no quay at 127.0.0.1:9")

    def test_quay(self):
        pass
"""
_FARES_PY = """\
def fare(passengers: int) -> int:
    if passengers < 0:
        raise ValueError(f"passengers must not be negative, got {passengers}")
    return passengers * 40
"""
_TOX = """\
[tox]
envlist = tests, lint
no_package = true
[testenv:tests]
allowlist_externals = python
commands = python -m unittest test_fares
[testenv:lint]
allowlist_externals = ruff
commands = ruff check --isolated .
"""


def _python(project: Project) -> None:
    project.write({"fares.py": _FARES_PY, "test_fares.py": _UNITTEST, "tox.ini": _TOX})
    project.write({"test_fine.py": "import unittest\nclass T(unittest.TestCase):\n    def test_it(self):\n        pass\n"})
    project.write({"test_broken.py": "from fares import price\n"})


_GO_MOD = "module harbor.example/ferry\n\ngo 1.19\n"
_GO = """\
package ferry

import "errors"

func Fare(passengers int) (int, error) {
	if passengers < 0 {
		return 0, errors.New("passengers must not be negative")
	}
	return passengers * 40, nil
}

func Berth(quays map[string]int, name string) { quays[name] = 1 }
"""
_GO_TEST = """\
package ferry

import "testing"

func TestFare(t *testing.T) {
	for _, c := range []struct{ n, want int }{{1, 40}, {2, 90}, {-1, 0}} {
		t.Run("", func(t *testing.T) {
			got, err := Fare(c.n)
			if err != nil {
				t.Fatalf("Fare(%d): %v", c.n, err)
			}
			if got != c.want {
				t.Errorf("Fare(%d) = %d, want %d", c.n, got, c.want)
			}
		})
	}
}

func TestGroups(t *testing.T) { t.Skip("no group fares yet") }

func TestFine(t *testing.T) { t.Log("all is well") }
"""
_GO_PANIC = 'package ferry\n\nimport "testing"\n\nfunc TestBerth(t *testing.T) { Berth(nil, "Ostervik") }\n'
_GO_BROKEN = 'package ferry\n\nimport "os"\n\nfunc Price() string {\n\tx := 3\n\treturn Fare(2)\n}\n'


def _go(**files: str) -> Callable[[Project], None]:
    def setup(project: Project) -> None:
        project.write({"go.mod": _GO_MOD, "fare.go": _GO, "fare_test.go": _GO_TEST, **{f"{n}.go": t for n, t in files.items()}})

    return setup


_CARGO = '[package]\nname = "ferry"\nversion = "0.1.0"\nedition = "2021"\n'
_RUST = """\
use std::collections::HashMap;

pub fn fare(passengers: i64) -> i64 {
    let unused = 1;
    if passengers < 0 { panic!("passengers must not be negative, got {passengers}"); }
    passengers * 40
}

fn dead() -> bool { if 1 == 1 { true } else { false } }

#[cfg(test)]
mod tests {
    use super::*;
    #[test] fn one() { assert_eq!(fare(1), 40); }
    #[test] fn two() { assert_eq!(fare(2), 90, "two passengers"); }
    #[test] fn negative() { fare(-1); }
    #[test] #[ignore = "no group fares yet"] fn groups() {}
    #[test] #[should_panic(expected = "overflow")] fn overflow() { panic!("boom"); }
}
"""
_RUST_BROKEN = """\
use std::collections::HashMapp;
struct Berth { name: String }
fn price() -> i32 { "forty" }
fn berth(b: Berth) -> usize { b.length() + undefined_berths }
fn main() { let b = Berth { name: String::new() }; berth(b); berth(b); }
"""


def _cargo(main: str = "") -> Callable[[Project], None]:
    def setup(project: Project) -> None:
        project.write({"Cargo.toml": _CARGO, "src/lib.rs": _RUST})
        toolchains = Path(os.environ.get("RUSTUP_HOME", Path.home() / ".rustup"))
        if toolchains.exists():
            (project.home / ".rustup").symlink_to(toolchains)
        if main:
            project.write({"src/main.rs": main})

    return setup


_RSPEC = """\
require "./ferry"
RSpec.describe Ferry do
  it("prices one") { expect(Ferry.new.fare(1)).to eq(40) }
  it("prices two") { expect(Ferry.new.fare(2)).to eq(90) }
  it("refuses negative numbers") { Ferry.new.fare(-1) }
  it("prices groups") { skip "no group fares yet" }
  it("names ports") { expect({ name: "Ostervik", berths: 3 }).to eq({ name: "Lunden", berths: 3 }) }
end
"""
_FERRY_RB = """\
class Ferry
  def fare(passengers)
    raise ArgumentError, "passengers must not be negative" if passengers < 0
    passengers * 40
  end
end
"""
_MINITEST = """\
require "minitest/autorun"
require "./ferry"
class FerryTest < Minitest::Test
  def test_one; assert_equal 40, Ferry.new.fare(1); end
  def test_two; assert_equal 90, Ferry.new.fare(2); end
  def test_negative; Ferry.new.fare(-1); end
  def test_groups; skip "no group fares yet"; end
end
"""
_PHPUNIT = """\
<?php
use PHPUnit\\Framework\\TestCase;
class FareTest extends TestCase {
    function fare(int $n) { if ($n < 0) throw new RangeException("passengers must not be negative"); return $n * 40; }
    function testOne() { $this->assertSame(40, $this->fare(1)); }
    function testTwo() { $this->assertSame(90, $this->fare(2), "two passengers"); }
    function testNegative() { $this->fare(-1); }
    function testGroups() { $this->markTestSkipped("no group fares yet"); }
    function testPorts() { $this->assertEquals(["Ostervik" => 3, "Lunden" => 1], ["Ostervik" => 3, "Lunden" => 2]); }
}
"""


def _ruby(project: Project) -> None:
    project.write({"ferry.rb": _FERRY_RB, "spec/ferry_spec.rb": _RSPEC, "ferry_test.rb": _MINITEST})
    project.write({"tests/FareTest.php": _PHPUNIT})


_CMAKE = """\
cmake_minimum_required(VERSION 3.16)
project(ferry C)
enable_testing()
foreach(name fine wrong crash slow)
  add_executable(${name} ${name}.c)
  add_test(NAME fare.${name} COMMAND ${name})
endforeach()
set_tests_properties(fare.slow PROPERTIES TIMEOUT 1)
"""


def _c(project: Project) -> None:
    project.write({"CMakeLists.txt": _CMAKE, "fine.c": "int main(void) { return 0; }\n"})
    project.write({"wrong.c": '#include <stdio.h>\nint main(void) { printf("fare(2): expected 90, got 80\\n"); return 1; }\n'})
    project.write({"crash.c": "int main(void) { int *p = 0; *p = 1; return 0; }\n"})
    project.write({"slow.c": "#include <unistd.h>\nint main(void) { sleep(5); return 0; }\n"})
    project.shell("cmake -S . -B build >/dev/null && cmake --build build >/dev/null")


_BUN = """\
import { expect, test } from "bun:test";
const fare = (n: number) => { if (n < 0) throw new RangeError("passengers must not be negative"); return n * 40; };
test("one", () => { expect(fare(1)).toBe(40); });
test("two", () => {
  expect(fare(2)).toBe(90);
});
test("negative", () => { fare(-1); });
test.skip("groups", () => {});
"""
_DENO = """\
const fare = (n: number) => { if (n < 0) throw new RangeError("passengers must not be negative"); return n * 40; };
Deno.test("one", () => { if (fare(1) !== 40) throw new Error("fare(1) is not 40"); });
Deno.test("two", () => { if (fare(2) !== 90) throw new Error(`fare(2) is ${fare(2)}, not 90`); });
Deno.test("negative", () => { fare(-1); });
Deno.test({ name: "groups", ignore: true, fn() {} });
"""


def _typescript(project: Project) -> None:
    project.write({"fares.test.ts": _BUN, "deno_test.ts": _DENO})


_PLAYWRIGHT = """\
const { test, expect } = require("@playwright/test");
const { fare } = require("./fares");
test("one passenger", () => { expect(fare(1)).toBe(40); });
test("two passengers", () => { expect(fare(2)).toBe(90); });
test("negative", () => { fare(-1); });
test.skip("groups", () => {});
"""

_JS_FAILED = ("two passengers", "90", "80", "passengers must not be negative, got -1")

RECIPES = [
    Recipe(
        "jest",
        "failures",
        "npx jest",
        (
            *_JS_FAILED,
            "FAIL ./fares.test.js",
            "fare › two passengers",
            "fare › negative",
            "fare › 3 passengers cost 130",
            "● ports",
            "● slow",
            "Exceeded timeout of 50 ms",
            "FAIL ./broken.test.js",
            "Cannot find module './quays' from 'broken.test.js'",
            "Skarholm",
            "fares.test.js:4:",
            "Test Suites: 2 failed, 1 passed, 3 total",
            "Tests:       5 failed, 1 skipped, 1 todo, 43 passed, 50 total",
        ),
        _node({"fares.test.js": _JEST, "broken.test.js": 'require("./quays");\n', "fine.test.js": _JEST_FINE}),
        1,
        tool="jest",
    ),
    Recipe(
        "jest",
        "fine",
        "npx jest",
        ("Tests:       40 passed, 40 total", "1 passed, 1 total"),
        _node({"fine.test.js": _JEST_FINE}),
        tool="jest",
    ),
    Recipe(
        "jest",
        "coverage",
        "npx jest --coverage --verbose",
        ("All files", "fares.js", "40 passed, 40 total"),
        _node({"fine.test.js": _JEST_FINE}),
        tool="jest",
    ),
    Recipe(
        "vitest",
        "failures",
        "npx vitest run",
        (
            "FAIL  fares.test.mjs > fare > two passengers",
            "FAIL  fares.test.mjs > fare > negative",
            "FAIL  fares.test.mjs > ports",
            "expected 80 to be 90",
            "RangeError: passengers must not be negative, got -1",
            "Skarholm",
            "fares.test.mjs:5:",
            "broken.test.mjs",
            "2 failed",
            "3 failed | 1 passed | 1 skipped (5)",
        ),
        _node({"fares.test.mjs": _VITEST, "broken.test.mjs": 'import "./quays";\n'}),
        1,
        tool="vitest",
    ),
    Recipe(
        "mocha",
        "failures",
        "npx mocha",
        (
            "1 passing",
            "1 pending",
            "3 failing",
            "prices two passengers",
            "refuses negative numbers",
            "are two",
            "Skarholm",
            "RangeError",
        ),
        _node({"test/fares.js": _MOCHA}),
        3,
        tool="mocha",
    ),
    Recipe(
        "node-test",
        "failures",
        "node --test",
        (
            "not ok 2 - two passengers",
            "not ok 3 - negative",
            "got -1",
            "no group fares yet",
            "not ok 5 - slow",
            "# fail 2",
            "# cancelled 1",
        ),
        _node({"fares.test.js": _NODE_TEST}),
        1,
        tool="node",
    ),
    Recipe(
        "playwright",
        "failures",
        "npx playwright test",
        ("two passengers", "negative", "Expected: 90", "Received: 80", "got -1", "2 failed", "1 skipped", "1 passed"),
        _node({"fares.spec.js": _PLAYWRIGHT}),
        1,
        tool="playwright",
    ),
    Recipe(
        "unittest",
        "failures",
        "python -m unittest test_fares test_broken test_fine",
        (
            "ERROR: test_negative (test_fares.FareTest.test_negative)",
            "ValueError: passengers must not be negative, got -1",
            "FAIL: test_two (test_fares.FareTest.test_two)",
            "AssertionError: 80 != 90 : two passengers",
            "test_many (test_fares.FareTest.test_many) (n=1)",
            "test_many (test_fares.FareTest.test_many) (n=3)",
            "ERROR: setUpClass (test_fares.QuayTest)",
            "ConnectionError: no quay at 127.0.0.1:9",
            "ERROR: test_broken (unittest.loader._FailedTest.test_broken)",
            "ImportError: cannot import name 'price' from 'fares'",
            "FAILED (failures=3, errors=3, skipped=1, expected failures=1)",
            'test_fares.py", line 11',
        ),
        _python,
        1,
        tool="python",
    ),
    Recipe("unittest", "fine", "python -m unittest -v test_fine", ("Ran 1 test", "OK"), _python, tool="python"),
    Recipe(
        "tox",
        "failures",
        "tox",
        ("tests: FAIL", "lint: FAIL", "AssertionError: 80 != 90", "evaluation failed", "FAILED (failures=3, errors=2"),
        _python,
        1,
    ),
    Recipe(
        "go",
        "test-failures",
        "go test ./...",
        (
            "Fare(2) = 80, want 90",
            "Fare(-1): passengers must not be negative",
            "--- FAIL: TestFare/#01",
            "--- FAIL: TestFare/#02",
            "FAIL\tharbor.example/ferry",
        ),
        _go(),
        1,
    ),
    Recipe(
        "go",
        "test-verbose",
        "go test -v ./...",
        (
            "Fare(2) = 80, want 90",
            "--- FAIL: TestFare/#01",
            "--- SKIP: TestGroups",
            "no group fares yet",
            "FAIL\tharbor.example/ferry",
        ),
        _go(),
        1,
    ),
    Recipe(
        "go",
        "test-json",
        "go test -json ./...",
        ("Fare(2) = 80, want 90", '"Action":"fail","Package":"harbor.example/ferry","Test":"TestFare"', "no group fares yet"),
        _go(),
        1,
    ),
    Recipe(
        "go",
        "test-panic",
        "go test ./...",
        (
            "--- FAIL: TestBerth",
            "panic: assignment to entry in nil map",
            "fare.go:12",
            "berth_test.go:5",
            "FAIL\tharbor.example/ferry",
        ),
        _go(berth_test=_GO_PANIC),
        1,
    ),
    Recipe(
        "go",
        "build-errors",
        "go build ./...",
        (
            'broken.go:3:8: imported and not used: "os"',
            "broken.go:6:2: x declared but not used",
            "broken.go:7:9: too many return values",
            "want (string)",
        ),
        _go(broken=_GO_BROKEN),
        2,
    ),
    Recipe(
        "cargo",
        "test-failures",
        "cargo test --lib",
        (
            "unused import: `std::collections::HashMap`",
            "unused variable: `unused`",
            "function `dead` is never used",
            "tests::two",
            "two passengers",
            "left: 80",
            "right: 90",
            "src/lib.rs:15:",
            "tests::negative",
            "passengers must not be negative, got -1",
            "tests::overflow",
            "no group fares yet",
            "1 passed; 3 failed; 1 ignored",
        ),
        _cargo(),
        101,
    ),
    Recipe(
        "cargo",
        "build-errors",
        "cargo build",
        (
            "error[E0432]: unresolved import `std::collections::HashMapp`",
            "error[E0308]: mismatched types",
            "error[E0599]: no method named `length` found",
            "error[E0425]: cannot find value `undefined_berths`",
            "src/main.rs:3:",
            "src/main.rs:4:",
            "could not compile `ferry`",
        ),
        _cargo(_RUST_BROKEN),
        101,
    ),
    Recipe(
        "cargo",
        "clippy",
        "cargo clippy",
        ("needless_bool", "error: equal expressions as operands", "eq_op", "function `dead` is never used", "src/lib.rs:9:24"),
        _cargo(),
        101,
    ),
    Recipe(
        "rspec",
        "failures",
        "rspec",
        (
            "Ferry prices two",
            "expected: 90",
            "got: 80",
            "ArgumentError",
            "no group fares yet",
            "5 examples, 3 failures, 1 pending",
            "rspec ./spec/ferry_spec.rb:4",
        ),
        _ruby,
        1,
    ),
    Recipe(
        "rspec",
        "documentation",
        "rspec -fd",
        ("prices two (FAILED - 1)", "5 examples, 3 failures, 1 pending", "ferry.rb:3"),
        _ruby,
        1,
    ),
    Recipe(
        "phpunit",
        "failures",
        "phpunit tests",
        (
            "FareTest::testTwo",
            "two passengers",
            "FareTest::testNegative",
            "RangeException",
            "FareTest::testPorts",
            "Tests: 5, Assertions: 3, Errors: 1, Failures: 2, Skipped: 1.",
        ),
        _ruby,
        2,
    ),
    Recipe(
        "ctest",
        "failures",
        "ctest --test-dir build --output-on-failure",
        (
            "fare.wrong (Failed)",
            "fare(2): expected 90, got 80",
            "fare.crash (SEGFAULT)",
            "fare.slow (Timeout)",
            "25% tests passed, 3 tests failed out of 4",
        ),
        _c,
        8,
    ),
    Recipe(
        "bun-test",
        "failures",
        "bun test",
        (
            "(fail) two",
            "Expected: 90",
            "(fail) negative",
            "passengers must not be negative",
            "3 fail",
            "1 error",
            "1 pass",
            "ReferenceError: Deno is not defined",
        ),
        _typescript,
        1,
        tool="bun",
    ),
    Recipe(
        "deno-test",
        "failures",
        "deno test",
        ("two", "fare(2) is 80, not 90", "negative", "passengers must not be negative", "1 passed | 2 failed | 1 ignored"),
        _typescript,
        1,
        tool="deno",
    ),
]
