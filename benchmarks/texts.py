"""Text of any size that looks like what tools print, the same at every call."""

from __future__ import annotations

import random
from collections.abc import Iterator

PLANTED = (
    "ERROR [main] store.Volume - disk sda1 is gone",
    "ERROR [main] ledger.Book - out of balance by 12.50, refused",
    "FATAL [main] keys.Store - sealed, cannot open",
    "ERROR [main] tenants.Quota - used up, giving up on tenant north",
    "ERROR [main] replica.Set - lost its leader",
)
"""Lines that an agent looks for, and that stand once each in a log."""

_LEVELS = ["INFO"] * 90 + ["DEBUG"] * 5 + ["WARN"] * 4 + ["ERROR"]
_WORKERS = 32


def service_log(size: int, planted: bool = True) -> Iterator[bytes]:
    """Yield a service's log of about *size* bytes in pieces: one line in a hundred is an error that is always the same."""
    chance = random.Random(20_000)
    waiting = list(PLANTED) if planted else []
    made = number = 0
    while made < size:
        lines = []
        for _ in range(500):
            number += 1
            lines.append(_line(chance, number))
        if waiting and made > size * (len(PLANTED) - len(waiting) + 0.5) / len(PLANTED):
            lines.append(f"2026-11-30T12:00:00.000Z {waiting.pop(0)}")
        piece = ("\n".join(lines) + "\n").encode()
        made += len(piece)
        yield piece
    yield "".join(f"2026-11-30T12:00:00.000Z {line}\n" for line in waiting).encode()


def _line(chance: random.Random, number: int) -> str:
    level = chance.choice(_LEVELS)
    stamp = f"2026-11-30T12:{number // 60 % 60:02}:{number % 60:02}.{chance.randrange(1000):03}Z"
    request = f"id={chance.randrange(1 << 40):010x} path=/api/v1/items/{chance.randrange(10_000)}"
    status = "status=500 java.net.SocketTimeoutException: Read timed out" if level == "ERROR" else "status=200"
    place = f"[worker-{chance.randrange(_WORKERS)}] service.Handler"
    return f"{stamp} {level:5} {place} - request {request} {status} in {chance.randrange(900)} ms"


def varied(text: str, size: int) -> str:
    """Return *text* again and again, each time with other digits, until there are *size* characters."""
    tables = [str.maketrans("0123456789", "".join(str((digit + shift) % 10) for digit in range(10))) for shift in range(10)]
    copies = [text.translate(table) for table in tables]
    return "".join(copies[number % 10] for number in range(size // max(len(text), 1) + 1))[:size]
