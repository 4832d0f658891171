"""Reads a file a second time in the plainest way and counts the numbers that the first reading has lost.

A table that was taken apart wrongly, a column that fell off a page or a sheet that was skipped shows there: whatever
the layout, the digits of a file's plain text must all be somewhere in what was understood. Only a sample is looked at.
"""

from __future__ import annotations

import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from .elements import Doubt, Element, NumberLoss, ParsedDocument, ParseOptions
from .parsing.zip_bounds import BROKEN

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage  # type: ignore[import-untyped]

_PDF = "application/pdf"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

_MOST_PAGES = 8
_MOST_PAGE_CHARACTERS = 20_000
_MOST_XML_BYTES = 8 * 1024 * 1024
_MOST_SHEETS = 5
_EXAMPLES = 5
_NUMBER = re.compile(r"\d{2,}")
_GROUPING = re.compile(r"(?<=\d)[,\u00a0\u202f](?=\d{3}(?!\d))")
_FALLBACK = re.compile(rb"<mc:Fallback>.*?</mc:Fallback>|<w:(?:moveFrom|del) .*?</w:(?:moveFrom|del)>", re.DOTALL)
_WORD_TEXT = re.compile(rb"<w:t(?: [^>]*)?>([^<]*)</w:t>|</w:p>|<w:tab/>|<w:br/>")
_CELL = re.compile(rb"<c([^>]*)><v>(\d{3,15})</v></c>")
_OTHER_KIND = re.compile(rb' t="[^n]')  # an index of a text, a truth value, an error: no number
# Whole numbers in this range may be days, which are shown as dates.
_DAYS = range(20_000, 80_000)
_DAMAGED: tuple[type[Exception], ...] = (*BROKEN, KeyError)


def number_losses(path: Path, parsed: ParsedDocument, options: ParseOptions) -> tuple[NumberLoss, ...]:
    """Numbers of sampled pages, or of the text of an office file, and how many of them are not in what was understood.

    Numbers of one digit are not looked at, for lists are numbered anew. A file that does not open a second time, or
    is of another kind, gives nothing.
    """
    readers = {_PDF: _pdf_losses, _WORD: _word_losses, _SHEET: _sheet_losses}
    reader = readers.get(parsed.media_type)
    try:
        return tuple(reader(path, parsed, options)) if reader is not None else ()
    except _DAMAGED:
        return ()


def _pdf_losses(path: Path, parsed: ParsedDocument, options: ParseOptions) -> Iterator[NumberLoss]:
    import pypdfium2  # noqa: PLC0415 - only where there is a PDF

    try:
        document = _opened(path, options)
        if document is None:
            return
        with document:
            for number in _sample(len(document), options.most_pages):
                elements = [element for element in parsed.elements if _touches(element, number)]
                # The hidden text of a scan is not what its picture says; neither can be held against the other.
                if number in parsed.unread_pages or any(one.doubt is Doubt.RECOGNISED for one in elements):
                    continue
                left_out = {_shape(one.text) for one in parsed.furniture if number in one.pages}
                lines = _page_text(document[number - 1]).splitlines()
                found = _numbers(line for line in lines if _shape(line) not in left_out)
                yield _loss(found, _numbers(element.text for element in elements), number)
    except pypdfium2.PdfiumError:
        return


def _opened(path: Path, options: ParseOptions) -> PdfDocument | None:
    import pypdfium2  # noqa: PLC0415

    for password in (None, *(one.get_secret_value() for one in options.passwords)):
        try:
            return pypdfium2.PdfDocument(path, password=password)
        except pypdfium2.PdfiumError:
            continue
    return None


def _page_text(page: PdfPage) -> str:
    # What printers' marks say outside the visible page is no text of it. A word that is broken at the end of a line is
    # joined with a mark of this library's own.
    return str(page.get_textpage().get_text_bounded())[:_MOST_PAGE_CHARACTERS].replace("\ufffe", "")


def _sample(pages: int, most: int) -> list[int]:
    """Pages from 1 over the whole file, the first and the last among them."""
    pages = min(pages, most)
    if pages <= _MOST_PAGES:
        return list(range(1, pages + 1))
    return sorted({1 + round(index * (pages - 1) / (_MOST_PAGES - 1)) for index in range(_MOST_PAGES)})


def _shape(line: str) -> str:
    """A line without blanks and with one sign for each number: running lines differ in those from page to page."""
    return re.sub(r"\d+", "0", re.sub(r"\s", "", line))


def _touches(element: Element, page: int) -> bool:
    return element.page is not None and element.page <= page <= (element.last_page or element.page)


def _word_losses(path: Path, parsed: ParsedDocument, options: ParseOptions) -> Iterator[NumberLoss]:
    with zipfile.ZipFile(path) as archive, archive.open("word/document.xml") as stream:
        markup = _FALLBACK.sub(b"", stream.read(_MOST_XML_BYTES))
    pieces = (match[1] if match[1] is not None else b"\n" for match in _WORD_TEXT.finditer(markup))
    text = b"".join(pieces).decode("utf-8", "replace")
    understood = [*(element.text for element in parsed.elements), *(one.text for one in parsed.furniture)]
    yield _loss(_numbers([text]), _numbers(understood), None)


def _sheet_losses(path: Path, parsed: ParsedDocument, options: ParseOptions) -> Iterator[NumberLoss]:
    """Whole numbers in the cells of the first sheets; what formats can change, such as days and shares, is left out."""
    found: Counter[str] = Counter()
    with zipfile.ZipFile(path) as archive:
        names = sorted(name for name in archive.namelist() if re.fullmatch(r"xl/worksheets/[^/]+\.xml", name))
        for name in names[:_MOST_SHEETS]:
            with archive.open(name) as stream:
                for attributes, digits in _CELL.findall(stream.read(_MOST_XML_BYTES // _MOST_SHEETS)):
                    if not _OTHER_KIND.search(attributes) and int(digits) not in _DAYS:
                        found[str(int(digits))] += 1
    yield _loss(found, _numbers(element.text for element in parsed.elements), None)


def _numbers(texts: Iterable[str]) -> Counter[str]:
    return Counter(number for text in texts for number in _NUMBER.findall(_GROUPING.sub("", text)))


def _loss(found: Counter[str], understood: Counter[str], page: int | None) -> NumberLoss:
    lost = found - understood
    return NumberLoss(page=page, counted=found.total(), lost=lost.total(), examples=tuple(sorted(lost))[:_EXAMPLES])
