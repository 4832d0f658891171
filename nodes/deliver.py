"""Puts the answer object together: supported sentences with markers, citations, and what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from langgraph.runtime import Runtime

from ..context import Context, thread_of
from ..decisions import DecidedBy, Route
from ..knowledge.documents import Document
from ..knowledge.library import MAX_QUERY_CHARACTERS
from ..knowledge.text.normalise import well_formed
from ..ledger import StepRecord, usage_of
from ..logs import get_logger
from ..models.budget import BudgetUsage
from ..state import (
    AgentState,
    Answer,
    AnswerStatus,
    Citation,
    Language,
    TaskResult,
    TierCost,
    UnsupportedSentence,
    Usage,
)
from ..tools.addressing import lacking_line
from ..tools.soundness import broken_apis, broken_databases
from ..tools.sql.shelf import shelf_of
from .call_report import call_lines, failed_lines, waiting_requests, was_done
from .citations import Cited, cite, notes_on_age
from .evidence import unread_notes
from .failures import reason_of, uncomputable_lines, uncomputable_parts
from .messages import message
from .recording import Step, open_step
from .talking import direct_reply

_log = get_logger("run")
_SENTENCE_JOINT = "\n"
# Where a brake can land; a brake that plans anew has not ended the run.
_LANDINGS = ("answer", "extract", "deliver")
_ONWARD = {"loop": Route.LOOP, "reading": Route.READING}
_GATHERING = ("plan", "verify_evidence", "reflect")


def deliver(state: AgentState, runtime: Runtime[Context]) -> dict[str, Any]:
    """The answer object of a run that is over, whichever rule ended it."""
    step = open_step(state, runtime, "deliver")
    language = cast(Language, state["analysis"].language)
    cited = cite(state.get("checks", ()), state.get("evidence", ()))
    status = status_of(state, cited)
    rule = "consent_needed" if status is AnswerStatus.NEEDS_APPROVAL else ending_rule(state["steps"])
    draft = state.get("draft")
    record = step.close(action=status.value, observation=rule)
    citations = cited.citations if _quotes(status) or _lacks_side(state) else ()
    sources = (*notes_on_age(citations, language), *unread_notes(_used(state, citations), language))
    results = _results(state)
    text = _text(state, status, cited, language, step, thread_of(runtime))
    noted = (*(note for entry in state["steps"] for note in entry.notes), *_unusable(status, step, language))
    answer = Answer(
        question=well_formed(str(state["question"] or "")),
        language=language,
        text=text,
        status=status,
        citations=citations,
        confidence=_confidence(state, status, cited),
        unsupported=_unsupported(state),
        missing=_missing(state),
        conflicts=draft.conflicts if draft is not None and _quotes(status) else (),
        approvals=waiting_requests(_results(state)),
        notes=tuple(note for note in dict.fromkeys((*noted, *sources)) if not _says(text, note, results, language)),
        route=route_of(state),
        decided_by=draft.decided_by if draft is not None else DecidedBy.RULES,
        stop_rule=rule,
        # Calls alone bring no version: then it is that of now.
        library_version=state.get("library_version") or step.given.library.version,
        usage=usage_shown(cast(BudgetUsage, usage_of((*state["steps"], record)))),
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
    return {"answer": answer, "steps": (record,)}


def _used(state: AgentState, citations: Sequence[Citation]) -> Iterator[Document]:
    """The documents that are cited, or where nothing is, those that were looked into."""
    cited = {citation.doc_id for citation in citations}
    return (item.document for item in state.get("evidence", ()) if not cited or item.document.doc_id in cited)


def ending_rule(steps: Sequence[StepRecord]) -> str:
    """The rule that ended the run: the brake that ended its search, else the last one that fired."""
    fired = [record for record in steps if record.rule]
    brakes = [r for r in fired if r.kind == "brake" and r.node in _GATHERING and r.target in _LANDINGS]
    return (brakes or fired)[-1].rule


def route_of(state: AgentState) -> Route:
    """The route that the answer comes from: the last one that another handed over to, else the gate's."""
    onward = [record.target for record in state["steps"] if record.kind == "fallback" and record.target in _ONWARD]
    if onward:
        return _ONWARD[onward[-1]]
    return state["gate"].route if "gate" in state else Route.DIRECT


def status_of(state: AgentState, cited: Cited) -> AnswerStatus:
    """The status that belongs to the rule that ended the run and to what is left of the draft."""
    rule = next(record.rule for record in reversed(state["steps"]) if record.rule)
    fixed = {
        "unusable_question": AnswerStatus.CLARIFY,
        "unclear_question": AnswerStatus.CLARIFY,
        "direct_reply": AnswerStatus.DIRECT,
    }
    if rule in fixed:
        return fixed[rule]
    if waiting_requests(_results(state)):
        return AnswerStatus.NEEDS_APPROVAL
    if not cited.sentences:
        return AnswerStatus.PARTIAL if was_done(_results(state)) else AnswerStatus.INSUFFICIENT
    draft = state.get("draft")
    if draft is not None and draft.shows_conflict:
        return AnswerStatus.CONFLICT
    if draft is not None and draft.lacks_side:
        return AnswerStatus.INSUFFICIENT
    return AnswerStatus.ANSWERED if rule == "answer_verified" else AnswerStatus.PARTIAL


def _quotes(status: AnswerStatus) -> bool:
    return status in (
        AnswerStatus.ANSWERED,
        AnswerStatus.PARTIAL,
        AnswerStatus.CONFLICT,
        AnswerStatus.NEEDS_APPROVAL,
    )


def _results(state: AgentState) -> tuple[TaskResult, ...]:
    """Of this run: a question that needs no search leaves those of the one before in place."""
    return tuple(result for result in state.get("results", ()) if result.trace_id == state["trace_id"])


def _lacks_side(state: AgentState) -> bool:
    draft = state.get("draft")
    return draft is not None and draft.lacks_side


def _text(state: AgentState, status: AnswerStatus, cited: Cited, language: Language, step: Step, thread_id: str) -> str:
    if status is AnswerStatus.DIRECT:
        return direct_reply(state, step, thread_id)
    if status is AnswerStatus.CLARIFY:
        return message(state["problem"], language, limit=f"{MAX_QUERY_CHARACTERS:,}")
    if status is AnswerStatus.INSUFFICIENT and not cited.sentences and (undone := _undone(state, language)):
        return _SENTENCE_JOINT.join((*call_lines(_results(state), language, with_done=True), *undone))
    calls = (
        *call_lines(_results(state), language, with_done=not cited.sentences),
        *uncomputable_lines(_results(state), language),
    )
    if calls and not cited.sentences:
        return _SENTENCE_JOINT.join(calls)
    return _SENTENCE_JOINT.join((*calls, _said(state, status, cited, language)))


def _unusable(status: AnswerStatus, step: Step, language: Language) -> tuple[str, ...]:
    """What is declared and could not be asked, where nothing else has answered."""
    if status is not AnswerStatus.INSUFFICIENT or step.given.given_tools is not None:
        return ()
    library, caller = step.given.library, step.given.caller
    broken = (*broken_apis(library, caller), *broken_databases(library, caller, shelf_of(library)))
    return tuple(message("source_unusable", language, source=one.name) for one in broken)


def _says(text: str, note: str, results: Sequence[TaskResult], language: Language) -> bool:
    """Whether a text says what a note says: the note itself, or the reason of the failure that the note is about."""
    reasons = (reason_of(result, language) for result in results if result.error is not None)
    return note in text or any(reason and reason in note and reason in text for reason in reasons)


def _undone(state: AgentState, language: Language) -> tuple[str, ...]:
    """What could not be done: what the user would have to say for it, and which calls failed, one line each."""
    lacking = (note for record in state["steps"] if record.node == "plan" for note in record.notes)
    said = tuple(dict.fromkeys((*lacking, *failed_lines(_results(state), language))))
    return said if len(_parts(state)) <= len(said) else ()


def _parts(state: AgentState) -> tuple[str, ...]:
    return tuple(part.text for part in state["understanding"].decomposition.parts)


def _said(state: AgentState, status: AnswerStatus, cited: Cited, language: Language) -> str:
    """What the documents and results say, and what they do not."""
    # That something cannot be computed is no gap in the documents, and is said by itself.
    known = uncomputable_parts(_results(state))
    missing = [part for part in _missing(state) if part not in known]
    parts = ("、" if language == "zh" else "; ").join(missing)
    if status is AnswerStatus.INSUFFICIENT and _lacks_side(state) and cited.sentences:
        return _SENTENCE_JOINT.join((message("cannot_compare", language, parts=parts), *cited.sentences))
    if status is AnswerStatus.INSUFFICIENT and (lacking := _lacking(state, language)):
        return _SENTENCE_JOINT.join(lacking)
    if status is AnswerStatus.INSUFFICIENT:
        return message("not_found_parts", language, parts=parts) if parts else message("not_found", language)
    lines = list(cited.sentences)
    if status is AnswerStatus.CONFLICT:
        lines.insert(0, message("conflict_lead", language))
    if parts:
        lines.append(message("missing", language, parts=parts))
    return _SENTENCE_JOINT.join(lines)


def _lacking(state: AgentState, language: Language) -> tuple[str, ...]:
    """That a document has no part of the number which is asked for, where that is so."""
    looked_up = (result.addressed for result in _results(state) if result.addressed is not None)
    lines = (lacking_line(said, document, language) for one in looked_up for said, document in one.lacking)
    return tuple(dict.fromkeys(lines))


def _missing(state: AgentState) -> tuple[str, ...]:
    draft = state.get("draft")
    return draft.missing if draft is not None else ()


def _confidence(state: AgentState, status: AnswerStatus, cited: Cited) -> float:
    if not _quotes(status):
        return 1.0 if status is AnswerStatus.DIRECT else 0.0
    checks = state.get("checks", ())
    if not checks:
        return 0.0
    supported = sum(check.supported for check in checks) / len(checks)
    draft = state.get("draft")
    return round(draft.confidence * supported, 3) if draft is not None else 0.0


def _unsupported(state: AgentState) -> tuple[UnsupportedSentence, ...]:
    return tuple(
        UnsupportedSentence(text=check.text, reasons=tuple(f"{f.kind}: {f.detail}" for f in check.faults))
        for check in state.get("checks", ())
        if not check.supported
    )


def usage_shown(spent: BudgetUsage) -> Usage:
    """What a run has cost, as it is reported."""
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
