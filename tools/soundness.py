"""What the settings declare for tools and cannot be used: files of interfaces, databases, the calendar, servers, rules.

A broken declaration takes away what it declares and nothing else: it is reported, and the run goes on without it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import date
from fnmatch import fnmatchcase

from ..errors import MissingExtraError, SettingsError
from ..knowledge.documents import Caller
from ..knowledge.library import Library
from .calculate.calendar_days import WorkCalendar
from .contracts import Tool, ToolError
from .offers import NotOffered
from .search_documents import SEARCH_DOCUMENTS
from .sql.shelf import Shelf, sources_for


def declared_problems(library: Library, caller: Caller) -> tuple[NotOffered, ...]:
    """Everything that is declared and cannot be used; no server is started, and no interface called."""
    return (
        *broken_apis(library, caller),
        *broken_databases(library, caller),
        *broken_calendar(library),
        *broken_servers(library),
    )


def broken_apis(library: Library, caller: Caller) -> tuple[NotOffered, ...]:
    """The interfaces that the caller may have called and whose files cannot be used."""
    apis = library.settings.tools.apis
    if not apis:
        return ()
    from .api.call_api import usable_apis  # noqa: PLC0415 - most runs have no interface, and start without its checks

    broken = usable_apis(apis, caller).broken
    return tuple(NotOffered(f"call_api {name}", reason) for name, reason in broken.items())


def broken_databases(library: Library, caller: Caller, shelf: Shelf | None = None) -> Iterator[NotOffered]:
    """The databases that cannot be opened, and the declared tables that they do not have.

    Args:
        library: whose settings declare them.
        caller: who may ask some of them.
        shelf: where what is known of them is kept; default: they are looked into now.
    """
    kept = shelf or Shelf()
    declared = library.settings.tools.databases
    for one in sources_for(library, caller, None):
        if one.name not in declared:
            continue
        name = f"query_sql {one.name}"
        try:
            found = {table.name.casefold() for table in kept.tables(one, "")}
        except (ToolError, MissingExtraError) as error:
            yield NotOffered(name, str(error))
            continue
        wanted = declared[one.name].tables
        lacking = [table for table in wanted if not {table.casefold(), table.casefold().split(".")[-1]} & found]
        if lacking:
            yield NotOffered(name, f"there is no table {', '.join(lacking)}: see tools.databases.{one.name}.tables")
        elif not wanted:
            yield NotOffered(name, f"no table may be read: name them in tools.databases.{one.name}.tables")


def broken_calendar(library: Library) -> Iterator[NotOffered]:
    """A calendar that cannot be read; without one there is nothing to read."""
    try:
        WorkCalendar(library.settings.tools.calendar).is_workday(date.today())
    except SettingsError as error:
        yield NotOffered("calculate", f"working days cannot be counted: {error}")


def broken_servers(library: Library) -> Iterator[NotOffered]:
    """The servers of tools whose program is not here; none is started."""
    for name, one in library.settings.tools.mcp.items():
        if one.command and shutil.which(one.command[0]) is None:
            yield NotOffered(name, f"the program {one.command[0]!r} of tools.mcp.{name}.command is not found")


def idle_policies(library: Library, tools: tuple[Tool, ...]) -> Iterator[NotOffered]:
    """The policies that name a tool which is not offered, and so decide nothing; and that none lets read at all."""
    policies = library.settings.tools.approval.policies
    may_read = (one for one in policies if one.permission in ("*", "read") and fnmatchcase(SEARCH_DOCUMENTS, one.tool))
    first = next(may_read, None)
    if first is None or first.decision == "refuse":
        yield NotOffered("policies", "none allows reading, so that every search is refused: add {permission: read, "
                         "decision: allow}")  # fmt: skip
    for number, one in enumerate(policies, start=1):
        if not any(fnmatchcase(tool.name, one.tool) for tool in tools):
            yield NotOffered(f"policy {number}", f"it is for the tool {one.tool!r}, and no such tool is offered here")
