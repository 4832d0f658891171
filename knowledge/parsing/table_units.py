"""Keeps the unit that is stated above a table with its cells."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..elements import ElementKind
from . import outline
from .tables import split_row

_UNIT = re.compile(
    r"(?:金额|货币|数量|计量|币种)?\s*(?:单位|單位|unit|units|货币单位|amounts?|figures)(?:\s+are)?\s*(?:[:：]|\s+in\s|\s)\s*"
    r"[(（]?\s*([^\s，,。；;()（）|:：][^，,。；;()（）|:：]{0,24})",
    re.IGNORECASE,
)
_IN_WORDS = re.compile(
    r"[(（]?\s*(?:expressed\s+)?in\s+((?:thousands?|millions?|billions?)(?:\s+of)?\s+[A-Za-z.$€£¥\s]{1,20}|[A-Z]{3}\s+(?:million|thousand|billion)s?)"
    r"\s*[)）]?",
    re.IGNORECASE,
)
_LONGEST_LINE = 60  # characters of a line above a table that can be its caption or unit line
_LONG = 1_500  # characters of a table from which it may be cut, so that its header must say the unit by itself


def unit_in(line: str) -> str | None:
    """The unit that a short line states, such as 万元 in ``单位：万元`` or ``CHF million``."""
    if len(line) > _LONGEST_LINE:
        return None
    match = _UNIT.search(line) or _IN_WORDS.fullmatch(line.strip())
    return match.group(1).strip() if match else None


def carry_units(parts: Sequence[outline.Part]) -> list[outline.Part]:
    """Write the unit that is stated above a long table into its first header cell.

    The line above stays where it is; short tables are never cut from it.
    """
    carried: list[outline.Part] = []
    for index, part in enumerate(parts):
        unit = _unit_above(parts, index) if part.kind is ElementKind.TABLE and len(part.text) > _LONG else None
        carried.append(part._replace(text=_with_unit(part.text, unit)) if unit else part)
    return carried


def _unit_above(parts: Sequence[outline.Part], index: int) -> str | None:
    for part in reversed(parts[max(index - 3, 0) : index]):
        if part.kind is ElementKind.TABLE:
            return None
        unit = unit_in(part.text)
        if unit:
            return unit
    return None


def _with_unit(markdown: str, unit: str) -> str:
    header, rest = markdown.split("\n", 1)
    cells = [cell.replace("\0", "\\|") for cell in split_row(header)]
    if any(unit in cell for cell in cells):
        return markdown
    wide = any(ord(sign) > 0x2E7F for sign in unit)
    cells[0] = f"{cells[0]}（单位：{unit}）" if wide else f"{cells[0]} ({unit})".strip()
    return f"| {' | '.join(cells)} |\n{rest}"
