"""When a route hands the question over to one that does more: predicates like the others (design §7)."""

from __future__ import annotations

from ..knowledge.evidence.deferring import defers
from ..knowledge.evidence.question import analyse_question
from ..state import AgentState
from .predicates import is_settled, new_conflict, no_evidence, out_of_steps, out_of_tokens, says_nothing, verdicts_of


def in_doubt(state: AgentState) -> bool:
    """The one search did not answer, or answered a question of several parts only partly; the loop may do better."""
    plan_open = any(not is_settled(verdict) for verdict in verdicts_of(state))
    return bool(state.get("may_escalate")) and plan_open and not no_evidence(state)


def _may_read_up(state: AgentState) -> bool:
    """A question of one part may be read up on within the budget."""
    one_part = "understanding" in state and len(state["understanding"].decomposition.parts) == 1
    may = bool(state.get("may_read")) and one_part and not no_evidence(state)
    return may and not out_of_steps(state) and not out_of_tokens(state)


def doubt_to_read(state: AgentState) -> bool:
    """The one search did not answer, and the question can be read up on."""
    return any(not is_settled(verdict) for verdict in verdicts_of(state)) and _may_read_up(state)


def refers_elsewhere(state: AgentState) -> bool:
    """What was found only sends the reader to another clause or document, which can be read."""
    whole = _quoted_whole(state)
    found = ((v.question, v.finding.sentences) for v in verdicts_of(state) if v.task_id not in whole)
    return _may_read_up(state) and any(defers(analyse_question(question), said) for question, said in found)


def _quoted_whole(state: AgentState) -> frozenset[str]:
    """The tasks for a clause itself: nothing but the clause is wanted, whatever it refers to."""
    settled = (r.task.id for r in state.get("results", ()) if r.addressed is not None and r.addressed.is_settled)
    return frozenset(settled)


def conflict_for_loop(state: AgentState) -> bool:
    """The one search found a contradiction that the loop can verify."""
    return bool(state.get("may_escalate")) and new_conflict(state)


def silent_to_read(state: AgentState) -> bool:
    """The draft says nothing, and the question has not been read up on."""
    return says_nothing(state) and doubt_to_read(state)


def silent_in_doubt(state: AgentState) -> bool:
    """The draft says nothing, and the loop has not been tried."""
    return says_nothing(state) and in_doubt(state)
