"""What texts refer to, where that stands, and which sentences answer only by referring."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.knowledge.documents import Block
from veriloop.knowledge.evidence.cross_references import (
    Reference,
    deferred_to,
    labels_of_line,
    place_of,
    references_in,
)
from veriloop.knowledge.evidence.deferring import defers
from veriloop.knowledge.evidence.models import ExtractedSentence
from veriloop.knowledge.evidence.question import analyse_question


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("第三条 逾期的，按照本办法第十条处理。", [("", ("条", "10"))]),
        ("验收标准见附件四和表3。", [("", ("附件", "4")), ("", ("表", "3"))]),
        ("依照《差旅规定》第5条执行。", [("差旅规定", ("条", "5"))]),
        ("赔偿办法见《资产赔偿细则》。", [("资产赔偿细则", None)]),
        ("as set out in Section 3.2 and Annex B", [("", ("节", "3.2")), ("", ("附件", "B"))]),
        ("see Table 4 for the limits", [("", ("表", "4"))]),
        ("第十条 设备由技术部统一编号。", []),
        ("3.2 Payment is due within 30 days.", []),
    ],
)
def test_references_are_found_in_either_language_and_own_labels_are_none(
    text: str, found: list[tuple[str, tuple[str, str] | None]]
) -> None:
    assert list(references_in(text)) == [Reference(title, label) for title, label in found]


@pytest.mark.parametrize(
    ("text", "is_deferred"),
    [
        ("逾期的，按照第十一条处理", True),
        ("详见附件二", True),
        ("参照《赔偿细则》执行", True),
        ("违反第十条规定的，处二百元罚款", False),
        ("意见第三条已经采纳", False),
        ("It is treated as set out in Section 4.2.", True),
        ("Section 4.2 is deleted.", False),
    ],
)
def test_only_words_that_send_the_reader_on_defer(text: str, is_deferred: bool) -> None:
    assert bool(deferred_to(text)) is is_deferred


def block(text: str, ordinal: int = 0, section: tuple[str, ...] = ()) -> Block:
    return Block(block_id=f"b{ordinal}", doc_id="d", ordinal=ordinal, section_path=section, text=text)


def test_a_clause_ends_where_the_next_one_begins_and_holds_its_own_parts() -> None:
    text = "第七条 开箱检验\n7.1 五日内检验。\n7.2 短缺的补足。\n第八条 安装\n8.1 乙方负责安装。"
    place = place_of(("条", "7"), [block("第一条 总则"), block(text, 1)])
    assert place is not None and place.block.ordinal == 1
    assert text[place.span.start : place.span.end] == "第七条 开箱检验\n7.1 五日内检验。\n7.2 短缺的补足。"


def test_a_heading_or_a_caption_is_a_place_and_a_mention_is_not() -> None:
    mention = block("费用按照附件四计算，见表3。")
    annex = block("附件四 费用标准\n每天一百元。", 1)
    table = block("表3 费用\n| 项目 | 元 |\n| --- | --- |\n| 住宿 | 100 |", 2)
    assert (found := place_of(("附件", "4"), [mention, annex, table])) and found.block is annex
    assert (found := place_of(("表", "3"), [mention, annex, table])) and found.block is table
    under = block("每天一百元。", 3, ("附件五 其他",))
    assert (found := place_of(("附件", "5"), [mention, under])) and found.block is under
    assert place_of(("条", "99"), [mention, annex]) is None


@given(st.text(max_size=200), st.sampled_from(["条", "节", "附件", "表"]), st.integers(1, 40))
def test_any_text_can_be_looked_through(text: str, unit: str, number: int) -> None:
    references_in(text), deferred_to(text), labels_of_line(text)
    place = place_of((unit, str(number)), [block(text)])
    assert place is None or 0 <= place.span.start < place.span.end <= len(text)


@given(st.integers(1, 99), st.integers(1, 99))
def test_a_clause_is_found_by_its_number_among_others(one: int, other: int) -> None:
    text = f"第{one}条 甲负责验收。\n第{other}条 乙负责安装。"
    place = place_of(("条", str(other)), [block(text)])
    assert place is not None
    assert text[place.span.start :].startswith(f"第{other}条")


def sentence(text: str) -> ExtractedSentence:
    return ExtractedSentence(text=text, quotes=(), score=1.0)


@pytest.mark.parametrize(
    ("question", "said", "is_deferring"),
    [
        ("逾期怎么处理？", ("第八条 逾期的，按照第十一条处理。",), True),
        ("逾期怎么处理？", ("第八条 逾期的，按照第十一条处理。", "第十一条 每日扣2分。"), False),
        ("逾期罚款多少元？", ("逾期的，按照第十一条处以200元罚款。",), False),
        ("逾期罚款多少元？", ("逾期的，按照第十一条罚款。",), True),
        ("What happens to late returns?", ("They are treated as set out in Section 4.2.",), True),
        ("谁负责验收？", ("第三条 技术部负责验收。",), False),
        ("谁负责验收？", (), False),
    ],
)
def test_an_answer_defers_where_its_substance_stands_elsewhere(
    question: str, said: tuple[str, ...], is_deferring: bool
) -> None:
    assert defers(analyse_question(question), [sentence(text) for text in said]) is is_deferring
