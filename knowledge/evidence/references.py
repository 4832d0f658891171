"""Clauses that speak about other clauses by their number: a penalty names the rule that was broken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..text.values import ValueKind
from .terms import ValueKey, values
from .units import Unit

# The units of clauses and sections in a value's key; paragraphs and items are parts of them.
_CLAUSES = frozenset("条节")
# A label stands within the first characters of its clause.
_LABEL_END = 12


class ClauseKey(NamedTuple):
    """A clause of one document."""

    document: str
    label: ValueKey


def own_clauses(units: Sequence[Unit]) -> list[ClauseKey | None]:
    """The clause that each unit of a block belongs to; None before the first label."""
    found: list[ClauseKey | None] = []
    current: ClauseKey | None = None
    for unit in units:
        if unit.starts_clause:
            current = next(_numbers(unit, _LABEL_END), None)
        found.append(current)
    return found


def named_clauses(unit: Unit, own: ClauseKey | None) -> frozenset[ClauseKey]:
    """The other clauses of its document that a unit names."""
    return frozenset(_numbers(unit, len(unit.text))) - {own}


def _numbers(unit: Unit, limit: int) -> Iterator[ClauseKey]:
    for value in values(unit.text):
        if value.kind is ValueKind.CLAUSE and value.start < limit and value.key[2] in _CLAUSES:
            yield ClauseKey(unit.source.document.doc_id, value.key)
