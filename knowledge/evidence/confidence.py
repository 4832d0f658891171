"""Whether the evidence answers at all, and what of the question stands nowhere in it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..text.values import ValueKind
from .phrases import content_words, names_a_thing, word_share
from .question import QuestionAnalysis, detect_language
from .question_words import GENERIC_NOUNS, WANTED_VALUES
from .scoring import Scored, Weigh, context_text, searched_text
from .terms import ValueKey, characters, question_terms, terms, value_keys, without_dates
from .units import Unit

# A name of which less than this share stands in the evidence is missing from it.
MISSING = 0.4
# The confidence of an answer that lacks a name, an id or a date of the question: below `extract.ANSWERED`.
MISSING_CAP = 0.3
_ESSENTIAL_VALUES = frozenset({ValueKind.DATE, ValueKind.IDENTIFIER, ValueKind.CLAUSE})
# So many of the best units may hold what is asked for.
_LOOKED_AT = 3
# Up to this share of a thing's Chinese characters may stand in the evidence by chance.
_STRAY_CHARACTERS = 0.25
# A lead of so many points of score counts in full.
_WIDE_MARGIN = 5.0
# A word that the library knows well still counts.
_LEAST_WEIGHT = 0.5


class Signals(NamedTuple):
    """What speaks for an answer, each 0 to 1."""

    rest: float
    """Share of the question's distinguishing terms in the best unit."""
    focus: float
    """Share of what is asked for in one of the best units."""
    phrases: float
    """The mean share of the content phrases in the best unit, its section and title."""
    entities: float
    """The worst share of a name in the evidence of that document."""
    values: float
    """Share of the question's dates, numbers and ids in the best unit's block, section and title."""
    typed: float
    """For a wanted value (number, date …) whether one stands in the best units; 1 where words are wanted."""
    margin: float
    """How far the best unit stands above the fourth best, from 0 to 1."""


# Fitted by a logistic regression (weights held positive) on halves of: questions of CMRC, DRCD, the clauses and the
# companies; the companies' unanswerable questions; and all of them with the sentences that answer taken out of the
# evidence. The intercepts put the chosen balance at the threshold of `extract.ANSWERED`: a question for a number, a
# date or a name is refused earlier than an open one, since a wrong value does more harm than a clause beside the point.
VALUE_INTERCEPT = -7.8
OPEN_INTERCEPT = -6.8
WEIGHTS = Signals(rest=0.4, focus=1.35, phrases=1.2, entities=2.2, values=0.8, typed=1.8, margin=3.35)


class Verdict(NamedTuple):
    """How sure an answer is (0 to 1) and what is missing, in the question's words."""

    confidence: float
    missing: tuple[str, ...]


def judge(
    question: QuestionAnalysis, ranked: Sequence[Scored], groups: Sequence[Sequence[Unit]], weigh: Weigh
) -> Verdict:
    """Rate the best unit as an answer, and look for each name of the question in all the evidence.

    A name, a date or an id that stands nowhere caps the confidence, and so does a thing that is asked for in numbers
    (防护等级, noise level) when not even a part of its name stands there. A verb only lowers the confidence:
    documents have other words for it.
    """
    found = signals(question, ranked, groups, weigh)
    wants_value = question.answer_type in WANTED_VALUES
    strength = (VALUE_INTERCEPT if wants_value else OPEN_INTERCEPT) + sum(
        w * f for w, f in zip(WEIGHTS, found, strict=True)
    )
    confidence = 1 / (1 + math.exp(-strength))
    named = tuple(dict.fromkeys(_missing_names(question, groups, weigh)))
    absent = _absent_thing(question, groups, weigh)
    if named or absent:
        return Verdict(min(confidence, MISSING_CAP), tuple(dict.fromkeys((*named, *absent))))
    return Verdict(confidence, _missing_focus(question, groups, weigh))


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
    keys = {value.key for value in question.values}
    own = terms(searched_text(best.unit)) | terms(headings_of(best.unit))
    parts = [phrase_share(part, own, weigh) for part in _parts(question, question.phrases)]
    names = [phrase_share(name, held, weigh) for name in (*question.entities, *question.quoted)]
    return Signals(
        rest=best.features.rest,
        focus=max(shares),
        phrases=sum(parts) / len(parts) if parts else 1.0,
        entities=min(names, default=1.0),
        values=len(keys & _block_values(best.unit, groups)) / len(keys) if keys else 1.0,
        typed=max(types) if question.answer_type in WANTED_VALUES else 1.0,
        margin=_margin(ranked),
    )


def _margin(ranked: Sequence[Scored]) -> float:
    """How far the best stands above the first that is no candidate any more; without one nothing competes."""
    behind = ranked[_LOOKED_AT].score if len(ranked) > _LOOKED_AT else 0.0
    return min(max(ranked[0].score - behind, 0.0) / _WIDE_MARGIN, 1.0)


def headings_of(unit: Unit) -> str:
    """Title, file name and section path above a unit."""
    return f"{unit.source.document.search_title}\n{context_text(unit)}"


def phrase_share(phrase: str, held: frozenset[str], weigh: Weigh) -> float:
    """Weighted share of a phrase's content words, or their synonyms, among the terms of a text; 1 if it has none."""
    shares = [(max(weigh(word), _LEAST_WEIGHT), word_share(word, held)) for word in content_words(phrase)]
    total = sum(weight for weight, _ in shares)
    return sum(weight * share for weight, share in shares) / total if total else 1.0


def _essential_focus(question: QuestionAnalysis) -> str:
    """What is asked for, if the evidence has to mention it: no generic noun, no kind (哪种颜色)."""
    ids = {value.raw for value in question.values}
    return next((phrase for phrase in _parts(question, question.focus) if phrase not in ids), "")


def _parts(question: QuestionAnalysis, phrases: Sequence[str]) -> Iterator[str]:
    for phrase in phrases:
        part = without_dates(phrase.replace(question.kind, " ") if question.kind else phrase).strip()
        # A single Chinese character (钱, 晚) is what is left of a way to ask, not a thing to be mentioned.
        if part and part.casefold() not in GENERIC_NOUNS and not (len(part) == 1 and characters(part)):
            yield part


def _terms_of(groups: Sequence[Sequence[Unit]], document: str | None = None) -> frozenset[str]:
    """The terms of the evidence of one document (of all, for None) with its headings."""
    wanted = [g for g in groups if g and document in (None, g[0].source.document.doc_id)]
    return frozenset().union(
        *(terms(searched_text(unit)) for group in wanted for unit in group),
        *(terms(headings_of(group[0])) for group in wanted),
    )


def _block_values(unit: Unit, groups: Sequence[Sequence[Unit]]) -> frozenset[ValueKey]:
    block = unit.source.block
    texts = [
        headings_of(unit),
        *(searched_text(other) for g in groups if g and g[0].source.block is block for other in g),
    ]
    return frozenset(key for text in texts for key in value_keys(text))


def _missing_focus(question: QuestionAnalysis, groups: Sequence[Sequence[Unit]], weigh: Weigh) -> tuple[str, ...]:
    own = _essential_focus(question)
    if detect_language("\n".join(unit.text for group in groups for unit in group)) != question.language:
        return ()
    return (" ".join(own.split()),) if own and phrase_share(own, _terms_of(groups), weigh) < MISSING else ()


def _absent_thing(question: QuestionAnalysis, groups: Sequence[Sequence[Unit]], weigh: Weigh) -> tuple[str, ...]:
    focus = _essential_focus(question)
    if question.answer_type not in WANTED_VALUES or not focus or not names_a_thing(focus):
        return ()
    texts = "\n".join(searched_text(unit) for group in groups for unit in group)
    if detect_language(texts) != question.language:
        return ()  # the documents have their own word for it
    letters = characters(focus)
    if letters:
        is_absent = len(letters & characters(texts)) <= _STRAY_CHARACTERS * len(letters)
    else:
        is_absent = phrase_share(focus, _terms_of(groups), weigh) == 0
    return (focus,) if is_absent else ()


def _missing_names(question: QuestionAnalysis, groups: Sequence[Sequence[Unit]], weigh: Weigh) -> Iterator[str]:
    held = _terms_of(groups)
    for name in (*question.entities, *question.quoted):
        if phrase_share(name, held, weigh) < MISSING:
            yield name
    texts = [searched_text(unit) for group in groups for unit in group]
    texts += [headings_of(group[0]) for group in groups if group]
    known = frozenset(key for text in texts for key in value_keys(text))
    for value in question.values:
        is_known = value.key in known or question_terms(value.raw) <= held
        if value.kind in _ESSENTIAL_VALUES and not is_known:
            yield value.raw
