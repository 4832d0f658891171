"""Where in a library a needed text stands: in one block, across blocks, or nowhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from ..knowledge.documents import Block, Caller, Document
from ..knowledge.library import Library
from ..knowledge.text.normalise import normalise_match
from .relevance import Flatten, NeededItem, is_named

_REMEMBERED_TEXTS = 20_000
_SHINGLE = 5
_LIKELY_SHARE = 0.5
_SHOWN = 10


class Place(NamedTuple):
    """A text in a block; `start` is the offset of its first character."""

    document: Document
    block: Block
    start: int


class LikelyPlace(NamedTuple):
    """The block that holds most of a quote, and which share of its five-character pieces (0.5 to 1).

    `parting` shows, around a bar, where the quote goes another way than the block.
    """

    place: Place
    share: float
    parting: str


class Whereabouts(NamedTuple):
    """Where the text of a needed item stands.

    `absent` are the names of documents that the caller does not find in the library; `places` are the blocks that
    hold the whole text; `across` are those over which it runs in reading order, where no block holds it alone.
    """

    documents: tuple[Document, ...]
    absent: tuple[str, ...]
    places: tuple[Place, ...]
    across: tuple[Place, ...]


class _FlatBlock(NamedTuple):
    block: Block
    flat: str


class Shelf:
    """The blocks that a caller may read, in the form in which quotes are compared; each document is read once."""

    def __init__(self, library: Library, caller: Caller) -> None:
        self._library = library
        self._caller = caller
        self.documents = tuple(summary.document for summary in library.documents(caller))
        self._read: dict[str, tuple[_FlatBlock, ...]] = {}
        self.flatten: Flatten = lru_cache(maxsize=_REMEMBERED_TEXTS)(normalise_match)

    def find(self, item: NeededItem) -> Whereabouts:
        """Where the item's text stands; an item without a text stands in every block of its document."""
        documents = self._documents_of(item)
        places = tuple(place for document in documents for place in self._places(document, item.texts))
        across = () if places else next((found for d in documents if (found := self._across(d, item.texts))), ())
        absent = tuple(name for name in item.documents if not any(is_named(d, (name,)) for d in documents))
        return Whereabouts(documents, absent, places, across)

    def likely_place(self, item: NeededItem, documents: Sequence[Document]) -> LikelyPlace | None:
        """The block that holds most of an item's text, if it is at least half of it."""
        candidates = [
            (_overlap(text, block.flat), text, Place(document, block.block, 0), block.flat)
            for document in documents
            for block in self._blocks(document)
            for text in item.texts
        ]
        share, text, place, flat = max(candidates, key=lambda candidate: candidate[0], default=(0.0, "", None, ""))
        if place is None or share < _LIKELY_SHARE:
            return None
        return LikelyPlace(place, share, _parting(text, flat))

    def _documents_of(self, item: NeededItem) -> tuple[Document, ...]:
        if not item.documents:
            return self.documents
        return tuple(document for document in self.documents if is_named(document, item.documents))

    def _blocks(self, document: Document) -> tuple[_FlatBlock, ...]:
        if document.doc_id not in self._read:
            blocks = self._library.blocks(document.doc_id, self._caller)
            self._read[document.doc_id] = tuple(_FlatBlock(block, self.flatten(block.text)) for block in blocks)
        return self._read[document.doc_id]

    def _places(self, document: Document, texts: Sequence[str]) -> Iterator[Place]:
        for block, flat in self._blocks(document):
            if not texts:
                yield Place(document, block, 0)
            starts = [at for text in texts if (at := flat.find(text)) >= 0]
            if starts:
                yield Place(document, block, raw_offset(block.text, min(starts)))

    def _across(self, document: Document, texts: Sequence[str]) -> tuple[Place, ...]:
        blocks = self._blocks(document)
        joined = "".join(block.flat for block in blocks)
        for text in texts:
            start = joined.find(text)
            if start >= 0:
                return tuple(_touched(document, blocks, start, start + len(text)))
        return ()


def _touched(document: Document, blocks: Sequence[_FlatBlock], start: int, end: int) -> Iterator[Place]:
    """The blocks over which a part of their joined text runs."""
    ends = accumulate(len(block.flat) for block in blocks)
    for (block, flat), block_end in zip(blocks, ends, strict=True):
        block_start = block_end - len(flat)
        if block_start < end and start < block_end:
            yield Place(document, block, raw_offset(block.text, max(0, start - block_start)))


def raw_offset(text: str, flat_offset: int) -> int:
    """The offset in a text of the character that stands at an offset of its `normalise_match` form."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high) // 2
        if len(normalise_match(text[: middle + 1])) > flat_offset:
            high = middle
        else:
            low = middle + 1
    return low


def _overlap(text: str, flat_block: str) -> float:
    wanted = _pieces(text)
    return len(wanted & _pieces(flat_block)) / len(wanted)


def _parting(text: str, flat_block: str) -> str:
    agreed = next((end for end in range(len(text), 0, -1) if text[:end] in flat_block), 0)
    return f"{text[max(0, agreed - _SHOWN) : agreed]}|{text[agreed : agreed + _SHOWN]}"


def _pieces(flat: str) -> frozenset[str]:
    return frozenset(flat[i : i + _SHINGLE] for i in range(max(1, len(flat) - _SHINGLE + 1)))
