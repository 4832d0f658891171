"""The tools of a run by name: they are described to planners, and every call is checked before it runs."""

from __future__ import annotations

import re
from asyncio import CancelledError
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from langgraph.errors import GraphBubbleUp
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ..errors import LibraryBusyError, ModelUnavailableError, UsageError, VeriloopError
from ..logs import get_logger
from .approval.calls import Consent, PlannedCall, planned, unconsented
from .approval.plain_values import unspeakable
from .contracts import (
    ArgumentError,
    ArgumentsFound,
    Category,
    ErrorCode,
    Permission,
    Tool,
    ToolError,
    ToolFailure,
    ToolOutput,
)
from .deadline import run_within
from .declaration import check_declaration
from .description import CategoryDescription, ToolDescription, description_of

__all__ = ["Category", "ErrorCode", "Permission", "Tool", "ToolFailure", "ToolOutput", "ToolRegistry"]

_log = get_logger("tools")
_TRANSIENT = (LibraryBusyError, ModelUnavailableError, TimeoutError, ConnectionError)
_MOST_ERRORS_NAMED = 3
MOST_OFFERED = 7
"""Tools in one choice; beyond that a planner chooses among kinds first (S2 §6.2)."""
MOST_HITS = 50
"""Of one call: the candidates of a search; more would drown the evidence."""
MOST_NOTES = 5
"""Of one call."""
_LONGEST_NOTE = 500


_WAITING = re.compile(r"\{t\d{1,2}\}")
_ABOUT = {
    Category.DOCUMENTS: "what the documents say",
    Category.DATA: "figures in databases and tables",
    Category.COMPUTING: "arithmetic, dates, units",
    Category.MEMORY: "what was said before",
    Category.ACTIONS: "operations of other systems",
    Category.OTHER: "tools of this installation",
}


class ToolRegistry:
    """Tools by name.

    Raises:
        UsageError: two tools share a name, or one is not declared soundly.
    """

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            if tool.name in self._tools:
                raise UsageError(f"there are two tools named {tool.name!r}: give one another name")
            check_declaration(tool)
            self._tools[tool.name] = tool

    def __contains__(self, name: str) -> bool:
        """Whether there is a tool of this name."""
        return name in self._tools

    @property
    def tools(self) -> tuple[Tool, ...]:
        """All of them, in the order in which they were given."""
        return tuple(self._tools.values())

    @property
    def is_large(self) -> bool:
        """Whether there are more tools than one choice may hold."""
        return len(self._tools) > MOST_OFFERED

    def get(self, name: str) -> Tool | None:
        """The tool of this name, or None."""
        return self._tools.get(name)

    def categories(self) -> tuple[CategoryDescription, ...]:
        """The kinds of tools that there are, in the order of their first tool."""
        by_category: dict[Category, list[str]] = {}
        for tool in self._tools.values():
            by_category.setdefault(tool.category, []).append(tool.name)
        return tuple(CategoryDescription(kind, tuple(names), _ABOUT[kind]) for kind, names in by_category.items())

    def describe(self, category: Category | None = None) -> tuple[ToolDescription, ...]:
        """The tools as planners see them, or those of one kind; never more than seven.

        Where there are more, those that were given first: choose among `categories` beforehand, and among the tools
        of a large kind by `choosing.offered`.
        """
        chosen = (tool for tool in self._tools.values() if category is None or tool.category is category)
        return tuple(description_of(tool) for tool in islice(chosen, MOST_OFFERED))

    def read_arguments(self, tool: Tool, question: str) -> ArgumentsFound | None:
        """What a tool's own rule would call it with for a question; None: it is not for it, or it has no rule."""
        if tool.by_rules is None:
            return None
        rule = tool.by_rules
        try:
            found: Any = run_within(tool.timeout_seconds, lambda: rule(question))
        except GraphBubbleUp:
            raise
        except Exception as error:  # noqa: BLE001 - a rule is the tool's own code, too
            _log.warning("tool_rule_failed", tool=tool.name, error=type(error).__name__)
            return None
        if found is not None and not _is_sound(found):
            _log.warning("tool_rule_failed", tool=tool.name, error=f"gave {type(found).__name__}")
            return None
        return found  # type: ignore[no-any-return]

    def permission(self, tool: Tool, arguments: Mapping[str, Any] | None) -> Permission:
        """What a call may do; what it may do at most where its arguments are not known or not sound yet."""
        checked = None if arguments is None else _checked(tool, arguments)
        call = _planned(tool, checked) if isinstance(checked, BaseModel) else None
        return call.permission if isinstance(call, PlannedCall) else tool.permission

    def problem(self, name: str, arguments: Mapping[str, Any]) -> ToolFailure | None:
        """Why a call could not run, or None. What waits for an earlier answer (`{t1}`) is checked when it has come."""
        tool = self._tools.get(name)
        if tool is None:
            return self._unknown(name)
        waiting = frozenset(argument for argument, value in arguments.items() if _WAITING.search(str(value)))
        checked = _checked(tool, arguments, waiting)
        return checked if isinstance(checked, ToolFailure) else None

    def _unknown(self, name: str) -> ToolFailure:
        return ToolFailure(ErrorCode.UNKNOWN_TOOL, f"there is no tool {name!r}; there are: {', '.join(self._tools)}")

    def call(self, name: str, arguments: Mapping[str, Any]) -> PlannedCall | ToolFailure:
        """What a call would be and may do, for policies and people; nothing is run."""
        tool = self._tools.get(name)
        if tool is None:
            return self._unknown(name)
        checked = _checked(tool, arguments)
        return checked if isinstance(checked, ToolFailure) else _planned(tool, checked)

    def run(
        self,
        name: str,
        arguments: Mapping[str, Any],
        seconds: float | None = None,
        *,
        consent: Consent | None = None,
    ) -> ToolOutput | ToolFailure:
        """Run a call whose arguments are checked first; whatever fails, or takes too long, becomes a result.

        LangGraph's interrupts pass through: they are no failures.

        Args:
            name: of the tool.
            arguments: of the call.
            seconds: what is left of the run; the tool's own time limit holds as well.
            consent: without which a call that does more than read is refused.
        """
        tool = self._tools.get(name)
        if tool is None:
            return self._unknown(name)
        checked = _checked(tool, arguments)
        if isinstance(checked, ToolFailure):
            return checked
        call = _planned(tool, checked)
        refused = call if isinstance(call, ToolFailure) else unconsented(call, consent)
        if refused is not None:
            return refused
        limit = tool.timeout_seconds if seconds is None else min(seconds, tool.timeout_seconds)
        try:
            output: Any = run_within(limit, lambda: tool.run(checked))
        except GraphBubbleUp:
            raise
        except ToolError as error:
            return ToolFailure(error.code, f"{name}: {error.detail}", error.chinese, error.kind)
        except _TRANSIENT as error:
            code = ErrorCode.UNCERTAIN if _may_be_done(tool, checked, error) else ErrorCode.TRANSIENT
            return ToolFailure(code, _said(name, error))
        except (SystemExit, CancelledError) as error:
            return ToolFailure(ErrorCode.FAILED, _said(name, error))
        except Exception as error:  # noqa: BLE001 - the one place: a tool may be anybody's code, and must not end the run
            _log.warning("tool_failed", tool=name, error=type(error).__name__)
            return ToolFailure(ErrorCode.FAILED, _said(name, error))
        if isinstance(output, ToolOutput):
            notes = tuple(note[:_LONGEST_NOTE] for note in output.notes[:MOST_NOTES])
            return output.model_copy(update={"hits": output.hits[:MOST_HITS], "notes": notes})
        return ToolFailure(ErrorCode.FAILED, f"{name}: gave no ToolOutput but {type(output).__name__}")


def _checked(
    tool: Tool, arguments: Mapping[str, Any], waiting: frozenset[str] = frozenset()
) -> BaseModel | ToolFailure | None:
    """The arguments as the tool takes them, or what is wrong; None where only what waits for an answer is wrong."""
    if problem := unspeakable(arguments):
        return ToolFailure(ErrorCode.INVALID_ARGUMENTS, f"{tool.name}: {problem}")
    try:
        return tool.arguments.model_validate(dict(arguments))
    except ValidationError as error:
        faults = error.errors(include_input=False, include_url=False)
        if waiting:
            faults = [fault for fault in faults if fault["loc"] and str(fault["loc"][0]) not in waiting]
        return _unsound(tool, faults) if faults else None
    except GraphBubbleUp:
        raise
    except Exception as error:  # noqa: BLE001 - the arguments' model is the tool's own code, too
        return ToolFailure(ErrorCode.INVALID_ARGUMENTS, _said(tool.name, error))


def _unsound(tool: Tool, faults: Sequence[ErrorDetails]) -> ToolFailure:
    """What is wrong with arguments; in Chinese as far as their checks can say it."""
    said = [fault.get("ctx", {}).get("error") for fault in faults]
    known = next((error for error in said if isinstance(error, ArgumentError)), None)
    detail = f"{tool.name}: {_explain(faults)}"
    if known is None:
        return ToolFailure(ErrorCode.INVALID_ARGUMENTS, detail)
    return ToolFailure(ErrorCode.INVALID_ARGUMENTS, detail, known.chinese, known.kind)


def _planned(tool: Tool, checked: Any) -> PlannedCall | ToolFailure:
    try:
        return planned(tool, checked)
    except GraphBubbleUp:
        raise
    except Exception as error:  # noqa: BLE001 - what a call is and may do is the tool's own code, too
        return ToolFailure(ErrorCode.INVALID_ARGUMENTS, _said(tool.name, error))


def _is_sound(found: Any) -> bool:
    """Whether what a rule gave is what it should give."""
    return (
        isinstance(found, ArgumentsFound)
        and isinstance(found.arguments, dict)
        and isinstance(found.confidence, int | float)
        and 0 <= found.confidence <= 1
    )


def _may_be_done(tool: Tool, arguments: Any, error: Exception) -> bool:
    """Whether a call that did not answer in time may have changed something, which a second one would change again."""
    if (tool.idempotent if tool.idempotent_of is None else tool.idempotent_of(arguments)) or isinstance(
        error, VeriloopError
    ):
        return False
    return _permission(tool, arguments) is not Permission.READ


def _permission(tool: Tool, arguments: Any) -> Permission:
    return tool.permission if tool.permission_of is None else tool.permission_of(arguments)


def _said(name: str, error: BaseException) -> str:
    """A failure in words for anybody: only our own messages are known to hold nothing private."""
    return f"{name}: {error}" if isinstance(error, VeriloopError | TimeoutError) else f"{name}: {type(error).__name__}"


def _explain(faults: Sequence[ErrorDetails]) -> str:
    named = faults[:_MOST_ERRORS_NAMED]
    return "; ".join(f"{'.'.join(map(str, item['loc'])) or 'arguments'}: {item['msg']}" for item in named)
