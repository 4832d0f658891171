"""What the steps of the loop share: how one begins, what may be read, and where blocks come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from langgraph.runtime import Runtime

from ...context import Context, Resources, resources
from ...errors import UsageError
from ...knowledge.asking import documents_within
from ...knowledge.documents import Block, Document
from ...knowledge.query.models import SearchFilter
from ...ledger import usage_of
from ...models.budget import BudgetLimits
from ...models.metered import MeteredModels
from ...reading_state import ReadingState
from ...tools.registry import ToolRegistry
from ..recording import Step

MODEL_ROOM = 6_000
"""Tokens from which on a reading is left to a model: the directory, and four blocks of about 1,200 (S0 §3.4)."""


def open_reading_step(state: ReadingState, runtime: Runtime[Context], node: str) -> Step:
    """Begin a step of a reading; its key counts how often the node has run.

    Raises:
        UsageError: the reading began on behalf of another caller, or over another library.
    """
    given = resources(without_tools(runtime))
    if state.get("asked_by", given.identity) != given.identity:
        raise UsageError("this reading belongs to another caller or library: resume it with those that it began with")
    own = [record for record in state.get("steps", ()) if record.trace_id == state["trace_id"]]
    number = sum(record.node == node for record in own) + 1
    return Step(node, f"reading/{node}/{number}", state["trace_id"], limits_of(state, given), usage_of(own), given)


def without_tools(runtime: Runtime[Context]) -> Runtime[Context]:
    """The runtime without tools: a reading calls none, and putting them together for each block would cost time."""
    return runtime.override(context=replace(runtime.context or Context(), tools=ToolRegistry(())))


def models_for(state: ReadingState, step: Step) -> MeteredModels | None:
    """The models that decide in this reading; none where the budget is too small for more than a block or two."""
    return step.models if state.get("asks_models") else None


def limits_of(state: ReadingState, given: Resources) -> BudgetLimits:
    """What the reading may cost; on its own that of a complex question, with no answer to keep tokens for."""
    found = state.get("limits")
    if found is not None:
        return found
    alone = BudgetLimits.for_class("complex")
    factor = given.settings.budget.time_factor
    return alone.model_copy(update={"answer_reserve": 0, "seconds": alone.seconds * factor})


def readable_documents(state: ReadingState, given: Resources) -> list[Document]:
    """The documents that the caller may read and the question is not kept from."""
    return documents_within(given.documents(), state.get("filters") or SearchFilter())


def blocks_of(given: Resources, document: Document) -> Sequence[Block]:
    """A document's blocks in reading order, of the very version that a block of it was found in."""
    return given.library.blocks_of_version(document.doc_id, document.version, given.caller) or given.library.blocks(
        document.doc_id, given.caller
    )
