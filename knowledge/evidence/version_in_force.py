"""Which edition of a text is in force: the newest of those that a question names, with the words that say so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from ..documents import Document
from ..editions import edition_of
from ..text.normalise import normalise
from .models import Evidence, ExtractedSentence
from .question import QuestionAnalysis
from .units import Unit, cut_units, quote

_JOINTS = re.compile(r"[\W_]+")
_SINCE = re.compile(
    r"自.{0,30}起(?:施行|实施|执行|生效)|(?:施行|实施|生效)日期"
    r"|\b(?:in force|effective|applies) (?:from|since|as of|on)\b|\beffective date\b",
    re.IGNORECASE,
)
_REPLACES = re.compile(r"同时废止|废止|替代|取代|\b(?:replaces|supersedes|withdrawn)\b", re.IGNORECASE)
_SHORTEST_TITLE = 3
_SURE = 0.85
"""Confidence where the text itself says since when it holds or what it replaces."""
_BY_NAME = 0.6
"""Confidence where only the editions' names tell which is newer."""
_LONGEST = 300


class VersionInForce(NamedTuple):
    """The document in force, the sentence that says so, and how sure that is (0 to 1)."""

    document: Document
    sentence: ExtractedSentence
    confidence: float


def titled_documents(question: str, documents: Iterable[Document]) -> tuple[Document, ...]:
    """The documents whose title, without its edition, stands in the question."""
    asked = _JOINTS.sub("", normalise(question))
    found = ((document, _title(document)) for document in documents)
    return tuple(document for document, title in found if len(title) >= _SHORTEST_TITLE and title in asked)


def _title(document: Document) -> str:
    return edition_of(document.name.rsplit("/", 1)[-1].rsplit(".", 1)[0]).title


def version_in_force(
    question: QuestionAnalysis, evidence: Sequence[Evidence], today: date | None = None
) -> VersionInForce | None:
    """The edition in force among the documents of the evidence; None where the question names none of them.

    Args:
        question: names the text whose edition is asked for.
        evidence: of all editions.
        today: an edition that is not yet in force on this day, or no longer, is left out.
    """
    named = titled_documents(question.text, {item.document.doc_id: item.document for item in evidence}.values())
    in_force = [document for document in named if _holds(document, today)]
    if not in_force:
        return None
    newest = max(in_force, key=_rank)
    units = [unit for item in evidence if item.document.doc_id == newest.doc_id for unit in cut_units(item)]
    best = max(units, key=_promise, default=None)
    if best is None or (_promise(best) == (0, 0, 0) and len(named) == 1):
        return None
    return VersionInForce(newest, _sentence(best), _SURE if _promise(best)[0] + _promise(best)[1] else _BY_NAME)


def _holds(document: Document, today: date | None) -> bool:
    if today is None:
        return True
    begun = document.effective_from is None or document.effective_from <= today
    return begun and (document.effective_to is None or today <= document.effective_to)


def _rank(document: Document) -> tuple[date, tuple[int, ...], date]:
    edition = edition_of(document.name.rsplit(".", 1)[0]).number
    return document.effective_from or date.min, edition, document.published_at or date.min


def _promise(unit: Unit) -> tuple[int, int, int]:
    """Whether a unit says since when the text holds, what it replaces, and how early it stands (a heading last)."""
    text = unit.text
    if len(text) > _LONGEST:
        return (0, 0, 0)
    since, replaces = bool(_SINCE.search(text)), bool(_REPLACES.search(text))
    return int(since and not unit.is_heading), int(replaces), -unit.source.block.ordinal if since or replaces else 0


def _sentence(unit: Unit) -> ExtractedSentence:
    return ExtractedSentence(text=unit.text, quotes=(quote(unit.source, unit.start, unit.end),), score=_SURE)
