"""Answers by quoting: the sentences and table rows of the evidence that answer. Decided by rules, never invents."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from ..context import Context, resources
from ..knowledge.evidence.extract import extract_answer
from ..knowledge.evidence.models import Extract, ExtractedSentence, SentenceCheck
from ..state import AgentState, Draft, DraftSentence
from .messages import message
from .metering import open_budget


def extract(state: AgentState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Quote the answer; an extract below the confidence limit counts as none."""
    budget = open_budget(state)
    draft = quoted_draft(state, runtime)
    return {"draft": draft, "notes": _why(state), "usage": budget.usage()}


def quoted_draft(state: AgentState, runtime: Runtime[Context]) -> Draft:
    """The extractive draft of this run's evidence."""
    given = resources(runtime)
    settings = given.settings.answer
    found = extract_answer(
        state["analysis"],
        state.get("evidence", ()),
        max_sentences=settings.max_sentences,
        idf=given.library.idf(given.caller),
        similarity=given.library.similarity(state["analysis"].text),
    )
    if found.confidence < settings.min_confidence or not found.sentences:
        return Draft(missing=found.missing, confidence=found.confidence)
    return _draft_of(found)


def _draft_of(found: Extract) -> Draft:
    return Draft(
        sentences=tuple(_sentence(item) for item in found.sentences),
        checks=tuple(_check(item) for item in found.sentences),
        missing=found.missing,
        confidence=found.confidence,
    )


def _sentence(item: ExtractedSentence) -> DraftSentence:
    return DraftSentence(text=item.text, markers=tuple(dict.fromkeys(quote.marker for quote in item.quotes)))


def _check(item: ExtractedSentence) -> SentenceCheck:
    return SentenceCheck(text=item.text, supported=True, quotes=item.quotes, score=1.0)


def _why(state: AgentState) -> tuple[str, ...]:
    """Why the answer is quoted where a model was to write it."""
    fired, language = state["fired"][-1], state["analysis"].language
    if fired.rule == "extractive_on_model_failure":
        return (message("model_failed", language, reason=state["draft"].failure),)
    if fired.rule == "extractive_on_unsupported":
        return (message("model_unsupported", language),)
    return (message("cut_short", language, what=fired.rule),) if fired.kind == "brake" else ()
