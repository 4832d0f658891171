"""The reader of comma-, semicolon- and tab-separated tables."""

from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path

from ...errors import InputFileError
from ..elements import ParsedDocument, ParseOptions
from . import outline
from .files import read_bytes, undecodable
from .tables import to_markdown
from .text import decode

MOST_ROWS = 20_000
MOST_COLUMNS = 200
_DELIMITERS = ",;\t|"
_SAMPLE_ROWS = 50


def delimiter_of(text: str) -> str:
    """The delimiter that splits most rows of the beginning into the same number of fields, at least two."""
    sample = "\n".join(text.splitlines()[:_SAMPLE_ROWS])
    return max(_DELIMITERS, key=lambda delimiter: _evenness(sample, delimiter))


def _evenness(sample: str, delimiter: str) -> tuple[float, int]:
    widths = Counter(len(row) for row in csv.reader(io.StringIO(sample), delimiter=delimiter) if row)
    if not widths:
        return (0.0, 0)
    width, rows = widths.most_common(1)[0]
    return (rows / widths.total() if width > 1 else 0.0, width)


def rows_of(text: str) -> list[list[str]]:
    """The table's rows, at most 20,000, each at most 200 fields wide."""
    rows: list[list[str]] = []
    for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(text)):
        rows.append([field.strip() for field in row[:MOST_COLUMNS]])
        if len(rows) >= MOST_ROWS:
            break
    return rows


class CsvParser:
    """Reads a delimited text as one table with its first row as the header."""

    media_types = ("text/csv",)

    def parse(self, path: Path, media_type: str, options: ParseOptions) -> ParsedDocument:
        """See `Parser.parse`."""
        text = decode(read_bytes(path))
        if text is None:
            raise undecodable(path)
        try:
            rows = rows_of(text.replace("\x00", ""))
        except csv.Error as error:
            raise InputFileError(str(path), f"is not a table of separated values: {error}") from error
        return outline.finish(path, media_type, [outline.table(to_markdown(rows))])


READER = CsvParser()
