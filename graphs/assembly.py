"""Puts an agent together: from a library, a caller, models, tools and the routes that it may take."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from langchain_core.tools import BaseTool
from langgraph.checkpoint.base import BaseCheckpointSaver

from ..context import Context
from ..decisions import Route
from ..errors import UsageError
from ..knowledge.documents import Caller
from ..knowledge.library import Library
from ..knowledge.query.models import SearchFilter
from ..models.completing import ModelSource
from ..tools.adapters.langchain import as_tools
from ..tools.registry import Tool, ToolRegistry
from .session import Agent


def build_agent(
    library: Library,
    *,
    caller: Caller | None = None,
    models: ModelSource | None = None,
    tools: Iterable[Tool | BaseTool] = (),
    only_tools: Iterable[Tool | BaseTool] | None = None,
    routes: Iterable[Route | str] | None = None,
    filters: SearchFilter | None = None,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
) -> Agent:
    """An agent over a library.

    Args:
        library: what is asked.
        caller: on whose behalf; default: someone who may read only documents open to everyone.
        models: chat models; default: those of the library's settings.
        tools: of your own, beside the product's, LangChain tools too (`tools.adapters.langchain.from_langchain` says
            what one may do; by default a person is asked). One of the same name takes the place of the product's.
        only_tools: instead of all of the product's own tools, the search among them; default: these stay.
        filters: bounds of every search, which neither a question nor a model can widen (domains, a day …); tools of
            your own see to it themselves. Default: none.
        routes: the routes that the gate may choose from, such as `linear` alone; default: all.
        checkpointer: keeps runs that wait for a person's consent (`graphs.checkpoints.serializer` reads its types; one
            that works synchronously). Default: none, and a call that needs consent is only drafted.

    Raises:
        UsageError: two tools share a name, or there is no such route, or none is named.
    """
    more = tuple(as_tools(tools))
    ToolRegistry(more)  # refuses those that share a name, or are not declared soundly
    context = Context(
        library=library,
        caller=caller or Caller(),
        models=models,
        tools=None if only_tools is None else ToolRegistry((*as_tools(only_tools), *more)),
        more_tools=more,
        routes=None if routes is None else _routes(routes),
        filters=filters,
    )
    return Agent(context, checkpointer)


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
