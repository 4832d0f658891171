"""From a question to what is searched: filter, added words and sub-queries, by rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import cached_property

from ..documents import Document
from ..text.normalise import has_chinese, normalise
from .applying import FilterView
from .facts import facts_of
from .filters import read_filter
from .models import SearchFilter, SearchQuery
from .names import NameIndex
from .parts import by_edition, plan_parts
from .vocabulary import Alias, Vocabulary
from .wording import WORDING


class QueryContext:
    """What the rules know of a library: the documents that one caller may read and the words that these define.

    Made once for a caller and a state of the library. Safe for several threads.
    """

    def __init__(
        self,
        documents: Iterable[Document],
        aliases: Iterable[Alias] = (),
        synonyms: Iterable[Sequence[str]] = (),
        *,
        has_history: bool = False,
    ) -> None:
        """Prepare; about 0.2 ms for each document, most of it when a name is looked for first.

        Args:
            documents: active ones that the caller may read.
            aliases: that these documents define.
            synonyms: groups of the user's dictionary.
            has_history: whether older versions of any of the documents are kept.
        """
        self.view = FilterView(facts_of(documents, has_history=has_history))
        self.vocabulary = Vocabulary(aliases, synonyms)

    @cached_property
    def names(self) -> NameIndex:
        """The names of the documents."""
        return NameIndex((one.document for one in self.view.facts.documents), self.vocabulary.names)

    @cached_property
    def domains(self) -> tuple[str, ...]:
        """The domains of the documents, by name; an empty text stands for the documents without one."""
        return tuple(sorted({one.document.domain or "" for one in self.view.facts.documents}))

    def of_domain(self, domain: str) -> frozenset[str]:
        """The ids of the documents of a domain; an empty text stands for no domain."""
        facts = self.view.facts.documents
        return frozenset(one.document.doc_id for one in facts if (one.document.domain or "") == domain)

    def admitted(self, chosen: SearchFilter) -> frozenset[str] | None:
        """The ids of the documents that a filter leaves in; None if it narrows nothing, empty if nothing is left."""
        return self.view.admitted(chosen)


def understand_query(
    question: str, context: QueryContext, today: date, filters: SearchFilter | None = None
) -> SearchQuery:
    """What is searched for a question. Never raises for any text.

    Args:
        question: as asked.
        context: about the documents that the caller may read.
        today: what relative dates count from.
        filters: which documents to search; None reads the filter from the question.
    """
    words = WORDING["zh" if has_chinese(question) else "en"]
    read = read_filter(question, context.view.facts, today) if filters is None else None
    chosen = read.filter if read is not None else filters or SearchFilter()
    text = read.rest if read is not None else question
    terms = context.vocabulary.added_terms(text)
    mentions = by_edition(context.names.mentions(text), context.view.facts.edition_numbers, chosen.editions)
    parts = plan_parts(text, mentions)
    reasons = [
        chosen.describe("zh" if words is WORDING["zh"] else "en"),
        *(words.added.format(term.because, term.term) for term in terms),
        words.parts.format(len(parts)) if parts else "",
    ]
    nothing = nothing_left(question, chosen, is_empty=context.admitted(chosen) == frozenset())
    return SearchQuery(
        original=question,
        text=text,
        terms=terms,
        sub_queries=parts,
        filter=chosen,
        nothing_left=nothing,
        reasons=tuple(filter(None, (*reasons, nothing))),
    )


def widened(query: SearchQuery, vocabulary: Vocabulary) -> SearchQuery:
    """A query with the other forms that a further vocabulary knows of its words."""
    known = {normalise(term.term) for term in query.terms}
    terms = tuple(term for term in vocabulary.added_terms(query.text) if normalise(term.term) not in known)
    words = WORDING["zh" if has_chinese(query.original) else "en"]
    reasons = (words.added.format(term.because, term.term) for term in terms)
    return query.model_copy(update={"terms": (*query.terms, *terms), "reasons": (*query.reasons, *reasons)})


def nothing_left(question: str, chosen: SearchFilter, *, is_empty: bool) -> str:
    """That no document meets a filter, in the question's language; empty where some do."""
    if not is_empty:
        return ""
    words = WORDING["zh" if has_chinese(question) else "en"]
    return words.nothing_left.format(chosen.describe("zh" if words is WORDING["zh"] else "en"))
