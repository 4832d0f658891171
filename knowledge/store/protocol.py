"""What a store must do, whichever database stands behind it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from ..analysis import Analysers, PassageAnalysis
from ..documents import Block, Caller, Document, Passage
from ..query.models import SearchFilter
from ..query.vocabulary import Alias
from .relation_protocol import RelationStore
from .vector_protocol import VectorStore

SHORTEST_TRACE_PREFIX = 6
"""Characters from which the beginning of a trace's id stands for the whole."""


class SearchablePassage(NamedTuple):
    """A passage to be written: its place and what is searched."""

    passage: Passage
    search_hash: str
    analysis: PassageAnalysis


class DocumentMark(NamedTuple):
    """A state of an active document: what its rows in a derived index are known by."""

    number: int
    doc_id: str
    version: str
    updated_at: str
    first_passage: int
    passages: int
    domain: str = ""
    """empty: it has none"""


class IndexRow(NamedTuple):
    """A stored passage as the lexical index sees it; `text` is normalised."""

    passage_id: int
    document: int
    terms: tuple[str, ...]
    text: str


class FoundPassage(NamedTuple):
    """A passage with its block and its document, as a search result needs them.

    `analysis` is None only for a passage that is about to be analysed.
    """

    passage_id: int
    passage: Passage
    block: Block
    document: Document
    analysis: PassageAnalysis | None = None


class PendingPassage(NamedTuple):
    """A passage that still lacks a vector or an analysis."""

    search_hash: str
    found: FoundPassage


class MadeAnalysis(NamedTuple):
    """What the analyser of a domain made of a searched text; no name: of documents without one."""

    search_hash: str
    domain: str
    analysis: PassageAnalysis


class StoreState(NamedTuple):
    """Names of the present state of the documents and of the vectors; never the same for two states."""

    documents: str
    vectors: str


class DocumentSummary(NamedTuple):
    """A document with its size."""

    document: Document
    blocks: int
    passages: int


class VersionsInForce(NamedTuple):
    """Of the documents that have had several versions, those in force on a day, by internal number."""

    numbers: frozenset[int]
    are_present: bool
    """Whether they are just the versions that are searched without a day."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TraceSummary(_Frozen):
    """A run in one line."""

    trace_id: str
    started_at: datetime
    question: str
    status: str = Field(description="of the answer")
    route: str
    stop_rule: str = Field(description="the rule that ended the run")
    seconds: float = Field(ge=0)
    tokens: int = Field(ge=0)
    model_calls: int = Field(ge=0)
    library_version: int = Field(ge=0)


class StoredTrace(TraceSummary):
    """A run with all that is needed to show it and to run it again."""

    caller: Caller = Field(description="who asked")
    routes: frozenset[str] = Field(description="that the question could have taken")
    filters: SearchFilter | None = Field(default=None, description="that bounded its searches")
    doc_ids: frozenset[str] = Field(description="the documents whose text the run has seen")
    context_window: int = Field(ge=0, description="tokens of the model that answers; 0 without models")
    answer: str = Field(description="the answer object, as JSON")
    steps: str = Field(description="the records of the steps, as JSON")


class TraceStore(Protocol):
    """Where runs are recorded. Every reading method takes the caller and shows only what that caller may see.

    The owner sees all. Anybody else sees what was asked with no more rights than their own, as long as all documents
    that it has seen are there and open to them.
    """

    def put(self, trace: StoredTrace, keep: int) -> bool:
        """Record a run and forget the oldest beyond `keep`; False if a document that it has seen is gone by now.

        Raises:
            LibraryError: the library cannot be written now.
        """

    def recent(self, caller: Caller, limit: int) -> list[TraceSummary]:
        """The latest runs first."""

    def get(self, trace_id: str, caller: Caller) -> StoredTrace | None:
        """A run by its id or the beginning of it (from `SHORTEST_TRACE_PREFIX` characters on).

        Raises:
            UsageError: several ids begin so.
        """


class HistoryStore(Protocol):
    """The versions that documents have had, with the text of those that were replaced."""

    def in_force(self, day: date) -> VersionsInForce:
        """Of the documents that have had several versions, those in force on a day."""

    def has_any(self, caller: Caller) -> bool:
        """Whether older versions are kept of any document that the caller may read."""

    def versions(self, doc_id: str, caller: Caller) -> list[DocumentSummary]:
        """All versions that a document has had here since it was last added, the oldest first."""

    def blocks(self, doc_id: str, version: str, caller: Caller) -> list[Block]:
        """The blocks of a version in reading order; empty if its text is gone or the caller may not read it."""

    def block(self, block_id: str, caller: Caller) -> tuple[Block, Document] | None:
        """A block with the last version that it stood in."""


class Store(Protocol):
    """The source of truth. Every reading method takes the caller and shows only what that caller may read."""

    @property
    def traces(self) -> TraceStore:
        """The records of runs over these documents."""

    @property
    def vectors(self) -> VectorStore:
        """The vectors of the passages."""

    @property
    def history(self) -> HistoryStore:
        """The versions that documents have had."""

    @property
    def relations(self) -> RelationStore:
        """What blocks state of entities."""

    def library_version(self) -> int:
        """Rises with each committed change of a document."""

    def state(self) -> StoreState:
        """What derived files are named by."""

    def problem(self) -> str | None:
        """What is wrong with the stored data, or None."""

    def replace_document(
        self,
        document: Document,
        blocks: Sequence[Block],
        passages: Sequence[SearchablePassage],
        analysers: Analysers,
        aliases: Sequence[Alias] = (),
        parse_record: str | None = None,
        keep_versions: int | None = None,
    ) -> None:
        """Make this the active version of its document, in one transaction; the one before becomes history.

        Args:
            document: the version.
            blocks: its text, in order.
            passages: what is searched of it.
            analysers: that of its domain has made the passages' analyses.
            aliases: the names that it defines.
            parse_record: what its parser noted, as JSON.
            keep_versions: how many replaced versions keep their text; None: all.
        """

    def aliases(self, caller: Caller) -> list[Alias]:
        """The names that active documents define, of those that the caller may read."""

    def set_readers(self, doc_id: str, readers: frozenset[str]) -> None:
        """Change who may see the active version."""

    def redescribe(self, document: Document, analysers: Analysers) -> None:
        """Write what is known of an active version beside its text: its place, its metadata, who may see it.

        In another domain it may need another one of the analysers.
        """

    def remove_document(self, doc_id: str) -> bool:
        """Delete every version's text, passages and vectors, and its traces; leave a tombstone without content."""

    def active_document(self, doc_id: str) -> Document | None:
        """The active version, for the writer itself: no caller is involved."""

    def active_at(self, source_uri: str) -> Document | None:
        """The active version of the document that came from here, for the writer itself."""

    def move_document(self, doc_id: str, source_uri: str, name: str) -> None:
        """Give the active version of a document another place and name; its text and passages stay as they are."""

    def parse_record(self, doc_id: str, caller: Caller) -> str | None:
        """What the parser noted of the active version, as JSON; None if nothing is known or the caller may not read."""

    def documents(self, caller: Caller, *, with_tombstones: bool = False) -> list[DocumentSummary]:
        """What the caller may see, by name."""

    def readable_documents(self, caller: Caller, among: Collection[str] | None = None) -> NDArray[np.int64] | None:
        """Internal numbers of the active documents that the caller may read; None means all of them.

        `among` narrows them to documents with these ids.
        """

    def blocks(self, doc_id: str, caller: Caller) -> list[Block]:
        """The active version's blocks in reading order; empty if there is none that the caller may read."""

    def neighbours(self, block: Block, caller: Caller) -> list[Block]:
        """The blocks before and behind a block of an active version, as far as there are any."""

    def block(self, block_id: str, caller: Caller) -> tuple[Block, Document] | None:
        """A block of an active version."""

    def passages(self, passage_ids: Sequence[int], caller: Caller) -> dict[int, FoundPassage]:
        """Passages by number; those that the caller may not read are absent."""

    def document_marks(self) -> list[DocumentMark]:
        """Every active version that has passages, by ascending number."""

    def index_rows(self, documents: Collection[int], analysers: Analysers) -> list[IndexRow]:
        """The passages of these versions that the analyser of their domain has analysed, by document and number."""

    def passages_to_analyse(self, analysers: Analysers, limit: int, *, after: int = 0) -> list[PendingPassage]:
        """The next passages behind this number that the analyser of their domain has not analysed."""

    def is_analysed_by(self, analysers: Analysers) -> bool:
        """Whether it is known, without a look at each passage, that these analysers have analysed all of them."""

    def note_analysed(self, analysers: Analysers) -> None:
        """Note that these analysers have analysed every passage, if they have."""

    def put_analyses(self, analysers: Analysers, made: Iterable[MadeAnalysis]) -> None:
        """Store analyses, in one transaction."""

    def close(self) -> None:
        """Release the file."""
