"""Reads a file, unless the library already holds exactly this content."""

from __future__ import annotations

import os
import stat
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from langgraph.runtime import Runtime

from ...errors import InputFileError
from ...knowledge.documents import Document, text_hash
from ...knowledge.elements import ParsedDocument
from ...knowledge.library import Library
from ...knowledge.metadata import said_beside
from .describing import describe, redescribed, same_description
from .state import IngestContext, IngestState, Outcome, SourceFile
from .stopwatch import Stopwatch

_READ_BYTES = 1 << 20
_HASH_DIGITS = 32
_READINGS = 2


def parse(state: IngestState, runtime: Runtime[IngestContext]) -> dict[str, Any]:
    """Turn a file into a parsed document, or into an outcome that ends here."""
    watch = Stopwatch()
    try:
        written = _parse(state["source"], runtime.context, watch)
    except InputFileError as error:
        written = {"outcome": Outcome.FAILED, "reason": error.reason}
    return {**written, "read_seconds": watch.seconds}


def _parse(source: SourceFile, context: IngestContext, watch: Stopwatch) -> dict[str, Any]:
    library = context.library
    with watch:
        _refuse_large(source.path, library)
        look = _look_at(source.path)
    before = library.document_at(source.source_uri)
    beside = said_beside(source.path, source.uri)
    if before is not None and before.version == look.version and not source.again:
        known = redescribed(source, before, beside)
        if known is not None:
            return _unchanged(known, before, context)
    with context.reader.place(), watch:
        version, parsed = _read(source, look, context)
    outcome = Outcome.ADDED if before is None else Outcome.UPDATED
    document = describe(source, version, parsed, before, _new_id(source, version, library), beside)
    return {"document": document, "parsed": parsed, "outcome": outcome, "unread_pages": parsed.unread_pages}


class _Look(NamedTuple):
    """A file's content at a moment, and what would show that it has been written since."""

    version: str
    size: int
    written: int
    changed: int
    inode: int

    def is_of(self, found: os.stat_result) -> bool:
        """Whether nobody has written to the file since."""
        return (self.size, self.written, self.changed, self.inode) == _marks(found)


def _marks(found: os.stat_result) -> tuple[int, int, int, int]:
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


class _Reading(NamedTuple):
    version: str
    parsed: ParsedDocument


def _read(source: SourceFile, look: _Look, context: IngestContext) -> _Reading:
    """What a file holds; one that was written to meanwhile is read once more.

    Raises:
        InputFileError: it cannot be read, or was written to again.
    """
    for _ in range(_READINGS):
        error, parsed = None, None
        try:
            parsed = context.reader.parse(source.path, source.name, context.options)
        except InputFileError as failure:
            error = failure
        seen, look = look, _look_again(source.path, look)
        if look.version == seen.version:
            if error is not None:
                raise error
            assert parsed is not None
            return _Reading(look.version, parsed)
    raise InputFileError(source.name, "is being written to by another program: add it again when that has finished")


def _look_again(path: Path, look: _Look) -> _Look:
    try:
        return look if look.is_of(path.stat()) else _look_at(path)
    except OSError as error:
        raise InputFileError(str(path), f"has gone while it was read ({error.strerror}): add it again") from error


def content_version(path: Path) -> str:
    """The hash of a file's content, by which a document is recognised when it is found elsewhere.

    Raises:
        InputFileError: it cannot be read.
    """
    return _look_at(path).version


def _id_of(source_uri: str) -> str:
    """The stable id of a file: of where it is, not of what is in it."""
    return text_hash(source_uri)[:16]


def _new_id(source: SourceFile, version: str, library: Library) -> str:
    """The id of a file that is new here; one that was moved away from this place has taken its own along."""
    usual = _id_of(source.source_uri)
    is_taken = library.active_document(usual) is not None
    return text_hash(f"{source.source_uri}\n{version}")[:16] if is_taken else usual


def _look_at(path: Path) -> _Look:
    digest = sha256()
    try:
        with open(path, "rb", opener=_open_at_once) as stream:
            found = os.fstat(stream.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise InputFileError(str(path), "has become a pipe or a device while it was added: check the path")
            left = found.st_size
            # Not to the end, which a file that is being written to may not have.
            while left > 0 and (piece := stream.read(min(_READ_BYTES, left))):
                digest.update(piece)
                left -= len(piece)
    except OSError as error:
        raise InputFileError(
            str(path), f"cannot be read ({error.strerror}): check the path and its permissions"
        ) from error
    return _Look(digest.hexdigest()[:_HASH_DIGITS], *_marks(found))


def _open_at_once(path: str, flags: int) -> int:
    """Without waiting for the writer of a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _unchanged(known: Document, before: Document, context: IngestContext) -> dict[str, Any]:
    """The text is as it was; what is said of it may be new."""
    if known != before:
        with context.turn():
            context.library.redescribe(known)
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
