"""Finds sources that disagree about a question, by rules.

Documents of different domains hold for different areas: where they differ, that is no conflict, and each is named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import NamedTuple

from ..text.normalise import normalise_match
from .models import Conflict, ConflictSide, DomainStatement, Evidence, Extract, ExtractedSentence
from .precedence import dated, preferred_side
from .question import QuestionAnalysis
from .rivals import difference
from .same_values import Answer, Difference, is_same_answer, is_same_value, stated_in
from .subjects import BlockTerms, are_editions, block_terms, held_by, is_edition_asked_for, is_same_subject
from .table_rows import show_row
from .terms import question_terms, terms, values
from .units import Unit, cut_units, quote
from .wanted_answers import AnswerForm, answer_form, wanted_values
from .weighing import Weigh, coverage, searched_text, term_weights

MOST_SIDES = 4
"""Values that are shown at most."""
# Sentences that share less than this of the shorter one's terms are not compared any further.
_WORTH_COMPARING = 0.3
MOST_FURTHER = 12
"""Statements beside the quoted one that are looked at."""


class _Enough(NamedTuple):
    """How much of the question's terms a further statement holds: at least, and beside the quoted one."""

    least: float
    as_good: float


# Names differ in one place only, where sentences are nearly the same; among numbers and things more competes. Chosen on
# RGB's questions with false documents, so that of some 900 questions over undisputed texts only one reports a conflict.
_ENOUGH = {
    AnswerForm.NAME: _Enough(0.3, 0.4),
    AnswerForm.VALUE: _Enough(0.35, 0.6),
    AnswerForm.THING: _Enough(0.6, 0.7),
}
# Its block and headings hold so much of what those of the quoted statement hold.
_SAME_SUBJECT = 0.6


class _Side(NamedTuple):
    """One answer and the statements that give it."""

    answer: Answer
    statements: tuple[Unit, ...]

    @property
    def documents(self) -> int:
        """How many documents say it."""
        return len({unit.source.document.doc_id for unit in self.statements})


class _Search(NamedTuple):
    """What the statements are compared by."""

    question: QuestionAnalysis
    units: tuple[Unit, ...]
    blocks: BlockTerms
    weigh: Weigh


def find_conflict(
    question: QuestionAnalysis,
    evidence: Sequence[Evidence],
    finding: Extract,
    *,
    idf: Callable[[str], float] | None = None,
) -> Conflict | None:
    """The statements that answer the question otherwise than the finding does; None where nothing contradicts it.

    A conflict is another value, name or denial said of the same subject. Other spellings and precisions, bounds of the
    other side, exceptions, other subjects, other domains, and an edition that the question does not ask for are none.

    Args:
        question: what is asked.
        evidence: all sources of the question; statements outside the finding's block are its rivals.
        finding: from `extract_answer`; its first sentence is what would be answered. Where nothing contradicts it,
            other statements that answer as well are looked at, too: they may contradict each other.
        idf: weight of a search token in the library; without it rarity within the evidence counts.
    """
    if not finding.sentences:
        return None
    search = _prepared(question, evidence, idf)
    quoted = [unit for unit in search.units if _is_quoted(unit, finding.sentences[0])]
    for answer in quoted:
        alike = [unit for unit in search.units if _domain(unit) == _domain(answer)]
        if len(sides := _sides(search, answer, alike, quoted=True)) > 1:
            return _conflict(search, sides, finding)
    for answer in _further(search, quoted):
        alike = [unit for unit in search.units if _domain(unit) == _domain(answer)]
        elsewhere = [unit for unit in alike if _document(unit) != _document(answer)]
        if len(sides := _sides(search, answer, elsewhere, quoted=False)) > 1:
            return _conflict(search, sides, finding)
    return None


def find_domain_statements(
    question: QuestionAnalysis,
    evidence: Sequence[Evidence],
    finding: Extract,
    *,
    idf: Callable[[str], float] | None = None,
) -> tuple[DomainStatement, ...]:
    """What each domain says, where another one answers otherwise than the finding does; empty where none does.

    The finding's domain comes first, then one statement for each of the others; the arguments are those of
    `find_conflict`.
    """
    if not finding.sentences or len({source.document.domain for source in evidence}) < 2:
        return ()
    search = _prepared(question, evidence, idf)
    for answer in (unit for unit in search.units if _is_quoted(unit, finding.sentences[0])):
        elsewhere = [unit for unit in search.units if _domain(unit) != _domain(answer)]
        if len(sides := _sides(search, answer, elsewhere, quoted=True)) < 2:
            continue
        said = {_domain(answer): answer}
        for unit in (statement for side in sides for statement in side.statements):
            said.setdefault(_domain(unit), unit)
        score = finding.sentences[0].score
        return tuple(
            DomainStatement(domain=name, document=unit.source.document.name, statement=_shown(search, unit, score))
            for name, unit in said.items()
        )
    return ()


def _prepared(question: QuestionAnalysis, evidence: Sequence[Evidence], idf: Callable[[str], float] | None) -> _Search:
    units = tuple(unit for source in evidence for unit in cut_units(source) if not unit.is_heading)
    return _Search(question, units, block_terms(units), term_weights(units, idf))


def _document(unit: Unit) -> str:
    return unit.source.document.doc_id


def _domain(unit: Unit) -> str:
    return unit.source.document.domain or ""


def _is_quoted(unit: Unit, sentence: ExtractedSentence) -> bool:
    """Whether a unit is a part of a quoted sentence."""
    own = sentence.quotes[0]
    is_here = unit.source.block.block_id == own.block_id
    return is_here and unit.start < own.span.end and own.span.start < unit.end


def _further(search: _Search, quoted: Sequence[Unit]) -> list[Unit]:
    """Other statements that answer as well as the quoted one by the question's words and the kind of answer."""
    form = answer_form(search.question)
    if form not in _ENOUGH:
        return []  # every other rule would do
    known = {(unit.source.block.block_id, unit.start) for unit in quoted}
    shares = [(_share(search, unit, in_block=form is AnswerForm.VALUE), unit) for unit in search.units]
    best = max((_share(search, unit, in_block=form is AnswerForm.VALUE) for unit in quoted), default=1.0)
    around = _SAME_SUBJECT * max((_around(search, unit) for unit in quoted), default=1.0)
    enough = max(_ENOUGH[form].least, _ENOUGH[form].as_good * best)
    good = sorted((pair for pair in shares if pair[0] >= enough), key=lambda pair: -pair[0])
    fitting = (
        unit
        for _, unit in good
        if (unit.source.block.block_id, unit.start) not in known
        and _is_fitting(search.question, unit)
        and _around(search, unit) >= around
    )
    return list(islice(fitting, MOST_FURTHER))


def _around(search: _Search, unit: Unit) -> float:
    """Share of the question's terms in a unit's block and headings."""
    return coverage(search.question.terms, held_by(unit) | search.blocks[unit.source.block.block_id], search.weigh)


def _share(search: _Search, unit: Unit, *, in_block: bool) -> float:
    """Share of the question's terms in a unit; in its block, if that is allowed and the unit has what is asked for."""
    own, focus = terms(searched_text(unit)), search.question.focus_terms
    held = own | search.blocks[unit.source.block.block_id] if in_block and focus and focus <= own else own
    return coverage(search.question.terms, held, search.weigh)


def _is_fitting(question: QuestionAnalysis, unit: Unit) -> bool:
    """Whether a unit has a value of the wanted kind; names are looked at where sentences differ."""
    wanted = wanted_values(question)
    return wanted is None or any(value.kind in wanted.first | wanted.second for value in values(searched_text(unit)))


def _sides(search: _Search, answer: Unit, rivals: Sequence[Unit], *, quoted: bool) -> list[_Side]:
    """One side for each answer, that of the most documents first; one alone where nothing contradicts."""
    found = [(unit, unlike) for unit in rivals if (unlike := _contradiction(search, answer, unit, quoted=quoted))]
    if not found:
        return []
    own = max((unlike.mine for _, unlike in found), key=lambda one: len(one.text))
    sides = [_Side(own, (answer, *(unit for unit in rivals if _agrees(answer, unit, own))))]
    for unit, unlike in found:
        place = next((i for i, side in enumerate(sides) if i and is_same_answer(side.answer, unlike.theirs)), None)
        if place is None:
            sides.append(_Side(unlike.theirs, (unit,)))
        else:
            sides[place] = sides[place]._replace(statements=(*sides[place].statements, unit))
    return sorted(sides, key=lambda side: -side.documents)[:MOST_SIDES]


def _contradiction(search: _Search, answer: Unit, unit: Unit, *, quoted: bool) -> Difference | None:
    question = search.question
    if not _is_rival(answer, unit) or (are_editions(answer, unit) and is_edition_asked_for(question, answer, unit)):
        return None
    unlike = difference(question, answer, unit, search.weigh, reworded=quoted)
    if unlike is None or not is_same_subject(question, answer, unit, search.weigh, search.blocks, quoted=quoted):
        return None
    return unlike


def _is_rival(answer: Unit, unit: Unit) -> bool:
    """Whether a unit may be another statement about the same; the units of one block complete each other."""
    if unit.source.block.block_id == answer.source.block.block_id:
        return False
    mine, theirs = terms(searched_text(answer)), terms(searched_text(unit))
    return len(mine & theirs) >= _WORTH_COMPARING * min(len(mine), len(theirs))


def _agrees(answer: Unit, unit: Unit, stated: Answer) -> bool:
    """Whether another statement about the same holds the same answer."""
    if not _is_rival(answer, unit):
        return False
    text = searched_text(unit)
    if not stated.values:
        return normalise_match(stated.text) in normalise_match(text)
    found = stated_in(text)
    return all(any(is_same_value(value, other) for other in found) for value in stated.values)


def _conflict(search: _Search, sides: Sequence[_Side], finding: Extract) -> Conflict:
    statements = [side.statements[0] for side in sides]
    precedence = preferred_side(search.question, statements)
    return Conflict(
        question=search.question.text,
        sides=tuple(
            ConflictSide(
                statement=_shown(search, unit, finding.sentences[0].score),
                value=side.answer.text,
                document=unit.source.document.name,
                dated=dated(unit),
            )
            for side, unit in zip(sides, statements, strict=True)
        ),
        preferred=precedence.preferred,
        reason=precedence.reason,
    )


def _shown(search: _Search, unit: Unit, score: float) -> ExtractedSentence:
    """A statement as an extractive answer shows it."""
    if unit.row is None:
        return ExtractedSentence(text=unit.text, quotes=(unit.quote(),), score=score)
    asked = search.question.terms | question_terms(search.question.text)
    text = show_row(unit.row, lambda name: coverage(terms(name), asked, search.weigh), search.question.language)
    header = quote(unit.source, unit.row.header_start, unit.row.header_end)
    return ExtractedSentence(text=text, quotes=(unit.quote(), header), score=score)
