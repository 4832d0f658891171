"""The records of a run, one a step: what the trace shows, and what the budget is counted from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Literal, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from .decisions import DecidedBy
from .models.budget import BudgetUsage, TierUsage
from .models.exchange import ModelExchange


class _Entry(Protocol):
    @property
    def trace_id(self) -> str: ...
    @property
    def key(self) -> str: ...


EntryT = TypeVar("EntryT", bound=_Entry)


def merged(old: Sequence[EntryT] | None, new: Sequence[EntryT] | None) -> tuple[EntryT, ...]:
    """Reducer of a ledger: each entry once, in the order of arrival.

    Parallel branches and the graphs inside a graph hand back entries that are known already; those change nothing. The
    entries of another run (an earlier question of the same thread) make room.
    """
    entries = (*(old or ()), *(new or ()))
    kept: dict[str, EntryT] = {}
    for entry in entries:
        if entry.trace_id == entries[-1].trace_id:
            kept.setdefault(entry.key, entry)
    return tuple(kept.values())


class StepRecord(BaseModel):
    """One step of a run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    trace_id: str
    key: str = Field(description="node and count, or node, task and attempt: unique in a run")
    node: str
    started_at: datetime
    thought: str = Field(default="", description="why the step did what it did")
    action: str = Field(default="", description="the decision or the tool")
    arguments: str = Field(default="", description="of the action, as JSON")
    observation: str = Field(default="", description="a digest of what came back, without document text")
    decided_by: DecidedBy = DecidedBy.RULES
    steps: int = Field(default=0, ge=0, description="how many steps of the budget it took")
    light: TierUsage = TierUsage()
    mid: TierUsage = TierUsage()
    strong: TierUsage = TierUsage()
    elapsed_seconds: float = Field(ge=0, description="of the run, when the step ended")
    milliseconds: float = Field(ge=0, description="of the step")
    notes: tuple[str, ...] = Field(default=(), description="what the user should know")
    exchanges: tuple[ModelExchange, ...] = ()
    rule: str = Field(default="", description="the rule that decided where the run went after it")
    kind: Literal["", "stop", "retry", "brake", "fallback", "next"] = ""
    target: str = ""

    @property
    def tokens(self) -> int:
        """Tokens of all tiers, in and out."""
        return self.light.tokens + self.mid.tokens + self.strong.tokens


def usage_of(records: Iterable[StepRecord]) -> BudgetUsage | None:
    """What a run has used, summed over its records; None before the first."""
    entries = tuple(records)
    if not entries:
        return None
    return BudgetUsage(
        started_at=entries[0].started_at,
        # Parallel steps end at their own times of one clock.
        elapsed_seconds=max(entry.elapsed_seconds for entry in entries),
        steps=sum(entry.steps for entry in entries),
        light=total(entry.light for entry in entries),
        mid=total(entry.mid for entry in entries),
        strong=total(entry.strong for entry in entries),
    )


def total(usages: Iterable[TierUsage]) -> TierUsage:
    """The sum of what a tier has used."""
    entries = tuple(usages)
    return TierUsage(
        calls=sum(entry.calls for entry in entries),
        tokens_in=sum(entry.tokens_in for entry in entries),
        tokens_out=sum(entry.tokens_out for entry in entries),
    )


class Replay:
    """The records of an earlier run, to run the graph again on its replies and by its clock.

    Args:
        records: of one run.
        context_window: of the models then, in tokens; 0 where none was configured.
    """

    def __init__(self, records: Sequence[StepRecord], context_window: int) -> None:
        self.records = {record.key: record for record in records}
        self.context_window = context_window
        self.has_models = context_window > 0
