"""The table row that a question tells by a value in it (the press of 68.50万元)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from ..text.values import Value
from .amounts import MEASURED, amounts, cell_amount
from .models import Evidence, ExtractedSentence
from .phrases import content_words
from .question import QuestionAnalysis
from .table_rows import TableRow, read_rows, show_row
from .terms import question_terms, terms
from .units import quote

_WORD = re.compile(r"[^\W\d_]{2,}")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def stated_values(question: QuestionAnalysis) -> tuple[Value, ...]:
    """The amounts that a question itself states."""
    return tuple(value for value in amounts(question.text) if value.kind in MEASURED)


def row_with_values(
    question: QuestionAnalysis, evidence: Sequence[Evidence], *, score: float
) -> ExtractedSentence | None:
    """The only row of the evidence that holds every value that a question states, and a word of it in a cell.

    None where the question states none, or where no row or several hold them. A column or the table may carry the
    unit, so that the number of a cell without a unit counts.

    Args:
        question: what is asked.
        evidence: numbered sources.
        score: what the sentence is given as its score.
    """
    stated = stated_values(question)
    holding = [pair for pair in _rows(evidence) if stated and _holds_all(pair[1], stated)]
    found = [pair for pair in holding if _is_named(pair[1], question)]
    if len({pair[1].cells for pair in found}) != 1:
        return None
    source, row = found[0]
    asked = question.terms | question_terms(question.text)

    def relevance(name: str) -> float:
        held = terms(name)
        return len(held & asked) / len(held) if held else 0.0

    quotes = (quote(source, row.start, row.end), quote(source, row.header_start, row.header_end))
    return ExtractedSentence(text=show_row(row, relevance, question.language), quotes=quotes, score=score)


def _rows(evidence: Sequence[Evidence]) -> Iterator[tuple[Evidence, TableRow]]:
    return ((source, row) for source in evidence for row in read_rows(source.block.text))


def _holds_all(row: TableRow, stated: Sequence[Value]) -> bool:
    return all(_holds(row, value) for value in stated)


def _holds(row: TableRow, value: Value) -> bool:
    for name, cell in zip(row.names, row.cells, strict=False):
        read = cell_amount(name, cell)
        if read is not None and read.unit:
            if read.key == value.key:
                return True
        elif _number(cell) is not None and _number(cell) == _number(value.raw):
            return True
    return False


def _is_named(row: TableRow, question: QuestionAnalysis) -> bool:
    words = [word for phrase in question.phrases for word in content_words(phrase) if _WORD.fullmatch(word)]
    cells = "\n".join(row.cells).casefold()
    return any(word.casefold() in cells for word in words)


def _number(text: str) -> Decimal | None:
    """The only number of a text."""
    found = _NUMBER.findall(text)
    return Decimal(found[0].replace(",", "")) if len(found) == 1 else None
