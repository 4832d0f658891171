"""Decides after each block: note, go on, skip or stop; checks the notes against every sub-question before it does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from langgraph.runtime import Runtime

from ...context import Context
from ...decisions import DecidedBy, SubTask, TaskVerdict
from ...errors import BudgetExceededError, ModelError
from ...knowledge.evidence.models import Evidence
from ...ledger import StepRecord
from ...logs import get_logger
from ...prompts.loader import Language
from ...reading_state import Pointer, ReadBlock, ReadingState, WhyRead
from .by_model import Case, decide_by_model
from .checking import decision_of
from .deciding import (
    Decision,
    awaits_reference,
    decide_by_rules,
    has_compared,
    is_reread_too_often,
    may_read,
    times_read,
    unread,
    why_stop,
)
from .following import referenced, reordered, rest_of_section, rest_of_table
from .judging import askable, is_sure, spans_of
from .looking import MOST_OPTIONS, Looked, looked_at, options_at
from .noting import Noted, noted
from .opening import models_for, open_reading_step
from .starting import found_for

_log = get_logger("reading")
# A model that gave no usable reply so often is not asked any more in this reading.
_MOST_FAILURES = 2


def decide(state: ReadingState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Judge the block that was just read, take a note where it helps, and line up what comes next."""
    step = open_reading_step(state, runtime, "decide")
    at = looked_at(state, step)
    by_rules = decide_by_rules(
        at.bearing, spans_of(at.source, at.bearing.sentences), state["current_why"], at.source.focus
    )
    options = options_at(at)
    decision = _by_model(at, by_rules, options) or by_rules
    notes = noted(at, decision)
    read = (*state["read"], _read_block(state, at.source, decision))
    waiting = _waiting(at, decision, notes, options, read)
    stop = why_stop(
        _is_sufficient(state["parts"], notes.verdicts, decision, waiting, read),
        waiting,
        len(read),
        step.given.settings.reading.max_blocks,
        step.budget.seconds_left() <= 0,
    )
    signals = _signals(state, at.source, read)
    record = step.close(
        thought=decision.reason,
        action=decision.action.value,
        arguments={verdict.task_id: verdict.sufficiency.value for verdict in notes.verdicts},
        observation=stop.value if stop is not None else f"{len(waiting)} waiting",
        decided_by=decision.decided_by,
    )
    return {
        **notes._asdict(),
        "read": read,
        "waiting": waiting,
        "stop": stop,
        "signals": signals,
        "steps": (record,),
    }


def _by_model(at: Looked, by_rules: Decision, options: Sequence[Pointer]) -> Decision | None:
    """A model's decision; None where there is no model, or none that gives usable replies."""
    state, step = at.state, at.step
    failures = sum(r.node == "decide" and bool(r.exchanges) and _is_by_rules(r) for r in state["steps"])
    models = models_for(state, step)
    if models is None or failures >= _MOST_FAILURES:
        return None
    language = cast(Language, at.language)
    parts = [_in_words(part, state["verdicts"]) for part in state["parts"]]
    try:
        reply = decide_by_model(Case(state["question"], parts, state["notes"], at.source, options), language, models)
    except (ModelError, BudgetExceededError):
        return None
    ids = tuple(part.id for part in state["parts"])
    return decision_of(reply, at.source, at.bearing, by_rules, ids, options, len(state["notes"]))


def _is_by_rules(record: StepRecord) -> bool:
    return record.decided_by is DecidedBy.RULES


def _in_words(part: SubTask, verdicts: Sequence[TaskVerdict]) -> str:
    return (askable(part, verdicts) or part).question


def _read_block(state: ReadingState, source: Evidence, decision: Decision) -> ReadBlock:
    return ReadBlock(
        block_id=source.block.block_id,
        document=source.document.name,
        section_path=source.block.section_path,
        why=state["current_why"],
        action=decision.action,
        reason=decision.reason,
        times=1 + times_read(source.block.block_id, state["read"]),
        decided_by=decision.decided_by,
    )


def _waiting(
    at: Looked, decision: Decision, notes: Noted, options: Sequence[Pointer], read: Sequence[ReadBlock]
) -> tuple[Pointer, ...]:
    """What comes next: what the reader chose, what the note leads to, then the candidates."""
    rest = (*_led_to(at, decision), *_follow_ups(at, notes), *at.state["waiting"])
    fresh = unread(reordered(rest, at.source.document.doc_id) if decision.quotes else rest, read)
    chosen = next((one for one in (*fresh, *options) if one.block_id == decision.next_block), None)
    if chosen is None or not may_read(chosen.block_id, read):
        return fresh
    return (chosen, *(pointer for pointer in fresh if pointer.block_id != chosen.block_id))


def _led_to(at: Looked, decision: Decision) -> tuple[Pointer, ...]:
    """The blocks that a note leads to; where a block only came near, the one behind it."""
    if decision.quotes:
        quoted = "\n".join(at.source.block.text[span.start : span.end] for span in decision.quotes)
        return (
            *referenced(at.source, quoted, at.shelf),
            *rest_of_table(at.source, at.blocks),
            *rest_of_section(at.source, at.blocks),
        )
    near = (*rest_of_table(at.source, at.blocks), *rest_of_section(at.source, at.blocks))
    return near if at.bearing.is_near else ()


def _follow_ups(at: Looked, notes: Noted) -> tuple[Pointer, ...]:
    """What the search finds for sub-questions that can be asked now that an earlier one has brought a name."""
    state = at.state
    newly = (
        asked.question
        for part in state["parts"]
        if part.depends_on and askable(part, state["verdicts"]) != (asked := askable(part, notes.verdicts)) and asked
    )
    found = (found_for(question, state, at.step.given, WhyRead.FOLLOW_UP) for question in newly)
    return tuple(pointer for pointers in found for pointer in pointers[:MOST_OPTIONS])


def _is_sufficient(
    parts: Sequence[SubTask],
    verdicts: Sequence[TaskVerdict],
    decision: Decision,
    waiting: Sequence[Pointer],
    read: Sequence[ReadBlock],
) -> bool:
    """Whether the notes answer everything: by rules beyond doubt and with no reference open, or by a model's word."""
    said = decision.decided_by is not DecidedBy.RULES and {part.id for part in parts} <= set(decision.answered)
    by_rules = is_sure(parts, verdicts) and not awaits_reference(waiting)
    return (said and bool(verdicts)) or (by_rules and (has_compared(read) or not waiting))


def _signals(state: ReadingState, source: Evidence, read: Sequence[ReadBlock]) -> tuple[str, ...]:
    if not is_reread_too_often(source.block.block_id, read):
        return state["signals"]
    signal = f"block {source.block.ordinal + 1} of {source.document.name} was read again more than twice"
    if signal not in state["signals"]:
        _log.warning("block_read_again", trace_id=state["trace_id"], block_id=source.block.block_id)
    return tuple(dict.fromkeys((*state["signals"], signal)))
