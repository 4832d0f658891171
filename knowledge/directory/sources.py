"""Where a directory takes its contents from, on behalf of one caller and within bounds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from ..digest.models import Digest
from ..digest.of_library import digests_of
from ..documents import Caller
from ..query.models import SearchFilter
from ..store.contents import DocumentContents, DomainContents, Placed, SectionContents

if TYPE_CHECKING:
    from ..library import Library

_MOST_HITS = 24
"""Blocks that a search gives; more of their sections are shown around them."""


class Source:
    """A library as one caller may read it.

    Args:
        library: whose contents.
        caller: on whose behalf.
        among: ids of the documents within the bounds; None: all.
        within: the bounds themselves, for searches.
    """

    def __init__(
        self, library: Library, caller: Caller, among: frozenset[str] | None, within: SearchFilter | None = None
    ) -> None:
        self._library = library
        self._caller = caller
        self._among = among
        self._within = within

    def domains(self) -> list[DomainContents]:
        """The domains with their sizes."""
        return self._library.contents.domains(self._caller, self._among)

    def documents(self, limit: int) -> list[DocumentContents]:
        """The first documents of each domain."""
        return self._library.contents.documents(self._caller, limit, self._among)

    def documents_named(self, doc_ids: Collection[str]) -> dict[str, DocumentContents]:
        """Documents by id."""
        found = self._library.contents.documents(self._caller, len(doc_ids), doc_ids)
        return {one.doc_id: one for one in found}

    def sections(self, doc_ids: Collection[str]) -> dict[str, list[SectionContents]]:
        """The sections of documents, by document."""
        found: dict[str, list[SectionContents]] = {}
        for section in self._library.contents.sections(doc_ids, self._caller):
            found.setdefault(section.doc_id, []).append(section)
        return found

    def blocks(self, limit: int) -> list[Placed]:
        """The first blocks by domain, document and place."""
        return self._library.contents.blocks(self._caller, limit, self._among)

    def section_blocks(self, doc_id: str, section_path: tuple[str, ...]) -> list[Placed]:
        """The blocks of a section in reading order."""
        return self._library.contents.section_blocks(doc_id, section_path, self._caller)

    def found(self, question: str) -> list[Placed]:
        """The blocks that a search for a question finds, best first."""
        from ..library import MAX_QUERY_CHARACTERS  # noqa: PLC0415 - the library does not need the directory

        text = question.strip()[:MAX_QUERY_CHARACTERS]
        if not text:
            return []
        result = self._library.search(text, k=_MOST_HITS, caller=self._caller, among=self._among, within=self._within)
        return [(hit.block, hit.document) for hit in result.hits]

    def digests(self, placed: Sequence[Placed]) -> list[Digest]:
        """The digests of blocks, in order."""
        return digests_of(self._library, self._caller, placed)

    def some_names(self) -> str:
        """Names of a few documents, by which the language is told."""
        return " ".join(f"{one.title} {one.name}" for one in self.documents(5))
