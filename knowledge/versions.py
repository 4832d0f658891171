"""Which version of each document was in force on a day, and what changed from one to the next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from difflib import unified_diff
from typing import NamedTuple

from .documents import Block, Document


class StoredVersion(NamedTuple):
    """A version of a document as the question of its time sees it, by its internal number."""

    number: int
    doc_id: str
    effective_from: date | None
    effective_to: date | None
    published_at: date | None
    added_on: date

    @property
    def begins(self) -> date:
        """Since when it holds: what it states, else the day of its issue, else the day when it came in."""
        return self.effective_from or self.published_at or self.added_on

    @property
    def states_beginning(self) -> bool:
        """Whether the document itself says since when."""
        return (self.effective_from or self.published_at) is not None


def in_force(versions: Iterable[StoredVersion], day: date) -> frozenset[int]:
    """The numbers of the versions that were in force on a day, at most one of each document.

    Of the versions that had begun by that day the one that came in last counts, unless it had ended: what came in
    later with an earlier or the same beginning is a correction. The first version of a document that states no
    beginning is taken to have held ever since.
    """
    by_document: dict[str, list[StoredVersion]] = {}
    for version in sorted(versions, key=lambda one: one.number):
        by_document.setdefault(version.doc_id, []).append(version)
    chosen = (_in_force(stored, day) for stored in by_document.values())
    return frozenset(version.number for version in chosen if version is not None)


def _in_force(stored: list[StoredVersion], day: date) -> StoredVersion | None:
    begun = [one for one in stored if one.begins <= day or (one is stored[0] and not one.states_beginning)]
    if not begun:
        return None
    latest = begun[-1]
    return None if latest.effective_to is not None and latest.effective_to < day else latest


class VersionChange(NamedTuple):
    """What a version has and the one before it has not, and the other way round, in reading order."""

    added: tuple[Block, ...]
    removed: tuple[Block, ...]
    kept: int
    """Blocks that both have."""


def version_on(versions: Sequence[Document], day: date) -> Document | None:
    """The version of a document that was in force on a day; None if none was.

    Args:
        versions: all of them, the oldest first.
        day: in the past or to come.
    """
    stored = (
        StoredVersion(number, one.doc_id, one.effective_from, one.effective_to, one.published_at, one.updated_at.date())
        for number, one in enumerate(versions)
    )
    return next((versions[number] for number in in_force(stored, day)), None)


def changed_blocks(before: Sequence[Block], after: Sequence[Block]) -> VersionChange:
    """What changed between two versions, by content: a block that has only moved is kept."""
    old, new = {block.block_id for block in before}, {block.block_id for block in after}
    return VersionChange(
        tuple(block for block in after if block.block_id not in old),
        tuple(block for block in before if block.block_id not in new),
        len(old & new),
    )


def unified_changes(before: Sequence[Block], after: Sequence[Block]) -> list[str]:
    """The lines that changed between two versions with one line around them, in the notation of `diff -u`."""
    old, new = ([line for block in blocks for line in block.text.splitlines()] for blocks in (before, after))
    # The first two lines would name the files.
    return list(unified_diff(old, new, n=1, lineterm=""))[2:]
