"""Traces in the library's file: who sees them, how long they stay, and what a library does that cannot take them."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.documents import POLICY, filled, lexical_settings, write
from veriloop import Caller, Library, add_files
from veriloop.errors import LibraryError, UsageError
from veriloop.knowledge.store import StoredTrace

OWNER = Caller.owner()
START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
NAMES = ("finance", "hr", "法务")


def trace(number: int, *, caller: Caller | None = None, documents: frozenset[str] = frozenset()) -> StoredTrace:
    """A trace with an id that ends in its number; the higher the number, the later it began."""
    return StoredTrace(
        trace_id=f"{number:032x}"[::-1],
        started_at=START + timedelta(seconds=number),
        question=f"第{number}问：验收期限是多久？",
        status="answered",
        route="linear",
        stop_rule="answer_verified",
        seconds=0.5,
        tokens=120,
        model_calls=1,
        library_version=1,
        caller=caller or Caller(),
        routes=frozenset({"linear", "loop"}),
        doc_ids=documents,
        context_window=8_000,
        answer=json.dumps({"text": "十个工作日"}),
        steps="[]",
    )


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with filled(tmp_path) as opened:
        yield opened


def ids_of(library: Library, *names: str) -> frozenset[str]:
    return frozenset(library.find_documents(name, OWNER)[0].doc_id for name in names)


def keeping(folder: Path, count: int) -> Library:
    chosen = lexical_settings()
    return Library.open(folder, chosen.model_copy(update={"traces": chosen.traces.model_copy(update={"keep": count})}))


def test_a_trace_comes_back_as_it_was_stored(library: Library) -> None:
    stored = trace(1, caller=Caller(readers=frozenset(NAMES)), documents=ids_of(library, "contract.md"))
    assert library.put_trace(stored)
    assert library.trace(stored.trace_id, OWNER) == stored


def test_the_latest_traces_come_first_and_no_more_than_asked_for(library: Library) -> None:
    for number in (2, 1, 3):
        library.put_trace(trace(number))
    assert [found.started_at.second for found in library.traces(OWNER, 2)] == [3, 2]


def test_a_trace_that_is_stored_again_is_not_there_twice(library: Library) -> None:
    library.put_trace(trace(1, documents=ids_of(library, "contract.md", "policy.md")))
    library.put_trace(trace(1, documents=ids_of(library, "policy.md")))
    (found,) = library.traces(OWNER)
    stored = library.trace(found.trace_id, OWNER)
    assert stored is not None and stored.doc_ids == ids_of(library, "policy.md")


@pytest.fixture(scope="module")
def latest_only(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """A library that keeps one trace, so that the examples of a property can share it."""
    folder = tmp_path_factory.mktemp("latest")
    filled(folder).close()
    with keeping(folder / "library", 1) as opened:
        yield opened


readers = st.frozensets(st.sampled_from(NAMES))


@settings(max_examples=60, deadline=None)
@given(
    asked_by=st.one_of(st.just(OWNER), st.builds(Caller, readers=readers)),
    looks=st.builds(Caller, readers=readers),
    open_to=st.tuples(readers, readers),
    seen=st.frozensets(st.sampled_from((0, 1))),
)
def test_others_see_a_trace_only_with_the_rights_that_it_was_made_with_and_to_all_that_it_has_seen(
    latest_only: Library,
    asked_by: Caller,
    looks: Caller,
    open_to: tuple[frozenset[str], frozenset[str]],
    seen: frozenset[int],
) -> None:
    documents = sorted(ids_of(latest_only, "contract.md", "policy.md"))
    for doc_id, names in zip(documents, open_to, strict=True):
        latest_only.set_readers(doc_id, names)
    stored = trace(1, caller=asked_by, documents=frozenset(documents[at] for at in seen))
    latest_only.put_trace(stored)
    readable = all(not open_to[at] or open_to[at] & looks.readers for at in seen)
    expected = not asked_by.is_owner and asked_by.readers <= looks.readers and readable
    assert (latest_only.trace(stored.trace_id, looks) is not None) == expected
    assert (latest_only.trace(stored.trace_id[:8], looks) is not None) == expected
    assert bool(latest_only.traces(looks)) == expected
    assert latest_only.trace(stored.trace_id, OWNER) == stored


def test_a_trace_is_seen_by_others_only_as_long_as_its_documents_are_open_to_them(library: Library) -> None:
    documents = ids_of(library, "contract.md")
    library.put_trace(trace(1, documents=documents))
    assert library.traces(Caller())
    (document,) = documents
    library.set_readers(document, frozenset({"hr"}))
    assert not library.traces(Caller())
    assert library.traces(Caller(readers=frozenset({"hr"})))


def test_a_removed_document_takes_the_traces_that_have_seen_it_along_and_no_others(
    library: Library, tmp_path: Path
) -> None:
    (contract,) = ids_of(library, "contract.md")
    library.put_trace(trace(1, documents=frozenset({contract})))
    library.put_trace(trace(2, documents=ids_of(library, "contract.md", "policy.md")))
    library.put_trace(trace(3, documents=ids_of(library, "policy.md")))
    library.remove(contract)
    assert [found.trace_id for found in library.traces(OWNER)] == [trace(3).trace_id]
    with sqlite3.connect(tmp_path / "library" / "library.sqlite") as connection:
        assert connection.execute("SELECT count(*) FROM trace_documents").fetchone() == (1,)
    connection.close()


def test_a_removal_that_fails_keeps_the_traces(library: Library, tmp_path: Path) -> None:
    (contract,) = ids_of(library, "contract.md")
    library.put_trace(trace(1, documents=frozenset({contract})))
    connection = sqlite3.connect(tmp_path / "library" / "library.sqlite")
    connection.execute("CREATE TRIGGER refuse BEFORE DELETE ON blocks BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
    connection.close()
    with pytest.raises(LibraryError, match="disk is full"):
        library.remove(contract)
    assert library.traces(OWNER)


def test_a_run_that_has_seen_a_document_which_was_removed_meanwhile_leaves_no_trace(library: Library) -> None:
    documents = ids_of(library, "contract.md", "policy.md")
    library.remove(*ids_of(library, "contract.md"))
    assert not library.put_trace(trace(1, documents=documents))
    assert not library.traces(OWNER)


def test_a_changed_document_keeps_its_traces(library: Library, tmp_path: Path) -> None:
    library.put_trace(trace(1, documents=ids_of(library, "policy.md")))
    write(tmp_path / "documents", policy=POLICY.replace("120", "150"))
    add_files(library, [tmp_path / "documents"])
    assert library.traces(Caller())


def test_a_trace_is_no_change_of_the_library(library: Library) -> None:
    version = library.version
    library.put_trace(trace(1))
    assert library.version == version


@settings(max_examples=10, deadline=None)
@given(order=st.permutations(range(1, 6)), keep=st.integers(0, 6))
def test_the_oldest_traces_make_room_whatever_the_order_in_which_they_come(order: list[int], keep: int) -> None:
    with tempfile.TemporaryDirectory() as folder, keeping(Path(folder), keep) as library:
        for number in order:
            library.put_trace(trace(number))
            latest = sorted(order[: order.index(number) + 1], reverse=True)
        kept = [found.started_at.second for found in library.traces(OWNER)]
        # A trace may have made room before an older one came: what stays is the latest of those that are there.
        assert kept == sorted(kept, reverse=True) and len(kept) == min(keep, 5)
        assert kept == latest[:keep]


def test_the_beginning_of_an_id_stands_for_it_from_six_characters_on(library: Library) -> None:
    for number in (0xA1, 0xB1, 0x1C):
        library.put_trace(trace(number))
    wanted = trace(0x1C).trace_id
    found = library.trace(wanted[:6], OWNER)
    assert found is not None and found.trace_id == wanted
    assert library.trace(wanted[:5], OWNER) is None
    assert library.trace("", OWNER) is None
    assert library.trace("%_%_%_%", OWNER) is None
    assert library.trace(wanted + "0", OWNER) is None


def test_the_beginning_of_several_ids_is_refused_unless_the_caller_sees_only_one_of_them(library: Library) -> None:
    mine = trace(0x1).model_copy(update={"trace_id": "abcdef" + "1" * 26})
    others = mine.model_copy(update={"trace_id": "abcdef" + "2" * 26, "caller": OWNER})
    library.put_trace(mine)
    library.put_trace(others)
    with pytest.raises(UsageError, match="several traces begin with 'abcdef'"):
        library.trace("abcdef", OWNER)
    assert library.trace("abcdef", Caller()) == mine


def without_tables(folder: Path) -> Path:
    """The library as a version without traces has made it."""
    file = folder / "library" / "library.sqlite"
    connection = sqlite3.connect(file)
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
    connection.close()
    assert not tables & {"traces", "trace_documents"}
    return file


def test_a_library_of_a_version_without_traces_reads_as_empty_and_takes_its_first(
    library: Library, tmp_path: Path
) -> None:
    without_tables(tmp_path)
    assert library.traces(OWNER) == [] and library.trace("0123456789", OWNER) is None
    assert library.put_trace(trace(1))
    assert len(library.traces(OWNER)) == 1


def test_a_document_can_be_removed_from_a_library_of_a_version_without_traces(library: Library, tmp_path: Path) -> None:
    without_tables(tmp_path)
    assert library.remove(*ids_of(library, "contract.md"))


@pytest.mark.parametrize("recorded", [False, True])
def test_a_library_on_read_only_media_shows_its_traces_and_refuses_new_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: bool
) -> None:
    with filled(tmp_path) as library:
        if recorded:
            library.put_trace(trace(1))
    real = os.access

    def read_only(path: Any, mode: int, **more: Any) -> bool:
        return mode != os.W_OK and real(path, mode, **more)

    monkeypatch.setattr(os, "access", read_only)  # file permissions do not bind every user that runs tests
    with Library.open(tmp_path / "library", lexical_settings(), create=False) as library:
        assert len(library.traces(OWNER)) == int(recorded)
        with pytest.raises(LibraryError, match=r"library\.sqlite: .*readonly"):
            library.put_trace(trace(2))


def test_storing_waits_for_another_writer_for_a_second_and_not_much_longer(library: Library, tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "library" / "library.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    with pytest.raises(LibraryError, match="locked"):
        library.put_trace(trace(1))
    assert 0.8 < time.monotonic() - began < 5
    other.execute("ROLLBACK")
    other.close()
    assert library.traces(OWNER) == []


def test_storing_gets_through_while_documents_are_added(tmp_path: Path) -> None:
    texts = {f"d{number}": POLICY.replace("120", str(number)) for number in range(20)}
    folder = write(tmp_path / "documents", **texts)
    with Library.open(tmp_path / "library", lexical_settings()) as library:
        adding = threading.Thread(target=add_files, args=(library, [folder]))
        adding.start()
        stored = 0
        while adding.is_alive() or not stored:
            stored += library.put_trace(trace(stored))
            time.sleep(0.02)  # questions do not follow one another closer than that
        adding.join()
        assert len(library.documents(OWNER)) == 20
        assert len(library.traces(OWNER, 1_000)) == min(stored, 500)


WRITER = """
import sys, time
sys.path.insert(0, sys.argv[1])
from test_traces import trace, lexical_settings
from veriloop import Library
with Library.open(sys.argv[2], lexical_settings()) as library:
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(int(sys.argv[3]), int(sys.argv[3]) + 20):
        assert library.put_trace(trace(number))
        time.sleep(0.02)  # questions do not follow one another closer than that
"""


def test_two_processes_record_at_once_and_lose_nothing(library: Library, tmp_path: Path) -> None:
    here = Path(__file__).parent
    environment = {**os.environ, "PYTHONPATH": str(here.parent.parent)}
    command = [sys.executable, "-c", WRITER, str(here), str(tmp_path / "library")]
    writers = [
        subprocess.Popen(
            [*command, str(first)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        for first in (0, 1_000)
    ]
    for writer in writers:
        assert writer.stdout is not None and writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate(timeout=120)
    assert [writer.returncode for writer in writers] == [0, 0]
    assert len(library.traces(OWNER, 1_000)) == 40
