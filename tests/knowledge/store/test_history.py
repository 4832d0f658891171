"""What the library's file keeps of replaced versions, what a removal leaves in it, and how older files are read."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from support.documents import lexical_settings, write
from veriloop import Library, add_files, build_agent
from veriloop.knowledge.documents import Caller, DocumentStatus
from veriloop.knowledge.query.models import SearchFilter

OWNER = Caller.owner()
SETTINGS = lexical_settings()


def rule(days: int, year: int, canary: str) -> str:
    return f"# 考勤办法\n\n本办法自{year}年1月1日起施行。\n\n年休假为{days}天，申请编号前缀为{canary}。\n"


def test_nothing_of_a_removed_document_is_left_in_the_file(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    with Library.open(folder, SETTINGS) as library:
        add_files(library, [write(tmp_path / "d", rule=rule(5, 2022, "ZQXOLD"), other="# 会议\n\n会议室应当登记。\n")])
        add_files(library, [write(tmp_path / "d", rule=rule(7, 2024, "ZQXNEW"))])
        assert "ZQXNEW" in build_agent(library).ask("年休假为几天？").text
        found = library.find_documents("rule", OWNER)[0]
        assert any(b"ZQX" in path.read_bytes() for path in folder.glob("library.sqlite*"))
        assert library.remove(found.doc_id)
        left = [path.name for path in folder.glob("library.sqlite*") if b"ZQX" in path.read_bytes()]
        assert not left
        assert not library.traces(OWNER)
        assert library.blocks_of_version(found.doc_id, found.version, OWNER) == []
        assert "会议室" in library.search("会议室登记", caller=OWNER).hits[0].text
    assert b"ZQX" not in (folder / "library.sqlite").read_bytes()
    with closing(sqlite3.connect(folder / "library.sqlite")) as stored:
        for table in ("passages", "replaced_passages", "placements", "analyses"):
            column = "document" if table != "analyses" else "search_hash"
            assert stored.execute(f"SELECT count(DISTINCT {column}) FROM {table}").fetchone()[0] <= 1


def test_removing_the_text_of_the_oldest_versions_spares_the_blocks_that_others_share(tmp_path: Path) -> None:
    settings = SETTINGS.model_copy(update={"storage": SETTINGS.storage.model_copy(update={"keep_versions": 0})})
    shared = "\n\n## 附则\n\n本办法由人力资源部负责解释。\n"
    with Library.open(tmp_path / "library", settings) as library:
        for days, year in ((5, 2022), (7, 2024)):
            add_files(library, [write(tmp_path / "d", rule=rule(days, year, f"ZQX{year}") + shared)])
        doc_id = library.documents(OWNER)[0].document.doc_id
        assert [one.document.status for one in library.versions(doc_id, OWNER)] == [
            DocumentStatus.TOMBSTONE,
            DocumentStatus.ACTIVE,
        ]
        text = "\n".join(block.text for block in library.blocks(doc_id, OWNER))
        assert "人力资源部" in text
        assert "ZQX2024" in text
    assert b"ZQX2022" not in (tmp_path / "library" / "library.sqlite").read_bytes()


def as_format_2(file: Path) -> None:
    """Make a library's file what format 2 was: replaced versions are tombstones with placements and no passages."""
    with closing(sqlite3.connect(file)) as stored, stored:
        stored.execute("UPDATE documents SET status = 'tombstone' WHERE status = 'replaced'")
        for table in ("memory_documents", "memories", "relations", "graph_blocks", "digests", "replaced_passages"):
            stored.execute(f"DROP TABLE {table}")
        stored.execute("DROP TABLE IF EXISTS trace_filters")
        kept = stored.execute(
            "SELECT DISTINCT a.search_hash, a.analyser, a.analysis FROM analyses a JOIN passages s USING (search_hash)"
        ).fetchall()
        stored.execute("DROP TABLE analyses")
        stored.execute(
            "CREATE TABLE analyses (search_hash TEXT PRIMARY KEY, analyser TEXT NOT NULL, analysis TEXT NOT NULL) "
            "WITHOUT ROWID"
        )
        stored.executemany("INSERT INTO analyses VALUES (?, ?, ?)", kept)
        stored.execute("DELETE FROM meta WHERE key = 'analysed_by'")
        stored.execute("DROP INDEX documents_by_uri")
        for column in ("replaces", "replaced_at", "parse_record", "statements"):
            stored.execute(f"ALTER TABLE documents DROP COLUMN {column}")
        stored.execute("UPDATE meta SET value = '2' WHERE key = 'format_version'")


def test_a_library_of_format_2_opens_with_the_history_that_it_has(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library", SETTINGS) as library:
        for days, year in ((5, 2022), (7, 2024)):
            add_files(library, [write(tmp_path / "d", rule=rule(days, year, f"ZQX{year}"), gone="# 旧文\n\n作废。\n")])
        library.remove(library.find_documents("gone", OWNER)[0].doc_id)
        answer = build_agent(library, caller=OWNER).ask("年休假为几天？")
    as_format_2(tmp_path / "library" / "library.sqlite")
    with Library.open(tmp_path / "library", SETTINGS) as library:
        assert library.reindex_terms() == 0
        trace = library.trace(answer.trace_id, OWNER)
        assert trace is not None and trace.filters is None
        doc_id = library.find_documents("rule", OWNER)[0].doc_id
        old, new = library.versions(doc_id, OWNER)
        assert (old.document.status, new.document.status) == (DocumentStatus.REPLACED, DocumentStatus.ACTIVE)
        assert old.document.replaced_at == new.document.updated_at
        assert "5天" in library.blocks_of_version(doc_id, old.document.version, OWNER)[0].text
        assert "7天" in library.search("年休假几天", caller=OWNER).hits[0].text
        add_files(library, [write(tmp_path / "d", rule=rule(9, 2026, "ZQX2026"))])
        asked = SearchFilter(in_force_on=date(2025, 1, 1))
        assert "7天" in library.search("年休假几天", caller=OWNER, filters=asked).hits[0].text


@pytest.mark.parametrize("value", ["", "x", "2026-13-40"])
def test_a_damaged_date_of_a_version_is_reported_as_damage(tmp_path: Path, value: str) -> None:
    from veriloop.errors import LibraryFormatError

    with Library.open(tmp_path / "library", SETTINGS) as library:
        for days, year in ((5, 2022), (7, 2024)):
            add_files(library, [write(tmp_path / "d", rule=rule(days, year, "Z"))])
    with closing(sqlite3.connect(tmp_path / "library" / "library.sqlite")) as stored, stored:
        stored.execute("UPDATE documents SET effective_from = ? WHERE status = 'replaced'", (value,))
    with Library.open(tmp_path / "library", SETTINGS) as library, pytest.raises(LibraryFormatError):
        library.search("年休假", caller=OWNER, filters=SearchFilter(in_force_on=date(2023, 1, 1)))
