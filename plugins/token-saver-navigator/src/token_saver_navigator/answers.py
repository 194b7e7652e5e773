"""What a question is answered with: lines for people and models, the same as data, and what the answer is over."""

from __future__ import annotations

from typing import Any, NamedTuple

from token_saver.redaction import mask

CHARACTERS_A_TOKEN = 4
UNIT = "tokens (characters / 4)"


def tokens_of(text: str) -> int:
    """Return an estimate of the tokens of *text*: its characters by four, rounded up."""
    return -(-len(text) // CHARACTERS_A_TOKEN)


class Answer(NamedTuple):
    """*lines* are the answer, *notes* what it leaves out or cannot know, *coverage* what it is over."""

    lines: list[str]
    data: dict[str, Any]
    coverage: str
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The whole answer with its size and coverage, secrets masked."""
        body = mask("\n".join((*self.lines, *(f"note: {note}" for note in self.notes))), frozenset())[0]
        return f"{body}\n({tokens_of(body)} {UNIT}; {self.coverage})"

    def as_data(self) -> dict[str, Any]:
        """Return the answer for programs."""
        return {**self.data, "notes": list(self.notes), "coverage": self.coverage, "tokens": tokens_of("\n".join(self.lines))}
