"""Whether the evidence answers at all, and what of the question stands nowhere in it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from .question import QuestionAnalysis
from .question_words import GENERIC_NOUNS
from .scoring import Scored, Weigh, context_text, coverage, searched_text
from .terms import terms, value_keys
from .units import Unit

# A phrase of which less than this share stands in the evidence is missing from it.
MISSING = 0.4


class Verdict(NamedTuple):
    """How sure an answer is (0 to 1) and what is missing, in the question's words."""

    confidence: float
    missing: tuple[str, ...]


def judge(
    question: QuestionAnalysis, ranked: Sequence[Scored], groups: Sequence[Sequence[Unit]], weigh: Weigh
) -> Verdict:
    """Rate the best unit as an answer, and look for each essential part of the question in all the evidence."""
    best = ranked[0]
    everything = frozenset().union(
        *(terms(searched_text(unit)) for group in groups for unit in group),
        *(terms(context_text(group[0])) for group in groups if group),
    )
    values = frozenset().union(*(value_keys(searched_text(unit)) for group in groups for unit in group),
        *(value_keys(context_text(group[0])) for group in groups if group))
    missing = [phrase for phrase in (*question.focus[:1], *question.entities, *question.quoted)
               if phrase.casefold() not in GENERIC_NOUNS and coverage(terms(phrase), everything, weigh) < MISSING]
    missing += [value.raw for value in question.values if value.key not in values and not coverage(terms(value.raw), everything, weigh) > 0.5]
    f = best.features
    z = -3.0 + 3.0 * f.sentence + 1.5 * f.letters + 2.0 * f.block + 1.5 * f.focus + 0.5 * f.answer_type - 2.0 * bool(missing)
    return Verdict(1 / (1 + math.exp(-z)), tuple(dict.fromkeys(missing)))
