# ruff: noqa: E501 - rows of a table of cases
"""Nothing is compared with a value that is another subject's, denied, of another period, or in another column."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.quoting import markdown, quoted, quoted_row, source
from veriloop.knowledge.evidence.conclusion_check import check_conclusion
from veriloop.knowledge.evidence.conclusion_subjects import names_subject
from veriloop.knowledge.evidence.conclusions import Conclusion, Operand, PartAnswer, conclude
from veriloop.knowledge.evidence.models import Evidence, ExtractedSentence
from veriloop.knowledge.evidence.paired_values import paired_values
from veriloop.knowledge.evidence.question import analyse_question
from veriloop.knowledge.questions.models import Combination
from veriloop.knowledge.text.values import ValueKind

C = Combination


def parts_of(question: str, answers: dict[str, ExtractedSentence]) -> list[PartAnswer]:
    return [
        PartAnswer(analyse_question(question.format(name)), name, (sentence,)) for name, sentence in answers.items()
    ]


def forged(language: str, text: str, answers: dict[str, tuple[str, ExtractedSentence]]) -> Conclusion:
    """A conclusion as somebody might hand it in who reads the wrong values."""
    operands = tuple(
        Operand(subject=name, text=value, quotes=sentence.quotes) for name, (value, sentence) in answers.items()
    )
    quotes = tuple(dict.fromkeys(quote for operand in operands for quote in operand.quotes))
    return Conclusion(combination=C.LARGER, text=text, quotes=quotes, language=language, operands=operands)


def sentences(texts: Sequence[str], title: str = "记录") -> tuple[list[Evidence], list[ExtractedSentence]]:
    evidence = [source(text, marker=number, title=title) for number, text in enumerate(texts, 1)]
    return evidence, [quoted(item) for item in evidence]


@pytest.mark.parametrize(
    ("language", "question", "first", "second", "text", "values"),
    [
        ("zh", "{0}的租期是多久？", ("远洲", "远洲公司的租期见合同。东方公司的租期为28个月。"), ("海宁", "海宁公司的租期为24个月。"), "远洲的更长：28个月，海宁为24个月。", ("28个月", "24个月")),
        ("zh", "{0}的质保期是多久？", ("压机", "压机的质保期见附件；风机18个月。"), ("输送机", "输送机的质保期为12个月。"), "压机的更长：18个月，输送机为12个月。", ("18个月", "12个月")),
        ("zh", "{0}的功率是多少？", ("压机", "压机的功率比风机大，风机的功率为3 kW。"), ("泵", "泵的功率为2 kW。"), "压机的更大：3 kW，泵为2 kW。", ("3 kW", "2 kW")),
        ("zh", "{0}的功率是多少？", ("压机", "压机的功率比风机大3 kW。"), ("泵", "泵的功率为2 kW。"), "压机的更大：3 kW，泵为2 kW。", ("3 kW", "2 kW")),
        ("en", "What is the lease term of {0}?", ("Alpha", "The lease term of Alpha is in the annex. The lease term of Gamma is 28 months."), ("Beta", "The lease term of Beta is 24 months."), "Alpha is longer: 28 months, against 24 months for Beta.", ("28 months", "24 months")),
        ("en", "What is the power of {0}?", ("the press", "The press has more power than the fan, and the power of the fan is 3 kW."), ("the pump", "The power of the pump is 2 kW."), "The press is larger: 3 kW, against 2 kW for the pump.", ("3 kW", "2 kW")),
        ("en", "What is the power of {0}?", ("the press", "The press exceeds the fan by 3 kW."), ("the pump", "The power of the pump is 2 kW."), "The press is larger: 3 kW, against 2 kW for the pump.", ("3 kW", "2 kW")),
        ("zh", "{0}的罚款是多少？", ("甲公司", "甲公司的罚款不是500元。"), ("乙公司", "乙公司的罚款为300元。"), "甲公司的更高：500元，乙公司为300元。", ("500元", "300元")),
        ("en", "What is the fine of {0}?", ("Alpha", "The fine of Alpha is not 500 EUR."), ("Beta", "The fine of Beta is 300 EUR."), "Alpha is higher: 500 EUR, against 300 EUR for Beta.", ("500 EUR", "300 EUR")),
        ("zh", "{0}的费用是多少？", ("甲套餐", "甲套餐的费用为每月100元。"), ("乙套餐", "乙套餐的费用为每年600元。"), "乙套餐的更高：600元，甲套餐为100元。", ("100元", "600元")),
        ("en", "What is the price of {0}?", ("Basic", "The price of Basic is 100 EUR per month."), ("Pro", "The price of Pro is 600 EUR per year."), "Pro is higher: 600 EUR, against 100 EUR for Basic.", ("100 EUR", "600 EUR")),
        ("en", "What is the price of {0}?", ("Basic", "The monthly price of Basic is 100 EUR."), ("Pro", "The price of Pro is 600 EUR."), "Pro is higher: 600 EUR, against 100 EUR for Basic.", ("100 EUR", "600 EUR")),
        ("zh", "{0}的净利润是多少？", ("甲公司", "甲公司的净利润为500万元。"), ("乙公司", "乙公司的净利润为亏损800万元。"), "乙公司的更高：800万元，甲公司为500万元。", ("500万元", "800万元")),
        ("en", "What is the net income of {0}?", ("Alpha", "The net income of Alpha was 500 EUR."), ("Beta", "The net income of Beta was a loss of 800 EUR."), "Beta is higher: 800 EUR, against 500 EUR for Alpha.", ("500 EUR", "800 EUR")),
        ("zh", "{0}的重量是多少？", ("甲设备", "甲设备净重2吨。"), ("乙设备", "乙设备毛重1.8吨。"), "甲设备的更大：2吨，乙设备为1.8吨。", ("2吨", "1.8吨")),
    ],
)  # fmt: skip
def test_a_value_that_is_not_the_subjects_own_or_not_of_one_sort_is_neither_used_nor_let_through(
    language: str, question: str, first: tuple[str, str], second: tuple[str, str], text: str, values: tuple[str, str]
) -> None:
    evidence, (one, other) = sentences([first[1], second[1]])
    answers = {first[0]: one, second[0]: other}
    for combination in (C.LARGER, C.SMALLER, C.DIFFERENCE):
        assert conclude(combination, parts_of(question, answers), language) is None
    wrong = forged(language, text, {first[0]: (values[0], one), second[0]: (values[1], other)})
    assert not check_conclusion(wrong, evidence).supported


@pytest.mark.parametrize(
    ("language", "question", "first", "second", "text"),
    [
        ("zh", "{0}的费用是多少？", ("甲套餐", "甲套餐的费用为每月100元。"), ("乙套餐", "乙套餐的月费用为60元。"), "甲套餐的更高：100元，乙套餐为60元。"),
        ("en", "What is the price of {0}?", ("Basic", "The price of Basic is 100 EUR per month."), ("Pro", "The monthly price of Pro is 60 EUR."), "Basic is higher: 100 EUR, against 60 EUR for Pro."),
        ("zh", "{0}的亏损是多少？", ("甲公司", "甲公司亏损500万元。"), ("乙公司", "乙公司亏损800万元。"), "乙公司的更高：800万元，甲公司为500万元。"),
        ("zh", "{0}的功率是多少？", ("压机", "压机噪声大，其功率为3 kW。"), ("泵", "泵的功率为2 kW。"), "压机的更大：3 kW，泵为2 kW。"),
    ],
)  # fmt: skip
def test_values_of_one_sort_are_compared(
    language: str, question: str, first: tuple[str, str], second: tuple[str, str], text: str
) -> None:
    evidence, (one, other) = sentences([first[1], second[1]])
    conclusion = conclude(C.LARGER, parts_of(question, {first[0]: one, second[0]: other}), language)
    assert conclusion is not None
    assert conclusion.text == text
    assert check_conclusion(conclusion, evidence).supported


@pytest.mark.parametrize(
    ("names", "rows", "values"),
    [
        (["设备", "价格（元）"], [["压机（备用）", "100"], ["风机", "200"]], ("100元", "200元")),
        (["设备", "价格（元）"], [["备用压机", "100"], ["风机", "200"]], ("100元", "200元")),
        (["设备", "数量", "价格（元）"], [["压机", "2", "约1,200.50"], ["风机", "3", "5000"]], ("1,200.50元", "3")),
        (["设备", "数量", "价格（元）"], [["压机", "2", "面议"], ["风机", "3", "5000"]], ("2", "5000元")),
        (["设备", "价格", "币种"], [["压机", "100", "EUR"], ["风机", "200", "CNY"]], ("100", "200")),
        (["设备", "价格", "币种"], [["压机", "100", "EUR"], ["风机", "200", "EUR"]], ("100", "200")),
    ],
)
def test_rows_of_another_thing_without_the_asked_value_or_in_another_currency_do_not_compare(
    names: list[str], rows: list[list[str]], values: tuple[str, str]
) -> None:
    evidence = source(markdown(names, rows), title="清单")
    one, other = quoted_row(evidence, 0), quoted_row(evidence, 1)
    wrong = forged("zh", f"风机的更高：{values[1]}，压机为{values[0]}。", {"压机": (values[0], one), "风机": (values[1], other)})  # fmt: skip
    assert not check_conclusion(wrong, [evidence]).supported
    found = conclude(C.DIFFERENCE, parts_of("{0}的价格是多少？", {"压机": one, "风机": other}), "zh")
    is_one_currency = {row[-1] for row in rows} == {"EUR"}
    assert (found is not None) == is_one_currency
    assert found is None or ("100 EUR" in found.text and check_conclusion(found, [evidence]).supported)


@pytest.mark.parametrize("unit", ["单位：万元", "Unit: EUR"])
def test_a_bare_number_is_no_value_where_the_table_states_its_unit(unit: str) -> None:
    evidence = source(f"{unit}\n\n{markdown(['产品', '收入'], [['甲型', '100'], ['乙型', '200']])}", title="收入表")
    answers = {"甲型": ("100", quoted_row(evidence, 0)), "乙型": ("200", quoted_row(evidence, 1))}
    assert not check_conclusion(forged("zh", "乙型的更大：200，甲型为100。", answers), [evidence]).supported


def test_a_currency_that_is_not_shown_still_belongs_to_the_row() -> None:
    names = ["产品", "说明", "产地", "等级", "单价", "币种"]
    evidence = source(markdown(names, [["甲型", "a", "b", "c", "100", "EUR"], ["乙型", "a", "b", "c", "200", "CNY"]]))
    shown = [
        quoted_row(evidence, index).model_copy(update={"text": f"产品：{name}，单价：{price}"})
        for index, (name, price) in enumerate((("甲型", "100"), ("乙型", "200")))
    ]
    parts = parts_of("{0}的单价是多少？", dict(zip(("甲型", "乙型"), shown, strict=True)))
    assert conclude(C.LARGER, parts, "zh") is None


def test_the_title_or_a_heading_may_name_the_subject_and_that_of_another_edition_may_not() -> None:
    text = "住宿费标准为每晚{0}元。"
    evidence = [
        source(text.format(price), marker=number, title=title)
        for number, (price, title) in enumerate(((300, "差旅规定2022版"), (900, "差旅规定2025版")), 1)
    ]
    for second, is_supported in (("2025版", True), ("2024版", False)):
        parts = parts_of("差旅规定{0}的住宿费是多少？", {"2022版": quoted(evidence[0]), second: quoted(evidence[1])})
        conclusion = conclude(C.DIFFERENCE, parts, "zh")
        assert conclusion is not None
        assert check_conclusion(conclusion, evidence).supported == is_supported


@pytest.mark.parametrize(
    ("subject", "text", "is_named"),
    [
        ("西北仓库", "华东仓库的面积为500平方米。", False),
        ("华东仓库", "华东仓库的面积为500平方米。", True),
        ("戊设备", "甲设备的保修期为24个月。", False),
        ("the west warehouse", "The area of the north warehouse is 500 m2.", False),
        ("a privileged account", "Privileged accounts need a longer password.", True),
        ("HN-9", "HN-90的功率为9 kW。", False),
        ("2024版", "差旅规定2025版", False),
        ("Travel Policy 2021", "Travel Policy 2024", False),
        ("验收记录里的实际到货日期", "验收记录\n设备于8月26日到货。", True),
    ],
)  # fmt: skip
def test_a_subject_is_named_by_its_ids_its_years_and_its_first_word(subject: str, text: str, is_named: bool) -> None:
    assert names_subject(subject, text) == is_named


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(["。", "；", "！", ";", "\n"]), st.integers(1, 99), st.integers(1, 99))
def test_values_are_not_paired_over_the_end_of_a_clause(end: str, left: int, right: int) -> None:
    apart = f"压机的质保期见附件{end}风机{left}个月{end}输送机{right}个月。"
    assert paired_values(apart, ["压机", "输送机"], {ValueKind.DURATION}) == []
    together = f"压机的质保期为{left}个月{end}输送机{right}个月。"
    found = paired_values(together, ["压机", "输送机"], {ValueKind.DURATION})
    assert [value.canonical for value in found] == [str(left), str(right)]
