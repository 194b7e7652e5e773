"""poetry, pdm and hatch: what their cases cannot say."""

from __future__ import annotations

from token_saver.engine import CompressionEngine


def test_only_the_last_state_of_a_package_is_shown(engine: CompressionEngine) -> None:
    states = ("Pending...", "Downloading... 0%", "Downloading... 100%", "Installing...")
    text = "".join(f"  • Installing tide{n} (2.{n}): {state}\n" for state in states for n in range(12))
    text += "".join(f"  • Installing tide{n} (2.{n})\n" for n in range(12))
    result, _, _ = engine.compress("poetry install", text, exit_code=0)
    assert all(f"Installing tide{n} (2.{n})\n" in result for n in range(12))
    assert "48 earlier states of a package]" in result


def test_a_failed_installation_shows_its_last_state(engine: CompressionEngine) -> None:
    text = "  - Installing tide (2.0): Downloading... 10%\n  - Installing tide (2.0): Failed\n\n  Unable to find candidates\n"
    result, _, _ = engine.compress("poetry install", text, exit_code=1)
    assert "Installing tide (2.0): Failed" in result and "Unable to find candidates" in result


def test_version_solving_is_told_whole(engine: CompressionEngine) -> None:
    reason = "".join(f"And because ferry ({n}.0) depends on tide (>={n}), ferry is forbidden.\n" for n in range(30))
    text = f"Updating dependencies\nResolving dependencies... (1.2s)\n\n{reason}So, version solving failed.\n"
    result, _, _ = engine.compress("poetry update", text, exit_code=1)
    assert reason in result and "version solving failed." in result


def test_a_long_list_keeps_names_and_versions(engine: CompressionEngine) -> None:
    text = "".join(f"tide-{n:03}   2.{n}.0   A library that knows the tides of the northern harbors\n" for n in range(150))
    result, _, _ = engine.compress("poetry show", text, exit_code=0)
    assert all(f"tide-{n:03} 2.{n}.0" in result for n in range(150))
    assert " lines of which name and version are shown]" in result


def test_a_table_of_hatch_is_told_as_its_cells(engine: CompressionEngine) -> None:
    text = (
        "Standalone\n┏━━━━━━━━━┳━━━━━━━━━┓\n┃ Name    ┃ Type    ┃\n┡━━━━━━━━━╇━━━━━━━━━┩\n"
        "│ default │ virtual │\n└─────────┴─────────┘\n"
    )
    result, _, _ = engine.compress("hatch env show", text, exit_code=0)
    assert result == "Standalone\nName  Type\ndefault  virtual\n"
