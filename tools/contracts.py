"""What a tool is and what it brings back: the contract between tools, the registry and the nodes (design §9)."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from ..errors import VeriloopError
from ..knowledge.addressing.models import Addressed
from ..knowledge.search import Hit


class ErrorCode(StrEnum):
    """Why a tool gave no result, by what happens next."""

    INVALID_ARGUMENTS = "invalid_arguments"
    """Repair the arguments once."""
    UNKNOWN_TOOL = "unknown_tool"
    """Plan again."""
    TRANSIENT = "transient"
    """Try again a little later."""
    FAILED = "failed"
    """Trying again would not help."""
    REFUSED = "refused"
    """A policy or a person does not allow the call; it must not be tried again."""
    IMPOSSIBLE = "impossible"
    """What was asked has no result (1/0, 31 February): nothing else would know better. It must not be tried again."""
    UNCERTAIN = "uncertain"
    """The process ended in the middle of the call: whether it was carried out is not known. It must not be repeated."""


class Permission(StrEnum):
    """What a call may do, from harmless to consequential; above `read` policies and people decide (S3 §4.3)."""

    READ = "read"
    SENSITIVE = "sensitive"
    WRITE = "write"


class Category(StrEnum):
    """Kinds of tools: beyond seven tools a planner chooses among kinds first (S2 §6.2)."""

    DOCUMENTS = "documents"
    DATA = "data"
    COMPUTING = "computing"
    MEMORY = "memory"
    ACTIONS = "actions"
    OTHER = "other"


class ToolOutput(BaseModel):
    """What a tool brings back; one shape for all.

    A tool that finds no blocks of documents puts its result into a hit of its own (`results.result_hit`), so that it
    is cited and checked like any other source.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    hits: tuple[Hit, ...] = ()
    library_version: int | None = Field(default=None, ge=0, le=2**62)
    notes: tuple[str, ...] = Field(default=(), description="what the user should know, in the question's language")
    short_answer: str = Field(default="", description="the value or name that was found, for tasks that build on it")
    addressed: Addressed | None = Field(default=None, description="the numbered parts that the question names")


class ToolFailure(NamedTuple):
    """Why a call brought nothing."""

    code: ErrorCode
    detail: str
    chinese: str = ""
    """The same in Chinese; empty: nobody has said it in Chinese, and the user is told by the code."""
    kind: str = ""
    """Of the fault, where the tool knows it: the same in every language."""


class ToolError(VeriloopError):
    """Raised by a tool that knows why its call brought nothing, and what happens next.

    Args:
        code: what happens next.
        detail: why, in words for anybody.
        chinese: the same in Chinese, for answers in Chinese; default: they say what the code says.
        kind: of the fault, the same in every language.
    """

    def __init__(self, code: ErrorCode, detail: str, chinese: str = "", kind: str = "") -> None:
        super().__init__(code, detail, chinese, kind)
        self.code = code
        self.detail = detail
        self.chinese = chinese
        self.kind = kind

    def __str__(self) -> str:
        return self.detail


class ArgumentError(ValueError):
    """Raised by a check of arguments that can say in Chinese, too, what is wrong with them."""

    def __init__(self, detail: str, chinese: str = "", kind: str = "") -> None:
        super().__init__(detail, chinese, kind)
        self.detail = detail
        self.chinese = chinese
        self.kind = kind

    def __str__(self) -> str:
        return self.detail


CALL_KEY: ContextVar[str] = ContextVar("veriloop_call_key", default="")
"""Names the approved call that is being made, the same however often it is tried: whoever makes the call sets it
around `ToolRegistry.run`, and tools that write send it along, so that the other side can tell a repetition."""


class ArgumentsFound(NamedTuple):
    """What a tool would be called with for a question, found by the tool's own rules (`Tool.by_rules`)."""

    arguments: dict[str, Any]
    """Of the call. `{t1}` stands in them where it stands in the question: the earlier task's answer takes its place."""
    confidence: float
    """From 0 to 1: how sure it is that the question is for this tool. From 0.9 on its form leaves no doubt (an
    expression, a declared operation that is named); from 0.6 on the tool is taken where no other one is surer; below
    that it is taken only where a model chooses it."""
    missing: tuple[str, ...] = ()
    """What the call needs and the question does not say, in the question's language; the call cannot run then."""
    reason: str = ""
    """Why the question is for the tool, for the trace."""


ArgumentsRule = Callable[[str], ArgumentsFound | None]
"""Reads a (sub-)question; None: it is not for this tool. Pure and quick: no model, no network, no call of the tool."""


@dataclass(frozen=True, kw_only=True)
class Tool:
    """A tool of a run, bound to its library and caller.

    Attributes:
        name: how plans call it.
        description: for whoever plans: what it is for.
        not_for: what it is not for, and which tool is (S2 §6.3).
        arguments: their model, with bounds.
        run: what it does; it may raise anything.
        timeout_seconds: how long it may take; a run's own time may allow it less.
        permission: what a call may do at most.
        permission_of: what the call with these checked arguments may do, where calls differ; never above `permission`.
        operation_of: which operation a call with these checked arguments is, for policies and the audit log.
        idempotent: whether repeating a call changes nothing more.
        idempotent_of: the same for the call with these checked arguments, where calls differ.
        target_of: where the call with these checked arguments goes, for whoever agrees to it: consent is for this
            target alone.
        category: its kind.
        schema_version: rises when the arguments change their meaning.
        examples: questions that it is for, in Chinese and English; they help to choose among a user's own tools.
        live: whether it tells what is so right now.
        by_rules: the tool's own rule for its arguments, without which it is planned by models only (or, where its
            only required argument is a text named `question`, `query` or the like, called with the question).
        subjects: what it knows of, in the words of those who ask (tables and columns with their meaning, operations,
            endpoints): a question about none of them is not for this tool. Empty: it says nothing about that.
    """

    name: str
    description: str
    arguments: type[BaseModel]
    run: Callable[[Any], ToolOutput]
    timeout_seconds: float = 30.0
    not_for: str = ""
    permission: Permission = Permission.READ
    permission_of: Callable[[Any], Permission] | None = None
    operation_of: Callable[[Any], str] | None = None
    idempotent: bool = True
    idempotent_of: Callable[[Any], bool] | None = None
    target_of: Callable[[Any], str] | None = None
    category: Category = Category.OTHER
    schema_version: int = 1
    examples: tuple[str, ...] = ()
    live: bool = False
    by_rules: ArgumentsRule | None = None
    subjects: tuple[str, ...] = ()
