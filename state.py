"""The typed state of a run: narrow in, full inside, narrow out. Every type here may stand in a checkpoint."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from .decisions import (
    DecidedBy,
    GateDecision,
    Plan,
    Reflection,
    Route,
    SubTask,
    TaskVerdict,
    Understanding,
)
from .knowledge.addressing.models import Addressed
from .knowledge.evidence.conclusions import Conclusion
from .knowledge.evidence.models import Evidence, SentenceCheck
from .knowledge.evidence.question import QuestionAnalysis
from .knowledge.search import Hit
from .ledger import StepRecord, merged
from .models.budget import BudgetLimits, BudgetUsage
from .tools.approval.models import ApprovalRequest
from .tools.contracts import ErrorCode

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
    in_force_from: date | None = Field(default=None, description="since when this version holds, or its day of issue")
    replaced_at: datetime | None = Field(default=None, description="when a newer version took its place here")
    superseded_by: str | None = Field(default=None, description="name of the document that has replaced it by now")
    media_type: str = Field(default="", description="of the document; says whether a page is a sheet or a slide")


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
    conflicts: tuple[str, ...] = Field(default=(), description="what sources disagree about, each side with its source")
    notes: tuple[str, ...] = Field(default=(), description="what else the user should know, such as unread pages")
    approvals: tuple[ApprovalRequest, ...] = Field(default=(), description="calls that wait for a person's consent")
    thread_id: str = Field(default="", description="of a run that goes on when they are decided; empty: it is over")
    route: Route
    decided_by: DecidedBy = DecidedBy.RULES
    stop_rule: str = Field(description="the rule that ended the run")
    library_version: int = Field(ge=0)
    usage: Usage
    trace_id: str


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
    conclusions: tuple[Conclusion, ...] = Field(default=(), description="computed by rule from quoted values")
    missing: tuple[str, ...] = ()
    lacks_side: bool = Field(
        default=False,
        description="whether a comparison was asked for and one side is missing: what was found is no answer",
    )
    conflicts: tuple[str, ...] = Field(default=(), description="what sources disagree about, fit to be shown")
    names_domains: bool = Field(default=False, description="whether it says what each of several domains says")
    shows_conflict: bool = Field(default=False, description="whether both sides of a conflict are shown, undecided")
    confidence: float = Field(default=0.0, ge=0, le=1)
    decided_by: DecidedBy = DecidedBy.RULES
    failure: str | None = Field(default=None, description="why a model gave no draft, fit to be shown")
    rewritten: bool = Field(default=False, description="whether refused sentences were written once more")


class TaskResult(_Frozen):
    """What one sub-task brought back; one shape for every tool."""

    trace_id: str
    key: str = Field(description="task, attempt and try: unique in a run")
    task: SubTask = Field(description="with the results of earlier tasks filled in")
    round: int = Field(ge=1)
    tries: int = Field(default=1, ge=1, description="how often this very task has been tried, this time included")
    hits: tuple[Hit, ...] = ()
    library_version: int | None = None
    notes: tuple[str, ...] = Field(default=(), description="what the user should know of it")
    short_answer: str = Field(default="", description="the value or name that the tool found, where it says so itself")
    addressed: Addressed | None = Field(default=None, description="the numbered parts that the question names")
    waiting: ApprovalRequest | None = Field(default=None, description="the call was not made: it waits for a person")
    approval_id: str = Field(default="", description="the call needed consent: whatever came of it, it is final")
    error: ErrorCode | None = None
    detail: str = Field(default="", description="why there is no result, fit to be shown")
    detail_in_chinese: str = Field(default="", description="the same in Chinese, where the tool says it")
    fault: str = Field(default="", description="its kind, where the tool knows it")

    @property
    def is_final(self) -> bool:
        """Whether the call must not be made again, in whatever words."""
        stopped = self.error in (ErrorCode.REFUSED, ErrorCode.UNCERTAIN, ErrorCode.IMPOSSIBLE)
        return bool(self.approval_id) or self.waiting is not None or stopped


class ToolCall(_Frozen):
    """A call as the brakes compare it."""

    tool: str
    arguments: tuple[tuple[str, str], ...]


class RoundRecord(_Frozen):
    """What one round of gathering brought; the brakes look at these."""

    number: int = Field(ge=1)
    calls: tuple[ToolCall, ...]
    new_blocks: int = Field(ge=0, description="blocks that no earlier round had found")
    confidence: float = Field(ge=0, le=1, description="mean over the sub-questions tried so far")
    conflicts: int = Field(ge=0)
    attempts: int = Field(ge=1, description="the highest attempt of a task in this round")


class AgentInput(TypedDict):
    """What a run is given."""

    question: str


class AgentOutput(TypedDict):
    """What a run returns."""

    answer: Answer


class TaskInput(TypedDict):
    """What one parallel sub-task is given, and no more."""

    trace_id: str
    task: SubTask
    round: int
    number: int
    """Its place in the round, from 0; the first takes the round's step."""
    tries: int
    """How often this very task has been tried, this time included."""
    limits: BudgetLimits
    """Its share of what is left: shares of parallel tasks never add up to more."""
    spent: BudgetUsage
    asked: str
    """The question as the user put it: arguments that do not stand there were derived."""
    asked_by: str
    """Whose run it is; a run that resumes must have the same caller and library."""
    grounds: tuple[str, ...]
    """What the arguments rest on: quotes of the evidence that hold them, each with its document."""


class AgentState(AgentInput, AgentOutput, total=False):
    """Everything in between. Under each field stands the node that writes it."""

    trace_id: str
    """`understand`"""
    asked_by: str
    """`understand`: digest of the library and the caller; a run that resumes must have the same ones."""
    asked_before: str
    """`understand`: what the same person asked before in the same conversation; empty: nothing."""
    analysis: QuestionAnalysis
    """`understand`"""
    understanding: Understanding
    """`understand`"""
    problem: str
    """`understand`: why the question cannot be taken, empty if it can."""
    gate: GateDecision
    """`gate`"""
    limits: BudgetLimits
    """`gate`"""
    has_models: bool
    """`gate`: whether a model may be asked in this run."""
    may_escalate: bool
    """`gate`: whether the linear route may hand over to the loop."""
    may_read: bool
    """`gate`: whether the linear route may hand over to reading."""
    plan: Plan | None
    """`search`, `read` or `plan`"""
    plan_problem: str
    """`plan`: why the plan cannot run, empty if it can."""
    plan_from: int
    """`plan`: how many rounds had been gathered when the present plan was made."""
    pending: tuple[SubTask, ...]
    """`plan`, `reflect` and `verify_evidence`: the tasks that run next."""
    results: Annotated[tuple[TaskResult, ...], merged]
    """`search` or `act`, one entry a sub-task; parallel ones are merged."""
    library_version: int
    """`verify_evidence`"""
    evidence: tuple[Evidence, ...]
    """`verify_evidence`, its only writer: each block is numbered once a question."""
    verdicts: tuple[TaskVerdict, ...]
    """`verify_evidence`: the latest of each sub-question."""
    rounds: tuple[RoundRecord, ...]
    """`verify_evidence`"""
    reflections: tuple[Reflection, ...]
    """`reflect`"""
    draft: Draft | None
    """`answer`, `extract` or `rewrite`"""
    checks: tuple[SentenceCheck, ...]
    """`verify_answer`"""
    steps: Annotated[tuple[StepRecord, ...], merged]
    """Every node; one record a step, with the rule that decided where the run went after it."""
