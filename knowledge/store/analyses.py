"""What analysers have made of passages: which passages lack it, and what becomes of it as documents change."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from ..analysis import Analysers, encode
from ..documents import Document
from . import rows
from .protocol import MadeAnalysis

ANALYSED_BY = "analysed_by"
"""The entry in `meta` that names the analysers of all passages, where they are known to be these."""


class Statement(NamedTuple):
    """SQL and its parameters."""

    sql: str
    parameters: tuple[object, ...]


def select_unanalysed(analysers: Analysers, after: int, limit: int) -> Statement:
    """The next active passages behind a number that the analyser of their domain has not analysed."""
    wanted = _wanted(analysers)
    return Statement(
        f"{rows.SELECT_PASSAGE} WHERE s.id > ? AND (a.analyser IS NULL OR a.analyser <> {wanted.sql}) "
        "AND d.status = 'active' ORDER BY s.id LIMIT ?",
        (after, *wanted.parameters, limit),
    )


def select_index_rows(analysers: Analysers, documents: str) -> Statement:
    """The passages of these active versions (a JSON list of numbers) that the analyser of their domain has analysed."""
    wanted = _wanted(analysers)
    return Statement(
        "SELECT s.id, s.document, a.analysis FROM passages s "
        "JOIN documents d ON d.id = s.document AND d.status = 'active' "
        "JOIN analyses a ON a.search_hash = s.search_hash AND a.domain = coalesce(d.domain, '') "
        f"WHERE s.document IN (SELECT value FROM json_each(?)) AND a.analyser = {wanted.sql} "
        "ORDER BY s.document, s.id",
        (documents, *wanted.parameters),
    )


def _wanted(analysers: Analysers) -> Statement:
    """The analyser for a passage of `documents d`."""
    if not analysers.of_domains:
        return Statement("?", (analysers.usual,))
    cases = "WHEN ? THEN ? " * len(analysers.of_domains)
    return Statement(
        f"CASE coalesce(d.domain, '') {cases}ELSE ? END",
        (*chain.from_iterable(analysers.of_domains), analysers.usual),
    )


def insert(cursor: sqlite3.Cursor, analysers: Analysers, made: Iterable[MadeAnalysis]) -> None:
    """Write analyses; that others than these analysers have made them all holds no longer."""
    cursor.execute("DELETE FROM meta WHERE key = ? AND value <> ?", (ANALYSED_BY, analysers.name))
    of = {domain: analysers.of(domain) for domain in ("", *dict(analysers.of_domains))}
    cursor.executemany(
        "INSERT OR REPLACE INTO analyses VALUES (?, ?, ?, ?)",
        [(one.search_hash, one.domain, of.get(one.domain, analysers.usual), encode(one.analysis)) for one in made],
    )


def follow_domain(cursor: sqlite3.Cursor, document: Document, analysers: Analysers) -> list[str]:
    """Take the analyses of an active version into the domain that it is about to get.

    Returns the hashes of its passages where the domain is another one: what is left behind may have to go. Where the
    new domain has other words, what was taken along is seen to be another analyser's and made anew.
    """
    found = cursor.execute(
        "SELECT id, coalesce(domain, '') FROM documents WHERE doc_id = ? AND status = 'active'", (document.doc_id,)
    ).fetchone()
    if found is None or found[1] == (document.domain or ""):
        return []
    number, before, after = found[0], found[1], document.domain or ""
    if analysers.of(before) != analysers.of(after):
        cursor.execute("DELETE FROM meta WHERE key = ?", (ANALYSED_BY,))
    cursor.execute(
        "INSERT OR IGNORE INTO analyses SELECT a.search_hash, ?, a.analyser, a.analysis FROM analyses a "
        "WHERE a.domain = ? AND a.search_hash IN (SELECT s.search_hash FROM passages s WHERE s.document = ?)",
        (after, before, number),
    )
    hashes = cursor.execute("SELECT search_hash FROM passages WHERE document = ?", (number,))
    return [row[0] for row in hashes.fetchall()]


def note_complete(cursor: sqlite3.Cursor, analysers: Analysers) -> None:
    """Note that these analysers have analysed every passage, if they have."""
    missing = select_unanalysed(analysers, 0, 1)
    if cursor.execute(missing.sql, missing.parameters).fetchone() is None:
        cursor.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (ANALYSED_BY, analysers.name))
