"""nix: what its cases cannot say."""

from __future__ import annotations

from token_saver.engine import CompressionEngine

HASH = "4w40ykqmmyi8vrqrgbvqgsp9xsi6j0in"


def test_the_log_of_the_failed_builder_stays(engine: CompressionEngine) -> None:
    fetched = "".join(f"copying path '/nix/store/{HASH}-lib-{n}' from 'https://cache.example'...\n" for n in range(40))
    error = (
        f"error: builder for '/nix/store/{HASH}-tide.drv' failed with exit code 2;\n       last 2 log lines:\n"
        f"       > make: *** [Makefile:3: all] Error 1\n       > ink.h: No such file\n"
        f"       For full logs, run 'nix log /nix/store/{HASH}-tide.drv'.\n"
    )
    result, _, _ = engine.compress("nix build", fetched + error, exit_code=1)
    assert error.strip() in result
    assert "[… 40 lines of fetching]" in result


def test_long_lists_of_store_paths_name_their_packages(engine: CompressionEngine) -> None:
    text = "these 30 paths will be fetched (5.00 MiB download, 20.00 MiB unpacked):\n"
    text += "".join(f"  /nix/store/{HASH}-library-{n}\n" for n in range(30))
    result, _, _ = engine.compress("nix-shell -p tide", text, exit_code=0)
    assert f"/nix/store/{HASH}-library-0" in result
    assert all(f"library-{n}" in result for n in range(30)) and "25 store paths: library-5" in result


def test_retries_are_counted_and_the_reason_stays(engine: CompressionEngine) -> None:
    text = "".join(
        f"warning: error: unable to download 'https://cache.example/info': no host (6); retrying in {n}12 ms\n"
        for n in range(1, 9)
    )
    result, _, _ = engine.compress("nix build", f"{text}error: unable to download 'https://cache.example/info'\n", exit_code=1)
    assert "no host (6)" in result and result.rstrip().endswith("error: unable to download 'https://cache.example/info'")
    assert "retries]" in result
