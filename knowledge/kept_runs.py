"""Ends the runs that wait beside a library and have read what is no longer there.

Both files belong to layers above (`graphs.checkpoints`, `tools.approval.journal`); what they hold of documents goes
here, so that whoever removes a document, in whatever process, removes it everywhere at once.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from .store.connection import connect, empty_log, library_errors, transaction

THREADS_FILE = "threads.sqlite"
"""Checkpoints of runs that wait for people."""
JOURNAL_FILE = "approvals.sqlite"
"""Calls that needed consent."""
DOCUMENT_REMOVED = "a document that its run had read was removed or closed"
LIBRARY_RESTORED = "the library was restored from a backup"
_REMOVED = "(removed with its document)"
_BUSY_MILLISECONDS = 30_000
_AT_ONCE = 100
_HOLDERS = (("checkpoints", "checkpoint"), ("checkpoints", "metadata"), ("writes", "value"))


class _Call(NamedTuple):
    approval_id: str
    request: dict[str, Any]
    thread_id: str
    state: str
    outcome: str | None


def end_runs_of(folder: Path, doc_ids: Collection[str], reason: str = DOCUMENT_REMOVED) -> int:
    """Delete the kept runs that hold any of these documents, turn down their calls, and overwrite what is left of them.

    Args:
        folder: of the library.
        doc_ids: documents that were removed, or that others may read from now on.
        reason: for the log, and for whoever looks at a call.

    Returns:
        How many runs were ended.

    Raises:
        LibraryError: a file cannot be written.
    """
    ended: set[str] = set()
    for some in _batched(doc_ids):
        found = _end_threads(folder, some)
        _end_calls(folder, reason, lambda call, found=found: call.thread_id in found, frozenset(some))
        ended |= found
    return len(ended)


def _batched(doc_ids: Collection[str]) -> Iterator[tuple[str, ...]]:
    """So many at once as a statement takes."""
    every = sorted(doc_ids)
    yield from (tuple(every[at : at + _AT_ONCE]) for at in range(0, len(every), _AT_ONCE))


def end_all_runs(folder: Path, reason: str) -> int:
    """Delete all kept runs and turn down all calls that were not begun; the log of decisions stays.

    Raises:
        LibraryError: a file cannot be written.
    """
    ended = _end_threads(folder, None)
    _end_calls(folder, reason, lambda _: True, frozenset())
    return len(ended)


@contextmanager
def _opened(path: Path, table: str) -> Iterator[sqlite3.Connection | None]:
    """The file, if it is there and has been used; its log is emptied afterwards: pages as they were stand in it."""
    if not path.is_file():
        yield None
        return
    with library_errors(path), closing(connect(path, _BUSY_MILLISECONDS, must_exist=True)) as connection:
        known = connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        yield connection if known else None
        empty_log(connection, _BUSY_MILLISECONDS)


def _end_threads(folder: Path, doc_ids: Collection[str] | None) -> frozenset[str]:
    """Whatever a checkpoint is made of, the id of a document in it is a run of bytes."""
    found: set[str] = set()
    with _opened(folder / THREADS_FILE, "checkpoints") as connection:
        if connection is None:
            return frozenset()
        if connection.execute("SELECT 1 FROM checkpoints LIMIT 1").fetchone() is None:
            return frozenset()
        with transaction(connection) as cursor:
            for table, column in _HOLDERS:
                for doc_id in (None,) if doc_ids is None else doc_ids:
                    condition = "1" if doc_id is None else f"instr(CAST({column} AS BLOB), ?) > 0"
                    given = () if doc_id is None else (doc_id.encode(),)
                    rows = cursor.execute(f"SELECT DISTINCT thread_id FROM {table} WHERE {condition}", given)
                    found.update(str(row[0]) for row in rows)
            for table in ("checkpoints", "writes"):
                cursor.executemany(f"DELETE FROM {table} WHERE thread_id = ?", [(one,) for one in found])
    return frozenset(found)


def _end_calls(folder: Path, reason: str, is_ended: Any, doc_ids: frozenset[str]) -> None:
    with _opened(folder / JOURNAL_FILE, "calls") as connection:
        if connection is None:
            return
        with transaction(connection) as cursor:
            for call in _calls(cursor, doc_ids):
                rests_on_it = bool(doc_ids & set(call.request.get("rests_on", ())))
                brought_it = any(doc_id in (call.outcome or "") for doc_id in doc_ids)
                if (is_ended(call) or rests_on_it) and call.state in ("waiting", "approved"):
                    _turn_down(cursor, call, reason)
                if rests_on_it:
                    _blank(cursor, call)
                if brought_it:
                    outcome = {"output": {"notes": [_REMOVED]}}
                    cursor.execute(
                        "UPDATE calls SET outcome = ? WHERE approval_id = ?", (json.dumps(outcome), call.approval_id)
                    )


def _calls(cursor: sqlite3.Cursor, doc_ids: frozenset[str]) -> list[_Call]:
    """The calls that were not begun, and those that name a document."""
    names = "".join(" OR instr(request, ?) OR instr(coalesce(outcome, ''), ?)" for _ in doc_ids)
    given = [one for doc_id in sorted(doc_ids) for one in (doc_id, doc_id)]
    rows = cursor.execute(f"SELECT * FROM calls WHERE state IN ('waiting', 'approved'){names}", given)
    return [_call_of(row) for row in rows.fetchall()]


def _call_of(row: sqlite3.Row) -> _Call:
    origin = json.loads(row["origin"])
    return _Call(
        row["approval_id"], json.loads(row["request"]), origin.get("thread_id", ""), row["state"], row["outcome"]
    )


def _turn_down(cursor: sqlite3.Cursor, call: _Call, reason: str) -> None:
    request, now = call.request, datetime.now(UTC).isoformat()
    request["evidence"] = []
    cursor.execute(
        "UPDATE calls SET state = 'rejected', decided_by = 'library', comment = ?, request = ?, updated_at = ?"
        " WHERE approval_id = ?",
        (reason, json.dumps(request, ensure_ascii=False), now, call.approval_id),
    )
    cursor.execute(
        "INSERT OR IGNORE INTO log (key, at, event, approval_id, trace_id, decided_by, tool, operation, permission,"
        " digest, arguments, detail) VALUES (?, ?, 'reject', ?, ?, 'library', ?, ?, ?, ?, ?, ?)",
        (f"{call.approval_id}/reject/{request['digest']}/{reason}", now, call.approval_id, request["trace_id"],
         request["tool"], request.get("operation", ""), request["permission"], request["digest"],
         json.dumps(request["arguments"]), reason),
    )  # fmt: skip


def _blank(cursor: sqlite3.Cursor, call: _Call) -> None:
    """The arguments that came from the document; who agreed to what kind of call, and its digest, stay known."""
    derived = tuple(call.request.get("derived", ()))
    request = {**call.request, "arguments": _without(call.request["arguments"], derived), "evidence": []}
    cursor.execute(
        "UPDATE calls SET request = ? WHERE approval_id = ?",
        (json.dumps(request, ensure_ascii=False), call.approval_id),
    )
    lines = cursor.execute("SELECT number, arguments FROM log WHERE approval_id = ?", (call.approval_id,)).fetchall()
    for number, arguments in lines:
        cleaned = json.dumps(_without(json.loads(arguments), derived))
        cursor.execute("UPDATE log SET arguments = ? WHERE number = ?", (cleaned, number))


def _without(value: Any, paths: Collection[str], path: str = "") -> Any:
    """Arguments without the values at these paths (`body.items.0.price`)."""
    if isinstance(value, dict):
        return {name: _without(one, paths, f"{path}.{name}" if path else name) for name, one in value.items()}
    if isinstance(value, list):
        return [_without(one, paths, f"{path}.{number}") for number, one in enumerate(value)]
    return _REMOVED if path in paths else value
