"""Computes over the rows of one table: sums, averages, counts, the largest and the smallest."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ..questions.models import Combination
from ..text.normalise import has_chinese
from .amounts import size, total
from .conclusions import Conclusion, Operand
from .evidence_tables import EvidenceTable, Line, cell_of, column_name
from .models import Evidence
from .order import compare
from .phrases import content_words, word_share
from .question import QuestionAnalysis
from .shown_cells import label_rating
from .table_choice import COVERED, EXTREMES, Column, Picked, asked_column, pick_table
from .table_conditions import Condition
from .table_counts import QUANTITY
from .table_totals import RowKind, totals_agree
from .table_wording import Heading, average_text, count_text, distinct_text, extreme_text, sum_text
from .terms import terms

# One row is a value to be quoted: there is nothing to compute.
_FEWEST = 2
_DISTINCT = re.compile(
    r"[几少][家位名种类]|不同|\bdifferent\b|\bdistinct\b|\bkinds? of\b|\btypes? of\b|\bsuppliers?\b|\bvendors?\b",
    re.IGNORECASE,
)
_COUNTED_IN = re.compile(r"(?:几|多少)(?P<word>[个项台家条款种笔批份])")
# A running number is no name of a row, an id such as M1 is.
_HAS_LETTER = re.compile(r"[A-Za-z]")
_ROW_WORDS = re.compile(r"[几少][项条行种类]|\b(?:rows|items|lines|entries)\b", re.IGNORECASE)


def conclude_table(
    combination: Combination, question: QuestionAnalysis, evidence: Sequence[Evidence]
) -> Conclusion | None:
    """Add up, average, count or find the extreme over the rows of the one table that fits the question best.

    A table that was split over blocks is joined as far as its blocks are in the evidence (`evidence_tables.carries_on`
    tells which block is still to be fetched). Rows that are totals are left out; where one adds up the whole column,
    it has to agree with the sum.

    Returns:
        None where no table or several fit, where it is not clear which column or which rows are meant, where a row has
        no value, where units are mixed, or where the table's own totals are other than the sums.
    """
    picked = pick_table(combination, question, evidence)
    return _compute(combination, question, picked) if picked else None


def _compute(combination: Combination, question: QuestionAnalysis, picked: Picked) -> Conclusion | None:
    if combination is Combination.COUNT:
        return _count(question, picked)
    column = asked_column(combination, question, picked)
    if column is None or len(picked.rows) < _FEWEST or any(line.kind is RowKind.UNCLEAR for line in picked.rows):
        return None
    if combination in EXTREMES:
        return _extreme(combination, question, picked, column)
    if combination is Combination.SUM:
        return _sum(question, picked, column)
    return _average(question, picked, column) if combination is Combination.AVERAGE else None


def _sum(question: QuestionAnalysis, picked: Picked, column: Column) -> Conclusion | None:
    sizes = [size(value) for value in column.values]
    added = total(number for number in sizes if number is not None)
    if None in sizes or picked.table.repeats(column.place, picked.rows) or not _agrees_with_totals(picked, column):
        return None
    text = sum_text(_heading(picked, column), added, column.values, question.language)
    return _conclusion(Combination.SUM, text, picked, column, question) if text else None


def _agrees_with_totals(picked: Picked, column: Column) -> bool:
    """Whether the table's own totals and subtotals, where all rows are added up, are the sums that they stand for."""
    if picked.conditions:
        return True
    lines = picked.table.lines
    values = picked.table.amounts_of(column.place, lines)
    unit = column.values[0].unit
    kept = [
        (line.kind, value)
        for line, value in zip(lines, values, strict=True)
        if value is not None or not cell_of(line, column.place).strip()
    ]
    if any(value is not None and value.unit != unit for _, value in kept):
        return False
    return totals_agree([kind for kind, _ in kept], [size(value) if value else None for _, value in kept])


def _average(question: QuestionAnalysis, picked: Picked, column: Column) -> Conclusion | None:
    sizes = [size(value) for value in column.values]
    if None in sizes or picked.table.repeats(column.place, picked.rows):
        return None
    added = total(number for number in sizes if number is not None)
    text = average_text(_heading(picked, column), added, column.values, question.language)
    return _conclusion(Combination.AVERAGE, text, picked, column, question) if text else None


def _extreme(combination: Combination, question: QuestionAnalysis, picked: Picked, column: Column) -> Conclusion | None:
    direction = EXTREMES[combination]
    best = column.values[0]
    for value in column.values[1:]:
        order = compare(value, best)
        if order is None:
            return None
        best = value if order * direction > 0 else best
    orders = [compare(best, value) for value in column.values]
    if any(order is None or order * direction < 0 for order in orders):
        return None
    first = [index for index, order in enumerate(orders) if order == 0]
    labels = _labels(question, picked.table, [picked.rows[index] for index in first])
    winners = [(label, column.values[index].raw) for label, index in zip(labels, first, strict=True)]
    text = extreme_text(combination, _heading(picked, column), winners, column.values, question.language)
    return _conclusion(combination, text, picked, column, question)


def _count(question: QuestionAnalysis, picked: Picked) -> Conclusion | None:
    is_one = len(picked.rows) == 1
    if is_one and any(_tells_rows_apart(picked.table, condition.column) for condition in picked.conditions):
        return None  # a row that is named by its label is not counted but read
    counted = _counted_column(question, picked)
    conditions = _shown(picked.conditions)
    if counted is not None:
        texts = list(dict.fromkeys(line.cells[counted] for line in picked.rows if counted < len(line.cells)))
        if len(texts) < len(picked.rows):
            if not _DISTINCT.search(question.text) or not all(texts):
                return None
            name = column_name(picked.table.names[counted])
            text = distinct_text(Heading(name, conditions), texts, len(picked.rows), question.language)
            return _conclusion(Combination.COUNT, text, picked, None, question)
    if _has_quantities(picked.table) and not _ROW_WORDS.search(question.text):
        return None
    if counted is None and not _names_counted(question, picked):
        return None
    labels = _labels(question, picked.table, picked.rows)
    text = count_text(Heading("", conditions), labels, question.language, _measure_word(question))
    return _conclusion(Combination.COUNT, text, picked, None, question)


def _counted_column(question: QuestionAnalysis, picked: Picked) -> int | None:
    """The column of the things that are counted: 有几家供应商 counts the suppliers, not the rows."""
    conditioned = {condition.column for condition in picked.conditions}
    rated = [
        (label_rating(name, question), index)
        for index, name in enumerate(picked.table.names)
        if index not in conditioned and column_name(name).casefold() in question.text.casefold()
    ]
    return max(rated)[1] if rated else None


def _tells_rows_apart(table: EvidenceTable, column: int) -> bool:
    cells = [cell_of(line, column) for line in table.rows]
    return len(set(cells)) == len(cells) > 1


def _names_counted(question: QuestionAnalysis, picked: Picked) -> bool:
    """Whether the table's section, columns or the chosen rows bear the name of what is counted."""
    conditions = _shown(picked.conditions)
    held = terms("\n".join((picked.table.own_context, *picked.table.names, *conditions)))
    words = [word for phrase in question.focus for word in content_words(phrase)]
    counted = [word for word in words if len(word) > 1 or not has_chinese(word)]
    return any(word_share(word, held) >= COVERED for word in counted) or bool(conditions and not counted)


def _has_quantities(table: EvidenceTable) -> bool:
    """Whether a row may stand for several things, so that rows are not what is counted."""
    return any(QUANTITY.search(name) for name in table.names)


def _heading(picked: Picked, column: Column) -> Heading:
    return Heading(column_name(picked.table.names[column.place]), _shown(picked.conditions))


def _shown(conditions: Sequence[Condition]) -> tuple[str, ...]:
    return tuple(condition.text for condition in conditions)


def _labels(question: QuestionAnalysis, table: EvidenceTable, lines: Sequence[Line]) -> list[str]:
    """For each of some rows the cells that tell it from all others: the asked ones, then the first ones."""
    columns = [index for index in range(len(table.names)) if not table.is_index(index)]
    rated = [(label_rating(table.names[index], question), -index) for index in columns]
    best = max(rated, default=(0.0, 0))
    asked = [-best[1]] if best[0] > 0 and not table.is_measured(-best[1]) else []
    order = list(dict.fromkeys((*asked, *columns)))
    ids = [index for index in range(len(table.names)) if table.is_index(index)]
    rows = table.rows
    counts = [Counter(_cells(line, order[: length + 1]) for line in rows) for length in range(len(order))]

    def label(line: Line) -> str:
        needed = (n + 1 for n in range(len(order)) if counts[n][_cells(line, order[: n + 1])] == 1)
        named = [cell_of(line, index) for index in ids if _HAS_LETTER.search(cell_of(line, index))]
        return " ".join(dict.fromkeys((*named, *_cells(line, order[: next(needed, len(order))]))))

    return [label(line) for line in lines]


def _cells(line: Line, columns: Sequence[int]) -> tuple[str, ...]:
    return tuple(cell_of(line, index) for index in columns)


def _measure_word(question: QuestionAnalysis) -> str:
    """What the question counts in: 几个, 几项; rows where it does not say."""
    found = _COUNTED_IN.search(question.text) if question.language == "zh" else None
    return found["word"] if found else ""


def _conclusion(
    combination: Combination, text: str, picked: Picked, column: Column | None, question: QuestionAnalysis
) -> Conclusion:
    values = [value.raw for value in column.values] if column else [""] * len(picked.rows)
    labels = _labels(question, picked.table, picked.rows)
    operands = tuple(
        Operand(subject=label, text=value, quotes=line.quotes())
        for label, line, value in zip(labels, picked.rows, values, strict=True)
    )
    headers = [line.quotes()[1] for line in picked.rows]
    rows = [line.quotes()[0] for line in picked.rows]
    quotes = tuple(dict.fromkeys((*headers, *rows)))
    return Conclusion(combination=combination, text=text, quotes=quotes, language=question.language, operands=operands)
