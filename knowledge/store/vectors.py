"""Vectors in the library's own file, by the model that made them and the text that they stand for."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from secrets import token_hex

import numpy as np
from numpy.typing import NDArray

from ...errors import LibraryError
from ..sparse import Encoded, SparseVector
from . import row_models, rows
from .protocol import PendingPassage
from .vector_protocol import ActiveVectors, PassageKeys, PassageSparse, PassageVectors, VectorProgress

Query = Callable[[str, Sequence[object]], list[sqlite3.Row]]
Transaction = Callable[[], AbstractContextManager[sqlite3.Cursor]]

_KEY_CHARACTERS = 16
"""Of a search hash: enough to tell texts apart by chance, 16 bytes a passage in the index files."""
_ACTIVE, _EPOCH, _NEXT, _FLOOR = "vector_model", "vector_epoch", "vector_model_next", "vector_floor"
_FIRST_EPOCH = "first"
_SAME_SIZE = (
    "length(v.vector) = (SELECT length(vector) FROM vectors WHERE model = ?1 LIMIT 1) AND length(v.vector) % 4 = 0"
)


class SqliteVectors:
    """The vectors of a library.

    Args:
        query: reads its file.
        transaction: writes it.
    """

    def __init__(self, query: Query, transaction: Transaction) -> None:
        self._query = query
        self._transaction = transaction

    def active(self) -> ActiveVectors | None:
        """The model that is searched with; None while there are no vectors."""
        if not self._query("SELECT 1 FROM vectors LIMIT 1", ()):
            return None
        model = self._meta(_ACTIVE)
        return None if model is None else ActiveVectors(model, self._meta(_EPOCH) or _FIRST_EPOCH)

    def next_model(self) -> str | None:
        """The model whose vectors are being made beside the active ones."""
        return self._meta(_NEXT)

    def dimension(self, model: str) -> int | None:
        """Length of a model's vectors; None while there are none."""
        found = self._query("SELECT length(vector) FROM vectors WHERE model = ? LIMIT 1", (model,))
        return int(found[0][0]) // np.dtype("<f4").itemsize if found else None

    def passages(self) -> PassageKeys:
        """Every passage of an active version, whether it has a vector or not, by ascending number."""
        # One text of all numbers: two hundred thousand rows would take ten times as long to fetch.
        found = self._query(
            f"SELECT group_concat(id), group_concat(substr(search_hash, 1, {_KEY_CHARACTERS}), '') FROM passages", ()
        )[0]
        numbers = _numbers(found[0])
        keys = np.frombuffer((found[1] or "").encode("ascii"), dtype=f"S{_KEY_CHARACTERS}")
        order = np.argsort(numbers)
        return PassageKeys(numbers[order], keys[order])

    def passages_with_vector(self, model: str) -> NDArray[np.int64]:
        """Numbers of the passages that have a vector of this model, ascending."""
        found = self._query(
            "SELECT group_concat(s.id) FROM vectors v CROSS JOIN passages s ON s.search_hash = v.search_hash "
            "WHERE v.model = ?",
            (model,),
        )
        return np.sort(_numbers(found[0][0]))

    def of_passages(self, model: str, passage_ids: Sequence[int]) -> PassageVectors:
        """Vectors of passages by ascending number; without those that have none, or one of another size."""
        found = self._query(
            f"SELECT s.id, substr(s.search_hash, 1, {_KEY_CHARACTERS}), v.vector FROM passages s JOIN vectors v "
            f"ON v.model = ?1 AND v.search_hash = s.search_hash AND {_SAME_SIZE} "
            "WHERE s.id IN (SELECT value FROM json_each(?2)) ORDER BY s.id",
            (model, json.dumps([int(number) for number in passage_ids])),
        )
        joined = np.frombuffer(b"".join(row[2] for row in found), dtype="<f4")
        return PassageVectors(
            np.array([row[0] for row in found], dtype=np.int64),
            np.array([row[1].encode("ascii") for row in found], dtype=f"S{_KEY_CHARACTERS}"),
            joined.reshape(len(found), -1) if found else np.zeros((0, 0), dtype=np.float32),
        )

    def sparse(self, model: str) -> Iterator[PassageSparse]:
        """The sparse vectors of passages by ascending number; none where the model gives none."""
        found = self._query(
            "SELECT s.id, v.token_ids, v.token_weights FROM passages s JOIN vectors v "
            "ON v.model = ? AND v.search_hash = s.search_hash WHERE length(v.token_ids) = length(v.token_weights) "
            "ORDER BY s.id",
            (model,),
        )
        for row in found:
            tokens, weights = np.frombuffer(row[1], dtype="<i4"), np.frombuffer(row[2], dtype="<f4")
            yield PassageSparse(row[0], SparseVector(tokens, weights))

    def without(self, model: str, limit: int, *, after: int = 0, sparse: bool = False) -> list[PendingPassage]:
        """The next passages behind this number that lack a vector of this model, or with `sparse` a sparse one."""
        found = self._query(rows.SELECT_UNEMBEDDED, (model, after, sparse, limit))
        return [PendingPassage(row["search_hash"], row_models.to_found_passage(row)) for row in found]

    def progress(self, model: str | None, *, sparse: bool = False) -> VectorProgress:
        """How many passages have a vector of this model, with `sparse` also a sparse one."""
        found = self._query(
            "SELECT count(v.search_hash), count(*) FROM passages s LEFT JOIN vectors v "
            "ON v.search_hash = s.search_hash AND v.model = ? AND (NOT ? OR v.token_ids IS NOT NULL)",
            (model, sparse),
        )
        return VectorProgress(found[0][0], found[0][1])

    def put(self, model: str, hashes: Sequence[str], encoded: Encoded) -> None:
        """Store vectors by search hash, in one transaction; the first ones of a library make their model the active."""
        sparse = encoded.sparse or (None,) * len(hashes)
        values = [
            (model, key, _blob(dense, "<f4"), *_sparse_blobs(one))
            for key, dense, one in zip(hashes, encoded.dense, sparse, strict=True)
        ]
        with self._transaction() as cursor:
            is_active = self._claim(cursor, model)
            cursor.executemany(
                # A document that was removed while its vectors were made leaves none behind.
                "INSERT OR REPLACE INTO vectors (model, search_hash, vector, token_ids, token_weights) "
                "SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM main.passages WHERE search_hash = ?2) "
                "OR EXISTS (SELECT 1 FROM main.replaced_passages WHERE search_hash = ?2)",
                values,
            )
            if is_active:
                rows.raise_counter(cursor, "vector_generation")

    def _claim(self, cursor: sqlite3.Cursor, model: str) -> bool:
        """Whether the model is the active one, which it becomes where there are no vectors yet."""
        if not cursor.execute("SELECT 1 FROM vectors LIMIT 1").fetchone() and _read(cursor, _NEXT) != model:
            _make_active(cursor, model)
        active = _read(cursor, _ACTIVE)
        if model not in (active, _read(cursor, _NEXT)):
            raise LibraryError(f"vectors of {model} cannot stand beside those of {active}: see veriloop reindex")
        return model == active

    def begin(self, model: str) -> None:
        """Let vectors of another model be made beside the active ones; those of a third are dropped."""
        with self._transaction() as cursor:
            _write(cursor, _NEXT, model)
            _drop_others(cursor)

    def abandon(self) -> str | None:
        """Drop the vectors that are being made beside the active ones; returns their model, None if there are none."""
        with self._transaction() as cursor:
            model = _read(cursor, _NEXT)
            cursor.execute("DELETE FROM meta WHERE key = ?", (_NEXT,))
            _drop_others(cursor)
            return model

    def activate(self, model: str) -> bool:
        """Search with this model from now on and drop all other vectors, in one transaction.

        Returns:
            False, and nothing was changed: a passage has no vector of this model yet, or it is no longer being made.
        """
        with self._transaction() as cursor:
            lacking = cursor.execute(
                "SELECT 1 FROM passages s WHERE NOT EXISTS "
                "(SELECT 1 FROM vectors v WHERE v.model = ? AND v.search_hash = s.search_hash) LIMIT 1",
                (model,),
            ).fetchone()
            if lacking or _read(cursor, _NEXT) != model:
                return False
            _make_active(cursor, model)
            cursor.execute("DELETE FROM meta WHERE key = ?", (_NEXT,))
            _drop_others(cursor)
            rows.raise_counter(cursor, "vector_generation")
            return True

    def floor(self) -> str | None:
        """What `put_floor` has stored for the active vectors, or None."""
        active = self.active()
        return None if active is None else self._meta(f"{_FLOOR}_{active.epoch}")

    def put_floor(self, floor: str) -> None:
        """Keep the floor of the active vectors, as JSON; a new state, so that open searches take it up."""
        with self._transaction() as cursor:
            epoch = _read(cursor, _EPOCH) or _FIRST_EPOCH
            _write(cursor, f"{_FLOOR}_{epoch}", floor)
            rows.raise_counter(cursor, "vector_generation")

    def _meta(self, key: str) -> str | None:
        found = self._query("SELECT value FROM meta WHERE key = ?", (key,))
        return str(found[0][0]) if found else None


def _numbers(joined: str | None) -> NDArray[np.int64]:
    return np.fromstring(joined, dtype=np.int64, sep=",") if joined else np.zeros(0, dtype=np.int64)


def _blob(values: NDArray[np.float32] | NDArray[np.int32], kind: str) -> bytes:
    return np.ascontiguousarray(values, dtype=kind).tobytes()


def _sparse_blobs(vector: SparseVector | None) -> tuple[bytes | None, bytes | None]:
    return (None, None) if vector is None else (_blob(vector.token_ids, "<i4"), _blob(vector.weights, "<f4"))


def _read(cursor: sqlite3.Cursor, key: str) -> str | None:
    found = cursor.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return str(found[0]) if found else None


def _write(cursor: sqlite3.Cursor, key: str, value: str) -> None:
    cursor.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


def _make_active(cursor: sqlite3.Cursor, model: str) -> None:
    cursor.execute(f"DELETE FROM meta WHERE key GLOB '{_FLOOR}_*'")
    _write(cursor, _ACTIVE, model)
    # A name of their own: index files of vectors that this model has made elsewhere or earlier are not taken for these.
    _write(cursor, _EPOCH, token_hex(8))


def _drop_others(cursor: sqlite3.Cursor) -> None:
    cursor.execute(
        "DELETE FROM vectors WHERE model NOT IN (SELECT value FROM meta WHERE key IN (?, ?))", (_ACTIVE, _NEXT)
    )
