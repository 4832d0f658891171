"""Memory shows an entry only to the same rights, and only while what it rests on is there unchanged."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.documents import CONTRACT, filled, lexical_settings, write
from veriloop import Caller, Library, add_files
from veriloop.configs.memory_settings import MemorySettings
from veriloop.errors import LibraryError, UsageError
from veriloop.knowledge.memory import Memory, MemoryLabel, Said, memory_of
from veriloop.knowledge.upkeep import STORE_FILE

OWNER, HR, NOBODY = Caller.owner(), Caller(readers=frozenset({"hr"})), Caller()
CONCLUSION, STATEMENT, TEMPORARY = MemoryLabel.SYSTEM_CONCLUSION, MemoryLabel.USER_STATEMENT, MemoryLabel.TEMPORARY


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with filled(tmp_path) as opened:
        yield opened


def of_contract(library: Library) -> dict[str, str]:
    (document,) = library.find_documents("contract.md", OWNER)
    return {document.doc_id: document.version}


def concluded(library: Library, text: str = "验收期限为10个工作日", key: str = "验收期限") -> Said:
    return Said(CONCLUSION, text, key, of_contract(library), "trace")


def texts(memory: Memory, query: str, caller: Caller, thread: str = "") -> list[str]:
    return [entry.text for entry in memory.recall(query, caller, thread)]


def test_an_entry_is_found_by_its_words_with_its_label_and_date(library: Library) -> None:
    memory = memory_of(library)
    assert memory.remember(concluded(library), OWNER)
    assert memory.remember(Said(STATEMENT, "我在采购部", "a"), OWNER)
    (entry,) = memory.recall("之前说的验收期限是多少", OWNER)
    assert (entry.text, entry.label, entry.trace_id) == ("验收期限为10个工作日", CONCLUSION, "trace")
    assert entry.documents == of_contract(library)
    assert memory.recall("食堂几点开门", OWNER) == []
    assert memory.recall("验收期限", OWNER, label=STATEMENT)[0].text == "我在采购部"


def test_a_question_about_the_talk_itself_gets_the_latest(library: Library) -> None:
    memory = memory_of(library)
    for number in range(3):
        memory.remember(concluded(library, f"结论{number}", str(number)), OWNER)
    assert texts(memory, "我上一个问题是什么？", OWNER) == ["结论2"]
    assert texts(memory, "What did I ask before?", OWNER) == ["结论2", "结论1", "结论0"]


def test_only_the_same_rights_see_an_entry(library: Library) -> None:
    memory = memory_of(library)
    for caller, text in ((OWNER, "验收归主人"), (HR, "验收归人事"), (NOBODY, "验收归无名")):
        memory.remember(concluded(library, text), caller, "t")
    more = Caller(readers=frozenset({"hr", "finance"}))
    found = {name: texts(memory, "验收", caller, "t") for name, caller in
             (("owner", OWNER), ("hr", HR), ("nobody", NOBODY), ("more", more))}  # fmt: skip
    assert found == {"owner": ["验收归主人"], "hr": ["验收归人事"], "nobody": ["验收归无名"], "more": []}


def test_other_conversations_share_conclusions_of_named_rights_and_nothing_of_the_nameless(library: Library) -> None:
    memory = memory_of(library)
    for caller in (HR, NOBODY):
        memory.remember(concluded(library), caller, "a")
        memory.remember(Said(STATEMENT, "我在验收部", "b"), caller, "a")
        memory.remember(Said(TEMPORARY, "验收库存为3", "c"), caller, "a")
    assert len(texts(memory, "验收", HR, "a")) == len(texts(memory, "验收", NOBODY, "a")) == 3
    assert texts(memory, "验收", HR, "b") == ["验收期限为10个工作日"]
    assert texts(memory, "验收", NOBODY, "b") == texts(memory, "验收", NOBODY) == []


def test_what_rests_on_a_document_goes_when_that_changes(library: Library, tmp_path: Path) -> None:
    memory = memory_of(library)
    memory.remember(concluded(library), OWNER)
    old = concluded(library)
    add_files(library, [write(tmp_path / "documents", contract=CONTRACT.replace("10个", "15个"))])
    assert memory.entries(OWNER) == []
    assert not memory.remember(old, OWNER)
    assert memory.remember(concluded(library), OWNER)


def test_what_rests_on_a_document_goes_when_that_is_removed(library: Library) -> None:
    memory = memory_of(library)
    memory.remember(concluded(library), OWNER)
    memory.remember(Said(STATEMENT, "我在采购部", "a"), OWNER)
    assert library.remove(next(iter(of_contract(library))))
    assert [entry.label for entry in memory.entries(OWNER)] == [STATEMENT]
    assert b"\xe9\xaa\x8c\xe6\x94\xb6\xe6\x9c\x9f\xe9\x99\x90" not in (library.folder / STORE_FILE).read_bytes()


def test_what_rests_on_a_document_hides_when_its_readers_change(library: Library, tmp_path: Path) -> None:
    memory = memory_of(library)
    memory.remember(concluded(library), HR)
    assert texts(memory, "验收期限", HR)
    add_files(library, [tmp_path / "documents"], readers=frozenset({"board"}))
    assert texts(memory, "验收期限", HR) == []
    assert memory.entries(HR) == []


def test_the_oldest_go_and_the_same_question_is_kept_once(library: Library) -> None:
    memory = Memory(library.folder / STORE_FILE, MemorySettings(keep=2))
    for number in range(4):
        memory.remember(concluded(library, f"结论{number}", str(number)), OWNER)
    memory.remember(concluded(library, "新结论3", "3"), OWNER)
    assert [entry.text for entry in memory.entries(OWNER)] == ["新结论3", "结论2"]


def test_temporary_entries_end(library: Library) -> None:
    memory = Memory(library.folder / STORE_FILE, MemorySettings(temporary_days=0))
    assert memory.remember(Said(TEMPORARY, "库存为3", "a"), OWNER, "t")
    assert memory.recall("库存", OWNER, "t") == []
    memory.remember(Said(STATEMENT, "我在采购部", "b"), OWNER, "t")
    assert [entry.text for entry in memory.entries(OWNER)] == ["我在采购部"]


@pytest.mark.parametrize("chosen", [MemorySettings(enabled=False), MemorySettings(keep=0)])
def test_nothing_is_kept_where_memory_is_off(library: Library, chosen: MemorySettings) -> None:
    memory = Memory(library.folder / STORE_FILE, chosen)
    assert not memory.remember(concluded(library), OWNER)
    assert memory_of(library).entries(OWNER) == []


def test_entries_are_forgotten_one_by_one_by_conversation_or_all(library: Library) -> None:
    memory = memory_of(library)
    for thread in ("a", "a", "b", "c"):
        memory.remember(Said(STATEMENT, f"我在{thread}部", f"{thread}{len(memory.entries(HR, thread))}"), HR, thread)
    memory.remember(concluded(library), OWNER)
    with pytest.raises(UsageError, match="what to forget"):
        memory.forget(HR)
    assert memory.forget(HR, thread_id="b") == 1
    first = memory.entries(HR, "a")[0]
    assert memory.forget(NOBODY, memory_id=first.memory_id, thread_id="a") == 0
    assert memory.forget(HR, memory_id=first.memory_id, thread_id="a") == 1
    assert memory.forget(OWNER, everything=True) == 3
    assert memory.entries(OWNER) == []


def test_a_library_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match=r"gone\.sqlite"):
        Memory(tmp_path / "gone.sqlite", MemorySettings()).entries(OWNER)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=200), st.text(max_size=80), st.text(max_size=80))
def test_any_text_can_be_remembered_and_looked_for(library: Library, text: str, thread: str, query: str) -> None:
    memory = memory_of(library)
    said = Said(STATEMENT, text, text)
    assert memory.remember(said, HR, thread)
    assert all(entry.created_at.utcoffset() == timedelta(0) for entry in memory.recall(query, HR, thread))


def test_memory_is_there_when_the_library_is_opened_again(tmp_path: Path) -> None:
    with filled(tmp_path, settings=lexical_settings()) as library:
        assert memory_of(library).remember(concluded(library), NOBODY, "t")
    with Library.open(tmp_path / "library", lexical_settings()) as library:
        assert texts(memory_of(library), "验收期限", NOBODY, "t") == ["验收期限为10个工作日"]
