"""Opens encrypted Office files, old and new, with the passwords that were given."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import SecretStr

from ...errors import InputFileError
from . import passwords as words

_DEFAULT = "VelvetSweatshop"
"""With which Excel itself encrypts workbooks that are only protected against changes."""
_DAMAGED: tuple[type[Exception], ...] = (
    OSError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    AssertionError,
    EOFError,
    struct.error,
    NotImplementedError,
)
"""What the package raises on damaged files and on kinds of protection that it does not know, its own errors aside."""
UNKNOWN = "is encrypted in a way that is not read, or damaged: save it without protection and add it again"


@contextmanager
def opened(path: Path, passwords: Sequence[SecretStr]) -> Iterator[Path]:
    """The file itself if it is not encrypted, otherwise its content in a temporary file.

    Raises:
        InputFileError: if it is encrypted and no password opens it; the reason never holds a password.
    """
    with path.open("rb") as stream:
        office = _office(stream)
        if office is None:
            yield path
            return
        with TemporaryDirectory(prefix="veriloop-") as folder:
            plain = Path(folder) / f"document{path.suffix}"
            _decrypt(path, office, passwords, plain)
            yield plain


def _office(stream: Any) -> Any | None:
    """The encrypted file, or None if it is not encrypted or unknown to the package: its reader tells what is wrong."""
    import msoffcrypto  # noqa: PLC0415
    from msoffcrypto import exceptions  # noqa: PLC0415
    from olefile.olefile import OleFileError  # noqa: PLC0415

    try:
        office = msoffcrypto.OfficeFile(stream)
        return office if office.is_encrypted() else None
    except (*_DAMAGED, exceptions.FileFormatError, exceptions.ParseError, OleFileError):
        return None


def _decrypt(path: Path, office: Any, passwords: Sequence[SecretStr], plain: Path) -> None:
    from msoffcrypto import exceptions  # noqa: PLC0415

    unknown = False
    for password in (_DEFAULT, *(one.get_secret_value() for one in passwords)):
        try:
            office.load_key(password=password)
            with plain.open("wb") as target:
                office.decrypt(target)
        except (exceptions.InvalidKeyError, exceptions.DecryptionError):
            continue
        except (*_DAMAGED, exceptions.FileFormatError, exceptions.ParseError):
            unknown = True
            continue
        return
    raise InputFileError(str(path), UNKNOWN if unknown else words.locked(len(passwords)))
