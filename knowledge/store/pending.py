"""Goes through the passages that lack something, reading each of them about once however many there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .protocol import PendingPassage


def pending_batches(following: Callable[[int], list[PendingPassage]]) -> Iterator[list[PendingPassage]]:
    """What is missing by ascending number, then what another look from the start finds missing still.

    Two looks at most: of two processes that each undo what the other has made, neither goes on for ever.

    Args:
        following: the next ones behind a number, empty if there are none.
    """
    for _ in range(2):
        last = 0
        while pending := following(last):
            yield pending
            last = pending[-1].found.passage_id
        if not last:
            return
