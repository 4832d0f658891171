"""Reads the question: language, kind of answer, parts and how they combine. By rules; a model where they are unsure."""

from __future__ import annotations

from datetime import date
from typing import Any, cast
from uuid import uuid4

from langgraph.runtime import Runtime

from ..context import Context
from ..decisions import FILTER_ARGUMENTS, Understanding
from ..errors import BudgetExceededError, ModelError
from ..knowledge.evidence.question import QuestionAnalysis, analyse_question
from ..knowledge.library import MAX_QUERY_CHARACTERS
from ..knowledge.query.models import SearchFilter, SearchQuery
from ..knowledge.questions.decompose import decompose
from ..knowledge.questions.models import Combination, QuestionType
from ..knowledge.questions.scores import score_question
from ..knowledge.text.normalise import well_formed
from ..models.budget import BudgetLimits
from ..prompts.loader import Language
from ..state import AgentState
from ..tools.search_documents import SEARCH_DOCUMENTS
from .by_model.understand import understand_by_model
from .by_rules.tool_tasks import choose
from .recording import Step, open_step
from .talking import asked_before, talks

# From this complexity on rules may have missed how a question falls into parts.
_MAYBE_SEVERAL = 4
# The search reads these from the question again; their words stay in it.
_EDITION_FIELDS = frozenset({"editions", "edition_titles"})


def understand(state: AgentState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Analyse the question, and forget what an earlier question of the same thread has left behind."""
    fresh = _fresh()
    step = open_step(cast(AgentState, {"question": state["question"], **fresh}), runtime, "understand")
    question = well_formed(str(state["question"] or "")).strip()
    problem = _problem(question)
    is_searched = not problem and choose(question, step.given.tools).tool == SEARCH_DOCUMENTS
    # What narrows a search says something else to another tool: the rows of a table, the day to reckon from.
    asked = _without_filter(question, step) if is_searched else None
    analysis = analyse_question(asked.text if asked else question[:MAX_QUERY_CHARACTERS])
    by_rules = Understanding(
        standalone=analysis.text,
        decomposition=decompose(analysis),
        filter=asked.filter if asked else SearchFilter(),
    )
    if is_searched and _is_unclear(by_rules) and talks(question, step) is None:
        problem = "unclear"
    found = by_rules if problem or step.models is None else _with_model(by_rules, analysis, step)
    parts = len(found.decomposition.parts)
    record = step.close(
        action=found.question_type.value,
        arguments={"parts": parts, "combination": found.combination.value},
        observation=problem or f"{analysis.language}, {analysis.answer_type.value}",
        decided_by=found.decided_by,
    )
    return {
        **fresh,
        "asked_by": step.given.identity,
        "asked_before": asked_before(state, step.given.identity),
        "analysis": analysis,
        "understanding": found,
        "problem": problem,
        "steps": (record,),
    }


def _fresh() -> dict[str, Any]:
    return {
        "trace_id": uuid4().hex,
        "limits": BudgetLimits.for_class("simple"),
        "plan": None,
        "plan_problem": "",
        "pending": (),
        "evidence": (),
        "verdicts": (),
        "rounds": (),
        "reflections": (),
        "draft": None,
        "checks": (),
    }


def _without_filter(question: str, step: Step) -> SearchQuery | None:
    """The question without the words that only say which documents are searched; None where it has none of them.

    "Issued since 2023" or "in force in 2022" is no part of what is asked: looked for in the text, the answer would
    lack it. What is in force today is asked for in so many ways that its words stay.
    """
    given = step.given
    query = given.library.read_query(question, given.caller)
    set_fields = query.filter.model_dump(exclude_defaults=True).keys()
    past = query.filter.in_force_on is not None and query.filter.in_force_on != date.today()
    if set_fields and set_fields <= _EDITION_FIELDS:
        return query
    dated = query.filter.dated_from or query.filter.dated_to or past
    return query if dated and FILTER_ARGUMENTS.issuperset(set_fields) else None


def _problem(question: str) -> str:
    if not any(character.isalnum() for character in question):
        return "empty"
    return "too_long" if len(question) > MAX_QUERY_CHARACTERS else ""


def _is_unclear(found: Understanding) -> bool:
    return found.question_type is QuestionType.CLARIFY


def _with_model(by_rules: Understanding, analysis: QuestionAnalysis, step: Step) -> Understanding:
    """A model's view where the rules see several parts or a hard question; theirs where it gives none."""
    is_plain = by_rules.combination is Combination.SINGLE
    hard = score_question(analysis, by_rules.decomposition).complexity >= _MAYBE_SEVERAL
    if step.models is None or (is_plain and not hard):
        return by_rules
    try:
        return understand_by_model(analysis.text, cast(Language, analysis.language), step.models)
    except (ModelError, BudgetExceededError):
        return by_rules
