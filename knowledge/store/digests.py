"""The digests that models wrote. They stand with their block and go with it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from ..digest.models import Digest
from ..documents import Caller
from . import rows
from .contents import Placed
from .row_models import to_block, to_document

_SLICE = 500


class DigestProgress(NamedTuple):
    """How many blocks of active documents have a digest that a model wrote."""

    done: int
    total: int


class DigestStore(Protocol):
    """Where digests of models are kept. What a caller may not read is never among what is returned."""

    def of_blocks(self, block_ids: Collection[str], caller: Caller) -> dict[str, Digest]:
        """The digests of blocks of active documents; those without one are absent."""

    def missing(self, limit: int, *, after: str = "") -> list[Placed]:
        """The next blocks of active documents without a digest, by block id; for the writer itself."""

    def progress(self) -> DigestProgress:
        """How far digesting has come; for the writer itself."""

    def put(self, block_id: str, digest: Digest) -> bool:
        """Keep a digest; False if its block is gone by now."""

    def clear(self) -> int:
        """Forget all digests; how many there were."""


class SqliteDigests:
    """The digests in a library's file.

    Args:
        query: reads it.
        transaction: a cursor that writes it.
    """

    def __init__(
        self,
        query: Callable[[str, Sequence[object]], list[sqlite3.Row]],
        transaction: Callable[[], AbstractContextManager[sqlite3.Cursor]],
    ) -> None:
        self._query = query
        self._transaction = transaction

    def of_blocks(self, block_ids: Collection[str], caller: Caller) -> dict[str, Digest]:
        """The digests of blocks of active documents; those without one are absent."""
        condition, parameters = rows.readable(caller)
        wanted = sorted(block_ids)
        found: dict[str, Digest] = {}
        for start in range(0, len(wanted), _SLICE):
            part = self._query(
                "SELECT g.block_id, g.digest FROM digests g WHERE g.block_id IN (SELECT value FROM json_each(?)) "
                "AND EXISTS (SELECT 1 FROM placements p JOIN documents d ON d.id = p.document "
                f"WHERE p.block_id = g.block_id AND d.status = 'active' AND {condition})",
                (json.dumps(wanted[start : start + _SLICE]), *parameters),
            )
            found.update((row["block_id"], Digest.model_validate_json(row["digest"])) for row in part)
        return found

    def missing(self, limit: int, *, after: str = "") -> list[Placed]:
        """The next blocks of active documents without a digest, by block id; for the writer itself."""
        found = self._query(
            f"{rows.SELECT_BLOCK} WHERE p.block_id > ? AND d.status = 'active' "
            "AND NOT EXISTS (SELECT 1 FROM digests g WHERE g.block_id = p.block_id) ORDER BY p.block_id LIMIT ?",
            (after, limit),
        )
        return [(to_block(row), to_document(row)) for row in found]

    def progress(self) -> DigestProgress:
        """How far digesting has come; for the writer itself."""
        row = self._query(
            "SELECT count(g.block_id), count(*) FROM placements p JOIN documents d ON d.id = p.document "
            "LEFT JOIN digests g ON g.block_id = p.block_id WHERE d.status = 'active'",
            (),
        )[0]
        return DigestProgress(row[0], row[1])

    def put(self, block_id: str, digest: Digest) -> bool:
        """Keep a digest; False if its block is gone by now."""
        with self._transaction() as cursor:
            cursor.execute(
                "INSERT OR REPLACE INTO digests SELECT block_id, ?, ? FROM blocks WHERE block_id = ?",
                (digest.made_by, digest.model_dump_json(), block_id),
            )
            return cursor.rowcount > 0

    def clear(self) -> int:
        """Forget all digests; how many there were."""
        with self._transaction() as cursor:
            return cursor.execute("DELETE FROM digests").rowcount
