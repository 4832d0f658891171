"""Answers by quoting: the sentences and table rows of the evidence that answer. Decided by rules, never invents."""

from __future__ import annotations

from typing import Any, cast

from langgraph.runtime import Runtime

from ..context import Context
from ..decisions import Plan
from ..knowledge.text.counting import counted
from ..state import AgentState, Draft
from .by_rules.compose import compose
from .by_rules.judge import COMPARED
from .messages import message
from .recording import open_step

BUDGET_BRAKES = ("tokens", "steps", "seconds")


def extract(state: AgentState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Quote the answer; what stands below the confidence limit counts as nothing."""
    step = open_step(state, runtime, "extract")
    draft = quoted_draft(state)
    record = step.close(
        action="quote",
        observation=counted(len(draft.sentences), "sentence"),
        notes=why_quoted(state, draft),
        decided_by=draft.decided_by,
    )
    return {"draft": draft, "steps": (record,)}


def quoted_draft(state: AgentState) -> Draft:
    """The extractive draft, part by part."""
    return compose(cast(Plan, state["plan"]), state.get("verdicts", ()), state["analysis"])


def why_quoted(state: AgentState, quoted: Draft) -> tuple[str, ...]:
    """What the user should know of a quoted answer: why it is one, why the search ended early, what rules left open."""
    return (*_why_no_model(state, quoted), *_left_open(state, quoted))


def _left_open(state: AgentState, quoted: Draft) -> tuple[str, ...]:
    """Both sides of a comparison stand there, and no rule was sure enough to compare them."""
    combination = cast(Plan, state["plan"]).combination
    is_open = combination in COMPARED and quoted.sentences and not quoted.conclusions and not quoted.lacks_side
    return (message("comparison_open", state["analysis"].language),) if is_open else ()


def _why_no_model(state: AgentState, quoted: Draft) -> tuple[str, ...]:
    last, language = state["steps"][-1], state["analysis"].language
    draft = state.get("draft")
    if last.rule == "extractive_on_model_failure" and draft is not None:
        return (message("model_failed", language, reason=draft.failure),)
    if last.rule == "extractive_on_unsupported":
        return (message("model_unsupported", language),)
    is_empty = not quoted.sentences and not quoted.conclusions
    if last.kind != "brake" or last.rule == "conflict_presented" or is_empty:
        return ()
    if last.rule in BUDGET_BRAKES:
        return (message("budget_used_up", language, what=message(f"brake_{last.rule}", language)),)
    return (message("search_stopped", language),)
