"""Checks a computed conclusion against its quotes: reads its text anew and computes it again (design §6).

Nothing is taken over from how the text was made: its subjects, values, result and order are read from the text, the
values from the quotes, and what does not agree is a fault. A text of any other form is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from ..questions.models import Combination
from ..text.values import Value, ValueKind
from .amounts import amounts, cell_amount, read_amount, size
from .claim_reading import DifferenceClaim, OrderClaim, names_end, read_difference, read_order
from .conclusion_premises import premise_faults
from .conclusions import Conclusion, Operand
from .models import Evidence, Fault, Quote, SentenceCheck
from .order import compare, period
from .table_check import table_faults
from .table_rows import read_rows
from .terms import ValueKey, terms

_DIRECTIONS = {
    Combination.LARGER: 1,
    Combination.SMALLER: -1,
    Combination.EARLIER: -1,
    Combination.LATER: 1,
}
_TABLE = frozenset({Combination.SUM, Combination.AVERAGE, Combination.COUNT, Combination.LARGEST, Combination.SMALLEST})
# A name fits another quote better if so much more of it stands there.
_FITS_BETTER = 0.3


def check_conclusion(conclusion: Conclusion, evidence: Sequence[Evidence]) -> SentenceCheck:
    """Whether a conclusion follows from its quotes, and whether these stand in the evidence byte for byte."""
    faults = tuple(_faults(conclusion, evidence))
    return SentenceCheck(
        text=conclusion.text,
        supported=not faults,
        quotes=conclusion.quotes,
        faults=faults,
        score=0.0 if faults else 1.0,
    )


def _faults(conclusion: Conclusion, evidence: Sequence[Evidence]) -> Iterator[Fault]:
    absent = list(_absent_quotes(conclusion, evidence))
    if absent:
        yield from absent
    elif conclusion.combination in _TABLE:
        yield from table_faults(conclusion, evidence)
    else:
        yield from _comparison_faults(conclusion, evidence)


def _absent_quotes(conclusion: Conclusion, evidence: Sequence[Evidence]) -> Iterator[Fault]:
    texts = {(source.marker, source.block.block_id): source.block.text for source in evidence}
    for quote in (*conclusion.quotes, *(quote for operand in conclusion.operands for quote in operand.quotes)):
        text = texts.get((quote.marker, quote.block_id), "")
        if not quote.text or text[quote.span.start : quote.span.end] != quote.text:
            yield _missing(quote.text)
    listed = set(conclusion.quotes)
    for operand in conclusion.operands:
        yield from (_missing(quote.text) for quote in operand.quotes if quote not in listed)


def _missing(detail: str) -> Fault:
    return Fault(kind="not_in_source", detail=detail)


def _comparison_faults(conclusion: Conclusion, evidence: Sequence[Evidence]) -> Iterator[Fault]:
    subjects = [operand.subject for operand in conclusion.operands]
    difference = conclusion.combination is Combination.DIFFERENCE
    claim = (read_difference if difference else read_order)(conclusion.text, subjects, conclusion.language)
    if claim is None and difference:
        claim = read_order(conclusion.text, subjects, conclusion.language)
    if claim is None or sorted(name for name, _ in claim.values) != sorted(subjects):
        yield _missing(conclusion.text)
        return
    operands = {operand.subject: operand for operand in conclusion.operands}
    for name, text in claim.values:
        yield from _value_faults(text, operands[name], evidence)
    yield from _swapped(conclusion.operands, evidence)
    yield from premise_faults(conclusion.operands, evidence)
    read = [(name, read_amount(text)) for name, text in claim.values]
    values = {name: value for name, value in read if value is not None}
    if len(values) == len(read):
        yield from (
            _order_faults(claim, values, conclusion.combination)
            if isinstance(claim, OrderClaim)
            else _difference_faults(claim, values)
        )


def _value_faults(text: str, operand: Operand, evidence: Sequence[Evidence]) -> Iterator[Fault]:
    """The value that the text gives a subject has to be the one that its own quotes hold."""
    value, meant = read_amount(text), read_amount(operand.text)
    if value is None or meant is None or value.key != meant.key or value.key not in _keys(operand.quotes, evidence):
        kind = "date" if value is not None and value.kind in (ValueKind.DATE, ValueKind.TIME) else "number"
        yield Fault(kind=kind, detail=text)


def _keys(quotes: Sequence[Quote], evidence: Sequence[Evidence]) -> set[ValueKey]:
    """The values of some quotes, cells with the unit of their column or row."""
    blocks = {source.block.block_id: source.block.text for source in evidence}
    found = {value.key for quote in quotes for value in amounts(quote.text)}
    for quote in quotes:
        for row in read_rows(blocks[quote.block_id]):
            if row.start < quote.span.end and quote.span.start < row.end:
                read = [
                    cell_amount(name, cell, table_unit=unit)
                    for name, cell in zip(row.names, row.cells, strict=False)
                    for unit in ("", *row.cells)
                ]
                found |= {value.key for value in read if value is not None}
    return found


def _swapped(operands: Sequence[Operand], evidence: Sequence[Evidence]) -> Iterator[Fault]:
    """Two subjects of which each stands in the other's quotes rather than in its own."""
    for index, one in enumerate(operands):
        for other in operands[index + 1 :]:
            if _fits_better(one, other, evidence) and _fits_better(other, one, evidence):
                yield _missing(f"{one.subject} / {other.subject}")


def _fits_better(one: Operand, other: Operand, evidence: Sequence[Evidence]) -> bool:
    return _fit(one.subject, other.quotes, evidence) >= _fit(one.subject, one.quotes, evidence) + _FITS_BETTER


def _fit(subject: str, quotes: Sequence[Quote], evidence: Sequence[Evidence]) -> float:
    """Share of a name's terms in some quotes and the titles above them."""
    wanted = terms(subject)
    titles = [
        text
        for source in evidence
        for text in (source.document.search_title, *source.block.section_path)
        if any(quote.block_id == source.block.block_id for quote in quotes)
    ]
    held = terms("\n".join((*titles, *(quote.text for quote in quotes))))
    return len(wanted & held) / len(wanted) if wanted else 0.0


def _order_faults(claim: OrderClaim, values: dict[str, Value], combination: Combination) -> Iterator[Fault]:
    if claim.word and not names_end(claim.word, combination):
        yield _missing(claim.word)
    if not claim.word and len(claim.winners) < len(values):
        yield _missing(", ".join(sorted(claim.winners)))
    direction = _DIRECTIONS.get(combination, 1)
    for name, value in values.items():
        orders = [compare(value, other) for other in values.values()]
        leads = all(order is not None and order * direction >= 0 for order in orders)
        if leads != (name in claim.winners):
            yield Fault(kind="date" if value.kind is ValueKind.DATE else "number", detail=f"{name}: {value.raw}")


def _difference_faults(claim: DifferenceClaim, values: dict[str, Value]) -> Iterator[Fault]:
    left, right = (values[name] for name, _ in claim.values)
    order = compare(left, right)
    result = read_amount(claim.result)
    expected = _distance(left, right)
    if order is None or (order > 0) != claim.is_more or order == 0:
        yield Fault(kind="number", detail=f"{left.raw} / {right.raw}")
    if result is None or expected is None or (size(result), result.unit) != expected:
        yield Fault(kind="number", detail=claim.result)


def _distance(left: Value, right: Value) -> tuple[Decimal, str] | None:
    if left.kind is ValueKind.DATE:
        one, other = period(left.canonical), period(right.canonical)
        exact = one is not None and other is not None and one[0] == one[1] and other[0] == other[1]
        return (Decimal(abs((one[0] - other[0]).days)), "day") if exact and one and other else None
    first, second = size(left), size(right)
    if first is None or second is None or left.unit != right.unit:
        return None
    return abs(first - second), "percentage point" if left.unit == "%" else left.unit
