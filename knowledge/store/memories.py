"""Entries of memory in the library's own file, so that they go with the documents that they rest on."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from ...errors import LibraryFormatError
from ..documents import Caller
from .connection import connect, library_errors, transaction
from .memory_protocol import MemoryEntry, MemoryLabel
from .rows import readable

# Remembering is worth no longer wait: a question must not hang behind an addition.
_BUSY_MILLISECONDS = 1_000
_COLUMNS = "memory_id, thread_id, label, text, created_at, is_owner, readers, trace_id"
_DOCUMENTS = (
    "(SELECT json_group_object(doc_id, version) FROM memory_documents s WHERE s.memory_id = m.memory_id) AS documents"
)
_ORDER = "ORDER BY created_at DESC, memory_id LIMIT ?"


class SqliteMemories:
    """A memory with connections of its own for each call, so that it never waits for who adds documents.

    Args:
        path: the library's file, which must be there.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def put(self, entry: MemoryEntry, keep: int, temporary_since: datetime) -> bool:
        """Remember an entry and forget those whose time is over; waits for another writer for a second at most."""
        with library_errors(self._path), closing(self._open()) as connection, transaction(connection) as cursor:
            if not _are_unchanged(cursor, entry):
                return False
            _insert(cursor, entry)
            _prune(cursor, keep, temporary_since)
        return True

    def seen_by(self, caller: Caller, thread_id: str, limit: int) -> list[MemoryEntry]:
        """The latest entries of this conversation, and of others what the same rights may share."""
        condition, parameters = _unchanged_for(caller)
        # Who has no name shares nothing: two of them may be anybody. Of those with one, rights are not a person.
        shared = {MemoryLabel.SYSTEM_CONCLUSION} if caller.is_owner or caller.readers else set()
        shared |= {MemoryLabel.USER_STATEMENT} if caller.is_owner else set()
        marks = ",".join("?" * len(shared))
        return self._select(
            f"{condition} AND is_owner = ? AND readers = ? "
            f"AND ((thread_id = ? AND thread_id <> '') OR label IN ({marks}))",
            (*parameters, *_rights(caller), thread_id, *sorted(shared)),
            limit,
        )

    def everybodys(self, limit: int) -> list[MemoryEntry]:
        """The latest entries of all callers, newest first."""
        return self._select("1", (), limit)

    def forget(self, memory_ids: Collection[str]) -> int:
        """Delete entries; how many there were."""
        sql = "DELETE FROM memories WHERE memory_id IN (SELECT value FROM json_each(?))"
        with library_errors(self._path), closing(self._open()) as connection, transaction(connection) as cursor:
            return cursor.execute(sql, (json.dumps(sorted(memory_ids)),)).rowcount

    def _select(self, condition: str, parameters: tuple[object, ...], limit: int) -> list[MemoryEntry]:
        sql = f"SELECT {_COLUMNS}, {_DOCUMENTS} FROM memories m WHERE {condition} {_ORDER}"
        with library_errors(self._path), closing(self._open()) as connection:
            return [_entry(row) for row in connection.execute(sql, (*parameters, limit)).fetchall()]

    def _open(self) -> sqlite3.Connection:
        return connect(self._path, _BUSY_MILLISECONDS, must_exist=True)


def forget_memories_of(cursor: sqlite3.Cursor, doc_id: str) -> None:
    """Delete the entries that rest on a document, which is about to change or to go."""
    cursor.execute(
        "DELETE FROM memories WHERE memory_id IN (SELECT memory_id FROM memory_documents WHERE doc_id = ?)", (doc_id,)
    )


def _unchanged_for(caller: Caller) -> tuple[str, tuple[str, ...]]:
    """The condition on `memories m` that its documents are as they were and may be read, and its parameters."""
    may_read, names = readable(caller)
    return (
        "NOT EXISTS (SELECT 1 FROM memory_documents s WHERE s.memory_id = m.memory_id AND NOT EXISTS "
        "(SELECT 1 FROM documents d WHERE d.doc_id = s.doc_id AND d.version = s.version AND d.status = 'active' "
        f"AND {may_read}))",
        names,
    )


def _rights(caller: Caller) -> tuple[bool, str]:
    return caller.is_owner, json.dumps(sorted(caller.readers), ensure_ascii=False)


def _are_unchanged(cursor: sqlite3.Cursor, entry: MemoryEntry) -> bool:
    condition = "SELECT 1 FROM documents WHERE doc_id = ? AND version = ? AND status = 'active'"
    return all(cursor.execute(condition, pair).fetchone() for pair in entry.documents.items())


def _insert(cursor: sqlite3.Cursor, entry: MemoryEntry) -> None:
    cursor.execute("DELETE FROM memories WHERE memory_id = ?", (entry.memory_id,))
    is_owner, readers = _rights(entry.caller)
    cursor.execute(
        f"INSERT INTO memories ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(entry.memory_id, entry.thread_id, entry.label.value, entry.text),
            *(_stamp(entry.created_at), is_owner, readers, entry.trace_id),
        ),
    )
    cursor.executemany(
        "INSERT INTO memory_documents (memory_id, doc_id, version) VALUES (?, ?, ?)",
        [(entry.memory_id, *pair) for pair in sorted(entry.documents.items())],
    )


def _prune(cursor: sqlite3.Cursor, keep: int, temporary_since: datetime) -> None:
    cursor.execute(
        "DELETE FROM memories WHERE label = ? AND created_at < ?", (MemoryLabel.TEMPORARY, _stamp(temporary_since))
    )
    cursor.execute(
        f"DELETE FROM memories WHERE memory_id IN (SELECT memory_id FROM memories {_ORDER} OFFSET ?)", (-1, keep)
    )


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def _entry(row: sqlite3.Row) -> MemoryEntry:
    try:
        return MemoryEntry(
            **{name: row[name] for name in ("memory_id", "thread_id", "label", "text", "created_at", "trace_id")},
            caller=Caller(readers=frozenset(json.loads(row["readers"])), is_owner=bool(row["is_owner"])),
            documents=json.loads(row["documents"]),
        )
    except (ValueError, TypeError) as error:
        raise LibraryFormatError("the library holds a damaged memory: forget all of it, or restore a backup") from error
