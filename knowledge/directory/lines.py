"""Makes the lines of a directory out of what stands in the store."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ..digest.models import Digest
from ..store.contents import DocumentContents, DomainContents, Placed, SectionContents
from .models import DirectoryEntry, DirectoryLine
from .shelf import Place, PlacedLine
from .shortening import cut, listed, shortened
from .wording import Wording, place_of

_LABEL_TOKENS = 40
_HEADINGS_TOKENS = 60
_KEYWORDS_TOKENS = 24
TOP: Place = ()


def library_line(domains: Iterable[DomainContents], words: Wording) -> PlacedLine:
    """The library as a whole."""
    sizes = list(domains)
    documents, blocks = sum(one.documents for one in sizes), sum(one.blocks for one in sizes)
    return PlacedLine(TOP, DirectoryLine(level="library", label=words.library, documents=documents, blocks=blocks))


def domain_line(one: DomainContents, words: Wording) -> PlacedLine:
    """A domain with its size."""
    label = cut(one.domain, _LABEL_TOKENS) or words.no_domain
    line = DirectoryLine(level="domain", label=label, documents=one.documents, blocks=one.blocks)
    return PlacedLine((one.domain,), line)


def document_line(one: DocumentContents, sections: Sequence[SectionContents] = ()) -> PlacedLine:
    """A document with its size and, where its sections are known, its headings."""
    label = one.title if one.title in one.name else f"{one.title} · {one.name}"
    line = DirectoryLine(
        level="document",
        label=cut(label, _LABEL_TOKENS),
        documents=1,
        blocks=one.blocks,
        doc_id=one.doc_id,
        summary=listed(_headings(one, sections), _HEADINGS_TOKENS, " / "),
    )
    return PlacedLine(document_place(one), line)


def document_place(one: DocumentContents) -> Place:
    """Where a document stands."""
    return (one.domain, one.name, one.doc_id)


def _headings(one: DocumentContents, sections: Sequence[SectionContents]) -> list[str]:
    """The headings of the highest level that tells parts apart: a title over everything tells nothing."""
    paths = [section.section_path for section in sections]
    for depth in range(max(map(len, paths), default=0)):
        found = list(dict.fromkeys(path[depth] for path in paths if len(path) > depth))
        if len(found) > 1 or (found and found[0] not in one.title):
            return found
    return []


def section_line(
    document: DocumentContents, section: SectionContents, first_block: str = "", keywords: Collection[str] = ()
) -> PlacedLine:
    """A section with its size."""
    path = section.section_path
    own = path[1:] if len(path) > 1 and path[0] in document.title else path
    line = DirectoryLine(
        level="section",
        label=cut(" › ".join(own), _LABEL_TOKENS) or "§",
        blocks=section.blocks,
        doc_id=document.doc_id,
        block_id=first_block,
        summary=listed(list(keywords), _KEYWORDS_TOKENS, ", "),
    )
    return PlacedLine((*document_place(document), section.first_ordinal), line)


def block_line(
    section: PlacedLine, placed: Placed, digest: Digest, tokens: int, asked: Collection[str], words: Wording
) -> PlacedLine:
    """A block with its digest in so many tokens."""
    block, document = placed
    line = DirectoryLine(
        level="block",
        label=place_of(block, words),
        blocks=1,
        doc_id=document.doc_id,
        block_id=block.block_id,
        summary=" ".join(shortened(digest, tokens, asked).split()),
    )
    entry = DirectoryEntry(block=block, document=document, digest=digest)
    return PlacedLine((*section.place, block.ordinal), line, entry)
