"""pnpm: what its cases cannot say."""

from __future__ import annotations

from token_saver.engine import CompressionEngine


def test_the_last_state_of_progress_stays(engine: CompressionEngine) -> None:
    states = "".join(f"Progress: resolved {n}, reused 0, downloaded {n}, added {n}\n" for n in range(40))
    text = f"{states}Progress: resolved 40, reused 0, downloaded 40, added 40, done\n\ndependencies:\n+ chalk 5.3.0\n"
    result, _, _ = engine.compress("pnpm install", text, exit_code=0)
    assert "added 40, done" in result and "+ chalk 5.3.0" in result
    assert "[… 40 lines of progress]" in result


def test_warnings_and_ignored_scripts_stay(engine: CompressionEngine) -> None:
    text = (
        " WARN  5 deprecated subdependencies found: glob@7.2.3, inflight@1.0.6\nPackages: +2\n++\n"
        "╭ Warning ──────────────────────────────╮\n│                                       │\n"
        "│   Ignored build scripts: esbuild.     │\n"
        "╰───────────────────────────────────────╯\n"
    )
    result, _, _ = engine.compress("pnpm install", text, exit_code=0)
    assert "glob@7.2.3, inflight@1.0.6" in result and "Ignored build scripts: esbuild." in result


def test_the_output_of_a_workspace_script_is_not_touched(engine: CompressionEngine) -> None:
    text = (
        "Scope: 2 of 3 workspace projects\npackages/a build$ tsc\npackages/a build: src/a.ts(1,1): error TS1005: ';' expected.\n"
    )
    result, _, _ = engine.compress("pnpm run -r build", text, exit_code=1)
    assert result == text
