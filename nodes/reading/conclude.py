"""Puts the result of a reading together."""

from __future__ import annotations

from typing import Any, cast

from langgraph.runtime import Runtime

from ...context import Context
from ...decisions import DecidedBy
from ...ledger import usage_of
from ...reading_state import ReadingResult, ReadingState, ReadingStop
from .judging import doubtful_parts, open_parts
from .opening import open_reading_step


def conclude(state: ReadingState, runtime: Runtime[Context]) -> dict[str, Any]:
    """The notes, the way that was read, and what stayed open."""
    step = open_reading_step(state, runtime, "conclude")
    stop = cast(ReadingStop, state["stop"])
    record = step.close(action=stop.value)
    # What rules or a model called answered is; what was merely left when nothing promising was is open.
    left = open_parts if stop is ReadingStop.SUFFICIENT else doubtful_parts
    tiers = {record.decided_by for record in state["steps"]} - {DecidedBy.RULES}
    result = ReadingResult(
        question=state["question"],
        notes=state["notes"],
        read=state["read"],
        beside=state["near"],
        stop=stop,
        open=left(state["parts"], state["verdicts"]),
        signals=state["signals"],
        library_version=state["library_version"],
        decided_by=max(tiers, key=_height, default=DecidedBy.RULES),
        usage=usage_of((*state["steps"], record)),
    )
    return {"reading": result, "steps": (record,)}


def _height(tier: DecidedBy) -> int:
    return list(DecidedBy).index(tier)
