"""A plan by rules: for each part of the question one call of the tool that it is for, mostly a search."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from ...decisions import Plan, SubTask, Understanding
from ...knowledge.documents import Document
from ...knowledge.evidence.overview import without_asking
from ...knowledge.evidence.version_in_force import titled_documents
from ...knowledge.query.models import SearchFilter, SearchQuery
from ...knowledge.questions.models import Combination, SubQuestion
from ...tools.choosing.models import ToolChoice
from ...tools.registry import ToolRegistry
from ...tools.search_documents import SEARCH_DOCUMENTS
from .asked_alike import only_asked_alike
from .sources import editions_of_years, named_documents
from .tool_tasks import with_tools

_PART = re.compile(r"\{q(\d)\}")
_PLACEHOLDER = re.compile(r"\{t\d")
_EDITION = re.compile(r"(?:19|20)\d{2}\s?(?:年?版|edition|version|revision|issue)", re.IGNORECASE)
_HAN = re.compile(r"[\u3400-\u9fff]")
_IN_FORCE = {"zh": "施行日期 自起施行 生效 同时废止", "en": "effective date, in force from, replaces, supersedes"}
_MOST_EDITIONS = 10


def plan_by_rules(
    understanding: Understanding,
    documents: Sequence[Document],
    keep: int,
    read: Callable[[str], SearchQuery],
    tools: ToolRegistry | None = None,
    chosen: Mapping[str, ToolChoice] | None = None,
) -> Plan:
    """The plan of a question.

    Args:
        understanding: with the question's parts.
        documents: those that the caller may read, to tell which of them a part names.
        keep: blocks that a search brings.
        read: what a search understands by a query.
        tools: that are offered beside the search; default: none.
        chosen: the tool of parts, by their text, where it has been chosen already.
    """
    parts, combination = understanding.decomposition.parts, understanding.combination
    tasks = tuple(_task(part, documents, keep, understanding.search_arguments) for part in parts)
    if len(tasks) > 1 and not understanding.search_arguments:
        tasks = tuple(_in_its_version(task, read) for task in tasks)
    if combination is Combination.VERSION:
        tasks = tuple(_over_editions(task, documents) for task in tasks)
    elif tools is not None:
        of_tasks = {_PART.sub(r"{t\1}", part): choice for part, choice in (chosen or {}).items()}
        called = with_tools(tasks, tools, of_tasks)
        tasks = only_asked_alike(called, tasks, combination, understanding.standalone)
        is_chain = combination is Combination.SINGLE and len(tasks) > 1
        combination = Combination.CHAIN if is_chain else combination
    return Plan(tasks=tasks, combination=combination)


def _in_its_version(task: SubTask, read: Callable[[str], SearchQuery]) -> SubTask:
    """A part about what a document said at another time, asked of the version of that day without the words for it.

    The text of that version does not name the year; the citation does.
    """
    query = read(task.question)
    day = query.filter.in_force_on
    if day is None or _PLACEHOLDER.search(task.question) or query.filter != SearchFilter(in_force_on=day):
        return task
    arguments = {**task.arguments, "query": without_asking(query.text) or query.text, "in_force_on": day.isoformat()}
    changed = {"question": query.text, "said": task.question, "subject": "", "arguments": arguments}
    return task.model_copy(update=changed)


def _over_editions(task: SubTask, documents: Sequence[Document]) -> SubTask:
    """A search of every edition of the named text for the words in which texts say since when they hold."""
    named = tuple(document.name for document in titled_documents(task.question, documents))[:_MOST_EDITIONS]
    words = _IN_FORCE["zh" if _HAN.search(task.question) else "en"]
    arguments = {**task.arguments, "query": f"{task.question} {words}", "k": max(len(named) * 4, 8)}
    return task.model_copy(update={"arguments": {**arguments, "documents": named} if named else arguments})


def _task(part: SubQuestion, documents: Sequence[Document], keep: int, filters: Mapping[str, object]) -> SubTask:
    text = _PART.sub(r"{t\1}", part.text)
    arguments: dict[str, object] = {"query": without_asking(text) or text, "k": keep, **filters}
    named = named_documents(part.subject, documents) if part.subject else ()
    if not named and _EDITION.search(part.subject):
        named = editions_of_years(part.text, documents)
    if named:
        arguments["documents"] = tuple(document.name for document in named)
    return SubTask(
        id=f"t{part.id[1:]}",
        question=text,
        subject=part.subject,
        tool=SEARCH_DOCUMENTS,
        arguments=arguments,
        depends_on=tuple(f"t{other[1:]}" for other in part.depends_on),
    )
