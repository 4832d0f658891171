"""How OpenMP is to use the cores: no more than a container allows, and without keeping them busy while it waits."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_CGROUPS = Path("/sys/fs/cgroup")
_THREADS, _WAITING = "OMP_NUM_THREADS", "OMP_WAIT_POLICY"


@contextmanager
def patient_threads() -> Iterator[None]:
    """Lets an OpenMP library that is loaded meanwhile wait asleep; what the user has set counts, and stays.

    By default its threads wait for each other in a busy loop. Where other programs want the cores, too, the loops take
    the time of the thread that is waited for: measured on two busy cores, passages were embedded 1.3 to 2 times as
    fast by sleeping, single texts up to 15 times (`benchmarks/embedding.py`).
    """
    before = {name: os.environ.get(name) for name in (_THREADS, _WAITING)}
    os.environ.setdefault(_WAITING, "PASSIVE")
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def threads_to_set(environment: Mapping[str, str] = os.environ, folder: Path = _CGROUPS) -> int | None:
    """Threads for OpenMP, which knows the cores of the machine but not a container's share of their time.

    Returns:
        None where OpenMP's own choice is right: nothing limits the process, or the user has set the number.
    """
    share = cpu_share(folder)
    if share is None or environment.get(_THREADS):
        return None
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, math.ceil(share)) if share < cores else None


def cpu_share(folder: Path = _CGROUPS) -> float | None:
    """Cores' worth of time that the control group of this process may use; None: no limit.

    Args:
        folder: where the kernel shows control groups, of version 2 (`cpu.max`) or 1 (`cpu/cpu.cfs_quota_us`).
    """
    one = _numbers(folder / "cpu.max")
    two = _numbers(folder / "cpu" / "cpu.cfs_quota_us") + _numbers(folder / "cpu" / "cpu.cfs_period_us")
    quota, period = next((found for found in (one, two) if len(found) == 2), [0, 0])
    return quota / period if quota > 0 and period > 0 else None


def _numbers(file: Path) -> list[int]:
    """The numbers in a file; none where it says "max" or cannot be read."""
    try:
        return [int(word) for word in file.read_text(encoding="ascii").split()]
    except (OSError, ValueError):
        return []
