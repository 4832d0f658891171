"""Each domain may have words of its own: its texts are cut by them, and questions to it cut and widened."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest
from support.documents import lexical_settings, write
from veriloop import Caller, Library, add_files
from veriloop.configs import Settings, load_settings
from veriloop.configs.domain_settings import DomainSettings
from veriloop.errors import SettingsError
from veriloop.knowledge.description import Description
from veriloop.knowledge.query.models import SearchFilter
from veriloop.knowledge.search import SearchResult

OWNER = Caller.owner()
# One word means something else in each area, in both languages.
WORDS = {"HR": "年资卡 带薪年休假\nbookable leave\n琉璃钛合页\n", "IT": "年资卡 巡检窗口\nbookable rack\n"}
TEXTS = {
    "HR": {"休假": "# 休假\n\n带薪年休假为五天。", "leave": "# Absence\n\nLeave is granted by the manager."},
    "IT": {"运维": "# 运维\n\n巡检窗口为五天。", "rack": "# Machines\n\nEach rack holds nine servers."},
}


def settings(folder: Path, words: Mapping[str, str] = WORDS, usual: str = "") -> Settings:
    folder.mkdir(parents=True, exist_ok=True)
    domains = {}
    for name, text in words.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
        domains[name] = DomainSettings(dictionary=folder / f"{name}.txt")
    (folder / "usual.txt").write_text(usual, encoding="utf-8")
    search = load_settings().search.model_copy(update={"dictionary": folder / "usual.txt"})
    return lexical_settings(search=search).model_copy(update={"domains": domains})


def add(library: Library, folder: Path, domain: str | None, **texts: str) -> None:
    assert not add_files(library, [write(folder, **texts)], described=Description(domain=domain)).failed


def filled(folder: Path, chosen: Settings) -> Library:
    library = Library.open(folder / "library", chosen)
    for domain, texts in TEXTS.items():
        add(library, folder / domain, domain, **texts)
    return library


def of(domain: str, **fields: object) -> SearchFilter:
    return SearchFilter.model_validate({"domains": frozenset({domain}), **fields})


def names(found: SearchResult) -> list[str]:
    return [hit.document.name.removesuffix(".md") for hit in found.hits]


@pytest.mark.parametrize(
    ("query", "hr", "it"), [("年资卡有几天？", "休假", "运维"), ("What is a bookable?", "leave", "rack")]
)
def test_one_word_finds_in_each_domain_what_it_means_there_also_after_a_restart(
    tmp_path: Path, query: str, hr: str, it: str
) -> None:
    filled(tmp_path, settings(tmp_path)).close()
    with Library.open(tmp_path / "library", settings(tmp_path)) as library:
        for day in (None, date(2020, 1, 1)):
            assert names(library.search(query, filters=of("HR", in_force_on=day))) == [hr]
            assert names(library.search(query, filters=of("IT", in_force_on=day))) == [it]
        assert set(names(library.search(query, filters=of("all")))) == {hr, it}
        assert library.reindex_terms() == 0
    with filled(tmp_path / "without", settings(tmp_path / "none", {})) as without:
        assert not without.search(query).hits


def test_the_words_for_all_domains_hold_in_each_beside_its_own(tmp_path: Path) -> None:
    with filled(tmp_path, settings(tmp_path, usual="五天整 五天\n")) as library:
        for domain in ("HR", "IT"):
            found = library.search("年资卡五天整", filters=of(domain))
            assert found.hits and {"年资卡", "五天整"} <= set(found.tokens)
        assert "琉璃钛合页" in library.search("琉璃钛合页五天", filters=of("HR")).tokens
        assert "琉璃钛合页" not in library.search("琉璃钛合页五天", filters=of("IT")).tokens


def test_a_library_of_one_domain_is_searched_by_its_words(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library", settings(tmp_path)) as library:
        add(library, tmp_path / "HR", "HR", **TEXTS["HR"])
        assert names(library.search("年资卡有几天？")) == ["休假"]


def test_among_many_domains_a_word_that_only_one_knows_leads_there(tmp_path: Path) -> None:
    with filled(tmp_path, settings(tmp_path)) as library:
        for number in range(13):
            add(
                library,
                tmp_path / f"D{number}",
                f"D{number}",
                **{f"记录{number}": f"# 记录{number}\n\n值班为{number}天。"},
            )
        assert "休假" in names(library.search("年资卡有几天？"))


def test_one_text_in_two_domains_is_analysed_by_the_words_of_each(tmp_path: Path) -> None:
    text = "# 附件\n\n琉璃钛合页由各部门保管。"
    with Library.open(tmp_path / "library", settings(tmp_path)) as library:
        add(library, tmp_path / "HR", "HR", 附件=text)
        add(library, tmp_path / "IT", "IT", 附件=text)

        def terms(domain: str) -> set[str]:
            found = library.search("琉璃钛合页在哪里", filters=of(domain), explain=True).explanation
            assert found is not None
            return set(found.hits[0].terms)

        assert "琉璃钛合页" in terms("HR") and "琉璃钛合页" not in terms("IT")
        (left,) = [one.document for one in library.documents(OWNER) if one.document.domain == "IT"]
        library.remove(left.doc_id)
        assert "琉璃钛合页" in terms("HR")
        assert library.reindex_terms() == 0


@pytest.mark.parametrize("words", [WORDS, {}], ids=["own words", "none"])
def test_a_document_that_changes_its_domain_is_found_by_the_words_of_the_new_one(
    tmp_path: Path, words: Mapping[str, str]
) -> None:
    folder = write(tmp_path / "in", 卡=f"{TEXTS['HR']['休假']}\n\n琉璃钛合页另附。", 表="# 巡检\n\n巡检窗口为两天。")
    beside = folder / "卡.md.meta.yaml"
    with Library.open(tmp_path / "library", settings(tmp_path / "words", words)) as library:
        for domain, own in (("IT", False), ("HR", True), ("IT", False)):
            beside.write_text(f"domain: {domain}\n", encoding="utf-8")
            add_files(library, [folder])
            found = library.search("琉璃钛合页", filters=of(domain), explain=True)
            assert found.explanation is not None and names(found) == ["卡"]
            assert ("琉璃钛合页" in found.explanation.hits[0].terms) == (own and bool(words))
            assert not library.search("琉璃钛合页", filters=of("HR" if domain == "IT" else "IT")).hits
            assert library.reindex_terms() == 0


def test_another_dictionary_of_a_domain_makes_its_analyses_anew_and_no_others(tmp_path: Path) -> None:
    filled(tmp_path, settings(tmp_path)).close()
    with Library.open(tmp_path / "library", settings(tmp_path, {**WORDS, "IT": "窗口为五\n"})) as library:
        assert library.reindex_terms() == 2
        assert library.reindex_terms() == 0
        assert "窗口为五" in library.search("窗口为五天", filters=of("IT")).tokens
    with Library.open(tmp_path / "library", settings(tmp_path, {})) as library:
        assert library.reindex_terms() == 4
        assert names(library.search("巡检窗口", filters=of("IT"))) == ["运维"]


def test_a_bad_dictionary_of_a_domain_is_named_with_its_setting(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"domains\.IT\.dictionary: .*IT\.txt, line 2: "):
        Library.open(tmp_path / "library", settings(tmp_path, {"IT": "好词\n---\n"}))
