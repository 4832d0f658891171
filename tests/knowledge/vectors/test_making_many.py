"""Making what is missing takes as long per passage in a large library as in a small one, and ends."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.documents import lexical_settings, write
from support.vectors import HashEmbedder
from veriloop import Library, add_files
from veriloop.knowledge.store import FoundPassage, PendingPassage, VectorProgress
from veriloop.knowledge.store.connection import connect
from veriloop.knowledge.store.pending import pending_batches

SMALL, LARGE = 40, 160
STEPS_AT_ONCE = 50


class Counter:
    """Counts what SQLite does, in instructions of its virtual machine: they rise with the rows that it looks at."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.steps = 0

        def counting(path: Path, milliseconds: int) -> sqlite3.Connection:
            connection = connect(path, milliseconds)
            connection.set_progress_handler(self._count, STEPS_AT_ONCE)
            return connection

        monkeypatch.setattr("veriloop.knowledge.store.sqlite.connect", counting)

    def _count(self) -> int:
        self.steps += STEPS_AT_ONCE
        return 0


def sections(documents: int) -> dict[str, str]:
    """Documents of four passages each."""
    return {
        f"d{n}": "\n\n".join(f"# 第{part}部分\n\n" + f"编号{n}之{part}的内容。" * 40 for part in range(4))
        for n in range(documents)
    }


def opened(folder: Path, model: str = "old") -> Library:
    settings = lexical_settings()
    indexing = settings.indexing.model_copy(update={"vector_batch": 4})
    return Library(folder, settings.model_copy(update={"indexing": indexing}), HashEmbedder(model))


def make_vectors(library: Library) -> int:
    return library.embed().done


def change_model(library: Library) -> int:
    library.embed()
    with opened(library.folder, "new") as other:
        return other.reindex_vectors().progress.done


def analyse_anew(library: Library) -> int:
    return library.reindex_terms()


@pytest.mark.parametrize("work", [make_vectors, change_model, analyse_anew])
def test_the_work_grows_with_the_library_and_not_with_its_square(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: Callable[[Library], int]
) -> None:
    counter = Counter(monkeypatch)
    monkeypatch.setattr("veriloop.knowledge.upkeep._ANALYSED_AT_ONCE", 4)
    a_passage = []
    for size in (SMALL, LARGE):
        folder = tmp_path / str(size)
        (folder / "library").mkdir(parents=True)
        with opened(folder / "library") as library:
            add_files(library, [write(folder / "documents", **sections(size // 4))], vector_minutes=0)
        with monkeypatch.context() as patched:
            patched.setattr("veriloop.knowledge.library_words.analyser_name", lambda _: "a newer one")
            with opened(folder / "library") as library:
                before = counter.steps
                assert work(library) == size
                a_passage.append((counter.steps - before) / size)
    assert a_passage[1] < 1.3 * a_passage[0]


def test_progress_is_told_after_each_batch_and_is_right_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "library").mkdir()
    with opened(tmp_path / "library") as library:
        add_files(library, [write(tmp_path / "documents", **sections(5))], vector_minutes=0)
        seen: list[VectorProgress] = []
        assert library.embed(progress=seen.append) == VectorProgress(20, 20)
    assert seen == [VectorProgress(done, 20) for done in (4, 8, 12, 16, 20)]


def test_a_passage_that_comes_while_the_others_are_made_is_made_too(tmp_path: Path) -> None:
    (tmp_path / "library").mkdir()
    with opened(tmp_path / "library") as library, opened(tmp_path / "library") as writer:
        add_files(library, [write(tmp_path / "documents", **sections(2))], vector_minutes=0)

        def add_more(progress: VectorProgress) -> None:
            if progress.done == 4:
                add_files(writer, [write(tmp_path / "more", new="# 新\n\n刚刚加入的一段。")], vector_minutes=0)

        assert library.embed(progress=add_more) == VectorProgress(9, 9)


@given(st.lists(st.integers(1, 30), unique=True), st.integers(1, 7))
def test_every_missing_passage_is_seen_once_if_it_is_made_at_once(missing: list[int], limit: int) -> None:
    lacking, seen = set(missing), []
    for batch in pending_batches(lambda after: pending(lacking, after)[:limit]):
        seen += [one.found.passage_id for one in batch]
        lacking.difference_update(seen)
    assert seen == sorted(missing)


@given(st.lists(st.integers(1, 30), unique=True))
def test_what_can_never_be_made_is_tried_twice_and_no_more(missing: list[int]) -> None:
    tried = [one.found.passage_id for batch in pending_batches(lambda n: pending(set(missing), n)[:3]) for one in batch]
    assert tried == sorted(missing) * 2


class Numbered(NamedTuple):
    """Of a passage, only its number."""

    passage_id: int


def pending(numbers: set[int], after: int) -> list[PendingPassage]:
    return [PendingPassage(str(n), cast(FoundPassage, Numbered(n))) for n in sorted(numbers) if n > after]
