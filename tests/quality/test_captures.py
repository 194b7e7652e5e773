from __future__ import annotations

import gzip
import importlib
from typing import TYPE_CHECKING

import pytest
from tests.quality.folders import TEXT

from token_saver.errors import InputError
from token_saver.replay.captures import read_capture

if TYPE_CHECKING:
    import pathlib


def zstandard(text: str) -> bytes:
    packed: bytes = importlib.import_module("zstandard").compress(text.encode())
    return packed


@pytest.mark.parametrize("name", ["../outside.txt", "/etc/hostname", "link.txt", "missing.txt", "sub", "nul\0.txt"])
def test_a_capture_must_lie_beside_the_manifest(tmp_path: pathlib.Path, name: str) -> None:
    inside = tmp_path / "inside"
    (inside / "sub").mkdir(parents=True)
    (tmp_path / "outside.txt").write_text("secret")
    (inside / "link.txt").symlink_to(tmp_path / "outside.txt")
    with pytest.raises(InputError, match=r"must lie in the folder|no such file"):
        read_capture(inside, name, 1000)


def test_a_capture_is_bounded_and_utf8(tmp_path: pathlib.Path) -> None:
    (tmp_path / "large.txt").write_text("x" * 1001)
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9")
    with pytest.raises(InputError, match="max_output_bytes"):
        read_capture(tmp_path, "large.txt", 1000)
    with pytest.raises(InputError, match="not UTF-8 at byte 3"):
        read_capture(tmp_path, "latin.txt", 1000)


@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_a_packed_capture_is_unpacked_and_bounded(tmp_path: pathlib.Path, ending: str) -> None:
    pack = {"gz": lambda text: gzip.compress(text.encode()), "zst": zstandard}[ending]
    (tmp_path / f"a.txt.{ending}").write_bytes(pack(TEXT))
    (tmp_path / f"two.txt.{ending}").write_bytes(pack(TEXT) + pack(TEXT))
    (tmp_path / f"bomb.txt.{ending}").write_bytes(pack("x" * 10_000_000))
    assert read_capture(tmp_path, f"a.txt.{ending}", 10_000) == TEXT
    assert read_capture(tmp_path, f"two.txt.{ending}", 10_000) == TEXT * 2
    with pytest.raises(InputError, match="max_output_bytes"):
        read_capture(tmp_path, f"bomb.txt.{ending}", 10_000)


@pytest.mark.parametrize("ending", ["gz", "zst"])
@pytest.mark.parametrize("damage", ["short", "garbage", "middle"])
def test_a_damaged_packed_capture_is_refused(tmp_path: pathlib.Path, ending: str, damage: str) -> None:
    text = "".join(str(number * number) for number in range(20_000))
    packed = {"gz": lambda text: gzip.compress(text.encode()), "zst": zstandard}[ending](text)
    middle = len(packed) // 2
    made = {"short": packed[:-5], "garbage": b"no such format", "middle": packed[:middle] + bytes(40) + packed[middle + 40 :]}
    (tmp_path / f"a.{ending}").write_bytes(made[damage])
    with pytest.raises(InputError, match=r"cannot be read|not UTF-8"):
        read_capture(tmp_path, f"a.{ending}", 1_000_000)
