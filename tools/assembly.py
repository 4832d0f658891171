"""Puts the tools of a run together: each maker gives the tool that the settings and the caller allow, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ..knowledge.documents import Caller
from ..knowledge.library import Library
from ..knowledge.query.models import SearchFilter
from .calculate import make_calculate
from .contracts import Tool
from .declaration import declaration_problem
from .lookup_memory import make_lookup_memory
from .offers import NotOffered, Offers
from .query_graph import make_query_graph
from .read_section import READ_SECTION, make_read_section
from .search_documents import make_search_documents
from .soundness import broken_apis
from .sql.tool import make_query_sql


class ToolNeeds(NamedTuple):
    """What tools are bound to for one run; none of it is an argument that a plan could change."""

    library: Library
    caller: Caller
    within: SearchFilter | None = None
    reader: Any = None
    """A `read_section.Reader`: runs the reading graph, handed down from where the agent is put together; None: the tool
    is missing."""
    thread_id: str = ""
    """The conversation that the run belongs to; empty: none."""


ToolMaker = Callable[[ToolNeeds], Tool | None]


def _search_documents(needs: ToolNeeds) -> Tool:
    return make_search_documents(needs.library, needs.caller, needs.within)


def _call_api(needs: ToolNeeds) -> Tool | None:
    apis = needs.library.settings.tools.apis
    if not apis:
        return None
    # Most runs have no interface, and start without its checks.
    from .api.call_api import make_call_api, usable_apis  # noqa: PLC0415

    usable = usable_apis(apis, needs.caller).offered
    return make_call_api({name: apis[name] for name in usable}, needs.caller)


def _query_graph(needs: ToolNeeds) -> Tool | None:
    return make_query_graph(needs.library, needs.caller, needs.within)


def _query_sql(needs: ToolNeeds) -> Tool | None:
    return make_query_sql(needs.library, needs.caller, needs.within)


def _calculate(needs: ToolNeeds) -> Tool:
    return make_calculate(needs.library.settings.tools.calendar)


def _lookup_memory(needs: ToolNeeds) -> Tool | None:
    return make_lookup_memory(needs.library, needs.caller, needs.thread_id, needs.within)


MAKERS: tuple[ToolMaker, ...] = (
    _search_documents,
    make_read_section,
    _query_sql,
    _query_graph,
    _calculate,
    _call_api,
    _lookup_memory,
)
"""Of the product's own tools, in the order in which they are offered."""


NOT_MADE = {
    READ_SECTION: "the reading graph is not part of this run",
    "query_sql": "no database is declared under tools.databases, or none that you may ask, and no library table",
    "query_graph": "the graph is not built or switched off: see `veriloop graph build` and the section `graph`",
    "call_api": "no interface is declared under tools.apis, or none that you may call",
    "lookup_memory": "the run belongs to no conversation, or memory is switched off",
}
"""Why one of the product's own tools is not there, where its maker gives none."""


def make_tools(needs: ToolNeeds) -> tuple[Tool, ...]:
    """The tools for one run: the product's own, then those of plug-ins and servers that the settings name."""
    return make_offers(needs).tools


def make_offers(needs: ToolNeeds) -> Offers:
    """The tools for one run, and what is not offered and why.

    A plug-in or a server that cannot be loaded or reached ends nothing; a tool of theirs never takes the place of one
    that is there.
    """
    tools: dict[str, Tool] = {}
    missing: list[NotOffered] = []
    disabled = needs.library.settings.tools.disabled
    for one in (*_own(needs), *_of_others(needs)):
        if isinstance(one, NotOffered):
            missing.append(one)
        elif one.name in disabled:
            missing.append(NotOffered(one.name, "it is switched off by tools.disabled"))
        elif one.name in tools:
            missing.append(NotOffered(one.name, "there is a tool of this name already: give it another name"))
        elif problem := declaration_problem(one):
            missing.append(NotOffered(one.name, problem))
        else:
            tools[one.name] = one
    return Offers(tuple(tools.values()), tuple(missing))


def _own(needs: ToolNeeds) -> Iterator[Tool | NotOffered]:
    made = [tool for maker in MAKERS if (tool := maker(needs)) is not None]
    yield from made
    names = {tool.name for tool in made}
    yield from (NotOffered(name, reason) for name, reason in NOT_MADE.items() if name not in names)
    yield from broken_apis(needs.library, needs.caller)


def _of_others(needs: ToolNeeds) -> Iterator[Tool | NotOffered]:
    settings = needs.library.settings.tools
    if settings.plugins:
        from .adapters.plugins import plugin_tools  # noqa: PLC0415 - most runs have none

        yield from plugin_tools(settings.plugins, needs)
    if settings.mcp:
        from .adapters.mcp import mcp_tools  # noqa: PLC0415 - most runs have none

        yield from mcp_tools(settings.mcp, needs.caller)
