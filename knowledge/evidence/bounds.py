"""Whether a value is an upper or a lower bound: "at most 30 days" is not "at least 30 days"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from ..text.normalise import fold_widths
from ..text.values import Value, ValueKind
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


# A bound may stand before what the value is a share of: 不超过合同总额的5%.
_OF = r"\s*(?:[^,，、。;；:：\d]{1,10}的)?\s*$"
_BEFORE = {
    Direction.UPPER: re.compile(
        r"(?:不得?超过|不得?高于|不得?多于|不得?大于|至多|最多|最高(?:不超过)?|最长(?:不超过)?|上限为?|以内|低于|少于|小于"
        r"|不足|不到|未满|不满|≤|<"
        r"|\b(?:at most|up to|no more than|not more than|not exceed(?:ing)?|maximum(?: of)?|max\.?|within|no later than"
        rf"|less than|fewer than|under|below|limited to)){_OF}",
        re.IGNORECASE,
    ),
    Direction.LOWER: re.compile(
        r"(?:不得?少于|不得?低于|不得?小于|不得?短于|至少|最少|最低(?:不少于)?|下限为?|超过|高于|多于|大于|[不岂何]止|不只|≥|>"
        r"|\b(?:at least|no less than|not less than|minimum(?: of)?|min\.?|more than|over|above|exceed(?:s|ing)?"
        rf"|not (?:only|just))){_OF}",
        re.IGNORECASE,
    ),
}
_BEHIND = {
    Direction.UPPER: re.compile(r"\s*(?:以内|之内|内|以下|封顶|or less|or fewer|at most|or below)", re.IGNORECASE),
    Direction.LOWER: re.compile(r"\s*(?:以上|起(?!\d)|有?[余餘]|多|or more|at least|or above|-odd\b)", re.IGNORECASE),
}
# A round number that stands for every number a little above it: 三百余人.
_ROUND = re.compile(r"\d\s?[多余餘]|[十百千万萬亿億]\s?[多余餘]")
# A value that is itself excluded; who states it without these words states another one.
_BEYOND_BEFORE = re.compile(
    r"(?:不足|不到|未满|不满|[不岂何]止|不只|\b(?:less than|fewer than|short of))\s*$", re.IGNORECASE
)
_BEYOND_BEHIND = re.compile(r"\s*(?:有?[余餘]|多|-odd\b)")
_AFTER_BEFORE = re.compile(r"\b(?:after|(?<!no )(?<!not )later than)\s*$", re.IGNORECASE)
_AFTER_BEHIND = re.compile(r"\s*(?:之|以)?[后後](?![续續期天])")
# How many characters before a value a bound is looked for.
_REACH = 24


@lru_cache(maxsize=4_096)
def bounds(text: str) -> tuple[Bound, ...]:
    """The values of a text that are bounds."""
    return tuple(_bounds(fold_widths(text)))


def _bounds(text: str) -> Iterator[Bound]:
    for value in values(text):
        direction = _direction(text, value)
        if direction is not None:
            yield Bound(direction, value.key, value.raw)


def _direction(text: str, value: Value) -> Direction | None:
    if _ROUND.search(value.raw):
        return Direction.LOWER
    before = _before(text, value)
    # The longest words win: 不少于 is a lower bound although 少于 is an upper one.
    found = {d: match for d, pattern in _BEFORE.items() if (match := pattern.search(before))}
    direction = max(found, key=lambda d: len(found[d].group()), default=None)
    return direction or next((d for d, pattern in _BEHIND.items() if pattern.match(text, value.end)), None)


def _before(text: str, value: Value) -> str:
    return text[max(0, value.start - _REACH) : value.start]


def contradicted_bounds(claim: str, sources: str) -> Iterator[str]:
    """The values that a claim and its sources do not bound in the same way.

    Those that the claim calls a bound and the sources do not call the same kind of bound; those that the sources
    only call nearly reached or passed (不足310, 三百余人, fewer than 310) and the claim calls exact; and those that a
    span has to end before in the sources and after in the claim (30日内, 30日后).

    Args:
        claim: a sentence without markers.
        sources: the text of what it cites.
    """
    mine, theirs = fold_widths(claim), fold_widths(sources)
    stated = {(bound.direction, bound.key) for bound in bounds(sources)}
    exact, after = _exact_and_after(theirs)
    known = {value.key for value in values(theirs)}
    for value in values(mine):
        direction = _direction(mine, value)
        is_late = _is_after(mine, value) and value.key not in after and (Direction.UPPER, value.key) in stated
        is_exact = direction is None and value.key in known and value.key not in exact
        if is_late or is_exact or (direction is not None and (direction, value.key) not in stated):
            yield value.raw


def _exact_and_after(text: str) -> tuple[set[ValueKey], set[ValueKey]]:
    """The values that a text does not exclude itself, and the spans that something happens after."""
    found = values(text)
    exact = {value.key for value in found if not _is_beyond(text, value)}
    return exact, {value.key for value in found if _is_after(text, value)}


def _is_beyond(text: str, value: Value) -> bool:
    before = _before(text, value)
    is_marked = _BEYOND_BEFORE.search(before) or _BEYOND_BEHIND.match(text, value.end) or _ROUND.search(value.raw)
    return bool(is_marked)


def _is_after(text: str, value: Value) -> bool:
    if value.kind is not ValueKind.DURATION:
        return False
    return bool(_AFTER_BEFORE.search(_before(text, value)) or _AFTER_BEHIND.match(text, value.end))
