"""The files of the vector index: a large segment and small ones for what came later, merged now and then.

A folder belongs to the vectors of one model in one library. A segment's file never changes: it is written beside its
place and gets its name at once. Each of its passages carries the beginning of its search hash, and counts only while
the store has the same text under the same number; so neither a removed passage nor one of a restored backup can come
back, whichever files lie there. What no file holds is fetched from the store. A folder or disk that takes no files
costs that fetching each time the library is opened; search works all the same. Vectors of removed passages lie in a
file, out of reach, until it is written anew.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import LibraryFormatError
from .store import ActiveVectors, PassageKeys, PassageVectors, VectorStore
from .vectors import FaissIndex, Part
from .vectors.floor import stored_floor
from .vectors.segment import Mask
from .vectors.segment_file import StoredSegment, codes_path, in_memory, open_segment, write_segment

FORMAT = 3
_FETCHED_AT_ONCE = 20_000
"""Passages whose vectors are in memory at a time: 30 MB of 384 numbers each."""
_ASKED_DIRECTLY = 5_000
"""More passages without a vector than that are looked up the other way round: by the vectors that there are."""
_MERGE_FACTOR = 4
"""A segment is merged with all smaller ones once those hold a quarter of it: a vector is copied a few times in all."""
_DEAD_SHARE = 0.3
"""A segment that has lost so much of its passages is written anew."""
_ABANDONED_SECONDS = 3_600
"""A half-written file of this age was left by a process that was killed."""


class _Live(NamedTuple):
    """A segment by its name, and which of its passages the store still has (None: all)."""

    name: str
    stored: StoredSegment
    alive: Mask | None

    @property
    def part(self) -> Part:
        return Part(self.stored.segment, self.alive)

    @property
    def living(self) -> int:
        return self.part.living

    @property
    def rows(self) -> int:
        return len(self.stored.segment)


class VectorFiles:
    """Makes the vector index of the present state, from files as far as they hold it.

    Args:
        folder: the `index` folder of the library.
        store: its vectors.
        keep: False to leave the folder as it is: what no file there holds is put together in memory.
    """

    def __init__(self, folder: Path, store: VectorStore, *, keep: bool = True) -> None:
        self._folder = folder
        self._keeps = keep
        self._store = store
        self._active: ActiveVectors | None = None
        self._segments: dict[str, StoredSegment] = {}

    def current(self) -> FaissIndex:
        """The index over the active model's vectors."""
        active = self._store.active()
        if active is None:
            return FaissIndex.of_parts(())
        if active != self._active:
            self._active, self._segments = active, {}
        folder = self._folder / f"vectors-{FORMAT}-{sha256(repr(active).encode()).hexdigest()[:16]}"
        present = self._store.passages()
        self._open(folder, self._store.dimension(active.model))
        live, missing = _claim(self._segments, present)
        added = self._add(folder, active.model, self._numbers_with_vector(active.model, missing))
        live = [*live, added] if added else live
        if self._keeps:
            live = self._merge(folder, live)
            self._drop_others(folder)
        return FaissIndex.of_parts([one.part for one in live], stored_floor(self._store))

    def _open(self, folder: Path, dimension: int | None) -> None:
        """Open the files of such vectors that are not open yet, and forget those that another process has merged."""
        names = {path.name: path for path in folder.glob("*.vec")}
        for name in [name for name, stored in self._segments.items() if stored.path and name not in names]:
            del self._segments[name]
        for name in sorted(names.keys() - self._segments.keys()):
            try:
                opened = open_segment(names[name])
            except LibraryFormatError:
                if self._keeps:
                    _remove(names[name])
            except OSError:
                continue  # unreadable, or merged by another process at this moment: the store has the vectors
            else:
                if opened.segment.vectors.shape[1] == dimension:
                    self._segments[name] = opened

    def _numbers_with_vector(self, model: str, missing: NDArray[np.int64]) -> NDArray[np.int64]:
        if len(missing) <= _ASKED_DIRECTLY:
            return missing
        return np.intersect1d(missing, self._store.passages_with_vector(model))

    def _fetch(self, model: str, numbers: NDArray[np.int64]) -> Iterator[PassageVectors]:
        for start in range(0, len(numbers), _FETCHED_AT_ONCE):
            chunk = self._store.of_passages(model, numbers[start : start + _FETCHED_AT_ONCE].tolist())
            if len(chunk.numbers):
                yield chunk

    def _add(self, folder: Path, model: str, numbers: NDArray[np.int64]) -> _Live | None:
        """A segment of passages that no other one holds; None if there is nothing to put into it."""
        chunks = self._fetch(model, numbers)
        first = next(chunks, None)
        if first is None:
            return None
        written = self._write(folder, chain([first], chunks)) if self._keeps else None
        return written or self._remember(in_memory(self._fetch(model, numbers)))

    def _write(self, folder: Path, chunks: Iterator[PassageVectors]) -> _Live | None:
        """A new segment in a file; None where none can be written (a full disk, a read-only folder)."""
        temporary = folder / f".{os.getpid()}-{time.monotonic_ns()}.tmp"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            name = f"{write_segment(temporary, chunks)}.vec"
            temporary.replace(folder / name)
            self._segments[name] = open_segment(folder / name)
        except (OSError, LibraryFormatError):
            _remove(temporary)
            return None
        return _Live(name, self._segments[name], None)

    def _remember(self, stored: StoredSegment) -> _Live:
        name = f"memory-{time.monotonic_ns()}"
        self._segments[name] = stored
        return _Live(name, stored, None)

    def _merge(self, folder: Path, live: list[_Live]) -> list[_Live]:
        """Drop what is dead, and make one segment of several small ones."""
        for one in live:
            if not one.living:
                self._forget(one)
        live = [one for one in live if one.living]
        chosen = [live[place] for place in segments_to_merge([(one.living, one.rows) for one in live])]
        if not chosen:
            return live
        merged = self._write(folder, _merged(chosen))
        if merged is None and not any(one.stored.path for one in chosen):
            merged = self._remember(in_memory(_merged(chosen)))
        if merged is None:
            return live
        for one in chosen:
            if one.name != merged.name:
                self._forget(one)
        return [*(one for one in live if one not in chosen), merged]

    def _forget(self, one: _Live) -> None:
        self._segments.pop(one.name, None)
        if one.stored.path is not None:
            _remove(one.stored.path)
            _remove(codes_path(one.stored.path))

    def _drop_others(self, folder: Path) -> None:
        """Clear away the files of other vectors and older formats, and what killed processes have left."""
        for path in self._folder.glob("vectors-*"):
            if path != folder:
                shutil.rmtree(path, ignore_errors=True) if path.is_dir() else _remove(path)
        for path in folder.glob("*.tmp"):
            if _age(path) > _ABANDONED_SECONDS:
                _remove(path)


def segments_to_merge(sizes: Sequence[tuple[int, int]]) -> list[int]:
    """Which segments are to become one; none if all are well as they are.

    Args:
        sizes: of each, how many of its passages are there still, and how many it has in all.
    """
    worn = [place for place, (count, rows) in enumerate(sizes) if rows - count > _DEAD_SHARE * rows]
    others = sorted((place for place in range(len(sizes)) if place not in worn), key=lambda place: sizes[place][0])
    total = sum(sizes[place][0] for place in worn)
    joined = 0
    for number, place in enumerate(others, start=1):
        if total and sizes[place][0] <= _MERGE_FACTOR * total:
            joined = number
        total += sizes[place][0]
    return [*worn, *others[:joined]]


def _claim(segments: Mapping[str, StoredSegment], present: PassageKeys) -> tuple[list[_Live], NDArray[np.int64]]:
    """Which passages each segment stands for, and those that none holds. Large segments choose first."""
    live = []
    taken = np.zeros(len(present.numbers), dtype=np.bool_)
    for name, stored in sorted(segments.items(), key=lambda item: (-len(item[1].segment), item[0])):
        numbers = stored.segment.numbers
        places = np.searchsorted(present.numbers, numbers)
        places[places == len(present.numbers)] = 0
        alive = np.zeros(len(numbers), dtype=np.bool_)
        if len(present.numbers):
            same = (present.numbers[places] == numbers) & (present.keys[places] == stored.keys)
            alive = same & ~taken[places]
            taken[places[alive]] = True
        live.append(_Live(name, stored, None if alive.all() else alive))
    return live, present.numbers[~taken]


def _merged(chosen: Sequence[_Live]) -> Iterator[PassageVectors]:
    """The living passages of several segments by ascending number."""
    rows = [np.arange(one.rows) if one.alive is None else np.flatnonzero(one.alive) for one in chosen]
    numbers = np.concatenate([one.stored.segment.numbers[kept] for one, kept in zip(chosen, rows, strict=True)])
    source = np.repeat(np.arange(len(chosen)), [len(kept) for kept in rows])
    row, order = np.concatenate(rows), np.argsort(numbers)
    dimension = chosen[0].stored.segment.vectors.shape[1]
    for start in range(0, len(order), _FETCHED_AT_ONCE):
        part = order[start : start + _FETCHED_AT_ONCE]
        vectors = np.empty((len(part), dimension), dtype=np.float32)
        keys = np.empty(len(part), dtype=chosen[0].stored.keys.dtype)
        for place, one in enumerate(chosen):
            own = source[part] == place
            vectors[own] = one.stored.segment.vectors[row[part[own]]]
            keys[own] = one.stored.keys[row[part[own]]]
        yield PassageVectors(numbers[part], keys, vectors)


def _remove(path: Path) -> None:
    with suppress(OSError):  # gone already, or in a folder that is read-only
        path.unlink(missing_ok=True)


def _age(path: Path) -> float:
    """Seconds since a file was made; 0 if it has just gone."""
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return 0.0
