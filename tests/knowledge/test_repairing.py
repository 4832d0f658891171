"""A repair makes anew what is derived, removes what belongs to nothing, and names what is lost."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.documents import filled, lexical_settings
from veriloop import Caller, Library, add_files
from veriloop.configs.settings import ParsingSettings
from veriloop.errors import LibraryFormatError
from veriloop.knowledge.repairing import Repair, repair

OWNER = Caller.owner()


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with filled(tmp_path, settings=lexical_settings(parsing=ParsingSettings(processes=0))) as opened:
        yield opened


def _change(library: Library, *statements: str) -> None:
    with closing(sqlite3.connect(library.folder / "library.sqlite", isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def _count(library: Library, table: str) -> int:
    with closing(sqlite3.connect(library.folder / "library.sqlite")) as connection:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def test_a_sound_library_keeps_everything(library: Library) -> None:
    tables = ("documents", "blocks", "placements", "passages", "analyses", "readers", "aliases")
    before = [_count(library, table) for table in tables]
    version = library.version
    made = repair(library, library.refresh)
    assert made == Repair(("the store is sound", "index files were made anew"), ())
    assert [_count(library, table) for table in tables] == before and library.version == version
    assert library.search("质量保证期").hits[0].document.name == "contract.md"


def test_index_files_are_made_anew(library: Library) -> None:
    library.refresh()
    old = {path.name for path in (library.folder / "index").iterdir()}
    library.close()
    for path in (library.folder / "index").iterdir():
        path.unlink()
        path.write_bytes(b"damaged")
    with Library.open(library.folder, library.settings) as opened:
        repair(opened, opened.refresh)
        assert opened.search("质量保证期").hits[0].document.name == "contract.md"
    new = {path.name for path in (library.folder / "index").iterdir()}
    assert new and not new & old


def test_what_belongs_to_nothing_goes(library: Library) -> None:
    _change(
        library,
        "INSERT INTO blocks VALUES ('lost', 'nobody', 'text', 'A secret that nothing refers to.')",
        "INSERT INTO analyses VALUES ('lost', '', '1', '')",
        "INSERT INTO vectors (model, search_hash, vector) VALUES ('m', 'lost', x'00000000')",
        "INSERT INTO readers VALUES (999, 'nobody')",
        "INSERT INTO passages (document, block_id, start, \"end\", search_hash) VALUES (1, 'no block', 0, 1, 'lost')",
    )
    made = repair(library, library.refresh)
    assert [done.split(" ", 2)[2] for done in made.done if done.startswith("removed")] == [
        "readers of no document",
        "blocks that stand nowhere",
        "passages of no block",
        "analyses of no passage",
        "vectors of no passage",
    ]
    assert repair(library, library.refresh).done == ("the store is sound", "index files were made anew")
    assert len(library.documents(OWNER)) == 2


def test_a_document_in_parts_goes_and_is_named(library: Library, tmp_path: Path) -> None:
    _change(library, "DELETE FROM placements WHERE document = 1 AND ordinal = 0")
    made = repair(library, library.refresh)
    assert made.lost == ("contract.md",)
    assert [summary.document.name for summary in library.documents(OWNER)] == ["policy.md"]
    assert add_files(library, [tmp_path / "documents"]).added == ("contract.md",)


def test_what_killed_processes_left_goes_when_it_is_old(library: Library) -> None:
    old, young = (library.folder / f".veriloop-part-{name}" for name in ("old", "young"))
    for path in (old, young):
        path.write_bytes(b"half")
    os.utime(old, (time.time() - 7_200,) * 2)
    (library.folder / "unpacked-1").mkdir()
    repair(library, library.refresh)
    assert (old.exists(), young.exists(), (library.folder / "unpacked-1").exists()) == (False, True, False)


def test_a_damaged_store_is_left_as_it_is_and_named(library: Library) -> None:
    library.refresh()
    _change(library, "PRAGMA wal_checkpoint(TRUNCATE)")
    path = library.folder / "library.sqlite"
    content = bytearray(path.read_bytes())
    for place in range(3 * 4_096, len(content), 2 * 4_096):
        content[place : place + 512] = b"\xff" * 512
    library.close()
    path.write_bytes(content)
    before = path.read_bytes()
    with pytest.raises(LibraryFormatError), Library.open(library.folder, library.settings) as damaged:
        repair(damaged, damaged.refresh)
    assert path.read_bytes() == before
