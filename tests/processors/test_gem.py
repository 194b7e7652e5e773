"""gem and bundle: what their cases cannot say."""

from __future__ import annotations

from token_saver.engine import CompressionEngine


def test_unchanged_gems_of_a_large_bundle_are_told_by_name_and_version(engine: CompressionEngine) -> None:
    text = "".join(f"Using gem-{n} 1.{n}.0\n" for n in range(150)) + "Fetching tide 2.0.3\nInstalling tide 2.0.3 (was 1.0.0)\n"
    result, _, _ = engine.compress("bundle update", text + "Bundle updated!\n", exit_code=0)
    assert all(f"gem-{n} 1.{n}.0" in result for n in range(150))
    assert "Installing tide 2.0.3 (was 1.0.0)\nBundle updated!" in result
    assert "150 gems in use already: gem-0 1.0.0" in result


def test_a_conflict_is_told_whole(engine: CompressionEngine) -> None:
    text = "Resolving dependencies...\nCould not find compatible versions\n\n"
    text += "".join(
        f"And because ferry >= {n}.0 depends on tide ~> {n}.0,\n  ferry is incompatible with tide.\n" for n in range(40)
    )
    result, _, _ = engine.compress("bundle install", text + "So, version solving has failed.\n", exit_code=6)
    assert text.partition("dependencies...\n")[2].strip() in result


def test_a_check_that_failed_stays_among_those_that_did_not(engine: CompressionEngine) -> None:
    checks = (
        "".join(f"checking for function_{n}()... yes\n" for n in range(50))
        + "checking for ink.h... no\n*** extconf.rb failed ***\n"
    )
    result, _, _ = engine.compress("gem install buoy", checks, exit_code=1)
    assert "checking for ink.h... no\n*** extconf.rb failed ***" in result
    assert "[… 50 checks that went well]" in result
