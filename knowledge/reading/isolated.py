"""Reads files in worker processes, each with limits; what is small and harmless is read here, if there are few."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import AbstractContextManager
from pathlib import Path
from threading import BoundedSemaphore, Lock

from ...errors import InputFileError
from ..documents import Document
from ..elements import ParsedDocument, ParseOptions
from ..parsing import sniff
from .direct import DirectReader
from .messages import Cut, CutTask, Parsed, ParseTask, Refused
from .process import WorkerLostError, WorkerProcess
from .protocol import CutDocument, Cutting, ReadLimits

# Up to this size a text cannot take long, and is done before a process would have started (0.5 s).
_SMALL_BYTES = 16_384
_SMALL_TYPES = frozenset({sniff.PLAIN, sniff.MARKDOWN, sniff.CSV})
_ENDED = "was not read: the addition was ended"


class IsolatedReader:
    """A `Reader` whose work is done by processes that are started when they are first needed.

    Args:
        processes: at most so many.
        limits: of each file.
        keep_small: read small texts in this process; not worth it where there are many.
    """

    def __init__(self, processes: int, limits: ReadLimits, *, keep_small: bool = False) -> None:
        self._places = BoundedSemaphore(processes)
        self._limits = limits
        self._direct = DirectReader() if keep_small else None
        self._scratch: Path | None = None
        self._free: list[WorkerProcess] = []
        self._all: set[WorkerProcess] = set()
        self._guard = Lock()
        self._closed = False

    def place(self) -> AbstractContextManager[object]:
        """See `Reader`: there is one for each process."""
        return self._places

    def parse(self, path: Path, name: str, options: ParseOptions) -> ParsedDocument:
        """See `Reader`."""
        if self._direct is not None and _is_small_text(path):
            return self._direct.parse(path, name, options)
        task = ParseTask(
            path=os.fsencode(path.resolve()),
            name=name,
            options=options.model_copy(update={"passwords": ()}),
            passwords=tuple(one.get_secret_value() for one in options.passwords),
        )
        reply = self._ask(task, name)
        if not isinstance(reply, Parsed):
            raise InputFileError(name, "cannot be read: its reader gave a wrong answer; report this")
        return reply.parsed

    def cut(self, parsed: ParsedDocument, document: Document, cutting: Cutting) -> CutDocument:
        """See `Reader`."""
        if self._direct is not None and _is_small(parsed):
            return self._direct.cut(parsed, document, cutting)
        task = CutTask(
            parsed=parsed,
            document=document,
            splitting=cutting.splitting,
            dictionaries=tuple(path.resolve() for path in cutting.dictionaries),
        )
        reply = self._ask(task, document.name)
        try:
            if isinstance(reply, Cut):
                return reply.document()
        except ValueError:
            pass
        raise InputFileError(document.name, "cannot be read: its reader gave a wrong answer; report this")

    def close(self) -> None:
        """End all workers, at once and with what they are doing."""
        with self._guard:
            self._closed = True
            idle, busy = list(self._free), self._all.difference(self._free)
        for worker in idle:
            worker.release()
        # Whoever waits for one of these finds that it has ended, and releases it.
        for worker in busy:
            worker.end()
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)

    def _ask(self, task: ParseTask | CutTask, name: str) -> Parsed | Cut:
        worker = self._borrow(name)
        keep = False
        try:
            reply = worker.ask(task)
            keep = not reply.spent
        except WorkerLostError as error:
            raise InputFileError(name, _ENDED if self._closed else str(error)) from error
        finally:
            self._give_back(worker, keep=keep)
        if isinstance(reply, Refused):
            raise InputFileError(name, reply.reason)
        return reply

    def _borrow(self, name: str) -> WorkerProcess:
        with self._guard:
            if self._closed:
                raise InputFileError(name, _ENDED)
            if self._free:
                return self._free.pop()
            if self._scratch is None:
                self._scratch = Path(tempfile.mkdtemp(prefix="veriloop-"))
        worker = WorkerProcess(self._limits, self._scratch)
        with self._guard:
            self._all.add(worker)
        if self._closed:
            self._give_back(worker, keep=False)
            raise InputFileError(name, _ENDED)
        return worker

    def _give_back(self, worker: WorkerProcess, *, keep: bool) -> None:
        with self._guard:
            if keep and not self._closed:
                self._free.append(worker)
            else:
                self._all.discard(worker)
        if not keep or self._closed:
            worker.release()


def _is_small_text(path: Path) -> bool:
    try:
        return path.stat().st_size <= _SMALL_BYTES and sniff.media_type_of(path) in _SMALL_TYPES
    except (OSError, InputFileError):
        return False


def _is_small(parsed: ParsedDocument) -> bool:
    return sum(len(element.text) for element in parsed.elements) <= _SMALL_BYTES
