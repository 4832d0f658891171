"""The agent as a Python object: a library and a caller bound to the graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, cast

from langchain_core.runnables import Runnable, RunnableConfig

from ..context import Context
from ..decisions import Route
from ..errors import UsageError
from ..knowledge.documents import Caller
from ..knowledge.library import Library
from ..knowledge.query.models import SearchFilter
from ..models.completing import ModelSource
from ..state import AgentInput, AgentOutput, Answer
from ..tools.registry import Tool, ToolRegistry
from .agent import graph


class StepEvent(NamedTuple):
    """A node has finished: its name and what it wrote."""

    node: str
    update: dict[str, Any]


class Agent(Runnable[AgentInput, AgentOutput]):
    """Answers questions over one library on behalf of one caller. As a Runnable it is a node of larger graphs."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def ask(self, question: str) -> Answer:
        """Answer one question; always an answer object, whatever fails on the way."""
        return self.invoke({"question": question})["answer"]

    def steps(self, question: str) -> Iterator[StepEvent]:
        """The run as it goes: an event for each node that has finished; `deliver` brings the answer."""
        stream = graph.stream({"question": question}, context=self.context, stream_mode="updates", subgraphs=True)
        for _, update in cast(Iterator[tuple[Any, dict[str, Any]]], stream):
            for node, written in update.items():
                yield StepEvent(node, written or {})

    def invoke(self, input: AgentInput, config: RunnableConfig | None = None, **kwargs: Any) -> AgentOutput:
        """Run the graph with this agent's library and caller."""
        return cast(AgentOutput, graph.invoke(input, config, context=self.context, **kwargs))

    async def ainvoke(self, input: AgentInput, config: RunnableConfig | None = None, **kwargs: Any) -> AgentOutput:
        """Run the graph without blocking the event loop: LangGraph runs the nodes in threads."""
        return cast(AgentOutput, await graph.ainvoke(input, config, context=self.context, **kwargs))


def build_agent(
    library: Library,
    *,
    caller: Caller | None = None,
    models: ModelSource | None = None,
    tools: Iterable[Tool] | None = None,
    routes: Iterable[Route | str] | None = None,
    filters: SearchFilter | None = None,
) -> Agent:
    """An agent over a library.

    Args:
        library: what is asked.
        caller: on whose behalf; default: someone who may read only documents open to everyone.
        models: chat models; default: those of the library's settings.
        tools: what the act node may call; default: the product's own tools, bound to this library and caller.
        filters: bounds of every search, which neither a question nor a model can widen (domains, a day …); tools of
            your own see to it themselves. Default: none.
        routes: the routes that the gate may choose from, such as `linear` alone; default: all.

    Raises:
        UsageError: two tools share a name, or there is no such route, or none is named.
    """
    return Agent(
        Context(
            library=library,
            caller=caller or Caller(),
            models=models,
            tools=None if tools is None else ToolRegistry(tools),
            routes=None if routes is None else _routes(routes),
            filters=filters,
        )
    )


def _routes(names: Iterable[Route | str]) -> frozenset[Route]:
    chosen = frozenset(_route(name) for name in ((names,) if isinstance(names, str) else names))
    if not chosen:
        raise UsageError("no route is allowed: name at least one, or leave `routes` out for all")
    return chosen


def _route(name: Route | str) -> Route:
    try:
        return Route(name)
    except ValueError:
        known = ", ".join(route.value for route in Route if route is not Route.DIRECT)
        raise UsageError(f"there is no route {name!r}: choose from {known}") from None
