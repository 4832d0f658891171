"""Records of runs, beside the documents that they have seen: whoever may not read those sees no trace of them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC
from pathlib import Path

from ...errors import LibraryFormatError, UsageError
from ..documents import Caller
from ..query.models import SearchFilter
from .connection import connect, library_errors, statements, transaction
from .protocol import SHORTEST_TRACE_PREFIX, StoredTrace, TraceSummary
from .rows import readable

# Storing a trace is worth no longer wait: a question must not hang behind an addition.
_BUSY_MILLISECONDS = 1_000

_SUMMARY_COLUMNS = tuple(TraceSummary.model_fields)
_COLUMNS = (*_SUMMARY_COLUMNS, "is_owner", "readers", "routes", "context_window", "answer", "steps")
_DOCUMENT_LIST = "(SELECT json_group_array(doc_id) FROM trace_documents s WHERE s.trace_id = t.trace_id) AS doc_ids"
_FILTER = "(SELECT filter FROM trace_filters f WHERE f.trace_id = t.trace_id) AS filter"
Query = Callable[[str, Sequence[object]], list[sqlite3.Row]]


class SqliteTraces:
    """Traces in the library's own file, so that they go with the documents in one transaction.

    Args:
        path: the library's file.
        query: reads it.
    """

    def __init__(self, path: Path, query: Query) -> None:
        self._path = path
        self._query = query
        self._is_made = False

    def put(self, trace: StoredTrace, keep: int) -> bool:
        """Record a run and forget the oldest beyond `keep`; waits for another writer for a second at most."""
        with library_errors(self._path), closing(self._writer()) as connection:
            with transaction(connection) as cursor:
                for statement in statements("traces.sql"):
                    cursor.execute(statement)
                if not _are_there(cursor, trace.doc_ids):
                    return False
                _insert(cursor, trace)
                _prune(cursor, keep)
            return True

    def recent(self, caller: Caller, limit: int) -> list[TraceSummary]:
        """The latest runs first; none in a library that has never recorded one."""
        if not self._has_tables():
            return []
        condition, parameters = visible(caller)
        found = self._query(
            f"SELECT {', '.join(_SUMMARY_COLUMNS)} FROM traces t WHERE {condition} "
            "ORDER BY started_at DESC, rowid DESC LIMIT ?",
            (*parameters, limit),
        )
        return [_summary(row) for row in found]

    def get(self, trace_id: str, caller: Caller) -> StoredTrace | None:
        """A run by its id or the beginning of it."""
        if not self._has_tables():
            return None
        condition, parameters = visible(caller)
        found = self._query(
            f"SELECT {', '.join(_COLUMNS)}, {_DOCUMENT_LIST}, {_FILTER} FROM traces t WHERE (t.trace_id = ?1 OR "
            f"(length(?1) >= {SHORTEST_TRACE_PREFIX} AND substr(t.trace_id, 1, length(?1)) = ?1)) "
            f"AND {condition} ORDER BY t.trace_id = ?1 DESC LIMIT 2",
            (trace_id, *parameters),
        )
        if len(found) > 1 and found[0]["trace_id"] != trace_id:
            raise UsageError(f"several traces begin with {trace_id!r}: give more of the id")
        return _trace(found[0]) if found else None

    def _writer(self) -> sqlite3.Connection:
        # Of its own: what adds documents may hold the store's writer for as long as it likes.
        return connect(self._path, _BUSY_MILLISECONDS, must_exist=True)

    def _has_tables(self) -> bool:
        """Whether a trace was ever recorded here; once the tables exist, they stay."""
        if not self._is_made:
            self._is_made = bool(self._query("SELECT 1 FROM sqlite_master WHERE name = 'trace_filters'", ()))
        return self._is_made


def visible(caller: Caller) -> tuple[str, tuple[str, ...]]:
    """The condition on `traces t` that keeps what the caller may see, and its parameters."""
    if caller.is_owner:
        return "1", ()
    may_read, names = readable(caller)
    marks = ",".join("?" * len(names))
    return (
        f"NOT t.is_owner AND NOT EXISTS (SELECT 1 FROM json_each(t.readers) r WHERE r.value NOT IN ({marks})) "
        "AND NOT EXISTS (SELECT 1 FROM trace_documents s WHERE s.trace_id = t.trace_id AND NOT EXISTS "
        f"(SELECT 1 FROM documents d WHERE d.doc_id = s.doc_id AND d.status = 'active' AND {may_read}))",
        (*names, *names),
    )


def forget_traces_of(cursor: sqlite3.Cursor, doc_id: str) -> None:
    """Delete the traces that have seen a document, which is about to go."""
    if cursor.execute("SELECT 1 FROM sqlite_master WHERE name = 'trace_documents'").fetchone():
        cursor.execute(
            "DELETE FROM traces WHERE trace_id IN (SELECT trace_id FROM trace_documents WHERE doc_id = ?)", (doc_id,)
        )


def _are_there(cursor: sqlite3.Cursor, doc_ids: frozenset[str]) -> bool:
    """Whether all documents are still in force: one that was removed meanwhile must leave nothing behind."""
    found = cursor.execute(
        "SELECT count(*) FROM documents WHERE status = 'active' AND doc_id IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(doc_ids)),),
    ).fetchone()
    return int(found[0]) == len(doc_ids)


def _insert(cursor: sqlite3.Cursor, trace: StoredTrace) -> None:
    values = trace.model_dump(include=set(_COLUMNS))
    values["started_at"] = trace.started_at.astimezone(UTC).isoformat()
    values["is_owner"] = trace.caller.is_owner
    values["readers"] = json.dumps(sorted(trace.caller.readers), ensure_ascii=False)
    values["routes"] = json.dumps(sorted(trace.routes))
    marks = ", ".join("?" * len(_COLUMNS))
    # A run that was recorded before is recorded as it is now (a host's checkpointer may run its last step again).
    cursor.execute("DELETE FROM traces WHERE trace_id = ?", (trace.trace_id,))
    cursor.execute(
        f"INSERT INTO traces ({', '.join(_COLUMNS)}) VALUES ({marks})", tuple(values[name] for name in _COLUMNS)
    )
    if trace.filters is not None:
        kept = trace.filters.model_dump_json(exclude_defaults=True)
        cursor.execute("INSERT INTO trace_filters VALUES (?, ?)", (trace.trace_id, kept))
    cursor.executemany(
        "INSERT INTO trace_documents VALUES (?, ?)", [(trace.trace_id, doc_id) for doc_id in sorted(trace.doc_ids)]
    )


def _prune(cursor: sqlite3.Cursor, keep: int) -> None:
    cursor.execute(
        "DELETE FROM traces WHERE rowid IN (SELECT rowid FROM traces ORDER BY started_at DESC, rowid DESC "
        "LIMIT -1 OFFSET ?)",
        (keep,),
    )


def _summary(row: sqlite3.Row) -> TraceSummary:
    try:
        return TraceSummary(**{name: row[name] for name in _SUMMARY_COLUMNS})
    except ValueError as error:
        raise _damaged() from error


def _trace(row: sqlite3.Row) -> StoredTrace:
    try:
        return StoredTrace(
            **{name: row[name] for name in _SUMMARY_COLUMNS},
            caller=Caller(readers=frozenset(json.loads(row["readers"])), is_owner=bool(row["is_owner"])),
            routes=frozenset(json.loads(row["routes"])),
            filters=None if row["filter"] is None else SearchFilter.model_validate_json(row["filter"]),
            doc_ids=frozenset(json.loads(row["doc_ids"])),
            context_window=row["context_window"],
            answer=row["answer"],
            steps=row["steps"],
        )
    except (ValueError, TypeError) as error:
        raise _damaged() from error


def _damaged() -> LibraryFormatError:
    return LibraryFormatError("the library holds a damaged trace: restore a backup, or remove the traces")
