"""Opens PDF files, with passwords where they are needed, in the two libraries that read them."""

from __future__ import annotations

import logging
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...errors import InputFileError
from . import passwords as said
from .lines import clean_line

if TYPE_CHECKING:
    from pdfplumber.pdf import PDF
    from PIL.Image import Image
    from pypdfium2 import PdfDocument  # type: ignore[import-untyped]

DAMAGED = "is damaged: it cannot be read as PDF; print or save it as PDF again"
_UNKNOWN_PROTECTION = "is protected in a way that no password opens: save it without protection and add it again"
_DOTS_PER_INCH = 200
_MOST_PIXELS = 40_000_000  # a picture of a page; plans of several metres are made smaller
_MOST_BOOKMARKS = 20_000

PAGE_ERRORS = (
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    AssertionError,
    ArithmeticError,
    RecursionError,
    NotImplementedError,
    EOFError,
    struct.error,
    zlib.error,
)
"""What the layout library raises on a malformed page; its text is then read in another way."""


class Bookmark(NamedTuple):
    """An entry of the file's own outline; levels from 1, pages from 1, None where it leads nowhere."""

    title: str
    level: int
    page: int | None


class Seen(NamedTuple):
    """The picture of a page; `scale` is points by pixel."""

    picture: Image
    scale: float


class Source(NamedTuple):
    """A file in the plain-text library and, where that can open it, in the layout library."""

    document: PdfDocument
    layout: PDF | None

    def bookmarks(self) -> list[Bookmark]:
        """The file's own outline; empty where it has none."""
        from pypdfium2 import PdfiumError  # noqa: PLC0415

        found: list[Bookmark] = []
        try:
            for entry in self.document.get_toc():
                target = entry.get_dest()
                index = target.get_index() if target is not None else None
                found.append(
                    Bookmark(clean_line(entry.get_title()), entry.level + 1, None if index is None else index + 1)
                )
                if len(found) >= _MOST_BOOKMARKS:
                    break
        except (PdfiumError, UnicodeError, ValueError):
            return found
        return found

    def picture(self, number: int) -> Seen | None:
        """A page as it looks, in a resolution in which small print can be recognised; None if it cannot be drawn."""
        from pypdfium2 import PdfiumError  # noqa: PLC0415

        try:
            page = self.document[number - 1]
            try:
                scale = _DOTS_PER_INCH / 72
                pixels = page.get_width() * page.get_height() * scale * scale
                scale *= min(1.0, (_MOST_PIXELS / max(pixels, 1.0)) ** 0.5)
                return Seen(page.render(scale=scale).to_pil(), 1 / scale)
            finally:
                page.close()
        except (PdfiumError, ValueError):
            return None


@contextmanager
def opened(path: Path, passwords: Sequence[str]) -> Iterator[Source]:
    """The file, opened with the first password that fits; an empty one is always tried first.

    Raises:
        InputFileError: if it is damaged, or encrypted and no password fits.
    """
    document, password = _unlocked(path, passwords)
    try:
        with _quiet(), _layout_reader(path, password) as layout:
            yield Source(document, layout)
    finally:
        document.close()


def _unlocked(path: Path, passwords: Sequence[str]) -> tuple[PdfDocument, str]:
    from pypdfium2 import PdfDocument, PdfiumError  # noqa: PLC0415

    for password in ("", *passwords):
        try:
            return PdfDocument(path, password=password or None), password
        except PdfiumError as error:
            message = str(error).lower()
            if "security" in message:
                raise InputFileError(str(path), _UNKNOWN_PROTECTION) from error
            if "password" not in message:
                raise InputFileError(str(path), DAMAGED) from error
    raise InputFileError(str(path), said.locked(len(passwords)))


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the layout library's complaints about fonts and colours of malformed files."""
    logger = logging.getLogger("pdfminer")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


@contextmanager
def _layout_reader(path: Path, password: str) -> Iterator[PDF | None]:
    """The file in the layout library, or None where only the plain-text library can open it."""
    from pdfminer.pdfexceptions import PDFException  # noqa: PLC0415
    from pdfminer.psexceptions import PSException  # noqa: PLC0415
    from pdfplumber import open as open_pdf  # noqa: PLC0415
    from pdfplumber.utils.exceptions import PdfminerException  # noqa: PLC0415

    try:
        pdf = open_pdf(path, password=password)
        len(pdf.pages)
    except (PdfminerException, PDFException, PSException, *PAGE_ERRORS):
        yield None
        return
    with pdf:
        yield pdf
