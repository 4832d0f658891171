"""Lets runs that go side by side write one at a time, in the order of their numbers as far as that is quick."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition, Lock

_PATIENCE_SECONDS = 5.0


class Turns:
    """The order of writing: the same files give the same library, but none waits long for a slow one before it.

    Args:
        patience: seconds for which a run waits for those with lower numbers; they come when they are ready then.
    """

    def __init__(self, patience: float = _PATIENCE_SECONDS) -> None:
        self._patience = patience
        self._ahead: set[int] = set()
        self._changed = Condition()
        self._writing = Lock()

    def begin(self, number: int) -> None:
        """A run has begun; to be called in the order of the numbers."""
        with self._changed:
            self._ahead.add(number)

    def end(self, number: int) -> None:
        """A run has ended, or will not write."""
        with self._changed:
            self._ahead.discard(number)
            self._changed.notify_all()

    @contextmanager
    def turn(self, number: int) -> Iterator[None]:
        """Be the only one to write, when those before have written or taken too long."""
        self._wait(number)
        with self._writing:
            yield
        self.end(number)

    def _wait(self, number: int) -> None:
        with self._changed:
            slow = self._before(number)
            if slow and not self._changed.wait_for(lambda: not self._before(number), self._patience):
                self._ahead -= slow

    def _before(self, number: int) -> set[int]:
        return {other for other in self._ahead if other < number}
