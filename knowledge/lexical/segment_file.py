"""A segment as one file: a short head that says what follows, then the arrays, read through a memory map.

A file is never changed once it has its name, so that whoever has it mapped can go on with it, also after another
process has removed it.
"""

from __future__ import annotations

import mmap
import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...errors import LibraryFormatError
from .segment import Segment

FORMAT = 3
"""Rises with each change of what is in a file; 1 and 2 were folders."""

_MAGIC = b"veriseg\n"
_PREAMBLE = struct.Struct("<8sII")
_ALIGNMENT = 64
# Of the arrays in the order of `Segment`.
_TYPES = ("<u8", "<i8", "<i4", "<u2", "<i4", "<i8", "<i8", "<u8", "<i8")


class _Head(BaseModel):
    """What stands in a file; `counts` are the elements of each array in the order of `Segment`."""

    model_config = ConfigDict(frozen=True)

    format: int
    counts: tuple[int, ...] = Field(min_length=len(_TYPES), max_length=len(_TYPES))
    checksum: int = Field(description="CRC-32 of everything behind the head")
    size: int = Field(description="bytes behind the head")


def save_segment(segment: Segment, path: Path, temporary: Path) -> None:
    """Writes a segment beside its place and gives it its name when all of it is on the disk.

    Raises:
        OSError: the disk is full, or nothing may be written there.
    """
    pieces = list(_pieces(segment))
    checksum = 0
    for piece in pieces:
        checksum = zlib.crc32(piece, checksum)
    counts = tuple(map(len, _columns(segment)))
    head = _Head(format=FORMAT, counts=counts, checksum=checksum, size=sum(map(len, pieces)))
    text = head.model_dump_json().encode()
    text += b" " * (-(len(text) + _PREAMBLE.size) % _ALIGNMENT)
    with temporary.open("wb") as file:
        file.write(_PREAMBLE.pack(_MAGIC, len(text), zlib.crc32(text)))
        file.write(text)
        file.writelines(pieces)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def _pieces(segment: Segment) -> Iterator[memoryview | bytes]:
    """The bytes of each array and what fills them up to the next."""
    for values, kind in zip(_columns(segment), _TYPES, strict=True):
        piece = np.ascontiguousarray(values, dtype=np.dtype(kind)).view(np.uint8).data
        yield piece
        yield bytes(-len(piece) % _ALIGNMENT)


def _columns(segment: Segment) -> tuple[NDArray[np.generic], ...]:
    return tuple(segment)


def load_segment(path: Path) -> Segment:
    """Maps a segment that `save_segment` wrote.

    Raises:
        FileNotFoundError: another process has removed it.
        LibraryFormatError: it is damaged, or a newer version made it.
    """
    try:
        with path.open("rb") as file:
            data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        return _arrays(data, path)
    except FileNotFoundError:
        raise
    except (OSError, ValueError, struct.error) as error:
        raise _damaged(path, str(error)) from error


def _arrays(data: memoryview, path: Path) -> Segment:
    magic, length, checksum = _PREAMBLE.unpack_from(data)
    text = data[_PREAMBLE.size : _PREAMBLE.size + length]
    if magic != _MAGIC or len(text) != length or zlib.crc32(text) != checksum:
        raise _damaged(path, "its head is not readable")
    head = _head(bytes(text), path)
    body = data[_PREAMBLE.size + length :]
    if len(body) != head.size or zlib.crc32(body) != head.checksum:
        raise _damaged(path, "its content is not what was written")
    arrays: list[NDArray[np.generic]] = []
    offset = 0
    for count, kind in zip(head.counts, _TYPES, strict=True):
        arrays.append(_array(body, kind, count, offset))
        size = arrays[-1].nbytes
        offset += size + -size % _ALIGNMENT
    return Segment(*arrays)  # type: ignore[arg-type]


def _head(text: bytes, path: Path) -> _Head:
    try:
        head = _Head.model_validate_json(text)
    except ValidationError as error:
        raise _damaged(path, "its head is not readable, a newer version may have made it") from error
    if head.format != FORMAT:
        raise _damaged(path, f"it is of format {head.format}, this version reads {FORMAT}")
    return head


def _array(body: memoryview, kind: str, count: int, offset: int) -> NDArray[np.generic]:
    if not count:
        return np.zeros(0, dtype=np.dtype(kind))
    return np.frombuffer(body, dtype=np.dtype(kind), count=count, offset=offset)


def _damaged(path: Path, reason: str) -> LibraryFormatError:
    return LibraryFormatError(f"{path}: not a usable part of the lexical index ({reason}): it is to be rebuilt")
