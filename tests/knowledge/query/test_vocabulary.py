"""Short forms that documents define find the full names, and the other way round."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.knowledge.query.aliases import aliases_in, document_aliases
from veriloop.knowledge.query.vocabulary import Alias, Vocabulary

DEFINED = [
    ("职工享受带薪年休假（以下简称“年假”）。", "年假", "带薪年休假"),
    (
        "根据《中华人民共和国税收征收管理法》（以下简称税收征管法）制定本办法。",
        "税收征管法",
        "中华人民共和国税收征收管理法",
    ),
    ("由国家质量监督检验检疫总局（以下简称国家质检总局）负责。", "国家质检总局", "国家质量监督检验检疫总局"),
    ("资产负债率，又称举债经营比率，是指……", "举债经营比率", "资产负债率"),
    ("数据写入制造执行系统（MES）。", "MES", "制造执行系统"),
    ("车辆识别代号，英文缩写为VIN。", "VIN", "车辆识别代号"),
    ("All staff wear personal protective equipment (PPE) in the hall.", "PPE", "personal protective equipment"),
    ("The Department of Information Technology (DIT) approves it.", "DIT", "Department of Information Technology"),
    ("NDA (non-disclosure agreement) forms are kept for two years.", "NDA", "non disclosure agreement"),
    (
        'Northern Light Holdings (hereinafter referred to as "Northlight") pays.',
        "Northlight",
        "Northern Light Holdings",
    ),
    ("Paid leave, also known as annual leave, is 20 days.", "annual leave", "Paid leave"),
]

LOCAL = [
    "买方（以下简称“甲方”）：某某装备有限公司",
    "某某装备有限公司（以下简称公司）",
    'Acme Ltd. (hereinafter the "Company") sells.',
    "为了加强管理（见附件），制定本办法。",
    "The hall (HALL) is closed.",
    "职工住房公积金（以下简称公积金）",
    "He went home (OK) at five.",
]


@pytest.mark.parametrize(("text", "short", "long"), DEFINED)
def test_a_defined_short_form_is_read_with_its_name(text: str, short: str, long: str) -> None:
    assert Alias(short, long) in document_aliases([text])


@pytest.mark.parametrize("text", LOCAL)
def test_roles_and_what_defines_nothing_are_left_out(text: str) -> None:
    assert list(aliases_in(text)) == []


def test_each_form_adds_the_other_with_less_weight() -> None:
    vocabulary = Vocabulary([Alias("年假", "带薪年休假")])
    short, long = vocabulary.added_terms("年假有几天？"), vocabulary.added_terms("带薪年休假有几天？")
    assert [(one.term, one.because) for one in short] == [("带薪年休假", "年假")]
    assert [(one.term, one.because) for one in long] == [("年假", "带薪年休假")]
    assert all(0 < one.weight < 1 for one in (*short, *long))


def test_a_form_that_the_question_holds_already_is_not_added() -> None:
    assert Vocabulary([Alias("年假", "带薪年休假")]).added_terms("年假和带薪年休假一样吗？") == ()


def test_an_abbreviation_is_meant_only_where_it_is_written_as_one() -> None:
    vocabulary = Vocabulary([Alias("IT", "information technology")])
    assert [one.term for one in vocabulary.added_terms("Who leads IT?")] == ["information technology"]
    assert vocabulary.added_terms("Where is it kept?") == ()
    assert vocabulary.added_terms("Which ITEM is kept?") == ()


def test_a_form_that_stands_for_many_things_adds_nothing() -> None:
    vocabulary = Vocabulary(
        [Alias("PC", long) for long in ("postal code", "personal computer", "price card", "pay cut")]
    )
    assert vocabulary.added_terms("Which PC is used?") == ()


def test_synonyms_of_the_users_dictionary_are_added() -> None:
    vocabulary = Vocabulary([], [("劳保用品", "个人防护装备", "PPE")])
    assert {one.term for one in vocabulary.added_terms("劳保用品多久更换？")} == {"个人防护装备", "PPE"}


@given(st.text(max_size=200), st.lists(st.tuples(st.text(max_size=8), st.text(max_size=8)), max_size=5))
def test_any_text_and_any_forms_can_be_used(question: str, pairs: list[tuple[str, str]]) -> None:
    added = Vocabulary([Alias(*pair) for pair in pairs]).added_terms(question)
    assert all(one.term for one in added)


@given(st.text("简称（以下）“”又称缩写为()ABC hereinafter known as,。\n《》", max_size=120))
def test_forms_can_be_looked_for_in_any_text(text: str) -> None:
    assert all(alias.short and alias.long for alias in aliases_in(text))
