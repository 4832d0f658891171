"""Whether a value stands in the sources only as that of something else: right number, wrong row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from ..text.sentences import split_sentences
from ..text.values import Value, ValueKind
from .claimed_values import cell_keys
from .companions import subject_of
from .matching import content_terms
from .models import Evidence
from .terms import ValueKey, terms, value_keys, values
from .units import Unit, cut_units

_NOT_STATED_OF = (ValueKind.IDENTIFIER, ValueKind.CLAUSE)


def misplaced_values(claim: str, sources: Sequence[Evidence]) -> Iterator[Value]:
    """The values that every place in the sources states of another model or number, or of another row of a table.

    Args:
        claim: a sentence without markers.
        sources: what it cites.
    """
    stated = [value for value in values(claim) if value.kind not in _NOT_STATED_OF]
    if not stated:
        return
    units = [unit for source in sources for unit in cut_units(source)]
    for value in stated:
        holding = [unit for unit in units if value.key in _keys(unit)]
        if holding and (_of_other_number(claim, value, holding) or _of_other_row(claim, holding, units)):
            yield value


def _keys(unit: Unit) -> frozenset[ValueKey]:
    """A unit's values; cells of a row also with the unit of their column."""
    if unit.row is None:
        return value_keys(unit.text)
    return value_keys(unit.text).union(cell_keys(unit.source.block.text, unit.start, unit.end))


def _of_other_number(claim: str, value: Value, holding: Sequence[Unit]) -> bool:
    """Whether the claim says it of one model, and each place that has it names only other models."""
    subject = subject_of(claim, value)
    asked = {key for key in value_keys(subject) if key[0] is ValueKind.IDENTIFIER}
    return bool(asked) and all(named and not asked & named for named in map(_numbers, holding))


def _numbers(unit: Unit) -> frozenset[ValueKey]:
    return frozenset(value.key for value in values(unit.text) if value.kind is ValueKind.IDENTIFIER)


def _of_other_row(claim: str, holding: Sequence[Unit], units: Sequence[Unit]) -> bool:
    """Whether only rows have it whose own words the claim does not use, while it uses those of another row."""
    if any(unit.row is None for unit in holding):
        return False
    own = terms(claim)
    if any(_label(unit) & own for unit in holding):
        return False
    return any(_label(unit) & own for unit in units if unit.row is not None and unit not in holding)


def _label(unit: Unit) -> frozenset[str]:
    """The words of a row's cells that are no values."""
    cells = unit.row.cells if unit.row is not None else ()
    return frozenset().union(*(terms(cell) for cell in cells if not value_keys(cell)))


class _Labelled(NamedTuple):
    """A value with the words between it and the values next to it."""

    value: Value
    before: frozenset[str]
    behind: frozenset[str]

    @property
    def key(self) -> ValueKey:
        return self.value.key


def _labelled(text: str) -> list[_Labelled]:
    found = [value for value in values(text) if value.kind not in _NOT_STATED_OF]
    ends = [0, *(value.end for value in found)]
    starts = [*(value.start for value in found), len(text)]
    words = [content_terms(text[end:start]) for end, start in zip(ends, starts, strict=True)]
    return [_Labelled(value, words[index], words[index + 1]) for index, value in enumerate(found)]


def _is_swapped(one: _Labelled, other: _Labelled, stated: Sequence[_Labelled]) -> bool:
    first = next(entry for entry in stated if entry.key == one.key)
    second = next(entry for entry in stated if entry.key == other.key)
    before = _is_crossed((one.before, other.before), (first.before, second.before))
    return before or _is_crossed((one.behind, other.behind), (first.behind, second.behind))


def _is_crossed(mine: tuple[frozenset[str], frozenset[str]], theirs: tuple[frozenset[str], frozenset[str]]) -> bool:
    straight = len(mine[0] & theirs[0]), len(mine[1] & theirs[1])
    crossed = len(mine[0] & theirs[1]), len(mine[1] & theirs[0])
    return crossed[0] > straight[0] and crossed[1] > straight[1]


def swapped_values(claim: str, sources: Sequence[Evidence]) -> Iterator[Value]:
    """The pairs of values that one sentence of the sources states the other way round, of which each is the first.

    Each value is said of the words between it and its neighbour; in a pair that is swapped, the words of each value
    are more those of the other one in the source, before the values or behind them.

    Args:
        claim: a sentence without markers.
        sources: what it cites.
    """
    mine = _labelled(claim)
    pairs = [
        (one, other)
        for one, other in combinations(mine, 2)
        if one.key != other.key and one.value.unit == other.value.unit
    ]
    if not pairs:
        return
    texts = [source.block.text for source in sources]
    sentences = [_labelled(text[span.start : span.end]) for text in texts for span in split_sentences(text)]
    for one, other in pairs:
        holding = [found for found in sentences if {one.key, other.key} <= {entry.key for entry in found}]
        if holding and all(_is_swapped(one, other, found) for found in holding):
            yield one.value
