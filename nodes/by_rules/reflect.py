"""Reflection by rules: why a round did not answer, and the first strategy that has not been tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...decisions import FailureReason, Reflection, Strategy, SubTask, Sufficiency, TaskVerdict
from ...knowledge.documents import Document
from ...knowledge.evidence.overview import without_asking
from ...knowledge.evidence.question import analyse_question
from ...tools.registry import ErrorCode
from ...tools.search_documents import SEARCH_DOCUMENTS
from .sources import editions_of_years, named_documents

# A search that checks a contradiction looks further than the first one.
_WIDER = 12


class Failed(NamedTuple):
    """A sub-question that is still open, and the last task that tried it."""

    task: SubTask
    verdict: TaskVerdict
    error: ErrorCode | None


class Tried(NamedTuple):
    """What is known when a round is looked back on."""

    open: Sequence[Failed]
    reflections: Sequence[Reflection]
    documents: Sequence[Document]
    may_replan: bool
    """Whether planning anew could give another plan."""
    in_documents: frozenset[str] = frozenset()
    """The tools that read: what they did not find, documents may say."""
    keep: int = 8
    """Blocks that a search brings."""


class _Remedy(NamedTuple):
    reason: FailureReason
    strategy: Strategy
    task: SubTask | None


def reflect_by_rules(tried: Tried) -> Reflection:
    """The first remedy that was not tried with the same arguments; `report_missing` where none is left."""
    used = {reflection.key for reflection in tried.reflections}
    for strategy in _strategies(tried):
        remedies = [r for failed in tried.open for r in _remedies(failed, tried) if r.strategy is strategy]
        tasks = tuple({r.task.id: r.task for r in remedies if r.task is not None}.values())
        if not remedies:
            continue
        reflection = Reflection(reason=remedies[0].reason, strategy=strategy, tasks=tasks)
        if reflection.key not in used:
            return reflection
    return Reflection(reason=FailureReason.NOT_IN_LIBRARY, strategy=Strategy.REPORT_MISSING)


def _strategies(tried: Tried) -> Iterator[Strategy]:
    """In order of promise; each open sub-question takes part in the strategy that fits it."""
    if any(failed.error in (ErrorCode.UNKNOWN_TOOL, ErrorCode.INVALID_ARGUMENTS) for failed in tried.open):
        yield Strategy.REPLAN
    yield Strategy.VERIFY_CONFLICT
    yield Strategy.ADJUST_TIME_RANGE
    yield Strategy.SWITCH_SOURCE
    yield Strategy.REWRITE_QUERY


def _remedies(failed: Failed, tried: Tried) -> Iterator[_Remedy]:
    if failed.error in (ErrorCode.REFUSED, ErrorCode.UNCERTAIN):
        return
    if failed.error in (ErrorCode.UNKNOWN_TOOL, ErrorCode.INVALID_ARGUMENTS) and tried.may_replan:
        yield _Remedy(FailureReason.TOOL_ERROR, Strategy.REPLAN, None)
        return
    if failed.verdict.sufficiency is Sufficiency.CONFLICTING:
        task = _verification(failed, tried.keep)
        yield _Remedy(FailureReason.CONFLICT, Strategy.VERIFY_CONFLICT, task)
        return
    if failed.task.tool != SEARCH_DOCUMENTS:
        if failed.task.tool in tried.in_documents:
            reason = FailureReason.TOOL_ERROR if failed.error else FailureReason.WRONG_SOURCE
            yield _Remedy(reason, Strategy.SWITCH_SOURCE, _as_search(failed.task, tried.keep))
        return
    yield from _other_sources(failed, tried.documents)
    query = _condensed(failed.task.question)
    if query and query != failed.task.arguments.get("query"):
        task = _again(failed.task, query=query)
        yield _Remedy(FailureReason.INSUFFICIENT_EVIDENCE, Strategy.REWRITE_QUERY, task)


def _other_sources(failed: Failed, documents: Sequence[Document]) -> Iterator[_Remedy]:
    searched = tuple(failed.task.arguments.get("documents") or ())
    of_year = tuple(d.name for d in editions_of_years(failed.task.question, documents))
    if of_year and set(of_year) != set(searched):
        task = _again(failed.task, documents=of_year)
        yield _Remedy(FailureReason.WRONG_TIME_RANGE, Strategy.ADJUST_TIME_RANGE, task)
    if searched:
        task = _again(failed.task, documents=())
        yield _Remedy(FailureReason.WRONG_SOURCE, Strategy.SWITCH_SOURCE, task)
        return
    analysis = analyse_question(failed.task.question)
    names = (*analysis.quoted, *analysis.entities)
    named = dict.fromkeys(document.name for name in names for document in named_documents(name, documents))
    if named:
        task = _again(failed.task, documents=tuple(named))
        yield _Remedy(FailureReason.WRONG_SOURCE, Strategy.SWITCH_SOURCE, task)


def _as_search(task: SubTask, keep: int) -> SubTask:
    """What another tool did not find, looked for in the documents."""
    question = task.said or task.question
    arguments = {"query": without_asking(question) or question, "k": keep}
    changed = {"tool": SEARCH_DOCUMENTS, "question": question, "arguments": arguments, "depends_on": ()}
    return task.model_copy(update={**changed, "attempt": task.attempt + 1})


def _verification(failed: Failed, keep: int) -> SubTask:
    """A wider search for both of the statements that disagree."""
    conflict = failed.verdict.conflict
    values = " ".join(side.value for side in conflict.sides) if conflict else ""
    task = failed.task if failed.task.tool == SEARCH_DOCUMENTS else _as_search(failed.task, keep)
    again = _again(task, query=f"{task.question} {values}".strip(), documents=(), k=_WIDER)
    return again.model_copy(update={"attempt": failed.task.attempt + 1})


def _condensed(question: str) -> str:
    """The question's content words and values alone: what only asks can drown them."""
    analysis = analyse_question(question)
    return " ".join(dict.fromkeys((*analysis.quoted, *analysis.phrases)))


def _again(task: SubTask, **changes: object) -> SubTask:
    arguments = {**task.arguments, **changes}
    if not arguments.get("documents"):
        arguments.pop("documents", None)
    return task.model_copy(update={"arguments": arguments, "attempt": task.attempt + 1, "depends_on": ()})
