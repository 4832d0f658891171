"""The reader of PowerPoint presentations (PPTX)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import InputFileError
from ..elements import ParsedDocument, ParseNote, ParseNoteKind, ParseOptions
from . import outline
from .archives import DAMAGED, Container, check, parse_xml
from .lines import clean, clean_line, east_asian_share
from .office_properties import properties_of
from .table_heads import Headed, find_head, names_columns, two_row_header
from .table_units import carry_units
from .tables import tidy, to_markdown

if TYPE_CHECKING:
    from pptx.slide import Slide

_SAME_ROW = 360_000  # English Metric Units, one centimetre: shapes this close in height are read left to right
_DEEPEST_GROUP = 20
_PLACEHOLDERS_WITHOUT_CONTENT = frozenset({"DATE", "FOOTER", "SLIDE_NUMBER", "HEADER"})


class _Placed(NamedTuple):
    top: int
    left: int
    shape: Any


def _placed(shapes: Any, top: int = 0, left: int = 0, depth: int = 0) -> Iterator[_Placed]:
    """The shapes outside and inside groups; a group's members stay together at the group's place."""
    for shape in shapes:
        place = _Placed(top or shape.top or 0, left or shape.left or 0, shape)
        if hasattr(shape, "shapes") and depth < _DEEPEST_GROUP:
            yield from _placed(shape.shapes, place.top, place.left, depth + 1)
        else:
            yield place


def _in_reading_order(placed: list[_Placed]) -> list[Any]:
    rows: list[list[_Placed]] = []
    for entry in sorted(placed, key=lambda entry: entry.top):
        if rows and entry.top - rows[-1][0].top <= _SAME_ROW:
            rows[-1].append(entry)
        else:
            rows.append([entry])
    return [entry.shape for row in rows for entry in sorted(row, key=lambda entry: entry.left)]


def _is_title(shape: Any) -> bool:
    return shape.is_placeholder and "TITLE" in _placeholder(shape) and "SUBTITLE" not in _placeholder(shape)


def _placeholder(shape: Any) -> str:
    kind = shape.placeholder_format.type if shape.is_placeholder else None
    return kind.name if kind is not None else ""


def _slide_parts(slide: Slide, page: int) -> list[outline.Part]:
    shapes = _in_reading_order(list(_placed(slide.shapes)))
    titles = [shape for shape in shapes if _is_title(shape) and shape.has_text_frame]
    parts = [outline.heading(clean_line(shape.text_frame.text), 1, page) for shape in titles]
    for shape in shapes:
        if not any(shape is title for title in titles):
            parts += _shape_parts(shape, page)
    return [*parts, *_diagram(slide, page), *_notes(slide, page)]


def _shape_parts(shape: Any, page: int) -> Iterator[outline.Part]:
    if _placeholder(shape) in _PLACEHOLDERS_WITHOUT_CONTENT:
        return
    if getattr(shape, "has_table", False):
        yield from _table(shape.table, page)
    elif getattr(shape, "has_chart", False):
        yield from _chart(shape.chart, page)
    elif shape.has_text_frame:
        paragraphs = [paragraph for paragraph in shape.text_frame.paragraphs if paragraph.text.strip()]
        for paragraph in paragraphs:
            listed = len(paragraphs) > 1 and (paragraph.level > 0 or _placeholder(shape) in {"BODY", "OBJECT"})
            yield outline.item(paragraph.text, page) if listed else outline.line(paragraph.text, page)


def _table(table: Any, page: int) -> Iterator[outline.Part]:
    grid = [["" for _ in table.columns] for _ in table.rows]
    for row in range(len(grid)):
        for column in range(len(grid[0])):
            cell = table.cell(row, column)
            if cell.is_spanned:
                continue
            for covered in grid[row : row + (cell.span_height if cell.is_merge_origin else 1)]:
                width = cell.span_width if cell.is_merge_origin else 1
                covered[column : column + width] = [cell.text] * len(covered[column : column + width])
    top = 0
    while len(grid) - top > 2 and len(grid[top]) > 1 and len(set(grid[top])) == 1 and grid[top][0]:
        yield outline.paragraph(grid[top][0], page)
        top += 1
    tidied = tidy(grid[top:])
    if tidied:
        wide = any(table.cell(top, column).span_width > 1 for column in range(len(grid[0])))
        two = len(tidied) > 2 and (wide or two_row_header(tidied)) and names_columns(tidied, 2)
        headed = Headed(tidied, 2) if two else find_head(tidied)
        yield outline.table(to_markdown(headed.grid, headed.rows), page)._replace(doubt=headed.doubt)


def _diagram(slide: Slide, page: int) -> Iterator[outline.Part]:
    """The texts of diagrams (SmartArt), which are kept in parts of their own."""
    for relation in slide.part.rels.values():
        if not relation.is_external and relation.reltype.endswith("/diagramData"):
            root = parse_xml(relation.target_part.blob)
            for point in root.iter("{*}pt") if root is not None else ():
                text = clean("\n".join("".join(t.text or "" for t in p.iter("{*}t")) for p in point.iter("{*}p")))
                if text:
                    yield outline.line(text, page)


def _chart(chart: Any, page: int) -> Iterator[outline.Part]:
    """A chart by its title and the figures behind it."""
    if chart.has_title and chart.chart_title.has_text_frame:
        yield outline.paragraph(chart.chart_title.text_frame.text, page)
    for plot in chart.plots:
        series = list(plot.series)
        names = [str(category) for category in plot.categories]
        rows = [[name, *(_figure(one.values, index) for one in series)] for index, name in enumerate(names)]
        yield outline.table(to_markdown([["", *(one.name for one in series)], *rows]), page)


def _figure(values: Any, index: int) -> str:
    value = values[index] if index < len(values) else None
    return "" if value is None else f"{value:.15g}"


def _notes(slide: Slide, page: int) -> Iterator[outline.Part]:
    frame = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    text = clean(frame.text) if frame is not None else ""
    if text:
        label = "备注：" if east_asian_share(text) > 0.3 else "Notes: "
        yield outline.paragraph(label + text, page)


def _has_pictures(slide: Slide) -> bool:
    return any(hasattr(entry.shape, "image") or entry.shape.shape_type == 13 for entry in _placed(slide.shapes))


class PptxParser:
    """Reads presentations: one page per slide, its title as a heading, notes behind the slide."""

    media_types = ("application/vnd.openxmlformats-officedocument.presentationml.presentation",)

    def parse(self, path: Path, media_type: str, options: ParseOptions) -> ParsedDocument:
        """See `Parser.parse`."""
        check(path)
        try:
            read = _read(path)
            with Container(path) as container:
                told = outline.Told(notes=read.notes, properties=properties_of(container))
        except _failures() as error:
            raise InputFileError(str(path), "is damaged: its slides cannot be read; save it again") from error
        parts = carry_units(read.parts)
        return outline.finish(path, media_type, parts, pages=read.pages, unread_pages=read.unread, told=told)


def _failures() -> tuple[type[Exception], ...]:
    """What the library raises on damaged packages."""
    from pptx.exc import PythonPptxError  # noqa: PLC0415

    return (*DAMAGED, PythonPptxError, ValueError, TypeError, AttributeError, IndexError)


class _Slides(NamedTuple):
    parts: list[outline.Part]
    unread: list[int]
    notes: list[ParseNote]
    pages: int


def _read(path: Path) -> _Slides:
    from pptx import Presentation  # noqa: PLC0415

    parts: list[outline.Part] = []
    unread: list[int] = []
    notes: list[ParseNote] = []
    slides = Presentation(str(path)).slides
    for page, slide in enumerate(slides, 1):
        found = [part for part in _slide_parts(slide, page) if part.text]
        parts += found
        if not found and _has_pictures(slide):
            unread.append(page)
        if slide.element.get("show") in {"0", "false"}:
            notes.append(ParseNote(kind=ParseNoteKind.HIDDEN, detail=f"slide {page}", page=page))
    return _Slides(parts, unread, notes, len(slides))


READER = PptxParser()
