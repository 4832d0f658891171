"""Which documents a filter leaves in. Who may read them is not decided here: the store does that, before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache

from ..editions import in_force_on, superseded_on
from .facts import DocumentFacts, LibraryFacts
from .kinds import canonical_kind
from .models import SearchFilter

_REMEMBERED_FILTERS = 256


class FilterView:
    """Filters over the documents of one caller at one state of a library; the same filter is worked out once.

    Safe for several threads.
    """

    def __init__(self, facts: LibraryFacts) -> None:
        self.facts = facts
        self.admitted = lru_cache(maxsize=_REMEMBERED_FILTERS)(self._admitted)

    def _admitted(self, chosen: SearchFilter) -> frozenset[str] | None:
        """The ids of the documents that a filter leaves in, None if it narrows nothing."""
        return admitted(chosen, self.facts)


def admitted(chosen: SearchFilter, facts: LibraryFacts) -> frozenset[str] | None:
    """The ids of the documents that a filter leaves in; None if it narrows nothing. An empty set finds nothing."""
    if chosen.is_empty:
        return None
    kinds = frozenset(canonical_kind(word) for word in chosen.doc_types)
    domains = frozenset(domain.casefold() for domain in chosen.domains)
    left = [one for one in facts.documents if _admits(chosen, one, kinds, domains)]
    if chosen.editions:
        unwanted = _other_editions(chosen, facts.editions)
        left = [one for one in left if one.document.doc_id not in unwanted]
    if chosen.in_force_on is not None:
        left = _newest_in_force(left, facts, chosen.in_force_on)
    return frozenset(one.document.doc_id for one in left)


def _admits(chosen: SearchFilter, one: DocumentFacts, kinds: frozenset[str], domains: frozenset[str]) -> bool:
    document = one.document
    return (
        (chosen.doc_ids is None or document.doc_id in chosen.doc_ids)
        and document.authority >= chosen.min_authority
        and (not domains or (document.domain or "").casefold() in domains)
        and (not kinds or bool(one.kinds & kinds))
        and (not one.dated or any(days.meets(chosen.dated_from, chosen.dated_to) for days in one.dated))
    )


def _other_editions(chosen: SearchFilter, editions: Mapping[str, Sequence[DocumentFacts]]) -> frozenset[str]:
    """The editions of other years, of the titles that are meant."""
    unwanted: set[str] = set()
    for title, family in editions.items():
        others = [one for one in family if not chosen.editions & set(one.edition.number)]
        meant = title in chosen.edition_titles if chosen.edition_titles else len(others) < len(family)
        unwanted.update(one.document.doc_id for one in others if meant)
    return frozenset(unwanted)


def _newest_in_force(left: list[DocumentFacts], facts: LibraryFacts, day: date) -> list[DocumentFacts]:
    """Superseded is what a readable newer edition or another text replaces, whether or not that one is left in too."""
    out = superseded_on([one.document for one in facts.documents], day)
    out |= {doc_id for doc_id, one in facts.superseded.items() if one.since <= day}
    return [one for one in left if in_force_on(one.document, day) and one.document.doc_id not in out]
