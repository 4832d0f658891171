"""Writes PDF files with a subset of a Chinese font embedded, running headers and page numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib import colors, textsplit
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import cm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle
from reportlab.platypus import paragraph as paragraph_module

from .markup import Kind, Part, Source, spans, visible

FONT = "LibraryFont"
_WIDTH = A4[0] - 5 * cm
_CELL_SIZE = 9.5


class _NumberedCanvas(Canvas):  # type: ignore[misc]
    """Holds the pages back until their number is known, then adds header, footer and page number."""

    properties: dict[str, str] = {}  # noqa: RUF012

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._held: list[dict[str, Any]] = []

    def showPage(self) -> None:  # noqa: N802
        self._held.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        for number, state in enumerate(self._held, start=1):
            self.__dict__.update(state)
            self._decorate(number, len(self._held))
            super().showPage()
        super().save()

    def _decorate(self, number: int, total: int) -> None:
        self.setFont(FONT, 8.5)
        self.drawString(2.5 * cm, A4[1] - 1.5 * cm, self.properties.get("header", ""))
        self.line(2.5 * cm, A4[1] - 1.7 * cm, A4[0] - 2.5 * cm, A4[1] - 1.7 * cm)
        self.drawString(2.5 * cm, 1.4 * cm, self.properties.get("footer", ""))
        self.drawRightString(A4[0] - 2.5 * cm, 1.4 * cm, f"第 {number} 页 共 {total} 页")


def register_font(path: Path) -> None:
    """Make the font usable; only the glyphs that a document needs go into it."""
    # reportlab knows only some of the marks that must not begin a line of Chinese.
    for module in (textsplit, paragraph_module):
        module.ALL_CANNOT_START += "，；：）》”"
    pdfmetrics.registerFont(TTFont(FONT, str(path), subfontIndex=0))


def write_pdf(source: Source, path: Path, *, repeat_table_header: bool = True) -> None:
    """Write a PDF; a table that runs over a page break repeats its header row, or does not."""
    properties = source.properties
    document = SimpleDocTemplate(
        str(path),
        pagesize=A4,
        leftMargin=2.5 * cm,
        rightMargin=2.5 * cm,
        topMargin=2.1 * cm,
        bottomMargin=2 * cm,
        title=properties["title"],
        author=properties["author"],
        subject=properties.get("subject", ""),
        invariant=1,
    )
    story: list[Flowable] = [Paragraph(escape(properties["title"]), _style(18, centred=True))]
    if "subtitle" in properties:
        story.append(Paragraph(escape(properties["subtitle"]), _style(12, centred=True)))
    story.append(Spacer(1, 0.5 * cm))
    for part in source.parts:
        story.extend(_flowables(part, float(properties.get("size", 11)), repeat_table_header))
    canvas = type("_Canvas", (_NumberedCanvas,), {"properties": properties})
    document.build(story, canvasmaker=canvas)


def _style(size: float, *, centred: bool = False, before: float = 0, keep: bool = False) -> ParagraphStyle:
    return ParagraphStyle(
        f"s{size}",
        fontName=FONT,
        fontSize=size,
        leading=size * 1.65,
        spaceBefore=before,
        spaceAfter=size * 0.4,
        alignment=TA_CENTER if centred else 0,
        wordWrap="CJK",
        keepWithNext=keep,
    )


def _flowables(part: Part, size: float, repeat_header: bool) -> list[Flowable]:
    if part.kind is Kind.TABLE:
        return [_table(part, repeat_header), Spacer(1, 0.35 * cm)]
    if part.kind is Kind.HEADING:
        return [Paragraph(escape(part.text), _style(13 if part.level == 1 else 11.5, before=8, keep=True))]
    text = f"• {part.text}" if part.kind is Kind.BULLET else part.text
    style = _style(size)
    style.wordWrap = "CJK" if _is_chinese(text) else None
    return [Paragraph(escape(text), style)]


def _is_chinese(text: str) -> bool:
    """Whether lines may break between any two characters."""
    return sum("\u4e00" <= character <= "\u9fff" for character in text) * 5 > len(text)


def _table(part: Part, repeat_header: bool) -> Table:
    cell_style = _style(_CELL_SIZE)
    cell_style.spaceAfter = 0
    rows = [[Paragraph(escape(visible(cell)), cell_style) for cell in row] for row in part.rows]
    commands: list[tuple[Any, ...]] = [
        ("GRID", (0, 0), (-1, -1), 0.6, colors.black),
        ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
    ]
    if part.has_header:
        commands.append(("BACKGROUND", (0, 0), (-1, 0), colors.HexColor("#E4EAF1")))
    commands += [("SPAN", (s.left, s.top), (s.right, s.bottom)) for s in spans(part.rows)]
    return Table(
        rows,
        colWidths=_column_widths(part.rows),
        repeatRows=1 if part.has_header and repeat_header else 0,
        style=TableStyle(commands),
    )


def _column_widths(rows: tuple[tuple[str, ...], ...]) -> list[float]:
    """Give short columns what they need on one line; the long ones share what is left of the page's width."""
    needs = [max(_text_width(cell) for cell in column) for column in zip(*rows, strict=True)]
    if sum(needs) <= _WIDTH:
        return [need + (_WIDTH - sum(needs)) / len(needs) for need in needs]
    widths = [0.0] * len(needs)
    left = _WIDTH
    for done, column in enumerate(sorted(range(len(needs)), key=needs.__getitem__)):
        widths[column] = min(needs[column], left / (len(needs) - done))
        left -= widths[column]
    return widths


def _text_width(cell: str) -> float:
    """Points that a cell needs on one line, its padding included."""
    return float(pdfmetrics.stringWidth(visible(cell), FONT, _CELL_SIZE)) + 14
