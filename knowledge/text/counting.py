"""Counts in English words."""

from __future__ import annotations


def counted(count: int, noun: str, plural: str = "") -> str:
    """A number with its noun: 1 block, 2 blocks.

    Args:
        count: how many.
        noun: of one.
        plural: of several, where that is not the noun with an s.
    """
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"
