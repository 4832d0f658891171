"""The table of rules that decide where a run goes, and the routers built from it (design §7).

After each node that has a choice behind it, the first rule of that node whose predicate holds decides. Predicates
are pure functions of the state; they never fail and never look at the clock: nodes write the time into the usage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any, NamedTuple, Protocol, cast

from langgraph.runtime import Runtime

from ..context import Context
from ..logs import get_logger
from ..state import AgentState, DecidedBy, FiredRule, Route

_log = get_logger("run")

Predicate = Callable[[AgentState], bool]


class Node(Protocol):
    """One step of a graph."""

    def __call__(self, state: AgentState, runtime: Runtime[Context]) -> dict[str, Any]:
        """The fields that the step writes."""


class RuleKind(StrEnum):
    """What a rule is for. `next` is the plain way on, where nothing stops, retries, brakes or falls back."""

    STOP = "stop"
    RETRY = "retry"
    BRAKE = "brake"
    FALLBACK = "fallback"
    NEXT = "next"


class Rule(NamedTuple):
    """One row of the table."""

    after: str
    name: str
    kind: RuleKind
    holds: Predicate
    target: str
    meaning: str


def _always(_: AgentState) -> bool:
    return True


def _has_problem(state: AgentState) -> bool:
    return bool(state.get("problem"))


def _is_direct(state: AgentState) -> bool:
    return state["gate"].route is Route.DIRECT


def _no_evidence(state: AgentState) -> bool:
    return not state.get("evidence")


def _out_of_seconds(state: AgentState) -> bool:
    return state["usage"].elapsed_seconds >= state["limits"].seconds


def _out_of_steps(state: AgentState) -> bool:
    return state["usage"].steps >= state["limits"].steps


def _out_of_tokens(state: AgentState) -> bool:
    return state["has_models"] and state["usage"].tokens >= state["limits"].tokens


def _model_failed(state: AgentState) -> bool:
    return state["draft"].failure is not None


def _says_nothing(state: AgentState) -> bool:
    return not state["draft"].sentences


def _all_supported(state: AgentState) -> bool:
    return all(check.supported for check in state["checks"]) and not state["draft"].missing


def _some_supported(state: AgentState) -> bool:
    return any(check.supported for check in state["checks"])


def _model_unsupported(state: AgentState) -> bool:
    return state["draft"].decided_by is not DecidedBy.RULES


RULES: tuple[Rule, ...] = (
    Rule("understand", "unusable_question", RuleKind.STOP, _has_problem, "deliver", "empty or too long: say so"),
    Rule("understand", "understood", RuleKind.NEXT, _always, "gate", "choose a route"),
    Rule("gate", "direct_reply", RuleKind.STOP, _is_direct, "deliver", "small talk needs no search"),
    Rule("gate", "linear_route", RuleKind.NEXT, _always, "linear", "search, answer, check"),
    Rule("search", "knowledge_missing", RuleKind.STOP, _no_evidence, "deliver", "nothing relevant: say so"),
    Rule("search", "seconds", RuleKind.BRAKE, _out_of_seconds, "extract", "time is over: quote what was found"),
    Rule("search", "steps", RuleKind.BRAKE, _out_of_steps, "extract", "no step is left: quote what was found"),
    Rule("search", "tokens", RuleKind.BRAKE, _out_of_tokens, "extract", "no token is left: quote what was found"),
    Rule("search", "evidence_sufficient", RuleKind.STOP, _always, "answer", "enough was found: stop searching"),
    Rule("answer", "extractive_on_model_failure", RuleKind.FALLBACK, _model_failed, "extract", "quote instead"),
    Rule("answer", "knowledge_missing", RuleKind.STOP, _says_nothing, "deliver", "the evidence does not answer"),
    Rule("answer", "drafted", RuleKind.NEXT, _always, "verify", "check every sentence"),
    Rule("extract", "knowledge_missing", RuleKind.STOP, _says_nothing, "deliver", "the evidence does not answer"),
    Rule("extract", "drafted", RuleKind.NEXT, _always, "verify", "check every sentence"),
    Rule("verify", "answer_verified", RuleKind.STOP, _all_supported, "deliver", "every sentence is supported"),
    Rule("verify", "partial_answer", RuleKind.FALLBACK, _some_supported, "deliver", "drop and report the rest"),
    Rule("verify", "extractive_on_unsupported", RuleKind.FALLBACK, _model_unsupported, "extract", "quote instead"),
    Rule("verify", "knowledge_missing", RuleKind.STOP, _always, "deliver", "nothing holds: say so"),
)


def first_rule(after: str, state: AgentState, rules: Iterable[Rule] = RULES) -> Rule:
    """The rule that decides after a node: the first of that node that holds.

    Raises:
        LookupError: no rule covers the node; the last rule of each node must always hold.
    """
    for rule in rules:
        if rule.after == after and rule.holds(state):
            return rule
    raise LookupError(f"no rule fires after {after!r}")


def deciding(after: str, node: Node) -> Node:
    """A node whose result is judged at once, so that the rule that fired stands in the state."""

    def run(state: AgentState, runtime: Runtime[Context]) -> dict[str, Any]:
        update = node(state, runtime)
        # Fields with a reducer are never read by predicates, so plain replacement gives the state they need.
        merged = cast(AgentState, {**state, **update})
        rule = first_rule(after, merged)
        fired = FiredRule(after=after, rule=rule.name, kind=rule.kind.value, target=rule.target)
        _log.info("rule_fired", trace_id=merged.get("trace_id"), **fired.model_dump())
        return {**update, "fired": (fired,)}

    run.__name__ = after
    run.__doc__ = node.__doc__
    return run


def target_of(state: AgentState) -> str:
    """Where the last rule that fired leads."""
    return state["fired"][-1].target


def targets(after: str) -> tuple[str, ...]:
    """The nodes that a node's rules can lead to, each once."""
    return tuple(dict.fromkeys(rule.target for rule in RULES if rule.after == after))
