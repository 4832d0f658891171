"""Derived files beside the store: built from it, written next to their place, swapped in by one rename.

A directory or file carries the name of the store's state that it was built from. A reader that finds none for the
present state builds it, so that killing the writer between commit and swap costs a rebuild, not data.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from ..configs.settings import SearchSettings
from ..errors import LibraryFormatError
from .lexical import Bm25Index
from .store import Store
from .vectors import FaissIndex

_FORMAT = 2
# A half-written file of this age was left by a process that was killed.
_ABANDONED_SECONDS = 3_600


class LexicalRows(NamedTuple):
    """The lexical index with what its rows stand for."""

    bm25: Bm25Index
    passage_ids: NDArray[np.int64]
    documents: NDArray[np.int64]


class IndexFiles:
    """The `index` folder of a library."""

    def __init__(self, folder: Path, store: Store, settings: SearchSettings) -> None:
        self._folder = folder
        self._store = store
        self._settings = settings

    def lexical(self) -> LexicalRows:
        """The lexical index of the present library version, from disk or built now."""
        target = self._folder / f"lexical-{_FORMAT}-{self._parameters()}-{self._store.state().documents}"
        if target.is_dir():
            try:
                return _load_lexical(target)
            except (LibraryFormatError, BadZipFile, EOFError, OSError, ValueError, KeyError, TypeError, IndexError):
                shutil.rmtree(target, ignore_errors=True)
        rows = self._build_lexical()
        self._swap(target, rows)
        return rows

    def vectors(self) -> FaissIndex:
        """The vector index of the present vector generation, from disk or built now."""
        target = self._folder / f"vectors-{_FORMAT}-{self._store.state().vectors}.faiss"
        if target.is_file():
            try:
                return FaissIndex.load(target)
            except LibraryFormatError:
                target.unlink(missing_ok=True)
        index = FaissIndex(*self._store.vectors())
        temporary = self._temporary(target)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            index.save(temporary)
            temporary.replace(target)
        except (OSError, RuntimeError):
            temporary.unlink(missing_ok=True)  # a full disk: the index in memory serves all the same
        self._drop_older(target, "vectors-*")
        return index

    def _parameters(self) -> str:
        return f"k{self._settings.k1:g}b{self._settings.b:g}"

    def _build_lexical(self) -> LexicalRows:
        passage_ids: list[int] = []
        documents: list[int] = []

        def token_lists() -> Iterator[list[str]]:
            for row in self._store.index_rows():
                passage_ids.append(row.passage_id)
                documents.append(row.document)
                yield list(row.terms)

        index = Bm25Index.build(list(token_lists()), k1=self._settings.k1, b=self._settings.b)
        return LexicalRows(index, np.array(passage_ids, dtype=np.int64), np.array(documents, dtype=np.int64))

    def _swap(self, target: Path, rows: LexicalRows) -> None:
        temporary = self._temporary(target)
        try:
            temporary.mkdir(parents=True)
            rows.bm25.save(temporary)
            size = np.array([rows.bm25.terms], dtype=np.int64)
            np.savez(temporary / "rows.npz", passage_ids=rows.passage_ids, documents=rows.documents, terms=size)
            temporary.rename(target)
        except OSError:
            shutil.rmtree(temporary, ignore_errors=True)  # another process was first, or the disk is full
        self._drop_older(target, "lexical-*")

    def _temporary(self, target: Path) -> Path:
        return target.with_name(f".{target.name}.{os.getpid()}.tmp")

    def _drop_older(self, target: Path, pattern: str) -> None:
        abandoned = (path for path in self._folder.glob(".*.tmp") if _age(path) > _ABANDONED_SECONDS)
        for path in (*self._folder.glob(pattern), *abandoned):
            if path == target:
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def _age(path: Path) -> float:
    """Seconds since a file was made; 0 if it has just gone."""
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return 0.0


def _load_lexical(folder: Path) -> LexicalRows:
    with np.load(folder / "rows.npz") as rows:
        loaded = LexicalRows(Bm25Index.load(folder), rows["passage_ids"], rows["documents"])
        if loaded.bm25.terms != int(rows["terms"][0]) or loaded.bm25.rows != len(loaded.passage_ids):
            raise LibraryFormatError(f"{folder}: a damaged lexical index; it will be rebuilt")
        return loaded
