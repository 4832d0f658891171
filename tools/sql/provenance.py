"""Which rows of the tables a result comes from."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from time import monotonic
from typing import Generic, NamedTuple, TypeVar

from sqlglot import exp

from ..contracts import ToolError
from .bounds import MOST_COLUMNS
from .guard import Checked
from .models import Rows
from .sqlite_source import run_bounded

PlaceT = TypeVar("PlaceT")

MOST_CITED = 20
"""Rows behind a computed result that are cited."""
_ROW = "cited_row_"
_LEAST_SECONDS = 0.05


class Cited(NamedTuple, Generic[PlaceT]):
    """A result with the places of the rows behind it."""

    rows: Rows
    places: tuple[PlaceT, ...]
    """In the order of the result, or of the table where rows were computed; at most `MOST_CITED` of those."""
    is_plain: bool
    """Whether each row of the result is a row of a table (or several joined), so that its place says it all."""
    has_more_places: bool
    """Whether it was computed from more rows."""


def run_with_places(
    connection: sqlite3.Connection,
    checked: Checked,
    most: int,
    seconds: float,
    places: Mapping[str, Sequence[PlaceT]],
) -> Cited[PlaceT]:
    """Run a statement over tables whose rows are numbered like their places.

    Raises:
        ToolError: the statement fails or takes too long.
    """
    if is_plain(checked.tree):
        return _plain(connection, checked, most, seconds, places)
    rows = run_bounded(connection, checked, most, seconds)
    numbers = list(_numbers_behind(connection, checked, seconds))
    return Cited(
        rows, tuple(_placed(numbers[:MOST_CITED], places)), is_plain=False, has_more_places=len(numbers) > MOST_CITED
    )


def _plain(
    connection: sqlite3.Connection,
    checked: Checked,
    most: int,
    seconds: float,
    places: Mapping[str, Sequence[PlaceT]],
) -> Cited[PlaceT]:
    """A plain selection with the numbers of its rows behind its columns."""
    query = checked.tree.copy()
    sources = list(_base_tables(query))
    query.set("expressions", [*query.expressions, *_row_numbers(sources)])
    numbered = checked._replace(sql=_written(query))
    found = run_bounded(connection, numbered, most, seconds, MOST_COLUMNS * (len(sources) + 1))
    width = len(found.names) - len(sources)
    kept = min(width, MOST_COLUMNS)
    rows = found._replace(names=found.names[:kept], rows=tuple(row[:kept] for row in found.rows))
    numbers = [pair for row in found.rows for pair in zip(sources, row[width:], strict=True)]
    return Cited(rows, tuple(_placed(numbers, places)), is_plain=True, has_more_places=False)


def is_plain(tree: exp.Query) -> bool:
    """Whether a statement gives rows of tables as they are, perhaps joined, filtered, ordered and cut."""
    if not isinstance(tree, exp.Select) or any(
        tree.args.get(name) for name in ("with_", "group", "having", "distinct")
    ):
        return False
    computed = (exp.AggFunc, exp.Window, exp.Subquery)
    return _reads_only_tables(tree) and not any(one.find(*computed) for one in tree.expressions)


def _reads_only_tables(select: exp.Select) -> bool:
    first = select.args.get("from_")
    joins = select.args.get("joins") or []
    return first is not None and all(isinstance(one.this, exp.Table) for one in (first, *joins))


def _base_tables(select: exp.Query) -> Iterator[exp.Table]:
    """The listed tables that a SELECT itself reads, without those of its subqueries."""
    for part in (select.args.get("from_"), *(select.args.get("joins") or [])):
        if part is not None and isinstance(part.this, exp.Table) and part.this.db:
            yield part.this


def _row_numbers(tables: Sequence[exp.Table]) -> list[exp.Expr]:
    columns = (exp.column("rowid", table=table.args["alias"].this.copy()) for table in tables)
    return [exp.alias_(column, f"{_ROW}{index}") for index, column in enumerate(columns)]


def _written(query: exp.Query) -> str:
    return query.sql(dialect="sqlite", comments=False)


def _numbers_behind(
    connection: sqlite3.Connection, checked: Checked, seconds: float
) -> Iterator[tuple[exp.Table, object]]:
    """Rows that each SELECT over tables takes in; a correlated part, which cannot run by itself, gives none."""
    end = monotonic() + seconds
    for select in checked.tree.find_all(exp.Select):
        sources = list(_base_tables(select))
        if not sources or not _reads_only_tables(select):
            continue
        numbered = checked._replace(sql=_written(_numbering(select, sources, checked.tree)))
        try:
            found = run_bounded(connection, numbered, MOST_CITED + 1, max(_LEAST_SECONDS, end - monotonic()))
        except ToolError:
            continue
        for row in found.rows:
            yield from zip(sources, row, strict=True)


def _numbering(select: exp.Select, sources: Sequence[exp.Table], tree: exp.Query) -> exp.Select:
    """A SELECT that gives the numbers of the rows that another one takes in."""
    whole = tree.copy()
    kept = {name: part for name in ("from_", "joins", "where") if (part := select.copy().args.get(name))}
    query = exp.Select(expressions=_row_numbers(sources), **kept, with_=whole.args.get("with_"))
    query.set("limit", exp.Limit(expression=exp.Literal.number(MOST_CITED + 1)))
    return query


def _placed(numbers: Sequence[tuple[exp.Table, object]], places: Mapping[str, Sequence[PlaceT]]) -> Iterator[PlaceT]:
    """The places of numbered rows, each once; an outer join leaves some without a number."""
    seen: set[tuple[str, int]] = set()
    for table, number in numbers:
        if isinstance(number, int) and (table.name, number) not in seen:
            seen.add((table.name, number))
            yield places[table.name][number - 1]
