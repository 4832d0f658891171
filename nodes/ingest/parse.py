"""Reads a file, unless the library already holds exactly this content."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from langgraph.runtime import Runtime

from ...errors import InputFileError
from ...knowledge.documents import Document, text_hash
from ...knowledge.library import Library
from ...knowledge.metadata import said_beside
from ...knowledge.parsing import parse_file
from .describing import describe, redescribed, same_description
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
        beside = said_beside(source.path, source.uri)
        if before is not None and before.version == version and not source.again:
            known = redescribed(source, before, beside)
            if known is not None:
                return _unchanged(known, before, library)
        parsed = parse_file(source.path, source.name, runtime.context.options)
    except InputFileError as error:
        return {"outcome": Outcome.FAILED, "reason": error.reason}
    outcome = Outcome.ADDED if before is None else Outcome.UPDATED
    document = describe(source, version, parsed, before, _new_id(source.path, version, library), beside)
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


def _unchanged(known: Document, before: Document, library: Library) -> dict[str, Any]:
    """The text is as it was; what is said of it may be new."""
    if known != before:
        library.redescribe(known)
    outcome = Outcome.UNCHANGED if same_description(known, before) else Outcome.UPDATED
    return {"outcome": outcome, "unread_pages": before.unread_pages}


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
