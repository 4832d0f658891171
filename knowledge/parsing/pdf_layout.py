"""Lines and tables of one PDF page in reading order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ..elements import Doubt
from .lines import clean_line, is_east_asian
from .tables import Grid

_WORD_GAP = 0.18
"""Gap between characters, in character heights, from which a word ends: blanks are 0.2 or more, kerning 0.1."""
_WIDE_GAP = 0.45  # in character heights: from here also Chinese words stand apart; a typed blank is 0.5
_LEAST_COLUMN_ROWS = 8
_MOST_CROSSING = 0.4  # share of rows that may run over the gap between columns: headlines, wide figures
_LEAST_FILL = 0.5  # share of a column's width that running text covers; table cells and forms cover less
_DEEPEST_SPLIT = 3  # so up to eight columns


class Line(NamedTuple):
    """A line of text; lengths in points from the top left of the page.

    `start` and `edge` are where the lines of its column begin and end; `tag` is what the file itself calls it;
    `pale` lines are large and hardly darker than the paper; `beside` tells that it runs in another direction than
    the text of the page, `in_margin` that it does so beside all of that text.
    """

    text: str
    left: float
    right: float
    top: float
    bottom: float
    size: float
    bold: bool
    start: float
    edge: float
    page: int
    tag: str = ""
    pale: bool = False
    beside: bool = False
    in_margin: bool = False


class TableBox(NamedTuple):
    """A table on a page: its rows, how many are the header, and titles that stood in it above the header.

    `rules` are the positions of its column rules, none where alignment alone makes the table.
    """

    grid: Grid
    header_rows: int
    titles: tuple[str, ...]
    left: float
    right: float
    top: float
    bottom: float
    page: int
    rules: tuple[float, ...] = ()
    doubt: Doubt | None = None


class Piece(NamedTuple):
    """Something placed on the page: a word of one size and weight, or a table as a whole.

    `apart` tells that a typed blank stands before the word.
    """

    text: str
    left: float
    right: float
    top: float
    bottom: float
    size: float
    bold: bool
    table: TableBox | None = None
    apart: bool = False
    tag: str = ""


Row = list[Piece]

_BOLD_FONT = re.compile(r"bold|black|heavy|simhei|黑体|demi|-medi\b|cmbx", re.IGNORECASE)
_UNMAPPED = re.compile(r"\(cid:\d+\)")


def without_doubles(characters: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Characters drawn twice at one place, which is how some programs make bold, only once."""
    seen: set[tuple[str, int, int]] = set()
    kept: list[dict[str, Any]] = []
    for character in characters:
        key = (character["text"], round(character["x0"]), round(character["top"]))
        if key not in seen or character["text"].isspace():
            seen.add(key)
            kept.append(character)
    return kept


def words_of(characters: Sequence[dict[str, Any]]) -> list[Piece]:
    """The words that characters form."""
    from pdfplumber.utils.text import extract_words  # noqa: PLC0415

    words = extract_words(
        [{"tag": "", **character} for character in characters],
        x_tolerance_ratio=_WORD_GAP,
        extra_attrs=["fontname", "size", "tag"],
        keep_blank_chars=False,
    )
    blanks = {(round(c["bottom"]), round(c["x1"])) for c in characters if c["text"].isspace()}
    return [_word(word, blanks) for word in words]


def _word(word: dict[str, Any], blanks: set[tuple[int, int]]) -> Piece:
    bold = _BOLD_FONT.search(str(word["fontname"])) is not None
    bottom, left = round(word["bottom"]), round(word["x0"])
    apart = any((bottom + down, left + aside) in blanks for down in (-1, 0, 1) for aside in (-1, 0, 1))
    place = word["x0"], word["x1"], word["top"], word["bottom"]
    return Piece(word["text"], *place, float(word["size"]), bold, None, apart, word["tag"])


def rows_of(pieces: Sequence[Piece]) -> list[Row]:
    """Pieces that stand beside each other, rows from top to bottom, each from left to right."""
    rows: list[Row] = []
    for piece in sorted(pieces, key=lambda piece: (piece.top + piece.bottom) / 2):
        if rows and piece.table is None and _beside(rows[-1], piece):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [sorted(row, key=lambda piece: piece.left) for row in rows]


def _beside(row: Row, piece: Piece) -> bool:
    reference = max(row, key=lambda other: other.size)
    if reference.table is not None:
        return False
    common = min(reference.bottom, piece.bottom) - max(reference.top, piece.top)
    return common > 0.5 * min(reference.bottom - reference.top, piece.bottom - piece.top)


def reading_order(pieces: Sequence[Piece], page: int, depth: int = 0) -> list[Line | TableBox]:
    """Lines and tables as a person reads them: column by column between what runs over all columns."""
    rows = rows_of(pieces)
    gutter = _gutter(rows) if depth < _DEEPEST_SPLIT else None
    if gutter is None:
        return _lines(rows, page)
    ordered: list[Line | TableBox] = []
    left: Row = []
    right: Row = []
    for row in rows:
        if _crosses(row, gutter):
            ordered += reading_order(left, page, depth + 1) + reading_order(right, page, depth + 1)
            left, right = [], []
            ordered += _lines([row], page)
            continue
        left += [piece for piece in row if piece.right <= gutter]
        right += [piece for piece in row if piece.right > gutter]
    return ordered + reading_order(left, page, depth + 1) + reading_order(right, page, depth + 1)


def _spans(row: Row) -> list[tuple[float, float]]:
    """Stretches of a row that text covers, blanks between words included."""
    spans: list[tuple[float, float]] = []
    for piece in row:
        if spans and piece.left - spans[-1][1] < 0.8 * max(piece.size, 1):
            spans[-1] = (spans[-1][0], max(spans[-1][1], piece.right))
        else:
            spans.append((piece.left, piece.right))
    return spans


def _crosses(row: Row, x: float) -> bool:
    return any(left < x < right for left, right in _spans(row))


def _gutter(rows: list[Row]) -> float | None:
    """The middle of the gap between two columns of running text, or None if there is one column only."""
    if len(rows) < _LEAST_COLUMN_ROWS:
        return None
    spans = [_spans(row) for row in rows]
    start = min(row[0][0] for row in spans)
    edge = max(right for row in spans for _, right in row)
    candidates = [start + (edge - start) * step / 100 for step in range(25, 76)]
    crossings = [sum(any(a < x < b for a, b in row) for row in spans) for x in candidates]
    fewest = min(crossings)
    best = [x for x, count in zip(candidates, crossings, strict=True) if count == fewest]
    gutter = _middle_of_longest(best, (edge - start) / 100)
    if fewest > _MOST_CROSSING * len(rows):
        return None
    sides = ([], [])  # type: tuple[list[float], list[float]]
    for row in spans:
        if any(a < gutter < b for a, b in row):
            continue
        sides[0].append(sum(b - a for a, b in row if b <= gutter))
        sides[1].append(sum(b - a for a, b in row if a >= gutter))
    full = _is_column(sides[0], gutter - start) and _is_column(sides[1], edge - gutter)
    return gutter if full else None


def _middle_of_longest(values: list[float], step: float) -> float:
    runs: list[list[float]] = [[values[0]]]
    for value in values[1:]:
        if value - runs[-1][-1] < 1.5 * step:
            runs[-1].append(value)
        else:
            runs.append([value])
    longest = max(runs, key=len)
    return longest[len(longest) // 2]


def _is_column(widths: list[float], available: float) -> bool:
    """Whether rows on one side are running text: enough of them, and filling the column."""
    filled = [width for width in widths if width > 0]
    enough = len(filled) >= _LEAST_COLUMN_ROWS
    return enough and available > 0 and sum(filled) / len(filled) >= _LEAST_FILL * available


def _lines(rows: list[Row], page: int) -> list[Line | TableBox]:
    words = [piece for row in rows for piece in row if piece.table is None]
    start = min((piece.left for piece in words), default=0.0)
    edge = max((piece.right for piece in words), default=0.0)
    ordered: list[Line | TableBox] = []
    for row in rows:
        if row[0].table is not None:
            ordered.append(row[0].table)
        else:
            line = _line(row, start, edge, page)
            if line.text:
                ordered.append(line)
    return ordered


def _line(row: Row, start: float, edge: float, page: int) -> Line:
    longest = max(row, key=lambda piece: len(piece.text))
    bold = sum(len(piece.text) for piece in row if piece.bold) * 2 > sum(len(piece.text) for piece in row)
    return Line(
        text=clean_line(_UNMAPPED.sub("", text_of_row(row))),
        left=row[0].left,
        right=max(piece.right for piece in row),
        top=min(piece.top for piece in row),
        bottom=max(piece.bottom for piece in row),
        size=longest.size,
        bold=bold,
        start=start,
        edge=edge,
        page=page,
        tag=longest.tag,
    )


def text_of_row(row: Row) -> str:
    """The words of a row with blanks where they stand apart; Chinese words only where the gap is wide."""
    text = row[0].text
    for before, piece in pairwise(row):
        gap = piece.left - before.right
        chinese = is_east_asian(before.text[-1:] or " ") or is_east_asian(piece.text[:1] or " ")
        least = _WORD_GAP if piece.apart or not chinese else _WIDE_GAP
        text += (" " if gap > least * piece.size or not chinese else "") + piece.text
    return text
