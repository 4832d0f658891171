"""A process that reads files for another one: ``python -m veriloop.knowledge.reading.worker SECONDS MEGABYTES FOLDER``.

It takes tasks on its standard input and replies on its standard output, and ends when the other process does, with the
folder for temporary files. What libraries print goes nowhere. Text of documents leaves it in replies only.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from types import TracebackType
from typing import BinaryIO, NamedTuple

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError

from ...errors import InputFileError, SettingsError
from ..elements import ParsedDocument
from ..text.normalise import well_formed
from .direct import DirectReader
from .ending import end_group
from .messages import TASKS, Broken, Cut, CutTask, Parsed, ParseTask, Ready, Refused, read_message, write_message
from .protocol import CutDocument, ReadLimits

if sys.platform != "win32":
    import resource

# A worker that has grown to this share of its limit is replaced, so that one file's memory is not the next one's.
_SPENT_SHARE = 0.4
# The other process ends one that takes too long; should it be gone itself, the system does so a little later.
_GRACE_SECONDS = 30
_MEGABYTE = 1_000_000
_USUAL_DATA_BYTES = 128 * _MEGABYTE  # measured on Linux (x86_64)


class _Channel(NamedTuple):
    """The way to the other process."""

    tasks: BinaryIO
    replies: BinaryIO


def main() -> None:
    """Serve until the other process is gone."""
    limits = ReadLimits(float(sys.argv[1]), float(sys.argv[2]))
    channel = _take_streams()
    _limit_memory(limits.megabytes)
    sys.excepthook = partial(_report_failure, channel.replies)
    tasks: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(channel.tasks, tasks), daemon=True).start()
    _send(channel.replies, Ready())
    _silence()
    reader = DirectReader()
    while True:
        content = tasks.get()
        with _alarm(limits.seconds):
            reply = _work(reader, TASKS.validate_json(content), limits)
            _send(channel.replies, reply)


def _take_streams() -> _Channel:
    """Keep standard input and output for messages alone: neither libraries nor programs that they start get them."""
    tasks, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return _Channel(tasks, replies)


def _silence() -> None:
    """What libraries say of damaged files is not for the user's terminal; what keeps us from starting is."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 2)


def _limit_memory(megabytes: float) -> None:
    if sys.platform == "win32":
        return
    # Data, not addresses: libraries map far more than they use.
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = _own_data() + int(megabytes * _MEGABYTE)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (wanted if hard < 0 else min(wanted, hard), hard))


def _own_data() -> int:
    """Bytes of data that this process has before it has read anything; most of it is set aside and not used."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[5]
    except (OSError, IndexError):
        return _USUAL_DATA_BYTES
    return int(pages) * resource.getpagesize()


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Be ended by the system after this time and a grace, whatever this process is busy with."""
    if sys.platform == "win32":
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE_SECONDS)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)


def _listen(stream: BinaryIO, tasks: SimpleQueue[bytes]) -> None:
    while (content := read_message(stream)) is not None:
        tasks.put(content)
    # The other process is gone and cannot do it.
    shutil.rmtree(sys.argv[3], ignore_errors=True)
    _end()


def _end() -> None:
    """End this process and the programs that it has started."""
    if sys.platform != "win32" and os.getpgrp() == os.getpid():
        end_group(os.getpid())
    os._exit(0)


def _work(reader: DirectReader, task: ParseTask | CutTask, limits: ReadLimits) -> Parsed | Cut | Refused:
    try:
        if isinstance(task, ParseTask):
            parsed = reader.parse(Path(os.fsdecode(task.path)), task.name, task.full_options)
            return Parsed(parsed=_well_formed(parsed), spent=_is_spent(limits))
        return Cut.of(_cut(reader, task), spent=_is_spent(limits))
    except InputFileError as error:
        if isinstance(error.__cause__, MemoryError):
            return _too_large(limits)
        return Refused(reason=error.reason, spent=_is_spent(limits))
    except MemoryError:
        return _too_large(limits)


def _cut(reader: DirectReader, task: CutTask) -> CutDocument:
    try:
        return reader.cut(task.parsed, task.document, task.cutting)
    except SettingsError:
        # A dictionary has gone since the library read it; the library sees that these terms are not its own.
        return reader.cut(task.parsed, task.document, task.cutting._replace(dictionaries=()))


def _well_formed(parsed: ParsedDocument) -> ParsedDocument:
    """Without halves of characters, which damaged fonts give and JSON cannot hold."""
    try:
        parsed.model_dump_json()
    except PydanticSerializationError:
        return ParsedDocument.model_validate(_mended(parsed.model_dump()))
    return parsed


def _mended(value: object) -> object:
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, dict):
        return {key: _mended(one) for key, one in value.items()}
    return tuple(_mended(one) for one in value) if isinstance(value, tuple | list) else value


def _too_large(limits: ReadLimits) -> Refused:
    reason = (
        f"takes more than {limits.megabytes:,.0f} MB of memory to read: split it, or raise parsing.memory_megabytes"
    )
    return Refused(reason=reason, spent=True)


def _is_spent(limits: ReadLimits) -> bool:
    if sys.platform == "win32":
        return False
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit > _SPENT_SHARE * limits.megabytes * _MEGABYTE


def _send(replies: BinaryIO, reply: BaseModel) -> None:
    try:
        write_message(replies, reply.model_dump_json().encode())
    except OSError:
        _end()


def _report_failure(
    replies: BinaryIO, kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Name the error and its line; its message may hold text of the document."""
    place = ""
    while trace is not None:
        place = f" in {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
        trace = trace.tb_next
    _send(replies, Broken(where=f"{kind.__name__}{place}"))
    _end()


if __name__ == "__main__":
    main()
