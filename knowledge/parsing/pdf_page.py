"""A PDF page for the layout library whose contents the plain-text library has read: a tenth of the time."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from pdfplumber.page import Page

from .pdf_characters import characters_of
from .pdf_drawing import drawn_on
from .pdf_frame import Frame
from .pdf_tags import tags_of

if TYPE_CHECKING:
    from pypdfium2 import PdfPage  # type: ignore[import-untyped]


class ReadPage(Page):
    """The layout library's page with everything on it at hand, turned so that most text runs from left to right."""

    def __init__(self, page: Page, source: PdfPage, most_drawn: int) -> None:
        """Read a page.

        Args:
            page: the layout library's.
            source: the plain-text library's.
            most_drawn: objects from which on only the text of a page is read, not its rules and pictures.
        """
        super().__init__(page.pdf, page.page_obj, page.page_number, page.initial_doctop)
        frame = _frame(source)
        text = source.get_textpage()
        try:
            tags = tags_of(source)
            characters = characters_of(text, frame, tags)
            self.sideways = _sideways(characters)
            if self.sideways:
                frame = frame.turned(self.sideways)
                characters = characters_of(text, frame, tags)
        finally:
            text.close()
        self.mediabox = self.cropbox = self.bbox = (0.0, 0.0, frame.width, frame.height)
        self.is_drawing = source_objects(source) > most_drawn
        self._read = {"char": characters, **({} if self.is_drawing else drawn_on(source, frame))}

    def parse_objects(self) -> dict[str, list[dict[str, Any]]]:
        """The objects by kind, as the layout library keeps them."""
        return self._read


def source_objects(page: PdfPage) -> int:
    """How many objects are drawn on a page, letters and pictures included."""
    from pypdfium2.raw import FPDFPage_CountObjects  # type: ignore[import-untyped]  # noqa: PLC0415

    return int(FPDFPage_CountObjects(page))


def _frame(page: PdfPage) -> Frame:
    left, bottom, right, top = page.get_cropbox()
    return Frame(left, bottom, right, top, page.get_rotation() % 360)


def _sideways(characters: list[dict[str, Any]]) -> int:
    """By how many degrees, clockwise, the page must be turned so that most text is upright."""
    directions = Counter(character["direction"] for character in characters if not character["text"].isspace())
    direction = directions.most_common(1)[0][0] if directions else 0
    return direction if direction in {90, 180, 270} and directions[direction] * 2 > directions.total() else 0
