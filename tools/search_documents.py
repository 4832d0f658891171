"""The tool that finds evidence: hybrid search on behalf of one caller."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from ..knowledge.documents import Caller
from ..knowledge.library import MAX_QUERY_CHARACTERS, Library
from .registry import Tool, ToolOutput

SEARCH_DOCUMENTS = "search_documents"
_MOST_DOCUMENTS = 20


class SearchArguments(BaseModel):
    """What the tool is called with."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    query: str = Field(min_length=1, max_length=MAX_QUERY_CHARACTERS, description="a question in natural language")
    documents: tuple[str, ...] = Field(
        default=(), max_length=_MOST_DOCUMENTS, description="search only these, by title or file name; empty: all"
    )
    k: int = Field(default=8, ge=1, le=50, description="how many blocks at most")


def make_search_documents(library: Library, caller: Caller) -> Tool:
    """The tool for one run; the caller's rights are fixed here and are no argument."""

    def run(arguments: SearchArguments) -> ToolOutput:
        among = None
        if arguments.documents:
            found = [library.find_documents(name, caller) for name in arguments.documents]
            among = frozenset(document.doc_id for documents in found for document in documents)
        result = library.search(arguments.query, k=arguments.k, caller=caller, among=among)
        return ToolOutput(hits=result.hits, library_version=result.library_version)

    return Tool(
        name=SEARCH_DOCUMENTS,
        description=(
            "Find blocks of the documents that bear on a question: facts, definitions, clauses, table values. "
            "Not for arithmetic, nor for reading a whole section. "
            "Give one question in natural language, not a list of keywords."
        ),
        arguments=SearchArguments,
        run=run,
    )


def make_tools(library: Library, caller: Caller) -> tuple[Tool, ...]:
    """The tools that a run has where the host application gives none."""
    return (make_search_documents(library, caller),)
