"""Runs a recorded question again on the replies and by the clock of then, and says where it goes another way."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from ..context import Context
from ..decisions import Route
from ..errors import LibraryFormatError
from ..knowledge.library import Library
from ..knowledge.store import StoredTrace
from ..ledger import Replay, StepRecord
from ..state import Answer
from .agent import graph

_RECORDS = TypeAdapter(tuple[StepRecord, ...])
_PARALLEL = "act"


class Difference(BaseModel):
    """Where a replay does something else than the run that was recorded."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    step: int = Field(ge=0, description="from 1, parallel tasks count as one; 0: not a step but the answer differs")
    what: str = Field(description="`step`, or the field of the answer")
    recorded: str = Field(description="empty where only the replay has such a step")
    now: str = Field(description="empty where only the recorded run has such a step")


class ReplayReport(BaseModel):
    """What came of running a question again."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    trace_id: str
    same_path: bool = Field(description="whether the same steps followed one another by the same rules")
    same_answer: bool = Field(description="whether text, status and the rule that ended the run are the same")
    library_changed: bool = Field(description="whether a document has changed since")
    differences: tuple[Difference, ...] = ()


def records_of(trace: StoredTrace) -> tuple[StepRecord, ...]:
    """The steps of a stored run.

    Raises:
        LibraryFormatError: they are damaged, or a newer version has written them.
    """
    try:
        return _RECORDS.validate_python(json.loads(trace.steps))
    except ValueError as error:
        raise _unreadable(trace) from error


def answer_of(trace: StoredTrace) -> Answer:
    """The answer of a stored run; raises like `records_of`."""
    try:
        return Answer.model_validate(json.loads(trace.answer))
    except ValueError as error:
        raise _unreadable(trace) from error


def _routes(trace: StoredTrace) -> frozenset[Route]:
    try:
        return frozenset(Route(name) for name in trace.routes)
    except ValueError as error:
        raise _unreadable(trace) from error


def _unreadable(trace: StoredTrace) -> LibraryFormatError:
    return LibraryFormatError(f"trace {trace.trace_id} cannot be read: it is damaged, or made by a newer version")


def replay(library: Library, trace: StoredTrace) -> ReplayReport:
    """Run the question of a trace again, on behalf of whoever asked it: models are not asked, their replies are known.

    Raises:
        LibraryFormatError: the trace cannot be read.
    """
    records, answer = records_of(trace), answer_of(trace)
    context = Context(
        library=library,
        caller=trace.caller,
        routes=_routes(trace),
        filters=trace.filters,
        replay=Replay(records, trace.context_window),
    )
    ended: Any = graph.invoke({"question": trace.question}, context=context, output_keys=["answer", "steps"])
    path = tuple(_other_steps(records, ended["steps"]))
    said = tuple(_other_answer(answer, ended["answer"]))
    return ReplayReport(
        trace_id=trace.trace_id,
        same_path=not path,
        same_answer=not said,
        library_changed=trace.library_version != library.version,
        differences=(*path, *said),
    )


def path_of(records: Sequence[StepRecord]) -> tuple[str, ...]:
    """The way of a run in words: each step with the rule behind it; tasks that ran in parallel are one step."""
    return tuple(_in_words(tuple(group)) for _, group in groupby(records, key=_place))


def _place(record: StepRecord) -> tuple[str, str]:
    # Tasks of one round end in any order; every other step stands alone.
    return (_PARALLEL, "") if record.node == _PARALLEL else (record.node, record.key)


def _in_words(records: tuple[StepRecord, ...]) -> str:
    first = records[0]
    if first.node == _PARALLEL:
        return ", ".join(sorted(record.key for record in records))
    return f"{first.node}: {first.rule} -> {first.target}" if first.rule else first.node


def _other_steps(recorded: Sequence[StepRecord], now: Sequence[StepRecord]) -> Iterator[Difference]:
    pairs = zip_longest(path_of(recorded), path_of(now), fillvalue="")
    for number, (before, after) in enumerate(pairs, start=1):
        if before != after:
            yield Difference(step=number, what="step", recorded=before, now=after)


def _other_answer(recorded: Answer, now: Answer) -> Iterator[Difference]:
    for name in ("text", "status", "stop_rule"):
        before, after = str(getattr(recorded, name)), str(getattr(now, name))
        if before != after:
            yield Difference(step=0, what=name, recorded=before, now=after)
