"""What fields beside a text say about a document, in both languages."""

from __future__ import annotations

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.knowledge.description import Description
from veriloop.knowledge.metadata_fields import day_of, description_of


def test_chinese_and_english_keys_say_the_same() -> None:
    chinese = {
        "标题": "差旅办法", "类型": "制度", "领域": "财务", "效力": 80, "发布日期": "2026年1月15日",
        "生效日期": "2026-02-01", "失效日期": date(2027, 1, 31), "替代": "《旧办法》、《补充通知》",
    }  # fmt: skip
    english = {
        "title": "差旅办法", "type": "制度", "domain": "财务", "authority": "80", "published": "15 January 2026",
        "effective_from": "2026/2/1", "effective-to": "20270131", "supersedes": ["旧办法", "补充通知"],
    }  # fmt: skip
    assert description_of(chinese).description == description_of(english).description == Description(
        doc_type="制度", domain="财务", authority=80, published_at=date(2026, 1, 15), effective_from=date(2026, 2, 1),
        effective_to=date(2027, 1, 31), title="差旅办法", replaces=("旧办法", "补充通知"),
    )  # fmt: skip


def test_unknown_keys_and_unusable_values_are_named() -> None:
    read = description_of({"tags": ["a"], "Effective From": "soon", "authority": 101, "DC.Title": "Leave"})
    assert read.description == Description(title="Leave")
    assert read.unknown == ("tags",)
    assert set(read.unusable) == {"Effective From", "authority"}


def test_who_may_read_is_never_taken_from_fields() -> None:
    assert description_of({"readers": "everyone", "读者": "所有人"}).description == Description()


def test_where_a_field_has_two_names_the_more_exact_one_wins() -> None:
    assert description_of({"date": "2020-01-01", "published": "2026-01-01"}).description.published_at == date(
        2026, 1, 1
    )
    assert description_of({"date": "2020-01-01", "published": "?"}).description.published_at == date(2020, 1, 1)


@pytest.mark.parametrize("value", ["2026-02-30", "2026-01", "5/1/2026", "", None, [], "2026-01-01 2026-01-02", 7])
def test_what_is_no_single_day_is_no_date(value: object) -> None:
    assert day_of(value) is None


@given(st.datetimes(min_value=datetime(1950, 1, 1), max_value=datetime(2099, 1, 1)))
def test_a_day_is_read_in_every_usual_spelling(moment: datetime) -> None:
    day = moment.date()
    spellings = [
        day.isoformat(), f"{day:%Y%m%d}", f"{day.year}年{day.month}月{day.day}日", f"{day.year}/{day.month}/{day.day}",
        f"{day:%B} {day.day}, {day.year}", f"{day.day} {day:%B} {day.year}", f"{day}T08:00:00+08:00", day, moment,
    ]  # fmt: skip
    assert {day_of(spelling) for spelling in spellings} == {day}


@given(st.dictionaries(st.text(), st.none() | st.text() | st.integers() | st.lists(st.text())))
def test_any_fields_give_a_description(fields: dict[str, object]) -> None:
    read = description_of(fields)
    assert set(read.unknown) | set(read.unusable) <= set(fields)
