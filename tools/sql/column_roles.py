"""What columns are to the rows of their table: names or numbers of things, days on which something came about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .models import Column, ColumnKind, Table
from .question_columns import heading
from .question_filters import Filter, names

_ID = re.compile(r"^(?:id|no\.?|.*[ _](?:id|no\.?|number)|编号|序号|.*(?:编号|单号|[^型账]号))$", re.IGNORECASE)
_DAY = re.compile(r"日期|时间|日$|\b(?:date|day|time|on|at)\b", re.IGNORECASE)

_FLOW = re.compile(
    r"额|营收|收入|销售|成本|费|支出|开支|利润|产量|销量|数量|台数|件数|[元币]|"
    r"\b(?:revenue|sales?|turnover|income|amount|costs?|expenses?|spending|profit|quantity|qty|units?|output|usd|eur|rmb|cny|gbp)\b|[$€£¥]",
    re.IGNORECASE,
)
"""Columns whose total over the rows of one thing says more of it than its highest row."""


def is_flow(column: Column) -> bool:
    """Whether a column holds amounts that are earned, spent or counted, not weights or lengths."""
    return _FLOW.search(f"{heading(column)} {column.unit}") is not None


def is_number_of_thing(column: Column) -> bool:
    """Whether the numbers of a column name things, and measure nothing."""
    return _ID.search(heading(column)) is not None


def rows_called(table: Table) -> str:
    """Headings that say what a row is: an order has a number (订单号), a quotation a day (报价日期)."""
    days = [one for one in table.columns if one.kind is ColumnKind.DATE]
    keys = [heading(one) for one in table.columns if is_number_of_thing(one) or _is_name(one)]
    return "\n".join((*keys, *(_DAY.sub("", heading(one)) for one in days)))


def telling(shown: Sequence[Column], table: Table, filters: Sequence[Filter]) -> tuple[Column, ...]:
    """The columns of rows that are shown: the asked ones, and those that say which row a value is of; none: all.

    A value that is only bounded (营收超过100万元的订单) says nothing about which rows those are.

    Args:
        shown: that the question names.
        table: that they are of.
        filters: that the rows meet.
    """
    known = names([one for one in filters if one.operator != "not in"])
    if all(one in known for one in shown):
        return ()
    if any(one.kind is ColumnKind.TEXT or is_number_of_thing(one) for one in shown):
        return tuple(shown)
    return tuple(dict.fromkeys((*shown, *_keys(table, known))))


def _keys(table: Table, known: Sequence[Column]) -> Iterator[Column]:
    """The columns that tell rows apart: numbers of things, and texts that stand once each; else all texts and days.

    None where a condition names a row by such a column already.
    """
    keys = [one for one in table.columns if is_number_of_thing(one) or _is_name(one)]
    if not any(one in known for one in keys):
        texts = [one for one in table.columns if one.kind in (ColumnKind.TEXT, ColumnKind.DATE)]
        yield from (one for one in keys or texts if not one.name.endswith("_text") and one not in known)


def _is_name(column: Column) -> bool:
    return column.kind is ColumnKind.TEXT and not column.repeats and bool(column.values)
