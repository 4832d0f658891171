"""Which of several sources that disagree prevails, and what is known about their dates."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from typing import Literal, NamedTuple, TypeVar

from ..documents import Document
from ..editions import edition_of
from ..text.values import ValueKind
from .question import QuestionAnalysis
from .terms import question_terms, terms, value_keys, values
from .units import Unit
from .weighing import context_text, searched_text

Reason = Literal["newer_edition", "higher_authority", "more_specific", "unclear"]

# What a text calls its date: in force from, published on, revised on.
_DATED = re.compile(
    r"自.{0,24}起(?:施行|实施|执行|生效)|(?:发布|颁布|公布|印发|修订|生效|实施|施行)(?:日期|时间)?|发文日期|编制日期|签订日期"
    r"|\b(?:effective|in force|issued|published|revised|last updated|dated)\b",
    re.IGNORECASE,
)
_EDITION = re.compile(
    r"(?:19|20)\d{2}\s*年?(?:版|修订版?|修正版?|试行版?)|第\s*[一二三四五六七八九十\d]+\s*版|(?<![A-Za-z])[Vv]\d+(?:\.\d+)+"
    r"|\b(?:19|20)\d{2} (?:edition|version|revision)|\b\d+(?:st|nd|rd|th) edition|\bRev(?:ision)?\.? ?\d+",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_REACH = 40

_T = TypeVar("_T")


class Precedence(NamedTuple):
    """Index of the side that prevails (None: it is not clear), and why."""

    preferred: int | None
    reason: Reason


UNCLEAR = Precedence(None, "unclear")


def preferred_side(question: QuestionAnalysis, sides: Sequence[Unit]) -> Precedence:
    """The statement that prevails over every other one: by its edition, its document's authority, its wording.

    How many documents say a thing does not matter: a copied mistake is no better for it.

    Args:
        question: decides which statement is the more specific one.
        sides: one statement for each value.
    """
    documents = [side.source.document for side in sides]
    newest = _winner([(i, other) for i, other in enumerate(documents)], is_newer)
    if newest is not None:
        return Precedence(newest, "newer_edition")
    highest = _winner(list(enumerate(documents)), lambda one, other: one.authority > other.authority)
    if highest is not None:
        return Precedence(highest, "higher_authority")
    if any(is_newer(one, other) or one.authority > other.authority for one in documents for other in documents):
        return UNCLEAR
    held = list(enumerate(_named_here(question, side) for side in sides))
    specific = _winner(held, lambda one, other: one > other)
    return UNCLEAR if specific is None else Precedence(specific, "more_specific")


def _winner(numbered: Sequence[tuple[int, _T]], beats: Callable[[_T, _T], bool]) -> int | None:
    """The one that beats all the others."""
    for index, one in numbered:
        if all(beats(one, other) for place, other in numbered if place != index):
            return index
    return None


def is_newer(one: Document, other: Document) -> bool:
    """Whether a document replaces another one: a later edition by name, in force later, or published later."""
    if (one.superseded_by == other.name) != (other.superseded_by == one.name):
        return other.superseded_by == one.name
    mine, theirs = edition_of(one.name), edition_of(other.name)
    if mine.title == theirs.title and mine.number and theirs.number and mine.number != theirs.number:
        return mine.number > theirs.number
    if one.effective_from and other.effective_from and one.effective_from != other.effective_from:
        return one.effective_from > other.effective_from
    if other.effective_to != one.effective_to:
        return _ends(one) > _ends(other)
    if one.published_at and other.published_at:
        return one.published_at > other.published_at
    return False


def _ends(document: Document) -> date:
    return document.effective_to or date.max


def _named_here(question: QuestionAnalysis, side: Unit) -> frozenset[object]:
    """The names, ids and terms of the question that a statement and its section hold."""
    text = f"{searched_text(side)}\n{context_text(side)}"
    wanted = question.terms | question_terms(question.scope)
    asked = {value.key for value in question.values}
    return frozenset(wanted & terms(text)) | frozenset(asked & value_keys(text))


def dated(unit: Unit) -> str:
    """The edition or date of a statement's document, in its own words if its name or the block says it; else ISO."""
    document = unit.source.document
    for text in (document.name, document.title):
        if found := _EDITION.search(text) or _YEAR.search(text):
            return found.group().strip()
    if said := _dated_in(unit.source.block.text):
        return said
    known = document.effective_from or document.published_at
    return known.isoformat() if known else ""


def _dated_in(text: str) -> str:
    """The date that a block itself calls its date of issue or of coming into force."""
    for match in _DATED.finditer(text):
        near = text[match.start() : match.end() + _REACH].partition("\n")[0]
        dates = (value for value in values(near) if value.kind is ValueKind.DATE)
        found = [value for value in dates if len(value.canonical) >= len("2024-01")]
        if found:
            return found[0].raw
    return ""
