"""The journal of calls that need consent: what was asked, what was decided, what was begun, what came of it.

It is what makes a call run once: a call is begun only by the transaction that finds it approved, and whoever comes
later finds it begun or done. It stands in a file of its own beside the library, and outlives checkpoints.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout

from ...errors import LibraryBusyError, LibraryError
from ...knowledge.kept_runs import JOURNAL_FILE as JOURNAL_FILE
from ...knowledge.store.connection import connect, library_errors, transaction
from .journal_rows import get_call, set_state, this_moment, without_evidence, write_log
from .models import ApprovalDecision, ApprovalRequest, arguments_digest
from .records import SCHEMA, CallState, Event, LogEntry, Origin, Outcome, StoredCall, call_of, entries_of

LOCK_FOLDER = "approvals.locks"
_BUSY_MILLISECONDS = 30_000
_POLL_SECONDS = 0.05
_FINAL = (CallState.REJECTED, CallState.EXPIRED, CallState.DONE, CallState.FAILED, CallState.UNCERTAIN)
_DECIDED: dict[str, CallState] = {
    "approve": CallState.APPROVED,
    "reject": CallState.REJECTED,
    "expire": CallState.EXPIRED,
}
_ENDS: dict[CallState, Event] = {
    CallState.DONE: "done",
    CallState.FAILED: "failed",
    CallState.UNCERTAIN: "uncertain",
}


class Begun(NamedTuple):
    """What beginning a call has found."""

    call: StoredCall
    before: CallState
    """APPROVED: it is begun now. STARTED: it was begun before, by a process that has ended. Else: nothing was begun."""


class Journal:
    """The journal of one library. Each operation is a transaction of its own; any number of processes may work at once.

    Args:
        folder: of the library.

    Raises:
        LibraryError: the file cannot be read or written.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / JOURNAL_FILE
        self._locks = folder / LOCK_FOLDER

    @property
    def exists(self) -> bool:
        """Whether any call has ever needed consent here."""
        return self._path.is_file()

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with library_errors(self._path), closing(connect(self._path, _BUSY_MILLISECONDS)) as connection:
            # A decision must outlive a power failure, not only the process.
            connection.execute("PRAGMA synchronous = FULL")
            if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
                connection.execute("PRAGMA journal_mode = WAL")
                with transaction(connection) as cursor:
                    for statement in SCHEMA:
                        cursor.execute(statement)
                    cursor.execute("PRAGMA user_version = 1")
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Cursor]:
        with self._open() as connection, transaction(connection) as cursor:
            yield cursor

    def find(self, approval_id: str) -> StoredCall | None:
        """A call by its id or the first characters of it (at least 6), where they fit one call only."""
        if not self.exists or len(approval_id) < 6 or not approval_id.isalnum():
            return None
        with self._open() as connection:
            found = connection.execute(
                "SELECT * FROM calls WHERE approval_id LIKE ? LIMIT 2", (f"{approval_id}%",)
            ).fetchall()
        return call_of(found[0]) if len(found) == 1 else None

    def get(self, approval_id: str) -> StoredCall:
        """A call that is known to be in the journal.

        Raises:
            LibraryError: it is not.
        """
        with self._open() as connection, closing(connection.cursor()) as cursor:
            return get_call(cursor, approval_id)

    def same_call(self, trace_id: str, tool: str, proposed: str) -> StoredCall | None:
        """The same call of the same run, under whatever task it was planned before."""
        if not self.exists:
            return None
        with self._open() as connection:
            found = connection.execute(
                "SELECT * FROM calls WHERE trace_id = ? AND tool = ? AND proposed = ? ORDER BY created_at LIMIT 1",
                (trace_id, tool, proposed),
            ).fetchone()
        return call_of(found) if found else None

    def calls(self, *, waiting: bool = False, limit: int = 1_000) -> tuple[StoredCall, ...]:
        """The calls, newest first; those alone that wait for a person, if wanted."""
        if not self.exists:
            return ()
        chosen = "WHERE state = 'waiting'" if waiting else ""
        with self._open() as connection:
            rows = connection.execute(f"SELECT * FROM calls {chosen} ORDER BY created_at DESC LIMIT ?", (limit,))
            return tuple(call_of(row) for row in rows)

    def log(self, limit: int = 1_000) -> tuple[LogEntry, ...]:
        """The latest decisions, in the order in which they were made."""
        if not self.exists:
            return ()
        with self._open() as connection:
            rows = connection.execute("SELECT * FROM log ORDER BY number DESC LIMIT ?", (limit,)).fetchall()
        return entries_of(rows[::-1])

    def note(
        self, request: ApprovalRequest, event: Event, detail: str = "", by: str = "policy", key: str | None = None
    ) -> None:
        """A line of the log that changes no call: a refusal, a draft, a decision that is none."""
        with self._writing() as cursor:
            write_log(cursor, request, event, by, detail, key)

    def has_heard(self, key: str) -> bool:
        """Whether the log has a line of this key: what it stands for was dealt with."""
        with self._open() as connection:
            return connection.execute("SELECT 1 FROM log WHERE key = ?", (key,)).fetchone() is not None

    def put(self, request: ApprovalRequest, origin: Origin, event: Event, reason: str = "") -> StoredCall:
        """Enter a call: `ask` waits for a person, `allow` is approved by policy. One that is known stays as it is."""
        state = CallState.WAITING if event == "ask" else CallState.APPROVED
        by, now = ("" if event == "ask" else "policy"), this_moment()
        with self._writing() as cursor:
            cursor.execute(
                "INSERT OR IGNORE INTO calls (approval_id, trace_id, tool, proposed, digest, state, request, origin,"
                " decided_by, expires_at, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (request.approval_id, request.trace_id, request.tool,
                 arguments_digest(request.tool, request.arguments), request.digest, state,
                 request.model_dump_json(), origin.model_dump_json(), by, request.expires_at.isoformat(), now, now),
            )  # fmt: skip
            if cursor.rowcount:
                write_log(cursor, request, event, "policy", reason)
            return get_call(cursor, request.approval_id)

    def decide(self, request: ApprovalRequest, decision: ApprovalDecision) -> StoredCall:
        """Approve, reject or expire a call that waits with just these arguments; one that does not stays as it is."""
        state, event = _DECIDED[decision.decision], decision.decision
        with self._writing() as cursor:
            cursor.execute(
                "UPDATE calls SET state = ?, decided_by = ?, comment = ?, request = ?, updated_at = ?"
                " WHERE approval_id = ? AND digest = ? AND state = 'waiting'",
                (state, decision.decided_by, decision.comment, without_evidence(request), this_moment(),
                 request.approval_id, request.digest),
            )  # fmt: skip
            if cursor.rowcount:
                write_log(cursor, request, event, decision.decided_by, decision.comment)
            return get_call(cursor, request.approval_id)

    def edit(self, old: ApprovalRequest, new: ApprovalRequest, decision: ApprovalDecision, key: str) -> StoredCall:
        """Put other arguments into a call that waits; it goes on waiting, for consent to the new ones."""
        with self._writing() as cursor:
            cursor.execute(
                "UPDATE calls SET request = ?, digest = ?, updated_at = ?"
                " WHERE approval_id = ? AND digest = ? AND state = 'waiting'",
                (new.model_dump_json(), new.digest, this_moment(), old.approval_id, old.digest),
            )
            if cursor.rowcount:
                write_log(cursor, new, "edit", decision.decided_by, decision.comment, key)
            return get_call(cursor, old.approval_id)

    def renew(self, old: ApprovalRequest, new: ApprovalRequest, reason: str) -> StoredCall:
        """Ask again about a call that waits or was agreed to, and was not begun: it is not what it was."""
        now = this_moment()
        with self._writing() as cursor:
            cursor.execute(
                "UPDATE calls SET request = ?, digest = ?, expires_at = ?, state = 'waiting', decided_by = '',"
                " comment = '', updated_at = ?"
                " WHERE approval_id = ? AND digest = ? AND state IN ('waiting', 'approved')",
                (new.model_dump_json(), new.digest, new.expires_at.isoformat(), now, old.approval_id, old.digest),
            )
            if cursor.rowcount:
                write_log(cursor, new, "ask", "policy", reason, f"{new.approval_id}/ask/{new.digest}/{now}")
            return get_call(cursor, old.approval_id)

    def withdraw(self, request: ApprovalRequest, reason: str) -> None:
        """Turn down a call that waits or was agreed to, and was not begun: it can or may not run any more."""
        with self._writing() as cursor:
            cursor.execute(
                "UPDATE calls SET state = 'rejected', decided_by = 'policy', comment = ?, request = ?, updated_at = ?"
                " WHERE approval_id = ? AND state IN ('waiting', 'approved')",
                (reason, without_evidence(request), this_moment(), request.approval_id),
            )
            if cursor.rowcount:
                write_log(cursor, request, "refuse", "policy", reason)

    def expire(self, now: datetime) -> None:
        """Turn down what has waited too long."""
        for call in self.calls(waiting=True):
            if call.request.expires_at <= now:
                self.decide(call.request, ApprovalDecision(decision="expire", decided_by="clock"))

    @contextmanager
    def held(self, approval_id: str, seconds: float) -> Iterator[None]:
        """Be the only one who carries out a call; the lock ends with the process, however that ends.

        Raises:
            LibraryBusyError: another process is at it for longer than that.
        """
        try:
            self._locks.mkdir(exist_ok=True)
            lock = FileLock(self._locks / f"{approval_id}.lock")
            lock.acquire(timeout=seconds, poll_interval=_POLL_SECONDS)
        except Timeout:
            raise LibraryBusyError(
                f"another process is carrying out call {approval_id}: ask for its result later"
            ) from None
        except OSError as error:
            raise LibraryError(f"{self._locks}: cannot be written ({error.strerror}): no call is made") from error
        try:
            yield
            found = self.find(approval_id)
            if found is not None and found.state in _FINAL:
                # Whoever waits for the lock finds the outcome, even if others lock a new file meanwhile.
                with suppress(OSError):
                    (self._locks / f"{approval_id}.lock").unlink(missing_ok=True)
        finally:
            lock.release()

    def begin(self, approval_id: str) -> Begun:
        """Begin an approved call. To be asked under `held`: then a call that is begun already belongs to nobody."""
        with self._writing() as cursor:
            found = get_call(cursor, approval_id)
            if found.state is CallState.APPROVED:
                set_state(cursor, approval_id, CallState.STARTED, None)
                write_log(cursor, found.request, "start", found.decided_by)
            elif found.state is CallState.STARTED and found.request.idempotent:
                write_log(cursor, found.request, "repeat", found.decided_by)
            return Begun(get_call(cursor, approval_id), found.state)

    def release(self, approval_id: str) -> None:
        """Give a call back that has failed in passing, to be tried again under the same key."""
        with self._writing() as cursor:
            set_state(cursor, approval_id, CallState.APPROVED, None)

    def end(self, approval_id: str, state: CallState, outcome: Outcome) -> None:
        """Record what came of a call that was begun."""
        with self._writing() as cursor:
            set_state(cursor, approval_id, state, outcome)
            found = get_call(cursor, approval_id)
            write_log(cursor, found.request, _ENDS[state], found.decided_by, outcome.detail)
