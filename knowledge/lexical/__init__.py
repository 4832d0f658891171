"""Finds passages by their words: BM25 over the tokens of `text.tokens`, in segments that are never changed."""

from __future__ import annotations

from .index import Bm25Index, LiveSegment, SegmentedIndex
from .protocol import DEFAULT_B, DEFAULT_K1, Allowed, LexicalIndex, QueryTerm, Scores, WeightedTerm
from .scoring import best_rows
from .segment import Segment

__all__ = [
    "DEFAULT_B",
    "DEFAULT_K1",
    "Allowed",
    "Bm25Index",
    "LexicalIndex",
    "LiveSegment",
    "QueryTerm",
    "Scores",
    "Segment",
    "SegmentedIndex",
    "WeightedTerm",
    "best_rows",
]
