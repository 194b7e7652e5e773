"""uv: what its cases cannot say."""

from __future__ import annotations

from token_saver.engine import CompressionEngine


def test_a_failed_resolution_behind_downloads_is_told_whole(engine: CompressionEngine) -> None:
    reason = (
        "error: No solution found when resolving dependencies\n"
        "  cause: Because ferry==1.2 depends on tide>=2.0 and you require ferry==1.2, we can conclude that you require\n"
        "         tide>=2.0.\n"
    )
    text = "".join(f"Downloading p{n} (1.2MiB)\n Downloaded p{n}\n" for n in range(20)) + reason
    result, _, _ = engine.compress("uv add ferry==1.2", text, exit_code=1)
    assert reason.strip() in result
    assert "[… 40 lines of download progress]" in result


def test_what_was_changed_stays_with_versions(engine: CompressionEngine) -> None:
    changes = (
        "".join(f" - tide=={n}.0\n + tide=={n}.1\n" for n in range(40)) + " ~ harbor==0.9.1 (from file:///home/dev/harbor)\n"
    )
    result, _, _ = engine.compress(
        "uv sync", f"Resolved 41 packages in 9ms\nUninstalled 40 packages in 1ms\n{changes}", exit_code=0
    )
    assert all(f" - tide=={n}.0" in result and f" + tide=={n}.1" in result for n in range(40))
    assert "Uninstalled 40 packages" in result and "~ harbor==0.9.1" in result


def test_a_warning_printed_behind_a_progress_bar_stays(engine: CompressionEngine) -> None:
    text = (
        "█████░░░ [0/21] Installing wheels...                    warning: Failed to hardlink files; falling back to full copy.\n"
    )
    result, _, _ = engine.compress("uv sync", text * 2, exit_code=0)
    assert result.startswith("warning: Failed to hardlink files; falling back to full copy.")


def test_debug_lines_are_counted_but_a_failure_among_them_is_not(engine: CompressionEngine) -> None:
    text = "".join(f"DEBUG Searching for compatible version of p{n}\n" for n in range(60))
    result, _, _ = engine.compress("uv lock -v", f"{text}error: Failed to fetch: `https://host.example/simple/p/`\n", exit_code=2)
    assert "error: Failed to fetch: `https://host.example/simple/p/`" in result
    assert "[… 60 debug lines]" in result


def test_trees_and_lists_of_uv_pip_are_read_as_such(engine: CompressionEngine) -> None:
    tree = "app v0.1.0\n" + "".join(f"├── p{n} v{n}.0\n│   └── shared v1.0 (*)\n" for n in range(400))
    result, _, _ = engine.compress("uv pip tree", tree, exit_code=0)
    assert "400 repeated packages]" in result
    assert " p399 v399.0" in result
