"""kubectl, helm and their kin."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors.tables import read_tables
from token_saver.text import Recast, Rules, allowance, rx, sieve
from token_saver.text.diffs import FileDiff, split, squeeze_diff
from token_saver.text.markers import marker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

LEAST = 4

_YAML = rx(r"---\s*$|apiVersion: |kind: |# Source: ")
_BULKY = rx(r"(?P<indent> *)(?P<key>managedFields|binaryData|caBundle|x-kubernetes-validations):\s*$")
_SCHEMA = rx(r"(?P<indent> *)(?P<key>openAPIV3Schema|validation):\s*$")
_APPLIED = rx(r"(?P<indent> *)(?P<key>kubectl\.kubernetes\.io/last-applied-configuration):")


class KubernetesProcessor(Family):
    """Manifests stay valid with what the cluster adds to them counted; tables by exceptional rows and names."""

    name = "kubernetes"
    priority = 35
    commands = ("kubectl", "oc", "helm", "kustomize", "k9s", "minikube", "kind", "skaffold", "argocd", "stern", "kubetail")

    quiet = Rules({r"[IW]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ \S+\] (?:Waiting|Caches are synced)": "line of waiting"})

    def _markup(self, capture: Capture) -> list[Piece] | None:
        """Leave a manifest with bookkeeping in it to ``manifest``, which tells that first."""
        return None if any(map(_BULKY.match, capture.lines)) else super()._markup(capture)

    def read(self, capture: Capture) -> Iterable[Piece]:
        lines = capture.lines
        if any(_YAML.match(line) for line in lines[:3]):
            return manifest(lines, allowance(len(capture.text)))
        if any(isinstance(part, FileDiff) for part in split(lines)):
            return squeeze_diff(lines, allowance(len(capture.text)))
        if capture.command.starts("kubectl diff"):
            return lines
        return read_tables(lines) if len(capture.text) > 300 else sieve(lines, self.quiet)


def manifest(lines: Sequence[str], budget: int) -> Iterator[Piece]:
    """Yield YAML in which bookkeeping, and schemas once the text is over *budget*, stand as text that counts their lines."""
    over = sum(map(len, lines)) + len(lines) > budget
    index = 0
    while index < len(lines):
        found = _BULKY.match(lines[index]) or _APPLIED.match(lines[index])
        if found is None and over:
            found = _SCHEMA.match(lines[index])
        end = _end(lines, index, len(found.group("indent"))) if found is not None else index + 1
        if found is not None and _is_bookkeeping(found.group("key"), lines, index, end):
            text = marker([(end - index - 1, "line", "")])
            yield Recast(f'{found.group("indent")}{found.group("key")}: "{text}"', lines[index:end])
        else:
            yield from lines[index:end]
        index = end


def _is_bookkeeping(key: str, lines: Sequence[str], start: int, end: int) -> bool:
    """Tell whether a block is long enough for its count to be shorter."""
    size = sum(len(line) + 1 for line in lines[start:end])
    return size > 200 if key.endswith("configuration") else end - start > LEAST


def _end(lines: Sequence[str], start: int, indent: int) -> int:
    """Return where the block below the key on line *start* ends; items of a list may stand as deep as their key."""
    end = start + 1
    while end < len(lines):
        text = lines[end].lstrip(" ")
        depth = len(lines[end]) - len(text)
        if text and depth <= indent and not (depth == indent and text.startswith("- ")):
            break
        end += 1
    while end > start + 1 and not lines[end - 1].strip():
        end -= 1
    return end
