"""apt and dpkg: what their cases cannot say."""

from __future__ import annotations

from token_saver.engine import CompressionEngine


def test_an_upgrade_keeps_old_and_new_versions(engine: CompressionEngine) -> None:
    text = "".join(
        f"Get:{n} http://mirror.example stable/main amd64 lib{n} amd64 2.{n} [12 kB]\n"
        f"Preparing to unpack .../{n}-lib{n}_2.{n}_amd64.deb ...\nUnpacking lib{n} (2.{n}) over (1.{n}) ...\n"
        for n in range(20)
    ) + "".join(f"Setting up lib{n} (2.{n}) ...\n" for n in range(20))
    result, _, _ = engine.compress("apt-get upgrade -y", text, exit_code=0)
    assert all(f"Unpacking lib{n} (2.{n}) over (1.{n})" in result and f"Setting up lib{n} (2.{n})" in result for n in range(20))
    assert "[… 20 lines of fetching, 20 lines of unpacking]" in result


def test_unpacking_what_was_never_set_up_stays(engine: CompressionEngine) -> None:
    text = (
        "Unpacking tide (2.0) ...\nUnpacking ferry (1.2) ...\nSetting up tide (2.0) ...\n"
        "dpkg: error processing archive ferry.deb (--unpack):\n trying to overwrite '/usr/bin/f', which is also in package f 1\n"
        "Errors were encountered while processing:\n ferry.deb\nE: Sub-process /usr/bin/dpkg returned an error code (1)\n"
    )
    result, _, _ = engine.compress("apt-get install -y ferry", text, exit_code=100)
    assert "Unpacking ferry (1.2) ..." in result
    assert text.partition("Setting up tide")[2] in result


def test_odd_states_of_dpkg_stay_in_a_long_list(engine: CompressionEngine) -> None:
    head = (
        "Desired=Unknown/Install\n| Status=Not/Inst\n|/ Err?=(none)\n||/ Name  Version  Architecture Description\n"
        "+++-====-=====-====-====\n"
    )
    rows = [f"ii  lib{n:<30} 1.{n:<20} amd64        a library for the harbors of the north\n" for n in range(600)]
    rows[300] = f"iU  {'half':<33} {'3.0':<22} amd64        unpacked, but not set up\n"
    result, _, _ = engine.compress("dpkg -l", head + "".join(rows), exit_code=0)
    assert "\niU half 3.0\n" in result
    assert all(f"lib{n}" in result for n in range(600) if n != 300)


def test_names_that_no_later_line_tells_stay(engine: CompressionEngine) -> None:
    text = (
        "The following NEW packages will be installed:\n  ferry tide\n"
        "0 upgraded, 2 newly installed, 0 to remove and 0 not upgraded.\nE: You don't have enough free space in /var/cache/apt.\n"
    )
    result, _, _ = engine.compress("apt-get install ferry", text, exit_code=100)
    assert "  ferry tide" in result and "E: You don't have enough free space" in result


def test_what_a_search_says_about_the_first_hits_stays(engine: CompressionEngine) -> None:
    text = "".join(f"lib{n}-dev - a library number {n} that draws maps of harbors\n" for n in range(400))
    result, _, _ = engine.compress("apt-cache search harbor", text, exit_code=0)
    assert "lib0-dev - a library number 0 that draws maps of harbors" in result
    assert "lines of which the name is shown: lib" in result


def test_another_language_is_left_whole_but_for_what_is_the_same_in_all(engine: CompressionEngine) -> None:
    text = (
        "Paketlisten werden gelesen…\nDie folgenden NEUEN Pakete werden installiert:\n  ferry\n"
        "ferry (1.2) wird eingerichtet ...\nE: Paket tide kann nicht gefunden werden.\n"
    )
    result, _, _ = engine.compress("apt-get install ferry tide", text, exit_code=100)
    assert result == text
