"""Whether a value is an upper or a lower bound: "at most 30 days" is not "at least 30 days"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from ..text.normalise import fold_widths
from .terms import ValueKey, values


class Direction(StrEnum):
    """Which side of the value is meant."""

    UPPER = "upper"
    LOWER = "lower"


class Bound(NamedTuple):
    """A value with the side of it that is meant."""

    direction: Direction
    key: ValueKey
    raw: str


_BEFORE = {
    Direction.UPPER: re.compile(
        r"(?:不得?超过|不得?高于|不得?多于|不得?大于|至多|最多|最高(?:不超过)?|最长(?:不超过)?|上限为?|以内|低于|少于|小于|≤|<"
        r"|\b(?:at most|up to|no more than|not more than|not exceed(?:ing)?|maximum(?: of)?|max\.?|within|no later than"
        r"|less than|under|below|limited to))\s*$",
        re.IGNORECASE,
    ),
    Direction.LOWER: re.compile(
        r"(?:不得?少于|不得?低于|不得?小于|不得?短于|至少|最少|最低(?:不少于)?|下限为?|超过|高于|多于|大于|≥|>"
        r"|\b(?:at least|no less than|not less than|minimum(?: of)?|min\.?|more than|over|above|exceed(?:s|ing)?))\s*$",
        re.IGNORECASE,
    ),
}
_BEHIND = {
    Direction.UPPER: re.compile(r"\s*(?:以内|之内|内|以下|封顶|or less|or fewer|at most|or below)", re.IGNORECASE),
    Direction.LOWER: re.compile(r"\s*(?:以上|起(?!\d)|or more|at least|or above)", re.IGNORECASE),
}
# How many characters before a value a bound is looked for.
_REACH = 24


@lru_cache(maxsize=4_096)
def bounds(text: str) -> tuple[Bound, ...]:
    """The values of a text that are bounds."""
    return tuple(_bounds(fold_widths(text)))


def _bounds(text: str) -> Iterator[Bound]:
    for value in values(text):
        before = text[max(0, value.start - _REACH) : value.start]
        # The longest words win: 不少于 is a lower bound although 少于 is an upper one.
        found = {d: match for d, pattern in _BEFORE.items() if (match := pattern.search(before))}
        direction = max(found, key=lambda d: len(found[d].group()), default=None)
        direction = direction or next((d for d, pattern in _BEHIND.items() if pattern.match(text, value.end)), None)
        if direction is not None:
            yield Bound(direction, value.key, value.raw)


def contradicted_bounds(claim: str, sources: str) -> Iterator[str]:
    """The values that a claim calls a bound and its sources do not call the same kind of bound.

    Args:
        claim: a sentence without markers.
        sources: the text of what it cites.
    """
    stated = {(bound.direction, bound.key) for bound in bounds(sources)}
    for bound in bounds(claim):
        if (bound.direction, bound.key) not in stated:
            yield bound.raw
