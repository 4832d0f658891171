"""From rows to models; a row that makes none is damage of the file, not a mistake of ours."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from datetime import date, datetime
from functools import wraps
from typing import TypeVar

from ...errors import LibraryFormatError
from ..analysis import decode
from ..documents import Block, BlockKind, Document, DocumentStatus, Passage
from .protocol import FoundPassage, IndexRow

T = TypeVar("T")


def sound(read: Callable[[sqlite3.Row], T]) -> Callable[[sqlite3.Row], T]:
    """A reader of rows that tells damaged data from a mistake of ours."""

    @wraps(read)
    def checked(row: sqlite3.Row) -> T:
        try:
            return read(row)
        except (ValueError, TypeError, RecursionError) as error:
            raise LibraryFormatError(
                "the library holds damaged data: restore a backup or add the documents to a new library"
            ) from error

    return checked


@sound
def to_document(row: sqlite3.Row) -> Document:
    """A row of `documents` with its readers."""
    return Document(
        doc_id=row["doc_id"],
        version=row["version"],
        title=row["title"],
        source_uri=row["source_uri"],
        name=row["name"],
        media_type=row["media_type"],
        doc_type=row["doc_type"],
        domain=row["domain"],
        authority=row["authority"],
        published_at=_date(row["published_at"]),
        effective_from=_date(row["effective_from"]),
        effective_to=_date(row["effective_to"]),
        updated_at=datetime.fromisoformat(row["updated_at"]),
        readers=frozenset(json.loads(row["reader_list"])),
        status=_status(row),
        pages=row["pages"],
        unread_pages=tuple(json.loads(row["unread_pages"])),
        replaces=tuple(json.loads(row["replaces"])),
        replaced_at=None if row["replaced_at"] is None else datetime.fromisoformat(row["replaced_at"]),
        statements=row["statements"],
    )


def _status(row: sqlite3.Row) -> DocumentStatus:
    """A view of the past gives its versions as active; the time of their replacement still tells."""
    status = DocumentStatus(row["status"])
    return DocumentStatus.REPLACED if status is DocumentStatus.ACTIVE and row["replaced_at"] is not None else status


def _date(value: str | None) -> date | None:
    return None if value is None else date.fromisoformat(value)


@sound
def to_block(row: sqlite3.Row) -> Block:
    """A placement joined with its block."""
    return Block(
        block_id=row["block_id"],
        doc_id=row["doc_id"],
        ordinal=row["ordinal"],
        section_path=tuple(json.loads(row["section_path"])),
        page_first=row["page_first"],
        page_last=row["page_last"],
        kind=BlockKind(row["kind"]),
        text=row["text"],
    )


@sound
def to_found_passage(row: sqlite3.Row) -> FoundPassage:
    """A passage joined with its block and document."""
    passage = Passage(block_id=row["block_id"], start=row["start"], end=row["stop"])
    analysis = None if row["analysis"] is None else decode(row["analysis"])
    return FoundPassage(row["passage_id"], passage, to_block(row), to_document(row), analysis)


@sound
def to_index_row(row: sqlite3.Row) -> IndexRow:
    """A passage with its analysis."""
    analysis = decode(row["analysis"])
    return IndexRow(row["id"], row["document"], tuple(analysis.terms()), analysis.text)
