"""What is known about a document beside its text, from all who say something about it."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import PurePosixPath
from typing import TypedDict

from ...knowledge.description import Description
from ...knowledge.document_dates import stated_dates
from ...knowledge.documents import EVERYONE, Document
from ...knowledge.elements import ParsedDocument
from ...knowledge.query.kinds import kind_in_title
from ...knowledge.text.normalise import well_formed
from .state import SourceFile


def describe(
    source: SourceFile, version: str, parsed: ParsedDocument, before: Document | None, new_id: str
) -> Document:
    """The record of a document that was just read."""
    readers = source.readers
    if readers is None:
        readers = before.readers if before is not None else EVERYONE
    title = well_formed((parsed.title or "").strip()) or PurePosixPath(source.name).stem
    return Document(
        # A document that was moved keeps its id.
        doc_id=new_id if before is None else before.doc_id,
        version=version,
        title=title,
        source_uri=source.path.resolve().as_uri(),
        name=source.name,
        media_type=parsed.media_type,
        updated_at=datetime.now(UTC),
        readers=readers,
        pages=parsed.pages,
        unread_pages=parsed.unread_pages,
        **_metadata(source, title, parsed, before),
    )


class _Metadata(TypedDict):
    doc_type: str | None
    domain: str | None
    authority: int
    published_at: date | None
    effective_from: date | None
    effective_to: date | None


def _metadata(source: SourceFile, title: str, parsed: ParsedDocument, before: Document | None) -> _Metadata:
    """What the person says goes before what the document says, and that before what was known of its last version."""
    said = source.described
    is_minutes = "minutes" in (kind_in_title(title), kind_in_title(source.path.stem))
    stated = stated_dates(parsed.elements, is_minutes=is_minutes)
    old = Description() if before is None else _description(before)
    return _Metadata(
        doc_type=(old.doc_type if said.doc_type is None else said.doc_type) or None,
        domain=(old.domain if said.domain is None else said.domain) or None,
        authority=(old.authority if said.authority is None else said.authority) or 0,
        published_at=said.published_at or parsed.published_at or stated.published_at or old.published_at,
        effective_from=said.effective_from or stated.effective_from or old.effective_from,
        effective_to=said.effective_to or stated.effective_to or old.effective_to,
    )


def _description(document: Document) -> Description:
    return Description(**{name: getattr(document, name) for name in Description.model_fields})
