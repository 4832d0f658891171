"""The library as its users meet it: add, search, update, remove, readers, versions, damage."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from support.documents import CONTRACT, POLICY, SECRET, filled, lexical_settings, write
from veriloop import Caller, Library, add_files
from veriloop.errors import LibraryBusyError, LibraryError, LibraryFormatError, UsageError
from veriloop.knowledge.documents import DocumentStatus

OWNER = Caller.owner()


def found(library: Library, query: str, caller: Caller | None = None) -> list[str]:
    return [hit.document.name for hit in library.search(query, caller=caller).hits]


@pytest.mark.parametrize(
    ("query", "document"),
    [
        ("验收是几个工作日", "contract.md"),
        ("HN-3200 的功率", "contract.md"),
        ("第3条", "contract.md"),
        ("違約金是多少", "contract.md"),
        ("How much may a hotel cost?", "policy.md"),
        ("ＨＮ－３２００", "contract.md"),
    ],
)
def test_a_search_puts_the_right_document_first(tmp_path: Path, query: str, document: str) -> None:
    with filled(tmp_path) as library:
        assert found(library, query)[0] == document


def test_a_query_about_nothing_in_the_library_finds_nothing(tmp_path: Path) -> None:
    with filled(tmp_path) as library:
        assert not library.search("zzzxqj").hits


def test_adding_unchanged_files_again_does_no_work(tmp_path: Path) -> None:
    with filled(tmp_path) as library:
        version = library.version
        report = add_files(library, [tmp_path / "documents"])
        assert (report.unchanged, report.added, report.updated) == (("contract.md", "policy.md"), (), ())
        assert library.version == version


def test_a_changed_file_replaces_its_old_version(tmp_path: Path) -> None:
    with filled(tmp_path) as library:
        write(tmp_path / "documents", contract=CONTRACT.replace("10个工作日", "7个工作日"))
        report = add_files(library, [tmp_path / "documents"])
        assert (report.updated, report.unchanged) == (("contract.md",), ("policy.md",))
        text = library.search("验收工作日").hits[0].text
        assert "7个工作日" in text and "10个工作日" not in text


def test_unchanged_blocks_of_a_changed_file_keep_their_ids(tmp_path: Path) -> None:
    clauses = [f"## 第{n}章\n\n" + "".join(f"第{n}章的第{i}句话说明一件事。" for i in range(60)) for n in "一二三"]
    folder = write(tmp_path / "documents", long="\n\n".join(clauses))
    with Library.open(tmp_path / "library", lexical_settings()) as library:
        add_files(library, [folder])
        (document,) = library.find_documents("long.md")
        before = {block.block_id for block in library.blocks(document.doc_id)}
        write(folder, long="\n\n".join([clauses[0].replace("第3句", "第三句"), *clauses[1:]]))
        add_files(library, [folder])
        after = {block.block_id for block in library.blocks(document.doc_id)}
        assert len(before & after) >= 2 and before != after


def test_a_removed_document_is_gone_everywhere_at_once(tmp_path: Path) -> None:
    with filled(tmp_path) as library:
        (document,) = library.find_documents("contract.md")
        block = library.blocks(document.doc_id)[0]
        assert library.remove(document.doc_id)
        assert "contract.md" not in found(library, "验收 工作日 HN-3200")
        assert library.block(block.block_id, OWNER) is None
        assert [s.document.name for s in library.documents(OWNER)] == ["policy.md"]
        with sqlite3.connect(tmp_path / "library" / "library.sqlite") as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            assert connection.execute("SELECT count(*) FROM blocks WHERE text LIKE '%HN-3200%'").fetchone() == (0,)
        connection.close()


def test_a_removed_document_can_be_added_again(tmp_path: Path) -> None:
    with filled(tmp_path) as library:
        (document,) = library.find_documents("contract.md")
        library.remove(document.doc_id)
        assert add_files(library, [tmp_path / "documents"]).added == ("contract.md",)
        assert "contract.md" in found(library, "HN-3200")


def test_each_change_raises_the_library_version(tmp_path: Path) -> None:
    with filled(tmp_path) as library:
        version = library.version
        (document,) = library.find_documents("policy.md")
        library.remove(document.doc_id)
        assert library.version == version + 1


def test_what_a_caller_may_not_read_shows_nowhere(tmp_path: Path) -> None:
    with filled(tmp_path) as library:
        add_files(library, [write(tmp_path / "secret", salaries=SECRET)], readers=frozenset({"hr"}))
        (document,) = library.find_documents("salaries.md", OWNER)
        block = library.blocks(document.doc_id, OWNER)[0]
        for caller in (None, Caller(), Caller(readers=frozenset({"sales"}))):
            assert "salaries.md" not in found(library, "总经理的年薪 金丝雀", caller)
            assert library.block(block.block_id, caller) is None
            assert library.blocks(document.doc_id, caller) == []
            assert not library.find_documents("salaries.md", caller)
            assert "salaries.md" not in [s.document.name for s in library.documents(caller)]
        for caller in (OWNER, Caller(readers=frozenset({"hr", "sales"}))):
            assert found(library, "金丝雀", caller) == ["salaries.md"]


def test_scores_do_not_tell_which_words_occur_in_documents_that_a_caller_may_not_read(tmp_path: Path) -> None:
    with filled(tmp_path) as library:
        add_files(library, [write(tmp_path / "secret", salaries=SECRET)], readers=frozenset({"hr"}))
        scores = {word: [hit.score for hit in library.search(f"验收 {word}").hits] for word in ("金丝雀", "鸸鹋")}
        assert scores["金丝雀"] == scores["鸸鹋"]


def test_history_is_no_way_around_new_readers(tmp_path: Path) -> None:
    with filled(tmp_path) as library:
        changed = CONTRACT.replace("24个月", "36个月")
        add_files(library, [write(tmp_path / "documents", contract=changed)], readers=frozenset({"legal"}))
        assert "contract.md" not in [s.document.name for s in library.documents(Caller(), with_tombstones=True)]


def test_index_files_of_another_library_are_never_taken_for_ones_own(tmp_path: Path) -> None:
    filled(tmp_path).close()
    for file in (tmp_path / "library").glob("library.sqlite*"):
        file.unlink()
    with Library.open(tmp_path / "library", lexical_settings()) as library:
        texts = {"helmets": "# 头盔\n\n骑车必须戴头盔。", "parking": "# 停车\n\n停车费为每小时5元。"}
        add_files(library, [write(tmp_path / "other", **texts)])
        assert found(library, "停车费") == ["parking.md"]


def test_a_store_that_was_cut_off_is_not_taken_for_an_empty_one(tmp_path: Path) -> None:
    filled(tmp_path).close()
    (tmp_path / "library" / "library.sqlite").write_bytes(b"")
    with pytest.raises(LibraryFormatError, match="cut off"):
        Library.open(tmp_path / "library", lexical_settings())


def test_pipes_and_odd_links_and_names_are_reported_and_the_rest_goes_in(tmp_path: Path) -> None:
    folder = write(tmp_path / "documents", good=CONTRACT)
    os.mkfifo(folder / "pipe.txt")
    (folder / "loop.md").symlink_to(folder / "loop.md")
    (folder / "device.txt").symlink_to("/dev/zero")
    (Path(os.fsdecode(os.fsencode(folder) + b"/latin\xe9.md"))).write_text(POLICY, encoding="utf-8")
    with Library.open(folder / "library", lexical_settings()) as library:
        report = add_files(library, [folder, "", "x" * 5000])
        assert report.added == ("good.md", "latin�.md")
        assert {failed.path[:12] for failed in report.failed} >= {"pipe.txt", "loop.md", "device.txt", "", "x" * 12}
        assert add_files(library, [folder]).added == ()


def test_readers_stay_when_a_restricted_file_changes(tmp_path: Path) -> None:
    with filled(tmp_path) as library:
        folder = write(tmp_path / "secret", salaries=SECRET)
        add_files(library, [folder], readers=frozenset({"hr"}))
        write(folder, salaries=SECRET.replace("300", "400"))
        assert add_files(library, [folder]).updated == ("salaries.md",)
        assert "salaries.md" not in found(library, "总经理的年薪")


def test_readers_of_an_unchanged_file_can_be_changed(tmp_path: Path) -> None:
    with filled(tmp_path) as library:
        assert found(library, "HN-3200") == ["contract.md"]
        report = add_files(library, [tmp_path / "documents" / "contract.md"], readers=frozenset({"legal"}))
        assert report.updated == ("contract.md",)
        assert found(library, "HN-3200") == []


@pytest.mark.parametrize("query", ["", "   \n", "问" * 4001])
def test_an_unusable_query_is_refused(tmp_path: Path, query: str) -> None:
    with filled(tmp_path) as library, pytest.raises(UsageError):
        library.search(query)


ODD = ("。。。", "的", "'; DROP TABLE documents; --", ".*(?=x)", "a" * 4000, "\x00验收", "😀")


@pytest.mark.parametrize("query", ODD)
def test_odd_queries_are_searched_without_harm(tmp_path: Path, query: str) -> None:
    with filled(tmp_path) as library:
        library.search(query)
        assert found(library, "HN-3200") == ["contract.md"]


def test_a_library_of_a_newer_format_is_refused_and_left_alone(tmp_path: Path) -> None:
    filled(tmp_path).close()
    file = tmp_path / "library" / "library.sqlite"
    connection = sqlite3.connect(file)
    connection.execute("UPDATE meta SET value = '99' WHERE key = 'format_version'")
    connection.commit()
    connection.close()
    with pytest.raises(LibraryFormatError, match=r"newer version.*upgrade"):
        Library.open(tmp_path / "library", lexical_settings())


def test_a_file_that_is_no_library_is_refused_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "library.sqlite").write_bytes(b"this is not a database, but it is long enough to be read as one" * 20)
    with pytest.raises(LibraryFormatError, match=r"library\.sqlite"):
        Library.open(tmp_path, lexical_settings())


def test_a_missing_library_is_not_created_by_reading(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no library here"):
        Library.open(tmp_path / "nowhere", lexical_settings(), create=False)
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("damage", ["delete", "truncate", "garbage"])
def test_damaged_index_files_are_rebuilt(tmp_path: Path, damage: str) -> None:
    filled(tmp_path).close()
    index = tmp_path / "library" / "index"
    if damage == "delete":
        shutil.rmtree(index)
    for file in index.rglob("*.*") if index.exists() else ():
        if file.is_file():
            file.write_bytes(b"" if damage == "truncate" else b"garbage")
    with Library.open(tmp_path / "library", lexical_settings()) as library:
        assert found(library, "HN-3200") == ["contract.md"]


HOLDER = """
import sys
from veriloop import Library
from veriloop.configs import load_settings
settings = load_settings(environment={})
with Library.open(sys.argv[1], settings) as library, library.writing("add"):
    print("ready", flush=True)
    sys.stdin.readline()
"""


def test_a_second_writer_is_told_who_holds_the_lock_and_readers_never_wait(tmp_path: Path) -> None:
    filled(tmp_path).close()
    command = [sys.executable, "-c", HOLDER, str(tmp_path / "library")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None and holder.stdin is not None
        assert holder.stdout.readline() == "ready\n"
        settings = lexical_settings()
        impatient = settings.model_copy(update={"storage": settings.storage.model_copy(update={"lock_seconds": 0.3})})
        told: list[str] = []
        with Library.open(tmp_path / "library", impatient) as library:
            assert found(library, "HN-3200") == ["contract.md"]
            with (
                pytest.raises(LibraryBusyError, match=rf"process {holder.pid} \(add"),
                library.writing("remove", told.append),
            ):
                pass
        assert str(holder.pid) in told[0]
        holder.stdin.write("\n")


def test_a_failing_transaction_leaves_the_document_before_in_place(tmp_path: Path) -> None:
    with filled(tmp_path) as library:
        connection = sqlite3.connect(tmp_path / "library" / "library.sqlite")
        connection.execute(
            "CREATE TRIGGER refuse BEFORE INSERT ON passages BEGIN SELECT RAISE(ABORT, 'disk is full'); END"
        )
        connection.commit()
        connection.close()
        write(tmp_path / "documents", contract=CONTRACT.replace("10个", "7个"))
        with pytest.raises(LibraryError, match="disk is full"):
            add_files(library, [tmp_path / "documents"])
        assert "10个工作日" in library.search("验收工作日").hits[0].text


def test_an_update_leaves_the_old_version_as_history(tmp_path: Path) -> None:
    with filled(tmp_path) as library:
        write(tmp_path / "documents", policy=POLICY.replace("120", "150"))
        add_files(library, [tmp_path / "documents"])
        states = [s.document.status for s in library.documents(OWNER, with_tombstones=True)]
        assert sorted(states) == [DocumentStatus.ACTIVE, DocumentStatus.ACTIVE, DocumentStatus.REPLACED]


def test_one_bad_file_does_not_stop_the_others(tmp_path: Path) -> None:
    folder = write(tmp_path / "documents", good=CONTRACT)
    (folder / "broken.docx").write_bytes(b"PK\x03\x04 not really")
    (folder / "empty.txt").write_bytes(b"")
    with Library.open(tmp_path / "library", lexical_settings()) as library:
        report = add_files(library, [folder, tmp_path / "missing.pdf"])
        assert report.added == ("good.md",)
        reasons = {Path(failed.path).name: failed.reason for failed in report.failed}
        assert set(reasons) == {"broken.docx", "empty.txt", "missing.pdf"}
        assert "does not exist" in reasons["missing.pdf"]


def test_an_empty_folder_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with Library.open(tmp_path / "library", lexical_settings()) as library:
        report = add_files(library, [tmp_path / "empty"])
        assert (report.added, report.failed) == ((), ())
        assert not library.search("验收").hits
