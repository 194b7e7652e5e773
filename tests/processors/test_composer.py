"""composer: what its cases cannot say."""

from __future__ import annotations

from token_saver.engine import CompressionEngine


def test_locked_packages_that_are_not_installed_stay(engine: CompressionEngine) -> None:
    text = "Lock file operations: 2 installs, 1 update, 0 removals\n  - Locking sea/tide (2.0)\n  - Locking sea/ferry (1.2)\n"
    text += "  - Upgrading sea/buoy (0.1 => 0.2)\nPackage operations: 1 install, 0 updates, 0 removals\n"
    text += "  - Downloading sea/tide (2.0)\n  - Installing sea/tide (2.0): Extracting archive\n"
    result, _, _ = engine.compress("composer update", text, exit_code=0)
    assert "Locking sea/ferry (1.2)" in result and "Upgrading sea/buoy (0.1 => 0.2)" in result
    assert "Locking sea/tide" not in result and "Installing sea/tide (2.0)" in result


def test_problems_are_told_whole_and_advice_is_counted(engine: CompressionEngine) -> None:
    problems = "".join(
        f"  Problem {n}\n    - Root composer.json requires sea/p{n} ^{n}, it could not be found.\n" for n in range(40)
    )
    advice = (
        "Potential causes:\n - A typo in the package name\n - It's a private package and you forgot to add a custom repository\n"
    )
    result, _, _ = engine.compress("composer update", f"{problems}\n{advice}", exit_code=2)
    assert problems.strip() in result
    assert "[… 3 lines of general advice]" in result


def test_advisories_and_abandoned_packages_stay(engine: CompressionEngine) -> None:
    text = (
        "Package sea/old is abandoned, you should avoid using it. Use sea/new instead.\n"
        "3 packages you are using are looking for funding.\nUse the `composer fund` command to find out more!\n"
        "Found 1 security vulnerability advisory affecting 1 package.\n"
    )
    result, _, _ = engine.compress("composer install", text, exit_code=0)
    assert "Use sea/new instead." in result and "Found 1 security vulnerability advisory" in result
    assert "[… 2 lines of funding]" in result
