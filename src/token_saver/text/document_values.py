"""The values of a JSON document, with what a plain dictionary would lose: duplicate keys and numbers as they were written."""

from __future__ import annotations

TYPE_CHECKING = False


class Pairs(list["tuple[str, Value]"]):
    """An object of a document, as pairs: a key may stand twice."""

    __slots__ = ()


class Literal(str):
    """A number of a document, as it was written."""

    __slots__ = ()


if TYPE_CHECKING:
    Value = str | Literal | bool | None | Pairs | list["Value"]
