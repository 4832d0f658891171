"""Cuts a parsed document into blocks and passages."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from ...knowledge.splitting import split_document
from .state import IngestContext, IngestState, Outcome


def split(state: IngestState, runtime: Runtime[IngestContext]) -> dict[str, Any]:
    """Blocks and passages; a document without any has nothing to index."""
    settings = runtime.context.library.settings.splitting
    result = split_document(state["parsed"], state["document"].doc_id, settings)
    if not result.passages:
        return {"outcome": Outcome.FAILED, "reason": _nothing(state)}
    return {"split": result}


def _nothing(state: IngestState) -> str:
    unread = state["document"].unread_pages
    if unread:
        return f"nothing to index: {len(unread)} page(s) hold only pictures, and pictures are not read yet"
    return "nothing to index: it holds no text"
