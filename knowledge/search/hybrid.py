"""One search over one state of a library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from ...configs.graph_settings import GraphSettings
from ...configs.rerank_settings import RerankSettings
from ...configs.settings import SearchSettings
from ..documents import Caller
from ..evidence.models import Span
from ..expansion import stitch
from ..fusion import FusionWeights, reciprocal_rank_fusion, weighted_fusion
from ..index_files import LexicalRows
from ..lexical import WeightedTerm
from ..lexical.scoring import inverse_frequency
from ..pair_scorer import PairScorer
from ..query.models import SearchQuery
from ..query.parts import in_order_of_whole, interleave
from ..replacing import marked
from ..rerank import Candidate, Ranked, order_by_features
from ..rerank.features import Judged, Question
from ..store import FoundPassage, Store
from ..text.tokens import Tokeniser, tokeniser
from .expanding import expanded_hits
from .explaining import Explanation
from .legs import NO_VECTORS, Allowed, Leg, LexicalLeg, VectorLegs, VectorSearch
from .looking_into import explain_search
from .model_rerank import ModelScores, rerank_by_model
from .ranking import Grouped, RankedBlock, group_by_block, order_competing
from .requests import SearchRequest
from .results import Hit, SearchResult

Weigh = Callable[[str], float]
_REMEMBERED_TERMS = 16_384
_EXPLAINED_UNREAD = 10


class Pass(NamedTuple):
    """One of the searches behind a result: the whole query's, or one of a sub-query."""

    text: str
    terms: tuple[WeightedTerm, ...]
    readable: Allowed | None
    allowed: Allowed | None
    lexical: LexicalLeg
    vectors: VectorLegs
    fused: Leg
    found: dict[int, FoundPassage]
    judged: dict[int, Judged]
    models: ModelScores
    ranked: list[Ranked]
    irrelevant: frozenset[int]
    grouped: Grouped


class HybridSearch:
    """Search over one snapshot of a library's indexes."""

    def __init__(
        self,
        store: Store,
        lexical: LexicalRows,
        vectors: VectorSearch | None,
        settings: SearchSettings,
        rerank: RerankSettings,
        make_scorer: Callable[[], PairScorer | None] = lambda: None,
        words: Tokeniser | None = None,
        graph: GraphSettings | None = None,
    ) -> None:
        self._store = store
        self._lexical = lexical
        self._vectors = vectors
        self._settings = settings
        self._rerank = rerank
        self._make_scorer = make_scorer
        self._words = words or tokeniser()
        self._graph = graph if graph is not None and graph.expand else None

    def idf(self, caller: Caller) -> Weigh:
        """Inverse document frequency of a term over the passages that the caller may read (0: unknown term)."""
        return self._idf(self._allowed(caller, None))

    @cached_property
    def _idf_of_all(self) -> Weigh:
        """Kept for all searches: the indexes of a snapshot do not change."""
        return lru_cache(maxsize=_REMEMBERED_TERMS)(self._lexical.bm25.idf)

    def _idf(self, allowed: Allowed | None) -> Weigh:
        if allowed is None:
            return self._idf_of_all
        return lru_cache(maxsize=_REMEMBERED_TERMS)(lambda token: self._lexical.bm25.idf(token, allowed))

    def search(self, request: SearchRequest) -> SearchResult:
        """The k best blocks that the caller may read, best first."""
        query = request.query
        whole = self._pass(query.text, request, request.doc_ids)
        parts = [self._pass(part.text, request, _both(request.doc_ids, part.doc_ids)) for part in query.sub_queries]
        passes = [*parts, whole]
        blocks = _merged(passes, request.k)
        hits = tuple(self._hit(rank, block, one, request) for rank, (block, one) in enumerate(blocks, start=1))
        if self._graph is not None:
            hits = expanded_hits(self._store, self._graph, hits, request, self._coverage(whole, request))
        said = (query.nothing_left, *(note for one in passes for note in (one.vectors.note, one.models.note)))
        notes = dict.fromkeys(filter(None, said))
        return SearchResult(
            query=query.original,
            library_version=self._store.library_version(),
            hits=hits,
            tokens=tuple(term.token for term in whole.terms),
            vectors_used=any(one.vectors.dense.scores for one in passes),
            filter=query.filter,
            notes=tuple(notes),
            explanation=self._explain(request, passes, blocks) if request.explain else None,
        )

    def _coverage(self, whole: Pass, request: SearchRequest) -> Weigh:
        """A function from a text to the share of the query's weight in terms that it holds."""
        words, idf = request.words or self._words, self._idf(whole.readable)
        weights = {term.token: term.weight * idf(term.token) for term in whole.terms}
        total = sum(weights.values()) or 1.0
        return lambda text: sum(weights.get(token, 0.0) for token in set(words.tokenise(text))) / total

    def _pass(self, text: str, request: SearchRequest, doc_ids: frozenset[str] | None) -> Pass:
        settings = self._settings
        readable = self._allowed(request.caller, None)
        allowed = readable if doc_ids is None else self._allowed(request.caller, doc_ids)
        words = request.words or self._words
        terms = _terms(text, request.query, words)
        lexical = LexicalLeg(self._lexical, terms, readable, allowed, settings.candidates)
        vectors = NO_VECTORS
        if self._vectors is not None:
            vectors = self._vectors.find(text, lexical, self._lexical, allowed, settings.candidates)
        fused = self._fuse(lexical, vectors)
        found = self._store.passages(list(fused.scores)[: settings.candidates], request.caller)
        candidates = _candidates(fused, found, lexical)
        judged = self._judged(text, terms, candidates, readable, words)
        irrelevant = frozenset(
            row for row, one in judged.items() if one.relevance < settings.min_relevance and row not in vectors.near
        )
        kept = order_by_features(text, {row: one.features for row, one in judged.items() if row not in irrelevant})
        models = rerank_by_model(self._make_scorer, self._rerank, text, kept, found)
        gone = frozenset(doc_id for doc_id, one in request.superseded.items() if one.since <= request.today)
        ranked = order_competing(models.ranked, found, text, request.today, gone)
        grouped = group_by_block(ranked, found)
        return Pass(
            text,
            terms,
            readable,
            allowed,
            lexical,
            vectors,
            fused,
            found,
            judged,
            models,
            ranked,
            irrelevant,
            grouped,
        )

    def _judged(
        self,
        text: str,
        terms: Sequence[WeightedTerm],
        candidates: Sequence[Candidate],
        readable: Allowed | None,
        words: Tokeniser,
    ) -> dict[int, Judged]:
        """What speaks for each candidate, by row, best fused first."""
        rows = self._lexical.bm25.rows if readable is None else int(np.count_nonzero(readable))
        added = {term.token: term.weight for term in terms if term.weight < 1}
        asked = Question(text, self._idf(readable), inverse_frequency(1, max(rows, 1)), added, words)
        return {one.row: asked.judge(one) for one in candidates}

    def _allowed(self, caller: Caller, doc_ids: frozenset[str] | None) -> Allowed | None:
        documents = self._store.readable_documents(caller, doc_ids)
        return None if documents is None else np.isin(self._lexical.documents, documents)

    def _fuse(self, lexical: LexicalLeg, vectors: VectorLegs) -> Leg:
        if not vectors.dense.scores and not vectors.sparse.scores:
            return Leg(weighted_fusion(lexical.scores, {}, frozenset(), FusionWeights()))
        share, sparse = self._settings.lexical_weight, self._settings.sparse_weight
        if self._settings.fusion == "rrf":
            rankings = [list(leg.scores) for leg in (lexical, vectors.dense, vectors.sparse)]
            return _scaled(reciprocal_rank_fusion(rankings, [share, 1 - share, sparse]))
        weights = FusionWeights(share, 1 - share, sparse)
        # The dense leg holds every candidate that has a vector: what is absent from it has none yet.
        has_vector = vectors.dense.scores.keys()
        return Leg(weighted_fusion(lexical.scores, vectors.dense.scores, has_vector, weights, vectors.sparse.scores))

    def _hit(self, rank: int, block: RankedBlock, one: Pass, request: SearchRequest) -> Hit:
        found = one.found[block.passages[0].row]
        spans = tuple(
            Span(start=passage.start, end=passage.end)
            for ranked in block.passages
            for passage in (one.found[ranked.row].passage,)
        )
        legs = (one.lexical, one.vectors.dense, one.vectors.sparse, one.fused)
        lexical, vector, sparse, fused = (_best_rank(leg, block) for leg in legs)
        return Hit(
            rank=rank,
            score=round(block.score, 6),
            block=found.block,
            document=marked(found.document, request.superseded),
            neighbours=stitch(found.block, spans, self._store, request.caller),
            focus=spans,
            lexical_rank=lexical,
            vector_rank=vector,
            sparse_rank=sparse,
            fused_rank=fused,
        )

    def _explain(
        self, request: SearchRequest, passes: Sequence[Pass], blocks: Sequence[tuple[RankedBlock, Pass]]
    ) -> Explanation:
        return explain_search(
            request,
            passes,
            blocks,
            self._lexical,
            unread=[self._store.passages(_unread(one), request.caller) for one in passes],
            floor=None if self._vectors is None else self._vectors.floor,
            model=str(self._rerank.model or ""),
        )


def _unread(one: Pass) -> list[int]:
    """The first passages that were found and never looked at: below the floor, or behind the last candidate."""
    behind = [number for number in one.fused.scores if number not in one.found]
    return [*behind[:_EXPLAINED_UNREAD], *list(one.vectors.below_floor.scores)[:_EXPLAINED_UNREAD]]


def _both(first: frozenset[str] | None, second: frozenset[str] | None) -> frozenset[str] | None:
    if first is None or second is None:
        return second if first is None else first
    return first & second


def _terms(text: str, query: SearchQuery, words: Tokeniser) -> tuple[WeightedTerm, ...]:
    own = words.query_tokens(text)
    known = set(own)
    added = [
        WeightedTerm(token, term.weight)
        for term in query.terms
        for token in words.tokenise(term.term, for_query=True)
        if token not in known
    ]
    return (*(WeightedTerm(token) for token in own), *added)


def _scaled(scores: dict[int, float]) -> Leg:
    """Rank fusion gives about a sixtieth; the reranker weighs scores of which the best is 1."""
    best = max(scores.values(), default=1.0)
    return Leg({number: score / best for number, score in scores.items()})


def _candidates(fused: Leg, found: dict[int, FoundPassage], lexical: LexicalLeg) -> list[Candidate]:
    numbers = [number for number in fused.scores if number in found]
    beside = lexical.neighbours(numbers)
    return [
        Candidate(
            row=number,
            score=fused.scores[number],
            analysis=analysis,
            section=" ".join(found[number].block.section_path[-_HEADINGS_SEEN:]),
            ordinal=found[number].block.ordinal,
            neighbour=neighbour,
        )
        for number, neighbour in zip(numbers, beside, strict=True)
        if (analysis := found[number].analysis) is not None
    ]


_HEADINGS_SEEN = 2
"""The last headings say what stands below them; the ones above are those of whole chapters."""


def _best_rank(leg: Leg, block: RankedBlock) -> int | None:
    return min((rank for one in block.passages if (rank := leg.rank(one.row)) is not None), default=None)


def _merged(passes: Sequence[Pass], k: int) -> list[tuple[RankedBlock, Pass]]:
    """The blocks of all passes in turn: the whole query's first, the others by which documents it found first.

    Measured against the parts' turn first: on English questions over several documents (HotpotQA, MuSiQue) the mean
    reciprocal rank is a tenth higher, on comparisons of companies as good, and each named document is found as often.
    """
    *parts, whole = [[(block, one) for block in one.grouped.blocks] for one in passes]
    in_order = in_order_of_whole(parts, whole, _document)
    return interleave([whole, *in_order], k, key=lambda pair: pair[0].block_id)


def _document(pair: tuple[RankedBlock, Pass]) -> str:
    block, one = pair
    return one.found[block.passages[0].row].document.doc_id
