"""Tools of other packages, by entry point: loaded only where the settings name them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...errors import VeriloopError
from ...logs import get_logger
from ..contracts import Tool
from ..deadline import run_within
from ..offers import NotOffered
from .langchain import as_tools
from .said import said_by_others

if TYPE_CHECKING:
    from ..assembly import ToolNeeds

GROUP = "veriloop.tools"
"""Of entry points. One names a function that takes a `ToolNeeds` and gives a tool, several, or None; or a tool."""

_LOAD_SECONDS = 20.0
"""After which a plug-in that is not there yet is left out."""
_MOST_TOOLS = 100
"""Of one plug-in."""
_LONGEST_REASON = 300

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
            yield from run_within(_LOAD_SECONDS, partial(_tools_of, found[0], needs))
        except (Exception, SystemExit) as error:  # noqa: BLE001 - anybody's code, which must not end the run
            yield _reported(name, error)


def _tools_of(point: EntryPoint, needs: ToolNeeds) -> tuple[Tool, ...]:
    made: Any = point.load()
    if callable(made) and not isinstance(made, Tool) and not hasattr(made, "args_schema"):
        made = made(needs)
    if made is None:
        return ()
    several = isinstance(made, Iterable) and not hasattr(made, "args_schema")
    return tuple(islice(as_tools(made if several else (made,)), _MOST_TOOLS))


def _reported(name: str, error: BaseException) -> NotOffered:
    is_plain = isinstance(error, VeriloopError | ImportError | TimeoutError)
    said = said_by_others(str(error), _LONGEST_REASON) if is_plain else type(error).__name__
    _log.warning("tool_plugin_failed", plugin=name, error=type(error).__name__)
    return NotOffered(name, f"the plug-in could not be loaded: {said}")
