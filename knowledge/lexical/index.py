"""BM25 over several segments as if they were one, from statistics over the rows that a caller may read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from .protocol import DEFAULT_B, DEFAULT_K1, Allowed, QueryTerm, Scores
from .scoring import Bm25, best_rows, combined, inverse_frequency
from .segment import IndexedRow, Integers, RowOwner, Segment, build_segment, term_digest


class LiveSegment:
    """A segment with the rows that are in use, and where they stand among those of the whole index."""

    def __init__(self, segment: Segment, documents: NDArray[np.bool_], first: int) -> None:
        """
        Args:
            segment: the postings.
            documents: which of its documents are in use.
            first: the number that its first live row has in the index.
        """
        self.segment = segment
        self.whole = bool(documents.all())
        self.live = segment.rows_of(documents)
        self.place = slice(first, first + int(np.count_nonzero(self.live)))
        self.lengths = segment.lengths if self.whole else segment.lengths[self.live]
        self.row_documents = segment.row_documents()[self.live]
        self.passage_ids = segment.passage_ids if self.whole else segment.passage_ids[self.live]

    def usable(self, allowed: Allowed | None) -> Allowed | None:
        """Which rows of the segment count; None: all of them."""
        if allowed is None:
            return None if self.whole else self.live
        if self.whole:
            return allowed[self.place]
        usable = self.live.copy()
        usable[self.live] = allowed[self.place]
        return usable

    def find(self, digests: NDArray[np.uint64]) -> Integers:
        """The place of each term among the segment's, -1 where it holds none of that digest."""
        terms = self.segment.terms
        places = np.searchsorted(terms, digests)
        inside = np.minimum(places, max(len(terms) - 1, 0))
        known = terms[inside] == digests if len(terms) else np.zeros(len(digests), dtype=np.bool_)
        return np.where(known, places, -1)


class _Postings(NamedTuple):
    """The rows of one segment that hold a term and count."""

    rows: NDArray[np.int32]
    frequencies: NDArray[np.uint16]


_NONE = _Postings(np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.uint16))


class _Part:
    """A segment as one question of one caller sees it."""

    def __init__(self, source: LiveSegment, allowed: Allowed | None, digests: NDArray[np.uint64]) -> None:
        self.source = source
        self.usable = source.usable(allowed)
        self._places = source.find(digests)

    def postings(self, term: int) -> _Postings:
        """What holds the term that stands at this place of the question."""
        place, segment = int(self._places[term]), self.source.segment
        if place < 0:
            return _NONE
        stretch = slice(int(segment.starts[place]), int(segment.starts[place + 1]))
        rows, frequencies = segment.rows[stretch], segment.frequencies[stretch]
        if self.usable is None:
            return _Postings(rows, frequencies)
        kept = np.flatnonzero(self.usable[rows])
        return _Postings(rows[kept], frequencies[kept])


class _Term(NamedTuple):
    """A term of a question with what it counts and its postings in each segment."""

    token: str
    weight: np.float32
    postings: tuple[_Postings, ...]


class SegmentedIndex:
    """BM25 over segments of which each row is live or dead. Never changed once made: safe for several threads.

    The result is the same whatever the rows were put in segments by, to the last bit: rows of equal score come in the
    order of their passage numbers.
    """

    def __init__(self, parts: Iterable[tuple[Segment, NDArray[np.bool_]]], bm25: Bm25 | None = None) -> None:
        """
        Args:
            parts: segments, each with which of its documents are in use.
            bm25: the parameters; they can be others than when the segments were made.
        """
        self._bm25 = bm25 or Bm25()
        self._segments: list[LiveSegment] = []
        first = 0
        for segment, documents in parts:
            self._segments.append(LiveSegment(segment, documents, first))
            first = self._segments[-1].place.stop
        self.passage_ids = _joined([part.passage_ids for part in self._segments])
        """The passage behind each live row."""
        self.documents = _joined([part.row_documents for part in self._segments])
        """The number of the document behind each live row."""

    @property
    def rows(self) -> int:
        """How many rows are in use."""
        return len(self.passage_ids)

    @cached_property
    def by_passage(self) -> NDArray[np.int64]:
        """The rows in the order of their passage numbers: that of the texts, within a document."""
        return np.argsort(self.passage_ids, kind="stable")

    @cached_property
    def _lengths(self) -> Integers:
        return _joined([part.lengths for part in self._segments])

    def scores(self, query: Sequence[QueryTerm], allowed: Allowed | None = None) -> Scores:
        """The score of every row; 0 where it shares no token with the question or is not allowed."""
        result = np.zeros(self.rows, dtype=np.float32)
        parts, terms = self._read(query, allowed)
        average = self._average_length(allowed)
        for number, part in enumerate(parts):
            held = [(term.weight, term.postings[number]) for term in terms if len(term.postings[number].rows)]
            if not held:
                continue
            source = part.source
            divisor = self._bm25.length_part(source.segment.lengths, average)
            into = result[source.place] if source.whole else np.zeros(source.segment.size, dtype=np.float32)
            for weight, postings in held:
                into[postings.rows] += _gains(weight, postings, divisor)
            if not source.whole:
                result[source.place] = into[source.live]
        return result

    def search(self, query: Sequence[QueryTerm], k: int, allowed: Allowed | None = None) -> list[tuple[int, float]]:
        """The `k` best allowed rows, best first; rows of equal score by passage number; never a score of 0."""
        return best_rows(self.scores(query, allowed), k, order=self.passage_ids)

    def idf(self, token: str, allowed: Allowed | None = None) -> float:
        """Lucene's inverse document frequency of a token among the allowed rows, 0 where none of them holds it."""
        digests = _digests([token])
        holders = sum(len(_Part(part, allowed, digests).postings(0).rows) for part in self._segments)
        return inverse_frequency(holders, self._count(allowed))

    def term_scores(
        self, query: Sequence[QueryTerm], rows: Sequence[int], allowed: Allowed | None = None
    ) -> dict[str, Scores]:
        """For each token of the question what it adds to the score of each of these rows, in the question's order."""
        parts, terms = self._read(query, allowed)
        average = self._average_length(allowed)
        wanted = np.array(rows, dtype=np.int64)
        shares = {term.token: np.zeros(len(wanted), dtype=np.float32) for term in terms}
        for number, part in enumerate(parts):
            divisor = self._bm25.length_part(part.source.segment.lengths, average)
            here, local = _rows_inside(part.source, wanted)
            for term in terms:
                postings = term.postings[number]
                held, at = _find_rows(postings.rows, local)
                found = _Postings(postings.rows[at], postings.frequencies[at])
                shares[term.token][here[held]] = _gains(term.weight, found, divisor)
        return shares

    def _read(self, query: Sequence[QueryTerm], allowed: Allowed | None) -> tuple[list[_Part], list[_Term]]:
        weights = combined(query)
        digests = _digests(weights)
        parts = [_Part(segment, allowed, digests) for segment in self._segments]
        total = self._count(allowed)
        terms = []
        for place, (token, weight) in enumerate(weights.items()):
            postings = tuple(part.postings(place) for part in parts)
            idf = inverse_frequency(sum(len(one.rows) for one in postings), total)
            terms.append(_Term(token, np.float32(weight * idf), postings))
        return parts, terms

    def _count(self, allowed: Allowed | None) -> int:
        return self.rows if allowed is None else int(np.count_nonzero(allowed))

    def _average_length(self, allowed: Allowed | None) -> float:
        """Of the allowed rows, in tokens."""
        count = self._count(allowed)
        if not count:
            return 0.0
        return (self._total_length if allowed is None else int(self._lengths[allowed].sum(dtype=np.int64))) / count

    @cached_property
    def _total_length(self) -> int:
        return int(self._lengths.sum(dtype=np.int64))


class Bm25Index(SegmentedIndex):
    """An index of rows that never change and belong to nobody, for a collection that is held in memory."""

    @classmethod
    def build(cls, token_lists: Iterable[Sequence[str]], k1: float = DEFAULT_K1, b: float = DEFAULT_B) -> Self:
        """Indexes one row for each list of tokens.

        Args:
            token_lists: the tokens of each row, from `text.tokens.tokenise`; may be empty lists.
            k1: how much repeated words count, 1.2 to 1.5 (S3 §3.3).
            b: how much long rows are marked down, from 0 to 1; 0.5 (S3 §3.3), as passages differ little in length.
        """
        rows = [IndexedRow(number, tokens) for number, tokens in enumerate(token_lists)]
        segment = build_segment(rows, [RowOwner(0, 0, len(rows))])
        return cls([(segment, np.ones(1, dtype=np.bool_))], Bm25(k1, b))

    @property
    def terms(self) -> int:
        """How many different tokens the index holds."""
        return sum(len(part.segment.terms) for part in self._segments)


def _gains(weight: np.float32, postings: _Postings, divisor: Scores) -> Scores:
    """What a term adds to the score of each row that holds it."""
    gains = postings.frequencies.astype(np.float32)
    gains /= gains + divisor[postings.rows]
    gains *= weight
    return gains


def _digests(tokens: Iterable[str]) -> NDArray[np.uint64]:
    return np.array([term_digest(token) for token in tokens], dtype=np.uint64)


def _joined(arrays: Sequence[NDArray[np.integer]]) -> Integers:
    return np.concatenate(arrays).astype(np.int64, copy=False) if arrays else np.zeros(0, dtype=np.int64)


def _rows_inside(source: LiveSegment, wanted: Integers) -> tuple[Integers, Integers]:
    """The places of those rows in the list that stand in this segment, and their numbers there."""
    here = np.flatnonzero((wanted >= source.place.start) & (wanted < source.place.stop))
    return here, np.flatnonzero(source.live)[wanted[here] - source.place.start]


def _find_rows(rows: NDArray[np.int32], wanted: Integers) -> tuple[NDArray[np.bool_], Integers]:
    """Which of the wanted rows are among the ascending ones, and where."""
    places = np.searchsorted(rows, wanted)
    held = places < len(rows)
    held[held] = rows[places[held]] == wanted[held]
    return held, places[held]
