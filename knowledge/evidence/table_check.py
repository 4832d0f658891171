"""Computes a conclusion over a table again, from the quoted rows and the table that they stand in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from ..questions.models import Combination
from ..text.values import Value, ValueKind
from .amounts import divide, read_amount, size, spelling_of, total
from .conclusions import Conclusion
from .evidence_tables import EvidenceTable, Line, column_name, read_tables, same_measure
from .models import Evidence, Fault, Quote
from .order import compare
from .table_conditions import Condition, select
from .table_totals import RowKind, totals_agree

_ZH = r"(?:(?P<conditions>(?:“[^”]+”)+)的)?"
_EN = r"(?: for (?P<conditions>“[^”]+”(?: and “[^”]+”)*))?"
_NUMBER = r"(?P<rows>\d+)"
_FORMS: dict[tuple[Combination, str], tuple[re.Pattern[str], ...]] = {
    (Combination.SUM, "zh"): (
        re.compile(rf"{_ZH}(?P<column>.+)合计 (?P<result>.+?)（{_NUMBER} 行(?:：(?P<listed>.+))?）。"),
    ),
    (Combination.SUM, "en"): (
        re.compile(rf"Total (?P<column>.+?){_EN}: (?P<result>.+?) \({_NUMBER} rows?(?:: (?P<listed>.+))?\)\."),
    ),
    (Combination.AVERAGE, "zh"): (
        re.compile(rf"{_ZH}(?P<column>.+)平均 (?P<about>约 )?(?P<result>.+?)（{_NUMBER} 行(?:：(?P<listed>.+))?）。"),
    ),
    (Combination.AVERAGE, "en"): (
        re.compile(
            rf"Average (?P<column>.+?){_EN}: (?P<about>about )?(?P<result>.+?)"
            rf" \({_NUMBER} rows?(?:: (?P<listed>.+))?\)\."
        ),
    ),
    (Combination.COUNT, "zh"): (
        re.compile(rf"(?:{_ZH}|表中)共 {_NUMBER} [行个项台家条款种笔批份](?:：(?P<labels>.+))?。"),
        re.compile(rf"{_ZH}(?P<column>.+)共有 (?P<different>\d+) 个不同的（{_NUMBER} 行）(?:：(?P<labels>.+))?。"),
    ),
    (Combination.COUNT, "en"): (
        re.compile(rf"{_NUMBER} rows?{_EN}(?:: (?P<labels>.+))?\."),
        re.compile(rf"(?P<different>\d+) different (?P<column>.+?){_EN} \({_NUMBER} rows?\)(?:: (?P<labels>.+))?\."),
    ),
}
_EXTREMES = {
    "zh": re.compile(rf"{_ZH}(?P<column>.+)最(?P<word>.)的是 (?P<labels>.+)：(?P<result>.+)（比较了 {_NUMBER} 行）。"),
    "en": re.compile(
        rf"The (?P<word>\w+) (?P<column>.+?){_EN} is (?P<result>.+?): (?P<labels>.+) \({_NUMBER} rows? compared\)\."
    ),
}
_UPPER = frozenset({"高", "大", "长", "晚", "highest", "largest", "longest", "latest"})
_LOWER = frozenset({"低", "小", "短", "早", "lowest", "smallest", "shortest", "earliest"})


def table_faults(conclusion: Conclusion, evidence: Sequence[Evidence]) -> Iterator[Fault]:
    """What of a sum, an average, a count or an extreme does not follow from the rows."""
    claim = _read(conclusion)
    found = _quoted_table(conclusion.quotes, evidence)
    if claim is None or found is None:
        yield Fault(kind="not_in_source", detail=conclusion.text)
        return
    table, lines = found
    conditions = _conditions(claim, table)
    if conditions is None or _places(select(table.rows, conditions)) != _places(lines):
        yield Fault(kind="not_in_source", detail=claim.group("conditions") or conclusion.text)
        return
    if int(claim["rows"]) != len(lines):
        yield Fault(kind="number", detail=claim["rows"])
    if conclusion.combination is Combination.COUNT:
        yield from _count_faults(claim, table, lines)
        return
    columns = [index for index, name in enumerate(table.names) if column_name(name) == claim["column"]]
    verdicts = [list(_column_faults(conclusion.combination, claim, table, index, lines)) for index in columns]
    yield from min(verdicts, key=len, default=[Fault(kind="not_in_source", detail=claim["column"])])


def _read(conclusion: Conclusion) -> re.Match[str] | None:
    if conclusion.combination in (Combination.LARGEST, Combination.SMALLEST):
        return _EXTREMES[conclusion.language].fullmatch(conclusion.text)
    forms = _FORMS.get((conclusion.combination, conclusion.language), ())
    return next((match for form in forms if (match := form.fullmatch(conclusion.text))), None)


def _quoted_table(quotes: Sequence[Quote], evidence: Sequence[Evidence]) -> tuple[EvidenceTable, list[Line]] | None:
    """The one table that all the quotes belong to, and its quoted rows; None where they are rows of no one table."""
    places = {(quote.block_id, quote.span.start, quote.span.end) for quote in quotes}
    for table in read_tables(evidence):
        rows = {_place(line, line.row.start, line.row.end): line for line in table.rows}
        headers = {_place(line, line.row.header_start, line.row.header_end) for line in table.lines}
        if places & set(rows) and places <= set(rows) | headers:
            return table, [line for place, line in rows.items() if place in places]
    return None


def _places(lines: Sequence[Line]) -> set[tuple[str, int, int]]:
    return {_place(line, line.row.start, line.row.end) for line in lines}


def _place(line: Line, start: int, end: int) -> tuple[str, int, int]:
    return line.source.block.block_id, start, end


def _conditions(claim: re.Match[str], table: EvidenceTable) -> list[Condition] | None:
    """The conditions that the text names, each in the column where the table holds it; None if one is nowhere."""
    found: list[Condition] = []
    for text in re.findall("“([^”]+)”", claim["conditions"] or ""):
        options = [
            condition
            for is_id in (False, True)
            for column in range(len(table.names))
            if any((condition := Condition(column, text, is_id)).holds(line) for line in table.rows)
        ]
        if not options:
            return None
        found.append(options[0])
    return found


def _count_faults(claim: re.Match[str], table: EvidenceTable, lines: Sequence[Line]) -> Iterator[Fault]:
    different = claim.groupdict().get("different")
    if different is not None:
        columns = [index for index, name in enumerate(table.names) if column_name(name) == claim["column"]]
        counts = {len({line.cells[index] for line in lines if index < len(line.cells)}) for index in columns}
        if int(different) not in counts:
            yield Fault(kind="number", detail=different)
    yield from _label_faults(claim["labels"] or "", lines)


def _label_faults(labels: str, lines: Sequence[Line]) -> Iterator[Fault]:
    """Labels consist of cells of their rows and of nothing else."""
    rest = labels
    for cell in sorted({cell for line in lines for cell in line.cells if cell}, key=len, reverse=True):
        rest = rest.replace(cell, " ")
    if any(character.isalnum() for character in rest):
        yield Fault(kind="not_in_source", detail=labels)


def _column_faults(
    combination: Combination, claim: re.Match[str], table: EvidenceTable, column: int, lines: Sequence[Line]
) -> Iterator[Fault]:
    values = same_measure(table.amounts_of(column, lines))
    result = read_amount(claim["result"])
    if values is None or result is None or (result.kind, result.unit) != (values[0].kind, values[0].unit):
        yield Fault(kind="number", detail=claim["result"])
        return
    if any(line.kind is RowKind.UNCLEAR for line in lines):
        yield Fault(kind="not_in_source", detail=claim["column"])
    if combination in (Combination.LARGEST, Combination.SMALLEST):
        yield from _extreme_faults(combination, claim, result, values, lines)
        return
    if table.repeats(column, lines) or (combination is Combination.SUM and not _totals_agree(claim, table, column)):
        yield Fault(kind="amount", detail=claim["result"])
    if not _is_result(combination, claim, result, values):
        yield Fault(kind="number", detail=claim["result"])
    listed = claim["listed"]
    if listed is not None and [_key(read_amount(text)) for text in listed.split(" + ")] != [v.key for v in values]:
        yield Fault(kind="number", detail=listed)


def _totals_agree(claim: re.Match[str], table: EvidenceTable, column: int) -> bool:
    """Whether the totals and subtotals of a table that is added up as a whole are what its items make."""
    if claim["conditions"]:
        return True
    values = table.amounts_of(column, table.lines)
    sizes = [size(value) if value is not None else None for value in values]
    return totals_agree([line.kind for line in table.lines], sizes)


def _key(value: Value | None) -> tuple[ValueKind, str, str] | None:
    return value.key if value else None


def _is_result(combination: Combination, claim: re.Match[str], result: Value, values: Sequence[Value]) -> bool:
    sizes = [number for value in values if (number := size(value)) is not None]
    stated = size(result)
    if stated is None or len(sizes) < len(values):
        return False
    added = total(sizes)
    if combination is Combination.SUM:
        return stated == added
    exact = divide(added, Decimal(len(values)))
    if not claim["about"]:
        return stated == exact
    spelling = spelling_of(result)
    if spelling is None:
        return False
    return abs(stated - added / len(values)) <= spelling.factor * Decimal("0.5").scaleb(-spelling.places)


def _extreme_faults(
    combination: Combination, claim: re.Match[str], result: Value, values: Sequence[Value], lines: Sequence[Line]
) -> Iterator[Fault]:
    direction = 1 if combination is Combination.LARGEST else -1
    if claim["word"] not in (_UPPER if direction > 0 else _LOWER):
        yield Fault(kind="not_in_source", detail=claim["word"])
    orders = [compare(result, value) for value in values]
    if any(order is None or order * direction < 0 for order in orders) or 0 not in orders:
        yield Fault(kind="date" if result.kind is ValueKind.DATE else "number", detail=claim["result"])
        return
    yield from _label_faults(claim["labels"], [line for line, order in zip(lines, orders, strict=True) if order == 0])
