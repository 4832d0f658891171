"""The ways to ask for structured output, and a memory of which of them an endpoint masters."""

from __future__ import annotations

from enum import StrEnum
from threading import Lock


class ReplyMode(StrEnum):
    """A way to ask for structured output, best first."""

    JSON_SCHEMA = "json_schema"
    TOOL_CALL = "tool_call"
    JSON_OBJECT = "json_object"
    PLAIN_TEXT = "plain_text"


class ReplyModeMemory:
    """Remembers what one endpoint refused and what worked; one object a model, none global."""

    def __init__(self) -> None:
        self._start = ReplyMode.JSON_SCHEMA
        self._proven = False
        self._lock = Lock()

    def order(self) -> list[ReplyMode]:
        """The modes worth trying now."""
        with self._lock:
            modes = list(ReplyMode)
            return modes[modes.index(self._start) :]

    def proves(self, mode: ReplyMode) -> bool:
        """Whether this is the mode in use, and has worked before."""
        with self._lock:
            return self._proven and mode == self._start

    def worked(self, mode: ReplyMode) -> None:
        """A reply in this mode was valid."""
        with self._lock:
            self._start, self._proven = mode, True

    def failed(self, mode: ReplyMode) -> None:
        """This mode was refused, or gave no valid reply though nothing says that it can."""
        with self._lock:
            modes = list(ReplyMode)
            following = modes.index(mode) + 1
            if mode == self._start and following < len(modes):
                self._start, self._proven = modes[following], False
