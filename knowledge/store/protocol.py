"""What a store must do, whichever database stands behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..documents import Block, Caller, Document, Passage

Vectors = NDArray[np.float32]


class SearchablePassage(NamedTuple):
    """A passage to be written: its place and what is searched."""

    passage: Passage
    search_hash: str
    terms: tuple[str, ...]


class IndexRow(NamedTuple):
    """A stored passage as the lexical index sees it."""

    passage_id: int
    document: int
    terms: tuple[str, ...]


class FoundPassage(NamedTuple):
    """A passage with its block and its document, as a search result needs them."""

    passage_id: int
    passage: Passage
    block: Block
    document: Document


class PendingPassage(NamedTuple):
    """A passage that still lacks a vector."""

    search_hash: str
    found: FoundPassage


class StoreState(NamedTuple):
    """Names of the present state of the documents and of the vectors; never the same for two states."""

    documents: str
    vectors: str


class VectorProgress(NamedTuple):
    """How many passages of active documents have a vector."""

    done: int
    total: int


class DocumentSummary(NamedTuple):
    """A document with its size."""

    document: Document
    blocks: int
    passages: int


class Store(Protocol):
    """The source of truth. Every reading method takes the caller and shows only what that caller may read."""

    def library_version(self) -> int:
        """Rises with each committed change of a document."""

    def state(self) -> StoreState:
        """What derived files are named by."""

    def problem(self) -> str | None:
        """What is wrong with the stored data, or None."""

    def replace_document(
        self, document: Document, blocks: Sequence[Block], passages: Sequence[SearchablePassage]
    ) -> None:
        """Make this the active version of its document, in one transaction."""

    def set_readers(self, doc_id: str, readers: frozenset[str]) -> None:
        """Change who may see the active version."""

    def remove_document(self, doc_id: str) -> bool:
        """Delete every version's text, passages and vectors; leave a tombstone without content."""

    def active_document(self, doc_id: str) -> Document | None:
        """The active version, for the writer itself: no caller is involved."""

    def documents(self, caller: Caller, *, with_tombstones: bool = False) -> list[DocumentSummary]:
        """What the caller may see, by name."""

    def readable_documents(self, caller: Caller) -> NDArray[np.int64] | None:
        """Internal numbers of the active documents that the caller may read; None means all of them."""

    def blocks(self, doc_id: str, caller: Caller) -> list[Block]:
        """The active version's blocks in reading order; empty if there is none that the caller may read."""

    def neighbours(self, block: Block, caller: Caller) -> list[Block]:
        """The blocks before and behind a block of an active version, as far as there are any."""

    def block(self, block_id: str, caller: Caller) -> tuple[Block, Document] | None:
        """A block of an active version."""

    def passages(self, passage_ids: Sequence[int], caller: Caller) -> dict[int, FoundPassage]:
        """Passages by number; those that the caller may not read are absent."""

    def index_rows(self) -> Iterator[IndexRow]:
        """Every passage of every active version, by ascending number."""

    def vectors(self) -> tuple[NDArray[np.int64], Vectors]:
        """Passage numbers and vectors of active versions."""

    def passages_without_vector(self, limit: int) -> list[PendingPassage]:
        """The next passages to embed."""

    def put_vectors(self, model: str, hashes: Sequence[str], vectors: Vectors) -> None:
        """Store vectors in one transaction; remembers the model's name with the first."""

    def vector_model(self) -> str | None:
        """The model that made the vectors, or None if there are none."""

    def vector_progress(self) -> VectorProgress:
        """How far the vectors are."""

    def close(self) -> None:
        """Release the file."""
