"""Adds up the time that a node works, without the time that it waits."""

from __future__ import annotations

import time


class Stopwatch:
    """Runs while it is entered."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._start = 0.0

    def __enter__(self) -> None:
        self._start = time.monotonic()

    def __exit__(self, *_: object) -> None:
        self.seconds += time.monotonic() - self._start
