"""Whether two statements speak of the same subject, as far as a question tells subjects apart."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..editions import edition_of
from ..text.normalise import has_chinese, normalise_match
from ..text.values import Value, ValueKind
from .confidence import headings_of
from .names import names_in
from .question import QuestionAnalysis
from .terms import question_terms, terms, values, without_dates
from .units import Unit
from .wanted_answers import wanted_values
from .weighing import Weigh, coverage, searched_text

# A rival statement holds this share of what the answering one holds of the question, names and rare words most of all.
SAME_QUESTION = 0.9
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_SUBJECT_YEAR = re.compile(
    r"(?<!\d)((?:19|20)\d{2})(?!\d)(?!\s*年?(?:版|修订|修正|试行|\s*(?:edition|version|revision)))", re.IGNORECASE
)
_DOCUMENT_NOUN = re.compile(
    r"\b(?:polic(?:y|ies)|handbook|manual|guide(?:lines?)?|agreement|contract|report|minutes|faq|plan|code|rules?"
    r"|procedures?|terms|conditions|standards?|notice|sheet|list|questions|regulations?|instructions?)\b",
    re.IGNORECASE,
)
_COMPANY = re.compile(r"\b(?:Inc|Ltd|Co|Corp|LLC|Group|Company|Corporation|Bank|University|GmbH|PLC)\b")
_MODALS = re.compile(
    r"可不可以|能不能|是否|可以|能够|能否|可否|必须|应当|需要|允许|不得"
    r"|\b(?:may|must|can|could|shall|should|allowed|permitted|required|obliged|need)\b",
    re.IGNORECASE,
)
_ESSENTIAL = frozenset({ValueKind.DATE, ValueKind.IDENTIFIER})
_MODEL = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2,}(?:-?[A-Z0-9]+)*-?\d{2,}[A-Z]?(?![A-Za-z0-9])")
_PLACE = re.compile(r"[\u4e00-\u9fff]{2,7}?(?:省|自治区|自治州|特别行政区|市|县|區|区|縣|州)(?![场民长政级])")


BlockTerms = Mapping[str, frozenset[str]]


def block_terms(units: Sequence[Unit]) -> BlockTerms:
    """The terms of each block by its id."""
    found: dict[str, set[str]] = {}
    for unit in units:
        found.setdefault(unit.source.block.block_id, set()).update(terms(searched_text(unit)))
    return {block: frozenset(held) for block, held in found.items()}


def are_editions(mine: Unit, theirs: Unit) -> bool:
    """Whether the two stand in editions of one text, by the names of the documents."""
    one, other = edition_of(mine.source.document.name), edition_of(theirs.source.document.name)
    return one.title == other.title and one.number != other.number and bool(one.number or other.number)


def is_edition_asked_for(question: QuestionAnalysis, unit: Unit, rival: Unit) -> bool:
    """Whether the question names the edition of one of two documents, so that the other is not meant."""
    asked = {int(year) for year in _YEAR.findall(question.text)}
    numbers = edition_of(unit.source.document.name).number + edition_of(rival.source.document.name).number
    return bool(asked & set(numbers))


def is_same_subject(
    question: QuestionAnalysis, mine: Unit, theirs: Unit, weigh: Weigh, blocks: BlockTerms, *, quoted: bool
) -> bool:
    """Whether a rival statement can answer the question as the answering one does.

    Args:
        question: whose names, ids and dates have to stand where the rival does.
        mine: the statement that answers.
        theirs: the rival.
        weigh: of a term; rare words count most.
        blocks: the terms of each block by its id.
        quoted: the statement was chosen as an answer, so what it holds with its headings is enough; for another one
            its block counts, too, as it does for the rival.
    """
    if _names_apart(question, mine, theirs):
        return False
    wanted = _subject_terms(question)
    own = held_by(mine) if quoted else held_by(mine) | blocks[mine.source.block.block_id]
    if mine.source.document.doc_id == theirs.source.document.doc_id:
        return wanted & own <= held_by(theirs)  # sections of one document are about different things
    rival = held_by(theirs) | blocks[theirs.source.block.block_id]
    return coverage(wanted, rival, weigh) >= SAME_QUESTION * coverage(wanted, own, weigh)


def _subject_terms(question: QuestionAnalysis) -> frozenset[str]:
    """The question's terms and names without its 可以 or must, which a rival denies."""
    plain = _MODALS.sub(" ", question.asked)
    wanted = question.terms if plain == question.asked else question_terms(without_dates(plain))
    return wanted | question_terms(" ".join((*question.entities, *question.quoted)))


def held_by(unit: Unit) -> frozenset[str]:
    """The terms of a unit and the headings above it."""
    return terms(searched_text(unit)) | terms(headings_of(unit))


def _names_apart(question: QuestionAnalysis, mine: Unit, theirs: Unit) -> bool:
    """Whether headings name different subjects, or sentences different years or ids."""
    if mine.source.document.doc_id != theirs.source.document.doc_id and _titles_apart(mine, theirs):
        return True
    if any(_lacks(theirs, value) and not _lacks(mine, value) for value in question.values if value.kind in _ESSENTIAL):
        return True
    return any(_values_apart(mine, theirs, kind) for kind in _telling_kinds(question))


def _titles_apart(mine: Unit, theirs: Unit) -> bool:
    for named in (_title_names, _title_places, _title_years):
        one, other = named(mine), named(theirs)
        if one and other and not one & other:
            return not (named is _title_years and are_editions(mine, theirs))
    return _are_siblings(mine.source.document.title, theirs.source.document.title)


def _are_siblings(mine: str, theirs: str) -> bool:
    """Whether two titles differ in a model or contract number only (DCU-560 技术规格书)."""
    one, other = set(_MODEL.findall(mine)), set(_MODEL.findall(theirs))
    rest = normalise_match(_MODEL.sub("", mine)), normalise_match(_MODEL.sub("", theirs))
    return bool(one and other) and not one & other and rest[0] == rest[1]


def _lacks(unit: Unit, value: Value) -> bool:
    """Whether a year or an id of the question stands neither in the block nor above it."""
    texts = (headings_of(unit), unit.source.block.text)
    found = [other.canonical for text in texts for other in values(text) if other.kind is value.kind]
    return not any(_agree(value.kind, value.canonical, other) for other in found) and normalise_match(
        value.raw
    ) not in normalise_match(headings_of(unit))


def _telling_kinds(question: QuestionAnalysis) -> frozenset[ValueKind]:
    """The kinds of values that tell subjects apart: years and ids, unless they are what is asked for."""
    wanted = wanted_values(question)
    return _ESSENTIAL - wanted.first if wanted else _ESSENTIAL


def _values_apart(mine: Unit, theirs: Unit, kind: ValueKind) -> bool:
    one = {value.canonical for value in values(searched_text(mine)) if value.kind is kind}
    other = {value.canonical for value in values(searched_text(theirs)) if value.kind is kind}
    return bool(one and other) and not any(_agree(kind, a, b) for a in one for b in other)


def _agree(kind: ValueKind, one: str, other: str) -> bool:
    """Whether two ids are one, or two dates may be: a year and a day of it, a day with and without its year."""
    if kind is not ValueKind.DATE:
        return one == other
    return one.startswith(other) or other.startswith(one) or one.endswith(other) or other.endswith(one)


def _title_names(unit: Unit) -> frozenset[str]:
    """The organisations and other names that a title consists of; Travel Policy is none."""
    block = unit.source.block.text
    return frozenset(
        name.casefold()
        for name in names_in(unit.source.document.title)
        if not _DOCUMENT_NOUN.search(name) and (has_chinese(name) or name in block or _COMPANY.search(name))
    )


def _title_places(unit: Unit) -> frozenset[str]:
    return frozenset(_PLACE.findall(unit.source.document.title))


def _title_years(unit: Unit) -> frozenset[str]:
    """The years that a title speaks of (2019年度报告), not those of its edition (2019版)."""
    return frozenset(_SUBJECT_YEAR.findall(unit.source.document.title))
