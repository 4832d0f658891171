# ruff: noqa: E501 - patterns are read in one piece
"""A question for things of a kind (班车有哪些线路, which classes of information) is answered by the table that lists them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from ..text.values import ValueKind
from .models import Evidence, ExtractedSentence
from .named_sections import MOST_ROWS
from .question import QuestionAnalysis
from .scoring import coverage, term_weights
from .table_rows import TableRow, read_rows, whole_row
from .terms import question_terms, terms
from .units import cut_units, quote

_KIND_BEHIND = re.compile(r"(?:哪些|哪几[种类个条项级档]?|什么样的|有什么)(?P<kind>[\u3400-\u9fffA-Za-z]+)")
_KIND_BEFORE = re.compile(r"(?P<kind>[\u3400-\u9fffA-Za-z]+?)(?:都?有|包括|分为|分成|分)哪(?:些|几)")
_ENGLISH_KIND = re.compile(
    r"\b(?:which|what|list(?: all)?(?: the)?)\s+(?:different\s+|kinds? of\s+|types? of\s+)?(?P<kind>[a-z][a-z'-]*(?:\s+(?!of\b|are\b|is\b|does\b|do\b|has\b|have\b|there\b|apply\b|in\b)[a-z][a-z'-]*){0,2})",
    re.IGNORECASE,
)
_NUMBER_COLUMN = re.compile(r"\s*(?:序号|编号|no\.?|#|number|item)\s*", re.IGNORECASE)
_HAN = re.compile(r"[\u3400-\u9fff]+")
_LATIN = re.compile(r"[A-Za-z][A-Za-z'’-]+")
# Verbs between a kind and its source say nothing about the table.
_FILLERS = frozenset(
    [
        "define",
        "defines",
        "defined",
        "list",
        "lists",
        "listed",
        "contain",
        "contains",
        "have",
        "has",
        "include",
        "includes",
        "there",
        "exist",
        "name",
        "names",
        "use",
        "uses",
        "apply",
        "mean",
        "means",
        "meaning",
        "stand",
        "规定",
        "定义",
        "包括",
        "包含",
        "列出",
        "分为",
        "分成",
        "表示",
        "代表",
        "含义",
        "意思",
        "设有",
        "开通",
        "分别",
    ]
)
# Shares of weight in search terms: of a column's name that the asked kind must hold, and of the question that the
# caption, the headings, the title and this column must hold together.
_COLUMN_ASKED = 0.75
_QUESTION_HELD = 0.75
_FEWEST = 2
_CONFIDENCE = 0.75


class _Table(NamedTuple):
    """A table in one block, with what stands above it."""

    source: Evidence
    above: str
    rows: tuple[TableRow, ...]


def named_table(
    question: QuestionAnalysis, evidence: Sequence[Evidence], idf: Callable[[str], float] | None = None
) -> tuple[ExtractedSentence, ...]:
    """All rows of the table whose first column is what the question asks for; empty where there is no such table.

    A question that says which rows it wants (a value, a word of another column) is none for all of them.

    Args:
        question: from `analyse_question`.
        evidence: numbered sources, best first.
        idf: weight of a search term in the library.
    """
    kind = _kind(question.text)
    if not kind or any(value.kind is not ValueKind.CLAUSE for value in question.values):
        return ()
    weigh = term_weights([unit for source in evidence for unit in cut_units(source)], idf)
    for table in (table for source in evidence for table in _tables(source)):
        if _is_asked(question, kind, table, weigh):
            rows = _all_rows(table, evidence)
            if _FEWEST <= len(rows) <= MOST_ROWS:
                return tuple(_shown(source, row, question.language) for source, row in rows)
    return ()


def _kind(text: str) -> str:
    """The noun that a list of is asked for: 线路, classes."""
    found = _KIND_BEHIND.search(text) or _KIND_BEFORE.search(text) or _ENGLISH_KIND.search(text)
    return found["kind"] if found else ""


def _tables(source: Evidence) -> Iterator[_Table]:
    text = source.block.text
    for header, group in groupby(read_rows(text), key=lambda row: row.header_start):
        yield _Table(source, _above(text, header), tuple(group))


def _above(text: str, header: int) -> str:
    """The lines over a table, back to the table before it."""
    lines = text[:header].splitlines()
    last = max((at for at, line in enumerate(lines) if line.lstrip().startswith("|")), default=-1)
    return "\n".join(lines[last + 1 :][-_LINES_ABOVE:])


_LINES_ABOVE = 3


def _is_asked(question: QuestionAnalysis, kind: str, table: _Table, weigh: Callable[[str], float]) -> bool:
    column = _key_column(table.rows[0].names)
    own = _in_language(column, question.language)
    asked = (terms(" ".join(question.phrases)) or question_terms(question.text)) - terms(" ".join(_FILLERS))
    if not own or not asked or coverage(own, terms(kind), weigh) < _COLUMN_ASKED:
        return False
    source = table.source
    around = terms("\n".join((table.above, *source.block.section_path, source.document.search_title)))
    return coverage(asked, own | around, weigh) >= _QUESTION_HELD


def _key_column(names: Sequence[str]) -> str:
    return next((name for name in names if name and not _NUMBER_COLUMN.fullmatch(name)), "")


def _in_language(name: str, language: str) -> frozenset[str]:
    """The terms of a column's name in the question's script: names are often written in both languages."""
    parts = (_HAN if language == "zh" else _LATIN).findall(name)
    return terms(" ".join(parts))


def _all_rows(table: _Table, evidence: Sequence[Evidence]) -> list[tuple[Evidence, TableRow]]:
    """The table's rows over all of its blocks that were found, in reading order."""
    document, names = table.source.document.doc_id, table.rows[0].names
    same = [
        one
        for source in evidence
        if source.document.doc_id == document and source.block.section_path == table.source.block.section_path
        for one in _tables(source)
        if one.rows[0].names == names
    ]
    same.sort(key=lambda one: (one.source.block.ordinal, one.rows[0].start))
    return [(one.source, row) for one in same for row in one.rows]


def _shown(source: Evidence, row: TableRow, language: str) -> ExtractedSentence:
    quotes = (quote(source, row.start, row.end), quote(source, row.header_start, row.header_end))
    return ExtractedSentence(text=whole_row(row, language), quotes=quotes, score=_CONFIDENCE)
