"""Reads the question: language, kind of answer, entities, values. Decided by rules."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from langgraph.runtime import Runtime

from ..context import Context
from ..knowledge.evidence.question import analyse_question
from ..knowledge.library import MAX_QUERY_CHARACTERS
from ..knowledge.text.normalise import well_formed
from ..state import AgentState
from .metering import open_budget


def understand(state: AgentState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Analyse the question and start the run's meter."""
    budget = open_budget(state)
    question = well_formed(state["question"]).strip()
    problem = _problem(question)
    analysis = analyse_question(question[:MAX_QUERY_CHARACTERS])
    return {"trace_id": uuid4().hex, "analysis": analysis, "problem": problem, "usage": budget.usage()}


def _problem(question: str) -> str:
    if not any(character.isalnum() for character in question):
        return "empty"
    return "too_long" if len(question) > MAX_QUERY_CHARACTERS else ""
