"""The toolkit that processors are made of.

Readers (``sections``, ``blocks``, ``paragraphs``, ``table``, ``group``) split lines into shapes and lose nothing. Folders
(``sieve``, ``fold``, ``cap``, ``ends``, ``runs``, ``repeats``, ``select``, ``tree``) turn lines into pieces.
"""

from __future__ import annotations

from token_saver.text.folders import Rules, allowance, cap, ends, fold, narrowed, repeats, runs, select, sieve, tree
from token_saver.text.markers import cut
from token_saver.text.pieces import Fold, Recast
from token_saver.text.readers import Heads, Row, Section, blocks, group, paragraphs, sections, table
from token_saver.text.rx import Rx, rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from token_saver.text.pieces import Piece as Piece

__all__ = [
    "Fold",
    "Heads",
    "Recast",
    "Row",
    "Rules",
    "Rx",
    "Section",
    "allowance",
    "blocks",
    "cap",
    "cut",
    "ends",
    "fold",
    "group",
    "narrowed",
    "paragraphs",
    "repeats",
    "runs",
    "rx",
    "sections",
    "select",
    "sieve",
    "table",
    "tree",
]
