"""One writer at a time, across processes; whoever waits can be told for whom."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from ..errors import LibraryBusyError, LibraryError

_POLL_SECONDS = 0.2


class WriterLock:
    """A lock file with the holder's process number in a file beside it."""

    def __init__(self, folder: Path, wait_seconds: float) -> None:
        self._lock = FileLock(folder / "write.lock")
        self._holder = folder / "writer.json"
        self._wait_seconds = wait_seconds

    @contextmanager
    def held(self, what: str, on_wait: Callable[[str], None] | None = None) -> Iterator[None]:
        """Hold the lock. Whoever holds it already may do so again; others learn of the outer operation.

        Args:
            what: the operation, shown to others who wait.
            on_wait: told once whom we wait for.

        Raises:
            LibraryBusyError: the other writer did not finish in time.
        """
        is_inner = self._lock.is_locked
        self._acquire(on_wait)
        try:
            if not is_inner:
                self._sign(what)
            yield
        finally:
            if not is_inner:
                with suppress(OSError):
                    self._holder.unlink(missing_ok=True)
            self._lock.release()

    def _sign(self, what: str) -> None:
        note = json.dumps({"pid": os.getpid(), "what": what, "since": int(time.time())})
        # On a full disk others learn less about who writes; that is no reason not to remove a document.
        with suppress(OSError):
            self._holder.write_text(note, encoding="utf-8")

    def _acquire(self, on_wait: Callable[[str], None] | None) -> None:
        try:
            self._lock.acquire(timeout=0)
            return
        except OSError as error:
            if not isinstance(error, Timeout):
                raise LibraryError(f"{self._lock.lock_file}: cannot be locked ({error.strerror})") from error
            if on_wait is not None:
                on_wait(self.describe_holder())
        try:
            self._lock.acquire(timeout=self._wait_seconds, poll_interval=_POLL_SECONDS)
        except Timeout:
            raise LibraryBusyError(
                f"the library is being written by {self.describe_holder()}; waited {self._wait_seconds:g} s: "
                "try again when it has finished"
            ) from None

    def describe_holder(self) -> str:
        """Who holds the lock, as far as it is known."""
        try:
            found = json.loads(self._holder.read_text(encoding="utf-8"))
            age = int(time.time()) - int(found["since"])
            return f"process {found['pid']} ({found['what']}, for {age} s)"
        except (OSError, ValueError, KeyError, TypeError):
            return "another process"
