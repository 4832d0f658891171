"""How many calls one endpoint gets at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from ..errors import ModelUnavailableError


class CallSlots:
    """A fixed number of places; who finds none waits for one within its own time."""

    def __init__(self, places: int) -> None:
        self._places = BoundedSemaphore(places)

    @contextmanager
    def taken(self, seconds: float, name: str) -> Iterator[None]:
        """Hold a place.

        Args:
            seconds: how long to wait for one.
            name: the model, for the error.

        Raises:
            ModelUnavailableError: no place became free in time.
        """
        if not self._places.acquire(timeout=max(0.0, seconds)):
            raise ModelUnavailableError(f"{name}: too many calls at once; none ended within {seconds:.0f} s")
        try:
            yield
        finally:
            self._places.release()
