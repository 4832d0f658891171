"""Opening a library does not look at every passage for what its analyser has left out."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.documents import lexical_settings, write
from veriloop import Caller, Library, add_files
from veriloop.configs.settings import SearchSettings
from veriloop.knowledge.analysis import Analysers
from veriloop.knowledge.store import SqliteStore

OWNER = Caller.owner()
TEXTS = {"zh": "# 假期\n\n员工每年享有带薪年休假十五天。", "en": "# Leave\n\nEmployees have fifteen days of leave."}


def looks(library: Library, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    seen: list[str] = []
    original = SqliteStore.passages_to_analyse

    def counted(self: SqliteStore, analysers: Analysers, limit: int, *, after: int = 0) -> object:
        seen.append(analysers.name)
        return original(self, analysers, limit, after=after)

    monkeypatch.setattr(SqliteStore, "passages_to_analyse", counted)
    return seen


def test_a_library_that_was_filled_is_opened_without_a_look_at_its_passages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Library.open(tmp_path / "library", lexical_settings()) as library:
        add_files(library, [write(tmp_path / "documents", **TEXTS)])
    with Library.open(tmp_path / "library", lexical_settings()) as library:
        seen = looks(library, monkeypatch)
        assert library.search("年休假有几天", caller=OWNER).hits
        assert library.search("days of leave", caller=OWNER).hits
        assert seen == []


def test_another_dictionary_is_noticed_and_the_first_one_again(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("带薪年休假 vacation\n", encoding="utf-8")
    plain = lexical_settings()
    taught = lexical_settings(search=SearchSettings(dictionary=str(words)))
    with Library.open(tmp_path / "library", plain) as library:
        add_files(library, [write(tmp_path / "documents", **TEXTS)])
    for settings, query in ((taught, "vacation"), (plain, "年休假有几天"), (taught, "vacation")):
        with Library.open(tmp_path / "library", settings) as library:
            assert library.search(query, caller=OWNER).hits
            library.refresh()
