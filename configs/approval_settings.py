"""Which calls need a person's consent: ordered policies, the first that fits decides, none that fits means refuse."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class ApprovalPolicy(BaseModel):
    """One policy: calls that fit all of its patterns are decided by it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tool: str = Field(default="*", description="pattern (fnmatch) of the tool's name")
    operation: str = Field(default="*", description="pattern of the operation's id, for tools that have some")
    permission: Literal["*", "read", "sensitive", "write"] = "*"
    decision: Literal["allow", "ask", "refuse"]
    reason: str = Field(default="", max_length=300, description="shown to whoever is asked or refused")


DEFAULT_POLICIES = (
    ApprovalPolicy(permission="read", decision="allow"),
    ApprovalPolicy(permission="sensitive", decision="ask"),
    ApprovalPolicy(permission="write", decision="ask"),
)


class ApprovalSettings(BaseModel):
    """Who is asked, and how long an answer is waited for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    policies: tuple[ApprovalPolicy, ...] = DEFAULT_POLICIES
    expire_minutes: float = Field(default=1_440.0, gt=0, le=525_600, description="after which no answer counts as a no")
