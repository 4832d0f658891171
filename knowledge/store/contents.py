"""What stands in a library, counted and listed by level, so that a directory of it need not load its blocks."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple, Protocol

from ..documents import Block, Caller, Document
from . import row_models, rows

Query = Callable[[str, Sequence[object]], list[sqlite3.Row]]
Placed = tuple[Block, Document]
"""A block with the document that it stands in."""


class DomainContents(NamedTuple):
    """A business area with its size; an empty name stands for the documents without one."""

    domain: str
    documents: int
    blocks: int


class DocumentContents(NamedTuple):
    """A document as the upper levels name it."""

    doc_id: str
    title: str
    name: str
    domain: str
    blocks: int


class SectionContents(NamedTuple):
    """The blocks of a document under one heading."""

    doc_id: str
    section_path: tuple[str, ...]
    blocks: int
    first_ordinal: int


class ContentsStore(Protocol):
    """What the active documents hold. Every method shows only what the caller may read.

    `among` narrows to documents with these ids; None: all that the caller may read.
    """

    def domains(self, caller: Caller, among: Collection[str] | None = None) -> list[DomainContents]:
        """The domains by name."""

    def documents(self, caller: Caller, limit: int, among: Collection[str] | None = None) -> list[DocumentContents]:
        """The first documents of each domain by name: first the first of each, then the second …"""

    def sections(self, doc_ids: Collection[str], caller: Caller) -> list[SectionContents]:
        """The sections of documents, each document's in reading order."""

    def blocks(self, caller: Caller, limit: int, among: Collection[str] | None = None) -> list[Placed]:
        """The first blocks by domain, document and place."""

    def section_blocks(self, doc_id: str, section_path: tuple[str, ...], caller: Caller) -> list[Placed]:
        """The blocks of a section in reading order."""

    def first_blocks(self, doc_ids: Collection[str], most: int, caller: Caller) -> list[Placed]:
        """So many blocks at the beginning of each document, in order."""


class SqliteContents:
    """The contents of a library's file.

    Args:
        query: reads it.
    """

    def __init__(self, query: Query) -> None:
        self._query = query

    def domains(self, caller: Caller, among: Collection[str] | None = None) -> list[DomainContents]:
        """The domains by name."""
        condition, parameters = _readable(caller, among)
        found = self._query(
            "SELECT coalesce(d.domain, ''), count(*), sum((SELECT count(*) FROM placements p WHERE p.document = d.id)) "
            f"FROM documents d WHERE {condition} GROUP BY 1 ORDER BY 1",
            parameters,
        )
        return [DomainContents(*row) for row in found]

    def documents(self, caller: Caller, limit: int, among: Collection[str] | None = None) -> list[DocumentContents]:
        """The first documents of each domain by name: first the first of each, then the second …"""
        condition, parameters = _readable(caller, among)
        found = self._query(
            "SELECT d.doc_id, d.title, d.name, coalesce(d.domain, ''), "
            "(SELECT count(*) FROM placements p WHERE p.document = d.id), "
            "row_number() OVER (PARTITION BY coalesce(d.domain, '') ORDER BY d.name, d.id) AS place "
            f"FROM documents d WHERE {condition} ORDER BY place, 4 LIMIT ?",
            (*parameters, limit),
        )
        return [DocumentContents(*row[:5]) for row in found]

    def sections(self, doc_ids: Collection[str], caller: Caller) -> list[SectionContents]:
        """The sections of documents, each document's in reading order."""
        condition, parameters = _readable(caller, doc_ids)
        found = self._query(
            "SELECT d.doc_id, p.section_path, count(*), min(p.ordinal) FROM documents d "
            f"JOIN placements p ON p.document = d.id WHERE {condition} "
            "GROUP BY d.id, p.section_path ORDER BY d.name, d.id, min(p.ordinal)",
            parameters,
        )
        return [SectionContents(row[0], tuple(json.loads(row[1])), row[2], row[3]) for row in found]

    def blocks(self, caller: Caller, limit: int, among: Collection[str] | None = None) -> list[Placed]:
        """The first blocks by domain, document and place."""
        condition, parameters = _readable(caller, among)
        found = self._query(
            f"{rows.SELECT_BLOCK} WHERE {condition} ORDER BY coalesce(d.domain, ''), d.name, d.id, p.ordinal LIMIT ?",
            (*parameters, limit),
        )
        return [_placed(row) for row in found]

    def section_blocks(self, doc_id: str, section_path: tuple[str, ...], caller: Caller) -> list[Placed]:
        """The blocks of a section in reading order."""
        condition, parameters = _readable(caller, (doc_id,))
        path = json.dumps(section_path, ensure_ascii=False)
        found = self._query(
            f"{rows.SELECT_BLOCK} WHERE {condition} AND p.section_path = ? ORDER BY p.ordinal", (*parameters, path)
        )
        return [_placed(row) for row in found]

    def first_blocks(self, doc_ids: Collection[str], most: int, caller: Caller) -> list[Placed]:
        """So many blocks at the beginning of each document, in order."""
        condition, parameters = _readable(caller, doc_ids)
        found = self._query(
            f"{rows.SELECT_BLOCK} WHERE {condition} AND p.ordinal < ? ORDER BY d.name, d.id, p.ordinal",
            (*parameters, most),
        )
        return [_placed(row) for row in found]


def _placed(row: sqlite3.Row) -> Placed:
    return row_models.to_block(row), row_models.to_document(row)


def _readable(caller: Caller, among: Collection[str] | None) -> tuple[str, tuple[str, ...]]:
    condition, parameters = rows.readable(caller)
    if among is not None:
        condition += " AND d.doc_id IN (SELECT value FROM json_each(?))"
        parameters = (*parameters, json.dumps(sorted(among)))
    return f"d.status = 'active' AND {condition}", parameters
