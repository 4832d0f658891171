"""Statements and the mapping between rows and models."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TypeVar

from ..documents import Block, Caller, Document
from .protocol import SearchablePassage

T = TypeVar("T")

_DOCUMENT_COLUMNS = (
    "d.id AS document_number, d.doc_id, d.version, d.title, d.source_uri, d.name, d.media_type, d.doc_type, d.domain, "
    "d.authority, d.published_at, d.effective_from, d.effective_to, d.updated_at, d.status, d.pages, d.unread_pages, "
    "d.replaces, d.replaced_at, d.statements, "
    "(SELECT json_group_array(reader) FROM readers r WHERE r.document = d.id) AS reader_list"
)
_BLOCK_COLUMNS = "b.block_id, b.kind, b.text, p.ordinal, p.section_path, p.page_first, p.page_last"

_DESCRIBED = (
    *("title", "source_uri", "name", "doc_type", "domain", "authority"),
    *("published_at", "effective_from", "effective_to", "replaces"),
)

SINCE_REMOVAL = (
    "d.id > coalesce((SELECT max(r.id) FROM main.documents r WHERE r.doc_id = d.doc_id "
    "AND r.status = 'tombstone' AND r.replaced_at IS NULL), 0)"
)
"""What was there before a document was removed, and added again later, is no history of it."""

SELECT_DOCUMENT = f"SELECT {_DOCUMENT_COLUMNS} FROM documents d"
SELECT_SUMMARY = (
    f"SELECT {_DOCUMENT_COLUMNS}, (SELECT count(*) FROM placements p WHERE p.document = d.id) AS block_count, "
    "(SELECT count(*) FROM passages s WHERE s.document = d.id) AS passage_count FROM documents d"
)
SELECT_BLOCK = (
    f"SELECT {_BLOCK_COLUMNS}, {_DOCUMENT_COLUMNS} FROM placements p JOIN blocks b USING (block_id) "
    "JOIN documents d ON d.id = p.document"
)
SELECT_PASSAGE = (
    f'SELECT s.id AS passage_id, s.search_hash, s.start, s."end" AS stop, a.analysis, {_BLOCK_COLUMNS}, '
    f"{_DOCUMENT_COLUMNS} FROM passages s JOIN placements p ON p.document = s.document AND p.block_id = s.block_id "
    "JOIN blocks b ON b.block_id = s.block_id JOIN documents d ON d.id = s.document "
    "LEFT JOIN analyses a ON a.search_hash = s.search_hash AND a.domain = coalesce(d.domain, '')"
)
SELECT_UNEMBEDDED = (
    f"{SELECT_PASSAGE} LEFT JOIN vectors v ON v.search_hash = s.search_hash AND v.model = ? "
    "WHERE s.id > ? AND (v.search_hash IS NULL OR (? AND v.token_ids IS NULL)) AND d.status = 'active' "
    "ORDER BY s.id LIMIT ?"
)
SELECT_MARKS = (
    "SELECT d.id, d.doc_id, d.version, d.updated_at, min(s.id), count(*), coalesce(d.domain, '') FROM documents d "
    "JOIN passages s ON s.document = d.id WHERE d.status = 'active' GROUP BY d.id ORDER BY d.id"
)


def readable(caller: Caller) -> tuple[str, tuple[str, ...]]:
    """The condition on `documents d` that keeps what the caller may read, and its parameters."""
    if caller.is_owner:
        return "1", ()
    names = tuple(sorted(caller.readers))
    marks = ",".join("?" * len(names))
    return (
        "(NOT EXISTS (SELECT 1 FROM readers r WHERE r.document = d.id) "
        f"OR EXISTS (SELECT 1 FROM readers r WHERE r.document = d.id AND r.reader IN ({marks})))",
        names,
    )


def active_number(cursor: sqlite3.Cursor, doc_id: str) -> int | None:
    """The internal number of a document's active version."""
    found = cursor.execute("SELECT id FROM documents WHERE doc_id = ? AND status = 'active'", (doc_id,)).fetchone()
    return None if found is None else int(found[0])


def insert_document(cursor: sqlite3.Cursor, document: Document, parse_record: str | None) -> int:
    """Write a version, its readers and what its parser noted; returns its internal number."""
    values = document.model_dump(mode="json", exclude={"readers", "superseded_by"})
    for name in ("unread_pages", "replaces"):
        values[name] = json.dumps(values[name], ensure_ascii=False)
    values |= {"parse_record": parse_record, "statements": document.statements}
    columns = ", ".join(values)
    marks = ", ".join("?" * len(values))
    cursor.execute(f"INSERT INTO documents ({columns}) VALUES ({marks})", tuple(values.values()))
    number = cursor.lastrowid
    assert number is not None
    insert_readers(cursor, number, document.readers)
    return number


def update_description(cursor: sqlite3.Cursor, document: Document) -> None:
    """Give the active version of a document what is known of it beside its text, and who may see all versions."""
    values = document.model_dump(mode="json", include=set(_DESCRIBED))
    values |= {"replaces": json.dumps(document.replaces, ensure_ascii=False), "statements": document.statements}
    settings = ", ".join(f"{name} = :{name}" for name in values)
    sql = f"UPDATE documents SET {settings} WHERE doc_id = :doc_id AND status = 'active'"
    cursor.execute(sql, {**values, "doc_id": document.doc_id})
    set_readers(cursor, document.doc_id, document.readers)


def insert_readers(cursor: sqlite3.Cursor, number: int, readers: Iterable[str]) -> None:
    """Write who may see a version."""
    cursor.executemany("INSERT INTO readers VALUES (?, ?)", [(number, reader) for reader in sorted(readers)])


def set_readers(cursor: sqlite3.Cursor, doc_id: str, readers: Iterable[str]) -> None:
    """Give every version of a document since it was last added these readers: history is no way around them.

    What is left of one that was removed keeps its own: a document that is added in its place opens nothing.
    """
    names = list(readers)
    present = f"SELECT d.id FROM documents d WHERE d.doc_id = ? AND {SINCE_REMOVAL}"
    for (number,) in cursor.execute(present, (doc_id,)).fetchall():
        cursor.execute("DELETE FROM readers WHERE document = ?", (number,))
        insert_readers(cursor, number, names)


def insert_blocks(cursor: sqlite3.Cursor, number: int, blocks: Sequence[Block]) -> None:
    """Write blocks by content and where they stand in this version."""
    cursor.executemany(
        "INSERT OR IGNORE INTO blocks VALUES (?, ?, ?, ?)",
        [(block.block_id, block.doc_id, block.kind.value, block.text) for block in blocks],
    )
    cursor.executemany(
        "INSERT INTO placements VALUES (?, ?, ?, ?, ?, ?)",
        [
            (
                number,
                block.ordinal,
                block.block_id,
                json.dumps(block.section_path, ensure_ascii=False),
                block.page_first,
                block.page_last,
            )
            for block in blocks
        ],
    )


def insert_passages(cursor: sqlite3.Cursor, number: int, passages: Sequence[SearchablePassage]) -> None:
    """Write where the passages of a version are."""
    cursor.executemany(
        'INSERT INTO passages (document, block_id, start, "end", search_hash) VALUES (?, ?, ?, ?, ?)',
        [(number, s.passage.block_id, s.passage.start, s.passage.end, s.search_hash) for s in passages],
    )


def retire(cursor: sqlite3.Cursor, number: int) -> None:
    """Make a version history: its text and passages stay, searches and names no longer see them."""
    now = datetime.now(UTC).isoformat()
    cursor.execute("UPDATE documents SET status = 'replaced', replaced_at = ? WHERE id = ?", (now, number))
    cursor.execute("INSERT INTO replaced_passages SELECT * FROM passages WHERE document = ?", (number,))
    for table in ("passages", "aliases"):
        cursor.execute(f"DELETE FROM {table} WHERE document = ?", (number,))


# A title is text of the document, and front matter may name its type and domain.
_EMPTY = (
    "status = 'tombstone', title = name, doc_type = NULL, domain = NULL, parse_record = NULL, statements = NULL, "
    "replaces = '[]'"
)


def delete_content(cursor: sqlite3.Cursor, doc_id: str) -> None:
    """Delete the text of all versions of a document and what is derived from it; tombstones remain."""
    hashes = hashes_of(cursor, doc_id)
    for table in ("passages", "replaced_passages", "placements", "aliases"):
        cursor.execute(f"DELETE FROM {table} WHERE document IN (SELECT id FROM documents WHERE doc_id = ?)", (doc_id,))
    cursor.execute("DELETE FROM blocks WHERE doc_id = ?", (doc_id,))
    cursor.execute(f"UPDATE documents SET {_EMPTY} WHERE doc_id = ?", (doc_id,))
    drop_orphans(cursor, hashes)


def forget_versions(cursor: sqlite3.Cursor, doc_id: str, keep: int) -> None:
    """Delete the text of all replaced versions but the last ones; of the others only their dates remain."""
    found = cursor.execute(
        "SELECT id FROM documents WHERE doc_id = ? AND status = 'replaced' ORDER BY id DESC LIMIT -1 OFFSET ?",
        (doc_id, keep),
    ).fetchall()
    for (number,) in found:
        for table in ("replaced_passages", "placements"):
            cursor.execute(f"DELETE FROM {table} WHERE document = ?", (number,))
        cursor.execute(f"UPDATE documents SET {_EMPTY} WHERE id = ?", (number,))
    if found:
        cursor.execute(
            "DELETE FROM blocks WHERE doc_id = ? "
            "AND NOT EXISTS (SELECT 1 FROM placements p WHERE p.block_id = blocks.block_id)",
            (doc_id,),
        )


def hashes_of(cursor: sqlite3.Cursor, doc_id: str) -> list[str]:
    """The search hashes that a document's passages use."""
    found = cursor.execute(
        "SELECT s.search_hash FROM passages s JOIN documents d ON d.id = s.document WHERE d.doc_id = ?1 UNION "
        "SELECT s.search_hash FROM replaced_passages s JOIN documents d ON d.id = s.document WHERE d.doc_id = ?1",
        (doc_id,),
    )
    return [row[0] for row in found.fetchall()]


def drop_orphans(cursor: sqlite3.Cursor, hashes: Iterable[str]) -> None:
    """Delete the analyses and vectors behind these hashes that no passage uses any more."""
    values = [(value,) for value in hashes]
    used = "AND NOT EXISTS (SELECT 1 FROM {0} s JOIN documents d ON d.id = s.document WHERE s.search_hash = ?1{1})"
    for table, where in (("analyses", " AND coalesce(d.domain, '') = analyses.domain"), ("vectors", "")):
        unused = " ".join(used.format(passages, where) for passages in ("passages", "replaced_passages"))
        cursor.executemany(f"DELETE FROM {table} WHERE search_hash = ?1 {unused}", values)


def raise_version(cursor: sqlite3.Cursor) -> None:
    """Count a change of a document."""
    raise_counter(cursor, "library_version")
    raise_counter(cursor, "vector_generation")


def raise_counter(cursor: sqlite3.Cursor, key: str) -> None:
    """Add one to a counter in `meta`, and give this state a name that no other library's or backup's state has."""
    cursor.execute("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = ?", (key,))
    cursor.execute("INSERT OR REPLACE INTO meta VALUES (?, lower(hex(randomblob(8))))", (f"{key}_stamp",))
