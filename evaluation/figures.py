"""Means with their intervals over all questions, and by type and language."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bootstrap import bootstrap_means
from .cases import RetrievalCase
from .metrics import Measure
from .relevance import Ranking
from .reports import Figure, GroupFigures

NOTHING_FOUND = "nothing_found"
UNNAMED = "(none)"
_DECIMALS = 4


class JudgedCase(NamedTuple):
    """A question with what its search brought; the ranking is None where nothing should be found."""

    case: RetrievalCase
    ranking: Ranking | None
    is_empty: bool


def group_figures(
    judged: Sequence[JudgedCase], chosen: Sequence[Measure], seed: int, resamples: int
) -> tuple[GroupFigures, ...]:
    """The figures of all questions, then by type, then by language where several occur; groups by name."""
    groups = [("all", "all", judged), *_grouped("type", judged, lambda c: c.type)]
    groups += _grouped("language", judged, lambda c: c.language)
    return tuple(_figures_of(kind, name, members, (chosen, seed, resamples)) for kind, name, members in groups)


def _grouped(
    kind: str, judged: Sequence[JudgedCase], key: Callable[[RetrievalCase], str]
) -> Iterator[tuple[str, str, Sequence[JudgedCase]]]:
    names = sorted({key(one.case) for one in judged})
    if len(names) > 1:
        for name in names:
            yield kind, name or UNNAMED, [one for one in judged if key(one.case) == name]


def _figures_of(
    kind: str, name: str, judged: Sequence[JudgedCase], how: tuple[Sequence[Measure], int, int]
) -> GroupFigures:
    chosen, seed, resamples = how
    rankings = [one.ranking for one in judged if one.ranking is not None]
    refusals = [one.is_empty for one in judged if one.ranking is None]
    values = np.array([[measure.of(ranking) for measure in chosen] for ranking in rankings], dtype=np.float64)
    empty = np.array(refusals, dtype=np.float64).reshape(-1, 1)
    return GroupFigures(
        kind=kind,
        name=name,
        answerable=len(rankings),
        unanswerable=len(refusals),
        figures=tuple(_figures([measure.name for measure in chosen], values, seed, resamples)) if rankings else (),
        nothing_found=next(_figures([NOTHING_FOUND], empty, seed, resamples)) if refusals else None,
    )


def _figures(names: Sequence[str], values: NDArray[np.float64], seed: int, resamples: int) -> Iterator[Figure]:
    means = bootstrap_means(values, seed, resamples)
    for name, *numbers in zip(names, *means, strict=True):
        mean, low, high = (round(float(number), _DECIMALS) for number in numbers)
        yield Figure(measure=name, mean=mean, low=low, high=high)
