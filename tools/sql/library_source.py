"""The tables of the library's documents as a source: each is loaded into memory of its own, each row with its place."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import accumulate
from typing import NamedTuple

from ...knowledge.documents import Block, Document
from ...knowledge.evidence.phrases import content_words, word_share
from ...knowledge.evidence.terms import terms
from ...knowledge.parsing.sniff import CSV, ODS, XLS, XLSB, XLSX
from ..contracts import ErrorCode, ToolError
from .document_tables import DocumentTable, RowPlace, read_document
from .guard import Checked
from .models import ColumnKind, Dialect, Rows, Table
from .naming import document_slug
from .provenance import Cited, run_with_places
from .sqlite_source import SCHEMA, harden

LIBRARY = "library"
"""Name of the source; a database of this name takes its place."""
SHEETS = frozenset({CSV, XLSX, XLSB, XLS, ODS, "text/tab-separated-values"})
"""Media types of documents that are nothing but tables."""
MOST_SHEETS = 24
"""Documents of tables only that are looked at for one question."""
MOST_OTHERS = 8
"""Other documents whose names share words with the question that are looked at, too."""
MOST_CELLS = 500_000
"""Loaded for one statement."""
_MOST_BLOCKS = 400
"""Read for one question without being named in a statement: about 20,000 rows, which take some ten seconds."""
_MOST_KEPT = 4 * MOST_SHEETS
_CREATED = {ColumnKind.NUMBER: "NUMERIC", ColumnKind.DATE: "TEXT", ColumnKind.TEXT: "TEXT"}


class Sized(NamedTuple):
    """A document that the caller may read, with its number of blocks."""

    document: Document
    blocks: int


class LibrarySource:
    """The tables of some documents.

    Args:
        documents: that the caller may read, by name.
        blocks: gives the blocks of a document to the caller.
        seconds: that a statement may take.
    """

    name = LIBRARY
    dialect = Dialect.SQLITE
    schema = SCHEMA
    catalog = ""

    def __init__(
        self, documents: Sequence[Sized], blocks: Callable[[str], Sequence[Block]], seconds: float = 10.0
    ) -> None:
        self._documents = tuple(documents)
        self._blocks = blocks
        self.seconds = seconds
        self._slugs = _own_slugs([sized.document for sized in documents])
        self._read: dict[str, tuple[DocumentTable, ...]] = {}
        self._titles: dict[str, tuple[str, ...]] = {}

    @property
    def has_sheets(self) -> bool:
        """Whether any document is nothing but tables."""
        return any(sized.document.media_type in SHEETS for sized in self._documents)

    @property
    def is_small(self) -> bool:
        """Whether all documents of tables are looked at for every question."""
        sheets = [sized for sized in self._documents if sized.document.media_type in SHEETS]
        return len(sheets) <= MOST_SHEETS and sum(sized.blocks for sized in sheets) <= _MOST_BLOCKS

    def allowed(self, sql: str) -> tuple[str, ...]:
        """Tables of the documents whose names the statement holds; without one, those that would be offered."""
        written = sql.casefold()
        named = [sized for sized in self._documents if self._slugs[sized.document.doc_id].casefold() in written]
        chosen = named[:MOST_SHEETS] or self._candidates(sql)
        return tuple(table.table.name for sized in chosen for table in self._tables_of(sized.document))

    def tables(self, question: str) -> tuple[Table, ...]:
        """The tables of the documents that a question is most likely about."""
        return tuple(found.table for found in self.document_tables(question))

    def document_tables(self, question: str) -> tuple[DocumentTable, ...]:
        """The same with their rows: documents of tables only first, the likeliest before the others."""
        return tuple(table for sized in self._candidates(question) for table in self._tables_of(sized.document))

    def run(self, checked: Checked, most: int) -> Rows:
        """The rows of a checked statement."""
        return self.run_cited(checked, most).rows

    def run_cited(self, checked: Checked, most: int) -> Cited[RowPlace]:
        """The rows of a checked statement and the places of the rows that they come from.

        Raises:
            ToolError: the statement fails, takes too long, or its tables hold too much.
        """
        tables = {name: self._table(name) for name in checked.tables}
        cells = sum(len(table.rows) * len(table.table.columns) for table in tables.values())
        if cells > MOST_CELLS:
            raise ToolError(ErrorCode.FAILED, f"the tables hold {cells:,} cells; at most {MOST_CELLS:,} are loaded")
        with closing(sqlite3.connect(":memory:", cached_statements=0)) as connection:
            for table in tables.values():
                _load(connection, table)
            harden(connection)
            places = {name: table.places for name, table in tables.items()}
            return run_with_places(connection, checked, most, self.seconds, places)

    def table(self, name: str) -> Table:
        """A table by its name."""
        return self._table(name).table

    def _table(self, name: str) -> DocumentTable:
        found = (
            table
            for tables in self._read.values()
            for table in tables
            if table.table.name.casefold() == name.casefold()
        )
        table = next(found, None)
        if table is None:
            raise ToolError(ErrorCode.INVALID_ARGUMENTS, f"there is no table {name!r} in the library any more")
        return table

    def _candidates(self, question: str) -> list[Sized]:
        asked = terms(question)
        ranked = sorted(
            (
                (self._nearness(sized.document, asked), sized)
                for sized in self._documents
                if sized.blocks <= _MOST_BLOCKS
            ),
            key=lambda pair: (-pair[0], pair[1].document.name),
        )
        sheets = [sized for _, sized in ranked if sized.document.media_type in SHEETS]
        others = [sized for near, sized in ranked if near > 0 and sized.document.media_type not in SHEETS]
        return [*_within(sheets[:MOST_SHEETS]), *_within(others[:MOST_OTHERS])]

    def _nearness(self, document: Document, asked: frozenset[str]) -> float:
        """Share of the words of a document's title that a question holds."""
        if not asked:
            return 0.0
        words = self._titles.get(document.doc_id)
        if words is None:
            words = tuple(content_words(document.search_title.replace("_", " ")))
            self._titles[document.doc_id] = words
        return sum(word_share(word, asked) for word in words) / len(words) if words else 0.0

    def _tables_of(self, document: Document) -> tuple[DocumentTable, ...]:
        found = self._read.get(document.doc_id)
        if found is None:
            found = read_document(document, self._blocks(document.doc_id), self._slugs[document.doc_id])
            while len(self._read) >= _MOST_KEPT:
                self._read.pop(next(iter(self._read)), None)
            self._read[document.doc_id] = found
        return found


def _within(ranked: Sequence[Sized]) -> list[Sized]:
    """The first documents, as many as can be read while somebody waits."""
    together = accumulate(sized.blocks for sized in ranked)
    return [sized for sized, blocks in zip(ranked, together, strict=True) if blocks <= _MOST_BLOCKS]


def _own_slugs(documents: Sequence[Document]) -> dict[str, str]:
    """Names by document; those that would share one get the beginning of their id."""
    counts = Counter(document_slug(document).casefold() for document in documents)
    return {
        document.doc_id: slug if counts[slug.casefold()] == 1 else f"{slug}_{document.doc_id[:6]}"
        for document in documents
        for slug in (document_slug(document),)
    }


def _load(connection: sqlite3.Connection, table: DocumentTable) -> None:
    columns = table.table.columns
    declared = ", ".join(f'"{column.name}" {_CREATED[column.kind]}' for column in columns)
    connection.execute(f'CREATE TABLE "{table.table.name}" ({declared})')
    marks = ", ".join("?" * len(columns))
    connection.executemany(f'INSERT INTO "{table.table.name}" VALUES ({marks})', table.rows)
