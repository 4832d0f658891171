"""The tables of a document with typed columns; each row remembers where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...knowledge.documents import Block, BlockKind, Document
from ...knowledge.evidence.amounts import cell_amount
from ...knowledge.evidence.evidence_tables import EvidenceTable, Line, carries_on, cell_of, stated_unit
from ...knowledge.evidence.models import Evidence
from ...knowledge.evidence.shown_cells import UNIT_LABEL
from ...knowledge.evidence.table_rows import read_rows
from .bounds import LONGEST_CELL, MOST_COLUMNS
from .cell_typing import TypedCells, typed
from .describing import MOST_VALUES, distinct, repeats, unit_of
from .models import Cell, Column, ColumnKind, Table
from .naming import column_names, document_slug, table_names

MOST_ROWS = 20_000
"""Of a table: what follows is not read, and the table counts as incomplete."""
_FEWEST_COLUMNS = 2
_LONGEST_CAPTION = 40
_LINES_TOLD = 3


class RowPlace(NamedTuple):
    """Where a row stands."""

    block: Block
    document: Document
    start: int
    end: int
    number: int
    """Of the row in its table, from 1, totals counted."""


class DocumentTable(NamedTuple):
    """A table of a document, ready to be asked."""

    table: Table
    document: Document
    rows: tuple[tuple[Cell, ...], ...]
    places: tuple[RowPlace, ...]
    context: str
    """Title of the document, headings and caption: what the table is about."""
    is_whole: bool


def read_document(document: Document, blocks: Sequence[Block], prefix: str = "") -> tuple[DocumentTable, ...]:
    """The tables of a document in order.

    Args:
        document: that they stand in.
        blocks: all of its blocks in order.
        prefix: of their names; default: from the document's name.
    """
    found = [table for table in _joined(document, blocks) if _is_table(table)]
    captions = [_caption(table) for table in found]
    names = table_names(prefix or document_slug(document), captions)
    return tuple(_typed_table(name, table, said) for name, table, said in zip(names, found, captions, strict=True))


def _joined(document: Document, blocks: Sequence[Block]) -> Iterator[EvidenceTable]:
    """Tables, those that were split put together again."""
    lines: list[Line] = []
    for block in (block for block in blocks if block.kind is BlockKind.TABLE):
        source = Evidence(marker=1, block=block, document=document, score=0.0)
        for row in read_rows(block.text):
            is_new = bool(lines) and (
                row.header_start != lines[-1].row.header_start
                if lines[-1].source.block is block
                else not carries_on(lines[-1].source.block, block)
            )
            if is_new:
                yield _table(lines)
                lines = []
            lines.append(Line(source, row))
    if lines:
        yield _table(lines)


def _table(lines: Sequence[Line]) -> EvidenceTable:
    first = lines[0]
    block = first.source.block
    before = block.text[: first.row.header_start]
    context = "\n".join((*block.section_path, before))
    return EvidenceTable(first.row.names, tuple(lines), first.source.document.search_title, context)


def _is_table(table: EvidenceTable) -> bool:
    return len(table.names) >= _FEWEST_COLUMNS and len(table.rows) > 0


def _caption(table: EvidenceTable) -> str:
    """The short line above a table, or else the last heading."""
    first = table.lines[0]
    block = first.source.block
    lines = [line.strip() for line in block.text[: first.row.header_start].splitlines() if line.strip()]
    if lines and len(lines[-1]) <= _LONGEST_CAPTION and not lines[-1].startswith("|"):
        return lines[-1]
    return block.section_path[-1] if block.section_path else ""


def _typed_table(name: str, table: EvidenceTable, caption: str) -> DocumentTable:
    places = tuple(
        RowPlace(line.source.block, line.source.document, line.row.start, line.row.end, number)
        for number, line in enumerate(table.lines, start=1)
        if not line.is_total
    )
    lines = table.rows[:MOST_ROWS]
    columns = list(_columns(table, lines, is_whole=len(lines) == len(table.rows)))
    document = table.lines[0].source.document
    title = " › ".join(dict.fromkeys(part for part in (document.name, *_headings(table), caption) if part))
    return DocumentTable(
        Table(name, tuple(column for column, _ in columns), title),
        document,
        tuple(zip(*(cells for _, cells in columns), strict=True)),
        places[: len(lines)],
        f"{table.context}\n{document.title}",
        is_whole=len(lines) == len(table.rows),
    )


def _columns(table: EvidenceTable, lines: Sequence[Line], *, is_whole: bool) -> Iterator[tuple[Column, Sequence[Cell]]]:
    """The columns with their cells; beside numbers and days that could not all be read, the same cells as texts."""
    headings = table.names[:MOST_COLUMNS]
    table_unit = stated_unit(table.context)
    counts_apart = _has_several_units(table, lines)
    for index, (name, heading) in enumerate(zip(column_names(headings), headings, strict=True)):
        texts = [cell_of(line, index)[:LONGEST_CELL] for line in lines]
        read = typed(heading, texts, [cell_amount(heading, text, table_unit=table_unit) for text in texts])
        is_bare = counts_apart and not unit_of(heading)
        is_additive = read.kind is not ColumnKind.NUMBER or not (is_bare or table.repeats(index, lines))
        yield _column(name, heading, read, is_whole)._replace(is_additive=is_additive), read.cells
        if read.unread:
            yield _as_written(name, heading, texts), [text.strip() or None for text in texts]


def _has_several_units(table: EvidenceTable, lines: Sequence[Line]) -> bool:
    """Whether a column says for each row what its numbers are in, and does not say the same everywhere."""
    labels = [index for index, name in enumerate(table.names) if name.strip() and UNIT_LABEL.fullmatch(name.strip())]
    return any(len({cell_of(line, index) for line in lines}) > 1 for index in labels)


def _headings(table: EvidenceTable) -> tuple[str, ...]:
    return table.lines[0].source.block.section_path[-_LINES_TOLD:]


def _column(name: str, heading: str, read: TypedCells, is_whole: bool) -> Column:
    values = distinct(read.cells) if read.kind is ColumnKind.TEXT else ()
    is_complete = is_whole and not read.unread and len(values) <= MOST_VALUES
    is_repeated = read.kind is ColumnKind.TEXT and repeats(read.cells)
    return Column(name, read.kind, read.unit, heading.strip(), values[:MOST_VALUES], is_complete, repeats=is_repeated)


def _as_written(name: str, heading: str, texts: Sequence[str]) -> Column:
    """The same cells as texts, beside the numbers that some of them gave."""
    values = distinct(texts)
    return Column(
        f"{name}_text", ColumnKind.TEXT, "", heading.strip(), values[:MOST_VALUES], len(values) <= MOST_VALUES
    )
