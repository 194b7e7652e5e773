"""The page: complete by itself, escaped, readable by a browser, in light and dark, by keyboard and by name."""

from __future__ import annotations

import pathlib
import re
import shutil
import struct
import subprocess
import zlib
from html.parser import HTMLParser
from typing import Any

import pytest
from tests.telemetry.records import run, tracker

from token_saver.telemetry import page, report, spool
from token_saver.telemetry.prices import load
from token_saver.telemetry.queries import ALL, Scope, Statistics, since

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DAY = 86_400
EVIL = "<script>alert(1)</script>"


@pytest.fixture
def made(tmp_path: pathlib.Path) -> str:
    """The page of a few weeks, with a day of loss and a name that looks like markup."""
    records = [
        run(
            -day * DAY - number,
            session=f"{day}",
            check=number,
            command=command,
            processor=name,
            original=9_000 + 100 * day,
            shown=900,
        )
        for day in range(20)
        for number, (name, command) in enumerate([("git", "git log"), ("pytest", "pytest"), ("make", EVIL)])
    ]
    records += [run(-5 * DAY, kind=spool.RECALL, shown=90_000), run(-1, kind=spool.MISMATCH, processor=EVIL)]
    tracker(tmp_path).add(records)
    with tracker(tmp_path).opened() as connection:
        asked = Statistics(connection, Scope(ALL))
        families, commands, days = (asked.groups(by) for by in ("processor", "command", "day"))
        scopes = {"today": asked.sums(), "all": asked.sums()}
        returns = asked.mismatches(), asked.recalls()
        found = report.Found(scopes, ALL, families, commands, days, *returns, since(connection))
    return page.rendered(report.made(found, report.Basis(4.0, load().of())))


class _Reader(HTMLParser):
    """Collects elements and checks that they are closed in order."""

    VOID = ("meta", "br", "line", "input", "link")

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, Any]]] = []
        self.open: list[str] = []
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def read(text: str) -> _Reader:
    reader = _Reader()
    reader.feed(text)
    return reader


def test_it_needs_nothing_but_itself(made: str) -> None:
    reader = read(made)
    assert (reader.wrong, reader.open) == ([], [])
    assert not {"script", "link", "img", "iframe"} & {tag for tag, _ in reader.found}
    addresses = [value for _, attrs in reader.found for name, value in attrs.items() if name in ("src", "href", "xlink:href")]
    assert addresses == ["#main"]
    assert "default-src 'none'" in made


def test_what_was_recorded_is_never_markup(made: str) -> None:
    assert EVIL not in made
    assert "&lt;script&gt;" in made


def test_everything_has_a_name_and_can_be_reached(made: str) -> None:
    found = read(made).found
    ids = {attrs["id"] for _, attrs in found if "id" in attrs}
    assert all(attrs["aria-labelledby"] in ids for tag, attrs in found if tag == "section")
    assert all(attrs.get("aria-label") and attrs["role"] == "img" for tag, attrs in found if tag == "svg")
    assert all(attrs.get("scope") in ("col", "row") for tag, attrs in found if tag == "th")
    assert all(attrs.get("tabindex") == "0" and attrs.get("aria-label") for _, attrs in found if attrs.get("class") == "scroll")
    assert [attrs.get("lang") for tag, attrs in found if tag == "html"] == ["en"]
    tags = [tag for tag, _ in found]
    assert tags.count("table") == tags.count("caption")
    assert [tags.count(tag) for tag in ("main", "h1")] == [1, 1]


@pytest.mark.parametrize("start", [":root { color-scheme", "prefers-color-scheme: dark"])
def test_text_stands_out_from_its_ground(made: str, start: str) -> None:
    colours = dict(re.findall(r"--(\w+): (#\w{6})", made[made.index(start) :].split("}")[0]))
    for text in ("ink", "soft", "focus"):
        for ground in ("paper", "card"):
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    for shape in ("bar", "loss"):
        assert contrast(colours[shape], colours["paper"]) >= 3, shape


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as WCAG 2.2 defines it."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
@pytest.mark.parametrize(
    ("scheme", "ground", "bar"), [("1", "ffffff", "0a6b58"), ("0", "0d1117", "3fb99b")], ids=["light", "dark"]
)
def test_a_browser_shows_it(made: str, tmp_path: pathlib.Path, scheme: str, ground: str, bar: str) -> None:
    (tmp_path / "page.html").write_text(made, encoding="utf-8")
    shot = tmp_path / "page.png"
    argv = [
        str(CHROMIUM),
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={tmp_path}/profile",
        "--hide-scrollbars",
    ]
    argv += [
        f"--blink-settings=preferredColorScheme={scheme}",
        "--window-size=700,1200",
        "--force-device-scale-factor=0.5",
        f"--screenshot={shot}",
    ]
    env = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    subprocess.run([*argv, f"file://{tmp_path}/page.html"], check=True, capture_output=True, timeout=60, env=env)
    pixels = _pixels(shot.read_bytes())
    assert len(pixels) == 350 * 600
    assert pixels.count(bytes.fromhex(ground)) > len(pixels) // 2, "the ground is not what the scheme says"
    assert pixels.count(bytes.fromhex(bar)) > 300, "there are no bars"


def _pixels(png: bytes) -> list[bytes]:
    """Return the colours of the pixels of a PNG with 8 bits a channel, row by row (filters of RFC 2083, section 6)."""
    at, data, width, channels = 8, b"", 0, 3
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, _, _, colour = struct.unpack(">IIBB", body[:10])
            channels = {2: 3, 6: 4}[colour]
        elif kind == b"IDAT":
            data += body
        at += size + 12
    raw, step = zlib.decompress(data), width * channels
    before, pixels = bytearray(step), []
    for start in range(0, len(raw), step + 1):
        line = _unfiltered(raw[start], bytearray(raw[start + 1 : start + 1 + step]), before, channels)
        pixels += [bytes(line[place : place + 3]) for place in range(0, step, channels)]
        before = line
    return pixels


def _unfiltered(kind: int, line: bytearray, above: bytearray, channels: int) -> bytearray:
    for place in range(len(line)) if kind else ():
        left = line[place - channels] if place >= channels else 0
        corner = above[place - channels] if place >= channels else 0
        up = above[place]
        guess = (left, up, (left + up) // 2, _nearest(left, up, corner))[kind - 1]
        line[place] = (line[place] + guess) & 0xFF
    return line


def _nearest(left: int, up: int, corner: int) -> int:
    estimate = left + up - corner
    return min((left, up, corner), key=lambda value: abs(estimate - value))
