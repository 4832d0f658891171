"""Searches over a library as it is at one state, and the last ones over what was in force on a day."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from datetime import date
from functools import lru_cache

from .documents import Caller
from .query.understand import QueryContext
from .search import HybridSearch
from .store import HistoryStore, StoreState, VersionsInForce

_REMEMBERED_CALLERS = 16
_REMEMBERED_DAYS = 4
"""Views of the past that stay open; each holds what the present indexes do not."""


class Snapshot:
    """A search over the indexes as they were at one state of the store, and what each caller's queries are read by."""

    def __init__(self, state: StoreState, search: HybridSearch, context: Callable[[Caller], QueryContext]) -> None:
        self.state = state
        self.search = search
        self.context = lru_cache(maxsize=_REMEMBERED_CALLERS)(context)


class PastSnapshots:
    """The snapshots of past days, as long as the library stays as it is. Safe for several threads.

    Days on which the same versions were in force share one.

    Args:
        history: which those are.
        open_view: makes the snapshot of a day.
    """

    def __init__(self, history: HistoryStore, open_view: Callable[[StoreState, date], Snapshot]) -> None:
        self._history = history
        self._open_view = open_view
        self._state: StoreState | None = None
        self._versions: dict[date, VersionsInForce] = {}
        self._opened: OrderedDict[frozenset[int], Snapshot] = OrderedDict()
        self._guard = threading.Lock()

    def on(self, state: StoreState, day: date) -> Snapshot | None:
        """The snapshot of a day; None where the present one serves, since no other version was in force then."""
        with self._guard:
            if state != self._state:
                self._state = state
                self._versions.clear()
                self._opened.clear()
            if day not in self._versions:
                self._versions[day] = self._history.in_force(day)
            shown = self._versions[day]
            if shown.are_present:
                return None
            if shown.numbers not in self._opened:
                self._opened[shown.numbers] = self._open_view(state, day)
            self._opened.move_to_end(shown.numbers)
            while len(self._opened) > _REMEMBERED_DAYS:
                self._opened.popitem(last=False)
            return self._opened[shown.numbers]

    def close(self) -> None:
        """Let go of all of them; one that a search still uses is closed when that has ended."""
        with self._guard:
            self._opened.clear()
