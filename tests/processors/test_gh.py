"""gh and glab: checks, logs, lists and differences (formats of gh 2.x without a terminal)."""

from __future__ import annotations

import json

from token_saver.engine import CompressionEngine

CHECKS = "".join(f"build ({n})\tpass\t{n}m3s\thttps://github.example/harbor/quay/actions/runs/9/job/{n}\t\n" for n in range(20))
FAILING = "lint\tfail\t41s\thttps://github.example/harbor/quay/actions/runs/9/job/77\t\n"
PENDING = "deploy\tpending\t0\thttps://github.example/harbor/quay/actions/runs/9/job/78\t\n"


def log(job: str, step: str, *said: str) -> str:
    return "".join(f"{job}\t{step}\t2026-03-01T09:00:{n % 60:02}.1234567Z {line}\n" for n, line in enumerate(said))


def test_checks_that_did_not_pass_are_whole_and_the_others_named(engine: CompressionEngine) -> None:
    output, name, _ = engine.compress("gh pr checks 7", FAILING + CHECKS + PENDING, 8)
    assert name == "gh"
    assert FAILING.strip() in output and PENDING.strip() in output
    assert "20 checks that passed or were skipped" in output or "20 check" in output
    assert "build (13)" in output and "runs/9/job/13" not in output


def test_a_log_names_job_and_step_once_and_leaves_out_times(engine: CompressionEngine) -> None:
    text = log("test", "Set up job", "Current runner version: '2.320.0'", "##[group]Operating System", "Ubuntu", "##[endgroup]")
    text += log(
        "test",
        "Run pytest",
        *(f"tests/test_{n}.py ...." for n in range(20)),
        "E   assert 3 == 4",
        "##[error]Process completed with exit code 1.",
    )
    output, _, _ = engine.compress("gh run view 9 --log-failed", text, 0)
    for must in (
        "Current runner version: '2.320.0'",
        "test\tRun pytest",
        "E   assert 3 == 4",
        "##[error]Process completed with exit code 1.",
    ):
        assert must in output
    assert "2026-03-01T09:00" not in output and output.count("Run pytest") == 1
    assert len(output) < len(text) * 0.5


def test_a_long_log_keeps_its_errors(engine: CompressionEngine) -> None:
    text = log("build", "make", *(f"cc -c file_{n}.c and some words that fill the line" for n in range(3000)))
    text += log("build", "make", "file.c:3:5: error: 'tide' undeclared", "##[error]Process completed with exit code 2.")
    output, _, _ = engine.compress("gh run view --log", text, 0)
    assert "file.c:3:5: error: 'tide' undeclared" in output and "exit code 2" in output
    assert len(output) < len(text) * 0.1


def test_machine_formats_still_parse(engine: CompressionEngine) -> None:
    rows = [{"number": n, "title": f"issue {n}", "state": "OPEN"} for n in range(400)]
    output, _, _ = engine.compress("gh issue list --json number,title,state", json.dumps(rows), 0)
    assert json.loads(output)
    output, _, _ = engine.compress("gh api repos/harbor/quay/issues", json.dumps(rows), 0)
    assert json.loads(output)


def test_a_difference_loses_context_and_no_change(engine: CompressionEngine) -> None:
    same = "".join(f" line {n}\n" for n in range(400))
    text = "diff --git a/quay.py b/quay.py\nindex 1..2 100644\n--- a/quay.py\n+++ b/quay.py\n"
    text += f"@@ -1,401 +1,401 @@\n{same}-fare = 40\n+fare = 41\n"
    output, _, _ = engine.compress("gh pr diff 7", text, 0)
    assert "-fare = 40" in output and "+fare = 41" in output and len(output) < len(text) // 2


def test_a_list_keeps_every_number_and_title(engine: CompressionEngine) -> None:
    rows = "".join(f"{n}\tfix the tide of {n}\tfix-{n}\tOPEN\t2026-03-01T09:00:00Z\n" for n in range(30))
    output, _, _ = engine.compress("gh pr list", rows, 0)
    assert [n for n in range(30) if f"fix the tide of {n}" not in output] == []


def test_what_is_wrong_is_never_shortened(engine: CompressionEngine) -> None:
    text = "HTTP 404: Not Found (https://api.github.example/repos/harbor/none)\ngh: Not Found\n"
    assert engine.compress("gh pr view 9", text, 1)[0] == text
