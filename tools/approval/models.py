"""What a person is asked about a call, and what comes back. These types stand in checkpoints."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ..contracts import Permission


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def arguments_digest(tool: str, arguments: Mapping[str, Any]) -> str:
    """SHA-256 over the tool's name and its arguments in one form: by it the same call is known again."""
    text = json.dumps(dict(arguments), ensure_ascii=True, sort_keys=True, separators=(",", ":"), default=str)
    return sha256(f"{tool}\n{text}".encode()).hexdigest()


class ApprovalRequest(_Frozen):
    """A call that waits for a person."""

    approval_id: str = Field(description="of this call of this run; the same when the run resumes")
    trace_id: str
    tool: str
    operation: str = ""
    permission: Permission
    arguments: dict[str, Any] = Field(description="exactly what would run")
    digest: str = Field(description="of the call and its tool's declaration (`calls.planned`): decisions name it")
    target: str = Field(default="", description="where the call goes, if the tool says so")
    question: str = Field(description="what the call is for, in the user's words")
    reason: str = Field(default="", description="why a person is asked")
    evidence: tuple[str, ...] = Field(default=(), description="what the arguments rest on, document and quote")
    rests_on: tuple[str, ...] = Field(default=(), description="ids of the documents that `evidence` quotes")
    derived: tuple[str, ...] = Field(
        default=(), description="arguments that the user did not give: from documents, tools"
    )
    idempotent: bool = Field(default=True, description="whether the call may be made again under the same key")
    expires_at: datetime
    asked_at: datetime | None = Field(default=None, description="an earlier time means that the clock was set back")


class ApprovalDecision(_Frozen):
    """What a person decided. An edit is checked and asked about again; what expires counts as rejected."""

    decision: Literal["approve", "edit", "reject", "expire"]
    digest: str = Field(default="", description="of the request that is decided")
    arguments: dict[str, Any] | None = Field(default=None, description="of an edit: what should run instead")
    decided_by: str = Field(default="", max_length=200)
    comment: str = Field(default="", max_length=2_000)
