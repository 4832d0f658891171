"""The tool that finds evidence: hybrid search on behalf of one caller."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import BaseModel, ConfigDict, Field

from ..knowledge.documents import Caller
from ..knowledge.library import MAX_QUERY_CHARACTERS, Library
from ..knowledge.search import SearchResult


class SearchArguments(BaseModel):
    """What the tool is called with."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    query: str = Field(min_length=1, max_length=MAX_QUERY_CHARACTERS, description="a question in natural language")
    k: int = Field(default=8, ge=1, le=50, description="how many blocks at most")


SearchDocuments = Callable[[SearchArguments], SearchResult]


def make_search_documents(library: Library, caller: Caller) -> SearchDocuments:
    """The tool for one run; the caller's rights are fixed here and are no argument."""

    def search_documents(arguments: SearchArguments) -> SearchResult:
        """Find blocks of the documents that bear on a question.

        For facts, definitions, clauses and table values. Not for sums over many rows, nor for reading a whole
        section. Give a question in natural language, not a list of keywords.
        """
        return library.search(arguments.query, k=arguments.k, caller=caller)

    return search_documents
