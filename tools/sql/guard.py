"""Lets one SELECT over listed tables through, and nothing else: it is parsed, checked node by node and written anew."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from ..contracts import ErrorCode, ToolError
from .allowed_nodes import FLAGS, NAMED_FUNCTIONS, NODES, TYPES
from .models import Dialect

LONGEST_SQL = 8_000
"""Characters of a statement."""
_MOST_NODES = 2_000
_MOST_TABLES = 8
"""Mentions of tables in a statement: more are no business question but a way to make work."""
_MOST_NAMED = 20
_LONGEST_SHOWN = 60


class Checked(NamedTuple):
    """A statement that may run."""

    sql: str
    """Written anew from its tree, without comments, with a limit."""
    tree: exp.Query
    tables: tuple[str, ...]
    """That it reads, as they stand on the list, each once."""
    limit: int
    """Rows that it gives at most: one more than may be shown, unless it asks for fewer."""
    columns: tuple[str, ...]
    """Names of columns in it, each once."""


class RefusedStatementError(ToolError):
    """A statement that does not run; the message says what is wrong and what is allowed, for whoever wrote it."""

    def __init__(self, detail: str) -> None:
        super().__init__(ErrorCode.INVALID_ARGUMENTS, detail)

    def __reduce__(self) -> tuple[type[RefusedStatementError], tuple[str]]:
        """Survives pickling with its one argument."""
        return RefusedStatementError, (self.detail,)


def check(
    sql: str, dialect: Dialect, allowed: Collection[str], *, schema: str = "", catalog: str = "", max_rows: int = 100
) -> Checked:
    """The statement as it may run.

    Args:
        sql: what somebody, a model or a document proposes.
        dialect: of the source.
        allowed: tables that may be read, `schema.table` or `table`; names are matched in any case.
        schema: of tables named without one; written into the statement, so that nothing else can be meant.
        catalog: that the tables are in, written into the statement, too; empty: there is only one.
        max_rows: that may be shown.

    Raises:
        RefusedStatementError: it is no single SELECT, or holds anything that is not allowed.
    """
    query = _parse(sql, dialect)
    _check_nodes(query)
    if dialect is Dialect.SQLITE and any(one.args.get("on") for one in query.find_all(exp.Distinct)):
        # Written for an engine that has none, its limit would come before the choice of rows.
        raise RefusedStatementError("DISTINCT ON is not allowed in SQLite: group the rows, or number them")
    tables = _bind_tables(query, _Names(allowed, schema), catalog)
    limit = _limit(query, max_rows + 1)
    text = query.sql(dialect=dialect.value, comments=False)
    _check_nodes(_parse(text, dialect, longest=4 * LONGEST_SQL))
    return Checked(text, query, tables, limit, _columns_named(query))


def _parse(sql: str, dialect: Dialect, longest: int = LONGEST_SQL) -> exp.Query:
    if len(sql) > longest:
        raise RefusedStatementError(f"the statement has {len(sql):,} characters; at most {LONGEST_SQL:,} are taken")
    if "\x00" in sql:
        raise RefusedStatementError("the statement holds a zero character")
    try:
        found = [tree for tree in sqlglot.parse(sql, dialect=dialect.value) if tree is not None]
    except (SqlglotError, RecursionError, ValueError, AttributeError, TypeError, IndexError, KeyError) as error:
        # A parser that stumbles over hostile text in any way has not understood it.
        raise RefusedStatementError(f"this is no statement in the SQL of {dialect.value}: write one SELECT") from error
    if len(found) != 1:
        raise RefusedStatementError(f"these are {len(found)} statements: write one SELECT")
    tree = found[0]
    while isinstance(tree, exp.Subquery) and not any(v for k, v in tree.args.items() if k != "this"):
        tree = tree.this
    if not isinstance(tree, exp.Select | exp.SetOperation):
        raise RefusedStatementError(f"{_called(tree)} is not allowed: write one SELECT, nothing is ever changed")
    return tree


def _check_nodes(query: exp.Query) -> None:
    for number, node in enumerate(query.walk(), start=1):
        if number > _MOST_NODES:
            raise RefusedStatementError(f"the statement has more than {_MOST_NODES:,} parts: ask for less at once")
        _check_node(node)


def _check_node(node: exp.Expr) -> None:
    if type(node) is exp.Anonymous:
        if node.name.casefold() not in NAMED_FUNCTIONS:
            raise RefusedStatementError(f"the function {_short(node.name)} is not allowed; {_FUNCTIONS_SAID}")
    elif type(node) not in NODES:
        raise RefusedStatementError(f"{_called(node)} is not allowed; {_FUNCTIONS_SAID}")
    flags = FLAGS.get(type(node))
    surplus = [name for name, value in node.args.items() if value and flags is not None and name not in flags]
    if surplus:
        raise RefusedStatementError(f"{_called(node)} with {surplus[0].strip('_')} is not allowed")
    if isinstance(node, exp.DataType) and node.this not in TYPES:
        raise RefusedStatementError("a cast to this type is not allowed: numbers, texts, days and times are")
    if isinstance(node, exp.Table) and type(node.this) is not exp.Identifier:
        raise RefusedStatementError("only tables can stand behind FROM, no functions or files")


_FUNCTIONS_SAID = (
    "sum, avg, count, min, max, round, coalesce, lower, upper, length, substr, extract, date functions and the like are"
)


def _called(node: object) -> str:
    """A part of a statement in words: its keyword or function."""
    if isinstance(node, exp.Command):
        return _short(str(node.this).upper())
    if isinstance(node, exp.Func):
        return f"the function {_short(node.sql_name().lower())}"
    return type(node).__name__.upper()


def _short(text: str) -> str:
    """A name out of the statement, on one line and not long."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_SHOWN else f"{line[:_LONGEST_SHOWN]}…"


class _Names:
    """The list of tables: a name in any case and quoting leads to its entry, or to none."""

    def __init__(self, allowed: Iterable[str], schema: str) -> None:
        self._allowed = tuple(allowed)
        self._default = schema
        self._entries: dict[tuple[str, str], str] = {}
        for entry in self._allowed:
            owner, name = self.parts(entry)
            self._entries.setdefault((owner.casefold(), name.casefold()), entry)

    def parts(self, entry: str) -> tuple[str, str]:
        """Schema and name of an entry. Without a default schema a point is part of the name."""
        owner, point, name = entry.rpartition(".")
        return (owner, name) if point and self._default else (self._default, entry)

    def entry(self, table: exp.Table) -> str:
        """The entry that a table of a statement means.

        Raises:
            RefusedStatementError: it is not on the list.
        """
        owner = table.db or self._default
        found = None if table.catalog else self._entries.get((owner.casefold(), table.name.casefold()))
        if found is None:
            written = ".".join(part for part in (table.catalog, table.db, table.name) if part)
            known = ", ".join(self._allowed[:_MOST_NAMED]) or "none"
            raise RefusedStatementError(f"there is no table {_short(written)!r} to be read; there are: {known}")
        return found

    def covers(self, name: str) -> bool:
        """Whether a bare name is that of a listed table."""
        return any(name.casefold() == key[1] for key in self._entries)


def _bind_tables(query: exp.Query, names: _Names, catalog: str) -> tuple[str, ...]:
    """Write each table as it stands on the list, with all of its name; names of WITH stay as they are.

    A name of WITH is written as it is given there: one that differs in case could mean a table to the engine.
    """
    found: list[str] = []
    mentions = list(query.find_all(exp.Table))
    if len(mentions) > _MOST_TABLES:
        raise RefusedStatementError(f"the statement names tables {len(mentions)} times; at most {_MOST_TABLES}")
    for cte in query.find_all(exp.CTE):
        if not cte.alias or names.covers(cte.alias):
            raise RefusedStatementError(f"the name {_short(cte.alias)!r} behind WITH is that of a table: take another")
    for table in mentions:
        given = None if table.db or table.catalog else _visible_name(table)
        if given is not None:
            table.set("this", given.copy())
            continue
        entry = names.entry(table)
        owner, name = names.parts(entry)
        if not table.alias:
            table.set("alias", exp.TableAlias(this=table.this.copy()))
        table.set("this", exp.to_identifier(name, quoted=True))
        table.set("db", exp.to_identifier(owner, quoted=True) if owner else None)
        table.set("catalog", exp.to_identifier(catalog, quoted=True) if catalog else None)
        found.append(entry)
    if not found:
        raise RefusedStatementError("the statement reads no table: write a SELECT over one")
    return tuple(dict.fromkeys(found))


def _visible_name(table: exp.Table) -> exp.Identifier | None:
    """The name of WITH that a table means, the innermost one; None: it means none."""
    return next((name for name in _names_around(table) if name.name.casefold() == table.name.casefold()), None)


def _names_around(node: exp.Expr) -> Iterator[exp.Identifier]:
    """The names of WITH that hold at a place: those of the queries around it, but none within itself or before it."""
    inside: exp.Expr = node
    while (parent := inside.parent) is not None:
        if isinstance(parent, exp.With):
            for cte in parent.expressions:
                if cte is inside:
                    break
                yield cte.args["alias"].this
        elif (ctes := parent.args.get("with_")) is not None and ctes is not inside:
            yield from (cte.args["alias"].this for cte in ctes.expressions)
        inside = parent


def _limit(query: exp.Query, most: int) -> int:
    """Add the limit, or lower it; it is a plain number afterwards."""
    given = query.args.get("limit")
    wanted = most
    if given is not None:
        number = given.expression if isinstance(given, exp.Limit) else None
        if not isinstance(number, exp.Literal) or number.is_string or not number.name.isdecimal():
            raise RefusedStatementError("LIMIT takes a plain number")
        wanted = min(most, int(number.name))
    query.set("limit", exp.Limit(expression=exp.Literal.number(wanted)))
    return wanted


def _columns_named(tree: exp.Query) -> tuple[str, ...]:
    named = (column.name for column in tree.find_all(exp.Column) if not isinstance(column.this, exp.Star))
    return tuple(dict.fromkeys(named))


def unknown_columns(checked: Checked, columns: Sequence[str]) -> tuple[str, ...]:
    """Names in the statement that are neither columns of its tables nor given in it."""
    known = {name.casefold() for name in columns}
    known |= {alias.alias.casefold() for alias in checked.tree.find_all(exp.Alias)}
    for alias in checked.tree.find_all(exp.TableAlias):
        known |= {column.name.casefold() for column in alias.columns}
    return tuple(name for name in checked.columns if name.casefold() not in known)
