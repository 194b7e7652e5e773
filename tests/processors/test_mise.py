"""mise and asdf, after their documented formats: they cannot be installed where the tests are written."""

from __future__ import annotations

from token_saver.engine import CompressionEngine


def test_installed_tools_stay_and_downloads_are_counted(engine: CompressionEngine) -> None:
    steps = "".join(f"mise node@20.1.0    [{n}/3] download node-v20.1.0-linux-x64.tar.gz\n" for n in range(1, 4))
    result, processor, _ = engine.compress("mise install", f"{steps}mise node@20.1.0  ✓ installed\n", exit_code=0)
    assert processor == "mise"
    assert "mise node@20.1.0  ✓ installed" in result and "[… 3 lines of progress]" in result


def test_an_error_stays(engine: CompressionEngine) -> None:
    text = "mise ERROR no version found for node@99\nmise ERROR Run with --verbose or MISE_VERBOSE=1 for more information\n"
    result, _, _ = engine.compress("mise use node@99", text * 2, exit_code=1)
    assert "mise ERROR no version found for node@99" in result


def test_a_table_loses_its_padding_only(engine: CompressionEngine) -> None:
    text = (
        "Tool    Version   Source                   Requested\nnode    20.1.0    ~/.tool-versions         20\n"
        "python  3.11.7    ~/.tool-versions         3.11\n"
    )
    result, _, _ = engine.compress("mise ls", text, exit_code=0)
    assert result == "Tool Version Source Requested\nnode 20.1.0 ~/.tool-versions 20\npython 3.11.7 ~/.tool-versions 3.11\n"
