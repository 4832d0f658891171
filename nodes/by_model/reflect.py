"""Why a round did not answer and what to do next, by a mid model.

It is told what is already known and asks only for what is missing (S1 §4.4).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator, Field

from ...configs.model_settings import Tier
from ...decisions import FailureReason, Strategy
from ...knowledge.text.normalise import normalise
from ...models.asking import ModelAccess
from ...models.messages import Message
from ...prompts.loader import Language, fence
from .lenient import LenientReply, Text, TextOrNothing, listed, reading
from .other_names import REASONS, STRATEGIES
from .prompting import context_text, nothing, one_line, prompt_for

_Reason = Annotated[FailureReason, BeforeValidator(reading(FailureReason, REASONS)), listed(FailureReason)]
_Strategy = Annotated[Strategy, BeforeValidator(reading(Strategy, STRATEGIES)), listed(Strategy)]

OpenQuestion = tuple[str, str, Sequence[str]]
"""The task's id, its question, and what of it is missing."""
TriedStrategy = tuple[Strategy, Sequence[str]]
"""A strategy of an earlier round, and the queries that it asked."""


class QueryReply(LenientReply):
    """A new query for one task."""

    id: Text = ""
    query: TextOrNothing = ""


def _queries(value: Any) -> Any:
    """Queries that came as one string, as strings in a list, or as an object of task and query."""
    if value is None:
        return []
    if isinstance(value, dict) and not {"id", "query"} & value.keys():
        return [{"id": task, "query": query} for task, query in value.items()]
    items = value if isinstance(value, list) else [value]
    return [{"query": item} if isinstance(item, str) else item for item in items]


class ReflectReply(LenientReply):
    """One reason, one strategy, and a new query for each open task."""

    thought: Text = ""
    reason: _Reason
    strategy: _Strategy
    queries: Annotated[list[QueryReply], BeforeValidator(_queries)] = Field(default_factory=list)


class ModelReflection(NamedTuple):
    """A model's reflection; `queries` holds new queries by the id of the open task."""

    reason: FailureReason
    strategy: Strategy
    queries: dict[str, str]
    thought: str = ""


class Case(NamedTuple):
    """What a model is told when a round is looked back on."""

    question: str
    failed: Sequence[OpenQuestion]
    tried: Sequence[TriedStrategy]
    known: Mapping[str, str]
    context: Sequence[Message] | str = ""


def reflect_messages(case: Case, language: Language) -> list[Message]:
    """The prompt for a reflection; what came out of documents stands in fences."""
    none = nothing(language)
    return prompt_for(
        "reflect",
        language,
        context=context_text(case.context) or none,
        question=one_line(case.question),
        known="\n".join(fence(fact, task) for task, fact in case.known.items()) or none,
        tried="\n".join(_tried_lines(case.tried)) or none,
        failed="\n".join(_open_lines(case.failed, language)),
    )


def _tried_lines(tried: Sequence[TriedStrategy]) -> Iterator[str]:
    for strategy, queries in tried:
        asked = "\n".join(query for query in queries if query)
        yield fence(asked, strategy.value) if asked else strategy.value


def _open_lines(failed: Sequence[OpenQuestion], language: Language) -> Iterator[str]:
    lacks = "缺少：" if language == "zh" else "missing: "
    for task_id, question, missing in failed:
        lines = [question, f"{lacks}{'; '.join(missing)}"] if missing else [question]
        yield fence("\n".join(lines), task_id)


def reflection_of(reply: ReflectReply, case: Case) -> ModelReflection:
    """The reflection that a reply stands for; a query that was asked before is none."""
    asked = {normalise(query) for _, queries in case.tried for query in queries}
    queries = {
        task: query for task, query in _by_task(reply.queries, case.failed) if normalise(query) not in asked and query
    }
    return ModelReflection(reply.reason, reply.strategy, queries, reply.thought)


def _by_task(queries: Sequence[QueryReply], failed: Sequence[OpenQuestion]) -> Iterator[tuple[str, str]]:
    """Queries with their tasks; those without a known id belong to the tasks in order, if there is one for each."""
    known = [task_id for task_id, *_ in failed]
    if any(query.id in known for query in queries):
        yield from ((query.id, query.query) for query in queries if query.id in known)
    elif len(queries) == len(known):
        yield from zip(known, (query.query for query in queries), strict=True)


def reflect_by_model(
    question: str,
    *,
    failed: Sequence[OpenQuestion],
    tried: Sequence[TriedStrategy],
    known: Mapping[str, str],
    language: Language,
    access: ModelAccess,
    context: Sequence[Message] | str = "",
) -> ModelReflection:
    """Why a round did not answer, and what to do next.

    Args:
        question: the whole question.
        failed: the open tasks.
        tried: what earlier rounds did.
        known: what is already found, by task.
        language: of the prompt.
        access: to the models of the run.
        context: what was done so far; text of documents in it must be fenced already.

    Raises:
        ModelError: no usable reply.
        BudgetExceededError: the call does not fit.
    """
    case = Case(question, failed, tried, known, context)
    messages = reflect_messages(case, language)
    return reflection_of(access.structured(messages, ReflectReply, tier=Tier.MID, language=language), case)
