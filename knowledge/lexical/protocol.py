"""What a lexical index must do, whichever one it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Scores: TypeAlias = NDArray[np.float32]
Allowed: TypeAlias = NDArray[np.bool_]

DEFAULT_K1 = 1.2
"""How much repeated words count, 1.2 to 1.5 (S3 §3.3)."""
DEFAULT_B = 0.5
"""How much long rows are marked down, 0 to 1 (S3 §3.3): passages differ little in length."""


class WeightedTerm(NamedTuple):
    """A token of a question and how much it counts: 1 for a word that was asked, less for a synonym of one."""

    token: str
    weight: float = 1.0


QueryTerm: TypeAlias = str | WeightedTerm


class LexicalIndex(Protocol):
    """Scores every row of a collection against the tokens of a question. Rows are numbered from 0.

    Every number is made from the allowed rows alone, down to their average length: rarity over all rows would tell a
    caller which words occur in documents that it may not read.
    """

    @property
    def rows(self) -> int:
        """How many rows the index holds."""

    def scores(self, query: Sequence[QueryTerm], allowed: Allowed | None = None) -> Scores:
        """The score of every row; 0 where it shares no token with the question or is not allowed."""

    def search(self, query: Sequence[QueryTerm], k: int, allowed: Allowed | None = None) -> list[tuple[int, float]]:
        """The `k` best allowed rows, best first; never one that shares no token with the question."""

    def idf(self, token: str, allowed: Allowed | None = None) -> float:
        """How telling a token is among the allowed rows: 0 where none holds it, else more the fewer do."""

    def term_scores(
        self, query: Sequence[QueryTerm], rows: Sequence[int], allowed: Allowed | None = None
    ) -> dict[str, Scores]:
        """For each token of the question what it adds to the score of each of these rows."""
