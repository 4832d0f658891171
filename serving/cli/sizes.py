"""A progress bar on stderr for work that is counted in bytes."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from .output import stderr, tell


class SizeBar:
    """Shows how far one piece of work is; where nobody watches, a line for each quarter.

    Args:
        name: of the work.
    """

    def __init__(self, name: str) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
        self._progress = Progress(*columns, console=stderr, transient=True)
        self._task = self._progress.add_task(name, total=None)
        self._name = name
        self._told = -1

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def show(self, done: int, total: int) -> None:
        """Move the bar to so many bytes of so many."""
        quarter = 4 * done // total if total else 4
        if not stderr.is_terminal and quarter > self._told:
            self._told = quarter
            tell(f"{self._name}: {done / 1e6:,.1f} of {total / 1e6:,.1f} MB")
        self._progress.update(self._task, completed=done, total=total)
