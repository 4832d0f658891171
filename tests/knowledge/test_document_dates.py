"""A document's dates are what its head and tail say about itself; what it quotes does not count."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.knowledge.document_dates import StatedDates, stated_dates
from veriloop.knowledge.elements import Element, ElementKind


def elements(*texts: str) -> list[Element]:
    return [Element(kind=ElementKind.PARAGRAPH, text=text) for text in texts]


class Case(NamedTuple):
    """Paragraphs and what they say."""

    texts: tuple[str, ...]
    published: date | None = None
    begins: date | None = None
    ends: date | None = None


CASES = [
    Case(("通知", "发布日期：2023年3月1日"), published=date(2023, 3, 1)),
    Case(("通知", "各部门：", "请准时参加。", "行政部", "二〇二四年五月六日"), published=date(2024, 5, 6)),
    Case(("标准", "正文。", "某某局", "二○○三年一月十五日"), published=date(2003, 1, 15)),
    Case(("通知", "请准时参加。", "行政部 2024年5月6日印发"), published=date(2024, 5, 6)),
    Case(
        ("某条例", "（2019年4月22日某部令第7号公布 自2019年6月1日起施行）", "第一条 为了……"),
        published=date(2019, 4, 22),
        begins=date(2019, 6, 1),
    ),
    Case(
        (
            "某法",
            "（2004年5月1日通过 根据2015年4月24日某决定第二次修正）",
            "第一条 为了……",
            "第九条 本法自2005年1月1日起施行。",
        ),
        published=date(2015, 4, 24),
        begins=date(2005, 1, 1),
    ),
    Case(
        ("办法", "（2001年3月2日某部发布）", "第一条 为了……", "第九条 本办法自发布之日起施行。"),
        published=date(2001, 3, 2),
        begins=date(2001, 3, 2),
    ),
    Case(("办法", "第一条 为了……", "第九条 本条例自2024年1月1日起施行。"), begins=date(2024, 1, 1)),
    Case(
        ("规定", "发布日期：2024年9月2日 施行日期：2024年10月1日"),
        published=date(2024, 9, 2),
        begins=date(2024, 10, 1),
    ),
    Case(
        ("规定", "第一条 甲", "本规定自2024年10月1日起施行，有效期五年。"),
        begins=date(2024, 10, 1),
        ends=date(2029, 9, 30),
    ),
    Case(
        ("协议", "第一条 甲", "本协议有效期自2024年1月1日至2024年12月31日。"),
        begins=date(2024, 1, 1),
        ends=date(2024, 12, 31),
    ),
    Case(("资质", "有效期至：2027年12月31日"), ends=date(2027, 12, 31)),
    Case(("Policy", "Issued: 1 March 2023"), published=date(2023, 3, 1)),
    Case(
        ("Policy", "Approved on 14 February 2025. Effective from 1 March 2025."),
        published=date(2025, 2, 14),
        begins=date(2025, 3, 1),
    ),
    Case(("Policy", "Effective date: 2025-03-01"), begins=date(2025, 3, 1)),
    Case(
        ("Policy", "Text.", "This policy takes effect on 5 May 2024 and expires on 4 May 2026."),
        None,
        date(2024, 5, 5),
        date(2026, 5, 4),
    ),
    Case(("Code", "Purchasing · Edition 2 · In force since 1 June 2024"), begins=date(2024, 6, 1)),
]

QUOTED = [
    ("办法", "第一条 根据2019年4月22日发布的条例制定本办法。", "第二条 报告。", *["第三条 其他。"] * 8),
    ("手册", "第一条 甲", *["第二条 乙"] * 4, "第五条 某条例自2019年1月1日起施行。", *["第六条 丙"] * 8),
    ("Report", "Revenue rose on 1 March 2023 after the new rules took effect.", "It was published widely."),
    ("通知", "本次活动于2024年5月6日举行，请在2024年5月1日前报名。", "行政部"),
    ("合同", "第一条 交货日期：2025年6月1日。", "第二条 质保期24个月。"),
    ("规定", "发布日期：2023年2月30日"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.texts[-1])
def test_a_date_that_the_document_states_about_itself_is_read(case: Case) -> None:
    assert stated_dates(elements(*case.texts)) == StatedDates(case.published, case.begins, case.ends)


@pytest.mark.parametrize("texts", QUOTED, ids=lambda texts: texts[1])
def test_other_dates_are_left_alone(texts: tuple[str, ...]) -> None:
    assert stated_dates(elements(*texts)) == StatedDates()


def test_the_day_of_the_meeting_is_the_date_of_its_minutes_only() -> None:
    parts = elements("例会", "会议时间：2025年9月26日（星期五）14:00")
    assert stated_dates(parts, is_minutes=True).published_at == date(2025, 9, 26)
    assert stated_dates(parts).published_at is None


def test_a_header_table_is_read() -> None:
    table = Element(kind=ElementKind.TABLE, text="| 编号 | A-1 |\n| --- | --- |\n| 生效日期 | 2024-05-01 |")
    assert stated_dates([*elements("制度"), table]).effective_from == date(2024, 5, 1)


def test_an_end_before_the_beginning_is_dropped() -> None:
    stated = stated_dates(elements("规定", "施行日期：2024年10月1日 有效期至：2023年1月1日"))
    assert stated == StatedDates(effective_from=date(2024, 10, 1))


@given(st.lists(st.text("发布日期：2023年3月1日自起施行有效期至Issued: \x00|", max_size=60), max_size=8))
def test_any_text_can_be_read(texts: list[str]) -> None:
    stated = stated_dates(elements(*texts))
    assert all(day is None or 1900 <= day.year <= 2100 for day in stated)
