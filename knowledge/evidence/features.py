"""What is known about a unit of evidence as an answer, as numbers between 0 and 1."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..text.normalise import has_chinese
from .answer_types import answer_type_presence, nearness
from .cues import cue_share, serves_another_purpose, states_penalty
from .definitions import definition_strength
from .question import QuestionAnalysis
from .references import ClauseKey, named_clauses, own_clauses
from .terms import characters, question_terms, terms, value_keys
from .units import LABEL, Unit
from .weighing import Weigh, context_text, coverage, searched_text

# Characters; a longer unit has no advantage over one of this length.
_LONG = 200
# So many characters, or half as many words of another script, are the beginning of a unit.
_OPENING = 16
_LABELLED = re.compile(
    r"\s*(?:第[一二三四五六七八九十百千零〇\d]{1,6}[条條章节]|[（(].{1,3}[)）]|\d+(?:\.\d+)*[.、]?"
    r"|(?:Article|Section|Clause) [\d.]+)?\s*"
)
_LEAD_IN = re.compile(r"[^\n]*[：:](?=\s*\n)")


class Features(NamedTuple):
    """What is known about a unit as an answer; every number is 0 to 1, higher speaks for it."""

    letters: float
    """Weighted share of the question's Chinese characters in the unit (of its terms in other scripts)."""
    rest_letters: float
    """The same for those that the section and title do not hold."""
    rest: float
    """Weighted share of the terms in the unit that the section and title do not hold: what sets the question apart."""
    around: float
    """Share of the terms in the unit or its two neighbours."""
    title: float
    """Share of the terms, those of the scope included, in the section and title."""
    focus: float
    """Share of the terms of what is asked for."""
    label: float
    """Share of a leading label (`职业：`, `Occupation:`) that the question names; 0 without a label."""
    entities: float
    """Mean share of the named things that the unit or its section or title mentions."""
    values: float
    """Share of the question's values in the unit, of those that the headings do not hold; 1 where there are none."""
    answer_type: float
    """Whether something of the wanted type stands here that is not in the question."""
    cue: float
    """Share of the question's cues (penalty, aim, duty …) that the unit shows the marks of."""
    nearness: float
    """How close a value of the wanted kind stands behind what is asked for."""
    rank: float
    """1 for the first evidence, falling with its rank."""
    passage: float
    """1 in the passage of the block that the search found best, falling with the passage's place; 0 outside."""
    search: float
    """The search's score of the block beside its best."""
    titled: float
    """Weighted share of the document title's terms that the question holds."""
    opening: float
    """1 for a unit that opens its clause."""
    length: float
    """Length of the unit up to 200 characters."""
    begins: float
    """Share of the unit's first words, its label aside, that the question holds."""
    lead: float
    """What `rest` is for the unit, for its lead-in alone where it has items."""
    unasked: float
    """1 for a clause of a kind (penalty, aim, scope, commencement) that the question does not ask for."""
    penalty: float
    """1 for a unit that states a penalty where the question asks for one."""
    defines: float
    """How clearly the unit defines what the question wants defined."""
    refers: float
    """For a penalty, how near the clause that it names (违反本办法第五条…) comes to the best fitting one, squared."""


class _Surroundings(NamedTuple):
    """What the units of one block have in common."""

    question: QuestionAnalysis
    headings: frozenset[str]
    titled: float
    rank: int
    search: float
    weigh: Weigh


def features_of(question: QuestionAnalysis, groups: Sequence[Sequence[Unit]], weigh: Weigh) -> list[Features]:
    """The features of every unit of every block (`groups`, best block first), in order."""
    best = max((units[0].source.score for units in groups if units), default=0.0)
    found = [
        features
        for rank, group in enumerate(groups)
        for features in _features_of_block(question, group, rank, best, weigh)
    ]
    return _with_references(groups, found)


def _features_of_block(
    question: QuestionAnalysis, units: Sequence[Unit], rank: int, best: float, weigh: Weigh
) -> Iterator[Features]:
    if not units:
        return
    source = units[0].source
    texts = [searched_text(unit) for unit in units]
    around = _Surroundings(
        question=question,
        headings=terms(context_text(units[0])),
        titled=coverage(terms(source.document.title), question_terms(question.text), weigh),
        rank=rank,
        search=max(source.score / best, 0.0) if best > 0 else 0.0,
        weigh=weigh,
    )
    for index, unit in enumerate(units):
        near = frozenset().union(*(terms(text) for text in texts[max(index - 1, 0) : index + 2]))
        yield _features(unit, texts[index], near, around)


def _features(unit: Unit, text: str, near: frozenset[str], around: _Surroundings) -> Features:
    question, weigh, headings = around.question, around.weigh, around.headings
    own = terms(text)
    sentence = coverage(question.terms, own, weigh)
    letters = characters(question.asked)
    named = [terms(name) for name in (*question.entities, *question.quoted)]
    # What the headings say already (the model in a data sheet's title) needs not stand in each row.
    wanted = frozenset(value.key for value in question.values) - value_keys(context_text(unit))
    focus = question.focus_terms
    return Features(
        letters=coverage(letters, characters(text), weigh) if letters else sentence,
        rest_letters=_rest_letters(question, unit, text, weigh, sentence),
        rest=coverage(question.terms - headings, own, weigh),
        around=coverage(question.terms, near, weigh),
        title=coverage(question_terms(question.text), headings, weigh),
        focus=coverage(focus, own, weigh) if focus else sentence,
        label=_label_match(question, text, weigh),
        entities=sum(coverage(name, own | headings, weigh) for name in named) / len(named) if named else 1.0,
        values=len(wanted & value_keys(text)) / len(wanted) if wanted else 1.0,
        answer_type=answer_type_presence(question, text),
        cue=cue_share(question.asked, text),
        nearness=nearness(question, text),
        rank=1 / (1 + around.rank),
        passage=_passage(unit),
        search=around.search,
        titled=around.titled,
        opening=float(unit.starts_clause),
        length=min(len(text) / _LONG, 1.0),
        begins=_begins(question, text),
        lead=coverage(question.terms - headings, terms(_lead_in(text)), weigh),
        unasked=float(serves_another_purpose(question.asked, text)),
        penalty=float(states_penalty(question.asked, text)),
        defines=definition_strength(question.asked, text),
        refers=0.0,
    )


def _label_match(question: QuestionAnalysis, text: str, weigh: Weigh) -> float:
    label = LABEL.match(text)
    return coverage(terms(label["label"]), question.terms, weigh) if label else 0.0


def _rest_letters(question: QuestionAnalysis, unit: Unit, text: str, weigh: Weigh, otherwise: float) -> float:
    wanted = characters(question.asked) - characters(context_text(unit))
    return coverage(wanted, characters(text), weigh) if wanted else otherwise


def _begins(question: QuestionAnalysis, text: str) -> float:
    label = _LABELLED.match(text)
    start = label.end() if label else 0
    if has_chinese(text):
        own, wanted = characters(text[start : start + _OPENING]), characters(question.asked)
    else:
        own, wanted = terms(" ".join(text[start:].split()[: _OPENING // 2])), question.terms
    return len(own & wanted) / len(own) if own else 0.0


def _lead_in(text: str) -> str:
    match = _LEAD_IN.match(text)
    return match.group() if match else text


def _passage(unit: Unit) -> float:
    middle = (unit.start + unit.end) // 2
    places = (place for place, span in enumerate(unit.source.focus) if span.start <= middle < span.end)
    return next((1 / (1 + place) for place in places), 0.0)


def _with_references(groups: Sequence[Sequence[Unit]], found: Sequence[Features]) -> list[Features]:
    """The features with `refers` filled in, which needs those of all other units.

    A penalty clause seldom repeats the rule: what the clause that it names holds of the question counts as its own.
    """
    if not any(features.penalty for features in found):
        return list(found)
    units = [unit for group in groups for unit in group]
    own = [key for group in groups for key in own_clauses(group)]
    held: dict[ClauseKey, float] = {}
    for key, features in zip(own, found, strict=True):
        if key is not None:
            held[key] = max(held.get(key, 0.0), features.rest)
    return [
        _referring(features, max((held.get(named, 0.0) for named in named_clauses(unit, key)), default=0.0), held)
        if features.penalty
        else features
        for unit, key, features in zip(units, own, found, strict=True)
    ]


def _referring(features: Features, named: float, held: dict[ClauseKey, float]) -> Features:
    best = max(held.values(), default=0.0)
    return features._replace(rest=max(features.rest, named), refers=(named / best) ** 2 if best else 0.0)
