"""The reader of Excel workbooks (XLSX)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from ...errors import InputFileError
from ..elements import ParsedDocument, ParseNote, ParseNoteKind, ParseOptions
from . import outline
from .archives import DAMAGED, Container, check
from .lines import clean_line, east_asian_share
from .office_properties import properties_of
from .table_units import carry_units
from .tables import to_markdown, without_repeats
from .xlsx_extras import Remark, drawn_texts, remarks_of
from .xlsx_grid import laid_out
from .xlsx_package import SheetEntry, Workbook, read_workbook, relations_of
from .xlsx_regions import Region, regions_of
from .xlsx_sheet import SheetCells, SheetReader, column_name

_FAILURES: tuple[type[Exception], ...] = (*DAMAGED, ValueError, IndexError)
_MOST_RANGES = 20  # in one note


class _Reading:
    """Reads a workbook sheet by sheet, and collects what there is to say about it."""

    def __init__(self, container: Container, workbook: Workbook, options: ParseOptions) -> None:
        self._container = container
        self._workbook = workbook
        self._reader = SheetReader(workbook, options.most_cells)
        self.parts: list[outline.Part] = []
        self.notes: list[ParseNote] = []

    def read(self) -> None:
        for page, entry in enumerate(self._workbook.sheets, 1):
            self._sheet(entry, page)

    def _sheet(self, entry: SheetEntry, page: int) -> None:
        with self._container.open(entry.part) as part:
            cells = self._reader.read(part)
        found: list[outline.Part] = []
        for laid in laid_out(cells):
            found += [part for region in regions_of(laid.sheet) for part in _region_parts(region, page)]
            if laid.left_out:
                detail = f"{entry.name}: {laid.left_out} columns right of {column_name(laid.columns[-1])}"
                self.notes.append(ParseNote(kind=ParseNoteKind.CUT_SHORT, detail=detail, page=page))
        relations = list(relations_of(self._container, entry.part).values())
        found += [outline.paragraph(text, page) for text in drawn_texts(self._container, relations)]
        found += [outline.paragraph(_remark(remark), page) for remark in remarks_of(self._container, relations)]
        if found:
            self.parts += [outline.heading(entry.name, 1, page), *found]
        self.notes += _notes(entry, cells, page)


def _notes(entry: SheetEntry, cells: SheetCells, page: int) -> Iterator[ParseNote]:
    columns = [f"{column_name(first)}:{column_name(last)}" for first, last in cells.hidden_columns]
    rows = [f"{first + 1}:{last + 1}" for first, last in _stretches(cells.hidden_rows)]
    details = [
        (ParseNoteKind.HIDDEN, [entry.name] if entry.hidden else []),
        (ParseNoteKind.HIDDEN, _located(entry, [*columns, *rows])),
        (ParseNoteKind.UNCOMPUTED, _located(entry, _ranges(cells.uncomputed))),
        (ParseNoteKind.UNREAD, _located(entry, _ranges(cells.pictures))),
        (ParseNoteKind.CUT_SHORT, [f"{entry.name}: from row {cells.cut_at + 1}"] if cells.cut_at is not None else []),
    ]
    for kind, detail in details:
        if detail:
            yield ParseNote(kind=kind, detail=detail[0], page=page)


def _located(entry: SheetEntry, ranges: Sequence[str]) -> list[str]:
    more = f" and {len(ranges) - _MOST_RANGES} more" if len(ranges) > _MOST_RANGES else ""
    return [f"{entry.name}!{', '.join(ranges[:_MOST_RANGES])}{more}"] if ranges else []


def _ranges(places: Iterable[tuple[int, int]]) -> list[str]:
    """Cells as ranges, each of one column."""
    found: list[str] = []
    ordered = sorted((column, row) for row, column in places)
    for column, group in groupby(ordered, key=lambda place: place[0]):
        for first, last in _stretches([row for _, row in group]):
            start = f"{column_name(column)}{first + 1}"
            found.append(start if first == last else f"{start}:{column_name(column)}{last + 1}")
    return found


def _stretches(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Numbers in ascending order as first and last of each gapless stretch."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def _remark(remark: Remark) -> str:
    label = "批注" if east_asian_share(remark.text) > 0.3 else "Comment on"
    return f"{label} {remark.place}{'：' if label == '批注' else ': '}{remark.text}"


def _region_parts(region: Region, page: int) -> Iterator[outline.Part]:
    for title in region.titles:
        yield outline.paragraph(title, page)
    if len(region.rows[0]) == 1:
        for row in region.rows:
            yield outline.line(row[0], page)
    elif len(region.rows) == 1:
        yield outline.paragraph(" ".join(map(clean_line, without_repeats(region.rows[0]))), page)
    else:
        yield outline.table(to_markdown(region.rows, region.header_rows), page)._replace(doubt=region.doubt)
    for note in region.notes:
        yield outline.paragraph(note, page)


class XlsxParser:
    """Reads workbooks: the values that formulas had when saved, one page per sheet, hidden sheets too."""

    media_types = ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",)

    def parse(self, path: Path, media_type: str, options: ParseOptions) -> ParsedDocument:
        """See `Parser.parse`."""
        check(path)
        try:
            with Container(path) as container:
                return _parsed(path, media_type, container, options)
        except _FAILURES as error:
            raise InputFileError(str(path), f"is damaged: the workbook cannot be read ({_brief(error)})") from error


def _parsed(path: Path, media_type: str, container: Container, options: ParseOptions) -> ParsedDocument:
    workbook = read_workbook(container)
    if workbook is None:
        raise InputFileError(str(path), "is damaged: it has no list of sheets; save it again in a spreadsheet program")
    reading = _Reading(container, workbook, options)
    reading.read()
    told = outline.Told(notes=reading.notes, properties=properties_of(container))
    return outline.finish(
        path,
        media_type,
        carry_units(reading.parts),
        pages=len(workbook.sheets),
        first_heading_names=False,
        told=told,
    )


def _brief(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]


READER = XlsxParser()
