"""A filter leaves in exactly the documents that meet it, and what is not known about one keeps it in."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from support.catalogue import document
from veriloop.knowledge.documents import Document
from veriloop.knowledge.query.applying import FilterView, admitted
from veriloop.knowledge.query.dating import intervals_of
from veriloop.knowledge.query.facts import facts_of
from veriloop.knowledge.query.kinds import kind_in_title
from veriloop.knowledge.query.models import SearchFilter

DAY = date(2026, 11, 30)


def left(chosen: SearchFilter, *documents: Document) -> set[str]:
    """The titles that a filter leaves in."""
    found = admitted(chosen, facts_of(documents))
    assert found is not None
    return set(found)


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("合同管理办法", "policy"),
        ("关于印发《合同管理办法》的通知", "notice"),
        ("采购合同_YZ-2025-017", "contract"),
        ("Minutes of the contract board", "minutes"),
        ("IT_Security_Policy", "policy"),
        ("Contract on supplies", "contract"),
        ("随笔", None),
    ],
)
def test_the_head_of_a_title_says_the_type(title: str, kind: str | None) -> None:
    assert kind_in_title(title) == kind


@pytest.mark.parametrize(
    ("one", "first", "last"),
    [
        (document("A", published=date(2024, 3, 1)), date(2024, 3, 1), date(2024, 3, 1)),
        (document("会议纪要_2025-09-26"), date(2025, 9, 26), date(2025, 9, 26)),
        (document("20250926会议纪要"), date(2025, 9, 26), date(2025, 9, 26)),
        (document("价格表_2025Q3"), date(2025, 7, 1), date(2025, 9, 30)),
        (document("员工手册2023版"), date(2023, 1, 1), date(2023, 12, 31)),
        (document("2023年度报告"), date(2023, 1, 1), date(2024, 12, 31)),
        (document("2023年工作计划"), date(2022, 1, 1), date(2023, 12, 31)),
    ],
)
def test_the_date_of_a_document_is_stated_or_stands_in_its_name(one: Document, first: date, last: date) -> None:
    assert intervals_of(one) == ((first, last),)


def test_a_document_without_a_date_is_never_filtered_out_by_time() -> None:
    documents = [document("无日期"), document("旧文", published=date(2020, 5, 1))]
    assert left(SearchFilter(dated_from=date(2021, 1, 1)), *documents) == {"无日期"}


def test_a_text_published_before_it_is_in_force_belongs_to_both_years() -> None:
    notice = document("通知", published=date(2024, 12, 20), begins=date(2025, 1, 1))
    for year in (2024, 2025):
        period = SearchFilter(dated_from=date(year, 1, 1), dated_to=date(year, 12, 31))
        assert left(period, notice) == {"通知"}
    assert left(SearchFilter(dated_from=date(2026, 1, 1)), notice) == set()


def test_a_stated_type_decides_before_the_title() -> None:
    documents = [document("附件一", doc_type="合同"), document("采购合同", doc_type="template"), document("服务协议")]
    assert left(SearchFilter(doc_types=frozenset({"contract"})), *documents) == {"附件一", "服务协议"}
    assert left(SearchFilter(doc_types=frozenset({"Template"})), *documents) == {"采购合同"}


def test_domain_and_authority_narrow() -> None:
    documents = [document("A", domain="HR", authority=50), document("B", domain="hr", authority=10), document("C")]
    assert left(SearchFilter(domains=frozenset({"HR"})), *documents) == {"A", "B"}
    assert left(SearchFilter(min_authority=20), *documents) == {"A"}


def test_only_the_newest_edition_that_has_begun_is_in_force() -> None:
    documents = [document(f"员工手册{year}版") for year in (2022, 2025, 2027)]
    assert left(SearchFilter(in_force_on=DAY), *documents) == {"员工手册2025版"}
    assert left(SearchFilter(in_force_on=date(2023, 6, 1)), *documents) == {"员工手册2022版"}


def test_a_stated_beginning_decides_before_the_year_in_the_name() -> None:
    documents = [document("手册2025版"), document("手册2026版", begins=date(2027, 1, 1))]
    assert left(SearchFilter(in_force_on=DAY), *documents) == {"手册2025版"}


def test_what_has_expired_is_not_in_force() -> None:
    documents = [document("临时规定", ends=date(2025, 12, 31)), document("规定")]
    assert left(SearchFilter(in_force_on=DAY), *documents) == {"规定"}


def test_a_named_edition_takes_the_place_of_the_others_of_its_text_only() -> None:
    documents = [document("员工手册2023版"), document("员工手册2025版"), document("采购合同")]
    assert left(SearchFilter(editions=frozenset({2023})), *documents) == {"员工手册2023版", "采购合同"}


def test_an_edition_that_is_not_here_is_not_replaced_by_another() -> None:
    documents = [document("员工手册2023版"), document("采购合同")]
    asked = SearchFilter(editions=frozenset({2021}), edition_titles=frozenset({"员工手册"}))
    assert left(asked, *documents) == {"采购合同"}


def test_no_filter_narrows_nothing() -> None:
    assert admitted(SearchFilter(), facts_of([document("A")])) is None


def test_a_filter_that_nothing_meets_leaves_nothing() -> None:
    assert left(SearchFilter(doc_ids=frozenset()), document("A")) == set()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_filter_says_in_words_that_documents_without_a_date_stay_in(language: str) -> None:
    text = SearchFilter(dated_from=DAY, doc_types=frozenset({"notice"}), min_authority=3).describe(language)
    assert "2026-11-30" in text
    assert "notice" in text
    assert ("日期不明" if language == "zh" else "without a date") in text


def test_a_period_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(ValidationError, match="before it begins"):
        SearchFilter(dated_from=date(2025, 1, 1), dated_to=date(2024, 1, 1))


FILTERS = st.builds(
    SearchFilter,
    doc_types=st.frozensets(st.sampled_from(["notice", "合同", "manual"])),
    dated_from=st.none() | st.dates(max_value=date(2024, 1, 1)),
    dated_to=st.none() | st.dates(min_value=date(2024, 1, 1)),
    in_force_on=st.none() | st.dates(),
    editions=st.frozensets(st.sampled_from([2023, 2025])),
    min_authority=st.integers(0, 100),
)


@given(FILTERS)
def test_a_filter_never_brings_in_a_document_from_elsewhere(chosen: SearchFilter) -> None:
    titles = ["手册2023版", "手册2025版", "合同", "通知2024-01-01"]
    view = FilterView(facts_of([document(title) for title in titles]))
    found = view.admitted(chosen)
    assert found is None or found <= set(titles)
    assert view.admitted(chosen) is found
