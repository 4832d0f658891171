"""The reader of PDF files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ...errors import InputFileError
from ..elements import Doubt, Element, ElementKind, ParsedDocument, ParseNote, ParseNoteKind, ParseOptions
from ..text.counting import counted
from . import ocr, outline
from .numbering import read_label
from .pdf_flow import flow
from .pdf_furniture import without_furniture
from .pdf_headings import is_matter
from .pdf_layout import Line, TableBox
from .pdf_properties import properties_of
from .pdf_reading import PageContent, read_page, recognised_page
from .pdf_source import Source, opened

_MOST_NOTES = 20  # notes of one kind for single pages; files of thousands of drawings have more
_FEW_UNMAPPED = 3  # characters without a known meaning on a page; single ones are bullets and signs
_TITLE_PLACES = 3  # elements among which the title of a recognised page stands
_LEAST_TITLE = 4  # letters of a recognised title
_TITLE_LETTERS = 0.7  # share of letters in it
_FEW_LETTERS = 20  # fewer, on a page that is mostly a picture, are a stamp or a page number


class PdfParser:
    """Reads PDF files with their headings, tables, columns; pages that are only pictures are named as unread."""

    media_types = ("application/pdf",)

    def parse(self, path: Path, media_type: str, options: ParseOptions) -> ParsedDocument:
        """See `Parser.parse`."""
        try:
            with opened(path, [password.get_secret_value() for password in options.passwords]) as source:
                return _parsed(path, media_type, source, options)
        except OSError as error:
            raise InputFileError(str(path), f"cannot be opened: {error.strerror or error}") from error


def _parsed(path: Path, media_type: str, source: Source, options: ParseOptions) -> ParsedDocument:
    contents = list(_pages(source, options))
    stripped = without_furniture(contents)
    unread = [page.number for page in contents if page.skipped or (not page.items and page.has_pictures)]
    flowed = flow(stripped.pages, source.bookmarks())
    parts = [_doubted(part, contents) for part in flowed.parts]
    told = outline.Told(
        furniture=[*stripped.furniture, *flowed.furniture],
        notes=_notes(contents, len(source.document), options),
        properties=properties_of(source.document),
    )
    elements = outline.settle(outline.promote_numbered(parts))
    pictured = all(page.recognised for page in contents if page.items)
    return outline.finish(
        path,
        media_type,
        parts,
        title=_title(elements, is_pictured=pictured) if elements else None,
        pages=len(source.document),
        unread_pages=unread,
        first_heading_names=False,
        told=told,
    )


def _pages(source: Source, options: ParseOptions) -> Iterator[PageContent]:
    recognises, budget = options.ocr and ocr.available(), ocr.Budget(options.ocr_seconds)
    for number in range(1, min(len(source.document), options.most_pages) + 1):
        content = read_page(source, number)
        if recognises and _needs_recognition(content):
            content = content._replace(skipped=True) if budget.is_spent else _recognised(source, content)
        yield content


def _needs_recognition(content: PageContent) -> bool:
    if any(isinstance(item, TableBox) for item in content.items):
        return content.garbled
    letters = sum(c.isalnum() for item in content.items if isinstance(item, Line) for c in item.text)
    return content.garbled or (content.has_pictures and letters < _FEW_LETTERS)


def _recognised(source: Source, content: PageContent) -> PageContent:
    """The page by its picture; as it was where no text is recognised."""
    seen = source.picture(content.number)
    lines = ocr.read_picture(seen.picture) if seen is not None else []
    return recognised_page(lines, content, seen.scale) if seen is not None and lines else content


def _doubted(part: outline.Part, pages: Sequence[PageContent]) -> outline.Part:
    if part.page is None or part.doubt is not None:
        return part
    page = pages[part.page - 1]
    doubt = Doubt.RECOGNISED if page.recognised else Doubt.ORDER if page.guessed else None
    return part._replace(doubt=doubt)


def _notes(pages: Sequence[PageContent], count: int, options: ParseOptions) -> list[ParseNote]:
    plain = [page for page in pages if page.simplified]
    notes = [
        ParseNote(kind=ParseNoteKind.SIMPLIFIED, detail=page.simplified, page=page.number)
        for page in plain[:_MOST_NOTES]
    ]
    if len(plain) > _MOST_NOTES:
        detail = f"{len(plain) - _MOST_NOTES} more pages were read plainly"
        notes.append(ParseNote(kind=ParseNoteKind.SIMPLIFIED, detail=detail))
    skipped = [page.number for page in pages if page.skipped]
    if skipped:
        detail = (
            f"{counted(len(skipped), 'page')} from page {skipped[0]} on: recognising pictures took longer than "
            f"{options.ocr_seconds:,g} s (parsing.ocr_seconds)"
        )
        notes.append(ParseNote(kind=ParseNoteKind.CUT_SHORT, detail=detail))
    notes += _garbled_notes(pages)
    if count > len(pages):
        detail = f"{len(pages)} of {count} pages were read, the most that are allowed (parsing.max_pages)"
        notes.append(ParseNote(kind=ParseNoteKind.CUT_SHORT, detail=detail))
    return notes


def _garbled_notes(pages: Sequence[PageContent]) -> list[ParseNote]:
    """Pages with characters whose meaning the file does not tell, and that nobody has recognised."""
    found = [page for page in pages if not page.recognised and page.unmapped >= _FEW_UNMAPPED]
    notes = [
        ParseNote(
            kind=ParseNoteKind.UNREAD,
            detail=f"{page.unmapped} characters, of which the file does not tell which they are",
            page=page.number,
        )
        for page in found[:_MOST_NOTES]
    ]
    if len(found) > _MOST_NOTES:
        detail = f"characters of {len(found) - _MOST_NOTES} more pages, of which the file does not tell which they are"
        notes.append(ParseNote(kind=ParseNoteKind.UNREAD, detail=detail))
    return notes


def _title(elements: tuple[Element, ...], *, is_pictured: bool) -> str | None:
    """The highest heading of the first page with text; a numbered one or a preface names only a part.

    On a recognised page any large writing looks like a heading, a signature or a stamp too: only words near the top
    name the document, and only one that is pictures throughout (`is_pictured`).
    """
    first = elements[0].page
    headings = [e for e in elements[:30] if e.kind is ElementKind.HEADING and e.page == first]
    highest = min((element.level or 9 for element in headings), default=9)
    names = [e for e in headings if e.level == highest and read_label(e.text) is None and not is_matter(e.text)]
    is_weak = (
        bool(names) and names[0].doubt is Doubt.RECOGNISED and not (is_pictured and _is_strong(names[0], elements))
    )
    if not names or is_weak:
        return None
    return names[0].text


def _is_strong(heading: Element, elements: tuple[Element, ...]) -> bool:
    letters = sum(character.isalpha() for character in heading.text)
    is_near_top = heading in elements[:_TITLE_PLACES]
    return is_near_top and letters >= _LEAST_TITLE and letters >= _TITLE_LETTERS * len(heading.text.replace(" ", ""))


READER = PdfParser()
