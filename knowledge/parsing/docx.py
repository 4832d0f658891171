"""The reader of Word documents (DOCX), which works on the stored XML: it is the only place that has everything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from ...errors import InputFileError
from ..elements import Doubt, ElementKind, Furniture, FurnitureKind, ParsedDocument, ParseOptions
from . import outline
from .archives import DAMAGED, Container, check
from .docx_numbering import ListPlace, Numbering
from .docx_parts import Notes, comments_of, furniture_of
from .docx_styles import Style, Styles
from .docx_tables import blocks, inside, read_table
from .docx_text import has_pages, page_breaks, paragraph_text
from .lines import clean, clean_line, join_lines
from .numbering import looks_like_title, read_label
from .office_properties import properties_of
from .table_units import carry_units
from .wordml import child, is_on, local_name, number, tag, value

_MAIN_PARTS = ("word/document.xml", "word/document2.xml")
_FAILURES: tuple[type[Exception], ...] = (*DAMAGED, ValueError)

_CONTENTS_TITLE = re.compile(r"目\s*[录錄次]|(?:table\s+of\s+)?contents", re.IGNORECASE)


class _Body:
    """Walks a document's body once, counting lists and pages on the way."""

    def __init__(self, styles: Styles, numbering: Numbering, notes: Notes, has_pages: bool) -> None:
        self._styles = styles
        self._numbering = numbering
        self._notes = notes
        self._page: int | None = 1 if has_pages else None
        self.parts: list[outline.Part] = []
        self.contents: list[str] = []
        self.centred: set[int] = set()

    @property
    def pages(self) -> int | None:
        return self._page

    def read(self, container: etree._Element) -> None:
        for element in blocks(container):
            if element.tag == tag("p"):
                self._paragraph(element)
            elif element.tag == tag("tbl"):
                self._table(element)
            else:
                self._contents(element)

    def _paragraph(self, element: etree._Element) -> None:
        first_page = self._page
        if is_on(element, "pPr", "pageBreakBefore") and self.parts:
            first_page = self._turn(1)
        text = clean(paragraph_text(element))
        before, after = page_breaks(element)
        first_page = self._turn(before) if before else first_page
        style = self._styles.of(value(element, "pPr", "pStyle"))
        label = self._label(element, style) if text else ""
        part = self._shape(element, style, label, text)
        last_page = self._turn(after) if after else None
        if style.is_contents and text:
            self._leave_out(text)
            return
        if value(element, "pPr", "jc") == "center":
            self.centred.add(len(self.parts))
        self.parts.append(part._replace(page=first_page, last_page=last_page))
        self._beside(element, last_page or first_page)

    def _leave_out(self, text: str) -> None:
        """Put a line of a table of contents aside, with the title right above the first one."""
        filled = [index for index, part in enumerate(self.parts) if part.text]
        if not self.contents and filled and _CONTENTS_TITLE.fullmatch(self.parts[filled[-1]].text):
            self.contents.append(self.parts[filled[-1]].text)
            del self.parts[filled[-1] :]
        self.contents.append(clean_line(text))

    def _turn(self, leaves: int) -> int | None:
        if self._page is not None:
            self._page += leaves
        return self._page

    def _label(self, element: etree._Element, style: Style) -> str:
        place = _list_place(element, style, self._numbering)
        return self._numbering.next_label(place) if place is not None else ""

    def _shape(self, element: etree._Element, style: Style, label: str, text: str) -> outline.Part:
        full = label + text
        own = number(element, "pPr", "outlineLvl")
        level = own + 1 if own is not None and own < 9 else style.level
        if style.is_title and level is None:
            return outline.heading(full, 1)
        if level is not None and not style.is_contents and _is_short(full) and not _is_annotation(full):
            return outline.heading(full, level)
        part = outline.line(full)
        if part.kind is ElementKind.PARAGRAPH and _list_place(element, style, self._numbering) is not None:
            return outline.paragraph(full) if read_label(full) else outline.item(full)
        return part

    def _table(self, element: etree._Element) -> None:
        first_page = self._page
        table = read_table(element, self._cell_text)
        if table.arranged:
            start = len(self.parts)
            for cell in table.arranged:
                self.read(cell)
            self.parts[start:] = [part._replace(doubt=part.doubt or Doubt.LAYOUT) for part in self.parts[start:]]
            return
        breaks = sum(1 for _ in element.iter(tag("lastRenderedPageBreak")))
        last_page = self._turn(breaks) if breaks else None
        self.parts += [outline.paragraph(title, first_page) for title in table.titles]
        part = outline.table(table.markdown, first_page)
        self.parts.append(part._replace(last_page=last_page, doubt=table.doubt))
        self.parts += [outline.table(inner, first_page) for inner in self._nested_tables(element)]
        self._beside(element, last_page or first_page)

    def _nested_tables(self, element: etree._Element) -> Iterator[str]:
        """Tables inside cells, each also as one of its own if it has rows and columns."""
        for inner in element.iterfind(f".//{tag('tbl')}"):
            markdown = read_table(inner, self._plain_text).markdown
            if markdown.count("\n") > 1 and markdown.split("\n", 1)[0].count(" | ") > 0:
                yield markdown

    def _beside(self, element: etree._Element, page: int | None) -> None:
        """Text boxes and notes that hang on a paragraph or table, right behind it."""
        for box in _text_boxes(element):
            self.read(box)
        self.parts += [outline.paragraph(note, page) for note in self._notes.of(element)]

    def _contents(self, element: etree._Element) -> None:
        lines = [clean_line(paragraph_text(paragraph)) for paragraph in element.iter(tag("p"))]
        self.contents += [line for line in lines if line]

    def _cell_text(self, cell: etree._Element) -> str:
        lines: list[str] = []
        for block in blocks(cell):
            if block.tag == tag("p"):
                text = clean(paragraph_text(block))
                style = self._styles.of(value(block, "pPr", "pStyle"))
                lines.append(self._label(block, style) + text if text else "")
            else:
                lines += [" ".join(map(self._cell_text, inside(row, "tc"))) for row in inside(block, "tr")]
        return "\n".join(line for line in lines if line)

    def _plain_text(self, cell: etree._Element) -> str:
        """A cell's text without counting its lists a second time."""
        return "\n".join(filter(None, (clean(paragraph_text(paragraph)) for paragraph in cell.iter(tag("p")))))


def _text_boxes(element: etree._Element) -> Iterator[etree._Element]:
    """The outermost text boxes drawn on a paragraph, without the copies that are kept for older programs."""
    for box in element.iter(tag("txbxContent")):
        above = [local_name(ancestor) for ancestor in box.iterancestors()]
        inner = above[: above.index(local_name(element))] if local_name(element) in above else above
        if "Fallback" not in inner and "txbxContent" not in inner:
            yield box


def _list_place(element: etree._Element, style: Style, numbering: Numbering) -> ListPlace | None:
    own = value(element, "pPr", "numPr", "numId")
    list_id = own if own is not None else style.list_id
    if list_id is None or list_id == "0":
        return None
    depth = number(element, "pPr", "numPr", "ilvl")
    if depth is None:
        identity = value(element, "pPr", "pStyle") or ""
        depth = style.depth if style.depth is not None else numbering.depth_of_style(identity)
    return ListPlace(list_id, depth)


def _is_annotation(text: str) -> bool:
    """Whether a text stands wholly in parentheses and holds a date or number: how a regulation was issued."""
    return text.startswith(("（", "(")) and text.endswith(("）", ")")) and any(map(str.isdigit, text))


def _is_short(text: str) -> bool:
    """Whether a paragraph in a heading's style can be one: forms often use such styles for whole clauses."""
    return len(text) <= 120 and (looks_like_title(text) or len(text) <= 60 or not text.endswith(("。", ".")))


def _with_title(parts: list[outline.Part], centred: set[int]) -> list[outline.Part]:
    """A short first line without a label, before any styled heading, names the document.

    Further centred lines right below it belong to it.
    """
    first = next((index for index, part in enumerate(parts) if part.text), 0)
    last = first
    while last + 1 < len(parts) and {last, last + 1} <= centred and _fits_title(parts[last + 1]):
        last += 1
    if last + 1 >= len(parts) or not _fits_title(parts[first]):
        return parts
    text = join_lines([part.text for part in parts[first : last + 1]])
    return [outline.heading(text, 1, parts[first].page), *parts[last + 1 :]]


def _fits_title(part: outline.Part) -> bool:
    is_line = part.kind is ElementKind.PARAGRAPH and looks_like_title(part.text)
    return is_line and not _is_annotation(part.text) and "：" not in part.text and ":" not in part.text


class DocxParser:
    """Reads Word documents: body in order, headings, numbered lists, tables, text boxes, notes behind their
    paragraph, comments at the end; headers, footers and tables of contents apart."""

    media_types = ("application/vnd.openxmlformats-officedocument.wordprocessingml.document",)

    def parse(self, path: Path, media_type: str, options: ParseOptions) -> ParsedDocument:
        """See `Parser.parse`."""
        check(path)
        try:
            with Container(path) as container:
                return _parsed(path, media_type, container)
        except _FAILURES as error:
            raise InputFileError(str(path), "is damaged: its parts cannot be read; save it again") from error


def _parsed(path: Path, media_type: str, container: Container) -> ParsedDocument:
    main_part = next((part for part in _MAIN_PARTS if container.tree(part) is not None), _MAIN_PARTS[0])
    body = child(container.tree(main_part), "body")
    if body is None:
        raise InputFileError(str(path), "is damaged: it has no document body; save it again in a word processor")
    reader = _read(container, body)
    parts = _with_title(reader.parts, reader.centred)
    parts += [outline.paragraph(comment) for comment in comments_of(container)]
    furniture = furniture_of(container, main_part)
    if reader.contents:
        furniture.append(Furniture(kind=FurnitureKind.CONTENTS, text="\n".join(reader.contents)))
    told = outline.Told(furniture=furniture, properties=properties_of(container))
    return outline.finish(path, media_type, carry_units(parts), pages=reader.pages, told=told)


def _read(container: Container, body: etree._Element) -> _Body:
    styles = Styles(container.tree("word/styles.xml"))
    numbering = Numbering(container.tree("word/numbering.xml"))
    numbering.resolve_links(styles.list_ids())
    reader = _Body(styles, numbering, Notes(container), has_pages(body))
    reader.read(body)
    return reader


READER = DocxParser()
