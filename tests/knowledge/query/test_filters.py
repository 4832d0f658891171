"""Filters are read from words that say which documents are meant, and from nothing else."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.catalogue import document, facts
from veriloop.knowledge.query.facts import facts_of
from veriloop.knowledge.query.filters import read_filter
from veriloop.knowledge.query.models import SearchFilter

TODAY = date(2026, 11, 30)
YEAR_2025 = (date(2025, 1, 1), date(2025, 12, 31))


class Dated(NamedTuple):
    """A question with the type and period that it means."""

    question: str
    kind: str
    first: date | None
    last: date | None


DATED = [
    Dated("去年发布的通知", "notice", *YEAR_2025),
    Dated("去年下发的关于放假的通知里怎么说", "notice", *YEAR_2025),
    Dated("公司去年印发的通知有哪些？", "notice", *YEAR_2025),
    Dated("2023年以后印发的办法有哪些？", "policy", date(2023, 1, 1), None),
    Dated("2023年3月1日以后发布的通知", "notice", date(2023, 3, 1), None),
    Dated("2024年底前发布的通知", "notice", None, date(2024, 12, 31)),
    Dated("2022年以前颁布的规定", "policy", None, date(2021, 12, 31)),
    Dated("最近三个月的会议纪要", "minutes", date(2026, 8, 30), TODAY),
    Dated("近半年的报告", "report", date(2026, 5, 30), TODAY),
    Dated("过去两年的合同", "contract", date(2024, 11, 30), TODAY),
    Dated("上个月的会议纪要里讨论了什么？", "minutes", date(2026, 10, 1), date(2026, 10, 31)),
    Dated("2022年至2024年的合同", "contract", date(2022, 1, 1), date(2024, 12, 31)),
    Dated("2024年至2022年的合同", "contract", date(2022, 1, 1), date(2024, 12, 31)),
    Dated("2022年到2024年签订的合同有哪些？", "contract", date(2022, 1, 1), date(2024, 12, 31)),
    Dated("2023年的员工手册里年假几天？", "manual", date(2023, 1, 1), date(2023, 12, 31)),
    Dated("哪些通知是2024年发布的？", "notice", date(2024, 1, 1), date(2024, 12, 31)),
    Dated("二〇二四年发布的通知", "notice", date(2024, 1, 1), date(2024, 12, 31)),
    Dated("今年以来印发的文件", "", date(2026, 1, 1), TODAY),
    Dated("notices issued last year", "notice", *YEAR_2025),
    Dated("Which notices were issued in 2024?", "notice", date(2024, 1, 1), date(2024, 12, 31)),
    Dated("policies published since 2023", "policy", date(2023, 1, 1), None),
    Dated("policies published after March 2023", "policy", date(2023, 4, 1), None),
    Dated("reports from the last three months", "report", date(2026, 8, 30), TODAY),
    Dated("contracts from 2022 to 2024", "contract", date(2022, 1, 1), date(2024, 12, 31)),
    Dated("minutes from March 2024", "minutes", date(2024, 3, 1), date(2024, 3, 31)),
    Dated("last year's minutes", "minutes", *YEAR_2025),
    Dated("documents issued between 2022 and 2023", "", date(2022, 1, 1), date(2023, 12, 31)),
]

CONTENT = [
    "2023年的营业收入是多少？",
    "去年的营收是多少？",
    "2023年发布的新产品有哪些？",
    "2023年的报告期内利润是多少？",
    "去年签订的合同金额是多少？",
    "2022年签订的合同总额",
    "2023年的合同金额增长了多少？",
    "最近三个月的销售额",
    "2023年年度报告的主要内容是什么？",
    "2023年的工作计划完成了吗？",
    "2023年之后公司的收入变化",
    "前三季度的利润",
    "近年来的变化",
    "最近的机场在哪里？",
    "《办法》是哪一年发布的？",
    "2015年发布的《某某意见》对公司有何影响？",
    "哪些广告内容是不允许发布的？",
    "现行版本是哪一版？",
    "最新版本的操作系统要求是什么？",
    "最新的价格是多少？",
    "2021版新车的油耗",
    "现行有效的营业执照是否需要年检？",
    "合同的付款期限是多久？",
    "在合同中约定违约金的上限是多少？",
    "按照规定，谁来审批？",
    "根据采购合同，交货期限是多久？",
    "通知期限是多少天？",
    "2023年13月45日发布的通知",
    "What was revenue in 2021?",
    "last year's revenue",
    "cash flow from 2017 to 2018",
    "notes issued in 2018",
    "standards issued in 2018",
    "agreement signed in 2018 with Acme",
    "current contract liabilities in 2019",
    "current assets in the annual report",
    "2023 annual report profit",
    "Which version is in force?",
    "the latest iPhone version",
    "Who signed the contract in 2022?",
    "When does the policy take effect?",
    "How long is the notice period in the contract?",
    "Where was the report published?",
]

IN_FORCE = [
    ("现行有效的安全生产管理规定对动火作业有什么要求？", TODAY),
    ("最新版员工手册规定年假几天？", TODAY),
    ("员工手册最新版中年假几天？", TODAY),
    ("截至2024年6月1日有效的管理规定", date(2024, 6, 1)),
    ("What does the current travel policy say about hotels?", TODAY),
    ("the policy currently in force", TODAY),
    ("the latest version of the employee handbook", TODAY),
    ("policies in force on 1 June 2023", date(2023, 6, 1)),
]

EDITIONS = [
    ("员工手册2023版的年假几天？", {2023}),
    ("2023年版员工手册规定年假几天？", {2023}),
    ("2023版和2025版员工手册有什么不同？", {2023, 2025}),
    ("2023和2025两版员工手册", {2023, 2025}),
    ("the 2022 edition of the handbook", {2022}),
    ("the 2022 and 2024 editions", {2022, 2024}),
]

TYPES = [
    ("会议纪要里谁负责采购？", "minutes"),
    ("查会议纪要中关于采购的决定", "minutes"),
    ("哪些合同提到违约金？", "contract"),
    ("In the minutes, who buys the press?", "minutes"),
    ("Which contracts mention a penalty?", "contract"),
]


@pytest.mark.parametrize("case", DATED, ids=lambda case: case.question)
def test_a_period_that_modifies_a_document_filters_by_its_date(case: Dated) -> None:
    found = read_filter(case.question, facts(), TODAY).filter
    assert (found.dated_from, found.dated_to) == (case.first, case.last)
    assert found.doc_types == (frozenset({case.kind}) if case.kind else frozenset())


@pytest.mark.parametrize("question", CONTENT)
def test_what_belongs_to_the_content_filters_nothing(question: str) -> None:
    found = read_filter(question, facts(), TODAY)
    assert found.filter.is_empty
    assert found.rest == question


@pytest.mark.parametrize(("question", "day"), IN_FORCE)
def test_words_for_the_text_in_force_filter_by_validity(question: str, day: date) -> None:
    assert read_filter(question, facts(), TODAY).filter == SearchFilter(in_force_on=day)


@pytest.mark.parametrize(("question", "years"), EDITIONS)
def test_a_named_edition_filters_by_edition(question: str, years: set[int]) -> None:
    assert read_filter(question, facts(), TODAY).filter.editions == years


@pytest.mark.parametrize(("question", "kind"), TYPES)
def test_a_type_without_a_name_of_its_own_filters_by_type(question: str, kind: str) -> None:
    assert read_filter(question, facts(), TODAY).filter == SearchFilter(doc_types=frozenset({kind}))


@pytest.mark.parametrize(
    ("question", "domain"), [("财务类文件有哪些？", "财务"), ("Which HR documents are there?", "HR")]
)
def test_a_domain_of_the_library_filters_when_it_is_named_as_one(question: str, domain: str) -> None:
    assert read_filter(question, facts(), TODAY).filter == SearchFilter(domains=frozenset({domain}))


@pytest.mark.parametrize("question", ["财务部的电话是多少？", "Who works in HR?"])
def test_a_domain_that_is_only_mentioned_filters_nothing(question: str) -> None:
    assert read_filter(question, facts(), TODAY).filter.is_empty


def test_types_domains_and_editions_that_no_document_has_filter_nothing() -> None:
    none = facts_of([document("随笔")])
    for question in ("会议纪要里谁负责采购？", "财务类文件有哪些？", "2023版规定年假几天？"):
        assert read_filter(question, none, TODAY).filter.is_empty


def test_words_of_time_that_became_the_filter_are_not_searched() -> None:
    assert read_filter("去年发布的通知中，春节放几天假？", facts(), TODAY).rest == "通知中,春节放几天假"
    assert read_filter("notices issued last year about the office", facts(), TODAY).rest == "notices about the office"


@given(st.text(max_size=300) | st.text("去年发布的通知0123年月日版至 合同'\";()[]*\\", max_size=80))
def test_any_text_can_be_read(question: str) -> None:
    found = read_filter(question, facts(), TODAY)
    assert found.filter.describe("zh") or found.filter.is_empty


@pytest.mark.parametrize("today", [date.min, date(2024, 2, 29), date.max])
def test_windows_that_reach_beyond_the_calendar_filter_nothing_or_end_today(today: date) -> None:
    for question in (
        "最近1200年的会议纪要",
        "去年的会议纪要",
        "上周的会议纪要",
        "last week's minutes",
        "近9999天的通知",
    ):
        found = read_filter(question, facts(), today).filter
        assert found.dated_to is None or found.dated_to <= date.max
