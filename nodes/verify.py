"""Checks the draft sentence by sentence against what it cites. Decided by rules (design §6)."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from ..context import Context
from ..knowledge.evidence.check import check_answer
from ..knowledge.evidence.models import Evidence, Fault, SentenceCheck
from ..state import AgentState, Draft
from .metering import open_budget


def verify(state: AgentState, runtime: Runtime[Context]) -> dict[str, Any]:
    """A verdict for every sentence; quoted sentences must stand in their block byte for byte."""
    budget = open_budget(state)
    evidence = state.get("evidence", ())
    checks = check_draft(state["draft"], evidence)
    return {"checks": checks, "usage": budget.usage()}


def check_draft(draft: Draft, evidence: tuple[Evidence, ...]) -> tuple[SentenceCheck, ...]:
    """Check a draft: a quoted one by its quotes, a written one by the deterministic checks."""
    if draft.checks:
        texts = {item.block.block_id: item.block.text for item in evidence}
        return tuple(_check_quotes(check, texts) for check in draft.checks)
    return check_answer([(sentence.text, sentence.markers) for sentence in draft.sentences], evidence)


def _check_quotes(check: SentenceCheck, texts: dict[str, str]) -> SentenceCheck:
    wrong = [
        quote
        for quote in check.quotes
        if texts.get(quote.block_id, "")[quote.span.start : quote.span.end] != quote.text or not quote.text
    ]
    if not wrong and check.quotes:
        return check
    fault = Fault(kind="not_in_source", detail=wrong[0].text if wrong else check.text)
    return check.model_copy(update={"supported": False, "faults": (fault,)})
