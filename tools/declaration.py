"""Whether a tool is declared soundly, before anything is planned with it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..errors import UsageError
from .contracts import Permission, Tool

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")


def check_declaration(tool: Tool) -> None:
    """Refuse a tool that could not be planned or would not end.

    Raises:
        UsageError: a name that models cannot call, no description, no limit of time, no version, or permissions
            that contradict each other; the message names the tool and the reason.
    """
    if problem := declaration_problem(tool):
        raise UsageError(f"the tool {tool.name!r} cannot be taken: {problem}")


def declaration_problem(tool: Tool) -> str:
    """What is wrong with a declaration; empty: nothing."""
    return next(_problems(tool), "")


def _problems(tool: Tool) -> Iterator[str]:
    if not _NAME.fullmatch(tool.name):
        yield "a name has 1 to 64 ASCII letters, digits, _ and -, and begins with a letter"
    if not tool.description.strip():
        yield "it has no description, so that nobody can tell what it is for"
    if not tool.timeout_seconds > 0:
        yield "timeout_seconds has to be above 0"
    if tool.schema_version < 1:
        yield "schema_version has to be 1 or more"
    if tool.permission is Permission.READ and tool.permission_of is not None:
        yield "permission_of needs a permission above `read`: it may only lower it"
