"""Veriloop's own search, through the same `Library` that its commands use."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict
from vector_cache import CachedEmbedder
from veriloop import Caller, Library
from veriloop.configs import load_settings
from veriloop.errors import ModelError
from veriloop.knowledge.documents import Block, Document, Passage
from veriloop.knowledge.search import Hit
from veriloop.knowledge.splitting import SplitDocument
from veriloop.knowledge.text.tokens import tokenise
from veriloop.models.embeddings import make_embedder

from .contract import UNCOUNTED, Build, Search, Vectors, Workload

LIBRARY_FILE = "library.jsonl"
COUNTED_HITS = 10


class CutDocument(BaseModel):
    """A document as Veriloop has cut it."""

    model_config = ConfigDict(frozen=True)

    document: Document
    blocks: tuple[Block, ...]
    passages: tuple[Passage, ...]


class Origin(BaseModel):
    """Which model made the vectors, and the file that keeps them."""

    model_config = ConfigDict(frozen=True)

    model: str
    cache: Path


def save_documents(documents: Iterable[CutDocument], origin: Origin | None, folder: Path) -> None:
    """Write documents where `hybrid` and `words` read them; their passages are the workload's rows, in order."""
    head = origin.model_dump_json() if origin is not None else ""
    lines = [head, *(document.model_dump_json() for document in documents)]
    (folder / LIBRARY_FILE).write_text("\n".join(lines), encoding="utf-8")


class ReadyEmbedder:
    """Hands out vectors that are there already, under the name of the model that made them.

    What Veriloop itself asks for beyond them (the halves of a comparison, questions to set a threshold by) is taken
    from the file of vectors or made by the model, which is not counted.
    """

    def __init__(self, origin: Origin, passages: dict[str, Vectors], questions: dict[str, Vectors]) -> None:
        self.name, self.dimension = origin.model, len(next(iter(passages.values())))
        self._origin, self._passages, self._questions = origin, passages, dict(questions)
        self._model: CachedEmbedder | None = None

    def close(self) -> None:
        """Release the file of vectors, if it was needed."""
        if self._model is not None:
            self._model.cache.close()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of shape (len(texts), dimension), float32, length 1."""
        return np.stack([self._passages[text] for text in texts])

    def embed_query(self, text: str) -> Vectors:
        """One vector of shape (dimension,), float32, length 1."""
        if text not in self._questions:
            with UNCOUNTED:
                self._questions[text] = self._asked_model().embed_query(text)
        return self._questions[text]

    def _asked_model(self) -> CachedEmbedder:
        if self._model is None:
            model = make_embedder(load_settings().embeddings)
            if model is None or model.name != self.name:
                # What asks for thresholds goes without them then.
                raise ModelError(f"the settings do not name {self.name}: only the vectors that are kept are there")
            self._model = CachedEmbedder(model, self._origin.cache)
        return self._model


def hybrid(workload: Workload) -> Build:
    """As it is set up: words, vectors, reranking. `VERILOOP_SEARCH__…` in the environment changes it."""
    passages = dict(zip(workload.texts, workload.passage_vectors(), strict=True))
    head, documents = _documents(workload)
    embedder = ReadyEmbedder(Origin.model_validate_json(head), passages, workload.vector_of())
    return _search(workload, documents, embedder)


def words(workload: Workload) -> Build:
    """The same without vectors."""
    return _search(workload, _documents(workload)[1], None)


def _documents(workload: Workload) -> tuple[str, list[CutDocument]]:
    head, *lines = (workload.folder / LIBRARY_FILE).read_text(encoding="utf-8").split("\n")
    return head, [CutDocument.model_validate_json(line) for line in lines]


def _search(workload: Workload, documents: Sequence[CutDocument], embedder: ReadyEmbedder | None) -> Build:
    tokenise("预热 warm-up")
    rows = _Rows(documents)

    def build(closing: ExitStack) -> Search:
        if embedder is not None:
            closing.callback(embedder.close)
        folder = Path(tempfile.mkdtemp(dir=workload.folder))
        library = closing.enter_context(Library(folder, load_settings(), embedder))
        for one in documents:
            library.put(one.document, SplitDocument(one.blocks, one.passages))
        library.refresh()
        library.embed()
        library.refresh()

        def search(question: str) -> list[int]:
            hits = library.search(question, k=COUNTED_HITS, caller=Caller.owner()).hits
            return [rows.of(hit) for hit in hits]

        return search

    return build


class _Rows:
    """Finds the row of the passage that a hit points at."""

    def __init__(self, documents: Sequence[CutDocument]) -> None:
        passages = [passage for one in documents for passage in one.passages]
        self._by_block: dict[str, list[tuple[int, Passage]]] = {}
        for row, passage in enumerate(passages):
            self._by_block.setdefault(passage.block_id, []).append((row, passage))

    def of(self, hit: Hit) -> int:
        """The passage of the hit's block that shares most with its best focus."""
        candidates = self._by_block[hit.block.block_id]
        if not hit.focus:
            return candidates[0][0]
        start, end = hit.focus[0].start, hit.focus[0].end
        return max(candidates, key=lambda pair: min(end, pair[1].end) - max(start, pair[1].start))[0]
