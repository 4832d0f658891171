"""Scores of right and wrong hits side by side, and what they point to: block size or model (S4 §3.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from typing import NamedTuple

import numpy as np

from .reports import Distribution, ScoreReport, Verdict

BINS = 10
_LEAST_SPAN = 0.01
FEWEST_MISSES = 5
"""Below this many misses that stand in a searched block, nothing is concluded."""


class QuestionScores(NamedTuple):
    """The best relevant and the best irrelevant hit of one question; None where there is none.

    The score orders the hits of one question. The share is that of the question's terms in the hit's passage; it
    means the same for every question.
    """

    relevant: float | None
    irrelevant: float | None
    relevant_share: float | None
    irrelevant_share: float | None


class MissCloseness(NamedTuple):
    """How close a missed text and what came instead are to the question.

    `wrong_share` is the share of the question's terms in the passage that came; `quote` and `wrong_sentence` are the
    closeness of the missed text alone and of the closest sentence of that passage: cosines where an embedding model
    is at hand, else shares of terms.
    """

    wrong_share: float
    quote: float
    wrong_sentence: float


def score_report(questions: Sequence[QuestionScores], misses: Sequence[MissCloseness]) -> ScoreReport:
    """Both distributions over the same bins, how well they are apart, and the conclusion."""
    relevant = [q.relevant for q in questions if q.relevant is not None]
    irrelevant = [q.irrelevant for q in questions if q.irrelevant is not None]
    both = [(q.relevant, q.irrelevant) for q in questions if q.relevant is not None and q.irrelevant is not None]
    edges = _edges([*relevant, *irrelevant])
    verdict, sentence = conclude([q.relevant_share for q in questions if q.relevant_share is not None], misses)
    return ScoreReport(
        edges=edges,
        relevant=_distribution(relevant, edges),
        irrelevant=_distribution(irrelevant, edges),
        separation=round(sum(right > wrong for right, wrong in both) / len(both), 4) if both else None,
        verdict=verdict,
        sentence=sentence,
    )


def _edges(scores: Sequence[float]) -> tuple[float, ...]:
    low, high = (min(scores), max(scores)) if scores else (0.0, 1.0)
    return tuple(round(float(edge), 6) for edge in np.linspace(low, max(high, low + _LEAST_SPAN), BINS + 1))


def _distribution(scores: Sequence[float], edges: Sequence[float]) -> Distribution:
    # A score at the border may lie a rounding beyond the outermost edges.
    counts, _ = np.histogram(np.clip(scores, edges[0], edges[-1]), edges)
    deciles = np.percentile(scores, range(0, 101, 10)) if scores else ()
    return Distribution(
        hits=len(scores),
        deciles=tuple(round(float(score), 4) for score in deciles),
        histogram=tuple(int(count) for count in counts),
    )


def conclude(relevant_shares: Sequence[float], misses: Sequence[MissCloseness]) -> tuple[Verdict, str]:
    """Tells what most misses have in common.

    1. What came instead holds as much of the question as right hits do (at least their median): it looks right and
       is not, so borders of blocks and look-alike passages are to be seen to.
    2. Else nothing that came was close. Where the missed text, taken alone, is closer to the question than the closest
       sentence that came, its block dilutes it: block size.
    3. Where it is no closer even alone, the model, or the words without one, does not bring the two together.

    Args:
        relevant_shares: shares of terms in the best relevant hits of the questions that have one.
        misses: those whose text stands in a block that was searched.
    """
    total = len(misses)
    if total < FEWEST_MISSES or not relevant_shares:
        return Verdict.TOO_FEW, f"{total} misses can be compared with what came instead: too few to conclude from"
    usual = median(relevant_shares)
    alike = sum(miss.wrong_share >= usual for miss in misses)
    if alike * 2 > total:
        return Verdict.LOOK_ALIKES, _sentence(alike, total, _ALIKE)
    diluted = sum(miss.quote > miss.wrong_sentence for miss in misses)
    if diluted * 2 > total:
        return Verdict.BLOCK_SIZE, _sentence(diluted, total, _DILUTED)
    return Verdict.MODEL_MISMATCH, _sentence(total - diluted, total, _FOREIGN)


_ALIKE = (
    "what came instead holds as much of the question as right hits do: look at borders of blocks and at look-alike "
    "passages before changing the block size or the model"
)
_DILUTED = (
    "the missed text alone is closer to the question than any sentence that came instead, so the text around it "
    "dilutes it: block size, try smaller blocks"
)
_FOREIGN = (
    "the missed text is no closer to the question than what came instead even on its own: model mismatch "
    "(without vectors: of the words), try synonyms, another embedding model or a reranker"
)


def _sentence(part: int, total: int, meaning: str) -> str:
    return f"in {part} of {total} misses {meaning}"


Compare = Callable[[Sequence[str]], list[float]]


def miss_closeness(compare: Compare, quote: str, sentences: Sequence[str], wrong_share: float) -> MissCloseness:
    """The closeness of a missed text against that of the sentences of the passage that came instead."""
    own, *others = compare([quote, *sentences])
    return MissCloseness(wrong_share, own, max(others, default=0.0))
