"""Writes a PPTX file: a slide for each heading, with its text, its table and its speaker's notes."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from pptx import Presentation
from pptx.presentation import Presentation as Deck
from pptx.slide import Slide
from pptx.util import Cm, Length, Pt

from .markup import Kind, Part, Source, visible
from .office_files import repack

_TITLE_LAYOUT, _CONTENT_LAYOUT, _TITLE_ONLY_LAYOUT = 0, 1, 5


def write_pptx(source: Source, path: Path) -> None:
    """Write a deck; the first heading becomes the title slide."""
    deck = Presentation()
    deck.core_properties.title = source.properties["title"]
    deck.core_properties.author = source.properties["author"]
    deck.core_properties.created = deck.core_properties.modified = source.date
    for number, group in enumerate(_slides(source.parts)):
        _add_slide(deck, group, is_first=number == 0)
    content = BytesIO()
    deck.save(content)
    repack(content, path, source.date)


def _slides(parts: tuple[Part, ...]) -> list[list[Part]]:
    groups: list[list[Part]] = []
    for part in parts:
        if part.kind is Kind.HEADING:
            groups.append([])
        groups[-1].append(part)
    return groups


def _add_slide(deck: Deck, group: list[Part], *, is_first: bool) -> None:
    heading, *rest = group
    texts = [part.text for part in rest if part.kind in (Kind.BULLET, Kind.PARAGRAPH)]
    layout = _TITLE_LAYOUT if is_first else _CONTENT_LAYOUT if texts else _TITLE_ONLY_LAYOUT
    slide = deck.slides.add_slide(deck.slide_layouts[layout])
    slide.shapes.title.text = heading.text
    tables = [part for part in rest if part.kind is Kind.TABLE]
    if texts:
        _add_texts(slide, texts, leave_room=bool(tables))
    for part in tables:
        _add_table(slide, part, top=Cm(10.5) if texts else Cm(4.5))
    notes = "\n".join(part.text for part in rest if part.kind is Kind.NOTE)
    if notes:
        slide.notes_slide.notes_text_frame.text = notes


def _add_texts(slide: Slide, texts: list[str], *, leave_room: bool) -> None:
    body = slide.placeholders[1]
    if leave_room:  # all four together: setting one alone would reset the inherited others to zero
        body.left, body.top, body.width, body.height = Cm(1.2), Cm(4), Cm(23), Cm(6)
    frame = body.text_frame
    frame.text = "\n".join(texts)
    for paragraph in frame.paragraphs:
        paragraph.font.size = Pt(20)


def _add_table(slide: Slide, part: Part, top: Length) -> None:
    rows, columns = len(part.rows), len(part.rows[0])
    frame = slide.shapes.add_table(rows, columns, Cm(1.2), top, Cm(23), Cm(rows))
    for row, cells in enumerate(part.rows):
        for column, text in enumerate(cells):
            cell = frame.table.cell(row, column)
            cell.text = visible(text)
            cell.text_frame.paragraphs[0].font.size = Pt(14)
