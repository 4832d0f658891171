"""Whether a value stands in the sources only as that of something else: right number, wrong row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..text.values import Value, ValueKind
from .claimed_values import cell_keys
from .companions import subject_of
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
