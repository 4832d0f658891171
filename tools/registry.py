"""The tools of a run by name: they are described to planners, and every call is checked before it runs."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Iterable, Mapping
from typing import Any

from langgraph.errors import GraphBubbleUp
from pydantic import BaseModel, ValidationError

from ..errors import LibraryBusyError, ModelUnavailableError, UsageError, VeriloopError
from ..logs import get_logger
from .contracts import ErrorCode, Permission, Tool, ToolError, ToolFailure, ToolOutput
from .deadline import run_within
from .description import ToolDescription

__all__ = ["ErrorCode", "Permission", "Tool", "ToolFailure", "ToolOutput", "ToolRegistry"]

_log = get_logger("tools")
_TRANSIENT = (LibraryBusyError, ModelUnavailableError, TimeoutError, ConnectionError)
_MOST_ERRORS_NAMED = 3
MOST_HITS = 50
"""Of one call: the candidates of a search; more would drown the evidence."""
MOST_NOTES = 5
"""Of one call."""
_LONGEST_NOTE = 500


class ToolRegistry:
    """Tools by name.

    Raises:
        UsageError: two tools share a name.
    """

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            if tool.name in self._tools:
                raise UsageError(f"there are two tools named {tool.name!r}: give one another name")
            self._tools[tool.name] = tool

    def __contains__(self, name: str) -> bool:
        """Whether there is a tool of this name."""
        return name in self._tools

    def describe(self) -> tuple[ToolDescription, ...]:
        """The tools as planners see them."""
        return tuple(
            ToolDescription(tool.name, f"{tool.description} {tool.not_for}".strip(), tool.arguments.model_json_schema())
            for tool in self._tools.values()
        )

    def problem(self, name: str, arguments: Mapping[str, Any]) -> ToolFailure | None:
        """Why a call could not run, or None."""
        checked = self._checked(name, arguments)
        return checked if isinstance(checked, ToolFailure) else None

    def run(self, name: str, arguments: Mapping[str, Any], seconds: float | None = None) -> ToolOutput | ToolFailure:
        """Run a call whose arguments are checked first; whatever fails, or takes too long, becomes a result.

        LangGraph's interrupts pass through: they are no failures.

        Args:
            name: of the tool.
            arguments: of the call.
            seconds: what is left of the run; the tool's own time limit holds as well.
        """
        checked = self._checked(name, arguments)
        if isinstance(checked, ToolFailure):
            return checked
        tool = self._tools[name]
        limit = tool.timeout_seconds if seconds is None else min(seconds, tool.timeout_seconds)
        try:
            output: Any = run_within(limit, lambda: tool.run(checked))
        except GraphBubbleUp:
            raise
        except ToolError as error:
            return ToolFailure(error.code, f"{name}: {error.detail}")
        except _TRANSIENT as error:
            return ToolFailure(ErrorCode.TRANSIENT, _said(name, error))
        except (SystemExit, CancelledError) as error:
            return ToolFailure(ErrorCode.FAILED, _said(name, error))
        except Exception as error:  # noqa: BLE001 - the one place: a tool may be anybody's code, and must not end the run
            _log.warning("tool_failed", tool=name, error=type(error).__name__)
            return ToolFailure(ErrorCode.FAILED, _said(name, error))
        if isinstance(output, ToolOutput):
            notes = tuple(note[:_LONGEST_NOTE] for note in output.notes[:MOST_NOTES])
            return output.model_copy(update={"hits": output.hits[:MOST_HITS], "notes": notes})
        return ToolFailure(ErrorCode.FAILED, f"{name}: gave no ToolOutput but {type(output).__name__}")

    def _checked(self, name: str, arguments: Mapping[str, Any]) -> BaseModel | ToolFailure:
        tool = self._tools.get(name)
        if tool is None:
            known = ", ".join(self._tools)
            return ToolFailure(ErrorCode.UNKNOWN_TOOL, f"there is no tool {name!r}; there are: {known}")
        try:
            return tool.arguments.model_validate(dict(arguments))
        except ValidationError as error:
            return ToolFailure(ErrorCode.INVALID_ARGUMENTS, f"{name}: {_explain(error)}")
        except GraphBubbleUp:
            raise
        except Exception as error:  # noqa: BLE001 - the arguments' model is the tool's own code, too
            return ToolFailure(ErrorCode.INVALID_ARGUMENTS, _said(name, error))


def _said(name: str, error: BaseException) -> str:
    """A failure in words for anybody: only our own messages are known to hold nothing private."""
    return f"{name}: {error}" if isinstance(error, VeriloopError | TimeoutError) else f"{name}: {type(error).__name__}"


def _explain(error: ValidationError) -> str:
    named = error.errors(include_input=False, include_url=False)[:_MOST_ERRORS_NAMED]
    return "; ".join(f"{'.'.join(map(str, item['loc'])) or 'arguments'}: {item['msg']}" for item in named)
