"""Clients of clouds: aws, gcloud, az."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors.tables import read_tables
from token_saver.text import Fold, allowance, rx
from token_saver.text.columns import is_boxed, squeeze, tabular
from token_saver.text.inventory import Item, inventory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

MANY = 40
_CHOICES = rx(r".*(?:Invalid choice|invalid choice|maybe you meant|valid choices are)")
_CHOICE = rx(r"[\w-]+ +\| [\w-]+\s*$|[\w-]+ +\|?\s*$|[\w-]+$|\s*$")
_OBJECT = rx(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +[\d.]+(?: \w+)? (?P<name>.+)")


class CloudProcessor(Family):
    """Documents stay documents, tables keep exceptional rows and names, errors stay; of many choices the near ones."""

    name = "cloud"
    priority = 37
    commands = ("aws", "gcloud", "az", "gsutil", "bq", "eksctl", "awslocal", "ibmcloud", "oci", "linode-cli", "wrangler", "fly")

    def read(self, capture: Capture) -> Iterable[Piece]:
        lines = capture.lines
        start = next((index for index, line in enumerate(lines) if _CHOICES.match(line)), None)
        if start is not None:
            return _choices(lines, start + 1, {word for word in capture.command.words if word[:1] != "-"})
        if sum(1 for line in lines[:50] if is_boxed(line)) * 2 > len(lines[:50]):
            return tabular(lines) if len(capture.text) <= allowance(len(capture.text)) * 3 else read_tables(lines)
        if sum(1 for line in lines[:50] if _OBJECT.match(line)) * 2 > len(lines[:50]):
            return inventory([_object(line) for line in lines], allowance(len(capture.text)), "object")
        return read_tables(lines)


def _object(line: str) -> Item:
    found = _OBJECT.match(line)
    if found is None:
        return Item(line, line, [("", line.strip())], 2)
    folder, _, base = found.group("name").rpartition("/")
    return Item(line, squeeze(line), [("", found.group("name")), (folder, base)])


def _choices(lines: Sequence[str], start: int, words: set[str]) -> list[Piece]:
    """Keep what leads to a list of many choices, and of it those that share a word with the command."""
    end = start
    while end < len(lines) and _CHOICE.match(lines[end]):
        end += 1
    if end - start <= MANY:
        return list(lines)
    parts = {part for word in words for part in word.split("-") if len(part) > 2}
    near = [line for line in lines[start:end] if any(part in line for part in parts)]
    shown = set(near[:MANY])
    pieces: list[Piece] = list(lines[:start])
    pieces += [line if line in shown else Fold([line], "line of other choices", known=True) for line in lines[start:end]]
    return [*pieces, *lines[end:]]
