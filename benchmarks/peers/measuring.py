"""Time, memory and processes of a measurement, without any of the packages that are measured."""

from __future__ import annotations

import statistics
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

_STATUS = Path("/proc/self/status")
_REASON_CHARACTERS = 300


class Times(NamedTuple):
    """Milliseconds of calls: wall time (median and 95th percentile) and CPU time of all threads (median)."""

    median: float
    p95: float
    cpu: float


class Lap(NamedTuple):
    """What one call took, in milliseconds."""

    wall: float
    cpu: float


class Lapper:
    """Times what happens inside a `with` block; `laps` grows by one with each."""

    def __init__(self) -> None:
        self.laps: list[Lap] = []
        self._wall = self._cpu = 0.0

    def __enter__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def __exit__(self, *_: object) -> None:
        wall, cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu
        self.laps.append(Lap(wall * 1000, cpu * 1000))

    @property
    def seconds(self) -> float:
        """Wall time of all laps together."""
        return sum(lap.wall for lap in self.laps) / 1000

    @property
    def cpu_seconds(self) -> float:
        """CPU time of all laps together."""
        return sum(lap.cpu for lap in self.laps) / 1000


def times(laps: Sequence[Lap]) -> Times:
    """The figures of calls of one kind."""
    walls = [lap.wall for lap in laps]
    p95 = statistics.quantiles(walls, n=100, method="inclusive")[94] if len(walls) > 1 else walls[0]
    return Times(statistics.median(walls), p95, statistics.median(lap.cpu for lap in laps))


def resident_megabytes() -> float | None:
    """Memory of this process that is in RAM, in MB; None where the system does not say (no /proc)."""
    if not _STATUS.is_file():
        return None
    line = next(line for line in _STATUS.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1000


def grown(before: float | None, after: float | None) -> float | None:
    """By how many MB memory has grown between two calls of `resident_megabytes`."""
    return None if before is None or after is None else after - before


class Ended(NamedTuple):
    """How a process ended: what it printed, why it failed (empty: it did not), and its exit code."""

    output: str
    reason: str
    code: int | None = None


def run_isolated(command: Sequence[str], seconds: float, *, show: bool = False) -> Ended:
    """Run a program.

    Args:
        command: program and arguments.
        seconds: the program is stopped after this time.
        show: let its stderr be seen; otherwise the last line of it is the reason where it fails.
    """
    errors = None if show else subprocess.PIPE
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=errors, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return Ended("", f"not finished after {seconds:g} s")
    except OSError as error:
        return Ended("", f"{command[0]}: {error.strerror}")
    if done.returncode == 0:
        return Ended(done.stdout, "", 0)
    lines = [line for line in (done.stderr or "").splitlines() if line.strip()]
    reason = lines[-1] if lines else f"exit code {done.returncode}"
    return Ended("", reason[:_REASON_CHARACTERS], done.returncode)
