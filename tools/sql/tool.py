"""The tool that asks databases and tables: one checked SELECT, its result cited."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ...errors import MissingExtraError
from ...knowledge.documents import Caller
from ...knowledge.library import Library
from ...knowledge.query.models import SearchFilter
from ...knowledge.text.normalise import has_chinese
from ..contracts import ArgumentsFound, Category, ErrorCode, Tool, ToolError, ToolOutput
from .asking import Statement, read_statement
from .by_rules import statement_for
from .document_tables import RowPlace
from .guard import LONGEST_SQL
from .library_source import LibrarySource
from .provenance import Cited
from .schema_text import summary
from .shelf import Offered, Shelf, shelf_of, sources_for
from .writing_results import TOOL, columns_of, computed_hit, row_hits, short_answer

QUERY_SQL = TOOL
_SCHEMA_LIMIT = 1_600
"""Characters of tables and columns in the description, all sources together."""
_LONGEST_SOURCE = 100
_GRACE_SECONDS = 15.0
"""Beside a statement's own time: for connecting, reading tables and finding the rows behind a result."""
_NOTES = {
    "none": ("没有符合条件的行。", "No row meets the conditions."),
    "more": ("结果只列出前 {0} 行。", "Only the first {0} rows are shown."),
    "cited": ("结果由更多行算出，只引用其中 {0} 行。", "It was computed from more rows; {0} of them are cited."),
    "unread": ("{0}列有些单元格不是确切的数值，没有计入。", "Some cells of {0} give no exact value and were left out."),
}


class QuerySqlArguments(BaseModel):
    """One question in SQL."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sql: str = Field(
        min_length=1,
        max_length=LONGEST_SQL,
        description="one SELECT over the named tables; numbers are in the column's unit, days are 'YYYY-MM-DD' texts",
    )
    source: str = Field(
        default="", max_length=_LONGEST_SOURCE, description="which one, by name; empty: the one that fits"
    )


def make_query_sql(
    library: Library, caller: Caller, within: SearchFilter | None = None, today: Callable[[], date] = date.today
) -> Tool | None:
    """The tool for one run; the caller's rights are fixed here. None where there is nothing to ask.

    Args:
        library: whose tables can be asked, and whose settings declare the databases.
        caller: on whose behalf.
        within: bounds on the library's documents.
        today: what 去年 and `last quarter` count from.
    """
    sources = sources_for(library, caller, within)
    if not sources:
        return None
    shelf = shelf_of(library)

    def run(arguments: QuerySqlArguments) -> ToolOutput:
        statement = read_statement(sources, shelf, arguments.source, arguments.sql)
        return _output(statement, library.version)

    def by_rules(question: str) -> ArgumentsFound | None:
        return statement_for(question, sources, shelf, today())

    return Tool(
        name=QUERY_SQL,
        description=_description(sources, shelf),
        not_for="Not for what sentences say (search), nor for computing with numbers that are known (calculate).",
        category=Category.DATA,
        arguments=_arguments_for(sources, shelf),
        run=run,
        timeout_seconds=max(one.seconds for one in sources) + _GRACE_SECONDS,
        examples=(
            "2025年第四季度营收总额是多少", "哪个供应商的报价最高", "有多少台功率大于5 kW的设备",
            "average price by category", "how many orders were placed in March",
        ),
        live=any(one.is_live for one in sources),
        by_rules=by_rules,
    )  # fmt: skip


def _arguments_for(sources: Sequence[Offered], shelf: Shelf) -> type[QuerySqlArguments]:
    """The arguments with a check of the statement, so that one that is not allowed is repaired before anything runs."""

    class CheckedArguments(QuerySqlArguments):
        """One question in SQL."""

        @model_validator(mode="after")
        def _may_run(self) -> Self:
            try:
                read_statement(sources, shelf, self.source, self.sql)
            except ToolError as error:
                if error.code is ErrorCode.INVALID_ARGUMENTS:
                    raise ValueError(str(error)) from error
            except MissingExtraError:
                pass  # running says so
            return self

    return CheckedArguments


def _description(sources: Sequence[Offered], shelf: Shelf) -> str:
    """What can be asked: sources with their tables, as far as there is room."""
    parts = [
        "Ask a database or the tables of the documents in SQL: totals, counts, averages, highest and lowest, rows that "
        "meet conditions. Read-only, one SELECT."
    ]
    share = _SCHEMA_LIMIT // len(sources)
    for one in sources:
        try:
            tables = summary(shelf.tables(one, ""), share)
        except (ToolError, MissingExtraError):
            tables = ", ".join(one.source.allowed(""))[:share]
        about = f": {one.description.strip()}" if one.description.strip() else ""
        parts.append(f"Source {one.name} ({one.source.dialect.value}){about}. Tables: {tables}.")
    return " ".join(parts)


def _output(statement: Statement, version: int) -> ToolOutput:
    source = statement.offered.source
    if isinstance(source, LibrarySource):
        cited = source.run_cited(statement.checked, statement.offered.max_rows)
    else:
        rows = source.run(statement.checked, statement.offered.max_rows)
        cited = Cited[RowPlace](rows, (), is_plain=False, has_more_places=False)
    language = "zh" if has_chinese(statement.checked.sql) else "en"
    if not any(cell is not None for row in cited.rows.rows for cell in row):
        return ToolOutput(notes=(_note("none", language),), library_version=version)
    columns = columns_of(statement, cited.rows)
    shown = () if cited.is_plain else (computed_hit(statement, cited.rows, columns),)
    return ToolOutput(
        hits=(*shown, *row_hits(cited.places, first_rank=len(shown) + 1)),
        notes=tuple(_notes(statement, cited, language)),
        short_answer=short_answer(cited.rows, columns),
        library_version=version,
    )


def _notes(statement: Statement, cited: Cited[RowPlace], language: str) -> list[str]:
    notes: list[str] = []
    if cited.rows.has_more:
        notes.append(_note("more", language, str(len(cited.rows.rows))))
    if cited.has_more_places:
        notes.append(_note("cited", language, str(len(cited.places))))
    names = {column.name for table in statement.tables for column in table.columns}
    unread = [name for name in statement.checked.columns if f"{name}_text" in names]
    if unread:
        notes.append(_note("unread", language, ", ".join(unread)))
    return notes


def _note(name: str, language: str, value: str = "") -> str:
    return _NOTES[name][language != "zh"].format(value)
