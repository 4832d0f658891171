"""How far a mean over questions may be off by the choice of questions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 1_000
DEFAULT_SEED = 11
_PERCENTILES = (2.5, 97.5)
# Counts held at once: keeps the memory of a large question file below 32 MB.
_COUNTS_AT_ONCE = 4_000_000


class Means(NamedTuple):
    """Means over questions with the borders of their 95 % confidence intervals, one entry a measure."""

    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def bootstrap_means(values: NDArray[np.float64], seed: int = DEFAULT_SEED, resamples: int = RESAMPLES) -> Means:
    """Means with 95 % intervals by the percentile bootstrap (Efron & Tibshirani 1993, chapter 13).

    Args:
        values: one row a question, at least one; one column a measure; from 0 to 1.
        seed: the same seed gives the same intervals.
        resamples: how often the questions are drawn anew, with replacement.
    """
    cases = len(values)
    random = np.random.default_rng(seed)
    batch = max(1, _COUNTS_AT_ONCE // cases)
    sizes = [min(batch, resamples - start) for start in range(0, resamples, batch)]
    # How often each question is drawn is all that the mean of a resample depends on.
    chances = np.full(cases, 1 / cases)
    drawn = np.concatenate([random.multinomial(cases, chances, size=size) @ values / cases for size in sizes])
    low, high = np.percentile(drawn, _PERCENTILES, axis=0)
    return Means(values.mean(axis=0), np.clip(low, 0, 1), np.clip(high, 0, 1))
