"""The source of truth: documents, blocks, passages, terms and vectors; and the traces of runs over them."""

from .protocol import (
    DocumentSummary,
    FoundPassage,
    IndexRow,
    PendingPassage,
    SearchablePassage,
    Store,
    StoredTrace,
    StoreState,
    TraceStore,
    TraceSummary,
    VectorProgress,
    Vectors,
)
from .sqlite import SqliteStore

__all__ = [
    "DocumentSummary",
    "FoundPassage",
    "IndexRow",
    "PendingPassage",
    "SearchablePassage",
    "SqliteStore",
    "Store",
    "StoreState",
    "StoredTrace",
    "TraceStore",
    "TraceSummary",
    "VectorProgress",
    "Vectors",
]
