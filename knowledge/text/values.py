"""Finds the values in a text and gives each one spelling: numbers, amounts, dates, durations, clauses, ids."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from .grouped_digits import end_of_unreadable
from .normalise import fold_figures
from .numerals import CHINESE_LARGE_UNITS
from .signs import LEAD, end_of_unclear_minus
from .units import ValueKind
from .value_patterns import CANDIDATE, HAN, NUMBER, RANGE, WORD_REST
from .value_rules import read

__all__ = ["Value", "ValueKind", "find_values", "unreadable_amounts"]


class Value(NamedTuple):
    """One value as it stands in a text.

    Two values say the same if `kind`, `canonical` and `unit` are equal (`key`). `canonical` is a decimal in base
    units (``15000`` for 1.5万元), an ISO date, a clause number or an id; `unit` is the base unit (``CNY``,
    ``workday``, ``W``), the part of the document that a clause number names (``条``), or empty.
    """

    kind: ValueKind
    canonical: str
    unit: str
    start: int
    end: int
    raw: str

    @property
    def key(self) -> tuple[ValueKind, str, str]:
        """What is compared: the value without its place."""
        return self.kind, self.canonical, self.unit


def find_values(text: str) -> tuple[Value, ...]:
    """Every value of the text in order, without overlaps; offsets refer to the text as given.

    Bare Chinese numerals of one character (一致, 三者) and articles (一个, one) are words, not values.
    """
    folded = fold_figures(text)
    found = list(_scan(folded))
    return tuple(value._replace(raw=text[value.start : value.end]) for value in _complete_ranges(folded, found))


def unreadable_amounts(text: str) -> tuple[str, ...]:
    """The stretches of a text that are amounts of which nobody can say surely how much; no values are read there."""
    folded = fold_figures(text)
    found: list[str] = []
    position = 0
    while candidate := CANDIDATE.search(folded, position):
        start = candidate.start()
        end = _end_of_unread(folded, start)
        if end is not None:
            found.append(text[start:end])
        digits = NUMBER.match(folded, start)
        position = end or (digits.end() if digits else start + 1)
    return tuple(found)


def _end_of_unread(text: str, start: int) -> int | None:
    return end_of_unreadable(text, start) or end_of_unclear_minus(text, start, read)


def _scan(text: str) -> Iterator[Value]:
    position, last_end = 0, -1
    while candidate := CANDIDATE.search(text, position):
        start = candidate.start()
        if unread := _end_of_unread(text, start):
            position = unread
            continue
        # Right behind a value a dash joins a range (5%-10%) and is no minus.
        reading = None if start == last_end and text[start] in "+-–" else read(text, start)
        if reading is not None:
            yield Value(reading.kind, reading.canonical, reading.unit, start, reading.end, text[start : reading.end])
            position = last_end = reading.end
        else:
            position = _skip(text, start)


def _skip(text: str, start: int) -> int:
    rest = WORD_REST.match(text, start)
    return max(start + 1, rest.end() if rest else 0)


def _complete_ranges(text: str, values: list[Value]) -> Iterator[Value]:
    """Gives the first number of a range its unit: in 10至15个工作日 both are working days."""
    for value, following in zip_longest(values, values[1:]):
        is_open = following is not None and value.kind is ValueKind.NUMBER
        if following and is_open and RANGE.fullmatch(text, value.end, following.start):
            yield _inherit(text, value, following)
        else:
            yield value


def _inherit(text: str, value: Value, following: Value) -> Value:
    unsigned = LEAD.sub("", following.raw, count=1) if LEAD.match(following.raw) else following.raw
    number = NUMBER.match(unsigned) or HAN.match(unsigned)
    if number is None:
        return value
    has_multiplier = value.raw[-1] in CHINESE_LARGE_UNITS
    cut = number.end() if has_multiplier or "chinese" not in number.groupdict() else number.end("digits")
    reading = read(value.raw + unsigned[cut:], 0)
    if reading is None or reading.unit != following.unit:
        return value
    return value._replace(kind=reading.kind, canonical=reading.canonical, unit=reading.unit)
