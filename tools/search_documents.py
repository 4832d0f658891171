"""The tool that finds evidence: hybrid search on behalf of one caller."""

from __future__ import annotations

from typing import NamedTuple

from ..knowledge.directory.overviews import overview_of
from ..knowledge.documents import Caller
from ..knowledge.library import Library
from ..knowledge.query.models import SearchFilter
from ..knowledge.questions.overview import OverviewAsked, asked_overview
from ..knowledge.search import SearchResult
from ..knowledge.text.normalise import has_chinese
from .addressing import addressed_parts, settled_output, with_parts
from .contracts import Category, Tool, ToolOutput
from .search_arguments import SearchArguments

__all__ = ["SEARCH_DOCUMENTS", "SearchArguments", "make_search_documents"]

SEARCH_DOCUMENTS = "search_documents"
_FILTERED = {"zh": "只查找了这样的文档：{0}。", "en": "Only such documents were searched: {0}."}
_FELL_BACK = {
    "zh": "查找时有一部分没有用上，结果可能不全（{0}）。",
    "en": "A part of the search was not available; it may have found less ({0}).",
}


class _OverviewWords(NamedTuple):
    documents: str
    domains: str
    comma: str


_OVERVIEWS = {
    "zh": _OverviewWords("共有 {0} 份文档与此有关，以上引用其中 {1} 份。", "它们属于这些领域：{0}。", "、"),
    "en": _OverviewWords(
        "{0} documents bear on this; {1} of them are quoted.", "They belong to these domains: {0}.", ", "
    ),
}


def make_search_documents(library: Library, caller: Caller, within: SearchFilter | None = None) -> Tool:
    """The tool for one run; the caller's rights and the bounds of the search are fixed here and are no argument."""

    def run(arguments: SearchArguments) -> ToolOutput:
        among = None
        if arguments.documents:
            named = [library.find_documents(name, caller) for name in arguments.documents]
            among = frozenset(document.doc_id for documents in named for document in documents)
        filters = arguments.filters()
        if asked := asked_overview(arguments.query):
            return _overview(library, caller, arguments.query, asked, filters, within, among)
        looked_up = addressed_parts(
            library, caller, arguments.query, named=arguments.documents, filters=filters, within=within
        )
        if looked_up is not None and looked_up.addressed.is_settled:
            return settled_output(looked_up, arguments.query, library.version)
        result = library.search(
            arguments.query, k=arguments.k, caller=caller, among=among, filters=filters, within=within
        )
        found = ToolOutput(hits=result.hits, library_version=result.library_version, notes=_notes(result))
        return found if looked_up is None else with_parts(found, looked_up, arguments.query)

    return Tool(
        name=SEARCH_DOCUMENTS,
        description=(
            "Find blocks of the documents that bear on a question: facts, definitions, clauses, table values. "
            "Give one question in natural language, not a list of keywords. "
            "What it says of the documents (notices of last year, the policy in force) narrows the search by itself; "
            "types, domains and days given as arguments take the place of that."
        ),
        not_for="Not for arithmetic, nor for reading a whole section.",
        category=Category.DOCUMENTS,
        arguments=SearchArguments,
        run=run,
    )


def _overview(
    library: Library,
    caller: Caller,
    query: str,
    asked: OverviewAsked,
    filters: SearchFilter | None,
    within: SearchFilter | None,
    among: frozenset[str] | None,
) -> ToolOutput:
    """A block of each document that the directory shows for a question about all of them, and how many there are."""
    found = overview_of(library, caller, asked, within=within, filters=filters, among=among)
    words = _OVERVIEWS["zh" if has_chinese(query) else "en"]
    notes = (
        [words.documents.format(found.documents, len({hit.document.doc_id for hit in found.hits}))]
        if found.hits
        else []
    )
    notes += [words.domains.format(words.comma.join(found.domains))] if len(found.domains) > 1 else []
    return ToolOutput(hits=found.hits, library_version=library.version, notes=tuple(notes))


def _notes(result: SearchResult) -> tuple[str, ...]:
    """What the user should know of a search, in the question's language: which documents it left out, what failed."""
    language = "zh" if has_chinese(result.query) else "en"
    filtered = result.filter.describe(language)
    doubt = "" if result.domains is None else result.domains.doubt(language)
    return (
        *((_FILTERED[language].format(filtered),) if filtered else ()),
        *((doubt,) if doubt else ()),
        *(_FELL_BACK[language].format(note) for note in result.notes),
    )
