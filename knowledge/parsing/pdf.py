"""The reader of PDF files."""

from __future__ import annotations

import logging
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import InputFileError
from ..elements import Element, ElementKind, ParsedDocument, ParseOptions
from . import outline
from .lines import clean, is_east_asian
from .numbering import read_label
from .pdf_borderless import find_aligned
from .pdf_flow import flow
from .pdf_furniture import PageContent, without_furniture
from .pdf_layout import Line, Piece, TableBox, reading_order, without_doubles, words_of
from .pdf_tables import find_tables, inside

if TYPE_CHECKING:
    from pdfplumber.page import Page
    from pdfplumber.pdf import PDF
    from pypdfium2 import PdfDocument  # type: ignore[import-untyped]

_MOST_OBJECTS = 20_000
"""Drawn objects on a page from which only its plain text is taken: maps and plans would take minutes."""
_MOST_UNMAPPED = 0.2  # share of characters without a known or likely meaning from which another reader is asked
_FALLBACK_SIZE = 10.0  # points; type size is unknown in plain text

_NOT_TITLES = frozenset({"目录", "目次", "前言", "序言", "contents", "tableofcontents", "preface", "foreword"})

ENCRYPTED = "is encrypted: save it without a password and add it again"
DAMAGED = "is damaged: it cannot be read as PDF; print or save it as PDF again"

_PAGE_ERRORS = (
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
def _plain_reader(path: Path) -> Iterator[PdfDocument]:
    """The file in the plain-text library, which also knows whether it needs a password."""
    from pypdfium2 import PdfDocument, PdfiumError  # noqa: PLC0415

    try:
        document = PdfDocument(path)
    except PdfiumError as error:
        encrypted = "password" in str(error).lower() or "security" in str(error).lower()
        raise InputFileError(str(path), ENCRYPTED if encrypted else DAMAGED) from error
    try:
        yield document
    finally:
        document.close()


@contextmanager
def _layout_reader(path: Path) -> Iterator[PDF | None]:
    """The file in the layout library, or None where only the plain-text library can open it."""
    from pdfminer.pdfexceptions import PDFException  # noqa: PLC0415
    from pdfminer.psexceptions import PSException  # noqa: PLC0415
    from pdfplumber import open as open_pdf  # noqa: PLC0415
    from pdfplumber.utils.exceptions import PdfminerException  # noqa: PLC0415

    try:
        pdf = open_pdf(path)
        len(pdf.pages)
    except (PdfminerException, PDFException, PSException, *_PAGE_ERRORS):
        yield None
        return
    with pdf:
        yield pdf


def _read_page(page: Page, number: int) -> PageContent | None:
    """A page's lines and tables; None if its text cannot be made out this way."""
    characters = without_doubles(page.chars)
    upright = [character for character in characters if character["upright"]]
    unmapped = sum(_is_doubtful(character["text"]) for character in characters)
    if len(upright) * 2 < len(characters) or unmapped > _MOST_UNMAPPED * max(len(characters), 1):
        return None
    tables = find_tables(page, upright, number)
    loose = [character for character in upright if not any(inside(table, character) for table in tables)]
    aligned, words = find_aligned(words_of(loose), number)
    pieces = words + [_piece(table) for table in tables + aligned]
    return PageContent(number, float(page.height), reading_order(pieces, number), bool(page.images))


def _is_doubtful(text: str) -> bool:
    """Whether a character has no known meaning, or the one that bytes of a Chinese encoding get as Latin text."""
    return text.startswith("(cid:") or "\u00a1" <= text <= "\u00df"


def _piece(table: TableBox) -> Piece:
    return Piece("", table.left, table.right, table.top, table.bottom, 0.0, False, table)


def _read_plainly(document: PdfDocument, number: int) -> PageContent:
    """A page's lines without their places, through the plain-text library."""
    from pypdfium2 import PdfiumError  # noqa: PLC0415

    try:
        page = document[number - 1]
        text = page.get_textpage().get_text_bounded()
        objects, height = _objects(page), page.get_height()
    except (PdfiumError, UnicodeError, ValueError):
        return PageContent(number, 0.0, [], True)
    lines = [_unspaced(line) for line in clean(text.replace("\ufffe", "-")).split("\n") if line]
    items = [_plain_line(line, index, number) for index, line in enumerate(lines)]
    return PageContent(number, height, list(items), objects > 0)


def _unspaced(line: str) -> str:
    """A line without the blanks that some files have between all Chinese characters."""
    words = line.split(" ")
    single = sum(len(word) == 1 and is_east_asian(word) for word in words)
    return "".join(words) if len(words) > 3 and single > 0.7 * len(words) else line


def _plain_line(text: str, index: int, number: int) -> Line:
    top, size = index * 1.5 * _FALLBACK_SIZE, _FALLBACK_SIZE
    width = len(text) * size
    return Line(text, 0.0, width, top, top + size, size, False, 0.0, max(width, 40 * size), number)


def _objects(page: Any) -> int:
    from pypdfium2.raw import FPDFPage_CountObjects  # type: ignore[import-untyped]  # noqa: PLC0415

    return int(FPDFPage_CountObjects(page))


def _pages(path: Path) -> Iterator[PageContent]:
    with _quiet(), _plain_reader(path) as document, _layout_reader(path) as pdf:
        for number in range(1, len(document) + 1):
            content = _with_layout(pdf, document, number) if pdf is not None else None
            yield content if content is not None else _read_plainly(document, number)


def _with_layout(pdf: PDF, document: PdfDocument, number: int) -> PageContent | None:
    from pdfminer.pdfexceptions import PDFException  # noqa: PLC0415
    from pdfminer.psexceptions import PSException  # noqa: PLC0415
    from pdfplumber.utils.exceptions import MalformedPDFException, PdfminerException  # noqa: PLC0415
    from pypdfium2 import PdfiumError  # noqa: PLC0415

    try:
        if number > len(pdf.pages) or _objects(document[number - 1]) > _MOST_OBJECTS:
            return None
        from .pdf_page import ReadPage  # noqa: PLC0415

        page: Page = ReadPage(pdf.pages[number - 1], document[number - 1])
        if not page.chars:  # some malformed files only the layout library can read
            page = pdf.pages[number - 1]
        try:
            return _read_page(page, number)
        finally:
            page.close()  # frees the page's characters; a thousand pages would fill the memory
    except (PdfminerException, MalformedPDFException, PDFException, PSException, PdfiumError, *_PAGE_ERRORS):
        return None


def _title(elements: tuple[Element, ...]) -> str | None:
    """The highest heading of the first page with text; a numbered one or a preface names only a part."""
    first = elements[0].page
    headings = [e for e in elements[:30] if e.kind is ElementKind.HEADING and e.page == first]
    headings = [e for e in headings if read_label(e.text) is None]
    headings = [e for e in headings if e.text.replace(" ", "").lower() not in _NOT_TITLES]
    return min(headings, key=lambda element: element.level or 9).text if headings else None


class PdfParser:
    """Reads PDF files with their headings, tables, columns; pages that are only pictures are named as unread."""

    media_types = ("application/pdf",)

    def parse(self, path: Path, media_type: str, options: ParseOptions) -> ParsedDocument:
        """See `Parser.parse`."""
        try:
            pages = without_furniture(list(_pages(path)))
        except OSError as error:
            raise InputFileError(str(path), f"cannot be opened: {error.strerror or error}") from error
        unread = [page.number for page in pages if not page.items and page.has_pictures]
        parts = flow(pages)
        elements = outline.settle(outline.promote_numbered(parts))
        title = _title(elements) if elements else None
        return outline.finish(
            path, media_type, parts, title=title, pages=len(pages), unread_pages=unread, first_heading_names=False
        )


READER = PdfParser()
