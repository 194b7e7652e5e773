"""How likely a rank is looked at, and so how much it says that a row shown there was not fetched."""

from __future__ import annotations

from math import log2


def examined(rank: int) -> float:
    """Return the probability that the row at *rank* (from 1) was looked at: ``1 / log2(rank + 1)``.

    The usual discount of position-based click models, taken as it is until the log can say better.
    """
    return 1.0 / log2(rank + 1)
