"""A question for what a heading names (有哪些报警代码, what family leave) is answered by that whole section."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from .models import Evidence, ExtractedSentence, Quote
from .question import QuestionAnalysis
from .question_words import AnswerType
from .scoring import coverage, term_weights
from .table_rows import whole_row
from .terms import question_terms, terms
from .units import Unit, cut_units, quote

_LISTS = frozenset({AnswerType.LIST, AnswerType.SUMMARY})
_OPEN = _LISTS | {AnswerType.TEXT, AnswerType.DEFINITION}
_HAN = re.compile(r"[\u3400-\u9fff]+")
_LATIN = re.compile(r"[A-Za-z][A-Za-z'’-]+")
_NUMBER = re.compile(
    r"^\s*(?:第[一二三四五六七八九十百\d]+[编章节条款]|[一二三四五六七八九十]+[、.．]|[\d.]+[、.．)]?)\s*"
)
# Shares of weight in search terms: of the heading's words that the question must hold, and of the question's words
# that heading and title must hold together.
_HEADING_ASKED = 0.75
_QUESTION_NAMED = 0.6
MOST_ROWS = 15
"""A longer table is no list to be read out."""
_MOST_UNITS = 9
_MOST_CHARACTERS = 1_200
_FEWEST = 2
# A title with a chapter under it; more short lines in a row are items.
_HEADINGS_IN_A_ROW = 2
_CONFIDENCE = 0.75
"""The section is the one that is named; whether all of it answers, rules cannot tell."""


class _Section(NamedTuple):
    """What stands under one heading in one block."""

    heading: str
    units: tuple[Unit, ...]
    source: Evidence


def named_section(
    question: QuestionAnalysis, evidence: Sequence[Evidence], idf: Callable[[str], float] | None = None
) -> tuple[ExtractedSentence, ...]:
    """All rows or sentences of the one short section whose heading says what the question asks for; else nothing.

    Args:
        question: from `analyse_question`; one for a plain fact is never answered so.
        evidence: numbered sources, best first.
        idf: weight of a search term in the library.
    """
    if question.answer_type not in _OPEN or not evidence:
        return ()
    sections = [section for source in evidence for section in _sections(source)]
    weigh = term_weights([unit for section in sections for unit in section.units], idf)
    rated = [(_rating(question, section, weigh), section) for section in sections]
    best = max((rating for rating, _ in rated), default=0.0)
    if best < _QUESTION_NAMED:
        return ()
    chosen = next(section for rating, section in rated if rating == best)
    units = _all_of(chosen, sections)
    return tuple(_shown(unit, question.language) for unit in units) if _is_short(question, units) else ()


def _sections(source: Evidence) -> Iterator[_Section]:
    heading = source.block.section_path[-1] if source.block.section_path else ""
    units: list[Unit] = []
    for unit, is_heading in _marked(cut_units(source)):
        if is_heading:
            if units:
                yield _Section(heading, tuple(units), source)
            heading, units = unit.text.strip(), []
        else:
            units.append(unit)
    if units:
        yield _Section(heading, tuple(units), source)


def _marked(units: Sequence[Unit]) -> Iterator[tuple[Unit, bool]]:
    """Each unit, and whether it is a heading: of many short lines in a row only the first is, the rest is a list."""
    for looks, run in groupby(units, key=lambda unit: unit.is_heading and unit.row is None):
        for place, unit in enumerate(lines := list(run)):
            yield unit, looks and (place == 0 or len(lines) <= _HEADINGS_IN_A_ROW)


def _rating(question: QuestionAnalysis, section: _Section, weigh: Callable[[str], float]) -> float:
    """The share of the question that heading and title name, 0 where the heading names something else."""
    title = terms(section.source.document.search_title)
    asked = question_terms(question.text)
    own = _words(section.heading, question.language) - title
    if not own or coverage(own, asked, weigh) < _HEADING_ASKED:
        return 0.0
    named = coverage(asked, own | title, weigh)
    # The heading is what is asked for; the rest of the question only says whose.
    is_focus = any(coverage(question_terms(phrase), own, weigh) >= _HEADING_ASKED for phrase in question.focus)
    return max(named, _QUESTION_NAMED) if is_focus else named


def _words(heading: str, language: str) -> frozenset[str]:
    """The search terms of a heading in the question's script: headings are often written in both languages."""
    bare = _NUMBER.sub("", heading)
    parts = (_HAN if language == "zh" else _LATIN).findall(bare)
    latin_beside = language == "zh" and not parts
    return terms(bare if latin_beside else " ".join(parts))


def _all_of(chosen: _Section, sections: Sequence[_Section]) -> list[Unit]:
    """The section's units over all of its blocks that were found, in reading order."""
    document = chosen.source.document.doc_id
    same = [s for s in sections if s.heading == chosen.heading and s.source.document.doc_id == document]
    same.sort(key=lambda section: (section.source.block.ordinal, section.units[0].start))
    return [unit for section in same for unit in section.units]


def _is_short(question: QuestionAnalysis, units: Sequence[Unit]) -> bool:
    rows = sum(unit.row is not None for unit in units)
    said = [unit for unit in units if unit.row is None]
    fits = rows <= MOST_ROWS and len(said) <= _MOST_UNITS and sum(len(u.text) for u in units) <= _MOST_CHARACTERS
    return fits and len(units) >= (_FEWEST if question.answer_type in _LISTS else 1)


def _shown(unit: Unit, language: str) -> ExtractedSentence:
    if unit.row is None:
        return ExtractedSentence(text=unit.text, quotes=(unit.quote(),), score=_CONFIDENCE)
    header: Quote = quote(unit.source, unit.row.header_start, unit.row.header_end)
    return ExtractedSentence(text=whole_row(unit.row, language), quotes=(unit.quote(), header), score=_CONFIDENCE)
