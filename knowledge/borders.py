"""Where a run of pieces is cut, told by what stands there and not by what came before it.

Filling one block after the other would move every later border when a paragraph is put in. Here the strongest border
of a run cuts it in two, and each half is cut likewise. Which border is strongest depends on its kind and on a hash of
the text behind it alone, so that halves without a change are cut as they were, and a change stays where it was made
(a treap's shape depends on its keys and priorities, not on the order of insertions: R. Seidel, C. Aragon, *Randomized
search trees*, Algorithmica 16, 1996; borders by content: A. Muthitacharoen et al., *A low-bandwidth network file
system*, SOSP 2001).
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NEVER = 0
"""Rank of a border at which nothing is cut unless nothing else is left."""
_HASH_BITS = 48


class Sizes(NamedTuple):
    """What runs are cut to, in characters: longer than `most` they are cut, and each half keeps `least` if it can."""

    least: int
    most: int


class _Run(NamedTuple):
    first: int
    stop: int


def strength(rank: int, following: str) -> int:
    """How strong a border is: by its rank, among those of one rank by the hash of the text that follows.

    Args:
        rank: 0 (`NEVER`) to 100.
        following: the piece behind the border.
    """
    if rank == NEVER:
        return NEVER
    digest = blake2b(following.encode("utf-8", "surrogatepass"), digest_size=_HASH_BITS // 8).digest()
    return (rank << _HASH_BITS) | int.from_bytes(digest)


def borders(lengths: Sequence[int], strengths: Sequence[int], sizes: Sizes) -> list[int]:
    """The numbers of the pieces that start a new run, ascending, without the first.

    Args:
        lengths: of each piece, in characters.
        strengths: of the border before each piece; that of the first is not looked at.
        sizes: what is cut, and how far.
    """
    ends = np.concatenate(([0], np.cumsum(np.asarray(lengths, dtype=np.int64))))
    strong = np.asarray(strengths, dtype=np.int64)
    found: list[int] = []
    runs = [_Run(0, len(lengths))]
    while runs:
        run = runs.pop()
        cut = _cut(run, ends, strong, sizes)
        if cut is not None:
            found.append(cut)
            runs += [_Run(run.first, cut), _Run(cut, run.stop)]
    return sorted(found)


def _cut(run: _Run, ends: NDArray[np.int64], strong: NDArray[np.int64], sizes: Sizes) -> int | None:
    if run.stop - run.first < 2:
        return None
    start, end = int(ends[run.first]), int(ends[run.stop])
    if end - start <= sizes.most:
        return None
    low = max(run.first + 1, int(np.searchsorted(ends, start + sizes.least)))
    high = min(run.stop - 1, int(np.searchsorted(ends, end - sizes.least, side="right")) - 1)
    if low <= high:
        best = low + int(np.argmax(strong[low : high + 1]))
        if strong[best] != NEVER:
            return best
    return _least_bad(run, ends, strong)


def _least_bad(run: _Run, ends: NDArray[np.int64], strong: NDArray[np.int64]) -> int:
    """The border nearest to the middle, of those that may be cut at if there are any."""
    numbers = np.arange(run.first + 1, run.stop)
    allowed = numbers[strong[numbers] != NEVER]
    among = allowed if len(allowed) else numbers
    middle = (ends[run.first] + ends[run.stop]) / 2
    return int(among[np.argmin(np.abs(ends[among] - middle))])
