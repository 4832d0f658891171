# ruff: noqa: E501 - patterns and word lists are read in one piece
"""How many rows or things a question says that it means (两个科目, 五期付款, two HN-3200): the rows must agree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from .evidence_tables import EvidenceTable, Line

_CHINESE_DIGITS = {digit: number for number, digit in enumerate("一二三四五六七八九十", start=1)} | {"两": 2}
_ENGLISH_NUMBERS = {word: number for number, word in enumerate(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], start=1)}  # fmt: skip
_COUNT = re.compile(
    r"(?<![第每\d.一二三四五六七八九十])(?P<zh>[一二两三四五六七八九十]|\d{1,2})\s?(?P<unit>个|项|台|期|家|条|款|种|笔|批|份|套|件|行)(?![月小季])\s?(?P<id>[A-Za-z]{1,6}-?\d[A-Za-z0-9-]*)?"
    r"|\b(?P<en>one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2})\s+(?:(?P<en_id>[A-Z]{1,6}-?\d[A-Za-z0-9-]*)|(?:rows|items|lines|instal+ments|milestones|entries|payments|categories|positions)\b)",
    re.IGNORECASE,
)
QUANTITY = re.compile(r"数量|台数|件数|\bqty\b|quantit", re.IGNORECASE)
"""A column that says for how many things a row stands."""


def without_counts(text: str) -> str:
    """A text without what only counts, so that it names no row; ids stay."""
    return _COUNT.sub(lambda found: f" {found['id'] or found['en_id'] or ''}", text)


def counts_agree(text: str, table: EvidenceTable, rows: Sequence[Line]) -> bool:
    """Whether the picked rows are as many, and stand for as many things, as a question says.

    两台HN-3200 is a row of which the quantity is 2; 两个科目 are two rows.
    """
    column = next((index for index, name in enumerate(table.names) if QUANTITY.search(name)), None)
    return all(_agrees(found, column, rows) for found in _COUNT.finditer(text))


def _agrees(found: re.Match[str], column: int | None, rows: Sequence[Line]) -> bool:
    number = _number(found["zh"] or found["en"])
    wanted = found["id"] or found["en_id"]
    if not wanted:
        quantities = [_cell(line, column) for line in rows]
        return number == len(rows) or (column is not None and _total(quantities) == number)
    pattern = re.compile(rf"(?<![A-Za-z0-9-]){re.escape(wanted)}(?![A-Za-z0-9])", re.IGNORECASE)
    of_id = [line for line in rows if any(pattern.search(cell) for cell in line.cells)]
    if column is None:
        return number == len(of_id)
    return bool(of_id) and _total([_cell(line, column) for line in of_id]) == number


def _number(text: str) -> int:
    return _CHINESE_DIGITS.get(text) or _ENGLISH_NUMBERS.get(text.casefold()) or int(text)


def _cell(line: Line, column: int | None) -> str:
    return line.cells[column] if column is not None and column < len(line.cells) else ""


def _total(cells: Sequence[str]) -> Decimal | None:
    found = [re.match(r"\s*(\d+)\s*\D{0,4}$", cell) for cell in cells]
    return Decimal(sum(int(one[1]) for one in found if one)) if all(found) else None
