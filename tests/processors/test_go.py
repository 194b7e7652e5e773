"""go: what its cases cannot say."""

from __future__ import annotations

import json

from token_saver.engine import CompressionEngine

_RACE = """\
==================
WARNING: DATA RACE
Write at 0x00c000138168 by goroutine 8:
  harbor/ferry.TestFare.func1()
      /srv/ferry/fare_test.go:9 +0x39

Previous write at 0x00c000138168 by goroutine 7:
  harbor/ferry.TestFare()
      /srv/ferry/fare_test.go:12 +0x105
  testing.tRunner()
      /usr/local/go/src/testing/testing.go:1439 +0x213
==================
"""


def test_a_race_keeps_both_accesses(engine: CompressionEngine) -> None:
    text = (
        "=== RUN   TestFare\n"
        + _RACE
        + "    testing.go:1312: race detected\n--- FAIL: TestFare (0.00s)\nFAIL\nFAIL\tferry\t0.005s\n"
    )
    result, processor, _ = engine.compress("go test -race -v ./...", text, exit_code=1)
    assert processor == "go"
    assert "WARNING: DATA RACE" in result
    assert "/srv/ferry/fare_test.go:9" in result
    assert "/srv/ferry/fare_test.go:12" in result
    assert "/usr/local/go/src/testing" not in result


def test_a_package_that_does_not_build_is_told_beside_those_that_pass(engine: CompressionEngine) -> None:
    passing = "".join(f"ok  \tharbor/p{n}\t0.01s\n" for n in range(40))
    broken = "# harbor/cart\ncart/cart.go:28:2: undefined: total\nFAIL\tharbor/cart [build failed]\nFAIL\n"
    result, _, _ = engine.compress("go test ./...", passing + broken, exit_code=1)
    assert "cart/cart.go:28:2: undefined: total" in result
    assert "harbor/cart [build failed]" in result
    assert "[… 37 passing packages]" in result


def test_output_of_a_passing_test_is_counted_and_that_of_a_failing_one_kept(engine: CompressionEngine) -> None:
    fine = "".join(
        f"=== RUN   TestFine{n}\n    fine_test.go:{n}: all is well\n--- PASS: TestFine{n} (0.00s)\n" for n in range(20)
    )
    bad = "=== RUN   TestBad\n    bad_test.go:7: want 3\n--- FAIL: TestBad (0.00s)\nFAIL\nFAIL\tp\t0.01s\n"
    result, _, _ = engine.compress("go test -v ./...", fine + bad, exit_code=1)
    assert "all is well" not in result
    assert "=== RUN   TestBad\n    bad_test.go:7: want 3\n--- FAIL: TestBad" in result


def test_events_stay_events(engine: CompressionEngine) -> None:
    events: list[dict[str, object]] = [{"Action": "run", "Package": "p", "Test": f"T{n}"} for n in range(30)]
    events += [{"Action": "output", "Package": "p", "Test": "T3", "Output": "    a_test.go:3: bad\n"}]
    events += [{"Action": "pass" if n != 3 else "fail", "Package": "p", "Test": f"T{n}", "Elapsed": 0} for n in range(30)]
    text = "".join(json.dumps(event, separators=(",", ":")) + "\n" for event in events)
    result, _, _ = engine.compress("go test -json ./...", text, exit_code=1)
    kept = [line for line in result.splitlines() if not line.startswith("[… ")]
    assert [json.loads(line)["Action"] for line in kept] == ["output", "fail"]


def test_the_only_line_of_a_failed_build_stays(engine: CompressionEngine) -> None:
    line = "package ferry/cmd/servr is not in std (/usr/local/go/src/ferry/cmd/servr)\n"
    assert engine.compress("go build -o bin/server ./cmd/servr", line, exit_code=1)[0] == line


def test_what_a_program_prints_is_no_test_result(engine: CompressionEngine) -> None:
    text = "".join(f"--- PASS: not a test {n}\nok  \tthis is data {n}\n" for n in range(3))
    assert engine.compress("go run ./cmd/print", text, exit_code=0)[0] == text
