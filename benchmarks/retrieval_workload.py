"""From a set to what every search is given: the passages that Veriloop indexes, their vectors, and the questions."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import corpora
import numpy as np
from peers.contract import Vectors, Workload
from peers.own import CutDocument, Origin, save_documents
from rich.console import Console
from rich.progress import Progress
from vector_cache import CachedEmbedder
from veriloop import Caller, Library, add_files
from veriloop.configs import load_settings
from veriloop.graphs.adding import FileProgress
from veriloop.knowledge.documents import Document
from veriloop.knowledge.searchable import passage_text, searchable_text
from veriloop.knowledge.splitting import split_passages
from veriloop.knowledge.store import VectorProgress

Half = Literal["tune", "held", "all"]
_BATCH = 64
_ERRORS = Console(stderr=True)


class Row(NamedTuple):
    """A passage as it is judged. `document` is the name that questions use; blocks of one text have one name."""

    document: str
    block: str
    text: str
    block_text: str


class Cut(NamedTuple):
    """One document of a set: as the library holds it, its passages as they are judged, and as they are searched."""

    document: CutDocument
    rows: tuple[Row, ...]
    texts: tuple[str, ...]


class _Bar:
    """Shows how far an addition is."""

    def __init__(self, bar: Progress) -> None:
        self._bar, self._task = bar, bar.add_task("documents", total=None)

    def waiting(self, holder: str) -> None:
        """Another process is writing."""
        self._bar.console.print(f"waiting for {holder}")

    def file(self, progress: FileProgress) -> None:
        """A file is about to be read."""
        self._bar.update(self._task, completed=progress.done, total=progress.total)

    def vectors(self, progress: VectorProgress) -> None:
        """There are none here."""


def cut_documents(name: str, documents: int, folder: Path) -> list[Cut]:
    """The documents of a set (0: all of them), read and cut by a library in `folder`; what it holds is not read again.

    Raises:
        SystemExit: a document could not be read.
    """
    files = corpora.files(name, documents)
    by_name = {file.path.name if file.path else f"{file.name}.md": file.name for file in files}
    paths = [file.path or _written(file, folder / "documents") for file in files]
    with Library(_made(folder / "library"), load_settings(), None) as library:
        with Progress(console=_ERRORS) as bar:
            report = add_files(library, paths, listener=_Bar(bar))
        if report.failed:
            raise SystemExit(f"{report.failed[0].path}: {report.failed[0].reason}")
        found = [summary.document for summary in library.documents(Caller.owner())]
        return [_cut(library, document, by_name[document.name]) for document in found if document.name in by_name]


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _written(file: corpora.File, folder: Path) -> Path:
    path = _made(folder) / f"{file.name}.md"
    if not path.is_file():
        path.write_text(file.text, encoding="utf-8")
    return path


def _cut(library: Library, document: Document, name: str) -> Cut:
    blocks = library.blocks(document.doc_id, Caller.owner())
    pairs = [(b, passage) for b in blocks for passage in split_passages(b, library.settings.splitting)]
    rows = tuple(Row(name, f"{document.doc_id}/{b.block_id}", passage_text(b, passage), b.text) for b, passage in pairs)
    texts = tuple(searchable_text(document, b, passage) for b, passage in pairs)
    cut = CutDocument(document=document, blocks=tuple(blocks), passages=tuple(passage for _, passage in pairs))
    return Cut(cut, rows, texts)


def half(questions: Sequence[corpora.Question], wanted: Half) -> list[corpora.Question]:
    """Half of a whole set's questions, in a fixed random order.

    Which half a question is in does not depend on the documents that a run is about: what was used for tuning in one
    run is never reported on in another.
    """
    shuffled = list(questions)
    random.Random(corpora.SAMPLE_SEED).shuffle(shuffled)
    return {"tune": shuffled[::2], "held": shuffled[1::2], "all": shuffled}[wanted]


def about(questions: Sequence[corpora.Question], cuts: Sequence[Cut]) -> list[corpora.Question]:
    """The questions whose documents are all there."""
    known = {row.document for cut in cuts for row in cut.rows}
    return [question for question in questions if known.issuperset(question.documents)]


def cached_only(
    cuts: Sequence[Cut], questions: Sequence[corpora.Question], embedder: CachedEmbedder
) -> tuple[list[Cut], list[corpora.Question]]:
    """The documents whose passages all have a vector already, and the questions about them that have one."""
    known = embedder.cache.get("passage", [text for cut in cuts for text in cut.texts])
    kept = [cut for cut in cuts if known.keys() >= set(cut.texts)]
    asked = embedder.cache.get("query", [question.text for question in questions])
    return kept, about([question for question in questions if question.text in asked], kept)


def workload(
    cuts: Sequence[Cut], questions: Sequence[corpora.Question], embedder: CachedEmbedder | None, folder: Path
) -> Workload:
    """Everything that a search needs, written into `folder`; vectors that are not cached are made."""
    texts = [text for cut in cuts for text in cut.texts]
    asked = [question.text for question in questions]
    origin = None if embedder is None else Origin(model=embedder.name, cache=embedder.cache.path.absolute())
    save_documents([cut.document for cut in cuts], origin, folder)
    made = None if embedder is None else _vectors(texts, asked, embedder)
    vectors, question_vectors = made or (None, None)
    whole = Workload(
        folder, texts, [row.document for cut in cuts for row in cut.rows], asked, vectors, question_vectors
    )  # fmt: skip
    whole.save()
    return whole


def _vectors(texts: list[str], asked: list[str], embedder: CachedEmbedder) -> tuple[Vectors, Vectors]:
    parts = []
    with Progress(console=_ERRORS) as bar:
        task = bar.add_task("vectors", total=len(texts) + len(asked))
        for start in range(0, len(texts), _BATCH):
            parts.append(embedder.embed_passages(texts[start : start + _BATCH]))
            bar.advance(task, len(parts[-1]))
        questions = []
        for question in asked:
            questions.append(embedder.embed_query(question))
            bar.advance(task)
    return np.concatenate(parts), np.stack(questions)
