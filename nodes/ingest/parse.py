"""Reads a file, unless the library already holds exactly this content."""

from __future__ import annotations

from datetime import UTC, date, datetime
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any, TypedDict

from langgraph.runtime import Runtime

from ...errors import InputFileError
from ...knowledge.description import Description
from ...knowledge.document_dates import stated_dates
from ...knowledge.documents import EVERYONE, Document, text_hash
from ...knowledge.elements import ParsedDocument
from ...knowledge.library import Library
from ...knowledge.parsing import parse_file
from ...knowledge.query.kinds import kind_in_title
from ...knowledge.text.normalise import well_formed
from .state import IngestContext, IngestState, Outcome, SourceFile

_READ_BYTES = 1 << 20
_HASH_DIGITS = 32


def parse(state: IngestState, runtime: Runtime[IngestContext]) -> dict[str, Any]:
    """Turn a file into a parsed document, or into an outcome that ends here."""
    source, library = state["source"], runtime.context.library
    try:
        _refuse_large(source.path, library)
        version = _content_hash(source.path)
        before = library.document_at(source.path.resolve().as_uri())
        known = before is not None and before.version == version and not source.described.differs_from(before)
        if before is not None and known and not source.again:
            return _unchanged(source, before, library)
        parsed = parse_file(source.path, source.name, runtime.context.options)
    except InputFileError as error:
        return {"outcome": Outcome.FAILED, "reason": error.reason}
    outcome = Outcome.ADDED if before is None else Outcome.UPDATED
    document = _describe(source, version, parsed, before, _new_id(source.path, version, library))
    return {"document": document, "parsed": parsed, "outcome": outcome, "unread_pages": parsed.unread_pages}


def document_id(path: Path) -> str:
    """The stable id of a file: of where it is, not of what is in it."""
    return text_hash(path.resolve().as_uri())[:16]


def _new_id(path: Path, version: str, library: Library) -> str:
    """The id of a file that is new here; one that was moved away from this place has taken its own along."""
    usual = document_id(path)
    is_taken = library.active_document(usual) is not None
    return text_hash(f"{path.resolve().as_uri()}\n{version}")[:16] if is_taken else usual


def _content_hash(path: Path) -> str:
    digest = sha256()
    try:
        with path.open("rb") as stream:
            while piece := stream.read(_READ_BYTES):
                digest.update(piece)
    except OSError as error:
        raise InputFileError(
            str(path), f"cannot be read ({error.strerror}): check the path and its permissions"
        ) from error
    return digest.hexdigest()[:_HASH_DIGITS]


def _unchanged(source: SourceFile, before: Document, library: Library) -> dict[str, Any]:
    if source.readers is None or source.readers == before.readers:
        return {"outcome": Outcome.UNCHANGED, "unread_pages": before.unread_pages}
    library.set_readers(before.doc_id, source.readers)
    return {"outcome": Outcome.UPDATED, "unread_pages": before.unread_pages}


def _refuse_large(path: Path, library: Library) -> None:
    limit = library.settings.parsing.max_file_megabytes
    try:
        size = path.stat().st_size / 1_000_000
    except OSError as error:
        raise InputFileError(str(path), f"cannot be read ({error.strerror}): check the path") from error
    if size > limit:
        raise InputFileError(
            str(path), f"has {size:,.0f} MB, the limit is {limit:,.0f} MB: split it or raise parsing.max_file_megabytes"
        )


def _describe(
    source: SourceFile, version: str, parsed: ParsedDocument, before: Document | None, new_id: str
) -> Document:
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
