"""Reads one PDF page: its lines and tables in reading order, and what lies behind or beside its text."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from .lines import clean, clean_line, is_east_asian
from .ocr import RecognisedLine
from .pdf_borderless import find_aligned
from .pdf_directions import Between, downwards, laid_down, set_apart, sideways_lines
from .pdf_layout import Line, Piece, TableBox, reading_order, without_doubles, words_of
from .pdf_source import PAGE_ERRORS, Source
from .pdf_tables import find_tables, inside

if TYPE_CHECKING:
    from pdfplumber.page import Page

_MOST_DRAWN = 20_000
"""Drawn objects on a page from which on only its text is taken: maps and plans would take minutes."""
MOST_LAID_OUT = 1_500
"""Pages of a file whose layout is read: a dense one takes 0.1 s, its plain text a hundredth of that."""
_MOST_UNMAPPED = 0.2  # share of characters without a known or likely meaning from which a page is not readable
_FALLBACK_SIZE = 10.0  # points; type size is unknown in plain text
_LIKE_HEIGHT = 1.35  # ratio of heights of recognised lines up to which they are of one type
_TABLE_WORDS = 20  # words without which what stands beside them in the margin may be the page's own text
_ASCENT_OF_BOX = 0.85  # type size by the height of the box around a recognised line


class PageContent(NamedTuple):
    """What was found on a page; height in points.

    `watermarks` are texts behind the text; `simplified` tells why the page was read plainly, if it was; `guessed`,
    that its reading order is a guess; `garbled`, that most of its characters have no known meaning; `skipped`, that
    there was no time to recognise its picture. `unmapped` characters have no known meaning.
    """

    number: int
    height: float
    items: list[Line | TableBox]
    has_pictures: bool
    watermarks: tuple[str, ...] = ()
    simplified: str = ""
    guessed: bool = False
    garbled: bool = False
    recognised: bool = False
    skipped: bool = False
    unmapped: int = 0


def read_page(source: Source, number: int) -> PageContent:
    """A page by its layout or, where that fails or would take hours over all pages, by its plain text."""
    if number > MOST_LAID_OUT:
        return _plainly(source, number, f"pages behind the first {MOST_LAID_OUT:,} are read without their layout")
    content = _with_layout(source, number)
    return content if content is not None else _plainly(source, number, "its layout cannot be read")


def _with_layout(source: Source, number: int) -> PageContent | None:
    from pdfminer.pdfexceptions import PDFException  # noqa: PLC0415
    from pdfminer.psexceptions import PSException  # noqa: PLC0415
    from pdfplumber.utils.exceptions import MalformedPDFException, PdfminerException  # noqa: PLC0415
    from pypdfium2 import PdfiumError  # type: ignore[import-untyped]  # noqa: PLC0415

    from .pdf_page import ReadPage  # noqa: PLC0415

    if source.layout is None or number > len(source.layout.pages):
        return None
    try:
        raw, plain = source.layout.pages[number - 1], source.document[number - 1]
        try:
            page = ReadPage(raw, plain, _MOST_DRAWN)
            drawing = "it is a drawing of many parts: its tables are not read" if page.is_drawing else ""
            # Some malformed files only the layout library can read.
            return _laid_out(page if page.chars else raw, number)._replace(simplified=drawing)
        finally:
            raw.close()  # frees the page's characters; a thousand pages would fill the memory
            plain.close()
    except (PdfminerException, MalformedPDFException, PDFException, PSException, PdfiumError, *PAGE_ERRORS):
        return None


def _laid_out(page: Page, number: int) -> PageContent:
    characters = without_doubles(page.chars)
    apart = set_apart(characters)
    upright, height = apart.upright, float(page.height)
    vertical = downwards(upright)
    if vertical:
        upright, height = laid_down(upright, float(page.width)), float(page.width)
    tables = [] if vertical else find_tables(page, upright, number)
    loose = [character for character in upright if not any(inside(table, character) for table in tables)]
    aligned, words = ([], words_of(loose)) if vertical else find_aligned(words_of(loose), number)
    pieces = words + [_piece(table) for table in tables + aligned]
    items = _with_pale(reading_order(pieces, number), apart.pale, number)
    items += sideways_lines(apart.sideways, number, _extent(pieces))
    turned = getattr(page, "sideways", 0) != 0
    unmapped = sum(_is_doubtful(character["text"]) for character in characters)
    return PageContent(
        number, height, items, bool(page.images), apart.watermarks,
        guessed=vertical or turned,
        garbled=unmapped > _MOST_UNMAPPED * max(len(characters), 1),
        unmapped=sum(character["text"].startswith("(cid:") for character in characters),
    )  # fmt: skip


def _extent(pieces: Sequence[Piece]) -> Between | None:
    """From where to where upright text and tables reach, if there is some amount of them."""
    if sum(1 if piece.table is None else _TABLE_WORDS for piece in pieces) < _TABLE_WORDS:
        return None
    return Between(min(piece.left for piece in pieces), max(piece.right for piece in pieces))


def _is_doubtful(text: str) -> bool:
    """Whether a character has no known meaning, or the one that bytes of a Chinese encoding get as Latin text."""
    return text.startswith("(cid:") or "\u00a1" <= text <= "\u00df"


def _piece(table: TableBox) -> Piece:
    return Piece("", table.left, table.right, table.top, table.bottom, 0.0, False, table)


def _with_pale(
    items: list[Line | TableBox], characters: Sequence[dict[str, Any]], number: int
) -> list[Line | TableBox]:
    """The items with large pale lines before the first that stands below them."""
    found = list(items)
    for line in reading_order(words_of(characters), number) if characters else []:
        index = next((i for i, item in enumerate(found) if item.top > line.top), len(found))
        found.insert(index, line._replace(pale=True) if isinstance(line, Line) else line)
    return found


def _plainly(source: Source, number: int, reason: str) -> PageContent:
    """A page's lines without their places."""
    from pypdfium2 import PdfiumError  # noqa: PLC0415

    from .pdf_page import source_objects  # noqa: PLC0415

    try:
        page = source.document[number - 1]
        text = page.get_textpage().get_text_bounded()
        objects, height = source_objects(page), page.get_height()
    except (PdfiumError, UnicodeError, ValueError):
        return PageContent(number, 0.0, [], True, simplified="it is malformed")
    lines = [_unspaced(line) for line in clean(text.replace("\ufffe", "-")).split("\n") if line]
    items = [_plain_line(line, index, number) for index, line in enumerate(lines)]
    return PageContent(number, height, list(items), objects > 0, simplified=reason if items else "")


def _unspaced(line: str) -> str:
    """A line without the blanks that some files have between all Chinese characters."""
    words = line.split(" ")
    single = sum(len(word) == 1 and is_east_asian(word) for word in words)
    return "".join(words) if len(words) > 3 and single > 0.7 * len(words) else line


def _plain_line(text: str, index: int, number: int) -> Line:
    top, size = index * 1.5 * _FALLBACK_SIZE, _FALLBACK_SIZE
    width = len(text) * size
    return Line(text, 0.0, width, top, top + size, size, False, 0.0, max(width, 40 * size), number)


def recognised_page(lines: Sequence[RecognisedLine], content: PageContent, scale: float) -> PageContent:
    """A page whose text was recognised in its picture; `scale` is points by pixel."""
    heights = [(line.bottom - line.top) * scale for line in lines for _ in line.text]
    usual = median(heights) if heights else 0.0
    pieces = [_recognised_piece(line, usual, scale) for line in lines]
    aligned, words = find_aligned(pieces, content.number)
    items = reading_order(words + [_piece(table) for table in aligned], content.number)
    return content._replace(items=items, recognised=True, garbled=False, simplified="")


def _recognised_piece(line: RecognisedLine, usual: float, scale: float) -> Piece:
    """Boxes around lines of one type differ in height; only those that differ clearly are another type."""
    height = (line.bottom - line.top) * scale
    size = _ASCENT_OF_BOX * (usual if 1 / _LIKE_HEIGHT < height / usual < _LIKE_HEIGHT else height)
    place = line.left * scale, line.right * scale, line.top * scale, line.bottom * scale
    return Piece(clean_line(line.text), *place, size, False)
