"""Records the run beside the documents that it has seen, so that it can be shown and run again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from langgraph.runtime import Runtime

from ..configs.model_settings import Tier
from ..context import Context, Resources, resources, thread_of
from ..decisions import Route, SubTask
from ..errors import LibraryError, ModelError
from ..knowledge.store import StoredTrace
from ..knowledge.text.normalise import well_formed
from ..logs import get_logger
from ..state import AgentState
from ..tools.results import is_result
from .memories import documents_behind_memory, remember_in_memory

_log = get_logger("run")


def remember(
    state: AgentState, runtime: Runtime[Context], *, routes: frozenset[Route] = frozenset(Route)
) -> dict[str, Any]:
    """Store the run's trace and what is worth remembering. A library that cannot take it now loses that, no answer.

    `routes` are those that the graph has, as for the gate.
    """
    given = resources(runtime)
    if given.replay is not None:
        return {}
    thread_id = thread_of(runtime)
    # Where the trace had to wait in vain, memory would too.
    can_write = not given.settings.traces.enabled or _store_trace(state, given, routes, thread_id)
    if can_write and given.settings.memory.enabled:
        _store_memories(state, given, thread_id)
    return {}


def _store_trace(state: AgentState, given: Resources, routes: frozenset[Route], thread_id: str) -> bool:
    """Store the trace; False where the library cannot be written now."""
    trace_id = state["trace_id"]
    try:
        trace = trace_of(state, given, (routes & given.routes) or routes)
        behind = documents_behind_memory(state, given, thread_id)
        if not given.library.put_trace(trace.model_copy(update={"doc_ids": trace.doc_ids | behind})):
            _log.warning("trace_dropped", trace_id=trace_id, reason="a document that it has seen was removed")
    except LibraryError as error:
        _log.warning("trace_not_stored", trace_id=trace_id, reason=str(error))
        return False
    return True


def _store_memories(state: AgentState, given: Resources, thread_id: str) -> None:
    try:
        remember_in_memory(state, given, thread_id)
    except LibraryError as error:
        _log.warning("memory_not_stored", trace_id=state["trace_id"], reason=str(error))


def trace_of(state: AgentState, given: Resources, routes: frozenset[Route]) -> StoredTrace:
    """The run as it is stored."""
    answer = state["answer"]
    records = [record for record in state["steps"] if record.trace_id == state["trace_id"]]
    return StoredTrace(
        trace_id=state["trace_id"],
        started_at=records[0].started_at,
        question=well_formed(state["question"]),
        status=answer.status.value,
        route=answer.route.value,
        stop_rule=answer.stop_rule,
        seconds=answer.usage.seconds,
        tokens=answer.usage.tokens,
        model_calls=answer.usage.model_calls,
        library_version=answer.library_version,
        caller=given.caller,
        routes=frozenset(route.value for route in routes),
        filters=given.filters,
        doc_ids=_documents_seen(state, given),
        context_window=_context_window(given),
        answer=_as_json(answer.model_dump(mode="json")),
        steps=_as_json([record.model_dump(mode="json") for record in records]),
    )


def _documents_seen(state: AgentState, given: Resources) -> frozenset[str]:
    """The documents of everything that a tool brought back, cited or not, and those that tasks name."""
    # A question that needs no search leaves the results of the one before in place.
    results = [result for result in state.get("results", ()) if result.trace_id == state["trace_id"]]
    seen = [hit.document for result in results for hit in result.hits]
    seen += [item.document for item in state.get("evidence", ())]
    # What a tool computed or asked of another system stands in no library.
    found = {document.doc_id for document in seen if not is_result(document)}
    plan = state.get("plan")
    tasks = (*(plan.tasks if plan is not None else ()), *(result.task for result in results))
    return frozenset(found | _named({name for task in tasks for name in _names(task)}, given))


def _names(task: SubTask) -> Iterator[str]:
    """The documents that a task asks for, by whatever name; a model may write anything there."""
    asked = task.arguments.get("documents")
    for name in asked if isinstance(asked, list | tuple) else (asked,):
        if isinstance(name, str):
            yield name


def _named(names: set[str], given: Resources) -> set[str]:
    if not names:
        return set()
    documents = (summary.document for summary in given.library.documents(given.caller))
    return {d.doc_id for d in documents if names & {d.doc_id, d.name, d.title, *_file_names(d.name)}}


def _file_names(name: str) -> tuple[str, str]:
    path = PurePosixPath(name)
    return path.name, path.stem


def _context_window(given: Resources) -> int:
    try:
        return given.models.get(Tier.STRONG).context_window if given.models is not None else 0
    except ModelError:
        return 0


def _as_json(value: object) -> str:
    # In ASCII: what a model says may hold half of a surrogate pair, which no file takes as it is.
    return json.dumps(value, ensure_ascii=True)
