"""Relations in the library's own file, by the block that states them: they go when their block goes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager

from ..documents import Block, Caller, Document
from ..graph.models import Entity, Relation, StoredRelation
from . import row_models, rows
from .relation_protocol import BlockRelations, BlockToRead, BuildProgress, GraphCounts

Query = Callable[[str, Sequence[object]], list[sqlite3.Row]]
Transaction = Callable[[], AbstractContextManager[sqlite3.Cursor]]

_COLUMNS = (
    "r.id AS number, r.block_id, r.made_by, r.subject, r.subject_kind, r.subject_key, r.predicate, r.object, "
    'r.object_kind, r.object_key, r.start, r."end" AS stop, d.doc_id'
)
_SEEN = "JOIN placements p ON p.block_id = r.block_id JOIN documents d ON d.id = p.document AND d.status = 'active'"
_UNREAD = (
    "FROM documents d JOIN placements p ON p.document = d.id WHERE d.status = 'active' "
    "AND NOT EXISTS (SELECT 1 FROM graph_blocks g WHERE g.block_id = p.block_id AND g.made_by = ?)"
)
_PREFIX = "substr(made_by, 1, length(?)) = ?"
_INSERT = (
    "INSERT INTO relations (block_id, made_by, subject, subject_kind, subject_key, predicate, object, object_kind, "
    'object_key, start, "end") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'
)


class SqliteRelations:
    """The graph of a library.

    Args:
        query: reads its file.
        transaction: writes it.
    """

    def __init__(self, query: Query, transaction: Transaction) -> None:
        self._query = query
        self._transaction = transaction

    def progress(self, made_by: str) -> BuildProgress:
        """How far a maker has come, for the writer itself."""
        total = self._query(
            "SELECT count(*) FROM documents d JOIN placements p ON p.document = d.id WHERE d.status = 'active'", ()
        )[0][0]
        left = self._query(
            f"SELECT count(*), coalesce(sum(length((SELECT text FROM blocks b WHERE b.block_id = p.block_id))), 0) "
            f"{_UNREAD}",
            (made_by,),
        )[0]
        return BuildProgress(total - left[0], total, left[1])

    def to_read(
        self, made_by: str, limit: int, *, after: tuple[int, int] = (0, -1), doc_id: str = ""
    ) -> list[BlockToRead]:
        """The next blocks behind this place that a maker has not read; of one document where `doc_id` names it."""
        sql = (
            f"{rows.SELECT_BLOCK} WHERE d.status = 'active' AND (?1 = '' OR d.doc_id = ?1) "
            "AND (d.id, p.ordinal) > (?2, ?3) "
            "AND NOT EXISTS (SELECT 1 FROM graph_blocks g WHERE g.block_id = p.block_id AND g.made_by = ?4) "
            "ORDER BY d.id, p.ordinal LIMIT ?5"
        )
        found = self._query(sql, (doc_id, *after, made_by, limit))
        return [
            BlockToRead((row["document_number"], row["ordinal"]), row_models.to_block(row), row_models.to_document(row))
            for row in found
        ]

    def put(self, made_by: str, replaces: str, made: Iterable[BlockRelations]) -> None:
        """Store what was read from blocks, in one transaction; what makers with this prefix read of them goes."""
        with self._transaction() as cursor:
            for block_id, relations in made:
                if cursor.execute("SELECT 1 FROM blocks WHERE block_id = ?", (block_id,)).fetchone() is None:
                    continue
                for table in ("relations", "graph_blocks"):
                    cursor.execute(
                        f"DELETE FROM {table} WHERE block_id = ? AND {_PREFIX}", (block_id, replaces, replaces)
                    )
                cursor.executemany(_INSERT, [_values(block_id, made_by, relation) for relation in relations])
                cursor.execute("INSERT OR IGNORE INTO graph_blocks VALUES (?, ?)", (block_id, made_by))

    def about(
        self, keys: Collection[str], caller: Caller, limit: int, *, predicates: Collection[str] = ()
    ) -> list[StoredRelation]:
        """Relations of which one of these keys is an end; `limit` for each end of each key at most."""
        condition, parameters = rows.readable(caller)
        among = "AND r.predicate IN (SELECT value FROM json_each(?))" if predicates else ""
        chosen = (json.dumps(sorted(predicates), ensure_ascii=False),) if predicates else ()
        found: dict[int, StoredRelation] = {}
        for key in sorted(set(keys)):
            for end in ("subject_key", "object_key"):
                sql = f"SELECT {_COLUMNS} FROM relations r {_SEEN} WHERE r.{end} = ? {among} AND {condition} LIMIT ?"
                for row in self._query(sql, (key, *chosen, *parameters, limit)):
                    found.setdefault(row["number"], _stored(row))
        return [found[number] for number in sorted(found)]

    def of_blocks(self, block_ids: Sequence[str], caller: Caller, limit: int) -> list[StoredRelation]:
        """Relations that these blocks state, `limit` of each at most."""
        condition, parameters = rows.readable(caller)
        sql = f"SELECT {_COLUMNS} FROM relations r {_SEEN} WHERE r.block_id = ? AND {condition} ORDER BY r.id LIMIT ?"
        return [
            _stored(row)
            for block_id in dict.fromkeys(block_ids)
            for row in self._query(sql, (block_id, *parameters, limit))
        ]

    def degrees(self, keys: Collection[str], caller: Caller, most: int) -> dict[str, int]:
        """How many relations each key is an end of, counted up to `most` for each end."""
        condition, parameters = rows.readable(caller)
        counted = f"SELECT 1 FROM relations r {_SEEN} WHERE r.{{0}} = ? AND {condition} LIMIT ?"
        both = [f"SELECT count(*) FROM ({counted.format(end)})" for end in ("subject_key", "object_key")]
        return {key: sum(self._query(sql, (key, *parameters, most))[0][0] for sql in both) for key in keys}

    def blocks(self, block_ids: Collection[str], caller: Caller) -> dict[str, tuple[Block, Document]]:
        """Blocks of active versions by id."""
        condition, parameters = rows.readable(caller)
        found = self._query(
            f"{rows.SELECT_BLOCK} WHERE b.block_id IN (SELECT value FROM json_each(?)) "
            f"AND d.status = 'active' AND {condition}",
            (json.dumps(sorted(block_ids)), *parameters),
        )
        return {row["block_id"]: (row_models.to_block(row), row_models.to_document(row)) for row in found}

    def names(self, caller: Caller, limit: int) -> list[Entity]:
        """Entities that the caller may see, each key with one of its names, `limit` of each end at most."""
        condition, parameters = rows.readable(caller)
        found: dict[str, Entity] = {}
        for end in ("subject", "object"):
            sql = (
                f"SELECT r.{end} AS name, min(r.{end}_kind) AS kind, r.{end}_key AS key FROM relations r {_SEEN} "
                f"WHERE {condition} GROUP BY r.{end}_key LIMIT ?"
            )
            for row in self._query(sql, (*parameters, limit)):
                found.setdefault(row["key"], Entity(row["name"], row["kind"], row["key"]))
        return list(found.values())

    def has_any(self, caller: Caller) -> bool:
        """Whether there is any relation that the caller may see."""
        condition, parameters = rows.readable(caller)
        return bool(self._query(f"SELECT 1 FROM relations r {_SEEN} WHERE {condition} LIMIT 1", parameters))

    def counts(self, caller: Caller) -> GraphCounts:
        """What the caller may see of the graph, in figures."""
        condition, parameters = rows.readable(caller)
        seen = f"FROM relations r {_SEEN} WHERE {condition}"
        predicates = self._query(
            f"SELECT r.predicate, count(*) AS n {seen} GROUP BY r.predicate ORDER BY n DESC, r.predicate", parameters
        )
        makers = self._query(f"SELECT r.made_by, count(*) {seen} GROUP BY r.made_by ORDER BY r.made_by", parameters)
        entities = self._query(
            f"SELECT count(*) FROM (SELECT r.subject_key {seen} UNION SELECT r.object_key {seen})",
            (*parameters, *parameters),
        )[0][0]
        blocks = self._query(f"SELECT count(DISTINCT r.block_id) {seen}", parameters)[0][0]
        by_predicate = {row[0]: row[1] for row in predicates}
        return GraphCounts(
            sum(by_predicate.values()), entities, blocks, by_predicate, {row[0]: row[1] for row in makers}
        )

    def forget(self, prefix: str) -> int:
        """Delete what makers with this prefix have read; returns how many relations that were."""
        with self._transaction() as cursor:
            cursor.execute(f"DELETE FROM graph_blocks WHERE {_PREFIX}", (prefix, prefix))
            return cursor.execute(f"DELETE FROM relations WHERE {_PREFIX}", (prefix, prefix)).rowcount


def _values(block_id: str, made_by: str, one: Relation) -> tuple[object, ...]:
    subject, other = one.subject, one.object
    return (
        *(block_id, made_by, subject.name, subject.kind, subject.key, one.predicate),
        *(other.name, other.kind, other.key, one.start, one.end),
    )


@row_models.sound
def _stored(row: sqlite3.Row) -> StoredRelation:
    relation = Relation(
        Entity(row["subject"], row["subject_kind"], row["subject_key"]),
        row["predicate"],
        Entity(row["object"], row["object_kind"], row["object_key"]),
        row["start"],
        row["stop"],
    )
    return StoredRelation(row["number"], relation, row["block_id"], row["doc_id"], row["made_by"])
