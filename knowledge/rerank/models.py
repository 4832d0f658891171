"""What a reranker is given and what it returns."""

from __future__ import annotations

from typing import NamedTuple

from ..analysis import PassageAnalysis


class Candidate(NamedTuple):
    """A passage that a search found.

    `score` is its fused score and `neighbour` the best lexical score of the passages next to it in its document, both
    from 0 to 1 of the best of this search. `section` is the path of headings above it, `ordinal` the place of its
    block in the document, from 0.
    """

    row: int
    score: float
    analysis: PassageAnalysis
    section: str = ""
    ordinal: int = 0
    neighbour: float = 0.0


class Ranked(NamedTuple):
    """A row with the score that it is ordered by; only its order has a meaning."""

    row: int
    score: float
