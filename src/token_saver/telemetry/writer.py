"""Who writes what was saved: a contract of three methods, and two ways to keep it.

A writer is opened for one operation and closed after it, whether it succeeded or not. Who records is handed a factory, so
that tests, exporters and other stores can stand in for ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from token_saver.telemetry.spool import Record

    Factory: TypeAlias = Callable[[], "SavingsWriter"]


class SavingsWriter(Protocol):
    """Takes records of one operation."""

    def record_saving(self, record: Record, /) -> None:
        """Add what a command saved."""

    def record_mismatch(self, record: Record, /) -> None:
        """Add that a processor broke its contract."""

    def close(self) -> None:
        """Let go of everything; called exactly once."""


def record_savings(records: Sequence[Record], factory: Factory) -> None:
    """Write *records* through one writer of *factory*; none of them opens none. Raises what the writer raises."""
    if records:
        writer = factory()
        try:
            for record in records:
                writer.record_saving(record)
        finally:
            writer.close()


def record_mismatches(records: Sequence[Record], factory: Factory) -> None:
    """Write *records* of broken contracts through one writer of *factory*; none of them opens none."""
    if records:
        writer = factory()
        try:
            for record in records:
                writer.record_mismatch(record)
        finally:
            writer.close()
