"""Commits a document to the library."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from ...errors import LibraryError
from .state import IngestContext, IngestState


def index(state: IngestState, runtime: Runtime[IngestContext]) -> dict[str, Any]:
    """Store blocks, passages and terms in one transaction.

    Raises:
        LibraryError: the disk is full or the library is damaged; a next file would meet the same.
    """
    try:
        runtime.context.library.put(state["document"], state["split"])
    except LibraryError as error:
        raise LibraryError(
            f"{state['source'].name}: could not be stored, nor what would follow; the files before it are in ({error})"
        ) from error
    return {}
