"""Answers by quoting: the sentences and table rows of the evidence that answer. Decided by rules, never invents."""

from __future__ import annotations

from typing import Any, cast

from langgraph.runtime import Runtime

from ..context import Context
from ..decisions import Plan
from ..knowledge.evidence.extract import extract_answer
from ..knowledge.evidence.models import Extract, ExtractedSentence, SentenceCheck
from ..state import AgentState, Draft, DraftSentence
from .by_rules.compose import compose
from .evidence import evidence_of, interleaved, results_of
from .messages import message
from .recording import Step, open_step

BUDGET_BRAKES = ("tokens", "steps", "seconds")


def extract(state: AgentState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Quote the answer; what stands below the confidence limit counts as nothing."""
    step = open_step(state, runtime, "extract")
    draft = quoted_draft(state, step)
    record = step.close(
        action="quote",
        observation=f"{len(draft.sentences)} sentences",
        notes=why_quoted(state, draft),
        decided_by=draft.decided_by,
    )
    return {"draft": draft, "steps": (record,)}


def quoted_draft(state: AgentState, step: Step) -> Draft:
    """The extractive draft: part by part, or where no part is answered, of the question as a whole."""
    plan = cast(Plan, state["plan"])
    draft = compose(plan, state.get("verdicts", ()), state["analysis"])
    if draft.sentences or draft.conclusions or len(plan.tasks) == 1:
        return draft
    whole = _whole_question(state, step)
    return draft if whole is None else whole


def _whole_question(state: AgentState, step: Step) -> Draft | None:
    """What all the evidence says to the undivided question: rules may have taken it apart wrongly."""
    given = step.given
    settings = given.settings.answer
    plan, results, evidence = cast(Plan, state["plan"]), results_of(state), state.get("evidence", ())
    together = interleaved([evidence_of(task.id, results, evidence) for task in plan.tasks])
    found = extract_answer(
        state["analysis"],
        together,
        max_sentences=settings.max_sentences,
        idf=given.library.idf(given.caller),
        similarity=given.library.similarity(state["analysis"].text),
    )
    return draft_of_extract(found) if found.sentences and found.confidence >= settings.min_confidence else None


def draft_of_extract(found: Extract) -> Draft:
    """An extract as a draft."""
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


def why_quoted(state: AgentState, quoted: Draft) -> tuple[str, ...]:
    """Why the answer is quoted where a model was to write it, or why the search for it ended early."""
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
