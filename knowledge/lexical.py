"""Finds passages by their words: BM25 over the tokens of `text.tokens`."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self

import numpy as np
import numpy.typing as npt

from ..errors import LibraryFormatError

if TYPE_CHECKING:
    import bm25s

Scores = npt.NDArray[np.float32]
Allowed = npt.NDArray[np.bool_]

DEFAULT_K1 = 1.2
DEFAULT_B = 0.5


class LexicalIndex(Protocol):
    """Scores every row of a collection against the tokens of a question. Rows are numbered from 0."""

    @property
    def rows(self) -> int:
        """How many rows the index holds."""

    def scores(self, query_tokens: Sequence[str]) -> Scores:
        """The score of every row; 0 where it shares no token with the question."""

    def search(self, query_tokens: Sequence[str], k: int, allowed: Allowed | None = None) -> list[tuple[int, float]]:
        """The `k` best allowed rows, best first; never one that shares no token with the question."""

    def idf(self, token: str, allowed: Allowed | None = None) -> float:
        """How telling a token is among the allowed rows: 0 where none holds it, else more the fewer do."""


class Bm25Index:
    """BM25 in the variant of Lucene; built once, then only read. Safe to be read by several threads."""

    def __init__(self, engine: bm25s.BM25 | None, rows: int) -> None:
        self._engine = engine
        self._rows = rows

    @classmethod
    def build(cls, token_lists: Iterable[Sequence[str]], k1: float = DEFAULT_K1, b: float = DEFAULT_B) -> Self:
        """Indexes one row for each list of tokens.

        Args:
            token_lists: the tokens of each row, from `text.tokens.tokenise`; may be empty lists.
            k1: how much repeated words count, 1.2 to 1.5 (S3 §3.3).
            b: how much long rows are marked down, from 0 to 1; 0.5 (S3 §3.3), as passages differ little in length.
        """
        import bm25s  # noqa: PLC0415 - 0.3 s to import

        identifiers: dict[str, int] = {}
        corpus = [[identifiers.setdefault(token, len(identifiers)) for token in row] for row in token_lists]
        if not identifiers:
            return cls(None, len(corpus))
        engine = bm25s.BM25(k1=k1, b=b, method="lucene", backend="numpy", csc_backend="numpy")
        engine.index((corpus, identifiers), create_empty_token=False, show_progress=False)
        return cls(engine, len(corpus))

    @property
    def rows(self) -> int:
        """How many rows the index holds."""
        return self._rows

    @property
    def terms(self) -> int:
        """How many different tokens the index holds."""
        return 0 if self._engine is None else len(self._engine.vocab_dict)

    def save(self, directory: Path) -> None:
        """Writes the index into a directory, which is created where it is missing."""
        directory.mkdir(parents=True, exist_ok=True)
        if self._engine is not None:
            self._engine.save(directory, show_progress=False)
        state = {"rows": self._rows, "empty": self._engine is None}
        (directory / _STATE_FILE).write_text(json.dumps(state), encoding="utf-8")

    @classmethod
    def load(cls, directory: Path, *, mmap: bool = True) -> Self:
        """Reads an index that `save` wrote.

        Args:
            directory: where it was saved.
            mmap: leave the scores on disk and read what a question needs.

        Raises:
            LibraryFormatError: when the files are missing or damaged.
        """
        import bm25s  # noqa: PLC0415 - 0.3 s to import

        try:
            state = json.loads((directory / _STATE_FILE).read_text(encoding="utf-8"))
            engine = None if state["empty"] else bm25s.BM25.load(directory, mmap=mmap, show_progress=False)
            return cls(engine, int(state["rows"]))
        except (OSError, ValueError, KeyError, TypeError, EOFError) as error:
            message = f"the lexical index in {directory} cannot be read ({error}): rebuild it from the library"
            raise LibraryFormatError(message) from error

    def scores(self, query_tokens: Sequence[str]) -> Scores:
        """The score of every row; 0 where it shares no token with the question."""
        known = [] if self._engine is None else self._engine.get_tokens_ids(list(query_tokens))
        if self._engine is None or not known:
            return np.zeros(self._rows, dtype=np.float32)
        found: Scores = np.asarray(self._engine.get_scores_from_ids(known), dtype=np.float32)
        return found

    def search(self, query_tokens: Sequence[str], k: int, allowed: Allowed | None = None) -> list[tuple[int, float]]:
        """The `k` best allowed rows, best first; rows of equal score in row order; never a score of 0."""
        scores = self.scores(query_tokens) if allowed is None else self._scores_among(query_tokens, allowed)
        return best_rows(scores, k, allowed)

    def idf(self, token: str, allowed: Allowed | None = None) -> float:
        """Lucene's inverse document frequency of a token among the allowed rows, 0 where none of them holds it."""
        rows, _ = self._postings(token)
        holders = len(rows) if allowed is None else int(np.count_nonzero(allowed[rows]))
        total = self._rows if allowed is None else int(np.count_nonzero(allowed))
        return _idf(holders, total)

    def _postings(self, token: str) -> tuple[npt.NDArray[np.int64], Scores]:
        """The rows that hold a token, and its score in each."""
        identifier = None if self._engine is None else self._engine.vocab_dict.get(token)
        if self._engine is None or identifier is None:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
        start, end = (int(border) for border in self._engine.scores["indptr"][identifier : identifier + 2])
        return np.asarray(self._engine.scores["indices"][start:end]), np.asarray(self._engine.scores["data"][start:end])

    def _scores_among(self, query_tokens: Sequence[str], allowed: Allowed) -> Scores:
        """Scores with each token weighed by its rarity among the allowed rows only.

        Rarity over all rows would tell a caller which words occur in documents that it may not read.
        """
        scores = np.zeros(self._rows, dtype=np.float32)
        for token in query_tokens:
            rows, found = self._postings(token)
            everywhere = _idf(len(rows), self._rows)
            if everywhere:
                scores[rows] += found * np.float32(self.idf(token, allowed) / everywhere)
        return scores


_STATE_FILE = "veriloop.json"


def _idf(holders: int, total: int) -> float:
    return math.log(1 + (total - holders + 0.5) / (holders + 0.5)) if holders else 0.0


def best_rows(scores: Scores, k: int, allowed: Allowed | None = None) -> list[tuple[int, float]]:
    """The rows of the `k` highest positive scores among those allowed, best first, ties in row order."""
    usable = scores > 0 if allowed is None else (scores > 0) & allowed
    rows = np.flatnonzero(usable)
    if k <= 0 or not rows.size:
        return []
    if rows.size > k:
        border = np.partition(scores[rows], -k)[-k]
        rows = rows[scores[rows] >= border]
    order = np.lexsort((rows, -scores[rows]))[:k]
    return [(int(row), float(scores[row])) for row in rows[order]]
