"""Reads a file's bytes with a bound, and words the errors that several readers share."""

from __future__ import annotations

from pathlib import Path

from ...errors import InputFileError

MOST_TEXT_BYTES = 48 * 1024 * 1024


def read_bytes(path: Path) -> bytes:
    """A text file's content.

    Raises:
        InputFileError: if it cannot be opened or is larger than `MOST_TEXT_BYTES`.
    """
    try:
        if path.stat().st_size > MOST_TEXT_BYTES:
            raise InputFileError(
                str(path), f"holds more than {MOST_TEXT_BYTES >> 20} MB of text: split it and add the parts"
            )
        return path.read_bytes()
    except OSError as error:
        raise InputFileError(str(path), f"cannot be opened: {error.strerror or error}") from error


def undecodable(path: Path) -> InputFileError:
    """The error for a text file whose encoding was not recognised."""
    return InputFileError(str(path), "has an unknown text encoding: save it as UTF-8 and add it again")
