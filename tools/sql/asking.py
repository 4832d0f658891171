"""Finds the source that a statement is for, and checks the statement against it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..contracts import ErrorCode, ToolError
from .guard import Checked, RefusedStatementError, check, unknown_columns
from .models import Table
from .shelf import Offered, Shelf

_MOST_NAMED = 30


class Statement(NamedTuple):
    """A statement that may run, with its source and the tables that it reads."""

    offered: Offered
    checked: Checked
    tables: tuple[Table, ...]


def read_statement(sources: Sequence[Offered], shelf: Shelf, source: str, sql: str) -> Statement:
    """The statement as it runs.

    Without a source, it is for the first one that has its tables.

    Raises:
        ToolError: the source is unknown, or the statement is not allowed; the message says what is.
    """
    chosen = [one for one in sources if not source or one.name.casefold() == source.strip().casefold()]
    if not chosen:
        known = ", ".join(one.name for one in sources)
        raise ToolError(ErrorCode.INVALID_ARGUMENTS, f"there is no such source; there are: {known}")
    refused: list[RefusedStatementError] = []
    for offered in chosen:
        try:
            return _checked(offered, shelf, sql)
        except RefusedStatementError as error:
            refused.append(error)
    raise refused[0] if len({str(error) for error in refused}) == 1 else _all_said(chosen, refused)


def _all_said(sources: Sequence[Offered], refused: Sequence[RefusedStatementError]) -> RefusedStatementError:
    return RefusedStatementError("; ".join(f"{one.name}: {error}" for one, error in zip(sources, refused, strict=True)))


def _checked(offered: Offered, shelf: Shelf, sql: str) -> Statement:
    source = offered.source
    checked = check(
        sql, source.dialect, source.allowed(sql), schema=source.schema, catalog=source.catalog,
        max_rows=offered.max_rows,
    )  # fmt: skip
    tables = _tables(offered, shelf, checked)
    names = [column.name for table in tables for column in table.columns]
    unknown = unknown_columns(checked, names)
    if tables and unknown:
        known = ", ".join(dict.fromkeys(names[:_MOST_NAMED]))
        raise RefusedStatementError(f"there is no column {unknown[0][:60]!r} in {', '.join(checked.tables)}: {known}")
    return Statement(offered, checked, tables)


def _tables(offered: Offered, shelf: Shelf, checked: Checked) -> tuple[Table, ...]:
    """The tables that a statement reads; none where not all of them are known."""
    known = {table.name.casefold(): table for table in _known_tables(offered, shelf, checked)}
    found = tuple(known[name.casefold()] for name in checked.tables if name.casefold() in known)
    return found if len(found) == len(checked.tables) else ()


def _known_tables(offered: Offered, shelf: Shelf, checked: Checked) -> Sequence[Table]:
    from .library_source import LibrarySource  # noqa: PLC0415 - its parsers are loaded where tables are read

    if isinstance(offered.source, LibrarySource):
        return [offered.source.table(name) for name in checked.tables]
    return shelf.tables(offered, "")
