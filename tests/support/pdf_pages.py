"""Writes the PDF files that tests read."""

from __future__ import annotations

from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas
from veriloop.knowledge.elements import ElementKind, ParsedDocument, ParseOptions
from veriloop.knowledge.parsing import parse_file

CHINESE = "STSong-Light"
pdfmetrics.registerFont(UnicodeCIDFont(CHINESE))
WIDTH, HEIGHT = A4
BODY = "The supplier delivers the goods within ten days after the order and bears every risk."


def canvas_at(path: Path, **options: object) -> Canvas:
    """An empty A4 file."""
    return Canvas(str(path), pagesize=A4, **options)


def write(
    canvas: Canvas, lines: list[str], *, top: float = 100, left: float = 72, size: float = 11, bold: bool = False
) -> None:
    """Lines below each other; `top` is where the first one's baseline is, in points from the top."""
    latin = "Helvetica-Bold" if bold else "Helvetica"
    for index, text in enumerate(lines):
        canvas.setFont(CHINESE if any(ord(character) > 0x2E80 for character in text) else latin, size)
        canvas.drawString(left, HEIGHT - top - index * size * 1.5, text)


def read(path: Path, **options: object) -> ParsedDocument:
    """The file as it is understood; recognition of pictures is off unless asked for."""
    return parse_file(path, options=ParseOptions.model_validate({"ocr": False, **options}))


def texts(document: ParsedDocument, kind: ElementKind | None = None) -> list[str]:
    """The texts of elements, of one kind if one is given."""
    return [element.text for element in document.elements if kind is None or element.kind is kind]


def headings(document: ParsedDocument) -> list[tuple[int, str]]:
    """Level and text of each heading."""
    return [(element.level, element.text) for element in document.elements if element.level is not None]
