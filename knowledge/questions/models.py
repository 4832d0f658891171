"""A question taken apart, and the scores by which it is routed."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

MOST_PARTS = 6
"""Sub-questions of one question, and sub-tasks of one plan, at most (design §6)."""


class QuestionType(StrEnum):
    """What kind of work a question is (design §5)."""

    SINGLE_HOP = "single_hop"
    MULTI_HOP = "multi_hop"
    COMPARISON = "comparison"
    SUMMARY = "summary"
    ACTION = "action"
    CHITCHAT = "chitchat"
    CLARIFY = "clarify"


class Combination(StrEnum):
    """How the answers to the parts make up the answer to the whole."""

    SINGLE = "single"
    """One part; its answer is the answer."""
    LIST = "list"
    """Each part is answered on its own."""
    CONTRAST = "contrast"
    """The same is asked of several subjects and shown side by side, without a winner."""
    LARGER = "larger"
    SMALLER = "smaller"
    """Which subject has the larger or smaller (longer, dearer, more …) value."""
    EARLIER = "earlier"
    LATER = "later"
    """Which subject's date comes first or last."""
    DIFFERENCE = "difference"
    """By how much two values differ."""
    CHAIN = "chain"
    """The last part is the answer; those before find a name that it needs."""
    VERSION = "version"
    """Which edition of a text is in force."""
    SUM = "sum"
    AVERAGE = "average"
    COUNT = "count"
    LARGEST = "largest"
    SMALLEST = "smallest"
    """Arithmetic over the rows of a table."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SubQuestion(_Frozen):
    """A part of a question that can be answered on its own.

    `text` is a whole question in the language of the original. Where it needs an earlier part's answer, it holds that
    part's id in braces (`{q1}`), and `depends_on` names it.
    """

    id: str = Field(pattern=r"^q[1-6]$")
    text: str = Field(min_length=1)
    subject: str = Field(default="", description="the name that this part is about, where parts differ by it")
    depends_on: tuple[str, ...] = ()


class Decomposition(_Frozen):
    """A question as its parts; a plain question has one part: itself."""

    question_type: QuestionType
    combination: Combination
    parts: tuple[SubQuestion, ...] = Field(min_length=1, max_length=MOST_PARTS)

    @model_validator(mode="after")
    def _only_earlier_parts(self) -> Self:
        known: set[str] = set()
        for part in self.parts:
            if part.id in known or not set(part.depends_on) <= known:
                raise ValueError(f"part {part.id} must be new and depend on earlier parts only")
            known.add(part.id)
        return self


class GateScores(_Frozen):
    """The three scores of S2 §2.2, each 0 to 10."""

    complexity: int = Field(ge=0, le=10, description="0-3: one fact; 7-10: several hops, constraints, reasoning")
    sources: int = Field(ge=0, le=10, description="0-3: one place; 7-10: three or more different sources")
    stakes: int = Field(ge=0, le=10, description="0-3: a wrong answer costs little; 7-10: it has consequences")
    reasons: tuple[str, ...] = Field(default=(), description="what raised the scores, in words")

    @property
    def total(self) -> int:
        """The sum, 0 to 30: below 12 linear, 12 to 20 two-step, above 20 loop."""
        return self.complexity + self.sources + self.stakes
