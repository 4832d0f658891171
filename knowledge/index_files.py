"""Derived files beside the store: built from it, written next to their place, swapped in by one rename.

A file says which state of the store, or of which documents, it was built from. A reader that finds none for the present
state builds it, so that killing the writer between commit and swap costs a rebuild, not data.
"""

from __future__ import annotations

from pathlib import Path

from ..configs.settings import SearchSettings
from .analysis import Analysers, analyser_name
from .lexical.scoring import Bm25
from .lexical_files import LexicalFiles, LexicalRows
from .store import Store
from .vector_files import VectorFiles
from .vectors import FaissIndex, SparseIndex

__all__ = ["IndexFiles", "LexicalRows"]


class IndexFiles:
    """The `index` folder of a library."""

    def __init__(
        self,
        folder: Path,
        store: Store,
        settings: SearchSettings,
        analysers: Analysers | None = None,
        *,
        keep: bool = True,
    ) -> None:
        """
        Args:
            folder: where the files are.
            store: what they are derived from.
            settings: the numbers of the search over them.
            analysers: whose analyses are searched; default: the one without a domain dictionary.
            keep: False to read files that are there and change none of them: for a store that shows only a part.
        """
        parameters = Bm25(settings.k1, settings.b)
        self._lexical = LexicalFiles(folder, store, analysers or Analysers(analyser_name()), parameters, keep=keep)
        self._store = store
        self._vectors = VectorFiles(folder, store.vectors, keep=keep)

    def lexical(self) -> LexicalRows:
        """The lexical index of the present state of the library."""
        return self._lexical.current()

    def vectors(self) -> FaissIndex:
        """The index of the active model's vectors in the present state of the library."""
        return self._vectors.current()

    def sparse(self) -> SparseIndex | None:
        """The index of the active model's sparse vectors; None where it gives none."""
        active = self._store.vectors.active()
        index = None if active is None else SparseIndex(self._store.vectors.sparse(active.model))
        return index or None
