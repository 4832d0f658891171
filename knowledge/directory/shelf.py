"""Puts lines of a directory into a limit of tokens, each with the lines above it, and in reading order at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...models.tokens import estimate_tokens
from .models import DirectoryEntry, DirectoryLine, DirectoryView
from .wording import Wording, text_of_line

Place = tuple[str | int, ...]
"""Sorts lines: (domain, document name, document id, section's first block, block), as far as it goes."""
_LAST = "\U0010ffff"
_NUMBER_TOKENS = 4


class PlacedLine(NamedTuple):
    """A line with its place; a block's with its entry."""

    place: Place
    line: DirectoryLine
    entry: DirectoryEntry | None = None


class Shelf:
    """Takes lines as long as there is room.

    Args:
        tokens: estimated, at most.
        words: how lines are worded.
    """

    def __init__(self, tokens: int, words: Wording) -> None:
        self.limit = tokens
        self._words = words
        self._lines: dict[Place, PlacedLine] = {}
        self.used = 0

    @property
    def left(self) -> int:
        """Tokens that are not used yet."""
        return max(0, self.limit - self.used)

    @property
    def lines(self) -> list[DirectoryLine]:
        """What has been taken so far."""
        return [one.line for one in self._lines.values()]

    def has(self, place: Place) -> bool:
        """Whether the line of this place is there."""
        return place in self._lines

    def add(self, lines: Sequence[PlacedLine], limit: int | None = None) -> bool:
        """Take a line with those above it, or none of them if they do not fit.

        Args:
            lines: from the top down; those that are there already cost nothing.
            limit: of all tokens used then; None: that of the whole.
        """
        new = [one for one in lines if one.place not in self._lines]
        cost = sum(self.cost(one) for one in new)
        if self.used + cost > min(self.limit, self.limit if limit is None else limit):
            return False
        self._lines.update((one.place, one) for one in new)
        self.used += cost
        return True

    def cost(self, line: PlacedLine) -> int:
        """What a line takes, its end and the number of its entry included."""
        number = _NUMBER_TOKENS if line.entry is not None else 0
        return estimate_tokens(text_of_line(line.line, self._words)) + number + 1

    def view(self, *, is_whole: bool) -> DirectoryView:
        """What has been taken: lines in reading order, entries in the order in which they came."""
        entries = [one.entry for one in self._lines.values() if one.entry is not None]
        numbers = {entry.block.block_id: number for number, entry in enumerate(entries, start=1)}
        ordered = [self._lines[place] for place in sorted(self._lines, key=_sorted)]
        text = "\n".join(
            text_of_line(one.line, self._words, None if one.entry is None else numbers[one.entry.block.block_id])
            for one in ordered
        )
        return DirectoryView(
            lines=tuple(one.line for one in ordered), entries=tuple(entries), is_whole=is_whole,
            tokens=estimate_tokens(text), text=text,
        )  # fmt: skip


def more_place(above: Place) -> Place:
    """The place behind everything else under a line."""
    return (*above, _LAST)


def _sorted(place: Place) -> tuple[tuple[bool, str, int], ...]:
    """Numbers and texts can stand at one level: what is left out stands last."""
    return tuple((isinstance(part, str), part if isinstance(part, str) else "", part if isinstance(part, int) else 0)
                 for part in place)  # fmt: skip
