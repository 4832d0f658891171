"""Graph expansion (S2 §5.3): from the first hits over the entities in them to the blocks that speak of these."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ...configs.graph_settings import GraphSettings
from ..documents import Block, Caller, Document
from ..evidence.models import Span
from ..graph.models import Kind, Predicate, StoredRelation
from ..graph.names import entity_key, own_document
from ..replacing import marked
from ..store import Store
from .requests import SearchRequest
from .results import Hit

_HITS_LOOKED_AT = 10
_MOST_OF_BLOCK = 24
_MOST_ENTITIES = 48
_MOST_OF_ENTITY = 12
_MOST_BLOCKS = 24
_HUB = 60
"""An entity of more relations connects everything with everything."""
_SECONDS = 0.5
"""After which what was found so far is taken; a question may cost a second more at most."""
_SECOND_HOP = 0.5
_NO_STEP = frozenset({Kind.VALUE, Kind.DATE, Kind.TASK, Kind.ROLE})
_TITLE_LEAD = 1.5
"""That a block begins the document of this name says more than that it mentions it."""


class Expanded(NamedTuple):
    """A block that the graph leads to, and the stretches that say so."""

    block: Block
    document: Document
    score: float
    spans: tuple[tuple[int, int], ...]


class _Start(NamedTuple):
    """An entity that is followed: how much it weighs, and the blocks that speak of it so far."""

    weight: float
    sources: frozenset[str]


class _Reached(NamedTuple):
    score: float
    relation: StoredRelation


class GraphExpander:
    """Follows the graph from the hits of a search.

    Args:
        store: what the search is over, so that a day or a domain bounds the graph as well.
        hops: relations followed, one behind another.
    """

    def __init__(self, store: Store, hops: int = 1) -> None:
        self._store = store
        self._hops = hops

    def blocks(
        self,
        hits: Sequence[str],
        kept: frozenset[str],
        question: str,
        caller: Caller,
        relevance: Callable[[str], float],
        allowed: frozenset[str] | None,
        most: int,
    ) -> list[Expanded]:
        """The blocks behind the entities of the first hits, best first.

        Args:
            hits: block ids, best first.
            kept: those that stay in any case, and need not be led to.
            question: names in it lead on before others.
            caller: on whose behalf.
            relevance: the share of the question's weight that a text holds.
            allowed: ids of the documents that filters leave in; None: all.
            most: blocks at most.
        """
        end = time.monotonic() + _SECONDS
        starts = self._entities(hits[:_HITS_LOOKED_AT], question, caller)
        reached = self._follow(starts, caller, end)
        if self._hops > 1:
            further = {
                key: _Start(_SECOND_HOP * one.score, frozenset({one.relation.block_id}))
                for one in sorted(reached, key=lambda one: -one.score)[:_MOST_ENTITIES]
                for key in _steps(one.relation)
                if key not in starts
            }
            reached += self._follow(dict(list(further.items())[:_MOST_ENTITIES]), caller, end)
        weighed = lambda text: relevance(text) if time.monotonic() < end else 0.0  # noqa: E731 - one expression
        return self._best(reached, kept, caller, weighed, allowed, most)

    def _entities(self, hits: Sequence[str], question: str, caller: Caller) -> dict[str, _Start]:
        """What the first hits speak of, weighed by their rank; what the question itself names counts double."""
        asked = entity_key(question)
        ranks = {block_id: rank for rank, block_id in enumerate(hits, start=1)}
        weights: dict[str, float] = {}
        sources: dict[str, set[str]] = {}
        for one in self._store.relations.of_blocks(hits, caller, _MOST_OF_BLOCK):
            for key in _steps(one):
                weight = 1 / math.sqrt(ranks[one.block_id]) * (2 if len(key) > 2 and key in asked else 1)
                weights[key] = max(weights.get(key, 0.0), weight)
                sources.setdefault(key, set()).add(one.block_id)
        best = sorted(weights.items(), key=lambda pair: -pair[1])[:_MOST_ENTITIES]
        return {key: _Start(weight, frozenset(sources[key])) for key, weight in best}

    def _follow(self, starts: dict[str, _Start], caller: Caller, end: float) -> list[_Reached]:
        found: list[_Reached] = []
        for key, start in starts.items():
            if time.monotonic() > end:
                break
            relations = self._store.relations.about([key], caller, _HUB)
            if len(relations) >= _HUB:
                continue
            rarity = 1 / math.log2(2 + len(relations))
            # A block that alone speaks of an entity so far is not led to by it.
            others = (one for one in relations if start.sources != {one.block_id})
            leading = sorted(others, key=lambda one: not _is_titled(one))[:_MOST_OF_ENTITY]
            found += [
                _Reached(start.weight * rarity * (_TITLE_LEAD if _is_titled(one) else 1.0), one) for one in leading
            ]
        return found

    def _best(
        self,
        reached: Sequence[_Reached],
        hits: frozenset[str],
        caller: Caller,
        relevance: Callable[[str], float],
        allowed: frozenset[str] | None,
        most: int,
    ) -> list[Expanded]:
        grouped: dict[str, list[_Reached]] = {}
        for one in reached:
            is_allowed = allowed is None or one.relation.doc_id in allowed
            if is_allowed and one.relation.block_id not in hits:
                grouped.setdefault(one.relation.block_id, []).append(one)
        likely = sorted(grouped, key=lambda block_id: -sum(one.score for one in grouped[block_id]))[:_MOST_BLOCKS]
        blocks = self._store.relations.blocks(likely, caller)
        found = [
            Expanded(
                block,
                document,
                max(one.score for one in grouped[block_id]) + relevance(block.text),
                tuple(
                    dict.fromkeys((one.relation.relation.start, one.relation.relation.end) for one in grouped[block_id])
                ),
            )
            for block_id, (block, document) in blocks.items()
        ]
        return sorted(found, key=lambda one: (-one.score, one.block.block_id))[:most]


def expanded_hits(
    store: Store,
    settings: GraphSettings,
    hits: tuple[Hit, ...],
    request: SearchRequest,
    relevance: Callable[[str], float],
) -> tuple[Hit, ...]:
    """The hits of a search with what the graph leads to in the last places, so that there are no more than before.

    Direct hits in those places give way, unless the graph leads to them as well or there is room left.
    """
    most = min(settings.expanded, request.k // 2)
    if not hits or most < 1:
        return hits
    kept = hits[: max(request.k - most, 1)]
    found = GraphExpander(store, settings.hops).blocks(
        [hit.block.block_id for hit in hits],
        frozenset(hit.block.block_id for hit in kept),
        request.query.text,
        request.caller,
        relevance,
        request.doc_ids,
        most,
    )
    known = {hit.block.block_id: hit for hit in hits}
    new = [known.get(one.block.block_id) or _hit(one, request) for one in found]
    led_to = {hit.block.block_id for hit in (*kept, *new)}
    rest = (hit for hit in hits[len(kept) :] if hit.block.block_id not in led_to)
    together = (*kept, *new, *rest)[: request.k]
    return tuple(hit.model_copy(update={"rank": rank}) for rank, hit in enumerate(together, start=1))


def _hit(one: Expanded, request: SearchRequest) -> Hit:
    spans = tuple(Span(start=start, end=min(end, len(one.block.text))) for start, end in one.spans)
    return Hit(
        rank=1,
        score=round(one.score, 6),
        block=one.block,
        document=marked(one.document, request.superseded),
        focus=spans,
    )


def _spans(reached: Sequence[_Reached]) -> tuple[tuple[int, int], ...]:
    return tuple(dict.fromkeys((one.relation.relation.start, one.relation.relation.end) for one in reached))


def _steps(one: StoredRelation) -> list[str]:
    """The ends of a relation over which a way may go on: names, but not the document that states it."""
    relation = one.relation
    return [
        end.key
        for end in (relation.subject, relation.object)
        if end.kind not in _NO_STEP and end.key != f"doc:{one.doc_id}" and not _is_own_place(one, end.key)
    ]


def _is_own_place(one: StoredRelation, key: str) -> bool:
    """Whether a clause is only the place where the block itself stands."""
    return one.relation.predicate == Predicate.CONTAINS and own_document(key) == one.doc_id


def _is_titled(one: StoredRelation) -> bool:
    relation = one.relation
    return (relation.predicate == Predicate.ALIAS_OF and own_document(relation.object.key) is not None) or (
        relation.predicate == Predicate.CONTAINS
    )
