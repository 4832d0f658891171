# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Rows that add others up or say something else about them, and whether they agree with the rows that they add up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache

from ..text.normalise import fold_widths

_TOTAL = re.compile(
    r".{0,8}(?:合计|总计|共计|总和|总额|汇总)(?:\(.{0,12}\))?:?|(?:grand |sub-?)?totals?(?: .{0,20})?|sum|Σ",
    re.IGNORECASE,
)
_SUBTOTAL = re.compile(
    r".{0,8}小计(?:\(.{0,12}\))?:?|.{2,8}(?:合计|汇总)(?:\(.{0,12}\))?:?|.{0,8}累计|sub-?totals?(?: .{0,20})?|cumulative(?: .{0,20})?",
    re.IGNORECASE,
)
# Words that a column may also hold as plain text count only where they are the name of the row.
_TOTAL_NAME = re.compile(r"全部|总体|overall|all|altogether", re.IGNORECASE)
_STATISTIC_NAME = re.compile(
    r"(?:平均|均值|中位|最[高低大小]值)[值数价额分线单]{0,2}(?:\(.{0,8}\))?:?|averages?|mean|median|(?:minimum|maximum|min|max)\.?",
    re.IGNORECASE,
)
_OTHER_NAME = re.compile(
    r"预算|决算|预计|计划|目标|去年同期|上年同期|(?:同比|环比).{0,4}|净额|budget(?:ed)?|forecast|target|net|previous year|last year",
    re.IGNORECASE,
)
_PART_NAME = re.compile(
    r"(?:其中|内含|含).{0,1}(?:[:,、\s].*|.{0,12})|(?:of which|thereof|including|incl\.)\b.*", re.IGNORECASE
)
_NOTE_NAME = re.compile(r"(?:注|备注|说明|notes?)\s*\d*[:].*", re.IGNORECASE)
_SPACES = re.compile(r"(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])")
_RUNNING = re.compile(r"\d*")


class RowKind(StrEnum):
    """What a row of a table is."""

    ITEM = "item"
    TOTAL = "total"
    """Adds all others up."""
    SUBTOTAL = "subtotal"
    """Adds up some of them: those above it."""
    STATISTIC = "statistic"
    """An average or another figure about the others, or a part of the row above it (其中, of which)."""
    UNCLEAR = "unclear"
    """May be a figure about the others or one of them (预算, net)."""


@lru_cache(maxsize=16_384)
def row_kind(cells: tuple[str, ...]) -> RowKind:
    """What a row is, by its name: the first cell that is no running number; totals may stand in the second, too."""
    texts = [_SPACES.sub("", fold_widths(cell).strip()) for cell in cells[:2]]
    if any(_SUBTOTAL.fullmatch(text) for text in texts):
        return RowKind.SUBTOTAL
    if any(_TOTAL.fullmatch(text) for text in texts):
        return RowKind.TOTAL
    name = next((text for text in texts if not _RUNNING.fullmatch(text)), "")
    for pattern, kind in (
        (_TOTAL_NAME, RowKind.TOTAL),
        (_STATISTIC_NAME, RowKind.STATISTIC),
        (_PART_NAME, RowKind.STATISTIC),
        (_NOTE_NAME, RowKind.STATISTIC),
        (_OTHER_NAME, RowKind.UNCLEAR),
    ):
        if pattern.fullmatch(name):
            return kind
    return RowKind.ITEM


def totals_agree(kinds: Sequence[RowKind], numbers: Sequence[Decimal | None]) -> bool:
    """Whether each total states the sum of the items, and each subtotal that of the items above it.

    A subtotal adds up the items since the last one, or all so far. False, too, where a row is of an unclear kind, so
    that it may or may not be an item.

    Args:
        kinds: of each row, in order.
        numbers: what each row states in one column; None where it states nothing.
    """
    pairs = list(zip(kinds, numbers, strict=True))
    whole = sum((number for kind, number in pairs if kind is RowKind.ITEM and number is not None), Decimal(0))
    so_far = since = Decimal(0)
    for kind, number in pairs:
        if kind is RowKind.UNCLEAR:
            return False
        if kind is RowKind.ITEM:
            so_far, since = so_far + (number or 0), since + (number or 0)
        elif kind is RowKind.SUBTOTAL:
            if number is not None and number not in (since, so_far):
                return False
            since = Decimal(0)
        elif kind is RowKind.TOTAL and number is not None and number != whole:
            return False
    return True
