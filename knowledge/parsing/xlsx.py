"""The reader of Excel workbooks (XLSX)."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError
from zipfile import ZipFile

from ...errors import InputFileError
from ..elements import ParsedDocument, ParseOptions
from . import outline
from .archives import DAMAGED, check
from .lines import clean_line
from .tables import Grid, to_markdown, without_repeats
from .xlsx_regions import Region, Sheet, regions_of
from .xlsx_values import shown

_FAILURES: tuple[type[Exception], ...] = (
    *DAMAGED, ValueError, TypeError, IndexError, AttributeError, ParseError,
)  # fmt: skip

MOST_ROWS = 20_000
MOST_COLUMNS = 200
_STREAMED_BYTES = 30 * 1024 * 1024
"""Sheet size, unpacked, from which rows are streamed; merged cells are not known then, but memory stays bounded."""
_MOST_EMPTY_ROWS = 1_000  # in a row; behind them a sheet is only formatted, not filled


def _is_big(path: Path) -> bool:
    with ZipFile(path) as archive:
        sheets = [member for member in archive.infolist() if "worksheets/" in member.filename]
        return max((member.file_size for member in sheets), default=0) > _STREAMED_BYTES


def _rows(sheet: Any) -> Grid:
    """The filled part of a sheet, within bounds."""
    rows: Grid = []
    empty = 0
    last_column = min(sheet.max_column or MOST_COLUMNS, MOST_COLUMNS)
    last_row = min(sheet.max_row or MOST_ROWS, MOST_ROWS)
    for cells in sheet.iter_rows(max_row=last_row, max_col=last_column):
        row = [shown(cell.value, getattr(cell, "number_format", None) or "General").strip() for cell in cells]
        rows.append(row + [""] * (last_column - len(row)))
        empty = 0 if any(row) else empty + 1
        if empty > _MOST_EMPTY_ROWS:
            break
    return rows[: len(rows) - empty] if empty else rows


def _merged(sheet: Any) -> list[tuple[int, int, int, int]]:
    ranges = getattr(sheet, "merged_cells", None)
    found = ranges.ranges if ranges is not None else ()
    return [(area.min_row - 1, area.min_col - 1, area.max_row - 1, area.max_col - 1) for area in found]


def _fill(rows: Grid, merged: list[tuple[int, int, int, int]]) -> None:
    for top, left, bottom, right in merged:
        if top >= len(rows) or left >= len(rows[top]):
            continue
        for row in rows[top : bottom + 1]:
            row[left : right + 1] = [rows[top][left]] * len(row[left : right + 1])


def _sheet_parts(sheet: Any, page: int) -> Iterator[outline.Part]:
    rows = _rows(sheet)
    merged = _merged(sheet)
    _fill(rows, merged)
    regions = list(regions_of(Sheet(rows, merged)))
    if regions:
        yield outline.heading(sheet.title, 1, page)
    for region in regions:
        yield from _region_parts(region, page)


def _region_parts(region: Region, page: int) -> Iterator[outline.Part]:
    for title in region.titles:
        yield outline.paragraph(title, page)
    if len(region.rows[0]) == 1:
        for row in region.rows:
            yield outline.line(row[0], page)
    elif len(region.rows) == 1:
        yield outline.paragraph(" ".join(map(clean_line, without_repeats(region.rows[0]))), page)
    else:
        yield outline.table(to_markdown(region.rows, region.header_rows), page)


class XlsxParser:
    """Reads workbooks: the values that formulas had when saved, one page per sheet, hidden sheets too."""

    media_types = ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",)

    def parse(self, path: Path, media_type: str, options: ParseOptions) -> ParsedDocument:
        """See `Parser.parse`."""
        check(path)
        try:
            parts, pages = _read(path)
        except _FAILURES as error:
            raise InputFileError(str(path), f"is damaged: the workbook cannot be read ({_brief(error)})") from error
        return outline.finish(path, media_type, parts, pages=pages, first_heading_names=False)


def _read(path: Path) -> tuple[list[outline.Part], int]:
    from openpyxl import load_workbook  # noqa: PLC0415 - only workbooks pay for it

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl tells of styles and validations that it drops
        with path.open("rb") as file:  # by its content, whatever the suffix says
            workbook = load_workbook(file, read_only=_is_big(path), data_only=True)
            sheets = workbook.worksheets
            parts = [part for index, sheet in enumerate(sheets, 1) for part in _sheet_parts(sheet, index)]
            workbook.close()
    return parts, len(sheets)


def _brief(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]


READER = XlsxParser()
