# ruff: noqa: E501 - texts and cases are read in one piece
"""What the rules read from a block, and what they leave alone."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from veriloop.knowledge.documents import Block, Document
from veriloop.knowledge.graph.by_rules import relations_of
from veriloop.knowledge.graph.by_rules.tables import MOST_RELATIONS
from veriloop.knowledge.graph.models import LONGEST_NAME, Relation
from veriloop.knowledge.graph.names import entity_key

TITLE = "仪器管理办法"


def read(text: str, title: str = TITLE, section: tuple[str, ...] = (), ordinal: int = 1) -> tuple[Relation, ...]:
    document = Document(
        doc_id="d1", version="v", title=title, source_uri="file:///d", name="d.md", media_type="text/markdown",
        updated_at=datetime(2031, 1, 1, tzinfo=UTC),
    )  # fmt: skip
    block = Block(block_id="b1", doc_id="d1", ordinal=ordinal, section_path=section, text=text)
    return relations_of(block, document)


def said(text: str, **where: object) -> set[tuple[str, str, str]]:
    return {(one.subject.name, one.predicate, one.object.name) for one in read(text, **where)}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("技术改造委员会（以下简称“技改委”）负责决策。", ("技改委", "alias_of", "技术改造委员会")),
        ("The plan uses the Federal Information Standard (FIS).", ("FIS", "alias_of", "Federal Information Standard")),
        ("本办法所称“精密仪器”，是指精度高的仪器。", ("精密仪器", "defined_in", TITLE)),
        ('"Critical goods" means goods in safety devices.', ("Critical goods", "defined_in", TITLE)),
        ("甲方：晨曦制造有限公司\n乙方：启明仪器有限公司", (TITLE, "party_a", "晨曦制造有限公司")),
        ("甲方：晨曦制造有限公司\n乙方：启明仪器有限公司", ("乙方", "alias_of", "启明仪器有限公司")),
        ("采购方：晨曦制造有限公司\n供应商：启明仪器有限公司", ("晨曦制造有限公司", "supplier", "启明仪器有限公司")),
        ("Buyer: Northwind Traders Ltd\nSupplier: Brightline Ltd", ("Northwind Traders Ltd", "supplier", "Brightline Ltd")),
        (
            'made between Northwind Traders Ltd (the "Buyer") and Brightline Ltd (the "Supplier").',
            (TITLE, "supplier", "Brightline Ltd"),
        ),
        ("合同编号：QX-CG-2031-08 的合同", None),
        ("采用HK-20检测仪测量。", ("检测仪", "has_id", "HK-20")),
        ("变频器（FC-302）安装在柜内。", ("变频器", "has_id", "FC-302")),
        ("设备部负责精密仪器的日常管理。", ("设备部", "responsible_for", "精密仪器的日常管理")),
        ("第五条 本办法由设备部负责解释。", ("设备部", "responsible_for", TITLE)),
        ("仪器的校准由质量部负责。", ("质量部", "responsible_for", "仪器的校准")),
        ("The Quality Department is responsible for incoming inspections.",
         ("Quality Department", "responsible_for", "incoming inspections")),
        ("公司任命王小明为项目经理。", ("王小明", "holds_role", "项目经理")),
        ("Jane Miller was appointed as Chief Risk Officer in 2030.", ("Jane Miller", "holds_role", "Chief Risk Officer")),
        ("启明仪器有限公司成立于1998年3月，总部位于苏州市。", ("启明仪器有限公司", "founded_in", "1998年3月")),
        ("启明仪器有限公司成立于1998年3月，总部位于苏州市。", ("启明仪器有限公司", "located_in", "苏州市")),
        ("Brightline Ltd was founded in 1998.", ("Brightline Ltd", "founded_in", "1998")),
        ("Brightline Ltd is headquartered in Leeds.", ("Brightline Ltd", "located_in", "Leeds")),
        ("《仪器管理暂行办法》自本办法施行之日起废止。", (TITLE, "replaces", "仪器管理暂行办法")),
        ("This policy replaces the Incoming Goods Policy.", (TITLE, "replaces", "Incoming Goods Policy")),
        ("| 型号 | 名称 | 量程 |\n| --- | --- | --- |\n| HK-20 | 检测仪 | 200 mm |\n| HK-35 | 大型检测仪 | 350 mm |",
         ("HK-35", "量程", "350 mm")),
        ("他们在会上讨论了《采购管理办法》。", (TITLE, "mentions", "采购管理办法")),
        ("The lot was taken over by Harbour Point Logistics last year.", (TITLE, "mentions", "Harbour Point Logistics")),
    ],
)  # fmt: skip
def test_what_a_text_states_is_read(text: str, wanted: tuple[str, str, str] | None) -> None:
    found = said(text)
    assert wanted in found if wanted else all(predicate != "has_id" for _, predicate, _ in found)


@pytest.mark.parametrize(
    "text",
    [
        "甲方：__________（盖章）",
        "| 甲方 | 陈立 | 部长 |\n| --- | --- | --- |\n| 甲方 | 林溪 | 部长 |",
        "负责仪器管理的部门应当公布联系方式。",
        "县级政府负责仪器管理的部门应当公布联系方式。",
        "其位于苏州市的仓库已关闭。",
        "被告人张某某通过其位于柿园市的服装店销售商品。",
        "| 项目 | 内容 |\n| --- | --- |\n| 地址 | 苏州 |\n| 电话 | 123 |",
        "| 年份 | 金额 |\n| --- | --- |\n| 2029 | 12 |\n| 2030 | 14 |",
        "公司实施了ISO14001环境管理系统。",
        "Whoever is responsible for it must say so.",
    ],
)
def test_what_a_text_does_not_state_is_not_read(text: str) -> None:
    assert not said(text)


def test_references_lead_from_a_clause_to_the_clauses_that_it_names() -> None:
    text = "第三条 违反第一条、第二条的，按照《采购管理办法》第五条处理，技术要求见附件二。\n第四条 依照前款办理。"
    found = {(one.subject.name, one.object.name) for one in read(text) if one.predicate == "refers_to"}
    assert found == {
        ("第三条", "第一条"),
        ("第三条", "第二条"),
        ("第三条", "《采购管理办法》第五条"),
        ("第三条", "附件二"),
    }
    assert {one.object.name for one in read(text) if one.predicate == "contains"} == {"第三条", "第四条"}


def test_english_and_dotted_clauses_are_references_too() -> None:
    text = "Section 2 Goods that fail are replaced under Section 1.\n9.4 乙方未按9.1款交货的，承担责任。"
    found = {(one.subject.key, one.object.key) for one in read(text) if one.predicate == "refers_to"}
    assert found == {("doc:d1#节2", "doc:d1#节1"), ("doc:d1#9.4", "doc:d1#9.1")}


def test_clauses_of_other_texts_are_not_taken_for_those_of_the_document() -> None:
    for text in (
        "根据联合国宪章第七章的规定。",
        "依照刑法第二百条处罚。",
        "under Section 156 of title 18 of the code.",
    ):
        assert not [one for one in read(text) if one.predicate == "refers_to" and one.object.key.startswith("doc:")]


def test_a_block_in_the_middle_of_a_clause_speaks_for_that_clause() -> None:
    found = read("验收不合格的，按照第二条重新组织验收。", section=("合同", "第三条 验收"))
    assert [(one.subject.name, one.object.name) for one in found if one.predicate == "refers_to"] == [
        ("第三条", "第二条")
    ]


def test_a_giant_table_gives_a_bounded_number_of_relations() -> None:
    rows = "\n".join(f"| HK-{number}X | {number} mm | {number} kg | {number} V |" for number in range(100, 5_000))
    found = read(f"| 型号 | 长度 | 重量 | 电压 |\n| --- | --- | --- | --- |\n{rows}")
    assert 0 < len(found) <= MOST_RELATIONS + 200


def test_a_document_that_names_itself_is_no_relation_to_itself() -> None:
    text = "《仪器管理办法》由设备部负责解释。第一条 见第一条。"
    assert all(one.subject.key != one.object.key for one in read(text))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["第一条", "《", "》", "见", "甲方：", "（以下简称“", "”）", "负责", "由", "|", "\n", "| --- | --- |", "HK-20", "Ltd",
             "Section 1", "is responsible for", "Robert'); DROP TABLE relations;--", "<script>alert(1)</script>", "\x00", "\u202e",
             "成立于", "2001年", "9.1", "\ud83d\ude00", "公司", " "]
        ),
        max_size=40,
    ).map("".join)
)  # fmt: skip
def test_any_text_is_read_without_failure_and_every_span_lies_in_it(text: str) -> None:
    for one in read(text):
        assert 0 <= one.start <= one.end <= len(text)
        for end in (one.subject, one.object):
            assert 0 < len(end.name) <= LONGEST_NAME + 40
            assert end.key
            assert not set(end.name) & set("\x00\u202e\n")


def test_one_way_of_writing_a_name_is_all_ways() -> None:
    assert entity_key("恒力（苏州）有限公司") == entity_key("恒力(蘇州)有限公司")
    assert entity_key("HK-20") == entity_key("hk 20")
    assert len({entity_key(name) for name in ("C", "C++", "C#", "9.1", "91")}) == 5


@pytest.mark.parametrize("piece", ["A", "\n", "成立于"])
def test_long_texts_without_a_sentence_are_read_in_time(piece: str) -> None:
    began = time.process_time()
    read((piece * 60_000)[:60_000])
    assert time.process_time() - began < 20
