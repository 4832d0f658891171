"""The files of the vector index: what is new goes beside what is there, and no damage is more than a rebuild."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.documents import lexical_settings, write
from support.vectors import HashEmbedder, are_the_nearest, nearest_by_hand, unit_vectors
from veriloop import Caller, Library, add_files
from veriloop.knowledge.store import SqliteStore
from veriloop.knowledge.vector_files import VectorFiles, segments_to_merge
from veriloop.knowledge.vectors import FaissIndex, segment_file
from veriloop.knowledge.vectors.segment import CODED_FROM

QUERY = unit_vectors(1, 8, 77)[0]


def texts(first: int, count: int) -> dict[str, str]:
    return {f"d{n}": f"# 标题{n}\n\n第{n}号文件说的是第{n}件事。" for n in range(first, first + count)}


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    (tmp_path / "library").mkdir()
    with Library(tmp_path / "library", lexical_settings(), HashEmbedder()) as opened:
        add_files(opened, [write(tmp_path / "documents", **texts(0, 40))], vector_minutes=1)
        yield opened


@pytest.fixture
def store(library: Library) -> Iterator[SqliteStore]:
    opened = SqliteStore(library.folder / "library.sqlite")
    yield opened
    opened.close()


def folder_of(library: Library) -> Path:
    (folder,) = (library.folder / "index").glob("vectors-*")
    return folder


def index_of(library: Library, store: SqliteStore) -> FaissIndex:
    """As another process would open it."""
    return VectorFiles(library.folder / "index", store.vectors).current()


def holds_what_the_store_holds(index: FaissIndex, store: SqliteStore) -> bool:
    active = store.vectors.active()
    assert active is not None
    numbers = store.vectors.passages().numbers
    right = store.vectors.of_passages(active.model, numbers.tolist())
    by_hand = nearest_by_hand(right.numbers, right.vectors, QUERY, len(right.numbers), None)
    return are_the_nearest(index.search(QUERY, 10_000, None), by_hand)


def test_a_new_document_is_written_beside_the_large_file_which_stays_as_it_is(
    library: Library, store: SqliteStore, tmp_path: Path
) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder_of(library).iterdir()}
    assert before
    add_files(library, [write(tmp_path / "more", **texts(100, 1))], vector_minutes=1)
    after = {path: path.stat().st_mtime_ns for path in folder_of(library).iterdir()}
    assert before.items() <= after.items() and len(after) == len(before) + 1
    assert holds_what_the_store_holds(index_of(library, store), store)


def test_many_small_additions_end_in_few_files(library: Library, store: SqliteStore, tmp_path: Path) -> None:
    for n in range(12):
        add_files(library, [write(tmp_path / f"more{n}", **texts(200 + n, 1))], vector_minutes=1)
    assert len(list(folder_of(library).iterdir())) <= 4
    index = index_of(library, store)
    assert len(index) == 52 and holds_what_the_store_holds(index, store)


def test_a_removed_document_is_in_no_answer_although_the_file_still_holds_it(
    library: Library, store: SqliteStore
) -> None:
    gone = set(store.vectors.passages().numbers.tolist())
    library.remove(library.find_documents("d7.md")[0].doc_id)
    gone -= set(store.vectors.passages().numbers.tolist())
    library.refresh()
    index = index_of(library, store)
    assert gone and not gone & {hit.passage_id for hit in index.search(QUERY, 100, None)}
    assert index.scores(QUERY, sorted(gone)) == {}
    assert holds_what_the_store_holds(index, store)


def test_a_file_most_of_whose_passages_are_gone_is_written_anew(library: Library, store: SqliteStore) -> None:
    (before,) = folder_of(library).iterdir()
    for n in range(20):
        library.remove(library.find_documents(f"d{n}.md")[0].doc_id)
    library.refresh()
    (after,) = folder_of(library).iterdir()
    assert after.stat().st_size < before.stat().st_size if before.exists() else after != before
    assert holds_what_the_store_holds(index_of(library, store), store)


def test_passages_of_a_restored_backup_are_not_taken_for_others_of_the_same_number(
    library: Library, store: SqliteStore, tmp_path: Path
) -> None:
    backup = tmp_path / "backup"
    shutil.copytree(library.folder, backup)
    add_files(library, [write(tmp_path / "lost", **texts(300, 3))], vector_minutes=1)
    # The old store with the newer index files; then other documents get the numbers of those that were lost.
    shutil.rmtree(backup / "index")
    shutil.copytree(library.folder / "index", backup / "index")
    with Library(backup, lexical_settings(), HashEmbedder()) as restored:
        add_files(restored, [write(tmp_path / "other", **texts(400, 3))], vector_minutes=1)
        other = SqliteStore(backup / "library.sqlite")
        assert holds_what_the_store_holds(index_of(restored, other), other)
        other.close()


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def garbage(path: Path) -> None:
    path.write_bytes(b"garbage" * 1_000)


def one_bit(path: Path) -> None:
    """In the middle of the vectors."""
    content = bytearray(path.read_bytes())
    content[4_096 + 8 * 4 * 5] ^= 1
    path.write_bytes(content)


def other_keys(path: Path) -> None:
    """In what says which passages these are."""
    content = bytearray(path.read_bytes())
    content[-40] ^= 1
    path.write_bytes(content)


def newer(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content.replace(b'"format": 1', b'"format": 2'))


def no_rows(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content.replace(b'"rows": 40', b'"rows": -1'))


def other_size(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content.replace(b'"dimension": 8', b'"dimension": 4'))


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    "damage", [cut, empty, garbage, one_bit, other_keys, newer, no_rows, other_size, as_folder, Path.unlink]
)
def test_a_file_that_is_damaged_or_of_a_newer_format_costs_a_rebuild(
    library: Library, store: SqliteStore, damage: Callable[[Path], None]
) -> None:
    (file,) = folder_of(library).iterdir()
    whole = file.read_bytes()
    damage(file)
    assert not file.is_file() or file.read_bytes() != whole
    assert holds_what_the_store_holds(index_of(library, store), store)


@pytest.mark.parametrize("place", ["the folder of the index is a file", "the files cannot be written"])
def test_where_no_file_can_be_written_the_index_in_memory_serves(
    library: Library, store: SqliteStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, place: str
) -> None:
    shutil.rmtree(library.folder / "index")
    if place.startswith("the folder"):
        (library.folder / "index").write_bytes(b"")
    else:

        def full(self: Path, *_: object, **__: object) -> object:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Path, "open", full)  # as a full disk does; permissions do not bind every user
    files = VectorFiles(library.folder / "index", store.vectors)
    assert holds_what_the_store_holds(files.current(), store)
    library.remove(library.find_documents("d3.md", Caller.owner())[0].doc_id)
    assert holds_what_the_store_holds(files.current(), store)
    assert not list((library.folder / "index").glob("vectors-*/*"))


def test_vectors_of_an_older_format_and_half_written_files_are_cleared_away(library: Library, tmp_path: Path) -> None:
    old = library.folder / "index" / "vectors-2-1-abc.faiss"
    old.write_bytes(b"old")
    left = folder_of_new(library)
    left.write_bytes(b"half")
    os.utime(left, (0, 0))
    add_files(library, [write(tmp_path / "more", **texts(100, 1))], vector_minutes=1)
    library.search("第100号文件")
    assert not old.exists() and not left.exists()


def folder_of_new(library: Library) -> Path:
    (folder,) = (path for path in (library.folder / "index").glob("vectors-3-*") if path.is_dir())
    return folder / ".99-1.tmp"


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 10_000), st.floats(0, 1)), max_size=12))
def test_merging_ends_with_few_segments_of_which_none_is_worn(made: list[tuple[int, float]]) -> None:
    sizes = [(max(1, round(rows * share)), rows) for rows, share in made]
    for _ in range(len(sizes) + 1):
        chosen = segments_to_merge(sizes)
        if not chosen:
            break
        total = sum(sizes[place][0] for place in chosen)
        sizes = [size for place, size in enumerate(sizes) if place not in chosen] + [(total, total)]
    assert not segments_to_merge(sizes)
    assert all(rows - living <= 0.3 * rows for living, rows in sizes)
    ordered = sorted(living for living, _ in sizes)
    assert all(larger > 4 * smaller for smaller, larger in pairwise(ordered))


def test_codes_that_are_damaged_or_missing_are_made_again(tmp_path: Path) -> None:
    from veriloop.knowledge.store import PassageVectors

    count = CODED_FROM + 10
    vectors = unit_vectors(count, 8, 5)
    chunk = PassageVectors(np.arange(count), np.full(count, b"0123456789abcdef"), vectors)
    path = tmp_path / "large.vec"
    segment_file.write_segment(path, iter([chunk]))
    codes = segment_file.codes_path(path)
    for damage in (None, b"", b"garbage" * 100, Path.unlink):
        if isinstance(damage, bytes):
            codes.write_bytes(damage)
        elif damage is not None:
            damage(codes)
        segment = segment_file.open_segment(path).segment
        found = segment.nearest(QUERY, 10, None)
        right = np.argsort(-(vectors @ QUERY))[:10]
        assert set(found.rows.tolist()) == set(right.tolist())
        assert codes.stat().st_size > count * 8


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_two_processes_that_open_add_and_remove_in_any_order_both_see_what_the_store_holds(
    library: Library, store: SqliteStore, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    both = [VectorFiles(library.folder / "index", store.vectors) for _ in range(2)]
    for step in range(12):
        documents = library.documents(Caller.owner())
        if chance.random() < 0.5 and len(documents) > 1:
            for summary in chance.sample(documents, min(len(documents) - 1, chance.choice((1, 1, 8)))):
                library.remove(summary.document.doc_id)
        else:
            # Texts that were there before come back under other numbers.
            add_files(library, [write(tmp_path / f"step{step}", **texts(chance.randrange(60), 2))], vector_minutes=1)
        for files in chance.sample(both, chance.randrange(3)):
            assert holds_what_the_store_holds(files.current(), store)
    assert all(holds_what_the_store_holds(files.current(), store) for files in both)


def test_a_vector_of_another_size_in_the_store_is_left_out_and_one_without_numbers_is_near_nothing(
    library: Library, store: SqliteStore
) -> None:
    connection = sqlite3.connect(library.folder / "library.sqlite")
    short, spoilt = (row[0] for row in connection.execute("SELECT search_hash FROM vectors ORDER BY rowid LIMIT 2, 2"))
    connection.execute("UPDATE vectors SET vector = ? WHERE search_hash = ?", (b"\0" * 12, short))
    nan = np.full(8, np.nan, dtype="<f4").tobytes()
    connection.execute("UPDATE vectors SET vector = ? WHERE search_hash = ?", (nan, spoilt))
    connection.commit()
    connection.close()
    shutil.rmtree(library.folder / "index")
    index = index_of(library, store)
    found = index.search(QUERY, 100, None)
    assert len(index) == 39 and len(found) == 39
    assert sum(hit.score == 0 for hit in found) == 1
    assert library.search("第3号文件").hits
