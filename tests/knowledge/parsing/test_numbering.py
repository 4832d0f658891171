"""Labels of headings, clauses and list items in Chinese and English."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.knowledge.elements import ElementKind
from veriloop.knowledge.parsing.docx_numbering import chinese, render
from veriloop.knowledge.parsing.numbering import read_label, shape_of

_HEADINGS = [
    "第一编 通则", "第一章 总则", "第一章总则", "第二节 采购流程", "第十二条 违约责任", "附件四 费用标准", "附录A 术语",
    "一、适用范围", "（一）出差标准", "1.2 工作时间", "3.1.2 付款方式", "第三部分",
    "Chapter 3 Scope", "PART II Obligations", "Article 5 Termination", "Section 3: Fees", "Annex A",
    "2.2 日常行为规范", "4.3 年度考核", "3.4 个人信息", "Schedule 1 Prices", "1.2.3 Title of Part", "2.1. Terms of Use",
]  # fmt: skip
_PARAGRAPHS = [
    "第十二条 甲方逾期付款的，应当按日支付违约金。",
    "第五条规定的期限届满后仍未改正的",
    "第一章总则中规定，本办法适用于全体员工。",
    "一、本办法自2026年1月1日起施行。",
    "Article 5 of this Agreement shall survive termination.",
    "Section 3 applies to every purchase that exceeds the limit; see below.",
    "Article 5 The buyer pays every bill within thirty days after the goods have come.",
    "1.5 倍工资",
    "2.5 年以上",
    "2.5 mm screws",
    "第一章 总则 … 3",
]  # fmt: skip
_ITEMS = ["1. 打开电源；", "（1）身份证复印件", "(a) the buyer", "① 填写申请表", "• Passport", "（三）依法应当回避的；"]


@pytest.mark.parametrize("line", _HEADINGS)
def test_a_label_with_a_short_title_is_a_heading(line: str) -> None:
    assert shape_of(line).kind is ElementKind.HEADING


@pytest.mark.parametrize("line", _PARAGRAPHS)
def test_a_label_before_a_sentence_is_running_text(line: str) -> None:
    assert shape_of(line).kind is ElementKind.PARAGRAPH


@pytest.mark.parametrize("line", _ITEMS)
def test_a_small_number_before_a_text_is_a_list_item(line: str) -> None:
    assert shape_of(line).kind is ElementKind.LIST_ITEM


@pytest.mark.parametrize(
    "higher,lower",
    [
        ("第一编 通则", "第一章 总则"),
        ("第一章 总则", "第一节 范围"),
        ("第一节 范围", "第一条 目的"),
        ("一、范围", "（一）地区"),
        ("Chapter 1 Scope", "Section 1 Terms"),
        ("1.2 Fees", "1.2.1 Late Fees"),
    ],
)
def test_the_higher_division_has_the_smaller_rank(higher: str, lower: str) -> None:
    above, below = read_label(higher), read_label(lower)
    assert above is not None and below is not None
    assert above.rank < below.rank


@given(st.text(max_size=200))
def test_any_line_has_a_shape(line: str) -> None:
    shape = shape_of(line)
    assert (shape.kind is ElementKind.HEADING) == (shape.rank is not None)


@pytest.mark.parametrize(
    "count,text",
    [
        (1, "一"),
        (10, "十"),
        (12, "十二"),
        (20, "二十"),
        (100, "一百"),
        (105, "一百〇五"),
        (110, "一百一十"),
        (2026, "二千〇二十六"),
    ],
)
def test_numbers_are_spoken_as_in_chinese(count: int, text: str) -> None:
    assert chinese(count) == text


@given(st.integers(min_value=1, max_value=9_999))
def test_chinese_numbers_differ_from_each_other(count: int) -> None:
    assert chinese(count) != chinese(count + 1)


@pytest.mark.parametrize(
    "form,text",
    [
        ("decimal", "4"), ("decimalZero", "04"), ("upperRoman", "IV"), ("lowerRoman", "iv"), ("upperLetter", "D"),
        ("lowerLetter", "d"), ("ordinal", "4th"), ("decimalEnclosedCircle", "④"), ("ideographTraditional", "丁"),
        ("chineseCountingThousand", "四"), ("chineseLegalSimplified", "肆"), ("unheardOf", "4"),
    ],
)  # fmt: skip
def test_each_number_format_has_its_signs(form: str, text: str) -> None:
    assert render(4, form) == text
