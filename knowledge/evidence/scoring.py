"""How well a unit of evidence answers a question, as a few numbers between 0 and 1, and their weighted sum."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from .answer_types import has_answer_type
from .question import QuestionAnalysis
from .terms import characters, terms, value_keys
from .units import Unit

Weigh = Callable[[str], float]


class Features(NamedTuple):
    """What is known about a unit as an answer; every number is 0 to 1, higher speaks for it."""

    sentence: float
    """Weighted share of the question's terms in the unit."""
    letters: float
    """Weighted share of the question's Chinese characters in the unit (equal to `sentence` in other scripts)."""
    rest: float
    """Share of those terms in the unit that the section and title do not hold: what sets the question apart."""
    rare: float
    """Share of the terms in the unit, each weighted by its rarity within the block."""
    around: float
    """Share of the terms in the unit or its two neighbours."""
    title: float
    """Share of the terms in the section and title."""
    block: float
    """Share of the terms in the block, its section and title."""
    focus: float
    """Share of the terms of what is asked for."""
    entities: float
    """Share of the named things that the unit or its section or title mentions."""
    values: float
    """Share of the question's values in the unit; 1 where it has none."""
    answer_type: float
    """Whether something of the wanted type stands here that is not in the question."""
    novelty: float
    """How much the unit says beyond the question; near 0 for a heading that repeats it."""
    heading: float
    """1 for a heading."""
    rank: float
    """1 for the first evidence, falling with its rank."""


# Fitted by a listwise softmax regression on the even half of CMRC's questions (benchmarks/extraction.py), rounded.
WEIGHTS = Features(
    sentence=5.0, letters=2.0, rest=1.0, rare=1.0, around=1.0, title=1.0, block=2.0, focus=1.5, entities=0.5, values=0.5, answer_type=1.0,
    novelty=1.0, heading=-2.0, rank=0.5,
)  # fmt: skip


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

    def weigh(term: str) -> float:
        known = idf(term) if idf is not None else 0.0
        return known or math.log(1 + (total + 0.5) / (counts.get(term, 0) + 0.5))

    return weigh


def coverage(wanted: Iterable[str], found: frozenset[str], weigh: Weigh) -> float:
    """Weighted share of the wanted terms that were found; 0 where nothing is wanted."""
    weights = [(weigh(term), term in found) for term in wanted]
    total = sum(weight for weight, _ in weights)
    return sum(weight for weight, is_found in weights if is_found) / total if total else 0.0


def score_units(question: QuestionAnalysis, groups: Sequence[Sequence[Unit]], weigh: Weigh) -> list[Scored]:
    """Every unit of every block (`groups`, best block first) with its score, best first."""
    scored = [
        Scored(unit, features, sum(w * f for w, f in zip(WEIGHTS, features, strict=True)))
        for rank, units in enumerate(groups)
        for unit, features in zip(units, _features_of_block(question, units, rank, weigh), strict=True)
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
    question: QuestionAnalysis, units: Sequence[Unit], rank: int, weigh: Weigh
) -> Iterable[Features]:
    if not units:
        return
    texts = [searched_text(unit) for unit in units]
    headings = terms(context_text(units[0]))
    block = headings.union(*(terms(text) for text in texts))
    shared = coverage(question.terms, block, weigh)
    local = term_weights(units, None)
    for index, unit in enumerate(units):
        near = frozenset().union(*(terms(text) for text in texts[max(index - 1, 0) : index + 2]))
        yield _features(question, unit, texts[index], near, headings, shared, rank, weigh, local)


def _features(
    question: QuestionAnalysis,
    unit: Unit,
    text: str,
    near: frozenset[str],
    headings: frozenset[str],
    shared: float,
    rank: int,
    weigh: Weigh,
    local: Weigh,
) -> Features:
    own = terms(text)
    sentence = coverage(question.terms, own, weigh)
    letters = characters(question.text)
    named = [terms(name) for name in (*question.entities, *question.quoted)]
    wanted = frozenset(value.key for value in question.values)
    focus = question.focus_terms
    return Features(
        sentence=sentence,
        letters=coverage(letters, characters(text), weigh) if letters else sentence,
        rest=coverage(question.terms - headings, own, weigh),
        rare=coverage(question.terms | letters, own | characters(text), local),
        around=coverage(question.terms, near, weigh),
        title=coverage(question.terms, headings, weigh),
        block=shared,
        focus=coverage(focus, own, weigh) if focus else sentence,
        entities=max((coverage(name, own | headings, weigh) for name in named), default=1.0),
        values=len(wanted & value_keys(text)) / len(wanted) if wanted else 1.0,
        answer_type=float(has_answer_type(question, text)),
        novelty=min(len(own - question.terms) / 10, 1.0),
        heading=float(unit.is_heading),
        rank=1 / (1 + rank),
    )
