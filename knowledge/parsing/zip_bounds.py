"""What holds for every ZIP container before and while it is opened: how much it may list, how its damage shows."""

from __future__ import annotations

import lzma
import os
import struct
import zipfile
import zlib
from pathlib import Path
from typing import BinaryIO

MOST_DIRECTORY_BYTES = 8 * 1024 * 1024
"""Of the list of members: ten thousand of them, each with a name of some hundred bytes."""

BROKEN: tuple[type[Exception], ...] = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    NotImplementedError,
    RuntimeError,
    OverflowError,
    OSError,
    EOFError,
    ValueError,
)
"""What Python's zip reader raises on damaged containers and members."""

_END = b"PK\x05\x06"
_END_BYTES = 22
_LONGEST_COMMENT = 65_535
_LOCATOR = struct.Struct("<4sLQL")
_END_64 = struct.Struct("<4sQHHLLQQQQ")


def lists_too_much(path: Path) -> bool:
    """Whether a container's list of members is so long that only reading it would take much time and memory.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        return _directory_bytes(file) > MOST_DIRECTORY_BYTES


def _directory_bytes(file: BinaryIO) -> int:
    """What the record at the end says, which Python's zip reader believes; 0 where there is none."""
    size = file.seek(0, os.SEEK_END)
    start = max(0, size - _LONGEST_COMMENT - _END_BYTES)
    file.seek(start)
    tail = file.read()
    found = tail.rfind(_END)
    if found < 0 or len(tail) - found < _END_BYTES:
        return 0
    stated = int(struct.unpack_from("<L", tail, found + 12)[0])
    return max(stated if stated < 0xFFFFFFFF else 0, _directory_bytes_64(file, start + found))


def _directory_bytes_64(file: BinaryIO, end: int) -> int:
    """The same by the record for large containers, which stands before the one at `end`."""
    place = end - _LOCATOR.size - _END_64.size
    if place < 0:
        return 0
    file.seek(place)
    content = file.read(_END_64.size)
    return int(_END_64.unpack(content)[8]) if content.startswith(b"PK\x06\x06") else 0
