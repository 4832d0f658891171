"""A document keeps its history: a day in the past is answered by what was in force then, all else by the present."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.documents import lexical_settings, write
from veriloop import Library, add_files
from veriloop.knowledge.documents import Caller, DocumentStatus
from veriloop.knowledge.query.models import SearchFilter
from veriloop.knowledge.search import SearchResult
from veriloop.knowledge.versions import StoredVersion, in_force

OWNER = Caller.owner()
HOTEL = "差旅住宿费标准为每晚{limit}元。"
DAYS = st.dates(date(2015, 1, 1), date(2030, 1, 1))


def regulation(limit: int, year: int) -> str:
    """A rule whose figure changes with its version, beside a clause that stays."""
    return (
        f"# 差旅费管理办法\n\n本办法自{year}年1月1日起施行。\n\n## 第一章 住宿\n\n"
        f"第一条 {HOTEL.format(limit=limit)}\n\n"
        "## 第二章 报销\n\n第二条 报销单应当在出差结束后十日内提交。\n"
    )


def put(library: Library, folder: Path, **texts: str) -> None:
    add_files(library, [write(folder / "documents", **texts)])


def changed(folder: Path) -> Library:
    """A library in which a rule of 2022 was replaced by that of 2024, beside a document without history."""
    library = Library.open(folder / "library", lexical_settings())
    put(library, folder, rule=regulation(300, 2022), other="# 会议室\n\n会议室的使用应当提前一日登记。\n")
    library.refresh()
    put(library, folder, rule=regulation(500, 2024))
    return library


def on(library: Library, day: date, query: str = "差旅住宿费标准是多少？", caller: Caller = OWNER) -> SearchResult:
    return library.search(query, caller=caller, filters=SearchFilter(in_force_on=day))


def found(result: SearchResult) -> str:
    return "\n".join(hit.text for hit in result.hits)


def test_a_day_in_the_past_is_searched_as_it_was(tmp_path: Path) -> None:
    with changed(tmp_path) as library:
        old, new = on(library, date(2023, 5, 1)), on(library, date(2024, 5, 1))
        assert "300元" in found(old)
        assert "500元" not in found(old)
        assert "500元" in found(new)
        assert "300元" not in found(new)
        assert "300元" not in found(library.search("差旅住宿费标准300元", caller=OWNER))


def test_a_hit_from_a_replaced_version_says_so(tmp_path: Path) -> None:
    with changed(tmp_path) as library:
        old, new = on(library, date(2023, 5, 1)).hits[0], on(library, date(2024, 5, 1)).hits[0]
        assert old.document.status is DocumentStatus.REPLACED
        assert old.document.replaced_at is not None
        assert old.document.effective_from == date(2022, 1, 1)
        assert new.document.status is DocumentStatus.ACTIVE
        assert old.document.doc_id == new.document.doc_id
        assert old.document.version != new.document.version


def test_the_block_of_a_replaced_version_is_found_by_its_id(tmp_path: Path) -> None:
    with changed(tmp_path) as library:
        hit = on(library, date(2023, 5, 1)).hits[0]
        block, document = library.block(hit.block.block_id, OWNER) or pytest.fail("no such block")
        assert block == hit.block
        assert document.version == hit.document.version


def test_before_a_document_began_nothing_of_it_is_found(tmp_path: Path) -> None:
    with changed(tmp_path) as library:
        assert "差旅" not in found(on(library, date(2021, 5, 1)))


def test_documents_without_history_are_searched_beside_the_old_versions(tmp_path: Path) -> None:
    with changed(tmp_path) as library:
        assert "会议室" in found(on(library, date(2023, 5, 1), "会议室怎么登记？"))
        assert "十日内" in found(on(library, date(2023, 5, 1), "报销单何时提交？"))


def test_a_version_that_is_not_in_force_yet_waits_for_its_day(tmp_path: Path) -> None:
    with changed(tmp_path) as library:
        put(library, tmp_path, rule=regulation(800, 2090))
        assert "500元" in found(library.search("现行有效的差旅费管理办法中住宿费标准是多少？", caller=OWNER))
        assert "800元" in found(on(library, date(2091, 1, 1)))


def test_a_question_about_the_rules_of_a_year_is_answered_by_the_version_of_that_year(tmp_path: Path) -> None:
    with changed(tmp_path) as library:
        result = library.search("2022年有效的管理办法里，差旅住宿费标准是多少？", caller=OWNER)
        assert "300元" in found(result)
        assert "500元" not in found(result)


def test_history_is_no_way_around_the_readers(tmp_path: Path) -> None:
    with changed(tmp_path) as library:
        doc_id = on(library, date(2023, 5, 1)).hits[0].document.doc_id
        library.set_readers(doc_id, frozenset({"finance"}))
        assert "差旅" not in found(on(library, date(2023, 5, 1), caller=Caller()))
        assert library.versions(doc_id, Caller()) == []
        old = library.versions(doc_id, OWNER)[0].document.version
        assert library.blocks_of_version(doc_id, old, OWNER)
        assert library.blocks_of_version(doc_id, old, Caller()) == []
        assert "300元" in found(on(library, date(2023, 5, 1), caller=Caller(readers=frozenset({"finance"}))))


def test_what_is_left_of_a_removed_document_tells_nothing_to_the_readers_of_the_next_one(tmp_path: Path) -> None:
    secret = write(tmp_path / "documents", rule="# 收购银河公司的方案\n\n收购价为九亿元。\n")
    with Library.open(tmp_path / "library", lexical_settings()) as library:
        add_files(library, [secret], readers=frozenset({"boss"}))
        library.remove(library.documents(OWNER)[0].document.doc_id)
        add_files(library, [write(secret, rule="# 通知\n\n食堂周五休息。\n")])
        left = library.documents(Caller(), with_tombstones=True)
        assert [one.document.title for one in left] == ["通知"]
        assert len(library.documents(Caller(readers=frozenset({"boss"})), with_tombstones=True)) == 2
    files = [path for path in (tmp_path / "library").rglob("*") if path.is_file()]
    assert not [path.name for path in files if "银河".encode() in path.read_bytes()]


def test_looking_at_the_past_leaves_the_index_files_as_they_are(tmp_path: Path) -> None:
    with changed(tmp_path) as library:
        library.refresh()
        files = {path: path.read_bytes() for path in (tmp_path / "library" / "index").rglob("*") if path.is_file()}
        assert on(library, date(2023, 5, 1)).hits
        assert {p: p.read_bytes() for p in (tmp_path / "library" / "index").rglob("*") if p.is_file()} == files


def test_the_past_is_searched_where_no_index_file_is_left(tmp_path: Path) -> None:
    with changed(tmp_path) as library:
        expected = [hit.block.block_id for hit in on(library, date(2023, 5, 1)).hits]
    shutil.rmtree(tmp_path / "library" / "index")
    with Library.open(tmp_path / "library", lexical_settings()) as library:
        assert [hit.block.block_id for hit in on(library, date(2023, 5, 1)).hits] == expected


def test_more_days_than_stay_open_are_each_searched_as_they_were(tmp_path: Path) -> None:
    years = range(2016, 2024)
    with Library.open(tmp_path / "library", lexical_settings()) as library:
        for year in years:
            put(library, tmp_path, rule=regulation(year - 1900, year))
        for year in (*years, *years):
            assert f"每晚{year - 1900}元" in found(on(library, date(year, 7, 1)))


def test_the_past_changes_with_the_library(tmp_path: Path) -> None:
    with changed(tmp_path) as library:
        assert "300元" in found(on(library, date(2023, 5, 1)))
        put(library, tmp_path, rule=regulation(350, 2023))
        assert "350元" in found(on(library, date(2023, 5, 1)))
        assert "300元" in found(on(library, date(2022, 5, 1)))


def test_the_past_is_searched_from_several_threads_at_once(tmp_path: Path) -> None:
    years = range(2016, 2024)
    with Library.open(tmp_path / "library", lexical_settings()) as library:
        for year in years:
            put(library, tmp_path, rule=regulation(year - 1900, year))
        with ThreadPoolExecutor(4) as pool:
            texts = list(pool.map(lambda year: found(on(library, date(year, 7, 1))), [*years] * 3))
    assert all(f"每晚{year - 1900}元" in text for year, text in zip([*years] * 3, texts, strict=True))


class TwoTopics:
    """An embedding model that knows two topics."""

    name, dimension = "two-topics", 2

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return np.asarray(self.embed_passages([text])[0], dtype=np.float32)

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([[1, 0] if "住宿" in text or "lodging" in text else [0, 1] for text in texts], dtype=np.float32)


def test_vectors_of_replaced_passages_find_them_on_their_day(tmp_path: Path) -> None:
    (tmp_path / "library").mkdir()
    with Library(tmp_path / "library", lexical_settings(), TwoTopics()) as library:
        for limit, year in ((300, 2022), (500, 2024)):
            put(library, tmp_path, rule=regulation(limit, year))
            library.embed()
        old = on(library, date(2023, 5, 1), "lodging")
        assert old.vectors_used
        assert "300元" in old.hits[0].text
        assert "500元" in on(library, date(2024, 5, 1), "lodging").hits[0].text


def test_only_so_many_replaced_versions_keep_their_text(tmp_path: Path) -> None:
    settings = lexical_settings()
    settings = settings.model_copy(update={"storage": settings.storage.model_copy(update={"keep_versions": 1})})
    with Library.open(tmp_path / "library", settings) as library:
        for limit, year in ((100, 2020), (300, 2022), (500, 2024)):
            put(library, tmp_path, rule=regulation(limit, year))
        doc_id = library.documents(OWNER)[0].document.doc_id
        versions = library.versions(doc_id, OWNER)
        assert [one.document.status.value for one in versions] == ["tombstone", "replaced", "active"]
        assert library.blocks_of_version(doc_id, versions[0].document.version, OWNER) == []
        assert not on(library, date(2021, 5, 1)).hits
        assert "300元" in found(on(library, date(2023, 5, 1)))
        assert "十日内" in found(on(library, date(2023, 5, 1), "报销单何时提交？"))


def test_a_document_that_was_removed_has_no_history_when_it_comes_back(tmp_path: Path) -> None:
    with changed(tmp_path) as library:
        doc_id = next(s.document.doc_id for s in library.documents(OWNER) if s.document.name.endswith("rule.md"))
        library.remove(doc_id)
        assert library.versions(doc_id, OWNER) == []
        assert "差旅" not in found(on(library, date(2023, 5, 1)))
        put(library, tmp_path, rule=regulation(500, 2024))
        assert [one.document.status for one in library.versions(doc_id, OWNER)] == [DocumentStatus.ACTIVE]


def version(number: int, begins: date | None, ends: date | None = None) -> StoredVersion:
    return StoredVersion(number, "d", begins, ends, None, date(2026, 1, 1))


@given(st.lists(st.none() | DAYS, min_size=1, max_size=5), DAYS)
def test_at_most_one_version_is_in_force_and_only_after_it_began(beginnings: list[date | None], day: date) -> None:
    stored = [version(number, begins) for number, begins in enumerate(beginnings)]
    chosen = in_force(stored, day)
    assert len(chosen) <= 1
    for number in chosen:
        later = [one for one in stored[number + 1 :] if one.begins <= day]
        assert not later
        assert stored[number].begins <= day or (number == 0 and beginnings[0] is None)


def test_a_correction_holds_in_place_of_what_it_corrects() -> None:
    wrong, right = version(1, date(2025, 1, 1)), version(2, date(2023, 1, 1))
    assert in_force([wrong, right], date(2026, 1, 1)) == {2}
    assert in_force([wrong, right], date(2024, 1, 1)) == {2}


def test_what_has_ended_is_not_followed_by_what_came_before_it() -> None:
    stored = [version(1, date(2020, 1, 1)), version(2, date(2022, 1, 1), ends=date(2023, 1, 1))]
    assert in_force(stored, date(2024, 1, 1)) == frozenset()
    assert in_force(stored, date(2021, 1, 1)) == {1}
