"""What the journal of calls holds: each call with its state and outcome, and each decision about it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ...knowledge.documents import Caller
from ...knowledge.query.models import SearchFilter
from ..contracts import ErrorCode, ToolFailure, ToolOutput
from .models import ApprovalRequest


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class CallState(StrEnum):
    """How far a call has come."""

    WAITING = "waiting"
    """For a person."""
    REJECTED = "rejected"
    EXPIRED = "expired"
    APPROVED = "approved"
    """By a person or a policy; not begun, or begun and to be tried again under the same key."""
    STARTED = "started"
    """Begun; if nobody holds its lock, the process has ended in the middle."""
    DONE = "done"
    FAILED = "failed"
    UNCERTAIN = "uncertain"
    """Begun and never answered: whether it was carried out is not known."""


Event = Literal[
    "allow", "ask", "draft", "approve", "edit", "reject", "expire", "refuse", "invalid",
    "start", "repeat", "done", "failed", "uncertain",
]  # fmt: skip


class Origin(_Frozen):
    """Whose run a call belongs to, so that another process can go on with it."""

    thread_id: str = Field(default="", description="of the checkpointer; empty: the run has none")
    caller: Caller = Caller()
    filters: SearchFilter | None = None


class Outcome(_Frozen):
    """What came of a call."""

    output: ToolOutput | None = None
    code: ErrorCode | None = None
    detail: str = ""

    @classmethod
    def of(cls, result: ToolOutput | ToolFailure) -> Outcome:
        """The outcome that a result is."""
        if isinstance(result, ToolFailure):
            return cls(code=result.code, detail=result.detail)
        return cls(output=result)

    @property
    def result(self) -> ToolOutput | ToolFailure:
        """The result that was stored."""
        return self.output or ToolFailure(self.code or ErrorCode.FAILED, self.detail)


class StoredCall(_Frozen):
    """A call as the journal has it."""

    request: ApprovalRequest = Field(description="as it stands now: an edit has changed it")
    proposed: str = Field(description="digest of the arguments that were planned at first")
    state: CallState
    origin: Origin
    decided_by: str = ""
    comment: str = ""
    outcome: Outcome | None = None
    created_at: datetime
    updated_at: datetime


class LogEntry(_Frozen):
    """One line of the audit log."""

    number: int = Field(ge=1)
    at: datetime
    event: str
    approval_id: str
    trace_id: str
    decided_by: str = Field(description="a person, or `policy`")
    tool: str
    operation: str
    permission: str
    digest: str
    arguments: dict[str, Any]
    detail: str = ""


SCHEMA = (
    """CREATE TABLE IF NOT EXISTS calls (
        approval_id TEXT PRIMARY KEY, trace_id TEXT NOT NULL, tool TEXT NOT NULL, proposed TEXT NOT NULL,
        digest TEXT NOT NULL, state TEXT NOT NULL, request TEXT NOT NULL, origin TEXT NOT NULL,
        decided_by TEXT NOT NULL DEFAULT '', comment TEXT NOT NULL DEFAULT '', outcome TEXT,
        expires_at TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX IF NOT EXISTS calls_of_runs ON calls (trace_id, tool, proposed)",
    """CREATE TABLE IF NOT EXISTS log (
        number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, at TEXT NOT NULL, event TEXT NOT NULL,
        approval_id TEXT NOT NULL, trace_id TEXT NOT NULL, decided_by TEXT NOT NULL, tool TEXT NOT NULL,
        operation TEXT NOT NULL, permission TEXT NOT NULL, digest TEXT NOT NULL, arguments TEXT NOT NULL,
        detail TEXT NOT NULL
    ) STRICT""",
)


def call_of(row: sqlite3.Row) -> StoredCall:
    """A row of `calls`."""
    return StoredCall(
        request=ApprovalRequest.model_validate_json(row["request"]),
        proposed=row["proposed"],
        state=CallState(row["state"]),
        origin=Origin.model_validate_json(row["origin"]),
        decided_by=row["decided_by"],
        comment=row["comment"],
        outcome=Outcome.model_validate_json(row["outcome"]) if row["outcome"] else None,
        created_at=datetime.fromisoformat(row["created_at"]),
        updated_at=datetime.fromisoformat(row["updated_at"]),
    )


def entries_of(rows: Sequence[sqlite3.Row]) -> tuple[LogEntry, ...]:
    """Rows of `log`."""
    fields = LogEntry.model_fields
    return tuple(
        LogEntry.model_validate({**{name: row[name] for name in fields}, "arguments": json.loads(row["arguments"])})
        for row in rows
    )
