"""A process that reads files for this one, seen from here: started, asked, given up."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from threading import Lock, Timer
from typing import BinaryIO

from pydantic import ValidationError

from ...errors import LibraryError
from .ending import end_group
from .messages import (
    REPLIES,
    Broken,
    Cut,
    CutTask,
    Parsed,
    ParseTask,
    Ready,
    Refused,
    read_message,
    write_message,
)
from .protocol import ReadLimits

_MODULE = __package__ + ".worker"
_START_SECONDS = 120.0


class WorkerLostError(Exception):
    """A worker has ended without an answer; the reason is fit for a user."""


class WorkerProcess:
    """One worker. For one thread at a time, but `end` may come from any.

    Args:
        limits: what one task may take.
        scratch: an existing folder for what it writes.

    Raises:
        LibraryError: it does not start.
    """

    def __init__(self, limits: ReadLimits, scratch: Path) -> None:
        self._limits = limits
        self._guard = Lock()
        self._exchanges = 0
        self._is_out_of_time = False
        try:
            with tempfile.TemporaryFile(dir=scratch) as complaints:
                self._process = _started(limits, scratch, complaints)
                problem = "" if isinstance(self._exchange(None, _START_SECONDS), Ready) else _last_line(complaints)
        except OSError as error:
            raise _does_not_start(error.strerror or str(error)) from error
        if problem:
            self.release()
            raise _does_not_start(problem)

    def ask(self, task: ParseTask | CutTask) -> Parsed | Cut | Refused:
        """Give it a task and wait for the end of it.

        Raises:
            WorkerLostError: it took too long, has crashed or was ended; this worker is of no more use.
        """
        reply = self._exchange(task.model_dump_json().encode(), self._limits.seconds)
        if isinstance(reply, Parsed | Cut | Refused) and not self._is_out_of_time:
            return reply
        self.end()
        raise WorkerLostError(self._why(reply))

    def end(self) -> None:
        """End it and what it has started, at once."""
        with self._guard:
            self._kill()

    def _kill(self) -> None:
        # Once only: behind `wait` the number may be another process's.
        if self._process.returncode is not None:
            return
        end_group(self._process.pid)
        self._process.wait()

    def release(self) -> None:
        """End it and close the pipes; no other thread may be waiting for it."""
        self.end()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def _exchange(self, content: bytes | None, seconds: float) -> Ready | Parsed | Cut | Refused | Broken | None:
        assert self._process.stdin is not None and self._process.stdout is not None
        timer = Timer(seconds, self._give_up, (self._exchanges,))
        timer.daemon = True
        timer.start()
        try:
            if content is not None:
                write_message(self._process.stdin, content)  # type: ignore[arg-type]
            answer = read_message(self._process.stdout)  # type: ignore[arg-type]
            return None if answer is None else REPLIES.validate_json(answer)
        except (OSError, ValidationError):
            return None
        finally:
            timer.cancel()
            with self._guard:
                self._exchanges += 1

    def _give_up(self, exchange: int) -> None:
        with self._guard:
            # A timer that was too late to be cancelled must not end the next task.
            if exchange == self._exchanges:
                self._is_out_of_time = True
                self._kill()

    def _why(self, reply: Ready | Parsed | Cut | Refused | Broken | None) -> str:
        if self._is_out_of_time:
            return (
                f"takes longer than {self._limits.seconds:,g} s to read and was given up: "
                "split it, or raise parsing.file_seconds"
            )
        if isinstance(reply, Broken):
            return f"cannot be read: its reader failed ({reply.where}); save it anew in another program"
        code = self._process.returncode
        if code is None or code >= 0:
            return "cannot be read: its reader ended unexpectedly; save it anew in another program"
        name = signal.Signals(-code).name if -code in {one.value for one in signal.Signals} else f"signal {-code}"
        return f"cannot be read: its reader crashed ({name}); it is damaged or too large, save it anew or split it"


def _started(limits: ReadLimits, scratch: Path, complaints: BinaryIO) -> subprocess.Popen[bytes]:
    # -P: a document folder that is the present directory must not be searched for modules.
    command = [sys.executable, "-P", "-m", _MODULE, str(limits.seconds), str(limits.megabytes), str(scratch)]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=complaints,
        env=_environment(scratch),
        # A group of its own: Ctrl-C is for us, and what it has started itself ends with it.
        start_new_session=True,
    )


def _does_not_start(problem: str) -> LibraryError:
    return LibraryError(
        f"the process that reads files does not start ({problem}): check the installation, "
        "or set parsing.processes to 0 to read files without it"
    )


def _environment(scratch: Path) -> dict[str, str]:
    """Ours, with the same places for modules, and temporary files where they are removed with the worker."""
    places = os.pathsep.join(place for place in sys.path if place)
    return {
        **os.environ,
        "PYTHONPATH": places,
        "PYTHONSAFEPATH": "1",
        **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch)),
    }


def _last_line(complaints: BinaryIO) -> str:
    complaints.seek(0)
    lines = complaints.read().decode("utf-8", "replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "it ended without a word")
