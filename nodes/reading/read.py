"""Reads the next block, on behalf of the caller: what may not be read, or is gone, is passed over."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from ...context import Context, Resources
from ...knowledge.documents import Block
from ...knowledge.evidence.models import Evidence
from ...reading_state import Pointer, ReadingState, ReadingStop
from .opening import blocks_of, open_reading_step


def read(state: ReadingState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Open the first waiting block that can be read."""
    step = open_reading_step(state, runtime, "read")
    waiting = list(state["waiting"])
    current, pointer = None, None
    while waiting and current is None:
        pointer = waiting.pop(0)
        block = _block(pointer, step.given)
        current = _evidence(pointer, block, state) if block is not None else None
    observation = "" if current is None else f"block {current.block.ordinal + 1} of {current.document.name}"
    record = step.close(action="read", observation=observation)
    update: dict[str, Any] = {"current": current, "waiting": tuple(waiting), "steps": (record,)}
    if current is None or pointer is None:
        return {**update, "stop": ReadingStop.NOTHING_LEFT}
    known = any(one.block_id == pointer.block_id for one in state["opened"])
    opened = state["opened"] if known else (*state["opened"], pointer)
    return {**update, "current_why": pointer.why, "opened": opened}


def _block(pointer: Pointer, given: Resources) -> Block | None:
    """The block as the library has it now for this caller; a pointer alone opens nothing."""
    found = given.library.block(pointer.block_id, given.caller)
    if found is not None and found[1].version == pointer.document.version:
        return found[0]
    blocks = blocks_of(given, pointer.document)
    return next((block for block in blocks if block.block_id == pointer.block_id), None)


def _evidence(pointer: Pointer, block: Block, state: ReadingState) -> Evidence:
    ids = [one.block_id for one in state["opened"]]
    marker = 1 + (ids.index(block.block_id) if block.block_id in ids else len(ids))
    return Evidence(marker=marker, block=block, document=pointer.document, score=pointer.score, focus=pointer.focus)
