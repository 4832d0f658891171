"""Tables and columns in words, within a limit of characters, for whoever writes a statement."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence

from .models import Column, ColumnKind, Table

_MOST_SAMPLES = 4
_LONGEST_SAMPLE = 30
_LONGEST_LABEL = 60


def summary(tables: Sequence[Table], limit: int) -> str:
    """Names of tables with those of their columns and units; nothing else that stands in a document."""
    return _within(tables, limit, _in_short, "; ")


def listing(tables: Sequence[Table], limit: int) -> str:
    """Tables with their columns, meanings, units and some of their values: data, to be fenced in a prompt."""
    return _within(tables, limit, _in_full, "\n")


def _within(tables: Sequence[Table], limit: int, write: Callable[[Table], str], joint: str) -> str:
    kept: list[str] = []
    left = limit
    for table in tables:
        text = write(table)
        if len(text) + len(joint) > left:
            break
        kept.append(text)
        left -= len(text) + len(joint)
    return joint.join(kept)


def _in_short(table: Table) -> str:
    named = (f"{column.name} [{column.unit}]" if column.unit else column.name for column in _own(table))
    return f"{table.name}({', '.join(named)})"


def _in_full(table: Table) -> str:
    head = f'table "{table.name}"' + (f" -- {_one_line(table.title)}" if table.title else "")
    return "\n".join([head, *(_column_line(column) for column in _own(table))])


def _own(table: Table) -> Iterable[Column]:
    return table.columns


def _column_line(column: Column) -> str:
    about = [column.kind.value, *((f"in {column.unit}",) if column.unit else ())]
    if column.label and column.label != column.name:
        about.append(f"means {_quoted(column.label, _LONGEST_LABEL)}")
    if column.kind is ColumnKind.TEXT and column.values:
        samples = ", ".join(_quoted(value, _LONGEST_SAMPLE) for value in column.values[:_MOST_SAMPLES])
        about.append(f"such as {samples}")
    return f'  "{column.name}": {"; ".join(about)}'


def _quoted(text: str, longest: int) -> str:
    """A text out of a document or database on one line, in quotes, that it cannot leave."""
    return json.dumps(_one_line(text)[:longest], ensure_ascii=False)


def _one_line(text: str) -> str:
    return " ".join(text.split())
