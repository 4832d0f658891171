"""The versions that documents have had: which were in force on a day, what they said, and when they were replaced."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime

from ..documents import Block, Caller, Document, DocumentStatus
from ..versions import StoredVersion, in_force
from . import row_models, rows
from .protocol import DocumentSummary, VersionsInForce

Query = Callable[[str, Sequence[object]], list[sqlite3.Row]]

_SELECT_TERMS = (
    "SELECT d.id, d.doc_id, d.effective_from, d.effective_to, d.published_at, d.updated_at, d.status "
    f"FROM main.documents d WHERE {rows.SINCE_REMOVAL}"
)
_WITH_HISTORY = (
    f"{_SELECT_TERMS} AND d.doc_id IN (SELECT h.doc_id FROM main.documents h WHERE h.replaced_at IS NOT NULL)"
)


class SqliteHistory:
    """The versions in a library's file.

    Args:
        query: reads it.
    """

    def __init__(self, query: Query) -> None:
        self._query = query

    def in_force(self, day: date) -> VersionsInForce:
        """Of the documents that have had several versions, those in force on a day."""
        found = self._query(_WITH_HISTORY, ())
        shown = numbers_in_force(found, day)
        return VersionsInForce(shown, shown == {row["id"] for row in found if row["status"] == DocumentStatus.ACTIVE})

    def has_any(self, caller: Caller) -> bool:
        """Whether older versions are kept of any document that the caller may read."""
        condition, parameters = rows.readable(caller)
        sql = f"SELECT 1 FROM main.documents d WHERE d.status = 'replaced' AND {condition} LIMIT 1"
        return bool(self._query(sql, parameters))

    def versions(self, doc_id: str, caller: Caller) -> list[DocumentSummary]:
        """All versions that a document has had here since it was last added, the oldest first."""
        condition, parameters = rows.readable(caller)
        found = self._query(
            f"{rows.SELECT_SUMMARY} WHERE d.doc_id = ? AND {rows.SINCE_REMOVAL} AND {condition} ORDER BY d.id",
            (doc_id, *parameters),
        )
        return [DocumentSummary(row_models.to_document(row), row["block_count"], row["passage_count"]) for row in found]

    def blocks(self, doc_id: str, version: str, caller: Caller) -> list[Block]:
        """The blocks of a version in reading order; empty if its text is gone or the caller may not read it."""
        condition, parameters = rows.readable(caller)
        found = self._query(
            f"{rows.SELECT_BLOCK} WHERE {condition} AND "
            "d.id = (SELECT max(v.id) FROM documents v WHERE v.doc_id = ? AND v.version = ?) ORDER BY p.ordinal",
            (*parameters, doc_id, version),
        )
        return [row_models.to_block(row) for row in found]

    def block(self, block_id: str, caller: Caller) -> tuple[Block, Document] | None:
        """A block with the last version that it stood in."""
        condition, parameters = rows.readable(caller)
        found = self._query(
            f"{rows.SELECT_BLOCK} WHERE b.block_id = ? AND {condition} ORDER BY d.id DESC LIMIT 1",
            (block_id, *parameters),
        )
        return (row_models.to_block(found[0]), row_models.to_document(found[0])) if found else None


def shown_numbers(connection: sqlite3.Connection, as_of: date | None, domain: str | None) -> list[int]:
    """The versions that a view shows: of one domain (None: any), in force on a day (None: the present ones)."""
    found = connection.execute(f"{_SELECT_TERMS} AND (?1 IS NULL OR coalesce(d.domain, '') = ?1)", (domain,)).fetchall()
    if as_of is None:
        return [row["id"] for row in found if row["status"] == DocumentStatus.ACTIVE]
    return sorted(numbers_in_force(found, as_of))


def numbers_in_force(found: Iterable[sqlite3.Row], day: date) -> frozenset[int]:
    """Of these versions those in force on a day; a version whose text is gone hides what came before it."""
    found = list(found)
    gone = {row["id"] for row in found if row["status"] == DocumentStatus.TOMBSTONE}
    return in_force(map(_version, found), day) - gone


@row_models.sound
def _version(row: sqlite3.Row) -> StoredVersion:
    return StoredVersion(
        row["id"],
        row["doc_id"],
        _day(row["effective_from"]),
        _day(row["effective_to"]),
        _day(row["published_at"]),
        datetime.fromisoformat(row["updated_at"]).date(),
    )


def _day(value: str | None) -> date | None:
    return None if value is None else date.fromisoformat(value)
