"""Makes one segment of several without their dead rows, from the arrays alone, and says which ones it is time for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .segment import Integers, Segment, running_total

MOST_SEGMENTS = 8
"""A search looks into each segment: more than these are merged."""
_KEPT_AFTER_MERGE = 4
_DEAD_SHARE = 0.3


class LivePart(NamedTuple):
    """A segment and which of its documents are in use."""

    segment: Segment
    documents: NDArray[np.bool_]


class _Kept(NamedTuple):
    """What is left of a segment without its dead rows."""

    terms: NDArray[np.uint64]
    starts: Integers
    rows: NDArray[np.int32]
    frequencies: NDArray[np.uint16]
    live: NDArray[np.bool_]


def merge(parts: Sequence[LivePart]) -> Segment:
    """One segment with the live rows of several, in the order given."""
    kept = [_live_postings(part) for part in parts]
    terms = np.unique(np.concatenate([part.terms for part in kept]))
    places = [np.searchsorted(terms, part.terms) for part in kept]
    holders = np.zeros(len(terms), dtype=np.int64)
    for part, place in zip(kept, places, strict=True):
        holders[place] += np.diff(part.starts)
    starts = running_total(holders)
    rows, frequencies = _joined(kept, places, starts)
    documents = [(part.segment, part.documents) for part in parts]
    sizes = [np.diff(segment.document_starts)[live] for segment, live in documents]
    alive = [(part.segment, one.live) for part, one in zip(parts, kept, strict=True)]
    return Segment(
        terms=terms,
        starts=starts,
        rows=rows,
        frequencies=frequencies,
        lengths=np.concatenate([segment.lengths[live] for segment, live in alive]),
        passage_ids=np.concatenate([segment.passage_ids[live] for segment, live in alive]),
        documents=np.concatenate([segment.documents[live] for segment, live in documents]),
        fingerprints=np.concatenate([segment.fingerprints[live] for segment, live in documents]),
        document_starts=running_total(np.concatenate(sizes)),
    )


def _live_postings(part: LivePart) -> _Kept:
    segment = part.segment
    live = segment.rows_of(part.documents)
    if live.all():
        return _Kept(segment.terms, segment.starts, segment.rows, segment.frequencies, live)
    used = live[segment.rows]
    starts = running_total(used)[segment.starts]
    present = np.diff(starts) > 0
    renumbered = (np.cumsum(live) - 1).astype(np.int32)
    return _Kept(
        terms=segment.terms[present],
        starts=np.append(starts[:-1][present], starts[-1]),
        rows=renumbered[segment.rows[used]],
        frequencies=segment.frequencies[used],
        live=live,
    )


def _joined(
    kept: Sequence[_Kept], places: Sequence[Integers], starts: Integers
) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
    """The postings of all parts by term; those of later parts behind those of earlier ones, so that rows ascend."""
    rows = np.empty(int(starts[-1]), dtype=np.int32)
    frequencies = np.empty(len(rows), dtype=np.uint16)
    free = starts[:-1].copy()
    first_row = 0
    for part, place in zip(kept, places, strict=True):
        counts = np.diff(part.starts)
        targets = np.repeat(free[place] - part.starts[:-1], counts) + np.arange(len(part.rows))
        rows[targets] = part.rows + first_row
        frequencies[targets] = part.frequencies
        free[place] += counts
        first_row += int(np.count_nonzero(part.live))
    return rows, frequencies


def due_for_merge(sizes: Sequence[tuple[int, int]]) -> list[int]:
    """Which segments to make one of, by their place in the list; none where it is not yet worth it.

    The smallest are taken, and larger ones only as far as they are not larger than what has been gathered: so each
    row is copied a number of times that grows with the logarithm of the library. A segment that is mostly in use is
    never copied for its own sake.

    Args:
        sizes: rows in use and rows in all of each segment.
    """
    wasteful = [place for place, (live, rows) in enumerate(sizes) if rows - live > _DEAD_SHARE * rows]
    if len(sizes) <= MOST_SEGMENTS:
        return wasteful
    smallest_first = sorted(range(len(sizes)), key=lambda place: sizes[place])
    chosen = smallest_first[: len(sizes) - _KEPT_AFTER_MERGE]
    gathered = sum(sizes[place][0] for place in chosen)
    for place in smallest_first[len(chosen) :]:
        if sizes[place][0] > gathered:
            break
        chosen.append(place)
        gathered += sizes[place][0]
    return sorted({*chosen, *wasteful})
