"""Chooses the route and the budget of a question by three scores (S2 §2.2). By rules; a model in the grey zone."""

from __future__ import annotations

from typing import Any, cast

from langgraph.runtime import Runtime

from ..context import Context
from ..decisions import DecidedBy, GateDecision, Route, Understanding
from ..errors import BudgetExceededError, ModelError
from ..knowledge.evidence.cross_references import references_in
from ..knowledge.questions.models import Combination, GateScores, QuestionType
from ..knowledge.questions.scores import class_of, is_grey, score_question
from ..models.budget import BudgetLimits, QuestionClass
from ..prompts.loader import Language
from ..state import AgentState
from ..tools.read_section import READ_SECTION
from ..tools.search_documents import SEARCH_DOCUMENTS
from .by_model.gate import score_by_model
from .by_rules.tool_tasks import choose
from .recording import Step, open_step
from .talking import talks

_ROUTES: dict[QuestionClass, Route] = {
    "simple": Route.LINEAR,
    "medium": Route.TWO_STEP,
    "complex": Route.LOOP,
}
_ORDER = (Route.LINEAR, Route.READING, Route.TWO_STEP, Route.LOOP)


def gate(
    state: AgentState, runtime: Runtime[Context], *, routes: frozenset[Route] = frozenset(Route)
) -> dict[str, Any]:
    """Small talk is answered directly; everything else takes the route of its class, within the budget of its class.

    Of the routes that the graph has (`routes`), those count that the host application allows.
    """
    step = open_step(state, runtime, "gate")
    allowed = (routes & step.given.routes) or routes
    decision = _decide(state, step, allowed)
    limits = BudgetLimits.for_class(decision.question_class)
    seconds = limits.seconds * step.given.settings.budget.time_factor
    scores = decision.scores
    record = step.close(
        action=decision.route.value,
        arguments={"complexity": scores.complexity, "sources": scores.sources, "stakes": scores.stakes},
        observation=f"{decision.question_class}, {scores.total} of 30",
        thought="; ".join(scores.reasons),
        decided_by=decision.decided_by,
    )
    return {
        "gate": decision,
        "limits": limits.model_copy(update={"seconds": seconds}),
        "has_models": step.models is not None,
        "may_escalate": Route.LOOP in allowed,
        "may_read": _may_read(step, allowed),
        "steps": (record,),
    }


def _decide(state: AgentState, step: Step, allowed: frozenset[Route]) -> GateDecision:
    analysis, understanding = state["analysis"], state["understanding"]
    is_talk = analysis.is_small_talk or understanding.question_type is QuestionType.CHITCHAT
    if is_talk or talks(str(state["question"] or ""), step) is not None:
        return GateDecision(route=Route.DIRECT, question_class="simple")
    by_rules = score_question(analysis, understanding.decomposition)
    scores = _by_model(state, step) if step.models is not None and is_grey(by_rules) else None
    found = scores or by_rules
    question_class = class_of(found)
    route = _route(question_class, understanding, step)
    if route is Route.LINEAR and _starts_reading(state, step, allowed):
        route = Route.READING
    return GateDecision(
        route=nearest_route(route, allowed),
        question_class=question_class,
        scores=found,
        decided_by=DecidedBy.LIGHT if scores else DecidedBy.RULES,
    )


def _route(question_class: QuestionClass, understanding: Understanding, step: Step) -> Route:
    """The route of the class; but one search cannot answer parts one by one, nor compute from them, nor ask a tool."""
    wanted = _ROUTES[question_class]
    is_plain = understanding.combination is Combination.SINGLE and not _for_another_tool(understanding, step)
    return wanted if is_plain or wanted is not Route.LINEAR else Route.TWO_STEP


def _may_read(step: Step, allowed: frozenset[Route]) -> bool:
    """Whether the linear route may hand over to reading: the graph has it, and so has the registry the tool."""
    return Route.READING in allowed and READ_SECTION in step.given.tools


def _starts_reading(state: AgentState, step: Step, allowed: frozenset[Route]) -> bool:
    """Whether a plain question names the place where its answer stands, and such questions are read up on at once."""
    wanted = step.given.settings.reading.starts_at_labels and _may_read(step, allowed)
    asked = state["understanding"].standalone
    return wanted and any(reference.label is not None for reference in references_in(asked))


def _for_another_tool(understanding: Understanding, step: Step) -> bool:
    """Whether a part is for another tool than the search, or a model should say whether it is."""
    chosen = [choose(part.text, step.given.tools) for part in understanding.decomposition.parts]
    in_doubt = step.models is not None and any(choice.runner_up for choice in chosen)
    return in_doubt or any(choice.tool != SEARCH_DOCUMENTS or choice.missing for choice in chosen)


def _by_model(state: AgentState, step: Step) -> GateScores | None:
    if step.models is None:
        return None
    language = cast(Language, state["analysis"].language)
    try:
        return score_by_model(state["understanding"].standalone, language, step.models)
    except (ModelError, BudgetExceededError):
        return None


def nearest_route(wanted: Route, allowed: frozenset[Route]) -> Route:
    """The wanted route, else the next that does more, else the next that does less; linear where none is allowed."""
    at = _ORDER.index(wanted)
    candidates = (*_ORDER[at:], *reversed(_ORDER[:at]))
    return next((route for route in candidates if route in allowed), Route.LINEAR)
