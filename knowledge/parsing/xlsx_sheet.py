"""Reads one sheet of a workbook as a stream: its filled cells, merged areas, hidden rows and columns, formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import IO, NamedTuple, cast

from lxml import etree

from .wordml import local_name
from .xlsx_package import Workbook, text_of_runs
from .xlsx_values import plain_number, shown, shown_serial

_PLACE = re.compile(r"\$?([A-Za-z]{1,3})\$?(\d{1,7})")
_PICTURE = re.compile(r"=?(?:_xlfn\.)?(?:DISPIMG|IMAGE)\(", re.IGNORECASE)
_LAST_ROW, _LAST_COLUMN = 1_048_576, 16_384
_TAGS = ("{*}row", "{*}mergeCell", "{*}col")


class Area(NamedTuple):
    """A rectangle of cells, all from 0 and inclusive."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass
class SheetCells:
    """What a sheet holds; rows and columns count from 0, and only filled cells are kept."""

    rows: dict[int, dict[int, str]] = field(default_factory=dict)
    merged: list[Area] = field(default_factory=list)
    hidden_rows: list[int] = field(default_factory=list)
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)
    uncomputed: list[tuple[int, int]] = field(default_factory=list)
    pictures: list[tuple[int, int]] = field(default_factory=list)
    cut_at: int | None = None
    """the row, from 0, that was the first not to be read"""


def column_name(column: int) -> str:
    """The letters of a column that counts from 0."""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def place_of(reference: str) -> tuple[int, int] | None:
    """Row and column of a reference such as ``B7``, from 0."""
    match = _PLACE.fullmatch(reference.strip())
    if match is None:
        return None
    row, column = int(match[2]) - 1, _column_of(match[1])
    return (row, column) if 0 <= row < _LAST_ROW and column is not None else None


@lru_cache(maxsize=_LAST_COLUMN)
def _column_of(letters: str) -> int | None:
    """A column by its letters, from 0."""
    if not letters.isascii() or not letters.isalpha() or len(letters) > 3:
        return None
    column = 0
    for letter in letters.upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    return column - 1 if column <= _LAST_COLUMN else None


def area_of(reference: str) -> Area | None:
    """The rectangle of a reference such as ``B7:D9``."""
    first, _, last = reference.partition(":")
    start, end = place_of(first), place_of(last or first)
    return Area(*start, *end) if start is not None and end is not None else None


class SheetReader:
    """Reads sheets of one workbook, counting the cells of all of them against one bound."""

    def __init__(self, workbook: Workbook, most_cells: int) -> None:
        self._workbook = workbook
        self._left = most_cells
        self._shared: dict[str, tuple[str, str]] = {}
        self._known: dict[str, str] = {}

    def read(self, part: IO[bytes]) -> SheetCells:
        """The cells of a sheet; what is behind the bound is left out, merged areas are read all the same."""
        found = SheetCells()
        self._shared.clear()
        next_row = 0
        for _, element in _elements(part):
            match local_name(element):
                case "row":
                    next_row = self._row(element, next_row, found) + 1
                case "mergeCell":
                    area = area_of(str(element.get("ref") or ""))
                    found.merged += [area] if area is not None else []
                case _:
                    _note_columns(element, found)
            _free(element)
        return found

    def _row(self, element: etree._Element, expected: int, found: SheetCells) -> int:
        number = str(element.get("r") or "")
        row = int(number) - 1 if number.isascii() and number.isdecimal() and int(number) else expected
        if self._left <= 0:
            found.cut_at = row if found.cut_at is None and len(element) else found.cut_at
            return row
        cells: dict[int, str] = {}
        column = -1
        for cell in element:
            given = _column_of(str(cell.get("r") or "").rstrip("0123456789"))
            column = column + 1 if given is None else given
            text = self._text(cell, row, column, found)
            if text:
                cells[column] = text
        if cells:
            found.rows[row] = cells
            self._left -= len(cells)
            if element.get("hidden") in {"1", "true"}:
                found.hidden_rows.append(row)
        return row

    def _text(self, cell: etree._Element, row: int, column: int, found: SheetCells) -> str:
        formula = value = inline = None
        for child in cell:
            name = str(child.tag)
            if name.endswith("}v"):
                value = child.text
            elif name.endswith("}f"):
                formula = child
            elif name.endswith("}is"):
                inline = child
        if formula is not None and _PICTURE.match(formula.text or value or ""):
            found.pictures.append((row, column))
            return ""
        if formula is not None and not value and cell.get("t") != "str":
            found.uncomputed.append((row, column))
            return "=" + self._formula(formula, f"{column_name(column)}{row + 1}")
        if inline is not None:
            return text_of_runs(inline).strip()
        return self._shown(value, str(cell.get("t") or "n"), str(cell.get("s") or "0")) if value else ""

    def _formula(self, element: etree._Element, place: str) -> str:
        """A formula's text; one that is shared with other cells is moved to this one."""
        identity = str(element.get("si") or "")
        if element.get("t") == "shared" and identity:
            if element.text:
                self._shared[identity] = (element.text, place)
            elif identity in self._shared:
                return _moved(*self._shared[identity], place)
        return (element.text or "").strip()

    def _shown(self, value: str, kind: str, style: str) -> str:
        match kind:
            case "s":
                index = int(value) if value.strip().isdecimal() else -1
                return self._workbook.texts[index].strip() if 0 <= index < len(self._workbook.texts) else ""
            case "b":
                return "TRUE" if value.strip() in {"1", "true"} else "FALSE"
            case "n":
                return self._number(value.strip(), style)
            case _:
                return value.replace("T00:00:00", "").strip() if kind == "d" else value.strip()

    def _number(self, value: str, style: str) -> str:
        key = f"{style} {value}"
        known = self._known.get(key)
        if known is None:
            known = self._formatted(value, style)
            if len(self._known) < 100_000:
                self._known[key] = known
        return known

    def _formatted(self, value: str, style: str) -> str:
        try:
            number = float(value)
        except ValueError:
            return value
        formats = self._workbook.formats
        index = int(style) if style.isdecimal() else 0
        code = formats[index] if index < len(formats) else "General"
        if code == "General":
            return plain_number(number)
        whole = int(number) if number.is_integer() and abs(number) < 1e15 else number
        return shown_serial(number, code, self._workbook.epoch) or shown(whole, code)


def _elements(part: IO[bytes]) -> Iterator[tuple[str, etree._Element]]:
    events = etree.iterparse(
        part, tag=_TAGS, resolve_entities=False, no_network=True, load_dtd=False, recover=True, huge_tree=True
    )
    return cast("Iterator[tuple[str, etree._Element]]", events)


def _free(element: etree._Element) -> None:
    """Forget an element that was read and all before it, so that a million rows take no memory."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def _note_columns(element: etree._Element, found: SheetCells) -> None:
    if element.get("hidden") not in {"1", "true"}:
        return
    first, last = str(element.get("min") or ""), str(element.get("max") or "")
    if first.isdecimal() and last.isdecimal():
        found.hidden_columns.append((int(first) - 1, min(int(last), _LAST_COLUMN) - 1))


def _moved(formula: str, origin: str, place: str) -> str:
    from openpyxl.formula.tokenizer import TokenizerError  # noqa: PLC0415
    from openpyxl.formula.translate import Translator, TranslatorError  # noqa: PLC0415

    try:
        moved = Translator("=" + formula, origin).translate_formula(place)
    except (TokenizerError, TranslatorError, IndexError, ValueError):
        return formula
    return str(moved).removeprefix("=")
