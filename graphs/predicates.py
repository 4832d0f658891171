"""When a rule fires: pure functions of the state, total over whatever a run can leave in it (design §7).

They never look at the clock: nodes write the time into the records.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rapidfuzz import fuzz

from ..decisions import DecidedBy, Reflection, Route, Strategy, Sufficiency, TaskVerdict
from ..ledger import usage_of
from ..models.budget import BudgetUsage
from ..state import AgentState, Draft, RoundRecord, ToolCall
from ..tools.registry import ErrorCode

Predicate = Callable[[AgentState], bool]

REPEATED_SIMILARITY = 0.9
"""Two calls of one tool are the same from this similarity of their arguments on (S2 §8.3)."""
MOST_REFLECTIONS = 3
MOST_REPLANS = 1
_ROUNDS_WITHOUT_NEWS = 2
_DOUBT = re.compile(
    r"不(?:太|大|是很)?确定|可能不对|(?:没有|没)把握|说不准"
    r"|\b(?:not sure|unsure|uncertain|m(?:ay|ight) be wrong|not confident)\b",
    re.IGNORECASE,
)


def always(_: AgentState) -> bool:
    """The rule of last resort."""
    return True


def _usage(state: AgentState) -> BudgetUsage | None:
    return usage_of(state.get("steps", ()))


def _draft(state: AgentState) -> Draft:
    return state.get("draft") or Draft()


def _reflections(state: AgentState) -> tuple[Reflection, ...]:
    return state.get("reflections", ())


def is_unclear(state: AgentState) -> bool:
    """Nothing in the question says what it is about."""
    return state.get("problem") == "unclear"


def has_problem(state: AgentState) -> bool:
    """The question cannot be taken."""
    return bool(state.get("problem"))


def takes(route: Route) -> Predicate:
    """The gate chose this route."""

    def holds(state: AgentState) -> bool:
        return state["gate"].route is route

    return holds


def no_evidence(state: AgentState) -> bool:
    """No tool found anything."""
    return not state.get("evidence")


def out_of_seconds(state: AgentState) -> bool:
    """The time of the run is over."""
    usage = _usage(state)
    return usage is not None and usage.elapsed_seconds >= state["limits"].seconds


def out_of_steps(state: AgentState) -> bool:
    """No step is left for gathering; where a model writes the answer, one is kept for it."""
    usage = _usage(state)
    kept = 1 if state.get("has_models") else 0
    return usage is not None and usage.steps >= state["limits"].steps - kept


def out_of_tokens(state: AgentState) -> bool:
    """Only what is reserved for the answer is left."""
    usage = _usage(state)
    limits = state["limits"]
    spent = usage is not None and usage.tokens >= limits.tokens - limits.answer_reserve
    return bool(state.get("has_models")) and spent


def plan_is_bad(state: AgentState) -> bool:
    """The plan cannot run."""
    return bool(state.get("plan_problem"))


def plan_may_be_repaired(state: AgentState) -> bool:
    """The plan cannot run, and no plan of this run has been repaired yet."""
    repaired = any(record.rule == "repair_plan" for record in state.get("steps", ()))
    return plan_is_bad(state) and not repaired


def failed_in_passing(state: AgentState) -> bool:
    """A tool failed in a way that may pass, and its task has not been tried again."""
    results = state.get("results", ())
    last = [result for result in results if result.round == results[-1].round]
    return any(result.error is ErrorCode.TRANSIENT and result.tries == 1 for result in last)


def waits_for_consent(state: AgentState) -> bool:
    """A call needs a person's consent, and the run cannot wait for it: no graph around it keeps its state."""
    return any(result.waiting is not None for result in state.get("results", ()))


def only_calls_open(state: AgentState) -> bool:
    """All that is open are calls that needed consent: whatever came of them, they are not made in other words."""
    last = {result.task.id: result for result in state.get("results", ())}
    open_ones = [verdict.task_id for verdict in verdicts_of(state) if not is_settled(verdict)]
    return bool(open_ones) and all(task_id in last and last[task_id].is_final for task_id in open_ones)


def has_pending(state: AgentState) -> bool:
    """Tasks are ready to run."""
    return bool(state.get("pending"))


def verdicts_of(state: AgentState) -> tuple[TaskVerdict, ...]:
    """What was judged of each sub-question, so far."""
    return state.get("verdicts", ())


def _verified_conflict(state: AgentState) -> bool:
    return any(reflection.strategy is Strategy.VERIFY_CONFLICT for reflection in _reflections(state))


def _in_conflict(state: AgentState) -> bool:
    return any(verdict.conflict is not None for verdict in verdicts_of(state))


def is_settled(verdict: TaskVerdict) -> bool:
    """Whether a sub-question needs no more work: it is answered, or a rule prefers one side of its conflict."""
    decided = verdict.conflict is not None and verdict.conflict.preferred is not None
    return verdict.sufficiency is Sufficiency.ANSWERED or decided


def sufficient(state: AgentState) -> bool:
    """Every sub-question is answered; a conflict has been looked into and a rule prefers one side."""
    plan = state.get("plan")
    settled = {verdict.task_id for verdict in verdicts_of(state) if is_settled(verdict)}
    looked_into = not _in_conflict(state) or _verified_conflict(state)
    return plan is not None and all(task.id in settled for task in plan.tasks) and looked_into


def new_conflict(state: AgentState) -> bool:
    """Sources disagree, and no search has been made to verify it."""
    return _in_conflict(state) and not _verified_conflict(state)


def lasting_conflict(state: AgentState) -> bool:
    """Sources still disagree after the verification, and nothing else is open."""
    rest = (v for v in verdicts_of(state) if v.conflict is None)
    answered = all(verdict.sufficiency is Sufficiency.ANSWERED for verdict in rest)
    return _in_conflict(state) and _verified_conflict(state) and answered


def similarity(one: ToolCall, other: ToolCall) -> float:
    """How alike two calls are: 0 for different tools or argument names, else the least alike argument."""
    mine, theirs = dict(one.arguments), dict(other.arguments)
    if one.tool != other.tool or mine.keys() != theirs.keys():
        return 0.0
    return min((fuzz.ratio(mine[name], theirs[name]) / 100 for name in mine), default=1.0)


def _alike(one: RoundRecord, other: RoundRecord) -> bool:
    return any(similarity(a, b) > REPEATED_SIMILARITY for a in one.calls for b in other.calls)


def repeated_call(state: AgentState) -> bool:
    """A further attempt makes nearly the same call as the round before."""
    rounds = state.get("rounds", ())
    return len(rounds) > 1 and rounds[-1].attempts > 1 and _alike(rounds[-1], rounds[-2])


def oscillation(state: AgentState) -> bool:
    """The last four rounds go A, B, A, B."""
    last = state.get("rounds", ())[-4:]
    if len(last) < 4 or last[-1].attempts == 1:
        return False
    return _alike(last[0], last[2]) and _alike(last[1], last[3]) and not _alike(last[2], last[3])


def has_replanned(state: AgentState) -> bool:
    """The run has planned anew as often as it may."""
    return sum(r.strategy is Strategy.REPLAN for r in _reflections(state)) >= MOST_REPLANS


def both(first: Predicate, second: Predicate) -> Predicate:
    """Both hold."""

    def holds(state: AgentState) -> bool:
        return first(state) and second(state)

    return holds


def no_new_evidence(state: AgentState) -> bool:
    """Two rounds running found no block that was not known, and the last one was a further attempt."""
    last = state.get("rounds", ())[-_ROUNDS_WITHOUT_NEWS:]
    is_full = len(last) == _ROUNDS_WITHOUT_NEWS
    return is_full and last[-1].attempts > 1 and all(entry.new_blocks == 0 for entry in last)


def confidence_falling(state: AgentState) -> bool:
    """The confidence fell in two rounds running, or a model has doubted its own reasoning twice running (S2 §8.1)."""
    last = [entry.confidence for entry in state.get("rounds", ())[-3:]]
    falls = len(last) == 3 and last[2] < last[1] < last[0]
    doubts = [bool(_DOUBT.search(reflection.thought)) for reflection in _reflections(state)[-2:]]
    return falls or doubts == [True, True]


def has_reflected(state: AgentState) -> bool:
    """The one further search of the two-step route is made."""
    return bool(_reflections(state))


def reflections_used_up(state: AgentState) -> bool:
    """The run has looked back as often as it may."""
    return len(_reflections(state)) >= MOST_REFLECTIONS


def last_strategy(*wanted: Strategy) -> Predicate:
    """The last reflection chose one of these, and has tasks for it where it needs some."""

    def holds(state: AgentState) -> bool:
        chosen = _reflections(state)[-1:]
        needs_tasks = bool(chosen) and chosen[0].strategy not in _WITHOUT_TASKS
        return bool(chosen) and chosen[0].strategy in wanted and (not needs_tasks or has_pending(state))

    return holds


_WITHOUT_TASKS = (Strategy.REPLAN, Strategy.CONDENSE, Strategy.REPORT_MISSING)


def replanned_before(state: AgentState) -> bool:
    """The last reflection wants another plan, and the one new plan is used up."""
    chosen = [reflection.strategy for reflection in _reflections(state)]
    return chosen[-1:] == [Strategy.REPLAN] and chosen.count(Strategy.REPLAN) > MOST_REPLANS


def model_failed(state: AgentState) -> bool:
    """A model gave no usable draft."""
    return _draft(state).failure is not None


def says_nothing(state: AgentState) -> bool:
    """The draft holds no sentence and no conclusion."""
    return not _draft(state).sentences and not _draft(state).conclusions


def all_supported(state: AgentState) -> bool:
    """Every sentence holds, and nothing that was asked is missing."""
    return all(check.supported for check in state["checks"]) and not _draft(state).missing


def some_supported(state: AgentState) -> bool:
    """At least one sentence holds."""
    return any(check.supported for check in state["checks"])


def by_model(state: AgentState) -> bool:
    """A model wrote the draft."""
    return _draft(state).decided_by is not DecidedBy.RULES


def may_rewrite(state: AgentState) -> bool:
    """A model wrote sentences that do not hold, has not rewritten them yet, and the budget allows it."""
    refused = not all(check.supported for check in state["checks"])
    usage = _usage(state)
    limits = state["limits"]
    fits = usage is None or (usage.steps < limits.steps and usage.tokens < limits.tokens)
    return by_model(state) and refused and not _draft(state).rewritten and fits and not out_of_seconds(state)


def no_step_left(state: AgentState) -> bool:
    """Not even the answer's step is left."""
    usage = _usage(state)
    return usage is not None and usage.steps >= state["limits"].steps
