"""The source of truth: documents, blocks, passages, terms and vectors."""

from .protocol import (
    DocumentSummary,
    FoundPassage,
    IndexRow,
    PendingPassage,
    SearchablePassage,
    Store,
    StoreState,
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
    "VectorProgress",
    "Vectors",
]
