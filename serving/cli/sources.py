"""`veriloop sources`: the documents in the library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Column, Table

from .options import DEFAULT_LIBRARY, CallerOption, JsonOption, LibraryOption, ProfileOption, caller_of, open_library
from .output import print_json, stdout, visible

if TYPE_CHECKING:
    from datetime import date

    from ...knowledge.documents import Document
    from ...knowledge.store import DocumentSummary


_WIDE = 1_000
_COLUMNS = (
    *("document", "title", "id", "version", "status", "blocks", "pages"),
    *("type", "domain", "authority", "dates", "readers"),
)
_NARROW = ("document", "title", "status", "blocks", "dates", "domain", "readers")
"""What fits into a terminal."""


def sources(
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    caller: CallerOption = None,
    everything: Annotated[bool, typer.Option("--all", help="Also versions that are replaced or removed.")] = False,
    wide: Annotated[
        bool, typer.Option("--wide", help="All columns in a terminal, too: ids, versions, types …")
    ] = False,
    json: JsonOption = False,
) -> None:
    """List the documents with version, status, blocks and pages."""
    opened = open_library(library, profile)
    summaries = opened.documents(caller_of(caller), with_tombstones=everything)
    if json:
        print_json([source_document(summary) for summary in summaries])
        return
    columns = _COLUMNS if wide or not stdout.is_terminal else _NARROW
    table = Table(*(Column(name, overflow="fold") for name in columns), box=None)
    if not stdout.is_terminal:
        stdout.width = _WIDE  # names in a file or pipe are to be found again: never cut
    for summary in summaries:
        cells = _cells(summary)
        table.add_row(*(escape(visible(cells[column])) for column in columns))
    stdout.print(table)


def _cells(summary: DocumentSummary) -> dict[str, str]:
    """What is shown of a document, by column."""
    document = summary.document
    return {
        "document": document.name,
        "title": document.title,
        "id": document.doc_id,
        "version": document.version[:8],
        "status": _status(document),
        "blocks": str(summary.blocks),
        "pages": "–" if document.pages is None else str(document.pages),
        "type": document.doc_type or "–",
        "domain": document.domain or "–",
        "authority": str(document.authority),
        "dates": _dates(document),
        "readers": ", ".join(sorted(document.readers)) or "everyone",
    }


def _status(document: Document) -> str:
    """The status with what has taken the document's or version's place, and when."""
    if document.replaced_at is not None:
        return f"{document.status.value} {document.replaced_at.date()}"
    return document.status.value if document.superseded_by is None else f"superseded by {document.superseded_by}"


def _dates(document: Document) -> str:
    """The dates of a document in one cell: the day of issue, and since when and until when it holds."""
    term = (document.effective_from, document.effective_to)
    in_force = " to ".join("…" if one is None else one.isoformat() for one in term) if any(term) else ""
    issued = f"issued {document.published_at}" if document.published_at else ""
    return ", ".join(filter(None, (issued, in_force))) or "–"


def source_document(summary: DocumentSummary) -> dict[str, object]:
    """The documented JSON shape of one source."""
    document = summary.document
    return {
        "document": document.name,
        "title": document.title,
        "doc_id": document.doc_id,
        "version": document.version,
        "status": document.status.value,
        "replaced_at": None if document.replaced_at is None else document.replaced_at.isoformat(),
        "replaces": list(document.replaces),
        "superseded_by": document.superseded_by,
        "media_type": document.media_type,
        "blocks": summary.blocks,
        "passages": summary.passages,
        "pages": document.pages,
        "unread_pages": list(document.unread_pages),
        "doc_type": document.doc_type,
        "domain": document.domain,
        "authority": document.authority,
        "published_at": _iso(document.published_at),
        "effective_from": _iso(document.effective_from),
        "effective_to": _iso(document.effective_to),
        "readers": sorted(document.readers),
        "updated_at": document.updated_at.isoformat(),
    }


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
