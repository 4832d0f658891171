"""Writes the statement for a question by rules: over one table, and only where nothing in the question is left over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from ...errors import MissingExtraError
from ...knowledge.documents import Document
from ...knowledge.evidence.phrases import content_words, word_share
from ...knowledge.evidence.terms import terms
from ...knowledge.text.normalise import has_chinese
from ..contracts import ArgumentsFound, ToolError
from .asked_words import Operation
from .column_words import chinese_names
from .library_source import LibrarySource
from .models import Column, ColumnKind
from .question_columns import heading
from .question_filters import Filter
from .reading_questions import Reading, read_question
from .shelf import Offered, Shelf

_MOST_LISTED = 50
_LONGEST_QUESTION = 300
_CLEARLY = 0.1
"""One table is meant if it fits so much better than the next."""
_NAMED = 0.5
"""Share of the words of a document's name that names it."""
_CONFIDENCE = {None: 0.5, Operation.LIST: 0.65, Operation.COUNT: 0.75}
_DECLARED = 0.65
_SURE = 0.8
_SURER = 0.1
"""Where the question names the document or the database."""
_FUNCTIONS = {Operation.SUM: "SUM", Operation.AVERAGE: "AVG", Operation.LARGEST: "MAX", Operation.SMALLEST: "MIN"}
_ALIASES = {
    Operation.SUM: ("{0}合计", "total {0}"),
    Operation.AVERAGE: ("平均{0}", "average {0}"),
    Operation.LARGEST: ("最高{0}", "highest {0}"),
    Operation.SMALLEST: ("最低{0}", "lowest {0}"),
    Operation.COUNT: ("数量", "count"),
}


class _Candidate(NamedTuple):
    offered: Offered
    reading: Reading
    document: Document | None
    is_named: bool


def statement_for(question: str, sources: Sequence[Offered], shelf: Shelf, today: date) -> ArgumentsFound | None:
    """What `query_sql` would be called with for a question; None where it is not clearly one over one table.

    Args:
        question: in natural language.
        sources: that the caller may ask.
        shelf: keeps their schemas.
        today: what 去年 and `last quarter` count from.
    """
    if not 0 < len(question.strip()) <= _LONGEST_QUESTION:
        return None
    best = _best([one for offered in sources for one in _candidates(question, offered, shelf, today)])
    if best is None:
        return None
    confidence = _CONFIDENCE.get(best.reading.operation, _SURE) + (_SURER if best.is_named else 0.0)
    if best.document is None:
        # No document holds what is looked up in a database.
        confidence = max(confidence, _DECLARED)
    return ArgumentsFound(
        {"sql": write(best.reading, question), "source": best.offered.name},
        confidence,
        reason=f"a question over the table {best.reading.table.name}",
    )


def _candidates(question: str, offered: Offered, shelf: Shelf, today: date) -> Iterator[_Candidate]:
    source = offered.source
    if isinstance(source, LibrarySource):
        for found in source.document_tables(question):
            reading = read_question(question, found.table, found.context, found.document.search_title, today)
            is_named = _names(question, found.document.search_title)
            if reading is not None and found.is_whole and (source.is_small or is_named):
                yield _Candidate(offered, reading, found.document, is_named)
        return
    try:
        tables = shelf.tables(offered, question)
    except (ToolError, MissingExtraError):
        return
    for table in tables:
        # A title is what a person calls the table; its bare name may be asked for in both languages as well.
        called = " ".join(
            (table.title, table.name.replace("_", " "), *(() if table.title else chinese_names(table.name)))
        )
        context = f"{called}\n{offered.name}"
        reading = read_question(question, table, context, "", today)
        if reading is not None:
            yield _Candidate(offered, reading, None, offered.name.casefold() in question.casefold())


def _names(question: str, title: str) -> bool:
    words = content_words(title.replace("_", " "))
    held = terms(question)
    return bool(words) and sum(word_share(word, held) for word in words) >= _NAMED * len(words)


def _best(candidates: Sequence[_Candidate]) -> _Candidate | None:
    """The one that fits clearly best; of editions of a document the one in force."""
    present = [one for one in candidates if one.document is None or one.document.superseded_by is None] or candidates
    ranked = sorted(present, key=lambda one: -one.reading.fit)
    if not ranked or (len(ranked) > 1 and ranked[0].reading.fit - ranked[1].reading.fit < _CLEARLY):
        return None
    return ranked[0]


def write(reading: Reading, question: str) -> str:
    """The statement that a reading means, in SQL that all dialects share."""
    table = ".".join(_quoted(part) for part in reading.table.name.split("."))
    conditions = [_condition(one) for one in reading.filters]
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    if reading.operation in (None, Operation.LIST):
        shown = ", ".join(_quoted(column.name) for column in reading.shown) or "*"
        if len(reading.shown) == 1 and reading.shown[0].repeats:
            shown = f"DISTINCT {shown}"
        return f"SELECT {shown} FROM {table}{where} LIMIT {_MOST_LISTED}"
    if reading.is_of_totals:
        return _extreme_total(reading, table, conditions, question)
    if reading.group is not None:
        return _grouped(reading, table, where, question)
    if reading.operation in (Operation.LARGEST, Operation.SMALLEST):
        return _extreme(reading, table, conditions)
    return f"SELECT {_computed(reading, question)} FROM {table}{where}"


def _grouped(reading: Reading, table: str, where: str, question: str) -> str:
    assert reading.group is not None
    group = _quoted(reading.group.name)
    computed = _computed(reading, question)
    return f"SELECT {group}, {computed} FROM {table}{where} GROUP BY {group} ORDER BY 2 DESC LIMIT {_MOST_LISTED}"


def _extreme_total(reading: Reading, table: str, conditions: Sequence[str], question: str) -> str:
    """The groups with the highest or lowest total, all that share it; or so many in order."""
    assert reading.column is not None and reading.group is not None and reading.operation is not None
    group, column = _quoted(reading.group.name), _quoted(reading.column.name)
    alias = _quoted(_ALIASES[Operation.SUM][not has_chinese(question)].format(heading(reading.column)))
    known = " AND ".join([*conditions, f"NOT {group} IS NULL", f"NOT {column} IS NULL"])
    totals = f"FROM {table} WHERE {known} GROUP BY {group}"
    if reading.number > 1:
        order = "DESC" if reading.operation is Operation.LARGEST else "ASC"
        return f"SELECT {group}, SUM({column}) AS {alias} {totals} ORDER BY 2 {order} LIMIT {reading.number}"
    best = (
        f'SELECT {_FUNCTIONS[reading.operation]}("total") FROM (SELECT SUM({column}) AS "total" {totals}) AS "totals"'
    )
    return f"SELECT {group}, SUM({column}) AS {alias} {totals} HAVING SUM({column}) = ({best})"


def _computed(reading: Reading, question: str) -> str:
    alias = _quoted(_alias(reading, question))
    if reading.operation is Operation.COUNT:
        counted = "*" if reading.column is None else f"DISTINCT {_quoted(reading.column.name)}"
        return f"COUNT({counted}) AS {alias}"
    assert reading.operation is not None and reading.column is not None
    return f"{_FUNCTIONS[reading.operation]}({_quoted(reading.column.name)}) AS {alias}"


def _alias(reading: Reading, question: str) -> str:
    assert reading.operation is not None
    name = heading(reading.column) if reading.column else ""
    return _ALIASES[reading.operation][not has_chinese(question)].format(name)


def _extreme(reading: Reading, table: str, conditions: Sequence[str]) -> str:
    """The rows with the highest or lowest value, all that share it; or so many in order."""
    assert reading.column is not None and reading.operation is not None
    column = _quoted(reading.column.name)
    shown = ", ".join(dict.fromkeys([*(_quoted(one.name) for one in reading.shown), column]))
    known = " AND ".join([*conditions, f"NOT {column} IS NULL"])
    if reading.number > 1:
        order = "DESC" if reading.operation is Operation.LARGEST else "ASC"
        return f"SELECT {shown} FROM {table} WHERE {known} ORDER BY {column} {order} LIMIT {reading.number}"
    inner = f"SELECT {_FUNCTIONS[reading.operation]}({column}) FROM {table} WHERE {known}"
    return f"SELECT {shown} FROM {table} WHERE {' AND '.join([*conditions, f'{column} = ({inner})'])}"


def _condition(one: Filter) -> str:
    column = _quoted(one.column.name)
    if one.operator in ("in", "not in"):
        return f"{column} {one.operator.upper()} ({', '.join(_text(value) for value in one.operands)})"
    return f"{column} {one.operator} {_operand(one.column, one.operands[0])}"


def _operand(column: Column, value: str) -> str:
    return value if column.kind is ColumnKind.NUMBER else _text(value)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
