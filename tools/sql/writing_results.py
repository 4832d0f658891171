"""A result of a statement as sources that can be cited: the rows of documents themselves, or the result as a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from sqlglot import exp

from ...knowledge.documents import BlockKind
from ...knowledge.evidence.models import Span
from ...knowledge.search import Hit
from ...knowledge.text.numerals import decimal_text
from ..results import result_hit
from .asking import Statement
from .document_tables import RowPlace
from .library_source import LIBRARY
from .models import Cell, Column, Rows

TOOL = "query_sql"
_MOST_BLOCKS = 20
"""Hits that rows of documents give: blocks of at most `table_max` characters."""
_LONGEST_FRACTION = 6
"""Digits behind the point of a computed number that is not exact."""
_SIGN = re.compile(r"(?P<sign>[$€£¥]|HK\$|NT\$|US\$)\s*(?P<rest>.*)")
_SAME_ALIAS = re.compile(r'("([^"]+)") AS "?\2"?(?!\w)')
_KEEPS_UNIT = (exp.Sum, exp.Avg, exp.Min, exp.Max, exp.Median, exp.Round, exp.Abs, exp.Coalesce, exp.Paren)


def number_text(value: Cell) -> str:
    """A value in plain digits: 0.1 + 0.2 is 0.3, a third has six digits."""
    if value is None:
        return ""
    if isinstance(value, str | int):
        return str(value)
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            return ""
        value = Decimal(f"{value:.15g}")
    exponent = value.normalize().as_tuple().exponent
    if isinstance(exponent, int) and -exponent > _LONGEST_FRACTION:
        value = round(value, _LONGEST_FRACTION)
    return decimal_text(value)


def with_unit(text: str, unit: str) -> str:
    """A number with its unit: $5, 8 kW, 248万元."""
    if not unit or not text:
        return text
    if sign := _SIGN.fullmatch(unit):
        return f"{sign['sign']}{text}{' ' if sign['rest'] else ''}{sign['rest']}"
    return f"{text}{' ' if unit[0].isascii() and unit[0].isalpha() else ''}{unit}"


def columns_of(statement: Statement, rows: Rows) -> tuple[Column | None, ...]:
    """For each column of a result the one that its values, or what they were computed from, stand in; None: none."""
    select = statement.checked.tree
    while isinstance(select, exp.SetOperation):
        select = select.this
    projected = select.expressions if isinstance(select, exp.Select) else []
    if len(projected) != len(rows.names):  # a star stands for several
        return tuple(_column(statement, name) for name in rows.names)
    return tuple(_column(statement, _measured(one)) for one in projected)


def _measured(projection: exp.Expr) -> str:
    """The name of the column whose unit a projection keeps; empty: none."""
    inner = projection.unalias()
    while isinstance(inner, _KEEPS_UNIT):
        inner = inner.this
    return inner.name if isinstance(inner, exp.Column) else ""


def _column(statement: Statement, name: str) -> Column | None:
    return next((column for table in statement.tables if (column := table.column(name)) is not None), None)


def _heading(name: str, column: Column | None) -> str:
    if column is not None and name.casefold() == column.name.casefold():
        name = column.label or column.name
    unit = column.unit if column is not None else ""
    return f"{name} ({unit})" if unit and unit not in name else name


def markdown(rows: Rows, columns: Sequence[Column | None]) -> str:
    """A result as a Markdown table, with units in its header."""
    headings = [_heading(name, column) for name, column in zip(rows.names, columns, strict=True)]
    lines = [headings, ["---"] * len(headings), *([number_text(cell) for cell in row] for row in rows.rows)]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def short_answer(rows: Rows, columns: Sequence[Column | None]) -> str:
    """The value of a result of one row, with its unit: of several columns the first one's; empty for more rows."""
    if len(rows.rows) != 1 or not rows.rows[0]:
        return ""
    value = rows.rows[0][0]
    unit = columns[0].unit if columns[0] is not None and not isinstance(value, str) else ""
    return with_unit(number_text(value), unit)


def computed_hit(statement: Statement, rows: Rows, columns: Sequence[Column | None]) -> Hit:
    """A result as a hit of its own, with the statement that gave it."""
    is_declared = statement.offered.name != LIBRARY
    titles = [statement.offered.name if is_declared else table.title.partition(" › ")[0] for table in statement.tables]
    source = ", ".join(dict.fromkeys(titles)) or statement.offered.name
    return result_hit(
        TOOL, source, markdown(rows, columns), kind=BlockKind.TABLE, section=(_readable(statement.checked.sql),)
    )


def _readable(sql: str) -> str:
    """A statement without what was only added so that nothing else can be meant."""
    return _SAME_ALIAS.sub(r"\1", sql.replace('"declared".', "").replace('"main".', "").replace('"public".', ""))


def row_hits(places: Sequence[RowPlace], first_rank: int = 1) -> Iterator[Hit]:
    """The blocks that rows stand in, in the order of the rows, with the rows as what matched."""
    by_block: dict[str, list[RowPlace]] = {}
    for place in places:
        by_block.setdefault(place.block.block_id, []).append(place)
    for rank, found in enumerate(list(by_block.values())[:_MOST_BLOCKS], start=first_rank):
        focus = tuple(Span(start=place.start, end=place.end) for place in found)
        yield Hit(rank=rank, score=1.0 / rank, block=found[0].block, document=found[0].document, focus=focus)
