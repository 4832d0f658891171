"""Rows of Markdown tables with their headers, and the cells of a row that a question asks for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..text.values import ValueKind
from .terms import values

_LINE = re.compile(r"[^\n]+")
_SEPARATOR = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*")
_CELL_BORDER = re.compile(r"(?<!\\)\|")
# A row of no more columns is shown whole.
WIDE_TABLE = 4
# A cell of which the question holds this share says which row it is (a model number beside its series).
NAMED_CELL = 0.6
# A column of which this share of the name stands in the question is asked for.
ASKED_COLUMN = 0.25


class TableRow(NamedTuple):
    """A row of a table: where it stands and where its header stands in the block's text."""

    start: int
    end: int
    header_start: int
    header_end: int
    names: tuple[str, ...]
    cells: tuple[str, ...]

    @property
    def label(self) -> str:
        """The first cell, which says what the row is about."""
        return self.cells[0] if self.cells else ""


def read_rows(text: str) -> list[TableRow]:
    """All rows of all Markdown tables in a text; empty where there is none."""
    if "|" not in text:
        return []
    return list(_rows(list(_LINE.finditer(text))))


def _rows(lines: list[re.Match[str]]) -> Iterator[TableRow]:
    header: re.Match[str] | None = None
    for index, line in enumerate(lines):
        if not line.group().lstrip().startswith("|"):
            header = None
        elif _SEPARATOR.fullmatch(line.group()):
            header = lines[index - 1] if index else None
        elif header is not None:
            body = line.group()
            start = line.start() + len(body) - len(body.lstrip())
            end = line.start() + len(body.rstrip())
            head = header.group()
            head_start = header.start() + len(head) - len(head.lstrip())
            head_end = header.start() + len(head.rstrip())
            yield TableRow(start, end, head_start, head_end, split_cells(head), split_cells(body))


def split_cells(line: str) -> tuple[str, ...]:
    """The cells of a Markdown table's line, unescaped."""
    inner = line.strip().removeprefix("|").removesuffix("|")
    return tuple(cell.strip().replace("\\|", "|").replace("<br>", " ") for cell in _CELL_BORDER.split(inner))


def _is_id(cell: str) -> bool:
    """Whether a cell is a number of a thing (HN-3200B): it tells rows apart, so it is always shown."""
    found = values(cell)
    return len(found) == 1 and found[0].kind is ValueKind.IDENTIFIER and found[0].raw == cell.strip()


def whole_row(row: TableRow, language: str) -> str:
    """A row with all its cells: of a list that is read out, none is beside the point."""
    colon, comma = ("：", "，") if language == "zh" else (": ", ", ")
    pairs = zip(row.names, row.cells, strict=False)
    return comma.join(f"{name}{colon}{value}" if name else value for name, value in pairs if value)


def show_row(row: TableRow, relevance: Callable[[str], float], language: str) -> str:
    """A row as `column: value` pairs; of a wide table only the label, the columns asked for, and cells in the question.

    Args:
        row: what is shown.
        relevance: share of a column name's or a cell's terms that the question has; 0 is none.
        language: decides the punctuation.
    """
    pairs = list(zip(row.names, row.cells, strict=False))
    if len(pairs) > WIDE_TABLE:
        scores = [relevance(name) for name, _ in pairs]
        best = max(scores[1:], default=0.0)
        wanted = [score > 0 and score >= min(best / 2, ASKED_COLUMN) for score in scores]
        named = [relevance(cell) >= NAMED_CELL or _is_id(cell) for _, cell in pairs]
        kept = [i for i in range(len(pairs)) if i == 0 or wanted[i] or named[i]]
        if not any(wanted[i] and not named[i] for i in kept[1:]):
            kept = []  # nothing says which column is asked for (多少钱 where the column is 含税单价): show all
        pairs = [pairs[i] for i in kept] if len(kept) > 1 else pairs
    colon, comma = ("：", "，") if language == "zh" else (": ", ", ")
    shown = [f"{name}{colon}{value}" if name else value for name, value in pairs if value]
    return comma.join(shown)
