"""Tools of other packages, by entry point: loaded only where the settings name them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any

from ...errors import VeriloopError
from ...logs import get_logger
from ..contracts import Tool
from ..offers import NotOffered
from .langchain import as_tools

if TYPE_CHECKING:
    from ..assembly import ToolNeeds

GROUP = "veriloop.tools"
"""Of entry points. One names a function that takes a `ToolNeeds` and gives a tool, several, or None; or a tool."""

_log = get_logger("tools")


def plugin_tools(names: Iterable[str], needs: ToolNeeds) -> Iterator[Tool | NotOffered]:
    """The tools of the plug-ins that are named; one that cannot be loaded is reported and ends nothing.

    Args:
        names: of entry points.
        needs: what tools are bound to.
    """
    for name in names:
        found = tuple(entry_points(group=GROUP, name=name))
        if not found:
            yield NotOffered(name, f"no installed package has an entry point {name!r} in the group {GROUP}")
            continue
        try:
            yield from _tools_of(found[0], needs)
        except Exception as error:  # noqa: BLE001 - a plug-in is anybody's code, and must not end the run
            yield _reported(name, error)


def _tools_of(point: EntryPoint, needs: ToolNeeds) -> tuple[Tool, ...]:
    made: Any = point.load()
    if callable(made) and not isinstance(made, Tool) and not hasattr(made, "args_schema"):
        made = made(needs)
    if made is None:
        return ()
    several = isinstance(made, Iterable) and not hasattr(made, "args_schema")
    return tuple(as_tools(made if several else (made,)))


def _reported(name: str, error: Exception) -> NotOffered:
    said = str(error) if isinstance(error, VeriloopError | ImportError) else type(error).__name__
    _log.warning("tool_plugin_failed", plugin=name, error=type(error).__name__)
    return NotOffered(name, f"the plug-in could not be loaded: {said}")
