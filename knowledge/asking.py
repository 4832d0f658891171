"""What a search is asked for: by its query, by the filter of who searches, and within the bounds that the host sets."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from .documents import Document
from .domain_choice import Asked, asked_domains
from .query.models import SearchFilter, SearchQuery
from .query.understand import QueryContext, nothing_left, understand_query


class Asking(NamedTuple):
    """A query as it is searched."""

    query: SearchQuery
    domains: Asked
    doc_ids: frozenset[str] | None
    """The documents that the filter and the bounds leave in; None: all that the caller may read."""


def read_asking(
    query: str,
    context: QueryContext,
    today: date,
    filters: SearchFilter | None = None,
    within: SearchFilter | None = None,
) -> Asking:
    """Read a query.

    Args:
        query: in natural language.
        context: of the caller.
        today: what relative dates count from.
        filters: which documents are meant; None: what the query says of them.
        within: bounds that neither the query nor `filters` can widen; a day that they name takes the place of theirs.
    """
    named, chosen = asked_domains(context.domains, filters)
    understood = understand_query(query, context, today, chosen)
    named = named or asked_domains(context.domains, understood.filter)[0]
    if within is None:
        return Asking(understood, Asked(context.domains, named), context.admitted(understood.filter))
    bounds, narrowing = asked_domains(context.domains, within)
    assert narrowing is not None  # as `within` is not
    if within.in_force_on is not None:
        own = understood.filter.model_copy(update={"in_force_on": within.in_force_on})
        understood = understood.model_copy(update={"filter": own})
    doc_ids = both(context.admitted(understood.filter), context.admitted(narrowing))
    shown = _together(understood.filter, narrowing)
    left = understood.nothing_left or nothing_left(query, shown, is_empty=doc_ids == frozenset())
    understood = understood.model_copy(update={"filter": shown, "nothing_left": left})
    readable = bounds or context.domains
    return Asking(understood, Asked(readable, tuple(d for d in named if d in readable) or bounds), doc_ids)


def documents_within(documents: Sequence[Document], within: SearchFilter | None) -> list[Document]:
    """Those of the present documents that bounds leave in; of a day other versions may be searched, so none is cut."""
    if within is None:
        return list(documents)
    context = QueryContext(documents)
    _, narrowing = asked_domains(context.domains, within.model_copy(update={"in_force_on": None}))
    admitted = None if narrowing is None else context.admitted(narrowing)
    return [document for document in documents if admitted is None or document.doc_id in admitted]


def both(first: frozenset[str] | None, second: frozenset[str] | None) -> frozenset[str] | None:
    """What is in both; None stands for everything."""
    if first is None or second is None:
        return second if first is None else first
    return first & second


def _together(own: SearchFilter, bounds: SearchFilter) -> SearchFilter:
    """Both filters as one, for people: what is in both is known by the documents, not by this."""
    set_by_host = {name: getattr(bounds, name) for name in bounds.model_fields_set if getattr(bounds, name)}
    narrower = own.domains & bounds.domains
    return own.model_copy(update=set_by_host | ({"domains": narrower} if narrower else {}))
