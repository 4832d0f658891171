"""Puts the answers to the parts together, by rules: quotes in the order of the parts, conclusions, conflicts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...decisions import Plan, SubTask, Sufficiency, TaskVerdict
from ...knowledge.evidence.conclusions import Conclusion, PartAnswer, conclude
from ...knowledge.evidence.models import (
    Conflict,
    ConflictSide,
    DomainStatement,
    ExtractedSentence,
    Quote,
    SentenceCheck,
)
from ...knowledge.evidence.question import QuestionAnalysis, analyse_question
from ...knowledge.evidence.short_answer import description
from ...knowledge.questions.models import Combination
from ...state import Draft, DraftSentence
from ...tools.choosing.rules import LOOKUP_MEMORY
from ...tools.results import is_result_id
from ..messages import message
from .judge import COMPARED, part_name

_SHOWN = (Sufficiency.ANSWERED, Sufficiency.PARTLY, Sufficiency.CONFLICTING)


class _Piece(NamedTuple):
    """A sentence of the answer with its quotes."""

    text: str
    quotes: tuple[Quote, ...]


def compose(plan: Plan, verdicts: Sequence[TaskVerdict], question: QuestionAnalysis) -> Draft:
    """The answer as far as the verdicts go; without sentences where no part is answered.

    Every part keeps its order; a part that is not answered is named among what is missing.
    """
    language = question.language
    by_task = {verdict.task_id: verdict for verdict in verdicts}
    shown = [by_task[task.id] for task in plan.tasks if task.id in by_task and by_task[task.id].sufficiency in _SHOWN]
    shown = [verdict for verdict in shown if verdict.finding.sentences or verdict.conclusion]
    missing = tuple(dict.fromkeys(_missing(plan, by_task, len(shown))))
    if not shown:
        confidence = max((verdict.finding.confidence for verdict in verdicts), default=0.0)
        return Draft(missing=missing, confidence=confidence)
    ordered = [*shown[-1:], *shown[:-1]] if plan.combination is Combination.CHAIN else _documents_first(shown)
    subjects = {task.id: task.subject for task in plan.tasks}
    found = (_named(p, subjects[v.task_id], language) for v in ordered for p in _pieces(v, language))
    pieces = list(_without_repeats(found))
    conclusions = tuple(_conclusions(plan, shown, question))
    conflicts = tuple(conflict_line(v.conflict, language) for v in shown if v.conflict is not None)
    return Draft(
        sentences=tuple(_sentence(piece) for piece in pieces),
        checks=tuple(SentenceCheck(text=p.text, supported=True, quotes=p.quotes, score=1.0) for p in pieces),
        conclusions=conclusions,
        missing=missing,
        lacks_side=plan.combination in COMPARED and bool(missing) and not conclusions,
        conflicts=conflicts,
        names_domains=any(v.by_domain for v in shown),
        shows_conflict=any(v.conflict is not None and v.conflict.preferred is None for v in shown),
        confidence=sum(verdict.finding.confidence for verdict in shown) / max(len(plan.tasks), 1),
    )


def _missing(plan: Plan, by_task: dict[str, TaskVerdict], shown: int) -> Iterable[str]:
    for task in plan.tasks:
        verdict = by_task.get(task.id)
        if verdict is None:
            yield part_name(_readable(task, plan))
        elif verdict.sufficiency is Sufficiency.MISSING and (shown or len(plan.tasks) > 1):
            yield part_name(task.said or verdict.question)
        else:
            yield from verdict.missing


def _readable(task: SubTask, plan: Plan) -> str:
    """The question of a task that never ran, with the words of the question that it was waiting for."""
    text = task.question
    for other in plan.tasks:
        described = description(analyse_question(other.question)) or f"“{part_name(other.question)}”"
        text = text.replace(f"{{{other.id}}}", described)
    return text


def _pieces(verdict: TaskVerdict, language: str) -> Iterable[_Piece]:
    conflict = verdict.conflict
    if verdict.by_domain:
        yield from _by_domain(verdict, language)
    elif conflict is None:
        yield from (_Piece(sentence.text, sentence.quotes) for sentence in verdict.finding.sentences)
    elif conflict.preferred is not None:
        yield from _preferred(verdict.finding.sentences, conflict, language)
    else:
        yield from (_Piece(side_text(side, language), side.statement.quotes) for side in conflict.sides)


def _documents_first(shown: Sequence[TaskVerdict]) -> list[TaskVerdict]:
    """What was said before comes behind what documents and data say; their order stays."""
    return sorted(shown, key=_is_from_memory)


def _is_from_memory(verdict: TaskVerdict) -> bool:
    quotes = [quote for sentence in verdict.finding.sentences for quote in sentence.quotes]
    return bool(quotes) and all(quote.block_id.startswith(f"result:{LOOKUP_MEMORY}:") for quote in quotes)


def _named(piece: _Piece, subject: str, language: str) -> _Piece:
    """A line of a tool's result with the name that its part is about, so that one figure can be told from another."""
    is_told = not subject or subject.casefold() in piece.text.casefold()
    if is_told or not piece.quotes or not all(is_result_id(quote.block_id) for quote in piece.quotes):
        return piece
    return piece._replace(text=f"{subject}{'：' if language == 'zh' else ': '}{piece.text}")


def _by_domain(verdict: TaskVerdict, language: str) -> Iterable[_Piece]:
    """What each domain says, named as such, and what else was found that none of these statements says."""
    for one in verdict.by_domain:
        yield _Piece(domain_text(one, language), one.statement.quotes)
    taken = {quote.block_id for one in verdict.by_domain for quote in one.statement.quotes}
    for sentence in verdict.finding.sentences:
        if not taken & {quote.block_id for quote in sentence.quotes}:
            yield _Piece(sentence.text, sentence.quotes)


def domain_text(one: DomainStatement, language: str) -> str:
    """A statement with its domain and document in front."""
    kind = "in_domain" if one.domain else "in_no_domain"
    return message(kind, language, domain=one.domain, document=one.document, statement=one.statement.text)


def _preferred(sentences: Sequence[ExtractedSentence], conflict: Conflict, language: str) -> Iterable[_Piece]:
    """The winner's statement, what else was found that no side says, and the statements that lost, named as such."""
    assert conflict.preferred is not None  # asked by `_pieces`
    winner = conflict.sides[conflict.preferred]
    yield _Piece(winner.statement.text, winner.statement.quotes)
    taken = {quote.block_id for side in conflict.sides for quote in side.statement.quotes}
    for sentence in sentences:
        if not taken & {quote.block_id for quote in sentence.quotes}:
            yield _Piece(sentence.text, sentence.quotes)
    for side in conflict.sides:
        if side is not winner:
            text = message(f"lost_{conflict.reason}", language, side=side_text(side, language))
            yield _Piece(text, side.statement.quotes)


def side_text(side: ConflictSide, language: str) -> str:
    """One side of a conflict with its document and date in front."""
    source = f"{side.document}, {side.dated}" if side.dated and language == "en" else side.document
    if side.dated and language == "zh":
        source = f"{side.document}，{side.dated}"
    return message("side", language, source=source, statement=side.statement.text)


def conflict_line(conflict: Conflict, language: str) -> str:
    """A conflict in one line: who says what, and which rule decided."""
    joint = "；" if language == "zh" else "; "
    sides = joint.join(side_text(side, language) for side in conflict.sides)
    if conflict.preferred is None:
        return message("conflict_open", language, sides=sides)
    winner = conflict.sides[conflict.preferred]
    return message(f"conflict_{conflict.reason}", language, sides=sides, document=winner.document)


def _conclusions(plan: Plan, shown: Sequence[TaskVerdict], question: QuestionAnalysis) -> Iterable[Conclusion]:
    yield from (verdict.conclusion for verdict in shown if verdict.conclusion is not None)
    if plan.combination not in COMPARED or len(shown) < len(plan.tasks) or len(shown) < 2:
        return
    subjects = {task.id: task.subject for task in plan.tasks}
    parts = [
        PartAnswer(analyse_question(verdict.question), subjects[verdict.task_id], _statements(verdict))
        for verdict in shown
    ]
    conclusion = conclude(plan.combination, parts, question.language, asked=question.text)
    if conclusion is not None:
        yield conclusion


def _statements(verdict: TaskVerdict) -> tuple[ExtractedSentence, ...]:
    """What a part says; with an open conflict, or another answer in each domain, nothing that could be compared."""
    if verdict.by_domain:
        return ()
    if verdict.conflict is None:
        return verdict.finding.sentences
    preferred = verdict.conflict.preferred
    return () if preferred is None else (verdict.conflict.sides[preferred].statement,)


def _without_repeats(pieces: Iterable[_Piece]) -> Iterable[_Piece]:
    """Each quote once; a row of a table may stand twice with other cells of it shown."""
    seen: set[tuple[str, int, int]] = set()
    texts = ""
    for piece in pieces:
        places = {(quote.block_id, quote.span.start, quote.span.end) for quote in piece.quotes}
        if not places <= seen or piece.text not in texts:
            seen |= places
            texts += f"{piece.text}\n"
            yield piece


def _sentence(piece: _Piece) -> DraftSentence:
    return DraftSentence(text=piece.text, markers=tuple(dict.fromkeys(quote.marker for quote in piece.quotes)))
