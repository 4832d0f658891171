"""Finds evidence for the question and numbers it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from langgraph.runtime import Runtime

from ..context import Context, resources
from ..knowledge.documents import Block
from ..knowledge.evidence.models import Evidence
from ..knowledge.search import Hit
from ..state import AgentState
from ..tools.search_documents import SearchArguments, make_search_documents
from .messages import message
from .metering import open_budget


def search(state: AgentState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Search once; each block and each neighbour that it runs into gets its number for the whole run."""
    budget = open_budget(state)
    given = resources(runtime)
    tool = make_search_documents(given.library, given.caller)
    result = tool(SearchArguments(query=state["analysis"].text, k=given.settings.search.keep))
    evidence = number_evidence(result.hits)
    budget.take_step()
    return {
        "evidence": evidence,
        "library_version": result.library_version,
        "notes": tuple(_unread_notes(evidence, state["analysis"].language)),
        "usage": budget.usage(),
    }


def number_evidence(hits: Sequence[Hit]) -> tuple[Evidence, ...]:
    """Evidence in the order of the search, each block once."""
    found: dict[str, Evidence] = {}
    for hit in hits:
        for block in _in_reading_order(hit):
            if block.block_id not in found:
                focus = hit.focus if block is hit.block else ()
                found[block.block_id] = Evidence(
                    marker=len(found) + 1, block=block, document=hit.document, score=hit.score, focus=focus
                )
    return tuple(found.values())


def _in_reading_order(hit: Hit) -> list[Block]:
    return sorted((hit.block, *hit.neighbours), key=lambda block: block.ordinal)


def _unread_notes(evidence: Sequence[Evidence], language: str) -> Iterator[str]:
    documents = {item.document.doc_id: item.document for item in evidence}
    for document in documents.values():
        if document.unread_pages:
            pages = ", ".join(map(str, document.unread_pages))
            yield message("unread_pages", language, document=document.name, pages=pages)
