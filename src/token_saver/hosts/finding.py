"""What ``token-saver doctor`` says about one thing that it looked at."""

from __future__ import annotations

from typing import NamedTuple

OK, NOTE, WRONG = "ok", "note", "wrong"
AGAIN = "run `token-saver init` again"


class Finding(NamedTuple):
    """One thing that was looked at; ``state`` is OK, NOTE or WRONG."""

    subject: str
    state: str
    what: str
    advice: str = ""
