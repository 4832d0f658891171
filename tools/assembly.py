"""Puts the tools of a run together: each maker gives the tool that the settings and the caller allow, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ..knowledge.documents import Caller
from ..knowledge.library import Library
from ..knowledge.query.models import SearchFilter
from .api.call_api import make_call_api
from .calculate import make_calculate
from .contracts import Tool
from .lookup_memory import make_lookup_memory
from .read_section import make_read_section
from .search_documents import make_search_documents
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
    return make_call_api(needs.library.settings.tools.apis, needs.caller)


def _query_sql(needs: ToolNeeds) -> Tool | None:
    return make_query_sql(needs.library, needs.caller, needs.within)


def _calculate(needs: ToolNeeds) -> Tool:
    return make_calculate(needs.library.settings.tools.calendar)


def _lookup_memory(needs: ToolNeeds) -> Tool | None:
    return make_lookup_memory(needs.library, needs.caller, needs.thread_id)


MAKERS: tuple[ToolMaker, ...] = (_search_documents, make_read_section, _query_sql, _calculate, _call_api, _lookup_memory)
"""Of the product's own tools, in the order in which they are offered."""


def make_tools(needs: ToolNeeds) -> tuple[Tool, ...]:
    """The product's own tools for one run, without those that the settings switch off."""
    return tuple(_made(needs))


def _made(needs: ToolNeeds) -> Iterator[Tool]:
    disabled = needs.library.settings.tools.disabled
    for maker in MAKERS:
        tool = maker(needs)
        if tool is not None and tool.name not in disabled:
            yield tool
