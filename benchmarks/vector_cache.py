"""Keeps vectors in an SQLite file by the text that they stand for, so that no text is embedded twice."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray
from veriloop.knowledge.vectors import Embedder

Vector = NDArray[np.float32]
Kind = Literal["query", "passage"]

_BATCH = 32
_LOOKED_UP_AT_ONCE = 500
_LOCK_SECONDS = 60
_SCHEMA = """
CREATE TABLE IF NOT EXISTS v (h TEXT PRIMARY KEY, v BLOB);
CREATE TABLE IF NOT EXISTS model (name TEXT NOT NULL);
"""


def vector_key(kind: Kind, text: str) -> str:
    """The name of a vector: many models embed a question otherwise than a passage."""
    return sha256(f"{kind}\0{text}".encode("utf-8", "replace")).hexdigest()[:32]


class VectorCache:
    """One file of vectors of one model. Several processes may read and write it at the same time."""

    def __init__(self, path: Path, model: str) -> None:
        """Open or make a file.

        Args:
            path: the SQLite file.
            model: name of the model whose vectors these are.

        Raises:
            ValueError: the file holds vectors of another model.
        """
        self.path = path
        self._database = sqlite3.connect(path, timeout=_LOCK_SECONDS, check_same_thread=False)
        self._lock = Lock()
        self._database.executescript(_SCHEMA)
        with self._database:
            made_by = self._database.execute("SELECT name FROM model").fetchone()
            if made_by is None:
                self._database.execute("INSERT INTO model VALUES (?)", (model,))
        if made_by is not None and made_by[0] != model:
            self.close()
            raise ValueError(f"{path}: holds vectors of {made_by[0]}, not of {model}")

    def get(self, kind: Kind, texts: Sequence[str]) -> dict[str, Vector]:
        """The vectors that are there, by text."""
        keys = {vector_key(kind, text): text for text in texts}
        found: dict[str, Vector] = {}
        for batch in _batches(list(keys), _LOOKED_UP_AT_ONCE):
            marks = ",".join("?" * len(batch))
            with self._lock:
                rows = self._database.execute(f"SELECT h, v FROM v WHERE h IN ({marks})", batch).fetchall()
            found |= {keys[key]: np.frombuffer(blob, dtype=np.float32) for key, blob in rows}
        return found

    def put(self, kind: Kind, vectors: Sequence[tuple[str, Vector]]) -> None:
        """Keep vectors of texts, in one transaction."""
        rows = [(vector_key(kind, text), np.asarray(v, dtype=np.float32).tobytes()) for text, v in vectors]
        with self._lock, self._database:
            self._database.executemany("INSERT OR REPLACE INTO v VALUES (?, ?)", rows)

    def close(self) -> None:
        """Release the file."""
        self._database.close()


class CachedEmbedder:
    """An embedder that asks another one only for texts that the file does not hold yet.

    Each batch is kept as soon as it is made: a run that was stopped goes on where it was. It has the name of the
    embedder behind it, so that a library takes it for the same model.
    """

    def __init__(self, embedder: Embedder, path: Path) -> None:
        self._embedder = embedder
        self._cache = VectorCache(path, embedder.name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._cache.close()

    @property
    def name(self) -> str:
        """The name of the model behind it."""
        return self._embedder.name

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._embedder.dimension

    @property
    def cache(self) -> VectorCache:
        """The file, to see what it holds."""
        return self._cache

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        """Vectors of shape (len(texts), dimension), float32, length 1."""
        known = self._cache.get("passage", texts)
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        for batch in _batches(missing, _BATCH):
            made = list(zip(batch, self._embedder.embed_passages(batch), strict=True))
            self._cache.put("passage", made)
            known |= made
        rows = [known[text] for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self.dimension), dtype=np.float32)

    def embed_query(self, text: str) -> Vector:
        """One vector of shape (dimension,), float32, length 1."""
        known = self._cache.get("query", [text])
        if text not in known:
            known[text] = self._embedder.embed_query(text)
            self._cache.put("query", [(text, known[text])])
        return known[text]


def _batches(items: Sequence[str], size: int) -> Iterator[list[str]]:
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
