"""How well a unit of evidence answers a question: the weighted sum of its features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .features import Features, features_of
from .question import QuestionAnalysis
from .units import Unit
from .weighing import Weigh, context_text, coverage, searched_text, term_weights

__all__ = [
    "WEIGHTS",
    "Features",
    "Scored",
    "Weigh",
    "context_text",
    "coverage",
    "score_units",
    "searched_text",
    "term_weights",
]

# Fitted by a listwise softmax regression (signs held) on 300 even questions of CMRC and on random halves of the
# questions about 60 clause documents and of the companies' factual ones, each set weighing the same, then rounded.
WEIGHTS = Features(
    letters=1.3, rest_letters=2.7, rest=3.1, rare=2.0, around=1.2, clause=0.9, title=2.9, block=1.4, focus=1.6,
    label=1.8, entities=1.6, values=1.9, answer_type=2.5, cue=1.2, nearness=1.5, heading=-0.6, rank=2.3,
    close=0, document=0, density=0, passage=0, search=0, titled=0, opening=0, length=0, begins=0, lead=0, listed=0, unasked=0, penalty=0, defines=0, refers=0,
)  # fmt: skip


class Scored(NamedTuple):
    """A unit with its features and their weighted sum."""

    unit: Unit
    features: Features
    score: float


def score_units(question: QuestionAnalysis, groups: Sequence[Sequence[Unit]], weigh: Weigh) -> list[Scored]:
    """Every unit of every block (`groups`, best block first) with its score, best first."""
    units = [unit for group in groups for unit in group]
    scored = [
        Scored(unit, features, sum(w * f for w, f in zip(WEIGHTS, features, strict=True)))
        for unit, features in zip(units, features_of(question, groups, weigh), strict=True)
    ]
    return sorted(scored, key=lambda one: -one.score)
