"""The upper levels of a directory: how much there is, which domains, which documents."""

from __future__ import annotations

from collections.abc import Sequence

from ..store.contents import DomainContents
from .lines import TOP, document_line, domain_line, library_line
from .models import DirectoryLine
from .shelf import PlacedLine, more_place
from .writing import Writer

_TOKENS_OF_A_NAME = 6
"""A document's line takes at least so many, so that no more names than fit are fetched."""


def add_upper_levels(writer: Writer, domains: Sequence[DomainContents], limit: int) -> None:
    """The library and its domains, the largest first where not all fit; what is left out is counted."""
    shelf, words = writer.shelf, writer.words
    shelf.add([library_line(domains, words)])
    if len(domains) == 1 and not domains[0].domain:
        return
    for one in sorted(domains, key=lambda one: -one.blocks):
        if not shelf.add([domain_line(one, words)], limit):
            break
    left = [one for one in domains if not shelf.has((one.domain,))]
    if left:
        shelf.add([_more(TOP, sum(one.documents for one in left), sum(one.blocks for one in left), writer, "domain")])


def add_names(writer: Writer, domains: Sequence[DomainContents]) -> None:
    """The names of the documents that are not there yet, as far as they fit; the rest is counted."""
    shelf = writer.shelf
    total = sum(one.documents for one in domains)
    for one in writer.source.documents(max(1, shelf.left // _TOKENS_OF_A_NAME)):
        above = writer.above(one.domain)
        if not shelf.add([*above, document_line(one)], shelf.limit - writer.reserve):
            break
    shown = sum(line.level == "document" for line in shelf.lines)
    if total > shown:
        shelf.add([_more(more_place(TOP), total - shown, 0, writer, "document")])


def _more(above: tuple[str | int, ...], documents: int, blocks: int, writer: Writer, level: str) -> PlacedLine:
    name = "domain" if level == "domain" else "document"
    line = DirectoryLine(level=name, label=writer.words.more, documents=documents, blocks=blocks)
    return PlacedLine(more_place(above), line)
