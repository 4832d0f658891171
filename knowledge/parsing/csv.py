"""The reader of comma-, semicolon- and tab-separated tables."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from ...errors import InputFileError
from ..elements import ParsedDocument, ParseNote, ParseNoteKind, ParseOptions
from . import outline
from .files import MOST_TEXT_BYTES, read_bytes, undecodable
from .table_heads import find_head
from .table_units import carry_units
from .tables import Grid, tidy, to_markdown, without_repeats
from .text import decode

MOST_COLUMNS = 1_000
_DELIMITERS = ",;\t|"
_SAMPLE_ROWS = 50
_MOST_TITLE_ROWS = 8


def delimiter_of(text: str) -> str:
    """The delimiter that splits most rows of the beginning into the same number of fields, at least two.

    A first line such as ``sep=;`` states it.
    """
    lines = text.splitlines()[:_SAMPLE_ROWS]
    if lines and lines[0].lower().startswith("sep=") and len(lines[0]) == len("sep=;"):
        return lines[0][-1]
    sample = "\n".join(lines)
    return max(_DELIMITERS, key=lambda delimiter: _evenness(sample, delimiter))


def _evenness(sample: str, delimiter: str) -> tuple[float, int]:
    widths = Counter(len(row) for row in csv.reader(io.StringIO(sample), delimiter=delimiter) if row)
    if not widths:
        return (0.0, 0)
    width, rows = widths.most_common(1)[0]
    if width == 1 and len(widths) > 1:  # titles above a narrow table
        width, rows = widths.most_common(2)[1]
    return (rows / widths.total() if width > 1 else 0.0, width)


def rows_of(text: str, most_cells: int = 2_000_000) -> list[list[str]]:
    """The table's rows as far as they hold no more cells than the bound, each at most 1,000 fields wide."""
    delimiter = delimiter_of(text)
    rows: list[list[str]] = []
    for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
        if not rows and len(row) <= 2 and "".join(row).lower().startswith("sep="):
            continue
        most_cells -= len(row)
        if most_cells < 0:
            break
        rows.append([field.strip() for field in row[:MOST_COLUMNS]])
    return rows


class CsvParser:
    """Reads a delimited text as one table, lines above its header as text."""

    media_types = ("text/csv",)

    def parse(self, path: Path, media_type: str, options: ParseOptions) -> ParsedDocument:
        """See `Parser.parse`."""
        text = decode(read_bytes(path))
        if text is None:
            raise undecodable(path)
        # By default a field of 128 KB spoils the whole table; here the file itself has a bound.
        csv.field_size_limit(MOST_TEXT_BYTES)
        try:
            text = text.replace("\x00", "")
            rows = rows_of(text, options.most_cells)
        except csv.Error as error:
            raise InputFileError(str(path), f"is not a table of separated values: {error}") from error
        cut = sum(map(len, rows)) > 0 and len(rows) < text.count("\n") and _is_cut(text, rows, options.most_cells)
        notes = [ParseNote(kind=ParseNoteKind.CUT_SHORT, detail=f"from row {len(rows) + 1}")] if cut else []
        return outline.finish(path, media_type, carry_units(list(_parts(rows))), told=outline.Told(notes=notes))


def _is_cut(text: str, rows: Sequence[Sequence[str]], most_cells: int) -> bool:
    """Whether rows are left behind the bound; line breaks inside quoted fields are no rows."""
    return sum(map(len, rows)) + max(map(len, rows)) > most_cells and len(rows_of(text, 2 * most_cells)) > len(rows)


def _parts(rows: Grid) -> Iterator[outline.Part]:
    top = _title_rows(rows)
    for row in rows[:top]:
        if any(row):
            yield outline.paragraph(" ".join(without_repeats(row)))
    grid = tidy(rows[top:])
    if grid:
        headed = find_head(grid)
        yield outline.table(to_markdown(headed.grid, headed.rows))._replace(doubt=headed.doubt)


def _title_rows(rows: Grid) -> int:
    """Rows of one text or none above the first row that is as wide as most."""
    widths = Counter(sum(map(bool, row)) for row in rows[:_SAMPLE_ROWS] if any(row))
    widest = max(widths, default=0)
    if widest < 2:
        return 0
    for index, row in enumerate(rows[: _MOST_TITLE_ROWS + 1]):
        if sum(map(bool, row)) > 1:
            return index
    return 0


READER = CsvParser()
