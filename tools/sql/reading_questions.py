"""Reads a question over one table: what is computed, of which column, over which rows; nothing where it is unsure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from ...knowledge.evidence.phrases import content_words, word_share
from ...knowledge.evidence.terms import terms
from ...knowledge.text.normalise import fold_widths
from ...knowledge.text.values import find_values
from .asked_words import (
    GROUPS,
    HOW_MUCH,
    NEUTRAL,
    UNCLEAR,
    WHICH,
    Computing,
    Operation,
    find_operation,
    operation_words,
)
from .column_roles import is_flow, is_number_of_thing, rows_called, telling
from .column_words import chinese_names, with_chinese_names
from .exclusions import NEGATION
from .models import Column, ColumnKind, Table
from .question_columns import heading, named_column, place_of, rating, unexplained
from .question_filters import Filter, blank, find_filters, names

_NAMED = 1.0
"""Rating from which a column is named for certain."""
_COUNTS_THINGS = ("数量", "台数", "件数", "人数", "qty", "quantity", "count")


_MONTHS = re.compile(r"(?P<year>(?:19|20)\d\d年)(?P<month>\d{1,2}月)(?P<joint>\s*(?:到|至|-|~|—)\s*)(?=\d{1,2}月)")
_DIGIT = re.compile(r"\d")
_RATE = re.compile(
    r"单价|均价|价格|率|比例|占比|温度|%|℃|[/／]|\b(?:unit price|price|rate|ratio|percent\w*|average|temperature)\b",
    re.IGNORECASE,
)
"""Columns whose numbers add up to nothing."""
_LEVEL = re.compile(
    r"库存|余额|存量|结存|人数|水位|\b(?:stock|balance|inventory|level|headcount|staff)\b", re.IGNORECASE
)


_NUMBER = re.compile(r"多少|几[^乎何]|\bhow (?:much|many|long)\b", re.IGNORECASE)
_BY_NUMBER = re.compile(r"最[多少]|\b(?:most|least|fewest)$", re.IGNORECASE)


class Reading(NamedTuple):
    """What a question asks of a table."""

    table: Table
    operation: Operation | None
    """None: a value is looked up."""
    column: Column | None
    """That is computed over; of a count, the one whose different values are counted; None: rows."""
    shown: tuple[Column, ...]
    """That say which row it is; none: all."""
    group: Column | None
    filters: tuple[Filter, ...]
    number: int
    fit: float
    """How much of the question the table accounts for, to choose among tables."""
    is_of_totals: bool = False
    """Of an extreme: whether the totals of the groups are compared."""


class _Words(NamedTuple):
    text: str
    """The question without headings, which may hold words like 最高."""
    computing: Computing | None


def read_question(question: str, table: Table, context: str, title: str, today: date) -> Reading | None:
    """What a question asks of a table; None where the table may not answer it, or it may mean something else.

    Args:
        question: in natural language.
        table: with its columns and their values.
        context: what the table is about: titles, headings, descriptions.
        title: of its document, which may name a period.
        today: what 去年 counts from.
    """
    table = with_chinese_names(table)
    text = _MONTHS.sub(r"\g<year>\g<month>\g<joint>\g<year>", fold_widths(question).strip(" 。.？?！!"))
    computing = find_operation(_without_headings(text, table))
    asked = text if computing is None else blank(text, computing.start, computing.end)
    found = find_filters(asked, table, title, today)
    if found is None or UNCLEAR.search(found.rest) or NEGATION.search(_without_headings(found.rest, table)):
        return None
    group, rest = _group(found.rest, table)
    reading = _with_columns(table, text, rest, computing, group, found.filters)
    if reading is None or not _is_answerable(reading):
        return None
    used = (
        *names(found.filters),
        *reading.shown,
        *((reading.group,) if reading.group else ()),
        *((reading.column,) if reading.column else ()),
    )
    rest = _without_places(rest, table) if reading.operation is Operation.SUM and group is None else rest
    left = operation_words(NEUTRAL.sub(lambda match: " " * len(match.group()), _without_used(rest, used)))
    if find_values(left) or _DIGIT.search(left) or unexplained(left, used, f"{context}\n{title}\n{rows_called(table)}"):
        return None
    return reading._replace(fit=_fit(reading, text, f"{context}\n{title}"))


def _without_headings(text: str, table: Table) -> str:
    for column in table.columns:
        if place := place_of(column, text):
            text = blank(text, *place)
    return text


def _without_used(text: str, used: Sequence[Column]) -> str:
    for column in used:
        if place := place_of(column, text):
            text = blank(text, *place)
    return text


def _without_places(text: str, table: Table) -> str:
    """仓库里还有多少库存: a column that only says where, without which one, leaves nothing out."""
    for column in table.columns:
        place = place_of(column, text) if column.kind is ColumnKind.TEXT and not WHICH.search(text) else None
        if place and text[place[1] : place[1] + 1] in ("里", "中", "内"):
            text = blank(text, *place)
    return text


def _group(text: str, table: Table) -> tuple[Column | None, str]:
    """The column that rows are put together by."""
    texts = [column for column in table.columns if column.kind is ColumnKind.TEXT]
    for match in GROUPS.finditer(text):
        said = match["zh"] or match["en"]
        column = named_column([one for one in texts if rating(one, said) >= _NAMED], said)
        if column is not None:
            place = place_of(column, text[match.start() :])
            end = match.start() + place[1] if place else match.end()
            return column, blank(text, match.start(), end)
    return None, text


def _with_columns(
    table: Table, text: str, rest: str, computing: Computing | None, group: Column | None, filters: tuple[Filter, ...]
) -> Reading | None:
    operation, number = (computing.operation, computing.number) if computing else (None, 1)
    empty = Reading(table, operation, None, (), group, filters, number, 0.0)
    if operation is Operation.COUNT:
        return _counting(empty, rest, text)
    if operation is None and (total := _plain_total(empty, rest, text)) is not None:
        return total
    if operation in (None, Operation.LIST):
        return _listing(empty, rest, text)
    kind = ColumnKind.DATE if computing is not None and computing.in_time else ColumnKind.NUMBER
    column = named_column([one for one in table.columns if one.kind is kind], text)
    if column is None or (operation is Operation.SUM and not _may_be_added(column, table, text)):
        return None
    if operation not in _EXTREMES:
        return empty._replace(column=column)
    if (
        computing is not None
        and _BY_NUMBER.search(text[computing.start : computing.end].strip())
        and place_of(column, text) is None
    ):
        return None  # 报价最多 may count the rows
    shown = _subjects(table, rest, column)
    owner = _owner(rest, shown, column, text) if group is None else None
    if owner is not None and _may_be_added(column, table, text):
        return empty._replace(column=column, group=owner, is_of_totals=True)
    return empty._replace(column=column, shown=shown)


def _plain_total(empty: Reading, rest: str, text: str) -> Reading | None:
    """A total that is not called one: 各地区的营收分别是多少, 仓库里还有多少库存; None where it is not clear of what.

    Of groups, the one amount that is named is added up. How much there is of something is the total of the only
    numbers that the table holds, as long as no row of it is of another day.
    """
    numbers = [one for one in empty.table.columns if one.kind is ColumnKind.NUMBER and not is_number_of_thing(one)]
    named = [one for one in numbers if place_of(one, rest) is not None]
    if empty.group is None:
        has_days = any(one.kind is ColumnKind.DATE for one in empty.table.columns)
        is_of_something = _is_called(empty.table, rest) or bool(
            empty.filters or named or (numbers and rating(numbers[0], rest) > 0)
        )
        named = numbers if HOW_MUCH.search(text) and not has_days and is_of_something else []
    elif any(_LEVEL.search(heading(one)) for one in named) and any(
        one.kind is ColumnKind.DATE for one in empty.table.columns
    ):
        return None
    if len(named) != 1 or not _may_be_added(named[0], empty.table, text):
        return None
    return empty._replace(operation=Operation.SUM, column=named[0])


def _wants_other(column: Column, text: str) -> bool:
    """Whether a number is asked for and a column holds texts."""
    return column.kind is ColumnKind.TEXT and _NUMBER.search(text) is not None


def _is_called(table: Table, text: str) -> bool:
    """Whether a text names a table."""
    called = (table.title, table.name.replace("_", " "), *chinese_names(table.name))
    return any(len(name) > 1 and name.casefold() in text.casefold() for name in called)


def _may_be_added(column: Column, table: Table, text: str) -> bool:
    """Whether a column is named itself, or is the only one of numbers, and holds amounts that add up."""
    numbers = [one for one in table.columns if one.kind is ColumnKind.NUMBER and not is_number_of_thing(one)]
    is_only = numbers == [column]
    is_rate = _RATE.search(f"{heading(column)} {column.unit}") is not None
    return (is_only or place_of(column, text) is not None) and column.is_additive and not is_rate


_EXTREMES = (Operation.LARGEST, Operation.SMALLEST)


def _counting(empty: Reading, rest: str, text: str) -> Reading | None:
    """Rows are counted, or the different values of the column that is named; None where rows hold numbers of things."""
    texts = [c for c in empty.table.columns if c.kind is ColumnKind.TEXT and c not in names(empty.filters)]
    column = named_column([one for one in texts if place_of(one, rest) is not None], rest)
    holds_numbers = any(heading(c).casefold().startswith(_COUNTS_THINGS) for c in empty.table.columns)
    if column is None and holds_numbers:
        return _plain_total(empty._replace(operation=None), rest, text)
    return empty._replace(column=column)


def _listing(empty: Reading, rest: str, text: str) -> Reading | None:
    """Columns of rows that meet conditions."""
    if not empty.filters or empty.group is not None:
        return None
    shown = tuple(column for column in empty.table.columns if place_of(column, rest) is not None)
    if empty.operation is None and len(shown) == 1 and _is_amount_of_period(shown[0], empty, text):
        return empty._replace(operation=Operation.SUM, column=shown[0])
    is_looked_up = all(one.operator in ("in", "=") for one in empty.filters)
    is_of_rows = shown or _is_called(empty.table, rest)
    is_unclear = is_looked_up and (len(shown) != 1 or _wants_other(shown[0], text))
    if empty.operation is None and (not is_of_rows or is_unclear):
        return None
    # Bounds and exclusions are met by more than one row, whether or not the question calls for a list.
    operation = empty.operation or (None if is_looked_up else Operation.LIST)
    return empty._replace(operation=operation, shown=telling(shown, empty.table, empty.filters))


def _is_amount_of_period(column: Column, reading: Reading, text: str) -> bool:
    """Whether an amount is asked for without its total being called one: 去年第四季度的营收 is all of it.

    Levels (stock, a balance) are what they are on a day, and add up to nothing over a period.
    """
    in_period = any(one.column.kind is ColumnKind.DATE and one.operator in (">=", "<") for one in reading.filters)
    is_level = _LEVEL.search(heading(column)) is not None
    return (
        column.kind is ColumnKind.NUMBER and in_period and not is_level and _may_be_added(column, reading.table, text)
    )


def _subjects(table: Table, rest: str, column: Column) -> tuple[Column, ...]:
    """The columns that say which row is meant: the one asked for (哪个供应商), the one that best tells rows apart."""
    texts = [one for one in table.columns if one.kind is ColumnKind.TEXT and one.name != f"{column.name}_text"]
    match = WHICH.search(rest)
    said = (match["zh"] or match["en"] or "") if match else ""
    named = named_column([one for one in texts if rating(one, said) >= _NAMED], said) if said else None
    named = named or next((one for one in texts if place_of(one, rest) is not None), None)
    best = max(texts, key=lambda one: len(one.values), default=None)
    return tuple(dict.fromkeys(one for one in (named, best) if one is not None))


def _owner(rest: str, shown: Sequence[Column], column: Column, text: str) -> Column | None:
    """The column of texts whose totals an extreme compares: 哪个客户的营收最高, where a customer has several rows.

    Only amounts that are earned, spent or counted are added up, not weights or lengths.
    """
    asked = next((one for one in shown if place_of(one, rest) is not None or rating(one, rest) >= _NAMED), None)
    return asked if asked is not None and asked.repeats and is_flow(column) and asked is not column else None


def _is_answerable(reading: Reading) -> bool:
    """Whether each value that is computed with could be read, and there is something to show."""
    column = reading.column
    if column is None or reading.operation in (None, Operation.LIST):
        return reading.operation is not None or bool(reading.shown)
    if reading.operation is Operation.COUNT:
        return True
    return column.is_complete


def _fit(reading: Reading, text: str, context: str) -> float:
    """How much of a question a table accounts for: its conditions, its column, the words of what it is about."""
    held = terms(context)
    words = content_words(text)
    about = sum(word_share(word, held) for word in words) / len(words) if words else 0.0
    column = min(rating(reading.column, text), 2.0) if reading.column else 0.0
    named = sum(place_of(one, text) is not None for one in reading.shown)
    return 2.0 * len(reading.filters) + column + about + named + (1.0 if reading.group else 0.0)
