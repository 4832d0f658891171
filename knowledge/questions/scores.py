"""Scores how much work a question is, and names the class by which it is routed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from ..evidence.question import QuestionAnalysis, analyse_question
from .chains import has_nested_name
from .decompose import LONGEST_QUESTION, decompose
from .kinds import asks_for_effects, names_several_sources
from .models import Combination, Decomposition, GateScores, QuestionType
from .parts import asked
from .score_words import CONDITION, CONSEQUENCES, DOCUMENTS, EVALUATES, PERIODS, STAKES, WHY, WORDINGS, Reason

QuestionClass = Literal["simple", "medium", "complex"]

# S2 §2.2: a sum below 12 is answered in one pass, above 20 in the loop.
MEDIUM_FROM = 12
COMPLEX_ABOVE = 20
_MOST = 10
# Complexity, sources and stakes of a question that nothing raises.
_BASES = (1, 1, 2)
# One fact stays in one pass whatever it is about: 3 + 2 + 6 is below 12.
_FACT_LIMITS = (3, 2, 6)
_TABLE = frozenset([Combination.SUM, Combination.AVERAGE, Combination.COUNT, Combination.LARGEST, Combination.SMALLEST])
_CHOICE = re.compile(r"\w,? or \w|还是|更[高低大小多少长短早晚]|\b(?:higher|lower|larger|smaller|longer|shorter)\b")
_WITHOUT_SEARCH = frozenset([QuestionType.CHITCHAT, QuestionType.CLARIFY])


class _Raise(NamedTuple):
    """Points for one score, and why."""

    points: int
    reason: Reason
    filled: str = ""


class _Signs(NamedTuple):
    """What the words of a question and its parts say about the work."""

    text: str
    effects: bool
    several_sources: bool
    nested: bool
    consequences: bool
    documents: int
    subjects: int


def score_question(question: QuestionAnalysis, parts: Decomposition) -> GateScores:
    """Score a question by its parts and its words.

    Args:
        question: what is asked.
        parts: the same question taken apart by `decompose`.
    """
    if parts.question_type in _WITHOUT_SEARCH:
        return GateScores(complexity=0, sources=0, stakes=0)
    signs = _signs(question, parts)
    raises = (
        [*_hops(signs, parts), *_reasoning(signs)],
        list(_sources(signs, parts)),
        list(_stakes(signs, question.language)),
    )
    totals = [min(_MOST, base + sum(one.points for one in found)) for base, found in zip(_BASES, raises, strict=True)]
    if _is_plain_fact(signs, parts):
        totals = [min(total, limit) for total, limit in zip(totals, _FACT_LIMITS, strict=True)]
    reasons = tuple(dict.fromkeys(_in_words(one, question.language) for found in raises for one in found))
    return GateScores(complexity=totals[0], sources=totals[1], stakes=totals[2], reasons=reasons)


def class_of(scores: GateScores) -> QuestionClass:
    """Which class the sum of the scores is in."""
    if scores.total < MEDIUM_FROM:
        return "simple"
    return "medium" if scores.total <= COMPLEX_ABOVE else "complex"


def is_grey(scores: GateScores) -> bool:
    """Whether one point more or less would change the class, so that a model may be asked."""
    return scores.total in (MEDIUM_FROM - 1, MEDIUM_FROM, COMPLEX_ABOVE, COMPLEX_ABOVE + 1)


def _signs(question: QuestionAnalysis, parts: Decomposition) -> _Signs:
    read = asked(question)
    read = read._replace(text=read.text[:LONGEST_QUESTION])
    return _Signs(
        text=read.text,
        effects=asks_for_effects(read),
        several_sources=names_several_sources(read),
        nested=has_nested_name(read.text),
        consequences=CONSEQUENCES.search(read.text) is not None,
        documents=len({found.group().casefold() for found in DOCUMENTS.finditer(read.text)}),
        subjects=_subjects(parts),
    )


def _is_plain_fact(signs: _Signs, parts: Decomposition) -> bool:
    alone = len(parts.parts) == 1 and parts.question_type in (QuestionType.SINGLE_HOP, QuestionType.ACTION)
    return alone and not signs.effects and not signs.several_sources


def _hops(signs: _Signs, parts: Decomposition) -> Iterator[_Raise]:
    count = len(parts.parts)
    if parts.question_type is QuestionType.COMPARISON:
        yield from _compared(signs, parts.combination)
    elif _is_chain(parts):
        yield _Raise(5, Reason.CHAIN)
        if _CHOICE.search(signs.text):
            yield _Raise(4, Reason.NESTED)
    elif parts.combination is Combination.LIST:
        yield _Raise({2: 1, 3: 4}.get(count, 5) + (3 if signs.subjects == 2 else 0), Reason.PARTS, str(count))
    elif parts.combination in _TABLE:
        yield _Raise(2, Reason.TABLE)
    elif parts.combination is Combination.VERSION:
        yield _Raise(1, Reason.VERSION)


def _is_chain(parts: Decomposition) -> bool:
    """Whether a part needs the answer to another one."""
    return parts.combination is Combination.CHAIN or any(part.depends_on for part in parts.parts)


def _compared(signs: _Signs, combination: Combination) -> Iterator[_Raise]:
    count = max(2, signs.subjects)
    yield _Raise(4 if count == 2 else 6, Reason.COMPARISON, str(count))
    if combination in (Combination.LIST, Combination.CHAIN):
        yield _Raise(3, Reason.FOLLOW_UP)
    if signs.nested:
        yield _Raise(3, Reason.NESTED)


def _reasoning(signs: _Signs) -> Iterator[_Raise]:
    if signs.effects:
        yield _Raise(5, Reason.EFFECTS)
    elif WHY.search(signs.text):
        yield _Raise(4 if signs.several_sources else 1, Reason.WHY)
    if signs.several_sources:
        yield _Raise(3, Reason.SOURCES, str(max(2, signs.documents)))
        if signs.consequences:
            yield _Raise(3, Reason.WEIGHING)
    if EVALUATES.search(signs.text):
        yield _Raise(1, Reason.EFFECTS)
    conditions = len(CONDITION.findall(signs.text))
    if conditions:
        yield _Raise(min(conditions, 2), Reason.CONDITIONS, str(conditions))


def _sources(signs: _Signs, parts: Decomposition) -> Iterator[_Raise]:
    if signs.subjects >= 2:
        yield _Raise(5 if signs.subjects == 2 else 7, Reason.SUBJECTS, str(signs.subjects))
    elif parts.question_type is QuestionType.COMPARISON:
        yield _Raise(6, Reason.SUBJECTS, "2+")
    elif _is_chain(parts):
        yield _Raise(8 if _CHOICE.search(signs.text) else 4, Reason.CHAIN)
    elif signs.effects:
        yield _Raise(4, Reason.EFFECTS)
    elif len(parts.parts) > 2:
        yield _Raise(3, Reason.PARTS, str(len(parts.parts)))
    if signs.several_sources and signs.subjects < 2:
        yield _Raise(6 if signs.documents < 3 else 7, Reason.SOURCES, str(max(2, signs.documents)))
    elif signs.documents > 2 or PERIODS.search(signs.text):
        yield _Raise(2, Reason.SOURCES, str(max(3, signs.documents)))
    if parts.question_type is QuestionType.COMPARISON and signs.nested:
        yield _Raise(2, Reason.NESTED)


def _stakes(signs: _Signs, language: str) -> Iterator[_Raise]:
    for field in STAKES:
        if field.pattern.search(signs.text):
            yield _Raise(field.points, Reason.STAKES, field.name.chinese if language == "zh" else field.name.english)
    if signs.consequences:
        yield _Raise(2, Reason.CONSEQUENCES)


def _subjects(parts: Decomposition) -> int:
    """How many subjects the parts name; a chain behind a comparison has them in its first part."""
    if parts.combination is Combination.CHAIN and parts.question_type is QuestionType.COMPARISON:
        return _subjects(decompose(analyse_question(parts.parts[0].text)))
    return len({part.subject for part in parts.parts if part.subject})


def _in_words(one: _Raise, language: str) -> str:
    wording = WORDINGS[one.reason]
    text = wording.chinese if language == "zh" else wording.english
    return text.format(count=one.filled, words=one.filled)
