"""The reader of JSON, JSON Lines and notebooks: records as tables where they are alike, else keys and values."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ..elements import ParsedDocument, ParseNote, ParseNoteKind, ParseOptions
from . import outline
from .files import read_bytes, undecodable
from .notebooks import is_notebook, notebook_parts
from .tables import to_markdown
from .text import decode
from .text import parts_of as text_parts

_MOST_COLUMNS = 60
_LEAST_FILLED = 0.5  # share of filled cells from which records make a table
_LONGEST_CELL = 400  # mean characters of a record's longest value, above which records are texts rather than rows
_DEEPEST = 40
_Parts = Iterator[outline.Part]


class JsonParser:
    """Reads JSON, JSON Lines and Jupyter notebooks."""

    media_types = ("application/json", "application/jsonl")

    def parse(self, path: Path, media_type: str, options: ParseOptions) -> ParsedDocument:
        """See `Parser.parse`."""
        text = decode(read_bytes(path))
        if text is None:
            raise undecodable(path)
        try:
            value = json.loads(text)
        except ValueError:
            return _lines_or_text(path, media_type, text)
        if is_notebook(value):
            return outline.finish(path, media_type, list(notebook_parts(value)))
        return outline.finish(path, media_type, list(_parts(value, "", 1)), first_heading_names=False)


def _lines_or_text(path: Path, media_type: str, text: str) -> ParsedDocument:
    """One value a line; what is no JSON at all is read as text."""
    values: list[object] = []
    broken: list[int] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                values.append(json.loads(line))
            except ValueError:
                broken.append(number)
    if len(values) < len(broken) or not any(isinstance(value, (dict, list)) for value in values):
        note = ParseNote(kind=ParseNoteKind.SIMPLIFIED, detail="is not valid JSON: read as plain text")
        return outline.finish(path, media_type, text_parts(text), told=outline.Told(notes=[note]))
    notes = []
    if broken:
        shown = ", ".join(map(str, broken[:10])) + (", …" if len(broken) > 10 else "")
        notes.append(ParseNote(kind=ParseNoteKind.UNREAD, detail=f"lines that are not JSON: {shown}"))
    parts = list(_parts(values, "", 1))
    return outline.finish(path, media_type, parts, first_heading_names=False, told=outline.Told(notes=notes))


def _parts(value: object, key: str, level: int) -> _Parts:
    """A value with its key: a line, a list, a table, or a heading with what belongs to it."""
    if isinstance(value, Mapping) and value and level < _DEEPEST:
        yield from _heading(key, level)
        for name, inner in value.items():
            yield from _parts(inner, str(name), level + 1 if key else level)
    elif isinstance(value, list) and value and level < _DEEPEST:
        yield from _heading(key, level)
        yield from _list_parts(value, level + 1 if key else level)
    else:
        text = _scalar(value)
        if text:
            yield outline.paragraph(f"{key}: {text}" if key else text)


def _heading(key: str, level: int) -> _Parts:
    if key:
        yield outline.heading(key, level)


def _list_parts(values: Sequence[object], level: int) -> _Parts:
    grid = _table(values)
    if grid:
        yield outline.table(to_markdown(grid))
    elif not any(isinstance(value, (dict, list)) for value in values):
        yield from (outline.item(text) for value in values if (text := _scalar(value)))
    else:
        for number, value in enumerate(values, start=1):
            yield from _parts(value, str(number) if isinstance(value, (dict, list)) else "", level)


def _table(values: Sequence[object]) -> list[list[str]]:
    """Header and rows, if all values are records that are alike and short."""
    if not all(isinstance(value, Mapping) for value in values):
        return []
    rows = [_flat(value) for value in values if isinstance(value, Mapping)]
    if any(row is None for row in rows):
        return []
    flat = [row for row in rows if row]
    columns = list(dict.fromkeys(name for row in flat for name in row))
    filled = sum(len(row) for row in flat)
    longest = sum(max(map(len, row.values())) for row in flat)
    if len(flat) < 2 or len(columns) > _MOST_COLUMNS or filled < _LEAST_FILLED * len(flat) * len(columns):
        return []
    if longest > _LONGEST_CELL * len(flat):
        return []
    return [columns, *([row.get(name, "") for name in columns] for row in flat)]


def _flat(record: Mapping[str, object], before: str = "", depth: int = 0) -> dict[str, str] | None:
    """A record's values by their names, inner ones as ``outer / inner``; None if it holds records of its own."""
    cells: dict[str, str] = {}
    for name, value in record.items():
        full = f"{before}{name}"
        if isinstance(value, Mapping):
            inner = _flat(value, f"{full} / ", depth + 1) if depth < 3 else None
            if inner is None:
                return None
            cells |= inner
        elif isinstance(value, list) and any(isinstance(one, (dict, list)) for one in value):
            return None
        else:
            text = "; ".join(map(_scalar, value)) if isinstance(value, list) else _scalar(value)
            if text:
                cells[full] = text
    return cells


def _scalar(value: object) -> str:
    if value is None or value == [] or value == {}:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


READER = JsonParser()
