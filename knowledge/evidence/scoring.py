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

# Fitted by a listwise softmax regression (signs held) on halves of the questions of the clauses, CMRC, DRCD and the
# companies' factual ones, with evidence from the product's own search, each set weighing the same. References between
# clauses (`refers`) are too rare in those questions to be fitted: their weight lets a penalty clause overtake one that
# fits no better than the rule it punishes.
WEIGHTS = Features(
    letters=0.2, rest_letters=3.9, rest=1.7, around=1.5, title=4.7, focus=0.8, label=2.2, entities=1.2, values=1.6,
    answer_type=1.3, cue=1.7, nearness=1.8, rank=0.5, passage=1.1, search=5.7, titled=4.7, opening=0.5, length=-1.2,
    begins=1.3, lead=1.6, unasked=-0.4, penalty=1.3, defines=4.1, refers=2.0,
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
