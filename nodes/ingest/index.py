"""Commits a document to the library."""

from __future__ import annotations

import time
from typing import Any

from langgraph.runtime import Runtime

from ...errors import LibraryError
from ...knowledge.documents import Caller
from ...knowledge.library import Library
from ...knowledge.parse_record import record_of
from .closing import closed_like
from .state import BlockChange, IngestContext, IngestState, Outcome


def index(state: IngestState, runtime: Runtime[IngestContext]) -> dict[str, Any]:
    """Store blocks, passages and terms in one transaction.

    Raises:
        LibraryError: the disk is full or the library is damaged; a next file would meet the same.
    """
    context = runtime.context
    record = record_of(state["parsed"], state["read_seconds"]).to_json()
    document, split = state["document"], state["cut"].split
    if state["outcome"] is Outcome.ADDED:
        document = closed_like(document, split.blocks, context.gone)
    with context.turn():
        start = time.monotonic()
        try:
            change = _change(state, context.library)
            context.library.put(document, split, record, state["cut"].terms)
        except LibraryError as error:
            raise LibraryError(
                f"{state['source'].name}: could not be stored, nor what would follow; "
                f"the files before it are in ({error})"
            ) from error
    return {"change": change, "index_seconds": time.monotonic() - start}


def _change(state: IngestState, library: Library) -> BlockChange:
    after = {block.block_id for block in state["cut"].split.blocks}
    if state["outcome"] is Outcome.ADDED:
        return BlockChange(added=len(after))
    before = {block.block_id for block in library.blocks(state["document"].doc_id, Caller.owner())}
    return BlockChange(added=len(after - before), kept=len(after & before), removed=len(before - after))
