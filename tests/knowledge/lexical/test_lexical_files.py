"""The lexical index on disk follows its store, whoever else writes, deletes or damages its files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.documents import lexical_settings, write
from veriloop import Caller, Library, add_files
from veriloop.knowledge.analysis import Analysers
from veriloop.knowledge.lexical.merging import MOST_SEGMENTS, due_for_merge
from veriloop.knowledge.lexical.scoring import Bm25
from veriloop.knowledge.lexical_files import LexicalFiles, LexicalRows
from veriloop.knowledge.store import IndexRow, SqliteStore
from veriloop.knowledge.store.protocol import DocumentMark

WORDS = ("甲", "乙", "丙", "contract", "policy")


@dataclass
class Documents:
    """The part of a store that the lexical index reads, with a count of what it has read."""

    texts: dict[int, list[str]] = field(default_factory=dict)
    versions: dict[int, int] = field(default_factory=dict)
    read: list[int] = field(default_factory=list)

    def put(self, number: int, text: str) -> None:
        """Adds a document with a passage for each line."""
        self.texts[number] = text.split("\n")
        self.versions[number] = self.versions.get(number, 0) + 1

    def document_marks(self) -> list[DocumentMark]:
        """What the index compares its segments with."""
        return [
            DocumentMark(number, f"id{number}", str(self.versions[number]), "2026", number * 100, len(rows))
            for number, rows in sorted(self.texts.items())
        ]

    def index_rows(self, documents: Collection[int], analysers: Analysers) -> list[IndexRow]:
        """The rows of some documents."""
        self.read += documents
        wanted = [number for number in sorted(documents) if number in self.texts]
        return [
            IndexRow(n * 100 + place, n, tuple(row.split()), row)
            for n in wanted
            for place, row in enumerate(self.texts[n])
        ]


def files(folder: Path, store: Documents, analyser: str = "1") -> LexicalFiles:
    return LexicalFiles(folder, store, Analysers(analyser), Bm25())  # type: ignore[arg-type]


def found(rows: LexicalRows, *query: str) -> list[int]:
    return [int(rows.documents[row]) for row, _ in rows.bm25.search(query, 10)]


def segments(folder: Path) -> list[Path]:
    return sorted(folder.glob("lexical-*.seg"))


def answers(rows: LexicalRows) -> list[list[tuple[int, float]]]:
    """What an index finds for some queries: passages with their scores."""
    queries = [[word] for word in WORDS] + [list(WORDS)]
    return [[(int(rows.passage_ids[row]), score) for row, score in rows.bm25.search(q, 50)] for q in queries]


def test_only_what_is_new_is_read_from_the_store(tmp_path: Path) -> None:
    store = Documents()
    for number in range(1, 30):
        store.put(number, "甲 乙\n丙")
    index = files(tmp_path, store)
    index.current()
    assert store.read == list(range(1, 30))
    store.put(50, "policy")
    for opened in (index, files(tmp_path, store)):
        assert found(opened.current(), "policy") == [50]
    assert store.read == [*range(1, 30), 50]


STEPS = st.lists(
    st.tuples(st.sampled_from(("put", "remove", "refresh", "reopen")), st.integers(1, 12), st.sampled_from(WORDS)),
    max_size=60,
)


@settings(max_examples=40, deadline=None)
@given(STEPS)
def test_after_any_changes_the_index_answers_exactly_like_one_made_anew(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int, str]]
) -> None:
    folder, store = tmp_path_factory.mktemp("index"), Documents()
    index = files(folder, store)
    for what, number, word in steps:
        if what == "put":
            store.put(number, f"{word} {word} 丁\n乙 {word}\n丁")
        elif what == "remove":
            store.texts.pop(number, None)
        else:
            index = files(folder, store) if what == "reopen" else index
            index.current()
    anew = files(tmp_path_factory.mktemp("anew"), store).current()
    assert answers(index.current()) == answers(anew)
    assert answers(files(folder, store).current()) == answers(anew)


def test_a_large_library_is_indexed_in_steps_that_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veriloop.knowledge.lexical_files._ROWS_AT_ONCE", 10)
    store = Documents()
    for number in range(1, 41):
        store.put(number, "甲\n乙")

    def interrupted(documents: Collection[int], analysers: Analysers) -> list[IndexRow]:
        if 21 in documents:
            raise KeyboardInterrupt
        return Documents.index_rows(store, documents, analysers)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(store, "index_rows", interrupted)
        files(tmp_path, store).current()
    assert len(files(tmp_path, store).current().documents) == 80
    assert store.read == list(range(1, 41))


def test_segments_stay_few_however_often_a_document_is_added(tmp_path: Path) -> None:
    store = Documents()
    store.put(1, "\n".join(["甲 乙"] * 500))
    index = files(tmp_path, store)
    for number in range(2, 60):
        store.put(number, "丙")
        index.current()
        assert len(segments(tmp_path)) <= MOST_SEGMENTS
    assert found(index.current(), "甲") == [1] * 10
    assert store.read == list(range(1, 60))


@given(st.lists(st.integers(1, 50), min_size=1, max_size=400))
def test_merging_as_documents_come_copies_a_row_a_few_times_only(added: list[int]) -> None:
    sizes: list[int] = []
    copied = 0
    for rows in added:
        sizes.append(rows)
        due = due_for_merge([(size, size) for size in sizes])
        merged = sum(sizes[place] for place in due)
        copied += merged
        sizes = [size for place, size in enumerate(sizes) if place not in due] + ([merged] if due else [])
        assert len(sizes) <= MOST_SEGMENTS
    assert copied <= 12 * sum(added)


def test_a_segment_that_is_mostly_dead_is_written_anew(tmp_path: Path) -> None:
    store = Documents()
    for number in range(1, 11):
        store.put(number, "甲 乙")
    index = files(tmp_path, store)
    index.current()
    before = segments(tmp_path)[0].stat().st_size
    for number in range(1, 6):
        del store.texts[number]
    assert found(index.current(), "甲") == [6, 7, 8, 9, 10]
    (after,) = segments(tmp_path)
    assert after.stat().st_size < before
    assert store.read == list(range(1, 11))


def test_rows_of_another_analyser_or_another_state_of_a_document_are_not_used(tmp_path: Path) -> None:
    store = Documents()
    store.put(1, "甲")
    files(tmp_path, store, "1").current()
    store.texts[1] = ["乙"]
    assert found(files(tmp_path, store, "1").current(), "乙") == []
    assert found(files(tmp_path, store, "2").current(), "乙") == [1]
    restored = Documents()
    restored.put(1, "丙")
    restored.versions[1] = 9
    assert found(files(tmp_path, restored, "2").current(), "丙") == [1]
    assert len(segments(tmp_path)) == 1


def test_a_document_that_changes_while_it_is_read_is_left_for_the_next_time(tmp_path: Path) -> None:
    store = Documents()
    store.put(1, "甲")
    store.put(2, "乙")
    index = files(tmp_path, store)
    marks = store.document_marks()
    store.texts[2] = ["乙", "丙"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "document_marks", lambda: marks)
        assert found(index.current(), "甲") == [1]
        assert found(index.current(), "乙") == []
    assert found(index.current(), "丙") == [2]


def test_a_segment_that_another_process_removes_is_still_searched_and_put_back(tmp_path: Path) -> None:
    store = Documents()
    store.put(1, "甲")
    index = files(tmp_path, store)
    rows = index.current()
    for path in segments(tmp_path):
        path.unlink()
    assert found(rows, "甲") == [1]
    store.put(2, "乙")
    assert found(index.current(), "甲") == [1]
    assert store.read == [1, 2]
    assert found(files(tmp_path, store).current(), "甲") == [1]
    assert store.read == [1, 2]


def test_two_that_index_the_same_documents_at_once_keep_one_copy(tmp_path: Path) -> None:
    store = Documents()
    store.put(1, "甲")
    apart = tmp_path / "apart"
    one, other = files(tmp_path / "index", store), files(apart, store)
    one.current()
    other.current()
    for path in segments(apart):
        path.rename(tmp_path / "index" / path.name)
    assert found(one.current(), "甲") == [1]
    assert len(segments(tmp_path / "index")) == 1
    assert found(files(tmp_path / "index", store).current(), "甲") == [1]
    assert store.read == [1, 1]


def test_a_merge_that_was_killed_before_it_removed_its_sources_is_finished_by_the_next(tmp_path: Path) -> None:
    store = Documents()
    index = files(tmp_path, store)
    kept: dict[str, bytes] = {}
    for number in range(1, MOST_SEGMENTS + 2):
        store.put(number, "甲")
        kept |= {path.name: path.read_bytes() for path in segments(tmp_path)}
        index.current()
    merged = {path.name for path in segments(tmp_path)}
    for name, content in kept.items():
        (tmp_path / name).write_bytes(content)
    assert found(files(tmp_path, store).current(), "甲") == list(range(1, MOST_SEGMENTS + 2))
    assert {path.name for path in segments(tmp_path)} == merged
    assert store.read == list(range(1, MOST_SEGMENTS + 2))


@pytest.mark.parametrize("damage", [b"", b"garbage", None])
def test_damaged_segments_are_made_anew(tmp_path: Path, damage: bytes | None) -> None:
    store = Documents()
    store.put(1, "甲 乙")
    files(tmp_path, store).current()
    (path,) = segments(tmp_path)
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]) if damage is None else damage)
    assert found(files(tmp_path, store).current(), "甲") == [1]
    assert path not in segments(tmp_path)
    assert store.read == [1, 1]


def test_files_of_older_formats_and_half_written_ones_are_cleared_away(tmp_path: Path) -> None:
    store = Documents()
    store.put(1, "甲")
    (tmp_path / "lexical-2-k1.2b0.5-1-abc").mkdir()
    (tmp_path / "lexical-2-k1.2b0.5-1-abc" / "rows.npz").write_bytes(b"old")
    for name, age in ((".lexical-3-x.seg.1.tmp", 7_200), (".lexical-3-y.seg.2.tmp", 0), ("vectors-2-1.faiss", 7_200)):
        (tmp_path / name).write_bytes(b"")
        os.utime(tmp_path / name, (0, 0) if age else None)
    files(tmp_path, store).current()
    left = {path.name for path in tmp_path.iterdir()} - {path.name for path in segments(tmp_path)}
    assert left == {".lexical-3-y.seg.2.tmp", "vectors-2-1.faiss"}


def test_where_nothing_can_be_written_the_index_in_memory_serves(tmp_path: Path) -> None:
    store = Documents()
    (tmp_path / "index").write_text("a file where the folder should be")
    index = files(tmp_path / "index", store)
    for number in range(1, 12):
        store.put(number, "甲")
        assert len(found(index.current(), "甲")) == min(number, 10)
    assert store.read == list(range(1, 12))
    (tmp_path / "index").unlink()
    index.current()
    files(tmp_path / "index", store).current()
    assert store.read == list(range(1, 12))


def test_when_the_disk_is_full_what_was_there_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Documents()
    for number in range(1, MOST_SEGMENTS + 1):
        store.put(number, "甲")
        files(tmp_path, store).current()
    before = set(segments(tmp_path))

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    store.put(MOST_SEGMENTS + 1, "乙")
    assert found(files(tmp_path, store).current(), "乙") == [MOST_SEGMENTS + 1]
    assert before <= set(segments(tmp_path))
    assert not list(tmp_path.glob(".*.tmp"))


WORKER = """
import sys
from pathlib import Path
sys.path[:0] = sys.argv[3:]
from test_lexical_files import Documents, files, found
folder, start = Path(sys.argv[1]), int(sys.argv[2])
store, index = Documents(), None
for number in range(1, 40):
    store.put(number, f"甲 乙{number}")
    index = files(folder, store) if number % 7 == start else index or files(folder, store)
    rows = index.current()
    assert sorted(rows.documents.tolist()) == list(range(1, number + 1)), rows.documents
    assert found(rows, f"乙{number}") == [number]
"""


def test_two_processes_that_refresh_one_folder_at_once_both_find_everything(tmp_path: Path) -> None:
    here = [str(Path(__file__).parent), str(Path(__file__).parents[2])]
    commands = [[sys.executable, "-c", WORKER, str(tmp_path), str(start), *here] for start in (0, 3)]
    workers = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for command in commands]
    for worker in workers:
        _, errors = worker.communicate(timeout=120)
        assert worker.returncode == 0, errors
    store = Documents()
    for number in range(1, 40):
        store.put(number, f"甲 乙{number}")
    assert len(files(tmp_path, store).current().documents) == 39
    assert len(segments(tmp_path)) <= MOST_SEGMENTS
    assert not list(tmp_path.glob(".*.tmp"))


KILLED = """
import os, sys
from pathlib import Path
sys.path[:0] = sys.argv[2:]
from test_lexical_files import Documents, files
store = Documents()
store.put(1, "甲")
files(Path(sys.argv[1]), store).current()
store.put(2, "乙")
os.fsync = lambda file: os.kill(os.getpid(), 9)
files(Path(sys.argv[1]), store).current()
"""


def test_a_process_that_is_killed_while_it_writes_leaves_a_usable_folder(tmp_path: Path) -> None:
    here = [str(Path(__file__).parent), str(Path(__file__).parents[2])]
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), *here], timeout=120, check=False)
    assert done.returncode == -9
    assert len(list(tmp_path.glob(".*.tmp"))) == 1
    store = Documents()
    store.put(1, "甲")
    store.put(2, "乙")
    assert found(files(tmp_path, store).current(), "乙") == [2]
    assert store.read == [2]


def test_the_marks_of_a_store_change_with_the_document_and_name_its_rows(tmp_path: Path) -> None:
    settings_ = lexical_settings()
    with Library.open(tmp_path / "library", settings_) as library:
        add_files(library, [write(tmp_path / "documents", one="# 甲\n\n采购验收。", two="# B\n\nTravel policy.")])
        store = SqliteStore(tmp_path / "library" / "library.sqlite")
        before = store.document_marks()
        write(tmp_path / "documents", one="# 甲\n\n采购验收与付款。")
        add_files(library, [tmp_path / "documents"])
        after = store.document_marks()
        assert len(before) == len(after) == 2
        assert len(set(before) & set(after)) == 1
        (changed,) = set(after) - set(before)
        found_hits = library.search("付款", caller=Caller.owner()).hits
        assert [hit.document.doc_id for hit in found_hits] == [changed.doc_id]
        store.close()
