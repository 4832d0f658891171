"""Typed results of the decisions of a run; rules and models give the same ones (design §2, §6)."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from .knowledge.evidence.conclusions import Conclusion
from .knowledge.evidence.models import Conflict, DomainStatement, ExtractedSentence
from .knowledge.query.models import SearchFilter
from .knowledge.questions.models import MOST_PARTS, Combination, Decomposition, GateScores, QuestionType


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class DecidedBy(StrEnum):
    """Who made a decision: rules, or a model tier."""

    RULES = "rules"
    LIGHT = "light"
    MID = "mid"
    STRONG = "strong"


class Route(StrEnum):
    """Which way a question takes (design §5)."""

    DIRECT = "direct"
    LINEAR = "linear"
    TWO_STEP = "two_step"
    LOOP = "loop"
    READING = "reading"


FILTER_ARGUMENTS = frozenset({"doc_types", "domains", "dated_from", "dated_to", "in_force_on"})
"""The parts of a filter that a search is called with; editions are parts of the question."""


class Understanding(_Frozen):
    """What a question asks for."""

    standalone: str = Field(description="the question as it can be understood without the conversation")
    decomposition: Decomposition
    filter: SearchFilter = Field(
        default=SearchFilter(),
        description="types, domains, dates of the documents that the question is about, the day on which they held",
    )
    decided_by: DecidedBy = DecidedBy.RULES

    @property
    def search_arguments(self) -> dict[str, object]:
        """The filter as arguments of `search_documents`; empty where the question is about any document."""
        return self.filter.model_dump(mode="json", include=set(FILTER_ARGUMENTS), exclude_defaults=True)

    @property
    def question_type(self) -> QuestionType:
        """What kind of work it is."""
        return self.decomposition.question_type

    @property
    def combination(self) -> Combination:
        """How the answers to its parts make up the answer."""
        return self.decomposition.combination


class GateDecision(_Frozen):
    """Which route a question takes, and the class that sets its budget."""

    route: Route
    question_class: Literal["simple", "medium", "complex"]
    scores: GateScores = GateScores(complexity=0, sources=0, stakes=0)
    decided_by: DecidedBy = DecidedBy.RULES


class SubTask(_Frozen):
    """One call of one tool for one sub-question.

    `arguments` and `question` may hold `{t1}`: the short answer of an earlier task, which `depends_on` names.
    """

    id: str = Field(pattern=r"^t\d{1,2}$")
    question: str = Field(min_length=1, description="the sub-question that the result is to answer")
    said: str = Field(default="", description="the sub-question with the words that became arguments; empty: the same")
    subject: str = ""
    tool: str
    arguments: dict[str, Any]
    depends_on: tuple[str, ...] = ()
    attempt: int = Field(default=1, ge=1, description="how often the sub-question has been tried, this task included")


class Plan(_Frozen):
    """Sub-tasks as a directed graph without cycles; a plan of one task is normal."""

    tasks: tuple[SubTask, ...] = Field(min_length=1, max_length=MOST_PARTS)
    combination: Combination = Combination.SINGLE
    decided_by: DecidedBy = DecidedBy.RULES


class Sufficiency(StrEnum):
    """How far a sub-question is answered by its evidence."""

    ANSWERED = "answered"
    PARTLY = "partly"
    MISSING = "missing"
    CONFLICTING = "conflicting"


class Finding(_Frozen):
    """What a rule reads out of the evidence of one task: the quotes that answer its question."""

    sentences: tuple[ExtractedSentence, ...] = ()
    confidence: float = Field(default=0.0, ge=0, le=1)
    missing: tuple[str, ...] = ()
    short_answer: str = Field(default="", description="the name or value that is asked for, for tasks that build on it")


class TaskVerdict(_Frozen):
    """How far one task answers its sub-question."""

    task_id: str
    question: str
    sufficiency: Sufficiency
    finding: Finding = Finding()
    missing: tuple[str, ...] = Field(default=(), description="what of the sub-question is not answered, in its words")
    conflict: Conflict | None = None
    by_domain: tuple[DomainStatement, ...] = Field(
        default=(), description="what each domain says, where they say different things; empty: they do not"
    )
    conclusion: Conclusion | None = Field(default=None, description="arithmetic over a table that answers by itself")
    decided_by: DecidedBy = DecidedBy.RULES


class FailureReason(StrEnum):
    """Why a round did not answer (design §6)."""

    INSUFFICIENT_EVIDENCE = "insufficient_evidence"
    WRONG_SOURCE = "wrong_source"
    WRONG_TIME_RANGE = "wrong_time_range"
    MISUNDERSTOOD = "misunderstood"
    CONFLICT = "conflict"
    UNFAITHFUL = "unfaithful"
    TOOL_ERROR = "tool_error"
    NOT_IN_LIBRARY = "not_in_library"


class Strategy(StrEnum):
    """What to do about it (design §6)."""

    REWRITE_QUERY = "rewrite_query"
    SWITCH_SOURCE = "switch_source"
    ADJUST_TIME_RANGE = "adjust_time_range"
    REPLAN = "replan"
    VERIFY_CONFLICT = "verify_conflict"
    CONDENSE = "condense"
    REPORT_MISSING = "report_missing"


class Reflection(_Frozen):
    """One failure reason and one strategy, with the tasks that carry it out."""

    reason: FailureReason
    strategy: Strategy
    tasks: tuple[SubTask, ...] = ()
    thought: str = ""
    decided_by: DecidedBy = DecidedBy.RULES

    @property
    def key(self) -> str:
        """Strategy and arguments: the same one is never tried twice (S3 §5.1)."""
        calls = sorted(f"{task.tool}{sorted(task.arguments.items())!r}" for task in self.tasks)
        return f"{self.strategy}|{calls}"
