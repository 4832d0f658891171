"""Hybrid search: both legs under the caller's filter, fused, reranked, and widened to blocks (design §4)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from ..configs.settings import SearchSettings
from .documents import Block, Caller, Document
from .editions import OLDER_EDITION_LOSS, older_editions
from .evidence.models import Span
from .expansion import drop_near_duplicates, stitch
from .fusion import FusionWeights, weighted_fusion
from .index_files import LexicalRows
from .rerank import Candidate, Reranker
from .searchable import passage_text
from .store import FoundPassage, Store
from .text.tokens import tokenise
from .vectors import Embedder, FaissIndex

Weigh = Callable[[str], float]
_REMEMBERED_TERMS = 16_384


class Hit(BaseModel):
    """A block that search found, with the ranks that put it there (1 is best, None: not found by that leg)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rank: int = Field(ge=1)
    score: float
    block: Block
    document: Document
    neighbours: tuple[Block, ...] = Field(
        default=(), description="blocks before or behind that a sentence or table runs into, in document order"
    )
    focus: tuple[Span, ...] = Field(description="the passages inside the block that matched, best first")
    lexical_rank: int | None = None
    vector_rank: int | None = None
    fused_rank: int | None = None

    @property
    def text(self) -> str:
        """The block's text with that of the neighbours it runs into, in document order."""
        blocks = sorted((self.block, *self.neighbours), key=lambda block: block.ordinal)
        return "\n".join(block.text for block in blocks)


class SearchResult(BaseModel):
    """What a search found; empty where nothing is relevant."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    query: str
    library_version: int
    hits: tuple[Hit, ...]
    tokens: tuple[str, ...] = Field(description="the query as the lexical leg saw it")
    vectors_used: bool


class _Leg(NamedTuple):
    """One leg's scores by passage number, best first."""

    scores: dict[int, float]

    def rank(self, passage_id: int) -> int | None:
        """1-based rank of a passage, None if this leg did not find it."""
        return next((i for i, number in enumerate(self.scores, 1) if number == passage_id), None)


class HybridSearch:
    """Search over one snapshot of a library's indexes."""

    def __init__(
        self,
        store: Store,
        lexical: LexicalRows,
        vectors: FaissIndex | None,
        embedder: Embedder | None,
        make_reranker: Callable[[Weigh], Reranker],
        settings: SearchSettings,
    ) -> None:
        self._store = store
        self._lexical = lexical
        self._vectors = vectors if embedder is not None else None
        self._embedder = embedder
        self._make_reranker = make_reranker
        self._settings = settings

    def idf(self, caller: Caller) -> Weigh:
        """Inverse document frequency of a term over the passages that the caller may read (0: unknown term)."""
        allowed = self._allowed(caller)
        return lru_cache(maxsize=_REMEMBERED_TERMS)(lambda token: self._lexical.bm25.idf(token, allowed))

    def search(self, query: str, caller: Caller, k: int, among: Collection[str] | None = None) -> SearchResult:
        """The k best blocks that the caller may read.

        Args:
            query: what is looked for, in natural language.
            caller: on whose behalf; the filter is applied inside both indexes and in the store.
            k: how many blocks at most.
            among: ids of the documents to search; None: all.
        """
        tokens = tokenise(query, for_query=True)
        allowed = self._allowed(caller, among)
        lexical = self._lexical_leg(tokens, allowed)
        vector = self._vector_leg(query, lexical, allowed)
        fused = self._fuse(lexical, vector)
        found = self._store.passages(list(fused)[: self._settings.candidates], caller)
        reranker = self._make_reranker(self.idf(caller))
        ranked = self._rerank(query, fused, found, reranker)
        hits = self._hits(ranked, found, (lexical, vector, _Leg(fused)), caller, k)
        return SearchResult(
            query=query,
            library_version=self._store.library_version(),
            hits=hits,
            tokens=tuple(tokens),
            vectors_used=bool(vector.scores),
        )

    def _allowed(self, caller: Caller, among: Collection[str] | None = None) -> NDArray[np.bool_] | None:
        documents = self._store.readable_documents(caller, among)
        return None if documents is None else np.isin(self._lexical.documents, documents)

    def _lexical_leg(self, tokens: list[str], allowed: NDArray[np.bool_] | None) -> _Leg:
        rows = self._lexical.bm25.search(tokens, self._settings.candidates, allowed)
        return _Leg({int(self._lexical.passage_ids[row]): score for row, score in rows})

    def _vector_leg(self, query: str, lexical: _Leg, allowed: NDArray[np.bool_] | None) -> _Leg:
        if self._vectors is None or self._embedder is None or not len(self._vectors):
            return _Leg({})
        vector = self._embedder.embed_query(query)
        numbers = None if allowed is None else self._lexical.passage_ids[allowed]
        hits = self._vectors.search(vector, self._settings.candidates, numbers)
        scores = dict(hits) | self._vectors.scores(vector, list(lexical.scores))
        # The vector file may still name passages that have just been replaced.
        present = np.isin(np.array(list(scores), dtype=np.int64), self._lexical.passage_ids)
        kept = [pair for pair, keep in zip(scores.items(), present, strict=True) if keep]
        return _Leg(dict(sorted(kept, key=lambda pair: (-pair[1], pair[0]))))

    def _fuse(self, lexical: _Leg, vector: _Leg) -> dict[int, float]:
        if not vector.scores:
            return weighted_fusion(lexical.scores, {}, frozenset(), FusionWeights())
        share = self._settings.lexical_weight
        # Both legs hold every candidate that has a vector: what is absent from the vector leg has none yet.
        return weighted_fusion(lexical.scores, vector.scores, vector.scores.keys(), FusionWeights(share, 1 - share))

    def _rerank(
        self, query: str, fused: dict[int, float], found: dict[int, FoundPassage], reranker: Reranker
    ) -> list[tuple[int, float]]:
        numbers = [number for number in fused if number in found]
        candidates = [_candidate(number, found[number], fused[number]) for number in numbers]
        older = older_editions([found[number].document.name for number in numbers], query)
        ranked = [
            (one.row, one.score - OLDER_EDITION_LOSS * (found[one.row].document.name in older))
            for one in reranker.rerank(query, candidates)
        ]
        return sorted(ranked, key=lambda pair: -pair[1])

    def _hits(
        self,
        ranked: Sequence[tuple[int, float]],
        found: dict[int, FoundPassage],
        legs: tuple[_Leg, _Leg, _Leg],
        caller: Caller,
        k: int,
    ) -> tuple[Hit, ...]:
        by_block: dict[str, list[tuple[int, float]]] = {}
        for number, score in ranked:
            by_block.setdefault(found[number].block.block_id, []).append((number, score))
        groups = drop_near_duplicates(list(by_block.values()), lambda group: found[group[0][0]].block.text)[:k]
        return tuple(self._hit(rank, group, found, legs, caller) for rank, group in enumerate(groups, start=1))

    def _hit(
        self,
        rank: int,
        group: list[tuple[int, float]],
        found: dict[int, FoundPassage],
        legs: tuple[_Leg, _Leg, _Leg],
        caller: Caller,
    ) -> Hit:
        best, score = group[0]
        lexical, vector, fused = (
            min((r for number, _ in group if (r := leg.rank(number)) is not None), default=None) for leg in legs
        )
        block = found[best].block
        spans = tuple(Span(start=found[n].passage.start, end=found[n].passage.end) for n, _ in group)
        return Hit(
            rank=rank,
            score=round(score, 6),
            block=block,
            document=found[best].document,
            neighbours=stitch(block, spans, self._store, caller),
            focus=spans,
            lexical_rank=lexical,
            vector_rank=vector,
            fused_rank=fused,
        )


def _candidate(number: int, found: FoundPassage, score: float) -> Candidate:
    return Candidate(
        row=number,
        text=passage_text(found.block, found.passage),
        title=found.document.search_title,
        section=" ".join(found.block.section_path),
        score=score,
    )
