"""From fused passages to ranked blocks: reranked, competing texts in order, near-duplicates left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from ..documents import Document
from ..editions import OLDER_EDITION_LOSS, edition_of, older_editions
from ..expansion import duplicates_of
from ..rerank.models import Ranked
from ..store import FoundPassage
from ..text.normalise import normalise


class RankedBlock(NamedTuple):
    """A block with its passages that were found, best first: passage number and score."""

    block_id: str
    passages: tuple[Ranked, ...]

    @property
    def score(self) -> float:
        """That of its best passage."""
        return self.passages[0].score


class Grouped(NamedTuple):
    """The blocks in order, and which were left out for which."""

    blocks: list[RankedBlock]
    duplicates: dict[str, str]
    """Block left out to the block that stands for it."""


def order_competing(
    ranked: Iterable[Ranked], found: Mapping[int, FoundPassage], query: str, today: date, gone: frozenset[str]
) -> list[Ranked]:
    """The passages with those of older editions and of lower authority behind what they compete with.

    Args:
        ranked: passages by score.
        found: them with their documents.
        query: a question that names an edition's year or a title means that one.
        today: of which day the editions in force are meant.
        gone: ids of documents that another one has replaced; they are treated like older editions.
    """
    ranked = list(ranked)
    documents = {found[one.row].document.doc_id: found[one.row].document for one in ranked}
    older = older_editions([document.name for document in documents.values()], query, today)
    asked = normalise(query)
    old = {
        one.doc_id for one in documents.values() if one.name in older or (one.doc_id in gone and not _named(one, asked))
    }
    lower = _of_lower_authority(documents.values())
    moved = [
        one._replace(score=one.score - OLDER_EDITION_LOSS * ((document.doc_id in old) + (document.doc_id in lower)))
        for one in ranked
        for document in (found[one.row].document,)
    ]
    return sorted(moved, key=lambda one: -one.score)


def _named(document: Document, question: str) -> bool:
    title = normalise(document.title)
    return bool(title) and title in question


def _of_lower_authority(documents: Iterable[Document]) -> frozenset[str]:
    """The ids of documents of whose title another one has more authority."""
    by_title: dict[str, list[Document]] = {}
    for document in documents:
        by_title.setdefault(edition_of(document.title).title, []).append(document)
    lower: set[str] = set()
    for title, family in by_title.items():
        highest = max(document.authority for document in family)
        lower.update(one.doc_id for one in family if title and one.authority < highest)
    return frozenset(lower)


def group_by_block(ranked: Sequence[Ranked], found: Mapping[int, FoundPassage]) -> Grouped:
    """The blocks of ranked passages, best first; of blocks that repeat one another the newest, most authoritative."""
    by_block: dict[str, list[Ranked]] = {}
    for one in ranked:
        by_block.setdefault(found[one.row].block.block_id, []).append(one)
    blocks = [RankedBlock(block_id, tuple(passages)) for block_id, passages in by_block.items()]
    same = duplicates_of([found[block.passages[0].row].block.text for block in blocks])
    families: dict[int, list[int]] = {}
    for place, first in enumerate(same):
        families.setdefault(first, []).append(place)
    kept, duplicates = [], {}
    for family in families.values():
        # The sorting is stable: of equals the first.
        best = max(family, key=lambda place: _standing(found[blocks[place].passages[0].row].document))
        kept.append(blocks[best])
        duplicates.update({blocks[place].block_id: blocks[best].block_id for place in family if place != best})
    return Grouped(kept, duplicates)


def _standing(document: Document) -> tuple[int, tuple[int, ...], date]:
    known = document.effective_from or document.published_at or date.min
    return document.authority, edition_of(document.name).number, known
