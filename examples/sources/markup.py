"""The light markup in which the example documents are written.

One line is one part. A source that exists in several editions marks their differences in place:

    %key value          a property: title, subtitle, author, subject, header, footer, date, size
    # / ## / ###        a heading
    § text              a clause, numbered 第一条, 第二条 …; ``§#name text`` gives it a name
    - text              a list item
    | a | b |           a table row; ``<`` joins a cell with its left neighbour, ``^`` with the one above;
                        a table whose first row begins with ``||`` has no header row
    > text              a speaker's note
    @old / @new         before any of these: only in the old or only in the new edition
    {{a//b}}            ``a`` in the old edition, ``b`` in the new one
    {{ref:name}}        the number of the clause of that name
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

_VARIANT = re.compile(r"\{\{([^{}]*?)//([^{}]*?)\}\}")
_REFERENCE = re.compile(r"\{\{ref:([a-z-]+)\}\}")
_CLAUSE = re.compile(r"§(?:#([a-z-]+))? ")
_DIGITS = "零一二三四五六七八九"


class Edition(StrEnum):
    """Which of the two editions of a source is written."""

    OLD = "old"
    NEW = "new"


class Kind(StrEnum):
    """The role of a part."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    BULLET = "bullet"
    TABLE = "table"
    NOTE = "note"


class Part(NamedTuple):
    """One part of a document; `rows` only for a table, `level` only for a heading (1 is the highest)."""

    kind: Kind
    text: str = ""
    level: int = 0
    rows: tuple[tuple[str, ...], ...] = ()
    has_header: bool = True


class Source(NamedTuple):
    """A document ready to be written."""

    properties: dict[str, str]
    parts: tuple[Part, ...]

    @property
    def date(self) -> datetime:
        """The document's own date, written into the file so that two builds are equal."""
        return datetime.fromisoformat(self.properties["date"])


def chinese_number(value: int) -> str:
    """A number from 1 to 99 as it stands in clause labels: 21 is 二十一."""
    tens, ones = divmod(value, 10)
    if not tens:
        return _DIGITS[ones]
    return ("" if tens == 1 else _DIGITS[tens]) + "十" + (_DIGITS[ones] if ones else "")


def read_source(path: Path, edition: Edition = Edition.NEW) -> Source:
    """Read one edition of a source file.

    Raises:
        KeyError: a reference names a clause that the edition does not have.
    """
    lines = list(_number_clauses(_lines_of(path.read_text(encoding="utf-8"), edition)))
    properties = dict(line[1:].split(" ", 1) for line in lines if line.startswith("%"))
    return Source(properties, tuple(_parts([line for line in lines if not line.startswith("%")])))


def _lines_of(text: str, edition: Edition) -> Iterator[str]:
    """The lines of one edition, variants resolved."""
    for line in text.splitlines():
        marker, _, rest = line.partition(" ")
        if marker in ("@old", "@new"):
            if marker[1:] != edition:
                continue
            line = rest
        if line.strip():
            yield _VARIANT.sub(r"\1" if edition is Edition.OLD else r"\2", line)


def _number_clauses(lines: Iterable[str]) -> Iterator[str]:
    """Number the clauses, then fill in the references to them."""
    numbered: list[str] = []
    labels: dict[str, str] = {}
    count = 0
    for line in lines:
        match = _CLAUSE.match(line)
        if match:
            count += 1
            label = f"第{chinese_number(count)}条"
            labels[match[1] or label] = label
            line = f"{label}　{line[match.end() :]}"
        numbered.append(line)
    for line in numbered:
        yield _REFERENCE.sub(lambda match: labels[match[1]], line)


def _parts(lines: list[str]) -> Iterator[Part]:
    """Group table rows; every other line is a part of its own."""
    rows: list[str] = []
    for line in lines:
        if rows and (not line.startswith("|") or line.startswith("||")):
            yield _table(rows)
            rows = []
        if line.startswith("|"):
            rows.append(line)
        else:
            yield _part(line)
    if rows:
        yield _table(rows)


def _part(line: str) -> Part:
    marker, _, rest = line.partition(" ")
    if marker and set(marker) == {"#"}:
        return Part(Kind.HEADING, rest, len(marker))
    if marker == "-":
        return Part(Kind.BULLET, rest)
    if marker == ">":
        return Part(Kind.NOTE, rest)
    return Part(Kind.PARAGRAPH, line)


def _table(lines: list[str]) -> Part:
    rows = tuple(tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines)
    return Part(Kind.TABLE, rows=rows, has_header=not lines[0].startswith("||"))


class Span(NamedTuple):
    """A rectangle of joined cells, 0-based and inclusive."""

    top: int
    left: int
    bottom: int
    right: int


def spans(rows: tuple[tuple[str, ...], ...]) -> list[Span]:
    """The joined cells of a table: each origin cell with the ``<`` and ``^`` marks that follow it."""
    found = []
    for top, row in enumerate(rows):
        for left, cell in enumerate(row):
            if cell in ("<", "^"):
                continue
            right = left
            while right + 1 < len(row) and row[right + 1] == "<":
                right += 1
            bottom = top
            while bottom + 1 < len(rows) and rows[bottom + 1][left] == "^":
                bottom += 1
            if (bottom, right) != (top, left):
                found.append(Span(top, left, bottom, right))
    return found


def visible(cell: str) -> str:
    """A cell's text; empty for a cell that is joined with another."""
    return "" if cell in ("<", "^") else cell
