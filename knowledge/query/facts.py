"""What filters need to know about the documents that a caller may read, worked out once for a state of a library."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from ..documents import Document
from ..editions import Edition, edition_of
from ..replacing import Superseded, superseded
from .dating import Interval, intervals_of
from .kinds import canonical_kind, kind_in_title

_SHORTEST_TITLE = 3


class DocumentFacts(NamedTuple):
    """One document as filters see it."""

    document: Document
    kinds: frozenset[str]
    """Its types, as `kinds` names them or as given with the document; empty if nothing says one."""
    dated: tuple[Interval, ...]
    edition: Edition


class LibraryFacts(NamedTuple):
    """The documents that one caller may read. Nothing about any other document is in it."""

    documents: tuple[DocumentFacts, ...]
    kinds: frozenset[str]
    domains: Mapping[str, str]
    """Domains as they are spelled, by the spelling in which they are compared."""
    editions: Mapping[str, tuple[DocumentFacts, ...]]
    """The documents of each title that has editions, by the title without its edition."""
    edition_numbers: Mapping[str, tuple[int, ...]]
    """The number of the edition that a document is, by its id; only of those that are one."""
    superseded: Mapping[str, Superseded]
    """The documents that another one of these replaces, by id."""
    has_history: bool
    """Whether older versions of any of them are kept: only then may a question mean one without saying so."""


def facts_of(documents: Iterable[Document], *, has_history: bool = False) -> LibraryFacts:
    """The facts about documents; about 50 µs for each.

    Args:
        documents: active ones that the caller may read.
        has_history: whether older versions of any of them are kept.
    """
    found = tuple(_facts(document) for document in documents)
    editions: dict[str, tuple[DocumentFacts, ...]] = {}
    for one in found:
        if one.edition.number and len(one.edition.title) >= _SHORTEST_TITLE:
            editions[one.edition.title] = (*editions.get(one.edition.title, ()), one)
    domains = {one.document.domain.casefold(): one.document.domain for one in found if one.document.domain}
    kinds = frozenset(kind for one in found for kind in one.kinds)
    numbers = {one.document.doc_id: one.edition.number for family in editions.values() for one in family}
    return LibraryFacts(
        found, kinds, domains, editions, numbers, superseded(one.document for one in found), has_history
    )


def _facts(document: Document) -> DocumentFacts:
    return DocumentFacts(
        document=document,
        kinds=_kinds(document),
        dated=intervals_of(document),
        edition=edition_of(PurePosixPath(document.name).stem),
    )


def _kinds(document: Document) -> frozenset[str]:
    if document.doc_type:
        return frozenset({canonical_kind(document.doc_type)})
    said = (kind_in_title(document.title), kind_in_title(PurePosixPath(document.name).stem))
    return frozenset(kind for kind in said if kind is not None)
