"""The typed state of a run: narrow in, full inside, narrow out. Every type here may stand in a checkpoint."""

from __future__ import annotations

import operator
from enum import StrEnum
from typing import Annotated, Literal, TypedDict

from pydantic import BaseModel, ConfigDict, Field

from .knowledge.evidence.models import Evidence, SentenceCheck
from .knowledge.evidence.question import QuestionAnalysis
from .models.budget import BudgetLimits, BudgetUsage

Language = Literal["zh", "en"]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class AnswerStatus(StrEnum):
    """What kind of answer the user got (design §11)."""

    ANSWERED = "answered"
    PARTIAL = "partial"
    INSUFFICIENT = "insufficient"
    CONFLICT = "conflict"
    NEEDS_APPROVAL = "needs_approval"
    CLARIFY = "clarify"
    DIRECT = "direct"


class Route(StrEnum):
    """Which way a question takes (design §5)."""

    DIRECT = "direct"
    LINEAR = "linear"


class DecidedBy(StrEnum):
    """Who made a decision: rules, or a model tier."""

    RULES = "rules"
    LIGHT = "light"
    MID = "mid"
    STRONG = "strong"


class Citation(_Frozen):
    """Where a part of the answer stands. `quote` is byte for byte `block.text[start:end]` of the stored block."""

    marker: int = Field(ge=1, description="the number in [1]; citations of one block share it")
    document: str = Field(description="the document's name, relative to the folder that was added")
    doc_id: str
    version: str
    title: str
    section_path: tuple[str, ...]
    page: int | None
    block_id: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    quote: str
    text: str = Field(description="the clause, paragraph or table row around the quote, to read it in context")


class UnsupportedSentence(_Frozen):
    """A sentence that was removed from the answer, and why."""

    text: str
    reasons: tuple[str, ...]


class TierCost(_Frozen):
    """What one model tier has cost."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


class Usage(_Frozen):
    """What the whole run has cost."""

    steps: int = 0
    model_calls: int = 0
    tokens: int = 0
    seconds: float = 0.0
    by_tier: dict[str, TierCost] = Field(default_factory=dict)


class Answer(_Frozen):
    """What a run ends with, always (design §11)."""

    question: str
    language: Language
    text: str = Field(description="sentences with markers, or what the user should know instead")
    status: AnswerStatus
    citations: tuple[Citation, ...] = ()
    confidence: float = Field(default=0.0, ge=0, le=1)
    unsupported: tuple[UnsupportedSentence, ...] = ()
    missing: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    notes: tuple[str, ...] = Field(default=(), description="what else the user should know, such as unread pages")
    route: Route
    decided_by: DecidedBy = DecidedBy.RULES
    stop_rule: str = Field(description="the rule that ended the run")
    library_version: int = Field(ge=0)
    usage: Usage
    trace_id: str


class GateDecision(_Frozen):
    """Which route a question takes, and the class that sets its budget."""

    route: Route
    question_class: Literal["simple", "medium", "complex"]
    decided_by: DecidedBy = DecidedBy.RULES


class DraftSentence(_Frozen):
    """A sentence before it is checked, with the evidence numbers that it cites."""

    text: str
    markers: tuple[int, ...]


class Draft(_Frozen):
    """An answer before it is checked."""

    sentences: tuple[DraftSentence, ...] = ()
    checks: tuple[SentenceCheck, ...] = Field(
        default=(), description="of sentences quoted by rule, which carry their quotes already"
    )
    missing: tuple[str, ...] = ()
    confidence: float = Field(default=0.0, ge=0, le=1)
    decided_by: DecidedBy = DecidedBy.RULES
    failure: str | None = Field(default=None, description="why a model gave no draft, fit to be shown")


class FiredRule(_Frozen):
    """A rule that decided where the run went next."""

    after: str = Field(description="the node whose result it judged")
    rule: str
    kind: str
    target: str


class AgentInput(TypedDict):
    """What a run is given."""

    question: str


class AgentOutput(TypedDict):
    """What a run returns."""

    answer: Answer


class AgentState(AgentInput, AgentOutput, total=False):
    """Everything in between. Under each field stands the node that writes it."""

    trace_id: str
    """`understand`"""
    analysis: QuestionAnalysis
    """`understand`"""
    problem: str
    """`understand`: why the question cannot be taken, empty if it can."""
    gate: GateDecision
    """`gate`"""
    limits: BudgetLimits
    """`gate`"""
    usage: BudgetUsage
    """`understand` starts it, every node that works adds to it."""
    has_models: bool
    """`gate`: whether a model may be asked in this run."""
    library_version: int
    """`search`"""
    evidence: tuple[Evidence, ...]
    """`search`"""
    notes: Annotated[tuple[str, ...], operator.add]
    """Any node; each adds its own."""
    draft: Draft
    """`answer` or `extract`"""
    checks: tuple[SentenceCheck, ...]
    """`verify`"""
    fired: Annotated[tuple[FiredRule, ...], operator.add]
    """The wrapper of each node that has a choice behind it; the last entry is where the run went."""
