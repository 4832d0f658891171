"""The source of truth: documents, blocks, passages, terms and vectors; and the traces of runs over them."""

from .protocol import (
    DocumentSummary,
    FoundPassage,
    HistoryStore,
    IndexRow,
    PendingPassage,
    SearchablePassage,
    Store,
    StoredTrace,
    StoreState,
    TraceStore,
    TraceSummary,
    VersionsInForce,
)
from .sqlite import SqliteStore
from .vector_protocol import (
    ActiveVectors,
    PassageKeys,
    PassageSparse,
    PassageVectors,
    VectorProgress,
    Vectors,
    VectorStore,
)

__all__ = [
    "ActiveVectors",
    "DocumentSummary",
    "FoundPassage",
    "HistoryStore",
    "IndexRow",
    "PassageKeys",
    "PassageSparse",
    "PassageVectors",
    "PendingPassage",
    "SearchablePassage",
    "SqliteStore",
    "Store",
    "StoreState",
    "StoredTrace",
    "TraceStore",
    "TraceSummary",
    "VectorProgress",
    "VectorStore",
    "Vectors",
    "VersionsInForce",
]
