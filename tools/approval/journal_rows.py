"""Reads and writes the rows of the journal, inside the transactions of whoever works on it."""

from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime

from ...errors import LibraryError
from .models import ApprovalRequest
from .records import CallState, Event, Outcome, StoredCall, call_of


def this_moment() -> str:
    """The time as it is stored."""
    return datetime.now(UTC).isoformat()


def get_call(cursor: sqlite3.Cursor, approval_id: str) -> StoredCall:
    """A call that is known to be there.

    Raises:
        LibraryError: it is not.
    """
    row = cursor.execute("SELECT * FROM calls WHERE approval_id = ?", (approval_id,)).fetchone()
    if row is None:
        raise LibraryError(f"call {approval_id} is not in the journal: it was removed while it ran")
    return call_of(row)


def set_state(cursor: sqlite3.Cursor, approval_id: str, state: CallState, outcome: Outcome | None) -> None:
    """Put a call into another state."""
    stored = None if outcome is None else outcome.model_dump_json()
    cursor.execute(
        "UPDATE calls SET state = ?, outcome = ?, updated_at = ? WHERE approval_id = ?",
        (state, stored, this_moment(), approval_id),
    )


def without_evidence(request: ApprovalRequest) -> str:
    """A request as it is kept once it is decided."""
    # Quotes of documents served the decision; kept on, they would outlive the documents.
    return request.model_copy(update={"evidence": ()}).model_dump_json()


def write_log(
    cursor: sqlite3.Cursor, request: ApprovalRequest, event: Event, by: str, detail: str = "", key: str | None = None
) -> None:
    """One line a decision: a node that runs again after an interrupt comes by here again."""
    may_recur = event in ("start", "repeat", "done", "failed", "uncertain")
    number = cursor.execute("SELECT count(*) FROM log").fetchone()[0] if may_recur else detail
    cursor.execute(
        "INSERT OR IGNORE INTO log (key, at, event, approval_id, trace_id, decided_by, tool, operation, permission,"
        " digest, arguments, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (key or f"{request.approval_id}/{event}/{request.digest}/{number}", this_moment(), event, request.approval_id,
         request.trace_id, by, request.tool, request.operation, request.permission.value, request.digest,
         json.dumps(request.arguments, ensure_ascii=True), detail),
    )  # fmt: skip
