# ruff: noqa: E501 - patterns are read in one piece
"""Which rows a question means: those with a value that it names, with amounts beyond a bound, or of a period."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from difflib import SequenceMatcher
from typing import NamedTuple

from ...knowledge.evidence.amounts import MEASURED, amounts, divide, size
from ...knowledge.query.dating import Interval, date_in_name, interval_of
from ...knowledge.query.periods import Period, find_periods
from ...knowledge.text.normalise import fold_widths, has_chinese
from ...knowledge.text.numerals import decimal_text
from ...knowledge.text.values import Value, ValueKind
from .exclusions import Named, exclusions
from .models import Column, ColumnKind, Table
from .question_columns import heading, named_column, rating, spellings, unit_value

_CHINESE_PART = 4
"""Characters from which a part of a value names it, if no other one of its column has them."""


class Filter(NamedTuple):
    """A condition on a column."""

    column: Column
    operator: str
    """`=`, `<`, `<=`, `>`, `>=`, `in` or `not in`."""
    operands: tuple[str, ...]
    """Texts or numbers, as the column holds them."""


class Filtered(NamedTuple):
    """Conditions with the question without the words that state them."""

    filters: tuple[Filter, ...]
    rest: str


_BOUNDS = (
    (">=", r"大于或?等于|不低于|不少于|不小于|至少|≥|>=|\b(?:at least|no less than|not less than|minimum of)\b"),
    ("<=", r"小于或?等于|不超过|不高于|不大于|不多于|至多|≤|<=|\b(?:at most|no more than|not more than|up to)\b"),
    (
        ">",
        r"大于|超过|高于|多于|超出|>|\b(?:more|greater|higher|larger|longer|heavier) than\b|\b(?:over|above|exceeding|exceeds?)\b",
    ),
    ("<", r"小于|低于|少于|不足|<|\b(?:less|lower|smaller|fewer|shorter|lighter|cheaper) than\b|\b(?:under|below)\b"),
    ("=", r"等于|=|\bequal(?:s| to)?\b"),
)
_BEFORE = tuple((operator, re.compile(rf"(?:{words})\s*$", re.IGNORECASE)) for operator, words in _BOUNDS)
_BEHIND = (
    (">=", re.compile(r"\s*(?:及|或)?以上|\s*(?:or|and) (?:more|above|higher|over)\b", re.IGNORECASE)),
    (
        "<=",
        re.compile(r"\s*(?:及|或)?(?:以下|以内|之内)|\s*(?:or|and) (?:less|below|lower|fewer|under)\b", re.IGNORECASE),
    ),
)
_BETWEEN = re.compile(r"\s*(?:到|至|~|-|–|—|和|与|and|to)\s*", re.IGNORECASE)
_BETWEEN_END = re.compile(r"\s*之间")
_QUARTER = re.compile(
    r"(?P<year>去年|今年|前年|上一?年度?|本年度?|(?:19|20)\d\d\s*年?)\s*的?\s*(?:第?(?P<zh>[一二三四1-4])季度?|[Qq](?P<q>[1-4]))"
    r"|(?:(?P<word>first|second|third|fourth|1st|2nd|3rd|4th) quarter|\b[Qq](?P<qe>[1-4]))(?:\s+of)?\s+(?P<which>last year|this year|(?:19|20)\d\d)",
    re.IGNORECASE,
)
_QUARTERS = {
    name: n
    for n, names in enumerate(("一 1 first 1st", "二 2 second 2nd", "三 3 third 3rd", "四 4 fourth 4th"), 1)
    for name in names.split()
}
_YEARS_BACK = {"去年": 1, "上年": 1, "上一年": 1, "上年度": 1, "上一年度": 1, "last year": 1, "前年": 2}
_YEAR_COLUMN = re.compile(r"年份|年度|年|(?:fiscal )?year", re.IGNORECASE)


def blank(text: str, start: int, end: int) -> str:
    """The text with a stretch blanked out, so that offsets stay."""
    return f"{text[:start]}{' ' * (end - start)}{text[end:]}"


def find_filters(text: str, table: Table, title: str, today: date) -> Filtered | None:
    """The conditions of a question on a table; None where one is stated that the table cannot meet for sure."""
    in_time = _periods(text, table, title, today)
    by_value = None if in_time is None else _values(in_time.rest, table)
    bounded = None if by_value is None else _bounds(by_value.rest, table)
    if in_time is None or by_value is None or bounded is None:
        return None
    return Filtered((*in_time.filters, *by_value.filters, *bounded.filters), bounded.rest)


def _periods(text: str, table: Table, title: str, today: date) -> Filtered | None:
    filters: list[Filter] = []
    for period in _found_periods(text, today):
        made = _filters_in_time(period, table, title, text)
        if made is None:
            return None
        filters += made
        text = blank(text, period.start, period.end)
    return Filtered(tuple(filters), text)


def _found_periods(text: str, today: date) -> list[Period]:
    """Periods in order, a quarter together with its year."""
    quarters = [found for match in _QUARTER.finditer(text) if (found := _quarter(match, today)) is not None]
    rest = text
    for quarter in quarters:
        rest = blank(rest, quarter.start, quarter.end)
    return [*quarters, *find_periods(rest, today)]


def _quarter(match: re.Match[str], today: date) -> Period | None:
    said = (match["year"] or match["which"]).strip().casefold()
    digits = "".join(character for character in said if character.isdigit())
    year = int(digits) if digits else today.year - _YEARS_BACK.get(said, 0)
    number = _QUARTERS[(match["zh"] or match["q"] or match["word"] or match["qe"]).casefold()]
    days = interval_of(f"{year:04d}-Q{number}")
    return None if days is None else Period(days.first, days.last, match.start(), match.end())


def _filters_in_time(period: Period, table: Table, title: str, text: str) -> list[Filter] | None:
    of_title = date_in_name(title)
    if of_title is not None and (of_title.first, of_title.last) == (period.first, period.last):
        return []
    days = [column for column in table.columns if column.kind is ColumnKind.DATE]
    if days:
        column = days[0] if len(days) == 1 else named_column(days, text)
        return None if column is None or not column.is_complete else list(_day_filters(column, period))
    spans = [column for column in table.columns if _intervals(column)]
    if len(spans) == 1:
        inside = tuple(value for value, days in _intervals(spans[0]) if _is_within(days, period))
        return [Filter(spans[0], "in", inside)] if inside and spans[0].is_complete else None
    years = [c for c in table.columns if c.kind is ColumnKind.NUMBER and _YEAR_COLUMN.fullmatch(heading(c))]
    if len(years) == 1 and period.is_whole_year and period.first is not None:
        return [Filter(years[0], "=", (str(period.first.year),))]
    return None


def _day_filters(column: Column, period: Period) -> Iterator[Filter]:
    if period.first is not None:
        yield Filter(column, ">=", (period.first.isoformat(),))
    if period.last is not None:
        yield Filter(column, "<", ((period.last + timedelta(days=1)).isoformat(),))


def _intervals(column: Column) -> list[tuple[str, Interval]]:
    """The values of a column of periods (2025Q4, 2025年3月) with their days; empty where any is something else."""
    if column.kind is not ColumnKind.TEXT or not column.values:
        return []
    found = [(value, date_in_name(value)) for value in column.values]
    known = [(value, days) for value, days in found if days is not None]
    return known if len(known) == len(found) else []


def _is_within(days: Interval, period: Period) -> bool:
    return (period.first is None or days.first >= period.first) and (period.last is None or days.last <= period.last)


def _values(text: str, table: Table) -> Filtered | None:
    """Rows that hold, or do not hold, a value of a column of texts; None where a value stands in two columns."""
    columns = {column.name: column for column in table.columns if column.kind is ColumnKind.TEXT}
    headings = frozenset(spelling.casefold() for column in table.columns for spelling in spellings(column))
    pairs = sorted(
        ((value, name) for name, column in columns.items() for value in column.values if len(value) > 1),
        key=lambda pair: (-len(pair[0]), pair),
    )
    named: list[Named] = []
    asked = text
    for value, name in pairs:
        place = None if value.casefold() in headings else _place_of(value, asked, columns[name])
        if place is None:
            continue
        if any(value in columns[other].values for other in columns if other not in (name, f"{name}_text")):
            return None
        named.append(Named(name, value, *place))
        asked = blank(asked, *place)
    left_out = exclusions(text, named, headings)
    for one in left_out:
        asked = blank(asked, one.start, one.end)
    return Filtered(tuple(_value_filters(columns, named, frozenset(one.named for one in left_out))), asked)


def _value_filters(columns: dict[str, Column], named: Sequence[Named], left_out: frozenset[Named]) -> Iterator[Filter]:
    for operator in ("in", "not in"):
        chosen: dict[str, list[str]] = {}
        for one in named:
            if (one in left_out) is (operator == "not in"):
                chosen.setdefault(one.column, []).append(one.value)
        yield from (Filter(columns[name], operator, tuple(values)) for name, values in chosen.items())


def _place_of(value: str, asked: str, column: Column) -> tuple[int, int] | None:
    """Where a text names a value: whole, or by a part of a Chinese name that no other value has."""
    folded = fold_widths(value)
    if folded.casefold() not in asked.casefold():
        return _place_of_part(folded, asked, column) if has_chinese(folded) else None
    edges = ("", "") if has_chinese(folded) else (r"(?<![A-Za-z0-9-])", r"(?![A-Za-z0-9-])")
    whole = re.search(edges[0] + re.escape(folded) + edges[1], asked, re.IGNORECASE)
    if whole:
        return whole.span()
    return _place_of_part(folded, asked, column) if has_chinese(folded) else None


def _place_of_part(folded: str, asked: str, column: Column) -> tuple[int, int] | None:
    if folded[:_CHINESE_PART] not in asked:
        return None
    match = SequenceMatcher(None, folded, asked, autojunk=False).find_longest_match()
    part = asked[match.b : match.b + match.size]
    is_part = len(part.strip()) >= _CHINESE_PART and match.a == 0
    others = sum(part in fold_widths(other) for other in column.values)
    return (match.b, match.b + match.size) if is_part and others == 1 else None


def _bounds(text: str, table: Table) -> Filtered | None:
    """Rows whose amounts lie beyond a bound; None where it is not clear which amounts are bounded, or in which unit."""
    filters: list[Filter] = []
    rest = text
    found = [value for value in amounts(text) if value.kind in MEASURED]
    index = 0
    while index < len(found):
        value = found[index]
        follows = found[index + 1] if index + 1 < len(found) else None
        if follows is not None and _BETWEEN.fullmatch(text[value.end : follows.start]):
            end = _BETWEEN_END.match(text, follows.end)
            bounds = [(">=", value, value.start), ("<=", follows, end.end() if end else follows.end)]
            index += 2
        else:
            bound = _bound(text, value)
            if bound is None:
                return None
            bounds = [bound]
            index += 1
        for operator, amount, place in bounds:
            made = _bound_on(operator, amount, text, table)
            if made is None:
                return None
            filters.append(made)
            rest = blank(rest, min(place, amount.start), max(place, amount.end))
    return Filtered(tuple(filters), rest)


def _bound(text: str, value: Value) -> tuple[str, Value, int] | None:
    for operator, before in _BEFORE:
        if match := before.search(text[: value.start]):
            return operator, value, match.start()
    for operator, behind in _BEHIND:
        if found := behind.match(text, value.end):
            return operator, value, found.end()
    return None


def _bound_on(operator: str, value: Value, text: str, table: Table) -> Filter | None:
    fitting = [
        (column, number)
        for column in table.columns
        if column.kind is ColumnKind.NUMBER and (number := in_unit_of(column, value)) is not None
    ]
    named = named_column([column for column, _ in fitting if rating(column, text) > 0], text)
    alone = [column for column, _ in fitting if column.unit and value.kind is not ValueKind.NUMBER]
    column = named or (alone[0] if len(alone) == 1 else None)
    if column is None or not column.is_complete:
        return None
    number = next(number for other, number in fitting if other is column)
    return Filter(column, operator, (decimal_text(number),))


def in_unit_of(column: Column, value: Value) -> Decimal | None:
    """An amount in the unit of a column; None where they do not measure the same."""
    whole = size(value)
    unit = unit_value(column.unit)
    if whole is None:
        return None
    if unit is None:
        is_count = value.kind is ValueKind.QUANTITY and has_chinese(value.unit)
        return whole if not column.unit and (value.kind is ValueKind.NUMBER or is_count) else None
    if value.kind is ValueKind.NUMBER:
        return whole
    factor = size(unit)
    return divide(whole, factor) if factor and (value.kind, value.unit) == (unit.kind, unit.unit) else None


def names(filters: Sequence[Filter]) -> tuple[Column, ...]:
    """The columns that conditions are on."""
    return tuple(dict.fromkeys(one.column for one in filters))
