"""Puts the answer object together: supported sentences with markers, citations, and what is missing."""

from __future__ import annotations

from typing import Any, cast

from langgraph.runtime import Runtime

from ..context import Context, resources
from ..knowledge.library import MAX_QUERY_CHARACTERS
from ..logs import get_logger
from ..models.budget import BudgetUsage
from ..state import (
    AgentState,
    Answer,
    AnswerStatus,
    DecidedBy,
    Language,
    Route,
    TierCost,
    UnsupportedSentence,
    Usage,
)
from .citations import Cited, cite
from .messages import message
from .metering import open_budget

_log = get_logger("run")
_SENTENCE_JOINT = "\n"


def deliver(state: AgentState, runtime: Runtime[Context]) -> dict[str, Any]:
    """The answer object of a run that is over, whichever rule ended it."""
    budget = open_budget(state)
    language = cast(Language, state["analysis"].language)
    cited = cite(state.get("checks", ()), state.get("evidence", ()))
    status = status_of(state, cited)
    answer = Answer(
        question=state["question"],
        language=language,
        text=_text(state, status, cited, language),
        status=status,
        citations=cited.citations if _quotes(status) else (),
        confidence=_confidence(state, status, cited),
        unsupported=_unsupported(state),
        missing=_missing(state),
        notes=state.get("notes", ()),
        route=state["gate"].route if "gate" in state else Route.DIRECT,
        decided_by=state["draft"].decided_by if "draft" in state else DecidedBy.RULES,
        stop_rule=state["fired"][-1].rule,
        library_version=_library_version(state, runtime),
        usage=_usage(budget.usage()),
        trace_id=state["trace_id"],
    )
    _log.info(
        "run_ended",
        trace_id=answer.trace_id,
        status=answer.status.value,
        rule=answer.stop_rule,
        tokens=answer.usage.tokens,
        seconds=answer.usage.seconds,
    )
    return {"answer": answer}


def status_of(state: AgentState, cited: Cited) -> AnswerStatus:
    """The status that belongs to the rule that ended the run and to what is left of the draft."""
    rule = state["fired"][-1].rule
    fixed = {"unusable_question": AnswerStatus.CLARIFY, "direct_reply": AnswerStatus.DIRECT}
    if rule in fixed:
        return fixed[rule]
    if not cited.sentences:
        return AnswerStatus.INSUFFICIENT
    return AnswerStatus.ANSWERED if rule == "answer_verified" else AnswerStatus.PARTIAL


def _quotes(status: AnswerStatus) -> bool:
    return status in (AnswerStatus.ANSWERED, AnswerStatus.PARTIAL)


def _text(state: AgentState, status: AnswerStatus, cited: Cited, language: Language) -> str:
    if status is AnswerStatus.DIRECT:
        return message("hello", language)
    if status is AnswerStatus.CLARIFY:
        return message(state["problem"], language, limit=f"{MAX_QUERY_CHARACTERS:,}")
    parts = "、".join(_missing(state)) if language == "zh" else "; ".join(_missing(state))
    if status is AnswerStatus.INSUFFICIENT:
        return message("not_found_parts", language, parts=parts) if parts else message("not_found", language)
    lines = list(cited.sentences)
    if parts:
        lines.append(message("missing", language, parts=parts))
    return _SENTENCE_JOINT.join(lines)


def _missing(state: AgentState) -> tuple[str, ...]:
    return state["draft"].missing if "draft" in state else ()


def _confidence(state: AgentState, status: AnswerStatus, cited: Cited) -> float:
    if not _quotes(status):
        return 1.0 if status is AnswerStatus.DIRECT else 0.0
    checks = state["checks"]
    supported = sum(check.supported for check in checks) / len(checks)
    return round(state["draft"].confidence * supported, 3)


def _unsupported(state: AgentState) -> tuple[UnsupportedSentence, ...]:
    return tuple(
        UnsupportedSentence(text=check.text, reasons=tuple(f"{f.kind}: {f.detail}" for f in check.faults))
        for check in state.get("checks", ())
        if not check.supported
    )


def _library_version(state: AgentState, runtime: Runtime[Context]) -> int:
    return state["library_version"] if "library_version" in state else resources(runtime).library.version


def _usage(spent: BudgetUsage) -> Usage:
    tiers = {"light": spent.light, "mid": spent.mid, "strong": spent.strong}
    return Usage(
        steps=spent.steps,
        model_calls=spent.model_calls,
        tokens=spent.tokens,
        seconds=round(spent.elapsed_seconds, 3),
        by_tier={
            name: TierCost(calls=tier.calls, tokens_in=tier.tokens_in, tokens_out=tier.tokens_out)
            for name, tier in tiers.items()
            if tier.calls
        },
    )
