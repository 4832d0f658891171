"""A library in one file and back: complete while others write, and nothing of a broken file."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.documents import filled, lexical_settings, write
from veriloop import Caller, Library, add_files
from veriloop.configs.settings import ParsingSettings
from veriloop.errors import LibraryError, LibraryFormatError, UsageError
from veriloop.knowledge.backup import read_manifest, restore_backup, write_backup

OWNER = Caller.owner()
SETTINGS = lexical_settings(parsing=ParsingSettings(processes=0))


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with filled(tmp_path, settings=SETTINGS) as opened:
        yield opened


def _contents(folder: Path) -> dict[str, list[str]]:
    with Library.open(folder, SETTINGS, create=False) as library:
        documents = [summary.document for summary in library.documents(OWNER)]
        return {d.name: [block.text for block in library.blocks(d.doc_id, OWNER)] for d in documents}


def test_a_restored_library_holds_finds_and_keeps_closed_what_the_old_one_did(library: Library, tmp_path: Path) -> None:
    library.set_readers(library.find_documents("policy.md")[0].doc_id, frozenset({"hr"}))
    manifest = write_backup(library.folder, tmp_path / "b.zip")
    assert (manifest.documents, manifest.library_version) == (2, library.version)
    restore_backup(tmp_path / "b.zip", tmp_path / "restored")
    assert _contents(tmp_path / "restored") == _contents(library.folder)
    with Library.open(tmp_path / "restored", SETTINGS, create=False) as restored:
        assert restored.search("质量保证期").hits[0].document.name == "contract.md"
        assert [summary.document.name for summary in restored.documents(Caller())] == ["contract.md"]
    assert not list(tmp_path.glob(".veriloop-part-*")) and not list((tmp_path / "restored").glob(".veriloop-part-*"))


def test_a_backup_holds_one_moment_while_others_write(library: Library, tmp_path: Path) -> None:
    ended = threading.Event()

    def keep_writing() -> None:
        for number in range(40):
            add_files(library, [write(tmp_path / "more", **{f"n{number}": f"# N{number}\n\nText {number}.\n"})])
            if ended.is_set():
                return

    writer = threading.Thread(target=keep_writing)
    writer.start()
    try:
        manifests = [write_backup(library.folder, tmp_path / f"{number}.zip") for number in range(4)]
    finally:
        ended.set()
        writer.join()
    for number, manifest in enumerate(manifests):
        restore_backup(tmp_path / f"{number}.zip", tmp_path / f"restored{number}")
        held = _contents(tmp_path / f"restored{number}")
        assert len(held) == manifest.documents and all(held.values())


def test_a_library_with_documents_is_replaced_only_when_asked(library: Library, tmp_path: Path) -> None:
    write_backup(library.folder, tmp_path / "b.zip")
    library.remove(library.find_documents("contract.md")[0].doc_id)
    with pytest.raises(UsageError, match="--replace"):
        restore_backup(tmp_path / "b.zip", library.folder)
    assert list(_contents(library.folder)) == ["policy.md"]
    library.close()
    restore_backup(tmp_path / "b.zip", library.folder, replace=True)
    assert list(_contents(library.folder)) == ["contract.md", "policy.md"]


def test_what_the_log_of_the_old_store_holds_does_not_get_into_the_restored_one(tmp_path: Path) -> None:
    with filled(tmp_path, settings=SETTINGS) as library:
        write_backup(library.folder, tmp_path / "b.zip")
        add_files(library, [write(tmp_path / "late", late="# Late\n\nAfter the backup.\n")])
        # Open still, as in another process that serves questions: its log is not empty.
        restore_backup(tmp_path / "b.zip", library.folder, replace=True)
        assert list(_contents(library.folder)) == ["contract.md", "policy.md"]
        assert len(library.documents(OWNER)) == 3


def test_a_damaged_library_can_be_replaced(library: Library, tmp_path: Path) -> None:
    write_backup(library.folder, tmp_path / "b.zip")
    library.close()
    (library.folder / "library.sqlite").write_bytes(b"no database at all" * 1_000)
    with pytest.raises(UsageError):
        restore_backup(tmp_path / "b.zip", library.folder)
    with pytest.raises(LibraryError):
        write_backup(library.folder, tmp_path / "c.zip")
    assert not (tmp_path / "c.zip").exists()
    restore_backup(tmp_path / "b.zip", library.folder, replace=True)
    assert list(_contents(library.folder)) == ["contract.md", "policy.md"]


@pytest.mark.parametrize("damage", ["cut", "flipped", "text", "empty", "zip", "other store", "newer", "no manifest"])
def test_a_broken_backup_changes_nothing(library: Library, tmp_path: Path, damage: str) -> None:
    backup = tmp_path / "b.zip"
    write_backup(library.folder, backup)
    _break(backup, damage)
    before = _contents(library.folder)
    library.close()
    with pytest.raises(LibraryFormatError):
        restore_backup(backup, library.folder, replace=True)
    assert _contents(library.folder) == before
    with pytest.raises(LibraryFormatError):
        restore_backup(backup, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def _break(backup: Path, damage: str) -> None:
    content = backup.read_bytes()
    with zipfile.ZipFile(backup) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    middle = len(content) // 2
    plain = {
        "cut": content[:middle],
        "flipped": content[:middle] + bytes(64) + content[middle + 64 :],
        "text": b"text",
        "empty": b"",
    }
    if damage in plain:
        backup.write_bytes(plain[damage])
        return
    if damage == "other store":
        members["library.sqlite"] = members["library.sqlite"][:-1] + b"!"
    elif damage == "newer":
        members["manifest.json"] = members["manifest.json"].replace(b'"format": 1', b'"format": 99')
    else:
        del members["manifest.json"]
    with zipfile.ZipFile(backup, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in ({"a.md": b"# A"} if damage == "zip" else members).items():
            archive.writestr(name, part)


def test_a_backup_is_not_overwritten_and_needs_a_library(library: Library, tmp_path: Path) -> None:
    write_backup(library.folder, tmp_path / "b.zip")
    with pytest.raises(UsageError, match="--replace"):
        write_backup(library.folder, tmp_path / "b.zip")
    assert write_backup(library.folder, tmp_path / "b.zip", replace=True) == read_manifest(tmp_path / "b.zip")
    with pytest.raises(UsageError, match="no library"):
        write_backup(tmp_path / "nowhere", tmp_path / "c.zip")
    with pytest.raises(UsageError, match="no such file"):
        restore_backup(tmp_path / "nowhere.zip", tmp_path / "new")
    with pytest.raises(LibraryError):
        write_backup(library.folder, tmp_path / "no folder" / "c.zip")


def test_progress_rises_to_the_end(library: Library, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    write_backup(library.folder, tmp_path / "b.zip", progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told) and told[-1][0] == told[-1][1] > 0


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE meta SET value = '9' WHERE key = 'format_version'",
        "UPDATE meta SET value = 'x' WHERE key = 'format_version'",
        "DROP TABLE meta",
        "DROP TABLE replaced_passages",
        "ALTER TABLE documents DROP COLUMN statements",
        "CREATE TRIGGER opening AFTER INSERT ON documents BEGIN DELETE FROM readers; END",
        "ALTER TABLE readers RENAME TO hidden; CREATE VIEW readers AS SELECT * FROM hidden WHERE 0",
    ],
)
def test_a_backup_whose_store_was_altered_replaces_nothing_although_its_digest_fits(
    library: Library, tmp_path: Path, statement: str
) -> None:
    write_backup(library.folder, tmp_path / "b.zip")
    _alter(tmp_path / "b.zip", tmp_path / "altered.zip", statement)
    before = _contents(library.folder)
    library.close()
    with pytest.raises(LibraryFormatError):
        restore_backup(tmp_path / "altered.zip", library.folder, replace=True)
    assert _contents(library.folder) == before
    assert not list(library.folder.glob(".veriloop-part-*"))


def _alter(backup: Path, altered: Path, statement: str) -> None:
    store = backup.with_suffix(".sqlite")
    with zipfile.ZipFile(backup) as archive:
        store.write_bytes(archive.read("library.sqlite"))
    with closing(sqlite3.connect(store)) as connection:
        connection.executescript(statement)
    digest = hashlib.sha256(store.read_bytes()).hexdigest()
    manifest = read_manifest(backup).model_copy(update={"sha256": digest, "bytes": store.stat().st_size})
    with zipfile.ZipFile(altered, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", manifest.model_dump_json())
        archive.write(store, "library.sqlite")
        archive.writestr("../outside.txt", "text")


def test_what_was_removed_stands_in_no_backup_made_afterwards(library: Library, tmp_path: Path) -> None:
    library.remove(library.find_documents("contract.md")[0].doc_id)
    write_backup(library.folder, tmp_path / "b.zip")
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        held = archive.read("library.sqlite")
    assert "质量保证期".encode() not in held
    assert b"Receipts" in held
