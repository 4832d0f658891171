"""Runs files through the ingest graph: several side by side where other processes read them, else one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from queue import SimpleQueue
from threading import Event
from typing import NamedTuple

from ..knowledge.elements import ParseOptions
from ..knowledge.library import Library
from ..knowledge.reading import IsolatedReader, ReadLimits
from ..nodes.ingest.closing import ClosedDocument
from ..nodes.ingest.state import IngestContext, SourceFile
from .add_report import AddListener, FileProgress, FileResult
from .ingest import build_ingest
from .turns import Turns

# Of so few files each small text is read here; for more, processes are worth their start.
_FEW_FILES = 64
# Runs for each process: while one document is being read, others wait to be written.
_RUNS_AHEAD = 3

_graph = build_ingest()


def ingest(
    library: Library,
    sources: Sequence[SourceFile],
    options: ParseOptions,
    told: AddListener,
    gone: tuple[ClosedDocument, ...] = (),
) -> list[FileResult]:
    """Bring files into the library; the results are in their order.

    Whatever ends it early, no process that reads files is left behind and every document is whole.

    Args:
        library: whose writer we are.
        sources: the files.
        options: how to read them.
        told: about each file that is begun.
        gone: closed documents that one of the files may be under another name.

    Raises:
        LibraryError: the library cannot take more, or files cannot be read here at all.
    """
    limits = library.settings.parsing
    context = IngestContext(library=library, options=options, gone=gone)
    if not limits.processes or not sources:
        return _one_by_one(context, sources, told)
    reader = IsolatedReader(
        limits.processes,
        ReadLimits(limits.file_seconds, limits.memory_megabytes),
        keep_small=len(sources) <= _FEW_FILES,
    )
    with closing(reader):
        return _side_by_side(replace(context, reader=reader), sources, told, _RUNS_AHEAD * limits.processes)


def _one_by_one(context: IngestContext, sources: Sequence[SourceFile], told: AddListener) -> list[FileResult]:
    results = []
    for done, source in enumerate(sources):
        told.file(FileProgress(done, len(sources), source.name))
        results.append(_run(context, source))
    told.file(FileProgress(len(sources), len(sources), ""))
    return results


def _run(context: IngestContext, source: SourceFile) -> FileResult:
    end = _graph.invoke({"source": source}, context=context)
    return FileResult(source, **{name: end[name] for name in FileResult._fields if name in end})


class _Begun(NamedTuple):
    """A file is being read."""

    name: str


_Event = _Begun | Future[FileResult | None]


class _Runs:
    """Runs of the graph in threads; a run's number is its file's."""

    def __init__(self, context: IngestContext) -> None:
        self.events: SimpleQueue[_Event] = SimpleQueue()
        self.stopped = Event()
        self._context = context
        self._turns = Turns()

    def start(self, executor: ThreadPoolExecutor, number: int, source: SourceFile) -> Future[FileResult | None]:
        self._turns.begin(number)
        future = executor.submit(self._run, number, source)
        future.add_done_callback(self.events.put)
        return future

    def _run(self, number: int, source: SourceFile) -> FileResult | None:
        try:
            if self.stopped.is_set():
                return None
            self.events.put(_Begun(source.name))
            return _run(replace(self._context, turn=partial(self._turns.turn, number)), source)
        finally:
            self._turns.end(number)


def _side_by_side(
    context: IngestContext, sources: Sequence[SourceFile], told: AddListener, most: int
) -> list[FileResult]:
    runs = _Runs(context)
    with _threads(min(most, len(sources)), runs, context) as executor:
        futures = [runs.start(executor, number, source) for number, source in enumerate(sources)]
        done = 0
        while done < len(sources):
            event = runs.events.get()
            if isinstance(event, _Begun):
                told.file(FileProgress(done, len(sources), event.name))
            else:
                event.result()  # raises what has stopped it: nothing more would get in
                done += 1
    told.file(FileProgress(len(sources), len(sources), ""))
    return [result for future in futures if (result := future.result()) is not None]


@contextmanager
def _threads(count: int, runs: _Runs, context: IngestContext) -> Iterator[ThreadPoolExecutor]:
    """Threads that are gone in the end, in good and in bad: what they read is given up, what they write is finished."""
    executor = ThreadPoolExecutor(count, thread_name_prefix="ingest")
    try:
        yield executor
    finally:
        runs.stopped.set()
        context.reader.close()
        executor.shutdown(cancel_futures=True)
