"""Writes DOCX, XLSX and PPTX files that are equal from build to build."""

from __future__ import annotations

import re
import zipfile
from datetime import datetime
from io import BytesIO
from pathlib import Path

import docx
import openpyxl
from docx.document import Document as WordDocument
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.worksheet.worksheet import Worksheet

from .markup import Kind, Part, Source, spans, visible

_ZIP_DATE = (2025, 1, 1, 0, 0, 0)
_SAVED_AT = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def repack(content: BytesIO, path: Path, saved_at: datetime) -> None:
    """Write an Office archive with fixed dates, because the libraries put the clock's time into it."""
    stamp = saved_at.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
    with zipfile.ZipFile(content) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            data = source.read(name)
            if name == "docProps/core.xml":
                data = _SAVED_AT.sub(rb"\g<1>" + stamp, data)
            entry = zipfile.ZipInfo(name, _ZIP_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(entry, data)


def write_docx(source: Source, path: Path) -> None:
    """Write a Word file with real heading styles, tables, a running header and a footer."""
    document = docx.Document()
    properties = source.properties
    _set_fonts(document)
    _set_properties(document, source)
    section = document.sections[0]
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.header.paragraphs[0].text = properties.get("header", "")
    section.footer.paragraphs[0].text = properties.get("footer", "")
    document.add_paragraph(properties["title"], style="Title").alignment = WD_ALIGN_PARAGRAPH.CENTER
    for part in source.parts:
        _add_to_word(document, part)
    content = BytesIO()
    document.save(content)
    repack(content, path, source.date)


def _set_fonts(document: WordDocument) -> None:
    for name in ("Normal", "Title", "Heading 1", "Heading 2", "Heading 3"):
        font = document.styles[name].font
        font.name = "Calibri"
        font.color.rgb = RGBColor(0, 0, 0)
        font.element.get_or_add_rPr().get_or_add_rFonts().set(qn("w:eastAsia"), "微软雅黑")
    document.styles["Normal"].font.size = Pt(10.5)
    document.styles["Title"].font.size = Pt(22)


def _set_properties(document: WordDocument, source: Source) -> None:
    core = document.core_properties
    core.title = source.properties["title"]
    core.author = source.properties["author"]
    core.subject = source.properties.get("subject", "")
    core.comments = ""
    core.created = core.modified = source.date


def _add_to_word(document: WordDocument, part: Part) -> None:
    if part.kind is Kind.HEADING:
        document.add_heading(part.text, part.level)
    elif part.kind is Kind.TABLE:
        _add_word_table(document, part)
    else:
        style = "List Bullet" if part.kind is Kind.BULLET else "Normal"
        document.add_paragraph(part.text, style=style)


def _add_word_table(document: WordDocument, part: Part) -> None:
    table = document.add_table(len(part.rows), len(part.rows[0]), style="Table Grid")
    for row, cells in zip(table.rows, part.rows, strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = visible(text)
    for span in spans(part.rows):
        merged = table.cell(span.top, span.left).merge(table.cell(span.bottom, span.right))
        merged.text = part.rows[span.top][span.left]
    if part.has_header:
        for cell in table.rows[0].cells:
            for run in cell.paragraphs[0].runs:
                run.bold = True
    document.add_paragraph("")


def write_xlsx(source: Source, path: Path) -> None:
    """Write a workbook: one sheet for each first-level heading, joined cells kept, numbers as numbers."""
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    workbook.properties.title = source.properties["title"]
    workbook.properties.creator = source.properties["author"]
    workbook.properties.created = source.date
    sheet: Worksheet | None = None
    for part in source.parts:
        if part.kind is Kind.HEADING or sheet is None:
            sheet = workbook.create_sheet(part.text)
        elif part.kind is Kind.TABLE:
            _add_sheet_table(sheet, part)
        else:
            sheet.cell(_next_row(sheet), 1, part.text)
    content = BytesIO()
    workbook.save(content)
    repack(content, path, source.date)


def _next_row(sheet: Worksheet) -> int:
    return 1 if sheet.max_row == 1 and sheet.cell(1, 1).value is None else sheet.max_row + 2


def _add_sheet_table(sheet: Worksheet, part: Part) -> None:
    first = _next_row(sheet)
    side = Side(style="thin")
    for row, cells in enumerate(part.rows):
        for column, text in enumerate(cells, start=1):
            cell = sheet.cell(first + row, column, _cell_value(visible(text)))
            cell.border = Border(left=side, right=side, top=side, bottom=side)
            cell.alignment = Alignment(horizontal="center", vertical="center", wrap_text=True)
            if row < 2:
                cell.font = Font(bold=True)
                cell.fill = PatternFill("solid", fgColor="DDE6F0")
            sheet.column_dimensions[cell.column_letter].width = 18
    for span in spans(part.rows):
        sheet.merge_cells(
            start_row=first + span.top,
            end_row=first + span.bottom,
            start_column=span.left + 1,
            end_column=span.right + 1,
        )


def _cell_value(text: str) -> int | float | str | None:
    if not text:
        return None
    if not _NUMBER.fullmatch(text):
        return text
    return float(text) if "." in text else int(text)
