"""The rules' digest: what it keeps of a block, and within what limits."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from support.digests import block, made
from veriloop.configs.digest_settings import DigestSettings
from veriloop.knowledge.digest.by_rules import DigestRules, digest_by_rules, lost_details, text_of
from veriloop.knowledge.digest.clipping import clip
from veriloop.knowledge.digest.models import Digest
from veriloop.knowledge.documents import BlockKind
from veriloop.knowledge.text.dictionary import DomainDictionary
from veriloop.knowledge.text.tokens import tokeniser

CLAUSES = """第七条 借用设备的期限最长为30日，到期可续借一次。
借用人应当爱护设备。
第八条 HK-20型仪器须于2025年3月1日前登记，押金为1.5万元，损坏的按原价的60%赔偿。
本办法所称“借用人”，是指在册员工。
各部门应当配合。"""


def test_the_first_sentence_and_those_with_details_or_defined_terms_are_quoted() -> None:
    summary = made(CLAUSES).summary
    assert summary.startswith("第七条 借用设备的期限最长为30日")
    assert "HK-20型仪器须于2025年3月1日前登记" in summary and "是指在册员工" in summary
    assert "借用人应当爱护设备" in summary  # uses the term that is defined below
    assert "各部门应当配合" not in summary


def test_defined_terms_names_and_the_users_words_are_entities() -> None:
    text = (
        "本办法所称“借用人”，是指在册员工。设备由恒远机械有限公司提供，联系人：张三。依据《资产管理规定》，热压罐除外。"
    )
    entities = made(text, dictionary=DomainDictionary(["热压罐"])).entities
    assert {"借用人", "恒远机械有限公司", "张三", "资产管理规定", "热压罐"} <= set(entities)


def test_what_does_not_fit_into_the_summary_is_kept_as_a_list_of_details() -> None:
    sentences = "".join(
        f"第{n}条 第{n}号设备的额定功率为{n}.5 kW，应当由设备部在安装之后组织检验并且登记在册。" for n in range(1, 20)
    )
    digest = made(sentences, max_characters=200)
    assert len(digest.summary) <= 200
    said = text_of(digest)
    assert all(f"{n}.5 kW" in said and f"第{n}条" in said for n in range(1, 20))


def test_a_table_keeps_its_columns_row_names_and_values() -> None:
    table = (
        "参数表\n\n| 型号 | 功率 | 价格 |\n| --- | --- | --- |\n| HN-1 | 8 kW | 1,200元 |\n| HN-2 | 9 kW | 1,500元 |"
    )
    assert made(table, BlockKind.TABLE).summary == "参数表: 型号|功率|价格; HN-1|8 kW|1,200元; HN-2|9 kW|1,500元"


def test_of_a_huge_table_ids_come_before_bare_numbers() -> None:
    rows = "\n".join(f"| QX-{n:03} | {n * 7 + 1000} |" for n in range(100))
    table = f"| 编号 | 数量 |\n| --- | --- |\n{rows}"
    digest = made(table, BlockKind.TABLE, max_characters=300, max_detail_characters=900)
    said = text_of(digest)
    assert len(digest.summary) <= 300 and len(said) < 1_400
    assert all(f"QX-{n:03}" in said for n in range(100))
    assert {one.kind.value for one in lost_details(block(table, BlockKind.TABLE), digest)} == {"number"}


def test_keywords_are_the_words_that_weigh_most_here_and_little_elsewhere() -> None:
    rare = {"续借": 90.0, "借用": 5.0}
    rules = DigestRules(DigestSettings(keywords=2), tokeniser(), lambda term: rare.get(term, 0.1))
    assert digest_by_rules(block(CLAUSES), rules).keywords == ("续借", "借用")


def test_a_list_label_is_no_detail_but_a_clause_number_is() -> None:
    digest = made("1. 保持整洁。\n2. 按时归还。\n第3条 归还时登记。")
    assert lost_details(block("1. 保持整洁。\n2. 按时归还。"), Digest(summary="保持整洁，按时归还。")) == ()
    assert "第3条" in digest.summary


def test_a_value_in_another_spelling_is_kept_and_a_longer_number_is_not_it() -> None:
    source = block("限额为15000元，期限30日。")
    assert lost_details(source, Digest(summary="限额1.5万元，期限三十日。")) == ()
    assert [one.raw for one in lost_details(source, Digest(summary="限额115000元，期限30日。"))] == ["15000元"]


_PIECES = st.lists(
    st.sampled_from(
        ["额定功率为{n} kW。", "第{n}条 应当登记。", "编号AB-{n}，", "于2024年{m}月{m}日施行；", "as of {n} EUR. ",
         "占{m}%，", "设备应当保持整洁。", "\n", "The unit runs well. ", "| {n} | {m} |\n"]
    ),
    min_size=1, max_size=30,
)  # fmt: skip


@given(_PIECES, st.integers(100, 700), st.booleans())
def test_no_digits_of_a_block_are_lost_and_none_are_invented(pieces: list[str], limit: int, is_table: bool) -> None:
    text = "".join(piece.format(n=11 + 7 * i, m=i % 12 + 1) for i, piece in enumerate(pieces))
    digest = made(text, BlockKind.TABLE if is_table else BlockKind.TEXT, max_characters=limit)
    runs = set(re.findall(r"\d+", text))
    assert set(re.findall(r"\d+", text_of(digest))) == runs
    assert len(digest.summary) <= limit


@given(st.text(max_size=300), st.integers(100, 300))
def test_any_text_has_a_digest_within_the_limit(text: str, limit: int) -> None:
    digest = made(text, max_characters=limit)
    assert len(digest.summary) <= limit
    assert digest == made(text, max_characters=limit)


@given(st.text(st.sampled_from("ab 设备12.十百，"), max_size=60), st.integers(1, 60))
def test_clipping_never_makes_another_number_of_a_number(text: str, limit: int) -> None:
    short = clip(text, limit)
    assert len(short) <= limit
    whole = set(re.findall(r"[0-9.]+|[十百]+", text))
    assert set(re.findall(r"[0-9.]+|[十百]+", short.removesuffix("…"))) <= whole
