"""Answers a question about the library as a whole by quoting: of each document what it says first, or of one matter."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..documents import Block, Document
from ..questions.overview import asked_overview
from ..text.normalise import has_chinese
from .models import Evidence, ExtractedSentence, Quote
from .overview import says_something as unit_says_something
from .table_rows import show_row
from .terms import question_terms, terms, values
from .units import Unit, cut_units, quote

_CONFIDENCE = 0.7
"""The sentences are the documents' own; whether they are their main ones, rules cannot tell."""
_PURPOSE = re.compile(
    r"适用于|制定本|为了?(?:规范|加强|保障|明确|保证|统一|提高)|用于|本(?:制度|办法|规定|手册|合同|政策|标准|规范|细则|流程)(?:所|规定|旨在)"
    r"|\b(?:applies to|applicable to|purpose|protects|sets out|governs|regulates|is used (?:for|to)|scope)\b",
    re.IGNORECASE,
)
_RULES = re.compile(
    r"应当?|须|必须|不得|禁止|严禁|可以|有权|负责"
    r"|\b(?:must|shall|may|should|required|prohibited|not allowed|responsible)\b",
    re.IGNORECASE,
)
_TITLED = {"zh": "《{0}》：{1}", "en": "{0}: {1}"}


def library_overview(question: str, evidence: Sequence[Evidence]) -> tuple[ExtractedSentence, ...]:
    """A sentence of each block of the evidence, its document's title in front; nothing for any other question.

    Args:
        question: as asked.
        evidence: the blocks that `directory.overviews` chose.
    """
    asked = asked_overview(question)
    if asked is None:
        return ()
    language = "zh" if has_chinese(question) else "en"
    order = {doc_id: place for place, doc_id in enumerate(dict.fromkeys(one.document.doc_id for one in evidence))}
    grouped = sorted(evidence, key=lambda one: (order[one.document.doc_id], one.block.ordinal))
    return tuple(said for one in grouped if (said := _sentence(one, asked.about, language)) is not None)


def says_something(block: Block, document: Document) -> bool:
    """Whether a block has a sentence that is more than a heading, a form's label or a row."""
    return any(unit_says_something(unit) for unit in _units(block, document))


def says_what_for(block: Block, document: Document) -> bool:
    """Whether a block has a sentence that says what its document is for, or whom or what it applies to."""
    return any(unit_says_something(unit) and _PURPOSE.search(unit.text) for unit in _units(block, document))


def _units(block: Block, document: Document) -> list[Unit]:
    return cut_units(Evidence(marker=1, block=block, document=document, score=0.0))


def _sentence(source: Evidence, about: str, language: str) -> ExtractedSentence | None:
    units = [unit for unit in cut_units(source) if not unit.is_heading]
    chosen = (_about(units, about) if about else _opening(units)) or next(iter(units), None)
    if chosen is None:
        return None
    said, quotes = _shown(chosen, about, language)
    text = _TITLED[language].format(source.document.title, said)
    return ExtractedSentence(text=text, quotes=quotes, score=_CONFIDENCE)


def _opening(units: Sequence[Unit]) -> Unit | None:
    """The first sentence that says what the document is for, else the first that says something."""
    said = [unit for unit in units if unit_says_something(unit)]
    return next((unit for unit in said if _PURPOSE.search(unit.text)), next(iter(said), None))


def _about(units: Sequence[Unit], about: str) -> Unit | None:
    """The sentence on a matter: rather one that rules something or states a value, then the one that shares most."""
    wanted = question_terms(about)

    def worth(unit: Unit) -> tuple[bool, bool, int, bool, int]:
        shared = len(wanted & terms(unit.text))
        rules = unit.row is None and bool(_RULES.search(unit.text) or values(unit.text))
        return shared > 0, rules, shared, unit.row is None, -unit.start

    return max(units, key=worth, default=None)


def _shown(unit: Unit, about: str, language: str) -> tuple[str, tuple[Quote, ...]]:
    row = unit.row
    if row is None:
        return " ".join(unit.text.split()), (unit.quote(),)
    wanted = question_terms(about)
    shown = show_row(row, lambda name: len(wanted & terms(name)) / (len(terms(name)) or 1), language)
    return shown, (unit.quote(), quote(unit.source, row.header_start, row.header_end))
