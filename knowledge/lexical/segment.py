"""A part of the index that is written once: which rows hold which terms how often, and whose rows they are."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import count
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[np.int64]

_ROW_BITS = np.uint64(32)
_ROW_MASK = np.uint64(0xFFFF_FFFF)
_HIGHEST_FREQUENCY = 0xFFFF


class RowOwner(NamedTuple):
    """A document whose rows a segment holds.

    `fingerprint` names one state of one document in one library, see `document_fingerprint`.
    """

    number: int
    fingerprint: int
    rows: int


class IndexedRow(NamedTuple):
    """What a row is found by.

    Its length is that of `terms`, repeated as often as they occur; `marks` are found too, but do not make it longer.
    """

    passage_id: int
    terms: Sequence[str]
    marks: Sequence[str] = ()


class Segment(NamedTuple):
    """Postings as arrays, and the table of the documents whose rows they are.

    A term is known by a digest of 64 bits: looking one up needs no dictionary in memory, and of a million terms two
    share a digest with a probability of 3e-8 (they then count as one term).
    """

    terms: NDArray[np.uint64]
    """Digests of the terms, ascending."""
    starts: Integers
    """Where the postings of each term begin in `rows`; one more at the end."""
    rows: NDArray[np.int32]
    """For each term the rows that hold it, ascending."""
    frequencies: NDArray[np.uint16]
    """How often the row holds the term, at most 65,535."""
    lengths: NDArray[np.int32]
    """Of each row, in tokens."""
    passage_ids: Integers
    """Of each row."""
    documents: Integers
    """Numbers of the documents, in the order of their rows."""
    fingerprints: NDArray[np.uint64]
    """Of each document."""
    document_starts: Integers
    """The first row of each document; one more at the end."""

    @property
    def size(self) -> int:
        """How many rows the segment holds."""
        return len(self.lengths)

    def row_documents(self) -> Integers:
        """The document's number for each row."""
        return np.repeat(self.documents, np.diff(self.document_starts))

    def rows_of(self, documents: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which rows belong to documents that are marked."""
        return np.repeat(documents, np.diff(self.document_starts))


def term_digest(term: str) -> int:
    """The 64 bits by which segments know a term; the same on every machine."""
    return int.from_bytes(blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def document_fingerprint(parts: Iterable[object]) -> int:
    """64 bits that name a state of a document; two states share them with a probability of 5e-20."""
    return term_digest("\x1f".join(map(str, parts)))


def build_segment(indexed: Iterable[IndexedRow], owners: Sequence[RowOwner]) -> Segment:
    """A segment of these rows.

    Args:
        indexed: the rows, those of each document together.
        owners: the documents, in the order of their rows.
    """
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    tokens, found, lengths, passage_ids = array("I"), array("I"), array("I"), array("q")
    for row in indexed:
        tokens.extend(map(numbers.__getitem__, row.terms))
        tokens.extend(map(numbers.__getitem__, row.marks))
        lengths.append(len(row.terms))
        found.append(len(row.terms) + len(row.marks))
        passage_ids.append(row.passage_id)
    digests = np.fromiter(map(term_digest, numbers), dtype=np.uint64, count=len(numbers))
    terms, places = np.unique(digests, return_inverse=True)
    keys = places.astype(np.uint64)[np.array(tokens, dtype=np.int64)] << _ROW_BITS
    keys |= np.repeat(np.arange(len(found), dtype=np.uint64), np.array(found, dtype=np.int64))
    starts, rows, frequencies = _counted(keys, len(terms))
    return Segment(
        terms=terms,
        starts=starts,
        rows=rows,
        frequencies=frequencies,
        lengths=np.array(lengths, dtype=np.int32),
        passage_ids=np.array(passage_ids, dtype=np.int64),
        documents=np.array([owner.number for owner in owners], dtype=np.int64),
        fingerprints=np.array([owner.fingerprint for owner in owners], dtype=np.uint64),
        document_starts=running_total(np.array([owner.rows for owner in owners], dtype=np.int64)),
    )


def _counted(keys: NDArray[np.uint64], terms: int) -> tuple[Integers, NDArray[np.int32], NDArray[np.uint16]]:
    """The postings behind pairs of a term (upper half of a key) and a row (lower half), equal ones counted."""
    keys.sort()
    firsts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1]))) if len(keys) else np.zeros(0, np.int64)
    frequencies = np.minimum(np.diff(np.append(firsts, len(keys))), _HIGHEST_FREQUENCY)
    pairs = keys[firsts]
    holders = np.bincount((pairs >> _ROW_BITS).astype(np.int64), minlength=terms)
    return running_total(holders), (pairs & _ROW_MASK).astype(np.int32), frequencies.astype(np.uint16)


def running_total(counts: NDArray[np.integer | np.bool_]) -> Integers:
    """Where each of several neighbouring stretches begins, and where the last one ends."""
    return np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(counts, dtype=np.int64)))
