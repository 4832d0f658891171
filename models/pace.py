"""How fast a model has been, so that work can be stopped before the time is up."""

from __future__ import annotations

from collections.abc import Sequence

MARGIN = 1.15
"""A batch is expected to take this much longer than the speed so far says; the measured spread is about that."""
_NEWEST = 0.5
"""Share of the newest measurement in the speed."""


class Pace:
    """Learns the seconds of one unit of work from the batches that were done.

    A batch is padded to its longest text, so it has as many units as that text, times its texts.
    """

    def __init__(self) -> None:
        self._seconds_a_unit: float | None = None

    def fitting(self, sizes: Sequence[int], seconds: float) -> int:
        """How many of the first texts, as one batch, are done within so many seconds.

        One as long as the speed is not known: no more can be lost then.

        Args:
            sizes: units of each text, in the order in which they are to be done.
            seconds: time that is left.
        """
        if seconds <= 0 or not sizes:
            return 0
        if self._seconds_a_unit is None:
            return 1
        longest = 0
        for count, size in enumerate(sizes, start=1):
            longest = max(longest, size)
            if count * longest * self._seconds_a_unit * MARGIN > seconds:
                return count - 1
        return len(sizes)

    def learn(self, sizes: Sequence[int], seconds: float) -> None:
        """Takes note of a batch of these sizes that took so long."""
        measured = seconds / (len(sizes) * max(sizes))
        known = self._seconds_a_unit
        self._seconds_a_unit = measured if known is None else (1 - _NEWEST) * known + _NEWEST * measured

    def doubt(self) -> None:
        """Believes the speed by half less, after nothing fitted.

        What was measured while the machine was busy would otherwise never be measured again.
        """
        if self._seconds_a_unit is not None:
            self._seconds_a_unit *= 0.5
