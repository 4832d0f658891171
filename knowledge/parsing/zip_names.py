"""The names of files in ZIP archives, which old programs wrote in whatever encoding their system had."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Sequence
from typing import NamedTuple, Self

from .encodings import guess_east_asian

_UTF8_FLAG = 0x800
_UNICODE_PATH = 0x7075  # "Info-ZIP Unicode Path": version, CRC-32 of the stored name, the name in UTF-8


class NameSource(NamedTuple):
    """A name as stored."""

    raw: bytes
    """without an encoding; empty where `known` is there"""
    known: str | None
    """where the archive says that it is UTF-8"""

    @classmethod
    def of(cls, info: zipfile.ZipInfo) -> Self:
        """The name of a member, from its flag or its extra field."""
        if info.flag_bits & _UTF8_FLAG:
            return cls(b"", info.orig_filename)
        raw = info.orig_filename.encode("cp437", "replace")
        return cls(raw, _unicode_path(info.extra, raw))


def decode_names(sources: Sequence[NameSource]) -> list[str]:
    """The names with forward slashes, all of unknown encoding read in the same one."""
    unknown = [source.raw for source in sources if source.known is None]
    codec = _codec_of(unknown)
    names = (source.raw.decode(codec, "replace") if source.known is None else source.known for source in sources)
    return [_printable(name.replace("\\", "/")) for name in names]


def _codec_of(names: Sequence[bytes]) -> str:
    joined = b"\n".join(names)
    try:
        joined.decode("utf-8")
    except UnicodeDecodeError:
        return guess_east_asian(joined) or "cp437"
    return "utf-8"


def _printable(name: str) -> str:
    """Without characters that would break a line or a terminal."""
    return "".join(character if character.isprintable() else "\ufffd" for character in name)


def _unicode_path(extra: bytes, raw: bytes) -> str | None:
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        field = extra[4 : 4 + size]
        if kind == _UNICODE_PATH and len(field) > 5 and struct.unpack_from("<I", field, 1)[0] == zlib.crc32(raw):
            return field[5:].decode("utf-8", "replace")
        extra = extra[4 + size :]
    return None
