"""Runs a reader over files in a process of its own, so that one that hangs or crashes loses one file."""

from __future__ import annotations

import logging
import multiprocessing
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import NamedTuple

from parsing_matching import Reading
from parsing_readers import READERS

_PROCESSES = multiprocessing.get_context("spawn")
_START_SECONDS = 120.0
_LONGEST_REASON = 200


class FileResult(NamedTuple):
    """What became of one file: a reading, or the reason why there is none; seconds of reading alone."""

    file: str
    reading: Reading | None
    reason: str
    seconds: float


class _Worker(NamedTuple):
    process: SpawnProcess
    pipe: Connection


def read_files(reader: str, folder: Path, files: Sequence[str], seconds: float) -> Iterator[FileResult]:
    """Read each file below the folder, for at most so many seconds each."""
    worker = _start(reader)
    for file in files:
        worker.pipe.send(folder / file)
        try:
            answered = worker.pipe.poll(seconds)
            yield FileResult(file, *worker.pipe.recv()) if answered else FileResult(file, None, "time limit", seconds)
        except EOFError:
            answered = False
            yield FileResult(file, None, "the reader crashed", 0.0)
        if not answered:
            _stop(worker)
            worker = _start(reader)
    _stop(worker)


def _start(reader: str) -> _Worker:
    """A process that has imported everything and read a small file, which does not count."""
    ours, theirs = _PROCESSES.Pipe()
    process = _PROCESSES.Process(target=_serve, args=(reader, theirs), daemon=True)
    process.start()
    theirs.close()
    if not ours.poll(_START_SECONDS):
        raise TimeoutError(f"{reader} does not start")
    ours.recv()
    return _Worker(process, ours)


def _stop(worker: _Worker) -> None:
    worker.pipe.close()
    worker.process.kill()
    worker.process.join()


def _serve(reader: str, pipe: Connection) -> None:
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    read = READERS[reader].read
    _read_one(read, Path(__file__))
    pipe.send("ready")
    while True:
        try:
            path = pipe.recv()
        except EOFError:
            return
        pipe.send(_read_one(read, path))


class _Outcome(NamedTuple):
    reading: Reading | None
    reason: str
    seconds: float


def _read_one(read: Callable[[Path], Reading], path: Path) -> _Outcome:
    started = time.perf_counter()
    try:
        reading, reason = read(path), ""
    except Exception as error:  # noqa: BLE001 - peers raise whatever they like; the reason is what is measured
        reading, reason = None, f"{type(error).__name__}: {error}".split("\n")[0][:_LONGEST_REASON]
    seconds = time.perf_counter() - started
    if reading is not None and not any(piece.text.strip() or piece.rows for piece in reading.pieces):
        return _Outcome(None if not reading.unread else reading, "no text", seconds)
    return _Outcome(reading, reason, seconds)
