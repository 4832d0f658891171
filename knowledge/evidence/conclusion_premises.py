"""What a comparison takes for granted, checked in the sources: whose each value is, and that all are of one sort."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from ..query.periods import find_periods
from ..text.values import Value, ValueKind
from .amounts import amounts, cell_amount, read_amount
from .conclusion_subjects import is_qualified, names_subject, owns, said_with_headings
from .conclusion_values import is_denied, is_loss, period_of, sort_of
from .conclusions import Operand
from .evidence_tables import column_name, stated_unit
from .models import Evidence, Fault, Quote
from .paired_values import paired_values
from .shown_cells import UNIT_LABEL
from .table_rows import TableRow, read_rows


class _Place(NamedTuple):
    """A place where an operand's value stands."""

    text: str
    value: Value


def premise_faults(operands: Sequence[Operand], evidence: Sequence[Evidence]) -> Iterator[Fault]:
    """Values that are another subject's, denied, without the unit that their table states, or not of one sort.

    Args:
        operands: of a comparison or difference, each with its quotes.
        evidence: the sources, all quotes standing in them.
    """
    by_id = {source.block.block_id: source for source in evidence}
    columns: list[set[str]] = []
    sorts: list[set[tuple[str, bool, frozenset[str]]]] = []
    for operand in operands:
        said = said_with_headings(operand.quotes, evidence)
        if not names_subject(operand.subject, said) and not _names_period(operand.subject, said):
            yield Fault(kind="not_in_source", detail=operand.subject)
        rows = [row for quote in operand.quotes for row in _rows(quote, by_id)]
        if rows:
            yield from _row_faults(operand, rows, _unit_of_table(operand.quotes, by_id))
            columns.append({name for row in rows for name in _columns(operand, row)})
            continue
        own = list(_own_places(operand, operands))
        if not own:
            yield Fault(kind="not_in_source", detail=f"{operand.subject}: {operand.text}")
        sorts.append({_sort(one) for one in own})
    if len(columns) > 1 and not set.intersection(*columns):
        yield Fault(kind="not_in_source", detail=" / ".join(sorted(set.union(*columns))))
    if len(sorts) > 1 and not set.intersection(*sorts):
        yield Fault(kind="amount", detail=" / ".join(operand.text for operand in operands))


def _names_period(subject: str, said: str) -> bool:
    """Whether a subject is a period counted from today (去年, last year) and a source names its first day."""
    periods = find_periods(subject, date.today())
    if len(periods) != 1 or periods[0].end - periods[0].start < len(subject.strip()):
        return False
    first = periods[0].first
    return first is not None and first.isoformat() in said


def _sort(one: _Place) -> tuple[str, bool, frozenset[str]]:
    return period_of(one.text, one.value), is_loss(one.text, one.value), sort_of(one.text, one.value)


def _rows(quote: Quote, by_id: dict[str, Evidence]) -> list[TableRow]:
    rows = read_rows(by_id[quote.block_id].block.text)
    return [row for row in rows if row.start < quote.span.end and quote.span.start < row.end]


def _unit_of_table(quotes: Sequence[Quote], by_id: dict[str, Evidence]) -> str:
    source = by_id[quotes[0].block_id]
    before = source.block.text[: min(quote.span.start for quote in quotes)]
    return stated_unit("\n".join((*source.block.section_path, before)))


def _row_faults(operand: Operand, rows: Sequence[TableRow], table_unit: str) -> Iterator[Fault]:
    value = read_amount(operand.text)
    is_bare = value is not None and value.kind is ValueKind.NUMBER and not value.unit
    for row in rows:
        if is_qualified(operand.subject, row.cells):
            yield Fault(kind="not_in_source", detail=f"{operand.subject}: {row.label}")
        if is_bare and (table_unit or _unit_cell(row)):
            yield Fault(kind="amount", detail=f"{operand.text} ({table_unit or _unit_cell(row)})")


def _unit_cell(row: TableRow) -> str:
    pairs = zip(row.names, row.cells, strict=False)
    return next((cell for name, cell in pairs if name.strip() and UNIT_LABEL.fullmatch(name.strip())), "")


def _columns(operand: Operand, row: TableRow) -> Iterator[str]:
    """The columns in which a row holds the operand's value."""
    wanted = read_amount(operand.text)
    for name, cell in zip(row.names, row.cells, strict=False):
        read = [cell_amount(name, cell, table_unit=unit) for unit in ("", *row.cells)]
        held = [*read, *amounts(cell)]
        if wanted is not None and any(one is not None and one.key == wanted.key for one in held):
            yield column_name(name).casefold()


def _own_places(operand: Operand, operands: Sequence[Operand]) -> Iterator[_Place]:
    """Where the quotes hold the value as the subject's own, and do not deny it."""
    wanted = read_amount(operand.text)
    others = [other.subject for other in operands if other is not operand]
    for quote in operand.quotes:
        for value in amounts(quote.text):
            if wanted is None or value.key != wanted.key or is_denied(quote.text, value):
                continue
            is_paired = _paired(operand, operands, value)
            if is_paired or owns(operand.subject, others, quote.text, value, ""):
                yield _Place(quote.text, value)


def _paired(operand: Operand, operands: Sequence[Operand], value: Value) -> bool:
    """Whether one sentence answers for all subjects and gives each its own value in turn."""
    if any(other.quotes != operand.quotes for other in operands) or len(operand.quotes) != 1:
        return False
    found = paired_values(operand.quotes[0].text, [one.subject for one in operands], {value.kind})
    return bool(found) and found[list(operands).index(operand)] == value
