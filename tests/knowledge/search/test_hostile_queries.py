"""No text that somebody types breaks a search or filters what it does not name."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.documents import filled
from veriloop import Caller, Library
from veriloop.errors import UsageError
from veriloop.knowledge.query.periods import find_periods
from veriloop.knowledge.text.numerals import parse_chinese

OWNER = Caller.owner()
TODAY = date(2026, 1, 15)
MOST = 4_000


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with filled(tmp_path_factory.mktemp("hostile")) as made:
        yield made


def repeated(piece: str) -> str:
    return (piece * MOST)[:MOST]


@given(query=st.text(alphabet=st.characters(), min_size=1, max_size=60))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_is_searched_or_refused_as_empty(library: Library, query: str) -> None:
    try:
        result = library.search(query, caller=OWNER, explain=True, today=TODAY)
    except UsageError:
        assert not query.strip()
    else:
        assert result.model_dump_json()


@pytest.mark.parametrize(
    "query",
    ["'; DROP TABLE passages; --", "(a+)+$", "[a-z]{1000}", "{0}{__class__}", "%s%n", 'NEAR("a" "b")', "[bold]x[/]"],
)
def test_code_in_a_query_is_text(library: Library, query: str) -> None:
    before = library.version
    assert library.search(query, caller=OWNER, explain=True).query == query
    assert library.version == before


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "年",
            "万",
            "亿",
            "零",
            "一二三四五六七八九十百千万亿",
            "第十二条第三款",
            "去年发布的",
            "2023年1月1日至",
            "哪些合同是",
        ),
        *(
            "《",
            "(",
            '"',
            "(以下简称",
            "a",
            "a-",
            "A1-",
            "1",
            "1,234.56元 ",
            "1-",
            "from 2022 to ",
            "issued ",
            "\u0301",
        ),
    ],
)
def test_the_longest_query_of_one_kind_is_searched(library: Library, piece: str) -> None:
    result = library.search(repeated(piece), caller=OWNER, explain=True, today=TODAY)
    assert result.explanation is not None
    assert len(result.hits) <= 8


def test_a_longer_query_is_refused(library: Library) -> None:
    with pytest.raises(UsageError, match=r"4,001 characters"):
        library.search("员" * (MOST + 1), caller=OWNER)


@pytest.mark.parametrize(
    "query", ["质量保证期\0多久", "质量保证期\ud800多久", "质量\u200b保证期\ufeff多久", "\u202e质量保证期多久\u202c"]
)
def test_characters_that_nobody_sees_hide_no_answer(library: Library, query: str) -> None:
    assert library.search(query, caller=OWNER).hits[0].document.name == "contract.md"


def test_a_numeral_ends_somewhere() -> None:
    assert parse_chinese("玖仟玖佰玖拾玖亿玖仟玖佰玖拾玖万玖仟玖佰玖拾玖") == 999_999_999_999
    assert parse_chinese("万" * 65) is None
    assert parse_chinese("零" * 65) is None


@pytest.mark.parametrize(
    "text",
    [
        "提前三天发布的通知",
        "到期前三个月签订的合同",
        "公元前221年发布的通知",
        "附近三天的活动",
        "目前三年期的合同",
        "接近三年的合同",
    ],
)
def test_a_time_before_something_else_does_not_count_from_today(text: str) -> None:
    assert not any(period.is_window for period in find_periods(text, TODAY))


@pytest.mark.parametrize(
    "text", ["前三个月发布的通知", "在前三个月发布的通知", "近三天的通知", "请看最近三天的通知", "过去三年的合同"]
)
def test_a_time_before_today_is_read(text: str) -> None:
    assert any(period.is_window and period.last == TODAY for period in find_periods(text, TODAY))
