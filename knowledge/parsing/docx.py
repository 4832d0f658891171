"""The reader of Word documents (DOCX), which works on the stored XML: it is the only place that has everything."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from ...errors import InputFileError
from ..elements import ElementKind, ParsedDocument, ParseOptions
from . import outline
from .archives import DAMAGED, Container, check
from .docx_numbering import ListPlace, Numbering
from .docx_styles import Style, Styles
from .docx_text import has_pages, page_breaks, paragraph_text
from .lines import clean, join_lines
from .numbering import looks_like_title, read_label
from .tables import Span, place, to_markdown
from .wordml import child, is_on, local_name, number, tag, value

_FAILURES: tuple[type[Exception], ...] = (*DAMAGED, ValueError)

_TRANSPARENT_BLOCKS = frozenset(
    {"sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag", "AlternateContent", "Choice"}
)


class _Body:
    """Walks a document's body once, counting lists and pages on the way."""

    def __init__(self, styles: Styles, numbering: Numbering, has_pages: bool) -> None:
        self._styles = styles
        self._numbering = numbering
        self._page: int | None = 1 if has_pages else None
        self.parts: list[outline.Part] = []
        self.centred: set[int] = set()

    @property
    def pages(self) -> int | None:
        return self._page

    def read(self, container: etree._Element) -> None:
        for element in _blocks(container):
            if element.tag == tag("p"):
                self._paragraph(element)
            else:
                self._table(element)

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
        if value(element, "pPr", "jc") == "center":
            self.centred.add(len(self.parts))
        self.parts.append(part._replace(page=first_page, last_page=last_page))

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
        return outline.paragraph(full) if style.is_contents else part

    def _table(self, element: etree._Element) -> None:
        first_page = self._page
        markdown = self._table_markdown(element)
        breaks = sum(1 for _ in element.iter(tag("lastRenderedPageBreak")))
        last_page = self._turn(breaks) if breaks else None
        self.parts.append(outline.table(markdown, first_page)._replace(last_page=last_page))

    def _table_markdown(self, element: etree._Element) -> str:
        rows = [row for row in _inside(element, "tr") if child(row, "trPr", "del") is None]
        grid = place([self._row(row) for row in rows])
        _fill_down(grid, rows)
        if len(rows) == 1 and len(set(grid[0])) == 1:
            return ""
        return to_markdown(grid, _header_rows(rows))

    def _row(self, row: etree._Element) -> list[Span]:
        skipped = number(row, "trPr", "gridBefore") or 0
        cells = [Span("", 1, skipped)] if skipped > 0 else []
        for cell in _inside(row, "tc"):
            columns = number(cell, "tcPr", "gridSpan") or 1
            cells.append(Span(_CONTINUED if _is_continued(cell) else self._cell_text(cell), 1, columns))
        return cells

    def _cell_text(self, cell: etree._Element) -> str:
        lines: list[str] = []
        for block in _blocks(cell):
            if block.tag == tag("p"):
                text = clean(paragraph_text(block))
                style = self._styles.of(value(block, "pPr", "pStyle"))
                lines.append(self._label(block, style) + text if text else "")
            else:
                lines += [" ".join(span.text for span in self._row(row)) for row in _inside(block, "tr")]
        return "\n".join(line for line in lines if line)


_CONTINUED = "\x00"
"""Stands for a cell that a vertical merge covers, until the text above is copied down."""


def _fill_down(grid: list[list[str]], rows: list[etree._Element]) -> None:
    for index, row in enumerate(grid):
        for column, text in enumerate(row):
            if text == _CONTINUED:
                above = grid[index - 1] if index else []
                row[column] = above[column] if column < len(above) else ""


def _is_continued(cell: etree._Element) -> bool:
    merge = child(cell, "tcPr", "vMerge")
    return merge is not None and merge.get(tag("val"), "continue") == "continue"


def _header_rows(rows: list[etree._Element]) -> int:
    """Rows marked to repeat on each page; else as many as the first row's merged cells reach down."""
    marked = 0
    for row in rows:
        if not is_on(row, "trPr", "tblHeader"):
            break
        marked += 1
    if marked:
        return marked if marked < len(rows) else 1
    first = list(_inside(rows[0], "tc")) if rows else []
    wide = any((number(cell, "tcPr", "gridSpan") or 1) > 1 for cell in first)
    deep = any(value(cell, "tcPr", "vMerge") == "restart" for cell in first)
    second = list(_inside(rows[1], "tc")) if len(rows) > 2 else []
    return 2 if wide and deep and any(_is_continued(cell) for cell in second) else 1


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


def _blocks(container: etree._Element) -> Iterator[etree._Element]:
    """The paragraphs and tables directly in a container, through the wrappers that mean nothing."""
    for element in container:
        if element.tag in {tag("p"), tag("tbl")}:
            yield element
        elif local_name(element) in _TRANSPARENT_BLOCKS:
            yield from _blocks(element)


def _inside(container: etree._Element, name: str) -> Iterator[etree._Element]:
    """The rows of a table or cells of a row, through wrappers."""
    for element in container:
        if element.tag == tag(name):
            yield element
        elif local_name(element) in _TRANSPARENT_BLOCKS:
            yield from _inside(element, name)


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
    """Reads Word documents: body in order, headings, numbered lists, tables; no headers, footers, text boxes."""

    media_types = ("application/vnd.openxmlformats-officedocument.wordprocessingml.document",)

    def parse(self, path: Path, media_type: str, options: ParseOptions) -> ParsedDocument:
        """See `Parser.parse`."""
        check(path)
        try:
            body = _read(path)
        except _FAILURES as error:
            raise InputFileError(str(path), "is damaged: its parts cannot be read; save it again") from error
        return outline.finish(path, media_type, _with_title(body.parts, body.centred), pages=body.pages)


def _read(path: Path) -> _Body:
    with Container(path) as container:
        root = container.tree("word/document.xml")
        if root is None:
            root = container.tree("word/document2.xml")
        body = child(root, "body")
        if body is None:
            raise InputFileError(str(path), "is damaged: it has no document body; save it again in a word processor")
        styles = Styles(container.tree("word/styles.xml"))
        numbering = Numbering(container.tree("word/numbering.xml"))
    numbering.resolve_links(styles.list_ids())
    reader = _Body(styles, numbering, has_pages(body))
    reader.read(body)
    return reader


READER = DocxParser()
