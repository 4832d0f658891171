"""Whether what was found is right, and what that comes to over many questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import corpora
import numpy as np
from reporting import sign_test
from retrieval_workload import Row

Unit = Literal["passage", "block"]

COUNTED_RANKS = 10
_TAIL = 80
_RESAMPLES = 2_000
_INTERVAL = (2.5, 97.5)


class Outcome(NamedTuple):
    """What a search made of one question.

    `rank` is that of the first right unit among the ten best. `documents` and `quoted` are None unless the question
    needs several documents: whether each of them is among the ten best, and with one of the quotes.
    """

    rank: int | None
    documents: bool | None
    quoted: bool | None


class Figures(NamedTuple):
    """Shares of the questions, 0 to 1; of those that need several documents, or None, the last two."""

    hit1: float
    hit5: float
    hit10: float
    mrr: float
    documents10: float | None
    quoted10: float | None


class Difference(NamedTuple):
    """How far a search is from Veriloop on the same questions.

    MRR against Veriloop's with the bounds of its 95 % interval (bootstrap over questions), and the two-sided
    probability of the differences at rank 1 and 5 by the sign test.
    """

    mrr: float
    low: float
    high: float
    p_hit1: float
    p_hit5: float


def units(found: Sequence[int], rows: Sequence[Row], unit: Unit) -> list[Row]:
    """What is judged of the rows that a search has found: the ten best passages, or the ten best blocks."""
    if unit == "passage":
        return [rows[row] for row in found[:COUNTED_RANKS]]
    blocks = dict.fromkeys(rows[row].block for row in found)
    first = {rows[row].block: rows[row] for row in reversed(found)}
    return [first[block] for block in list(blocks)[:COUNTED_RANKS]]


def is_right(question: corpora.Question, row: Row, unit: Unit) -> bool:
    """Whether a unit is of a document that the question needs and holds one of its quotes.

    A unit that ends inside of a quote is right, too: a short one may be smaller than the quote.
    """
    if row.document not in question.documents:
        return False
    text = corpora.bare(row.text if unit == "passage" else row.block_text)
    tail = text[-_TAIL:]
    return not question.wanted or any(wanted in text or (tail and tail in wanted) for wanted in question.wanted)


def judge(question: corpora.Question, found: Sequence[int], rows: Sequence[Row], unit: Unit) -> Outcome:
    """What a search made of a question."""
    best = units(found, rows, unit)
    right = [is_right(question, row, unit) for row in best]
    rank = next((rank for rank, good in enumerate(right, start=1) if good), None)
    if len(question.documents) < 2:
        return Outcome(rank, None, None)
    needed = set(question.documents)
    named = {row.document for row in best}
    quoted = {row.document for row, good in zip(best, right, strict=True) if good}
    return Outcome(rank, named >= needed, quoted >= needed)


def figures(outcomes: Sequence[Outcome]) -> Figures:
    """The shares over at least one question."""
    ranks = [outcome.rank or COUNTED_RANKS + 1 for outcome in outcomes]
    several = [outcome for outcome in outcomes if outcome.documents is not None]
    hit1, hit5, hit10 = (sum(rank <= most for rank in ranks) / len(ranks) for most in (1, 5, COUNTED_RANKS))
    return Figures(
        hit1,
        hit5,
        hit10,
        mrr=sum(reciprocals(outcomes)) / len(ranks),
        documents10=sum(bool(outcome.documents) for outcome in several) / len(several) if several else None,
        quoted10=sum(bool(outcome.quoted) for outcome in several) / len(several) if several else None,
    )


def reciprocals(outcomes: Sequence[Outcome]) -> list[float]:
    """1 / rank of each question, 0 where nothing right is among the ten best."""
    return [1 / outcome.rank if outcome.rank else 0.0 for outcome in outcomes]


def difference(own: Sequence[Outcome], other: Sequence[Outcome]) -> Difference:
    """Another search against Veriloop's, question by question."""
    gaps = np.array(reciprocals(other)) - np.array(reciprocals(own))
    chosen = np.random.default_rng(corpora.SAMPLE_SEED).integers(len(gaps), size=(_RESAMPLES, len(gaps)))
    low, high = np.percentile(gaps[chosen].mean(axis=1), _INTERVAL)
    return Difference(float(gaps.mean()), float(low), float(high), _sign(own, other, 1), _sign(own, other, 5))


def _sign(own: Sequence[Outcome], other: Sequence[Outcome], most: int) -> float:
    pairs = [((a.rank or most + 1) <= most, (b.rank or most + 1) <= most) for a, b in zip(own, other, strict=True)]
    return sign_test(sum(b and not a for a, b in pairs), sum(a and not b for a, b in pairs))
