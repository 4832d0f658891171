"""A library keeps the vectors of one model, changes it without a gap, and stores nothing that is no vector."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from support.documents import lexical_settings, write
from support.vectors import HashEmbedder
from veriloop import Library, add_files
from veriloop.configs import Settings
from veriloop.errors import LibraryError, ModelError, UsageError
from veriloop.knowledge.sparse import Encoded
from veriloop.knowledge.store import SqliteStore, VectorProgress
from veriloop.knowledge.vectors.making import encode_query

TEXTS = {f"d{n}": f"# 标题{n}\n\n第{n}号文件说的是第{n}件事。" for n in range(20)}


def in_small_batches() -> Settings:
    settings = lexical_settings()
    indexing = settings.indexing.model_copy(update={"vector_batch": 4})
    return settings.model_copy(update={"indexing": indexing})


def opened(folder: Path, embedder: HashEmbedder) -> Library:
    return Library(folder, in_small_batches(), embedder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "library").mkdir()
    with opened(tmp_path / "library", HashEmbedder("old")) as library:
        add_files(library, [write(tmp_path / "documents", **TEXTS)], vector_minutes=1)
    return tmp_path / "library"


@pytest.fixture
def store(folder: Path) -> Iterator[SqliteStore]:
    made = SqliteStore(folder / "library.sqlite")
    yield made
    made.close()


def uses_vectors(folder: Path, model: str) -> bool:
    with opened(folder, HashEmbedder(model)) as library:
        return library.search("第3号文件").vectors_used


def models(store: SqliteStore) -> tuple[str | None, str | None, int, int]:
    """The active and the next model, and how many passages have a vector of `old` and of `new`."""
    active = store.vectors.active()
    counts = [store.vectors.progress(model).done for model in ("old", "new")]
    return None if active is None else active.model, store.vectors.next_model(), counts[0], counts[1]


def test_the_old_vectors_serve_until_the_new_ones_are_complete_and_then_go(folder: Path, store: SqliteStore) -> None:
    seen: list[tuple[str | None, str | None, int, int]] = []
    with opened(folder, HashEmbedder("new")) as library:
        change = library.reindex_vectors(progress=lambda _: seen.append(models(store)))
    assert seen == [("old", "new", 20, done) for done in (4, 8, 12, 16, 20)]
    assert change == ("new", VectorProgress(20, 20), True)
    assert models(store) == ("new", None, 0, 20)
    assert uses_vectors(folder, "new") and not uses_vectors(folder, "old")


def test_a_change_that_was_stopped_goes_on_where_it_was(folder: Path, store: SqliteStore) -> None:
    with opened(folder, HashEmbedder("new")) as library:
        assert library.reindex_vectors(seconds=0) == ("new", VectorProgress(0, 20), False)
        embedder = HashEmbedder("new")

    def stop(progress: VectorProgress) -> None:
        if progress.done == 8:
            raise KeyboardInterrupt

    with opened(folder, HashEmbedder("new")) as library, pytest.raises(KeyboardInterrupt):
        library.reindex_vectors(progress=stop)
    assert models(store) == ("old", "new", 20, 8)
    assert uses_vectors(folder, "old") and not uses_vectors(folder, "new")
    with opened(folder, embedder) as library:
        assert library.reindex_vectors().is_active
    assert len(embedder.texts) == 12


SLOW = """
import sys, time
sys.path.insert(0, sys.argv[1])
from test_changing_the_model import HashEmbedder, opened, Path
class Slow(HashEmbedder):
    def embed_passages(self, texts):
        print("batch", flush=True)
        time.sleep(0.05)
        return super().embed_passages(texts)
with opened(Path(sys.argv[2]), Slow("new")) as library:
    library.reindex_vectors()
print("done", flush=True)
"""


@pytest.mark.parametrize("batches", [1, 3, 5])
def test_killed_at_any_moment_it_leaves_a_library_that_works_and_goes_on(
    folder: Path, store: SqliteStore, batches: int
) -> None:
    here = Path(__file__).parent
    environment = {**os.environ, "PYTHONPATH": str(here.parent.parent)}
    command = [sys.executable, "-c", SLOW, str(here), str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        for _ in range(batches):
            process.stdout.readline()
        time.sleep(0.03)
        process.send_signal(signal.SIGKILL)
    active, _, old, new = models(store)
    assert (active, old) == ("old", 20) or (active, new) == ("new", 20)
    assert uses_vectors(folder, active or "")
    with opened(folder, HashEmbedder("new")) as library:
        assert library.reindex_vectors().is_active
    assert models(store) == ("new", None, 0, 20)


def test_documents_that_are_added_meanwhile_have_vectors_before_and_after_the_switch(
    folder: Path, store: SqliteStore, tmp_path: Path
) -> None:
    def add_once(progress: VectorProgress) -> None:
        if progress.done == 12:
            with opened(folder, HashEmbedder("old")) as other:
                add_files(other, [write(tmp_path / "more", more="# 新增\n\n新增的文件。")], vector_minutes=1)
            assert models(store)[2] == 21

    with opened(folder, HashEmbedder("new")) as library:
        assert library.reindex_vectors(progress=add_once).is_active
    assert models(store) == ("new", None, 0, 21)


def test_an_addition_with_the_settings_of_the_new_model_helps_to_complete_it(
    folder: Path, store: SqliteStore, tmp_path: Path
) -> None:
    with opened(folder, HashEmbedder("new")) as library:
        library.reindex_vectors(seconds=0)
        add_files(library, [write(tmp_path / "more", more="# 新增\n\n新增的文件。")], vector_minutes=1)
        assert models(store) == ("old", "new", 20, 21)
        assert library.reindex_vectors().is_active


def test_unfinished_vectors_can_be_dropped(folder: Path, store: SqliteStore) -> None:
    with opened(folder, HashEmbedder("new")) as library:
        library.reindex_vectors(seconds=0.0001)
        assert library.abandon_reindex() == "new"
        assert library.abandon_reindex() is None
    assert models(store) == ("old", None, 20, 0)
    assert uses_vectors(folder, "old")


def test_a_third_model_waits_until_the_second_is_finished_or_dropped(folder: Path) -> None:
    with opened(folder, HashEmbedder("new")) as library:
        library.reindex_vectors(seconds=0)
    with (
        opened(folder, HashEmbedder("third")) as library,
        pytest.raises(UsageError, match=r"vectors of new .*--abandon"),
    ):
        library.reindex_vectors()


def test_the_store_takes_no_vector_of_a_model_that_nobody_asked_for(store: SqliteStore) -> None:
    vectors = np.ones((1, 8), dtype=np.float32)
    with pytest.raises(LibraryError, match="third cannot stand beside those of old"):
        store.vectors.put("third", ["0" * 32], Encoded(vectors, None))
    assert store.vectors.progress("third").done == 0


def test_a_model_is_not_made_active_while_a_passage_lacks_its_vector(folder: Path, store: SqliteStore) -> None:
    with opened(folder, HashEmbedder("new")) as library:
        library.reindex_vectors(seconds=0)
    assert not store.vectors.activate("new")
    assert not store.vectors.activate("third")
    assert models(store)[0] == "old"


def test_a_search_with_another_model_goes_by_words_and_says_what_to_do(folder: Path) -> None:
    with opened(folder, HashEmbedder("new")) as library:
        assert "made by old" in str(library.unused_vectors()) and "veriloop reindex" in str(library.unused_vectors())
        result = library.search("第3号文件")
        assert result.hits and not result.vectors_used
        library.reindex_vectors(seconds=0)
        assert "(0 of 20)" in str(library.unused_vectors())
        library.reindex_vectors()
        assert library.unused_vectors() is None


class Spoilt(HashEmbedder):
    """Returns something wrong from its third batch on."""

    def __init__(self, fault: str) -> None:
        super().__init__("spoilt")
        self.fault = fault
        self.batches = 0

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.batches += 1
        vectors = super().embed_passages(texts)
        if self.batches < 3:
            return vectors
        if self.fault == "nan":
            vectors[-1, 2] = np.nan
        if self.fault == "infinite":
            vectors[0, 0] = np.inf
        shapes = {"wider": np.hstack([vectors, vectors]), "fewer": vectors[1:], "flat": vectors[0]}
        shaped: NDArray[np.float32] = shapes.get(self.fault, vectors)
        return shaped


@pytest.mark.parametrize("fault", ["nan", "infinite", "wider", "fewer", "flat"])
def test_a_model_that_returns_no_vectors_stores_none_of_that_batch_and_search_goes_on(
    tmp_path: Path, fault: str
) -> None:
    folder = tmp_path / "library"
    folder.mkdir()
    write(tmp_path / "documents", **TEXTS)
    with opened(folder, Spoilt(fault)) as library:
        report = add_files(library, [tmp_path / "documents"], vector_minutes=1)
        assert len(report.added) == len(TEXTS)
        assert re.search(r"embedding model spoilt returned .*: check the model.*veriloop", report.vectors_problem)
        assert library.vector_progress() == VectorProgress(8, 20)
        assert library.search("第3号文件").hits
    with opened(folder, HashEmbedder("spoilt")) as library:
        assert library.embed() == VectorProgress(20, 20)


class OneWord(HashEmbedder):
    """Embeds passages well and questions badly."""

    def embed_query(self, text: str) -> NDArray[np.float32]:
        vector = super().embed_query(text)
        return vector if text.startswith("标题") or "#" in text else np.full(self.query_size, np.nan, dtype=np.float32)

    query_size = 8


@pytest.mark.parametrize("size", [8, 5])
def test_a_question_that_the_model_cannot_embed_is_searched_by_words(folder: Path, size: int) -> None:
    embedder = OneWord("old")
    embedder.query_size = size
    with opened(folder, embedder) as library:
        result = library.search("第3号文件")
        assert result.hits and not result.vectors_used
    with pytest.raises(ModelError, match="embedding model old returned"):
        encode_query(embedder, "第3号文件", 8)


def test_vectors_of_another_size_than_the_model_now_has_are_refused_and_not_mixed(folder: Path, tmp_path: Path) -> None:
    with opened(folder, HashEmbedder("old", dimension=6)) as library:
        report = add_files(library, [write(tmp_path / "more", more="# 新增\n\n新增的文件。")], vector_minutes=1)
        assert re.search(r"shape \(1, 6\), expected \(1, 8\).*reindex", report.vectors_problem)
        assert library.vector_progress() == VectorProgress(20, 21)
        assert library.search("第3号文件").hits
