# ruff: noqa: E501 - a table is read row by row
"""The table of rules that decide where a run goes (design §7); routers are built from it.

In each graph, after each node that has a choice behind it, the first rule whose predicate holds decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from ..decisions import Route, Strategy
from ..state import AgentState
from . import escalation
from . import predicates as when
from .predicates import Predicate


class RuleKind(StrEnum):
    """What a rule is for. `next` is the plain way on, where nothing stops, retries, brakes or falls back."""

    STOP = "stop"
    RETRY = "retry"
    BRAKE = "brake"
    FALLBACK = "fallback"
    NEXT = "next"


class Rule(NamedTuple):
    """One row of the table."""

    graphs: tuple[str, ...]
    after: str
    name: str
    kind: RuleKind
    holds: Predicate
    target: str
    meaning: str


AGENT, LINEAR, TWO_STEP, LOOP, READING = "agent", "linear", "two_step", "loop", "reading"
_A, _LIN, _TWO, _LOOP, _READ = (AGENT,), (LINEAR,), (TWO_STEP,), (LOOP,), (READING,)
_STEPS, _ALL = (TWO_STEP, LOOP), (LINEAR, TWO_STEP, LOOP, READING)
_STOP, _RETRY, _BRAKE, _FALL, _NEXT = RuleKind.STOP, RuleKind.RETRY, RuleKind.BRAKE, RuleKind.FALLBACK, RuleKind.NEXT

RULES: tuple[Rule, ...] = (
    Rule(_A, "understand", "unclear_question", _STOP, when.is_unclear, "deliver", "nothing says what it is about: ask"),
    Rule(_A, "understand", "unusable_question", _STOP, when.has_problem, "deliver", "empty or too long: say so"),
    Rule(_A, "understand", "understood", _NEXT, when.always, "gate", "choose a route"),
    Rule(_A, "gate", "direct_reply", _STOP, when.takes(Route.DIRECT), "deliver", "small talk needs no search"),
    Rule(_A, "gate", "loop_route", _NEXT, when.takes(Route.LOOP), "loop", "plan, act, verify, reflect"),
    Rule(_A, "gate", "two_step_route", _NEXT, when.takes(Route.TWO_STEP), "two_step", "search, one targeted second search, answer, check"),
    Rule(_A, "gate", "reading_route", _NEXT, when.takes(Route.READING), "reading", "read up on it, answer, check"),
    Rule(_A, "gate", "linear_route", _NEXT, when.always, "linear", "search, answer, check"),

    Rule(_LIN, "search", "transient_tool_error", _RETRY, when.failed_in_passing, "search", "try once more, a little later"),
    Rule(_LIN, "search", "searched", _NEXT, when.always, "verify_evidence", "judge what was found"),
    Rule(_ALL, "verify_evidence", "consent_needed", _STOP, when.waits_for_consent, "answer", "a call needs a person's consent, and this run cannot wait: draft only"),
    Rule(_LIN, "verify_evidence", "seconds", _BRAKE, when.out_of_seconds, "extract", "time is over: quote what was found"),
    Rule(_LIN, "verify_evidence", "knowledge_missing", _STOP, when.no_evidence, "deliver", "nothing relevant: say so"),
    Rule(_LIN, "verify_evidence", "steps", _BRAKE, when.no_step_left, "extract", "no step is left: quote what was found"),
    Rule(_LIN, "verify_evidence", "call_final", _STOP, when.only_calls_open, "answer", "a call that needed consent is not made in other words"),
    Rule(_LIN, "verify_evidence", "contradiction", _FALL, escalation.conflict_for_loop, "loop", "sources disagree: verify it in the loop"),
    Rule(_LIN, "verify_evidence", "read_up", _FALL, escalation.doubt_to_read, "reading", "the one search does not answer: read on from what it found"),
    Rule(_LIN, "verify_evidence", "refers_elsewhere", _FALL, escalation.refers_elsewhere, "reading", "it only refers to another clause: read that, too"),
    Rule(_LIN, "verify_evidence", "low_confidence", _FALL, escalation.in_doubt, "loop", "the one search does not answer: look further"),
    Rule(_LIN, "verify_evidence", "evidence_sufficient", _STOP, when.always, "answer", "enough was found: stop searching"),

    Rule(_READ, "read", "planned", _NEXT, when.has_pending, "act", "read up on what depends on nothing, in parallel"),
    Rule(_READ, "read", "knowledge_missing", _STOP, when.always, "deliver", "nothing can be read: say so"),
    Rule(_READ, "verify_evidence", "evidence_sufficient", _STOP, when.sufficient, "answer", "every sub-question is answered"),
    Rule(_READ, "verify_evidence", "seconds", _BRAKE, when.out_of_seconds, "extract", "time is over: quote what was found"),
    Rule(_READ, "verify_evidence", "steps", _BRAKE, when.out_of_steps, "answer", "no step is left: answer from what was found"),
    Rule(_READ, "verify_evidence", "tokens", _BRAKE, when.out_of_tokens, "answer", "only the answer's reserve is left"),
    Rule(_READ, "verify_evidence", "transient_tool_error", _RETRY, when.failed_in_passing, "act", "try once more, a little later"),
    Rule(_READ, "verify_evidence", "next_tasks", _NEXT, when.has_pending, "act", "read up on what earlier results made possible"),
    Rule(_READ, "verify_evidence", "knowledge_missing", _STOP, when.no_evidence, "deliver", "nothing relevant: say so"),
    Rule(_READ, "verify_evidence", "call_final", _STOP, when.only_calls_open, "answer", "a call that needed consent is not made in other words"),
    Rule(_READ, "verify_evidence", "contradiction", _FALL, escalation.conflict_for_loop, "loop", "sources disagree: verify it in the loop"),
    Rule(_READ, "verify_evidence", "low_confidence", _FALL, escalation.in_doubt, "loop", "reading does not answer: search differently"),
    Rule(_READ, "verify_evidence", "read_to_the_end", _FALL, when.always, "answer", "answer from the notes and name what is missing"),

    Rule(_STEPS, "plan", "repair_plan", _RETRY, when.plan_may_be_repaired, "plan", "the plan cannot run: have it repaired once"),
    Rule(_STEPS, "plan", "rules_plan", _FALL, when.plan_is_bad, "plan", "it still cannot run: the rules plan"),
    Rule(_STEPS, "plan", "planned", _NEXT, when.has_pending, "act", "run what depends on nothing, in parallel"),
    Rule(_STEPS, "plan", "knowledge_missing", _STOP, when.always, "deliver", "no task can run: say so"),

    Rule(_STEPS, "verify_evidence", "evidence_sufficient", _STOP, when.sufficient, "answer", "every sub-question is answered"),
    Rule(_STEPS, "verify_evidence", "seconds", _BRAKE, when.out_of_seconds, "extract", "time is over: quote what was found"),
    Rule(_STEPS, "verify_evidence", "steps", _BRAKE, when.out_of_steps, "answer", "no step is left: answer from what was found"),
    Rule(_STEPS, "verify_evidence", "tokens", _BRAKE, when.out_of_tokens, "answer", "only the answer's reserve is left"),
    Rule(_STEPS, "verify_evidence", "transient_tool_error", _RETRY, when.failed_in_passing, "act", "try once more, a little later"),
    Rule(_STEPS, "verify_evidence", "next_tasks", _NEXT, when.has_pending, "act", "run what earlier results made possible"),
    Rule(_STEPS, "verify_evidence", "contradiction", _BRAKE, when.new_conflict, "reflect", "sources disagree: one search to verify it"),
    Rule(_STEPS, "verify_evidence", "conflict_presented", _BRAKE, when.lasting_conflict, "answer", "they still disagree: show both sides"),
    Rule(_STEPS, "verify_evidence", "call_final", _STOP, when.only_calls_open, "answer", "a call that needed consent is not made in other words"),
    Rule(_LOOP, "verify_evidence", "repeated_call_again", _BRAKE, when.both(when.repeated_call, when.has_replanned), "answer", "the same call again after a new plan: answer from what was found"),
    Rule(_LOOP, "verify_evidence", "repeated_call", _BRAKE, when.repeated_call, "reflect", "the same call twice running: plan anew"),
    Rule(_LOOP, "verify_evidence", "oscillation_again", _BRAKE, when.both(when.oscillation, when.has_replanned), "answer", "to and fro again after a new plan: answer from what was found"),
    Rule(_LOOP, "verify_evidence", "oscillation", _BRAKE, when.oscillation, "reflect", "A, B, A, B: plan anew"),
    Rule(_LOOP, "verify_evidence", "no_new_evidence", _BRAKE, when.no_new_evidence, "answer", "two rounds brought nothing new"),
    Rule(_LOOP, "verify_evidence", "confidence_falling", _BRAKE, when.confidence_falling, "answer", "less sure in two rounds running"),
    Rule(_LOOP, "verify_evidence", "reflections", _BRAKE, when.reflections_used_up, "answer", "looked back three times"),
    Rule(_TWO, "verify_evidence", "second_search_made", _BRAKE, when.has_reflected, "answer", "the one further search is made"),
    Rule(_STEPS, "verify_evidence", "evidence_missing", _RETRY, when.always, "reflect", "find out why, and search differently"),

    Rule(_STEPS, "reflect", "verify_conflict", _RETRY, when.last_strategy(Strategy.VERIFY_CONFLICT), "act", "search for both statements"),
    Rule(_STEPS, "reflect", "rewrite_query", _RETRY, when.last_strategy(Strategy.REWRITE_QUERY), "act", "ask for what is missing in other words"),
    Rule(_STEPS, "reflect", "switch_source", _RETRY, when.last_strategy(Strategy.SWITCH_SOURCE), "act", "look in other documents"),
    Rule(_STEPS, "reflect", "adjust_time_range", _RETRY, when.last_strategy(Strategy.ADJUST_TIME_RANGE), "act", "look in the edition of the year"),
    Rule(_STEPS, "reflect", "replans", _BRAKE, when.replanned_before, "answer", "planned anew once already"),
    Rule(_STEPS, "reflect", "replan", _RETRY, when.last_strategy(Strategy.REPLAN), "plan", "begin anew with what was found"),
    Rule(_STEPS, "reflect", "condense", _RETRY, when.last_strategy(Strategy.CONDENSE), "extract", "quote instead of writing"),
    Rule(_STEPS, "reflect", "knowledge_missing", _STOP, when.no_evidence, "deliver", "nothing relevant: say so"),
    Rule(_STEPS, "reflect", "report_missing", _FALL, when.always, "answer", "answer from what was found and name what is missing"),

    Rule(_ALL, "answer", "extractive_on_model_failure", _FALL, when.model_failed, "extract", "quote instead"),
    Rule(_LIN, "answer", "read_up", _FALL, escalation.silent_to_read, "reading", "the evidence does not answer: read on from what was found"),
    Rule(_LIN, "answer", "low_confidence", _FALL, escalation.silent_in_doubt, "loop", "the evidence does not answer: look further"),
    Rule(_ALL, "answer", "knowledge_missing", _STOP, when.says_nothing, "deliver", "the evidence does not answer"),
    Rule(_ALL, "answer", "drafted", _NEXT, when.always, "verify_answer", "check every sentence"),
    Rule(_ALL, "extract", "knowledge_missing", _STOP, when.says_nothing, "deliver", "the evidence does not answer"),
    Rule(_ALL, "extract", "drafted", _NEXT, when.always, "verify_answer", "check every sentence"),
    Rule(_ALL, "rewrite", "rewritten", _NEXT, when.always, "verify_answer", "check every sentence again"),
    Rule(_ALL, "verify_answer", "answer_verified", _STOP, when.all_supported, "deliver", "every sentence is supported"),
    Rule(_ALL, "verify_answer", "rewrite_unfaithful", _RETRY, when.may_rewrite, "rewrite", "have refused sentences written once more"),
    Rule(_ALL, "verify_answer", "partial_answer", _FALL, when.some_supported, "deliver", "drop and report the rest"),
    Rule(_ALL, "verify_answer", "extractive_on_unsupported", _FALL, when.by_model, "extract", "quote instead"),
    Rule(_ALL, "verify_answer", "knowledge_missing", _STOP, when.always, "deliver", "nothing holds: say so"),
)  # fmt: skip


def rules_after(graph: str, after: str, rules: Iterable[Rule] = RULES) -> tuple[Rule, ...]:
    """The rows for a node of a graph, in order."""
    return tuple(rule for rule in rules if graph in rule.graphs and rule.after == after)


def first_rule(graph: str, after: str, state: AgentState, rules: Iterable[Rule] = RULES) -> Rule:
    """The rule that decides after a node: the first of that node that holds.

    Raises:
        LookupError: no rule covers the node; the last rule of each node must always hold.
    """
    for rule in rules_after(graph, after, rules):
        if rule.holds(state):
            return rule
    raise LookupError(f"no rule fires after {after!r} of {graph!r}")


def targets(graph: str, after: str) -> tuple[str, ...]:
    """The nodes that a node's rules can lead to, each once."""
    return tuple(dict.fromkeys(rule.target for rule in rules_after(graph, after)))


def deciding_nodes(graph: str) -> tuple[str, ...]:
    """The nodes of a graph that have a choice behind them, in the order of the table."""
    return tuple(dict.fromkeys(rule.after for rule in RULES if graph in rule.graphs))
