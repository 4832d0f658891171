"""Whether the evidence answers at all, and what of the question stands nowhere in it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..text.values import ValueKind
from .phrases import content_words, word_share
from .question import QuestionAnalysis
from .question_words import GENERIC_NOUNS, WANTED_VALUES
from .scoring import Scored, Weigh, context_text, searched_text
from .terms import ValueKey, question_terms, terms, value_keys, without_dates
from .units import Unit

# A phrase of which less than this share stands in the evidence is missing from it.
MISSING = 0.4
# The confidence of an answer that lacks an essential part, below the threshold of `extract.ANSWERED`.
MISSING_CAP = 0.3
_ESSENTIAL_VALUES = frozenset({ValueKind.DATE, ValueKind.IDENTIFIER, ValueKind.CLAUSE})
# So many of the best units may hold what is asked for.
_LOOKED_AT = 3
# A word that the library knows well still counts.
_LEAST_WEIGHT = 0.5


class Signals(NamedTuple):
    """What speaks for an answer, each 0 to 1."""

    rest: float
    """Share of the question's distinguishing terms in the best unit."""
    around: float
    """Share of its terms in the best unit and its neighbours."""
    focus: float
    """Share of what is asked for in one of the best units."""
    phrase: float
    """The worst share of a content phrase in the evidence of that document."""
    entities: float
    """The worst share of a name in that document."""
    values: float
    """Share of the question's dates, numbers and ids in the best unit's block, section and title."""
    typed: float
    """For a wanted value (number, date …) whether one stands in the best units; 1 where words are wanted."""
    joint: float
    """Best product of focus and answer type in one unit."""
    cue: float


# Fitted by a logistic regression (weights held positive) on halves of: the companies' factual and unanswerable
# questions, CMRC, DRCD and 60 clause documents, and of the same questions with their own document taken away. The
# intercept puts the chosen balance (one answerable question in ten refused) at the threshold of `extract.ANSWERED`.
INTERCEPT = -8.6
WEIGHTS = Signals(
    rest=1.1, around=0.8, focus=0.9, phrase=0.8, entities=3.3, values=1.7, typed=2.0, joint=0.4, cue=1.1
)  # fmt: skip


class Verdict(NamedTuple):
    """How sure an answer is (0 to 1) and what is missing, in the question's words."""

    confidence: float
    missing: tuple[str, ...]


def judge(
    question: QuestionAnalysis, ranked: Sequence[Scored], groups: Sequence[Sequence[Unit]], weigh: Weigh
) -> Verdict:
    """Rate the best unit as an answer, and look for each essential part of the question in all the evidence.

    A name, a date or an id that stands nowhere caps the confidence, and so does a measure (噪声, headcount) that
    is asked for in numbers and never mentioned.
    """
    found = signals(question, ranked, groups, weigh)
    strength = INTERCEPT + sum(w * f for w, f in zip(WEIGHTS, found, strict=True))
    confidence = 1 / (1 + math.exp(-strength))
    named = list(_missing_names(question, groups, weigh))
    focus = _missing_focus(question, groups, weigh)
    if named or (focus and question.answer_type in WANTED_VALUES):
        confidence = min(confidence, MISSING_CAP)
    return Verdict(confidence, tuple(dict.fromkeys((*named, *focus))))


def signals(
    question: QuestionAnalysis, ranked: Sequence[Scored], groups: Sequence[Sequence[Unit]], weigh: Weigh
) -> Signals:
    """What is known about the best unit as an answer."""
    best = ranked[0]
    document = best.unit.source.document.doc_id
    held = _terms_of(groups, document)
    focus = _essential_focus(question)
    looked_at = [one for one in ranked[:_LOOKED_AT] if one.unit.source.document.doc_id == document]
    shares = [phrase_share(focus, terms(searched_text(one.unit)), weigh) for one in looked_at]
    types = [one.features.answer_type for one in looked_at]
    wants_value = question.answer_type in WANTED_VALUES
    block = _block_values(best.unit, groups)
    keys = {value.key for value in question.values}
    return Signals(
        rest=best.features.rest,
        around=best.features.around,
        focus=max(shares),
        phrase=min((phrase_share(part, held, weigh) for part in _parts(question, question.phrases)), default=1.0),
        entities=min((phrase_share(name, held, weigh) for name in (*question.entities, *question.quoted)), default=1.0),
        values=len(keys & block) / len(keys) if keys else 1.0,
        typed=max(types) if wants_value else 1.0,
        joint=max((share * kind for share, kind in zip(shares, types, strict=True)), default=0.0),
        cue=best.features.cue,
    )


def phrase_share(phrase: str, held: frozenset[str], weigh: Weigh) -> float:
    """Weighted share of a phrase's content words, or their synonyms, among the terms of a text; 1 if it has none."""
    shares = [(max(weigh(word), _LEAST_WEIGHT), word_share(word, held)) for word in content_words(phrase)]
    total = sum(weight for weight, _ in shares)
    return sum(weight * share for weight, share in shares) / total if total else 1.0


def _essential_focus(question: QuestionAnalysis) -> str:
    """What is asked for, if the evidence has to mention it: no generic noun, no kind (哪种颜色)."""
    return next((phrase for phrase in _parts(question, question.focus)), "")


def _parts(question: QuestionAnalysis, phrases: Sequence[str]) -> Iterator[str]:
    for phrase in phrases:
        part = without_dates(phrase.replace(question.kind, " ") if question.kind else phrase).strip()
        if part and part.casefold() not in GENERIC_NOUNS:
            yield part


def _terms_of(groups: Sequence[Sequence[Unit]], document: str | None = None) -> frozenset[str]:
    """The terms of the evidence of one document (of all, for None) with its headings."""
    wanted = [g for g in groups if g and document in (None, g[0].source.document.doc_id)]
    return frozenset().union(
        *(terms(searched_text(unit)) for group in wanted for unit in group),
        *(terms(context_text(group[0])) for group in wanted),
    )


def _block_values(unit: Unit, groups: Sequence[Sequence[Unit]]) -> frozenset[ValueKey]:
    block = unit.source.block
    texts = [
        context_text(unit),
        *(searched_text(other) for g in groups if g and g[0].source.block is block for other in g),
    ]
    return frozenset(key for text in texts for key in value_keys(text))


def _missing_focus(question: QuestionAnalysis, groups: Sequence[Sequence[Unit]], weigh: Weigh) -> tuple[str, ...]:
    own = _essential_focus(question)
    return (own,) if own and phrase_share(own, _terms_of(groups), weigh) < MISSING else ()


def _missing_names(question: QuestionAnalysis, groups: Sequence[Sequence[Unit]], weigh: Weigh) -> Iterator[str]:
    held = _terms_of(groups)
    for name in (*question.entities, *question.quoted):
        if phrase_share(name, held, weigh) < MISSING:
            yield name
    texts = [searched_text(unit) for group in groups for unit in group]
    texts += [context_text(group[0]) for group in groups if group]
    known = frozenset(key for text in texts for key in value_keys(text))
    for value in question.values:
        is_known = value.key in known or question_terms(value.raw) <= held
        if value.kind in _ESSENTIAL_VALUES and not is_known:
            yield value.raw
