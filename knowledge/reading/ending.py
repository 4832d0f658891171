"""Ends a process with everything that it has started, also what has taken itself out of its group."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_PROCESSES = Path("/proc")


def end_group(leader: int) -> None:
    """End the process that leads this group, the group, and on Linux all that descends from the process.

    Args:
        leader: a process that was started in a group of its own and that nobody has waited for yet.
    """
    if sys.platform == "win32":
        with suppress(OSError):
            os.kill(leader, signal.SIGTERM)
        return
    if leader != os.getpid():
        # So that it starts nothing more while we look.
        _send(leader, signal.SIGSTOP)
    for descendant in list(_descendants(leader)):
        _send(descendant, signal.SIGKILL)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def _send(process: int, what: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(process, what)


def _descendants(process: int) -> Iterator[int]:
    children: dict[int, list[int]] = {}
    for place in _PROCESSES.glob("[0-9]*/stat"):
        # A process may end while we look; its name, in brackets, may hold anything.
        with suppress(OSError, ValueError, IndexError):
            parent = int(place.read_text(errors="replace").rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(place.parent.name))
    found = list(children.get(process, ()))
    for one in found:
        yield one
        found.extend(children.get(one, ()))
