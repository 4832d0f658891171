"""Opens members of ZIP archives, encrypted ones with the passwords that were given."""

from __future__ import annotations

import lzma
import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

from pydantic import SecretStr

from .passwords import encrypted, none_opens

_AES = 99  # the compression method that stands for WinZip's AES
_ENCODINGS = ("utf-8", "gb18030", "cp437")
"""In which programs turned a password into bytes."""
_WRONG: tuple[type[Exception], ...] = (RuntimeError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError)
"""What a wrong password leads to; its check byte is right once in 256 times, then the content is damaged."""


class Locked(Exception):  # noqa: N818
    """None of the passwords opens a member; the message is fit for a user."""


def opened(
    archive: zipfile.ZipFile,
    info: zipfile.ZipInfo,
    passwords: Sequence[SecretStr],
    use: Callable[[IO[bytes]], None],
) -> None:
    """Hand an opened member to `use`, which must read all of it, once for each password until one is right.

    Raises:
        Locked: if none is.
    """
    if not info.flag_bits & 1:
        with archive.open(info) as member:
            use(member)
        return
    for password in _as_bytes(passwords):
        try:
            if info.compress_type == _AES:
                _open_aes(archive, info, password, use)
            else:
                with archive.open(info, pwd=password) as member:
                    use(member)
        except _WRONG:
            continue
        return
    raise Locked(none_opens(len(passwords)) if passwords else encrypted())


def _as_bytes(passwords: Sequence[SecretStr]) -> list[bytes]:
    forms: dict[bytes, None] = {}
    for password in passwords:
        for encoding in _ENCODINGS:
            forms[password.get_secret_value().encode(encoding, "ignore")] = None
    return [form for form in forms if form]


def _open_aes(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, password: bytes, use: Callable[[IO[bytes]], None]
) -> None:
    """Python's own reader knows only the old encryption."""
    import pyzipper  # noqa: PLC0415

    with pyzipper.AESZipFile(Path(str(archive.filename))) as other:
        twin = next(entry for entry in other.infolist() if entry.header_offset == info.header_offset)
        with other.open(twin, pwd=password) as member:
            use(member)
