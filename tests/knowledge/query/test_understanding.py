"""A question becomes what is searched, and says why in its own language."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.catalogue import TITLES, document
from support.documents import lexical_settings, write
from veriloop import Library, add_files
from veriloop.knowledge.documents import Caller
from veriloop.knowledge.query.models import SearchFilter
from veriloop.knowledge.query.understand import QueryContext, understand_query
from veriloop.knowledge.query.vocabulary import Alias

TODAY = date(2026, 11, 30)
CONTEXT = QueryContext([document(title) for title in TITLES], [Alias("年假", "带薪年休假")])


def test_filter_words_and_parts_come_together_with_their_reasons() -> None:
    found = understand_query("去年发布的通知里，年假有几天？", CONTEXT, TODAY)
    assert found.filter.dated_from == date(2025, 1, 1)
    assert [term.term for term in found.terms] == ["带薪年休假"]
    assert len(found.reasons) == 2
    assert "2025-01-01" in found.reasons[0]
    assert "带薪年休假" in found.reasons[1]


def test_a_given_filter_replaces_the_one_in_the_question() -> None:
    found = understand_query("notices issued last year", CONTEXT, TODAY, SearchFilter())
    assert found.filter.is_empty
    assert found.text == "notices issued last year"


@pytest.mark.parametrize(
    ("question", "says"), [("1999年发布的通知", "没有符合条件的文档"), ("notices issued in 1999", "no document meets")]
)
def test_a_filter_that_leaves_nothing_says_so(question: str, says: str) -> None:
    context = QueryContext([document("放假通知", published=TODAY), document("Notice of move", published=TODAY)])
    found = understand_query(question, context, TODAY)
    assert context.admitted(found.filter) == frozenset()
    assert says in found.reasons[-1]


HOSTILE = [
    "",
    "?",
    "。。。！！",
    "a",
    "年" * 4_000,
    "'; DROP TABLE documents; --",
    "(.*)+$[a-z",
    "2023年13月45日发布的通知",
    "0年发布的通知",
    "9999年以后发布的通知",
    "999999999999999999年的合同",
    "最近999999999999个月的会议纪要",
    "2024年至2022年的合同",
    "٢٠٢٣年发布的通知",
    "在2０２３年ｉｓｓｕｅｄ的 notices",
    "\x00\ud800",
]


@pytest.mark.parametrize("question", HOSTILE, ids=lambda text: ascii(text[:20]))
def test_no_question_is_too_odd(question: str) -> None:
    assert understand_query(question, CONTEXT, TODAY).original == question


@settings(max_examples=200)
@given(st.text(max_size=400), st.dates())
def test_any_question_on_any_day_is_understood(question: str, today: date) -> None:
    assert understand_query(question, CONTEXT, today).original == question


def test_a_filter_from_the_question_decides_what_is_found(tmp_path: Path) -> None:
    texts = {
        "holiday_2024": "# 关于放假的通知\n\n发布日期：2024年1月20日\n\n春节放假八天。",
        "holiday_2025": "# 关于放假的通知\n\n发布日期：2025年1月15日\n\n春节放假九天。",
        "report": "# 工作总结\n\n春节放假九天，期间无事故。",
    }
    with Library.open(tmp_path / "library", lexical_settings()) as library:
        add_files(library, [write(tmp_path / "documents", **texts)])
        found = library.search("去年发布的通知里，春节放假几天？", caller=Caller.owner(), today=TODAY)
        assert {hit.document.name for hit in found.hits} == {"holiday_2025.md"}
        nothing = library.search("1999年发布的通知里，春节放假几天？", caller=Caller.owner(), today=TODAY)
        assert nothing.hits == ()
        everything = library.search("去年发布的通知里，春节放假几天？", filters=SearchFilter(), today=TODAY)
        assert {hit.document.name for hit in everything.hits} > {"holiday_2025.md"}


def test_a_filter_never_shows_what_the_caller_may_not_read(tmp_path: Path) -> None:
    secret = write(tmp_path / "secret", pay="# 薪酬通知\n\n发布日期：2025年1月15日\n\n春节奖金一万元。")
    with Library.open(tmp_path / "library", lexical_settings()) as library:
        add_files(library, [secret], readers=frozenset({"hr"}))
        chosen = SearchFilter(doc_ids=frozenset(d.document.doc_id for d in library.documents(Caller.owner())))
        assert library.search("春节奖金", filters=chosen, today=TODAY).hits == ()
