"""brew, after its documented format: it cannot be installed where the tests are written."""

from __future__ import annotations

from token_saver.engine import CompressionEngine

INSTALL = """\
==> Downloading https://host.example/v2/homebrew/core/tide/manifests/2.0.3
######################################################################### 100.0%
==> Fetching dependencies for tide: libink and oniguruma
==> Installing tide dependency: libink
==> Pouring libink--1.0.arm64_sonoma.bottle.tar.gz
🍺  /opt/homebrew/Cellar/libink/1.0: 12 files, 1.2MB
==> Caveats
To start tide now and restart at login:
  brew services start tide
🍺  /opt/homebrew/Cellar/tide/2.0.3: 20 files, 1.4MB
==> Running `brew cleanup tide`...
Disable this behaviour by setting HOMEBREW_NO_INSTALL_CLEANUP.
Hide these hints with HOMEBREW_NO_ENV_HINTS (see `man brew`).
"""


def test_where_things_were_installed_and_caveats_stay(engine: CompressionEngine) -> None:
    result, processor, _ = engine.compress("brew install tide", INSTALL, exit_code=0)
    assert processor == "brew"
    assert "/opt/homebrew/Cellar/tide/2.0.3: 20 files, 1.4MB" in result and "brew services start tide" in result
    assert "#######" not in result and "HOMEBREW_NO_ENV_HINTS" not in result


def test_an_error_stays(engine: CompressionEngine) -> None:
    error = (
        "Error: tide: no bottle available!\nIf you're feeling brave, you can try to install from source with:\n"
        "  brew install --build-from-source tide\n"
    )
    result, _, _ = engine.compress("brew install tide", INSTALL.partition("==> Fetching")[0] + error, exit_code=1)
    assert error.strip() in result


def test_new_formulae_are_counted_and_outdated_ones_are_not(engine: CompressionEngine) -> None:
    text = "==> New Formulae\n" + "".join(f"new-{n}\n" for n in range(50)) + "\n==> Outdated Formulae\ntide\nferry\n"
    result, _, _ = engine.compress("brew update", text, exit_code=0)
    assert "==> Outdated Formulae\ntide\nferry" in result
    assert "lines of new formulae]" in result and "new-7" not in result
