"""The lexical index on disk: segments that are added as documents come, merged as they become many, never changed.

Each segment says itself which states of which documents it holds, so there is no list of segments that could
contradict them. A reader takes the segments it finds, uses of each document the state that the store has now, and
makes a new segment of what no segment holds. So killing a writer anywhere costs at most a rebuild of what it was
writing, and a restored or foreign store never meets rows that are not its own.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from ..errors import LibraryFormatError
from .analysis import Analysers
from .lexical import Segment, SegmentedIndex
from .lexical.merging import LivePart, due_for_merge, merge
from .lexical.scoring import Bm25
from .lexical.segment import IndexedRow, RowOwner, build_segment, document_fingerprint
from .lexical.segment_file import FORMAT, load_segment, save_segment
from .store import Store
from .store.protocol import DocumentMark, IndexRow
from .text.tokens import character_marks, stop_word_marks

_NAME = re.compile(rf"lexical-{FORMAT}-(?P<generation>\d{{6}})-[0-9a-f]{{32}}\.seg")
# A half-written file of this age was left by a process that was killed.
_ABANDONED_SECONDS = 3_600
# Bounds the memory for reading and sorting terms when a large library is indexed at once.
_ROWS_AT_ONCE = 20_000
# How often the folder is read again when another process merges segments meanwhile.
_TRIES = 5


class LexicalRows(NamedTuple):
    """The lexical index with what its rows stand for."""

    bm25: SegmentedIndex
    passage_ids: NDArray[np.int64]
    documents: NDArray[np.int64]


class _Wanted(NamedTuple):
    """The states of all documents as they are in the store, by number; the arrays are parallel."""

    marks: Sequence[DocumentMark]
    numbers: NDArray[np.int64]
    fingerprints: NDArray[np.uint64]


class _Used(NamedTuple):
    """A segment under its name, and which of its documents are in use."""

    name: str
    part: LivePart

    @property
    def live_rows(self) -> int:
        """How many of its rows are in use."""
        return int(np.count_nonzero(self.part.segment.rows_of(self.part.documents)))


class LexicalFiles:
    """The segments of a library. One thread at a time; other processes may use the folder meanwhile."""

    def __init__(self, folder: Path, store: Store, analysers: Analysers, bm25: Bm25, *, keep: bool = True) -> None:
        """
        Args:
            folder: where the segments are.
            store: whose passages they hold.
            analysers: whose analyses count; rows that others made are not used.
            bm25: the parameters of the index.
            keep: False to leave the folder as it is: what no segment there holds is made in memory.
        """
        self._folder = folder
        self._store = store
        self._analysers = analysers
        self._bm25 = bm25
        self._keeps = keep
        self._held: dict[str, Segment] = {}
        """Segments that this process has mapped or made, by name."""

    def current(self) -> LexicalRows:
        """The index of the present state of the store, whose passages must all have been analysed."""
        present = self._present()
        # Behind the list of files: a segment found there holds no document that these do not know.
        wanted = self._wanted()
        used, missing = _in_use(self._preferred(present), wanted)
        used += self._made(missing)
        if self._keeps:
            used = self._merged(used)
            self._tidy({one.name for one in used})
        return self._index(used)

    def _index(self, used: Iterable[_Used]) -> LexicalRows:
        in_order = sorted(used, key=_first_passage)
        index = SegmentedIndex(((one.part.segment, one.part.documents) for one in in_order), self._bm25)
        return LexicalRows(index, index.passage_ids, index.documents)

    def _wanted(self) -> _Wanted:
        marks = self._store.document_marks()
        fingerprints = [self._fingerprint(mark) for mark in marks]
        numbers = [mark.number for mark in marks]
        return _Wanted(marks, np.array(numbers, dtype=np.int64), np.array(fingerprints, dtype=np.uint64))

    def _fingerprint(self, mark: DocumentMark) -> int:
        *state, domain = mark
        return document_fingerprint((*state, self._analysers.of(domain)))

    def _present(self) -> set[str]:
        """The names of the segments on disk, each of which is held now."""
        for _ in range(_TRIES):
            names = {path.name for path in self._files() if _NAME.fullmatch(path.name)}
            opened = [self._open(name) for name in names - self._held.keys()]
            if all(opened):
                break
        return names & self._held.keys()

    def _open(self, name: str) -> bool:
        """False if another process has just removed the file."""
        path = self._folder / name
        try:
            self._held[name] = load_segment(path)
        except FileNotFoundError:
            return False
        except LibraryFormatError:
            if self._keeps:
                _remove(path)
        return True

    def _preferred(self, present: set[str]) -> list[tuple[str, Segment]]:
        """The segments in the order in which a document is looked for.

        The order is the same for every process, so that two of them never remove each other's copy of a document.
        What is held but not on disk (it was full, or the folder has been cleared) only serves where nothing else does.
        """
        order = sorted(self._held, key=lambda name: (name in present, _generation(name), name), reverse=True)
        return [(name, self._held[name]) for name in order]

    def _made(self, missing: Sequence[DocumentMark]) -> Iterator[_Used]:
        """New segments of the documents that none holds.

        Each is saved at once, so that indexing a large library goes on where a killed process has stopped.
        """
        for marks in _batches(missing):
            if (segment := self._read(marks)) is not None:
                name = self._keep(segment, 0)
                if self._keeps:
                    self._save(name)
                yield _Used(name, _all_live(segment))

    def _read(self, marks: Sequence[DocumentMark]) -> Segment | None:
        """A segment of these documents; those that have just changed are left for the next time."""
        rows = list(self._store.index_rows([mark.number for mark in marks], self._analysers))
        counts: dict[int, int] = {}
        for row in rows:
            counts[row.document] = counts.get(row.document, 0) + 1
        sound = {mark.number: mark for mark in marks if counts.get(mark.number) == mark.passages}
        kept = [row for row in rows if row.document in sound]
        owners = [
            RowOwner(number, self._fingerprint(sound[number]), sound[number].passages)
            for number in dict.fromkeys(row.document for row in kept)
        ]
        return build_segment(map(_indexed, kept), owners) if kept else None

    def _merged(self, used: list[_Used]) -> list[_Used]:
        due = due_for_merge([(one.live_rows, one.part.segment.size) for one in used])
        if not due:
            return used
        chosen = sorted((used[place] for place in due), key=_first_passage)
        generation = 1 + max(_generation(one.name) for one in chosen)
        merged = merge([one.part for one in chosen])
        rest = [one for place, one in enumerate(used) if place not in due]
        return [*rest, _Used(self._keep(merged, generation), _all_live(merged))]

    def _keep(self, segment: Segment, generation: int) -> str:
        name = f"lexical-{FORMAT}-{generation:06d}-{uuid4().hex}.seg"
        self._held[name] = segment
        return name

    def _save(self, name: str) -> bool:
        """Puts a segment on disk, if that is possible: it serves this process in any case."""
        temporary = self._folder / f".{name}.{os.getpid()}.tmp"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            save_segment(self._held[name], self._folder / name, temporary)
        except OSError:
            _remove(temporary)
            return False
        return True

    def _tidy(self, used: set[str]) -> None:
        """Saves what is not on disk yet, then drops what nothing uses any more, here and on disk."""
        self._held = {name: segment for name, segment in self._held.items() if name in used}
        files = self._files()
        saved = [self._save(name) for name in used - {path.name for path in files}]
        for path in files:
            # Segments that were merged into one that could not be saved are still needed.
            unused = path.name.startswith("lexical-") and path.name not in used and all(saved)
            if unused or _is_abandoned(path):
                _remove(path)

    def _files(self) -> list[Path]:
        try:
            return list(self._folder.iterdir())
        except OSError:
            return []


def _in_use(held: Sequence[tuple[str, Segment]], wanted: _Wanted) -> tuple[list[_Used], list[DocumentMark]]:
    """Which documents of which segment are used, and those that are in none."""
    order = np.argsort(wanted.numbers)
    open_ones = np.ones(len(order), dtype=np.bool_)
    used = []
    for name, segment in held:
        places = np.searchsorted(wanted.numbers, segment.documents, sorter=order)
        places = order[np.minimum(places, len(order) - 1)] if len(order) else np.zeros(0, dtype=np.int64)
        if not len(places):
            continue
        same = (wanted.numbers[places] == segment.documents) & (wanted.fingerprints[places] == segment.fingerprints)
        live = same & open_ones[places]
        open_ones[places[live]] = False
        if live.any():
            used.append(_Used(name, LivePart(segment, live)))
    return used, [mark for mark, is_open in zip(wanted.marks, open_ones, strict=True) if is_open]


def _batches(marks: Sequence[DocumentMark]) -> Iterator[list[DocumentMark]]:
    batch: list[DocumentMark] = []
    rows = 0
    for mark in marks:
        if batch and rows + mark.passages > _ROWS_AT_ONCE:
            yield batch
            batch, rows = [], 0
        batch.append(mark)
        rows += mark.passages
    if batch:
        yield batch


def _indexed(row: IndexRow) -> IndexedRow:
    """A stored passage with the forms by which single characters and stop words are found."""
    marks = stop_word_marks(row.text) + character_marks(row.text)
    return IndexedRow(row.passage_id, row.terms, marks)


def _first_passage(used: _Used) -> int:
    return int(used.part.segment.passage_ids[0])


def _all_live(segment: Segment) -> LivePart:
    return LivePart(segment, np.ones(len(segment.documents), dtype=np.bool_))


def _generation(name: str) -> int:
    """How many merges are behind a segment."""
    found = _NAME.fullmatch(name)
    return int(found["generation"]) if found else 0


def _is_abandoned(path: Path) -> bool:
    """Whether a file is half-written and nobody is at it any more."""
    try:
        old = time.time() - path.stat().st_mtime > _ABANDONED_SECONDS
    except OSError:
        return False
    return old and path.name.startswith(".") and path.name.endswith(".tmp")


def _remove(path: Path) -> None:
    """Removes a file or folder where that is possible; what is left is only of no use."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
        return
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return
