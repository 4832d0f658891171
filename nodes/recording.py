"""One step of a run under way: its meter, its models, and what the trace will say of it."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from langgraph.runtime import Runtime

from ..configs.model_settings import Tier
from ..context import Context, Resources, resources
from ..decisions import DecidedBy
from ..errors import BudgetExceededError, UsageError
from ..ledger import StepRecord, usage_of
from ..models.allowance import Allowance
from ..models.budget import Budget, BudgetLimits, BudgetUsage
from ..models.metered import LentModels, MeteredModels, ReplayedModels
from ..state import AgentState

# Kept back from the models' time: quoting instead, checking and delivering take well under a second.
LANDING_SECONDS = 1.5


class Step:
    """What a node works with while it runs; `close` turns it into the record.

    Args:
        node: its name.
        key: unique in the run.
        trace_id: of the run.
        limits: what the run, or this parallel part of it, may cost.
        spent: what the run has used before.
        given: the run's resources.
    """

    def __init__(
        self,
        node: str,
        key: str,
        trace_id: str,
        limits: BudgetLimits,
        spent: BudgetUsage | None,
        given: Resources,
    ) -> None:
        self.given = given
        self.said: list[str] = []
        self._names = (node, key, trace_id)
        self._started_at = datetime.now(UTC)
        self._began = time.perf_counter()
        self.budget = Budget(limits, spent=spent)
        self._before = self.budget.usage()
        self._steps = 0
        early = limits.model_copy(update={"seconds": max(0.0, limits.seconds - LANDING_SECONDS)})
        self._model_budget = Budget(early, spent=spent)
        self._recorded = given.replay.records.get(key) if given.replay else None
        self.models = self._metered()

    def _metered(self) -> MeteredModels | None:
        replay = self.given.replay
        if replay is not None:
            if not replay.has_models:
                return None
            exchanges = self._recorded.exchanges if self._recorded else ()
            return MeteredModels(ReplayedModels(exchanges, replay.context_window), self._model_budget)
        if self.given.models is None:
            return None
        return MeteredModels(self.given.models, self._model_budget, self.budget.limits.answer_reserve)

    def tokens_left(self) -> int:
        """Tokens that the answer may still cost."""
        return self._model_budget.tokens_left()

    def allowance(self) -> Allowance:
        """What a tool that this step calls may use: its models, if any, and never the answer's reserve."""
        budget = self._model_budget
        left = BudgetLimits(
            tokens=budget.tokens_left(self.budget.limits.answer_reserve),
            steps=self.budget.limits.steps,
            seconds=budget.seconds_left(),
        )
        return Allowance(LentModels(self.models) if self.models is not None else None, left)

    def take(self) -> None:
        """Count one step of the budget; a budget without one left is the brakes' business, not this step's."""
        try:
            self.budget.take_step()
        except BudgetExceededError:
            return
        self._steps = 1

    def close(
        self,
        *,
        thought: str = "",
        action: str = "",
        arguments: Mapping[str, Any] | None = None,
        observation: str = "",
        decided_by: DecidedBy = DecidedBy.RULES,
        notes: tuple[str, ...] = (),
    ) -> StepRecord:
        """The record of the step, which ends here."""
        node, key, trace_id = self._names
        after = self._model_budget.usage()
        by_tier = {tier.value: after.tier(tier).since(self._before.tier(tier)) for tier in Tier}
        return StepRecord(
            trace_id=trace_id,
            key=key,
            node=node,
            started_at=self._started_at,
            thought=thought,
            action=action,
            arguments=json.dumps(arguments, ensure_ascii=False, default=str) if arguments else "",
            observation="; ".join(filter(None, (observation, *self.said))),
            decided_by=decided_by,
            steps=self._steps,
            elapsed_seconds=self._recorded.elapsed_seconds if self._recorded else after.elapsed_seconds,
            milliseconds=round((time.perf_counter() - self._began) * 1000, 3),
            notes=notes,
            exchanges=tuple(self.models.exchanges) if self.models else (),
            **by_tier,
        )


def open_step(state: AgentState, runtime: Runtime[Context], node: str) -> Step:
    """Begin a step that runs alone; its key counts how often the node has run.

    Raises:
        UsageError: the run began on behalf of another caller, or over another library.
    """
    given = resources(runtime)
    if state.get("asked_by", given.identity) != given.identity:
        raise UsageError("this run belongs to another caller or library: resume it with those that it began with")
    records = state.get("steps", ())
    trace_id = state["trace_id"]
    own = [record for record in records if record.trace_id == trace_id]
    number = sum(record.node == node for record in own) + 1
    return Step(node, f"{node}/{number}", trace_id, limits_of(state), usage_of(own), given)


def limits_of(state: AgentState) -> BudgetLimits:
    """The run's limits; those of a simple question before the gate has decided."""
    return state.get("limits") or BudgetLimits.for_class("simple")


def spent_of(state: AgentState) -> BudgetUsage:
    """What the run has used so far."""
    found = usage_of(state.get("steps", ()))
    return found or BudgetUsage(started_at=datetime.now(UTC))
