"""The embedded store: one SQLite file in WAL mode, so that readers never wait for the writer."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..analysis import Analysers
from ..documents import Block, Caller, Document
from ..query.vocabulary import Alias
from . import analyses, contents, digests, row_models, rows
from .connection import connect, empty_log, library_errors, transaction
from .formats import checked_format, create, migrate, needs_migration
from .history import SqliteHistory
from .memories import forget_memories_of
from .meta import read_meta, read_state
from .protocol import (
    DocumentMark,
    DocumentSummary,
    FoundPassage,
    HistoryStore,
    IndexRow,
    MadeAnalysis,
    PendingPassage,
    SearchablePassage,
    StoreState,
    TraceStore,
)
from .relation_protocol import RelationStore
from .relations import SqliteRelations
from .traces import SqliteTraces, forget_traces_of
from .vector_protocol import VectorStore
from .vectors import SqliteVectors
from .view import Shown, show_only

# SQLite's own limit on bound parameters is 32,766; smaller slices keep statements cached.
_SLICE = 500
_BUSY_MILLISECONDS = 30_000


class SqliteStore:
    """One library file. Safe for several threads of a process and for readers in other processes.

    Args:
        path: the file.
        shown: which documents it shows; one that shows only some of them is for reading, as they are at this moment.
    """

    def __init__(self, path: Path, shown: Shown | None = None) -> None:
        self._path = path
        self.traces: TraceStore = SqliteTraces(path, self._query)
        self.vectors: VectorStore = SqliteVectors(self._query, self._transaction)
        self.history: HistoryStore = SqliteHistory(self._query)
        self.relations: RelationStore = SqliteRelations(self._query, self._transaction)
        self.contents: contents.ContentsStore = contents.SqliteContents(self._query)
        self.digests: digests.DigestStore = digests.SqliteDigests(self._query, self._transaction)
        with library_errors(path):
            # Two connections: readers see the last commit while a transaction is under way.
            self._reader, self._writer = (connect(path, _BUSY_MILLISECONDS) for _ in range(2))
        self._reading, self._writing = threading.Lock(), threading.Lock()
        with ExitStack() as on_failure:
            on_failure.callback(self.close)
            self._prepare()
            if shown is not None:
                with library_errors(path):
                    show_only((self._reader, self._writer), shown)
            on_failure.pop_all()

    def _prepare(self) -> None:
        with library_errors(self._path):
            if self._meta("format_version") is None:
                self._writer.execute("PRAGMA journal_mode = WAL")
                with self._transaction() as cursor:
                    create(cursor)
            if needs_migration(checked_format(self._meta("format_version"), self._path)):
                with self._transaction() as cursor:
                    migrate(cursor)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Cursor]:
        with self._writing, library_errors(self._path), transaction(self._writer) as cursor:
            yield cursor

    def _query(self, sql: str, parameters: Sequence[object] = ()) -> list[sqlite3.Row]:
        with self._reading, library_errors(self._path):
            return self._reader.execute(sql, tuple(parameters)).fetchall()

    def _meta(self, key: str) -> str | None:
        with self._reading:
            return read_meta(self._reader, key)

    def library_version(self) -> int:
        """Rises with each committed change of a document."""
        with library_errors(self._path):
            return int(self._meta("library_version") or 0)

    def state(self) -> StoreState:
        """What derived files are named by; read in one statement, so that both parts belong together."""
        return read_state(self._query)

    def problem(self) -> str | None:
        """What SQLite's own check finds wrong with the file, or None."""
        found = str(self._query("PRAGMA quick_check(1)")[0][0])
        return None if found == "ok" else found

    def replace_document(
        self,
        document: Document,
        blocks: Sequence[Block],
        passages: Sequence[SearchablePassage],
        analysers: Analysers,
        aliases: Sequence[Alias] = (),
        parse_record: str | None = None,
        keep_versions: int | None = None,
    ) -> None:
        """Make this the active version; the version before becomes history."""
        with self._transaction() as cursor:
            old = rows.active_number(cursor, document.doc_id)
            hashes = rows.hashes_of(cursor, document.doc_id)
            if old is not None:
                rows.retire(cursor, old)
                forget_memories_of(cursor, document.doc_id)
            rows.set_readers(cursor, document.doc_id, document.readers)
            number = rows.insert_document(cursor, document, parse_record)
            rows.insert_blocks(cursor, number, blocks)
            rows.insert_passages(cursor, number, passages)
            made = (MadeAnalysis(s.search_hash, document.domain or "", s.analysis) for s in passages)
            analyses.insert(cursor, analysers, made)
            cursor.executemany("INSERT OR IGNORE INTO aliases VALUES (?, ?, ?)", [(number, *one) for one in aliases])
            if keep_versions is not None:
                rows.forget_versions(cursor, document.doc_id, keep_versions)
            rows.drop_orphans(cursor, hashes)
            rows.raise_version(cursor)

    def aliases(self, caller: Caller) -> list[Alias]:
        """The names that active documents define, of those that the caller may read."""
        condition, parameters = rows.readable(caller)
        found = self._query(
            "SELECT DISTINCT a.short, a.long FROM aliases a JOIN documents d ON d.id = a.document "
            f"WHERE d.status = 'active' AND {condition} ORDER BY a.short, a.long",
            parameters,
        )
        return [Alias(row[0], row[1]) for row in found]

    def set_readers(self, doc_id: str, readers: frozenset[str]) -> None:
        """Change who may see a document, in all of its versions."""
        with self._transaction() as cursor:
            rows.set_readers(cursor, doc_id, readers)
            rows.raise_version(cursor)

    def redescribe(self, document: Document, analysers: Analysers) -> None:
        """Write what is known of an active version beside its text: its place, its metadata, who may see it."""
        with self._transaction() as cursor:
            left = analyses.follow_domain(cursor, document, analysers)
            rows.update_description(cursor, document)
            rows.drop_orphans(cursor, left)
            rows.raise_version(cursor)

    def remove_document(self, doc_id: str) -> bool:
        """Delete every version's content and the traces that have seen it; one tombstone without text remains."""
        with self._transaction() as cursor:
            if rows.active_number(cursor, doc_id) is None:
                return False
            forget_traces_of(cursor, doc_id)
            forget_memories_of(cursor, doc_id)
            rows.delete_content(cursor, doc_id)
            rows.raise_version(cursor)
        with self._writing, library_errors(self._path):
            empty_log(self._writer, _BUSY_MILLISECONDS)
        return True

    def active_document(self, doc_id: str) -> Document | None:
        """The active version, for the writer itself."""
        found = self._query(f"{rows.SELECT_DOCUMENT} WHERE d.doc_id = ? AND d.status = 'active'", (doc_id,))
        return row_models.to_document(found[0]) if found else None

    def active_at(self, source_uri: str) -> Document | None:
        """The active version of the document that came from here, for the writer itself."""
        found = self._query(f"{rows.SELECT_DOCUMENT} WHERE d.source_uri = ? AND d.status = 'active'", (source_uri,))
        return row_models.to_document(found[0]) if found else None

    def move_document(self, doc_id: str, source_uri: str, name: str) -> None:
        """Give the active version of a document another place and name; its text and passages stay as they are."""
        with self._transaction() as cursor:
            cursor.execute(
                "UPDATE documents SET source_uri = ?, name = ? WHERE doc_id = ? AND status = 'active'",
                (source_uri, name, doc_id),
            )
            rows.raise_version(cursor)

    def parse_record(self, doc_id: str, caller: Caller) -> str | None:
        """What the parser noted of the active version, as JSON; None if nothing is known or the caller may not read."""
        condition, parameters = rows.readable(caller)
        found = self._query(
            f"SELECT d.parse_record FROM documents d WHERE d.doc_id = ? AND d.status = 'active' AND {condition}",
            (doc_id, *parameters),
        )
        return None if not found else found[0][0]

    def documents(self, caller: Caller, *, with_tombstones: bool = False) -> list[DocumentSummary]:
        """What the caller may see, by name."""
        condition, parameters = rows.readable(caller)
        status = "" if with_tombstones else "AND d.status = 'active'"
        found = self._query(f"{rows.SELECT_SUMMARY} WHERE {condition} {status} ORDER BY d.name, d.id", parameters)
        return [DocumentSummary(row_models.to_document(row), row["block_count"], row["passage_count"]) for row in found]

    def readable_documents(self, caller: Caller, among: Collection[str] | None = None) -> NDArray[np.int64] | None:
        """Internal numbers of the active documents that the caller may read; None means all of them."""
        if caller.is_owner and among is None:
            return None
        condition, parameters = rows.readable(caller)
        if among is not None:
            condition += " AND d.doc_id IN (SELECT value FROM json_each(?))"
            parameters = (*parameters, json.dumps(sorted(among)))
        found = self._query(f"SELECT d.id FROM documents d WHERE d.status = 'active' AND {condition}", parameters)
        return np.array([row[0] for row in found], dtype=np.int64)

    def blocks(self, doc_id: str, caller: Caller) -> list[Block]:
        """The active version's blocks in reading order."""
        condition, parameters = rows.readable(caller)
        found = self._query(
            f"{rows.SELECT_BLOCK} WHERE d.doc_id = ? AND d.status = 'active' AND {condition} ORDER BY p.ordinal",
            (doc_id, *parameters),
        )
        return [row_models.to_block(row) for row in found]

    def neighbours(self, block: Block, caller: Caller) -> list[Block]:
        """The blocks before and behind a block of an active version, as far as there are any."""
        condition, parameters = rows.readable(caller)
        found = self._query(
            f"{rows.SELECT_BLOCK} WHERE d.doc_id = ? AND d.status = 'active' AND p.ordinal IN (?, ?) AND {condition}",
            (block.doc_id, block.ordinal - 1, block.ordinal + 1, *parameters),
        )
        return [row_models.to_block(row) for row in found]

    def block(self, block_id: str, caller: Caller) -> tuple[Block, Document] | None:
        """A block of an active version."""
        condition, parameters = rows.readable(caller)
        found = self._query(
            f"{rows.SELECT_BLOCK} WHERE b.block_id = ? AND d.status = 'active' AND {condition}", (block_id, *parameters)
        )
        return (row_models.to_block(found[0]), row_models.to_document(found[0])) if found else None

    def passages(self, passage_ids: Sequence[int], caller: Caller) -> dict[int, FoundPassage]:
        """Passages by number; those that the caller may not read are absent."""
        condition, parameters = rows.readable(caller)
        result: dict[int, FoundPassage] = {}
        for start in range(0, len(passage_ids), _SLICE):
            part = [int(number) for number in passage_ids[start : start + _SLICE]]
            marks = ",".join("?" * len(part))
            found = self._query(
                f"{rows.SELECT_PASSAGE} WHERE s.id IN ({marks}) AND d.status = 'active' AND {condition}",
                (*part, *parameters),
            )
            result.update((row["passage_id"], row_models.to_found_passage(row)) for row in found)
        return result

    def document_marks(self) -> list[DocumentMark]:
        """Every active version that has passages, by ascending number."""
        return [DocumentMark(*row) for row in self._query(rows.SELECT_MARKS)]

    def index_rows(self, documents: Collection[int], analysers: Analysers) -> list[IndexRow]:
        """The passages of these active versions that the analyser of their domain has analysed."""
        found = self._query(*analyses.select_index_rows(analysers, json.dumps(list(documents))))
        return [row_models.to_index_row(row) for row in found]

    def passages_to_analyse(self, analysers: Analysers, limit: int, *, after: int = 0) -> list[PendingPassage]:
        """The next passages behind this number that the analyser of their domain has not analysed."""
        found = self._query(*analyses.select_unanalysed(analysers, after, limit))
        return [PendingPassage(row["search_hash"], row_models.to_found_passage(row)) for row in found]

    def put_analyses(self, analysers: Analysers, made: Iterable[MadeAnalysis]) -> None:
        """Store analyses, in one transaction."""
        with self._transaction() as cursor:
            analyses.insert(cursor, analysers, made)

    def is_analysed_by(self, analysers: Analysers) -> bool:
        """Whether it is known, without a look at each passage, that these analysers have analysed all of them."""
        with library_errors(self._path):
            return self._meta(analyses.ANALYSED_BY) == analysers.name

    def note_analysed(self, analysers: Analysers) -> None:
        """Note that these analysers have analysed every passage, if they have."""
        with self._transaction() as cursor:
            analyses.note_complete(cursor, analysers)

    def close(self) -> None:
        """Close both connections."""
        self._reader.close()
        self._writer.close()
