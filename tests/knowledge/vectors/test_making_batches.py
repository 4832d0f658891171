"""Vectors are made of texts of about one length at a time, and of each text once."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from support.documents import lexical_settings, write
from support.vectors import HashEmbedder, Vectors
from veriloop import Caller, Library, add_files
from veriloop.knowledge.library import STORE_FILE
from veriloop.knowledge.store import VectorProgress

BATCH = 4


class RecordingEmbedder(HashEmbedder):
    """Keeps the batches that it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[list[str]] = []

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.batches.append(list(texts))
        return super().embed_passages(texts)


def opened(folder: Path, embedder: RecordingEmbedder) -> Library:
    folder.mkdir()
    settings = lexical_settings()
    indexing = settings.indexing.model_copy(update={"vector_batch": BATCH})
    return Library(folder, settings.model_copy(update={"indexing": indexing}), embedder)


def padding(batches: Sequence[Sequence[str]]) -> int:
    """Characters that a model computes in vain if it fills each text up to the longest of its batch."""
    return sum(len(max(batch, key=len)) * len(batch) - sum(map(len, batch)) for batch in batches)


def test_short_and_long_texts_do_not_share_a_batch(tmp_path: Path) -> None:
    embedder = RecordingEmbedder()
    texts = {f"d{n}": f"# 文件{n}\n\n" + f"编号{n}的内容。" * (1 + n * 7 % 40) for n in range(24)}
    with opened(tmp_path / "library", embedder) as library:
        add_files(library, [write(tmp_path / "documents", **texts)], vector_minutes=0)
        assert library.embed().done == len(embedder.texts) == len(texts)
    as_they_came = sorted(embedder.texts, key=lambda text: int(text.split("文件")[1].split()[0]))
    unsorted = [as_they_came[start : start + BATCH] for start in range(0, len(as_they_came), BATCH)]
    assert max(map(len, embedder.batches)) == BATCH
    assert padding(embedder.batches) < padding(unsorted) / 3


def test_a_text_that_several_passages_share_is_computed_once_and_all_have_its_vector(tmp_path: Path) -> None:
    embedder = RecordingEmbedder()
    with opened(tmp_path / "library", embedder) as library:
        for folder in ("a", "b", "c"):
            add_files(library, [write(tmp_path / folder, 规程="# 规程\n\n设备每月检查一次。")], vector_minutes=0)
        made = library.embed()
        assert (made.done, made.total) == (3, 3)
    assert len(embedder.texts) == 1


def test_a_document_that_is_removed_while_its_vectors_are_made_leaves_none_behind(tmp_path: Path) -> None:
    embedder = RemovingEmbedder()
    with opened(tmp_path / "library", embedder) as library:
        add_files(
            library, [write(tmp_path / "documents", a="# 甲\n\n甲的内容。", b="# 乙\n\n乙的内容。")], vector_minutes=0
        )
        embedder.library = library
        assert library.embed() == VectorProgress(1, 1)
    with closing(sqlite3.connect(tmp_path / "library" / STORE_FILE)) as connection:
        assert connection.execute("SELECT count(*) FROM vectors").fetchall() == [(1,)]


class RemovingEmbedder(RecordingEmbedder):
    """While it computes, somebody removes a document."""

    library: Library

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        for document in self.library.find_documents("a.md", Caller.owner()):
            self.library.remove(document.doc_id)
        return super().embed_passages(texts)
