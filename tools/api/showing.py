"""Shows an answer of an interface as text and tables that can be quoted."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

_MOST_ROWS, _MOST_COLUMNS = 200, 30
_MOST_LINES = 400
_LONGEST_CELL = 400
_LONGEST_TEXT = 40_000
_DEEPEST = 30
_LONGEST_SHORT_ANSWER = 80


class Shown(NamedTuple):
    """One part of an answer."""

    text: str
    is_table: bool
    where: str = ""
    """The path inside the answer; empty: all of it."""
    left_out: int = 0
    """Rows or lines that are not shown."""


def shown_json(text: str) -> tuple[Shown, ...] | None:
    """The parts of a JSON text: lists of flat objects as tables, everything else as lines `path: value`.

    None: it is not JSON.
    """
    try:
        return _parts(json.loads(text, parse_constant=str))
    except (ValueError, RecursionError):
        return None


def _parts(value: Any) -> tuple[Shown, ...]:
    tables = list(_tables(value, ()))
    lines = list(_lines(value, (), frozenset(id(table.rows) for table in tables)))
    found = [_as_table(table) for table in tables]
    if lines:
        shown = "\n".join(lines[:_MOST_LINES])
        found.insert(0, Shown(shown[:_LONGEST_TEXT], False, left_out=max(len(lines) - _MOST_LINES, 0)))
    return tuple(found)


def shown_text(text: str) -> Shown:
    """A plain text, as far as it is shown."""
    return Shown(text[:_LONGEST_TEXT].strip(), False, left_out=text.count("\n", _LONGEST_TEXT))


def short_answer_of(text: str) -> str:
    """The value of an answer that is one value, or an object of one; empty for any other."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = text.strip()
    if isinstance(value, dict) and len(value) == 1:
        value = next(iter(value.values()))
    if value is None or isinstance(value, dict | list):
        return ""
    said = _cell(value)
    return said if len(said) <= _LONGEST_SHORT_ANSWER and "\n" not in said else ""


class _Table(NamedTuple):
    path: tuple[str, ...]
    rows: list[Mapping[str, Any]]


def _tables(value: Any, path: tuple[str, ...]) -> Iterator[_Table]:
    if isinstance(value, list) and len(value) > 0 and all(_is_flat(row) for row in value):
        yield _Table(path, value)
    elif isinstance(value, dict) and len(path) < _DEEPEST:
        for key, part in value.items():
            yield from _tables(part, (*path, str(key)))


def _is_flat(row: Any) -> bool:
    return isinstance(row, dict) and bool(row) and not any(isinstance(cell, dict | list) for cell in row.values())


def _as_table(table: _Table) -> Shown:
    columns = list(dict.fromkeys(str(key) for row in table.rows for key in row))[:_MOST_COLUMNS]
    kept = table.rows[:_MOST_ROWS]
    lines = [_row(columns), _row("---" for _ in columns)]
    lines += [_row(_cell(row.get(column)) for column in columns) for row in kept]
    return Shown("\n".join(lines), True, ".".join(table.path), len(table.rows) - len(kept))


def _row(cells: Sequence[str] | Iterator[str]) -> str:
    return f"| {' | '.join(' '.join(cell.replace('|', '∣').split()) for cell in cells)} |"


def _lines(value: Any, path: tuple[str, ...], tables: frozenset[int]) -> Iterator[str]:
    """Everything outside the tables, a line a value."""
    if id(value) in tables:
        return
    if isinstance(value, dict | list) and value and len(path) < _DEEPEST:
        parts = value.items() if isinstance(value, dict) else ((str(at), part) for at, part in enumerate(value, 1))
        for key, part in parts:
            yield from _lines(part, (*path, str(key)), tables)
    elif path:
        yield f"{'.'.join(path)}: {_cell(value)}"
    else:
        yield _cell(value)


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    text = "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_CELL else f"{text[:_LONGEST_CELL]}…"
