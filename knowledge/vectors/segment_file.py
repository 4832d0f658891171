"""A segment in a file: made once, checked when it is opened, then mapped into memory.

The vectors stand first, at a fixed place, so that they can be mapped; passage numbers, keys of their texts and check
sums follow. The page before them says how much there is of each. Codes lie in a file of their own beside it; they can
be made again from the vectors.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import LibraryFormatError
from ..store import PassageVectors
from .segment import CODED_FROM, Mask, Segment, encode, import_faiss

FILE_FORMAT = 1
_MAGIC = b"veriloop vectors\n"
_PAGE = 4_096
_CHECKED_ROWS = 1_024
"""Rows that share a check sum."""
_CHECKED_AT_OPENING = 32
"""Check sums that are verified when a file is opened: all of 32,768 vectors, a sample of more."""
_NUMBER, _KEY, _VALUE, _SUM = np.dtype("<i8"), np.dtype("S16"), np.dtype("<f4"), np.dtype("<u4")


class StoredSegment(NamedTuple):
    """A segment with what tells whether its passages are still those of the store."""

    segment: Segment
    keys: NDArray[np.bytes_]
    path: Path | None
    """None: only in memory."""


def in_memory(chunks: Iterable[PassageVectors]) -> StoredSegment:
    """A segment without a file; chunks by ascending number, at least one."""
    parts = list(chunks)
    vectors = np.concatenate([_sound(part.vectors) for part in parts])
    numbers = np.concatenate([part.numbers for part in parts])
    codes = encode(vectors) if len(numbers) >= CODED_FROM else None
    return StoredSegment(Segment(numbers, vectors, codes), np.concatenate([part.keys for part in parts]), None)


def write_segment(path: Path, chunks: Iterable[PassageVectors]) -> str:
    """Write a file; the caller gives it its final name when this has returned.

    Args:
        path: where to.
        chunks: by ascending passage number, at least one.

    Returns:
        A digest of the passages in it, to name it by.

    Raises:
        OSError: the file cannot be written.
    """
    numbers: list[NDArray[np.int64]] = []
    keys: list[NDArray[np.bytes_]] = []
    sums = _Sums()
    with path.open("wb") as stream:
        stream.seek(_PAGE)
        for chunk in chunks:
            numbers.append(chunk.numbers)
            keys.append(chunk.keys)
            vectors = _sound(chunk.vectors)
            stream.write(vectors.tobytes())
            sums.add(vectors)
        passages = np.concatenate(numbers).astype(_NUMBER).tobytes() + np.concatenate(keys).astype(_KEY).tobytes()
        tail = passages + np.array(sums.all(), dtype=_SUM).tobytes()
        stream.write(tail)
        _write_head(stream, sum(map(len, numbers)), vectors.shape[1], zlib.crc32(tail))
    return sha256(passages).hexdigest()[:24]


class _Sums:
    """Check sums of every `_CHECKED_ROWS` rows, however the rows come."""

    def __init__(self) -> None:
        self._done: list[int] = []
        self._open, self._open_rows = 0, 0

    def add(self, vectors: NDArray[np.float32]) -> None:
        start = 0
        while start < len(vectors):
            part = vectors[start : start + _CHECKED_ROWS - self._open_rows]
            self._open = zlib.crc32(part.tobytes(), self._open)
            self._open_rows += len(part)
            start += len(part)
            if self._open_rows == _CHECKED_ROWS:
                self._done.append(self._open)
                self._open, self._open_rows = 0, 0

    def all(self) -> list[int]:
        return [*self._done, self._open] if self._open_rows else self._done


def _sound(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Without values that are no numbers: they would spoil the codes of all others. A zero vector is near nothing."""
    whole: Mask = np.asarray(np.isfinite(vectors).all(axis=1))
    kept = vectors if whole.all() else np.where(whole[:, np.newaxis], vectors, 0)
    return np.ascontiguousarray(kept, dtype=_VALUE)


def _write_head(stream: IO[bytes], rows: int, dimension: int, tail: int) -> None:
    head = json.dumps({"format": FILE_FORMAT, "rows": rows, "dimension": dimension, "tail": tail}).encode()
    stream.seek(0)
    stream.write(_MAGIC + head + b"\n")


class _Head(NamedTuple):
    rows: int
    dimension: int
    tail: int

    @property
    def tail_start(self) -> int:
        return _PAGE + self.rows * self.dimension * _VALUE.itemsize

    @property
    def sums(self) -> int:
        return -(-self.rows // _CHECKED_ROWS)

    @property
    def size(self) -> int:
        return self.tail_start + self.rows * (_NUMBER.itemsize + _KEY.itemsize) + self.sums * _SUM.itemsize


def open_segment(path: Path) -> StoredSegment:
    """Map a file and read its codes, which are made again where they are damaged.

    Raises:
        LibraryFormatError: the file is damaged, or of a newer format.
        OSError: it cannot be read.
    """
    head = _read_head(path)
    with path.open("rb") as stream:
        stream.seek(head.tail_start)
        tail = stream.read()
    if path.stat().st_size != head.size or zlib.crc32(tail) != head.tail:
        raise _damaged(path)
    numbers = np.frombuffer(tail, dtype=_NUMBER, count=head.rows)
    keys = np.frombuffer(tail, dtype=_KEY, count=head.rows, offset=numbers.nbytes)
    sums = np.frombuffer(tail, dtype=_SUM, offset=numbers.nbytes + keys.nbytes)
    vectors = np.memmap(path, dtype=_VALUE, mode="r", offset=_PAGE, shape=(head.rows, head.dimension))
    for block in np.unique(np.linspace(0, len(sums) - 1, _CHECKED_AT_OPENING).astype(int)):
        if zlib.crc32(vectors[block * _CHECKED_ROWS : (block + 1) * _CHECKED_ROWS].tobytes()) != sums[block]:
            raise _damaged(path)
    codes = _codes(path, vectors) if head.rows >= CODED_FROM else None
    return StoredSegment(Segment(numbers, vectors, codes), keys, path)


def _read_head(path: Path) -> _Head:
    with path.open("rb") as stream:
        page = stream.read(_PAGE)
    try:
        if not page.startswith(_MAGIC):
            raise _damaged(path)
        found = json.loads(page[len(_MAGIC) :].split(b"\n", 1)[0])
        if found["format"] != FILE_FORMAT:
            raise LibraryFormatError(f"{path}: a vector file of format {found['format']}; it will be made anew")
        head = _Head(int(found["rows"]), int(found["dimension"]), int(found["tail"]))
    except (ValueError, KeyError, TypeError) as error:
        raise _damaged(path) from error
    if head.rows < 1 or head.dimension < 1:
        raise _damaged(path)
    return head


def _damaged(path: Path) -> LibraryFormatError:
    return LibraryFormatError(f"{path}: a damaged vector file; it will be made anew")


def codes_path(path: Path) -> Path:
    """Where the codes of a segment's file lie."""
    return path.with_suffix(".codes")


def _codes(path: Path, vectors: NDArray[np.float32]) -> Any:
    """The codes beside a file, or new ones, kept there if possible."""
    beside = codes_path(path)
    try:
        return _read_codes(beside, len(vectors))
    except (OSError, ValueError, RuntimeError):
        codes = encode(vectors)
        temporary = beside.with_suffix(".codes.tmp")
        try:
            made = import_faiss().serialize_index(codes).tobytes()
            temporary.write_bytes(np.array([zlib.crc32(made)], dtype=_SUM).tobytes() + made)
            temporary.replace(beside)
        except OSError:
            temporary.unlink(missing_ok=True)  # a full disk: they are made again next time
        return codes


def _read_codes(path: Path, rows: int) -> Any:
    stored = np.fromfile(path, dtype=np.uint8)
    made = stored[_SUM.itemsize :]
    if not len(made) or zlib.crc32(made.data) != stored[: _SUM.itemsize].view(_SUM)[0]:
        raise ValueError(f"{path}: damaged")
    codes = import_faiss().deserialize_index(made)
    if codes.ntotal != rows:
        raise ValueError(f"{path}: of another file")
    return codes
