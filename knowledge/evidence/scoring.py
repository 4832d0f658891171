"""How well a unit of evidence answers a question, as a few numbers between 0 and 1, and their weighted sum."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from ..text.normalise import has_chinese
from .answer_types import answer_type_presence, nearness
from .cues import cue_share, serves_another_purpose
from .definitions import definition_strength
from .question import QuestionAnalysis
from .question_words import AnswerType
from .references import ClauseKey, named_clauses, own_clauses
from .terms import characters, folded, question_terms, terms, value_keys
from .units import LABEL, Unit

Weigh = Callable[[str], float]


class Features(NamedTuple):
    """What is known about a unit as an answer; every number is 0 to 1, higher speaks for it."""

    letters: float
    """Weighted share of the question's Chinese characters in the unit (of its terms in other scripts)."""
    rest_letters: float
    """The same for those that the section and title do not hold."""
    rest: float
    """Weighted share of the terms in the unit that the section and title do not hold: what sets the question apart."""
    rare: float
    """Share of the terms in the unit, each weighted by its rarity within the block."""
    around: float
    """Share of the terms in the unit or its two neighbours."""
    clause: float
    """Share of the terms in the clause that the unit belongs to (without clauses, in its paragraph)."""
    title: float
    """Share of the terms, those of the scope included, in the section and title."""
    block: float
    """Share of the terms in the block, its section and title."""
    focus: float
    """Share of the terms of what is asked for."""
    label: float
    """Share of a leading label (`职业：`, `Occupation:`) that the question names; 0 without a label."""
    entities: float
    """Mean share of the named things that the unit or its section or title mentions."""
    values: float
    """Share of the question's values in the unit; 1 where it has none."""
    answer_type: float
    """Whether something of the wanted type stands here that is not in the question."""
    cue: float
    """Share of the question's cues (penalty, aim, duty …) that the unit shows the marks of."""
    nearness: float
    """How close a value of the wanted kind stands behind what is asked for."""
    heading: float
    """1 for a heading."""
    rank: float
    """1 for the first evidence, falling with its rank."""
    run: float
    """Length of the longest stretch of the question that stands in the unit word for word."""
    density: float
    """Share of the unit's terms that the question holds."""
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
    listed: float
    """1 for a lead-in with its items where a list is asked for."""
    unasked: float
    """1 for a clause of a kind (penalty, aim, scope, commencement) that the question does not ask for."""
    defines: float
    """How clearly the unit defines what the question wants defined."""
    refers: float
    """How well a clause fits that the unit names by its number (违反本办法第五条…) while it shows the cue itself."""


# Fitted by a listwise softmax regression (signs held) on 300 even questions of CMRC and on random halves of the
# questions about 60 clause documents and of the companies' factual ones, each set weighing the same, then rounded.
WEIGHTS = Features(
    letters=1.3, rest_letters=2.7, rest=3.1, rare=2.0, around=1.2, clause=0.9, title=2.9, block=1.4, focus=1.6,
    label=1.8, entities=1.6, values=1.9, answer_type=2.5, cue=1.2, nearness=1.5, heading=-0.6, rank=2.3,
    run=0, density=0, passage=0, search=0, titled=0, opening=0, length=0, begins=0, lead=0, listed=0, unasked=0, defines=0, refers=0,
)  # fmt: skip


# A stretch of this many Chinese characters, or Latin letters, is as telling as any longer one.
_LONG_RUN = {True: 12, False: 30}
_LONG = 200
_OPENING = 16
_LABELLED = re.compile(r"\s*(?:第[一二三四五六七八九十百千零〇\d]{1,6}[条條章节]|[（(].{1,3}[)）]|\d+(?:\.\d+)*[.、]?)?\s*")
_LIST = re.compile(r"[：:]\s*\n")
_LEAD_IN = re.compile(r"[^\n]*[：:](?=\s*\n)")
_NOT_COMPARED = re.compile(r"[\W_]+")


class _Surroundings(NamedTuple):
    """What the units of one block have in common."""

    question: QuestionAnalysis
    headings: frozenset[str]
    shared: float
    titled: float
    rank: int
    search: float
    weigh: Weigh
    local: Weigh


class Scored(NamedTuple):
    """A unit with its features and their weighted sum."""

    unit: Unit
    features: Features
    score: float


def term_weights(units: Sequence[Unit], idf: Callable[[str], float] | None) -> Weigh:
    """The weight of a term: the library's idf where given and known, otherwise its rarity among the units."""
    sets = [terms(unit.text) | characters(unit.text) for unit in units]
    counts: dict[str, int] = {}
    for found in sets:
        for term in found:
            counts[term] = counts.get(term, 0) + 1
    total = max(len(sets), 1)

    # A library looks at its stored version on each call: every term is asked for once.
    @cache
    def weigh(term: str) -> float:
        known = idf(term) if idf is not None else 0.0
        return known or math.log(1 + (total + 0.5) / (counts.get(term, 0) + 0.5))

    return weigh


def coverage(wanted: Iterable[str], found: frozenset[str], weigh: Weigh) -> float:
    """Weighted share of the wanted terms that were found; 0 where nothing is wanted."""
    weights = [(weigh(term), term in found) for term in wanted]
    # Sets have no order of their own, and rounding depends on it: fsum gives the same share in every process.
    total = math.fsum(weight for weight, _ in weights)
    return math.fsum(weight for weight, is_found in weights if is_found) / total if total else 0.0


def score_units(question: QuestionAnalysis, groups: Sequence[Sequence[Unit]], weigh: Weigh) -> list[Scored]:
    """Every unit of every block (`groups`, best block first) with its score, best first."""
    best = max((units[0].source.score for units in groups if units), default=0.0)
    units = [unit for group in groups for unit in group]
    found = [
        features
        for rank, group in enumerate(groups)
        for features in _features_of_block(question, group, rank, best, weigh)
    ]
    scored = [
        Scored(unit, features, sum(w * f for w, f in zip(WEIGHTS, features, strict=True)))
        for unit, features in zip(units, _with_references(groups, found), strict=True)
    ]
    return sorted(scored, key=lambda one: -one.score)


def context_text(unit: Unit) -> str:
    """The headings that a unit stands under."""
    return "\n".join((unit.source.document.title, *unit.source.block.section_path))


def searched_text(unit: Unit) -> str:
    """What a unit is compared by: a table row with its column names."""
    if unit.row is None:
        return unit.text
    return " ".join(f"{name} {cell}" for name, cell in zip(unit.row.names, unit.row.cells, strict=False))


def _features_of_block(
    question: QuestionAnalysis, units: Sequence[Unit], rank: int, best: float, weigh: Weigh
) -> Iterator[Features]:
    if not units:
        return
    source = units[0].source
    texts = [searched_text(unit) for unit in units]
    headings = terms(context_text(units[0]))
    block = headings.union(*(terms(text) for text in texts))
    around = _Surroundings(
        question=question,
        headings=headings,
        shared=coverage(question.terms, block, weigh),
        titled=coverage(terms(source.document.title), question_terms(question.text), weigh),
        rank=rank,
        search=source.score / best if best > 0 else 0.0,
        weigh=weigh,
        local=term_weights(units, None),
    )
    clauses = _clause_terms(units, texts)
    for index, unit in enumerate(units):
        near = frozenset().union(*(terms(text) for text in texts[max(index - 1, 0) : index + 2]))
        yield _features(unit, texts[index], near, clauses[index], around)


def _features(
    unit: Unit, text: str, near: frozenset[str], clause: frozenset[str], around: _Surroundings
) -> Features:
    question, weigh, headings = around.question, around.weigh, around.headings
    own = terms(text)
    sentence = coverage(question.terms, own, weigh)
    letters = characters(question.asked)
    named = [terms(name) for name in (*question.entities, *question.quoted)]
    wanted = frozenset(value.key for value in question.values)
    focus = question.focus_terms
    return Features(
        letters=coverage(letters, characters(text), weigh) if letters else sentence,
        rest_letters=_rest_letters(question, unit, text, weigh, sentence),
        rest=coverage(question.terms - headings, own, weigh),
        rare=coverage(question.terms | letters, own | characters(text), around.local),
        around=coverage(question.terms, near, weigh),
        clause=coverage(question.terms, clause, weigh),
        title=coverage(question_terms(question.text), headings, weigh),
        block=around.shared,
        focus=coverage(focus, own, weigh) if focus else sentence,
        label=_label_match(question, text, weigh),
        entities=sum(coverage(name, own | headings, weigh) for name in named) / len(named) if named else 1.0,
        values=len(wanted & value_keys(text)) / len(wanted) if wanted else 1.0,
        answer_type=answer_type_presence(question, text),
        cue=cue_share(question.asked, text),
        nearness=nearness(question, text),
        heading=float(unit.is_heading),
        rank=1 / (1 + around.rank),
        run=_longest_run(_bare(question.asked), _bare(text)),
        density=len(own & question.terms) / len(own) if own else 0.0,
        passage=_passage(unit),
        search=around.search,
        titled=around.titled,
        opening=float(unit.starts_clause),
        length=min(len(text) / _LONG, 1.0),
        begins=_begins(question, text),
        lead=coverage(question.terms - headings, terms(_lead_in(text)), weigh),
        listed=float(question.answer_type is AnswerType.LIST and _LIST.search(text) is not None),
        unasked=float(serves_another_purpose(question.asked, text)),
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


@lru_cache(maxsize=16_384)
def _bare(text: str) -> str:
    """A text in normalised form without blanks and marks."""
    return _NOT_COMPARED.sub("", folded(text))


def _longest_run(asked: str, text: str) -> float:
    longest, start = 0, 0
    while start + longest < len(asked):
        if asked[start : start + longest + 1] in text:
            longest += 1
        else:
            start += 1
    return min(longest / _LONG_RUN[has_chinese(asked)], 1.0)


def _with_references(groups: Sequence[Sequence[Unit]], found: Sequence[Features]) -> list[Features]:
    """The features with `refers` filled in, which needs those of all other units."""
    units = [unit for group in groups for unit in group]
    own = [key for group in groups for key in own_clauses(group)]
    strength: dict[ClauseKey, float] = {}
    for key, features in zip(own, found, strict=True):
        if key is not None:
            strength[key] = max(strength.get(key, 0.0), features.rest_letters)
    return [
        features._replace(refers=features.cue * max((strength.get(k, 0.0) for k in named_clauses(unit, key)), default=0.0))
        if features.cue and strength
        else features
        for unit, key, features in zip(units, own, found, strict=True)
    ]


def _clause_terms(units: Sequence[Unit], texts: Sequence[str]) -> list[frozenset[str]]:
    """For each unit the terms of everything in its clause, or paragraph where the block has no clauses."""
    has_clauses = any(unit.starts_clause for unit in units)
    groups: list[list[int]] = []
    for index, unit in enumerate(units):
        between = "" if not index else unit.source.block.text[units[index - 1].end : unit.start]
        if not groups or (unit.starts_clause if has_clauses else "\n" in between):
            groups.append([])
        groups[-1].append(index)
    return [frozenset().union(*(terms(texts[member]) for member in group)) for group in groups for _ in group]
