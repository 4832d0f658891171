# ruff: noqa: E501 - rows of a table of cases
"""Sums, averages, counts and extremes are computed over one table, and checked by computing them again."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.quoting import markdown, source
from veriloop.knowledge.evidence.conclusion_check import check_conclusion
from veriloop.knowledge.evidence.conclusions import Conclusion
from veriloop.knowledge.evidence.evidence_tables import carries_on
from veriloop.knowledge.evidence.models import Evidence
from veriloop.knowledge.evidence.question import analyse_question
from veriloop.knowledge.evidence.table_sums import conclude_table
from veriloop.knowledge.questions.models import Combination

C = Combination
PRICES = markdown(
    ["供应商", "品名", "型号", "单价（元）", "交货周期（天）"],
    [
        ["东海机械有限公司", "密封件", "DH-32", "1,860.50", "15"],
        ["东海机械有限公司", "加热管", "DH-25", "245.00", "20"],
        ["北山电气有限公司", "驱动器", "BS-750", "2,350.00", "30"],
        ["北山电气有限公司", "光栅", "BS-1200", "4,180.00", "21"],
    ],
)
BUDGET = markdown(
    ["Item", "Category", "Amount (EUR)", "Lead time (days)"],
    [
        ["Press", "Equipment", "137,000.00", "60"],
        ["Robot", "Equipment", "82,400.00", "75"],
        ["Training", "Service", "3,000.00", "10"],
        ["Total", "", "222,400.00", ""],
    ],
)
RESULTS = markdown(
    ["设备", "检验项目", "实测值", "结论"],
    [
        ["1号机", "平行度", "0.04 mm", "合格"],
        ["1号机", "压降", "0.8 MPa", "不合格"],
        ["2号机", "平行度", "0.05 mm", "合格"],
    ],
)
ZH = source(PRICES, title="供应商价格表", marker=1)
EN = source(f"Unit: EUR\n{BUDGET}", title="Project budget", marker=2)
CHECKS = source(RESULTS, title="验收记录", section=("检验项目与结果",), marker=3)


def computed(combination: Combination, question: str, *evidence: Evidence) -> Conclusion | None:
    conclusion = conclude_table(combination, analyse_question(question), evidence)
    assert conclusion is None or check_conclusion(conclusion, evidence).supported
    return conclusion


@pytest.mark.parametrize(
    ("combination", "question", "text"),
    [
        (C.SUM, "供应商价格表的单价合计是多少？", "单价合计 8,635.50元（4 行：1,860.50元 + 245.00元 + 2,350.00元 + 4,180.00元）。"),
        (C.SUM, "供应商价格表中东海机械的单价合计是多少？", "“东海机械有限公司”的单价合计 2,105.50元（2 行：1,860.50元 + 245.00元）。"),
        (C.AVERAGE, "供应商价格表的平均交货周期是多少天？", "交货周期平均 21.5天（4 行：15天 + 20天 + 30天 + 21天）。"),
        (C.LARGEST, "供应商价格表里最贵的是哪个型号？", "单价最高的是 BS-1200：4,180.00元（比较了 4 行）。"),
        (C.SMALLEST, "供应商价格表里交货周期最短的是哪个型号？", "交货周期最短的是 DH-32：15天（比较了 4 行）。"),
        (C.COUNT, "供应商价格表里有几家供应商？", "供应商共有 2 个不同的（4 行）：东海机械有限公司、北山电气有限公司。"),
        (C.COUNT, "验收记录中不合格的检验项目有几项？", "“不合格”的共 1 项：压降。"),
        (C.COUNT, "验收记录中合格的有几项？", "“合格”的共 2 项：1号机 平行度、2号机。"),
        (C.SUM, "What is the total amount of the project budget?", "Total Amount: 222,400.00 EUR (3 rows: 137,000.00 EUR + 82,400.00 EUR + 3,000.00 EUR)."),
        (C.SUM, "What is the total amount for equipment in the project budget?", "Total Amount for “Equipment”: 219,400.00 EUR (2 rows: 137,000.00 EUR + 82,400.00 EUR)."),
        (C.AVERAGE, "What is the average amount in the project budget?", "Average Amount: about 74,133.3333 EUR (3 rows: 137,000.00 EUR + 82,400.00 EUR + 3,000.00 EUR)."),
        (C.LARGEST, "Which item in the project budget has the longest lead time?", "The longest Lead time is 75 days: Robot (3 rows compared)."),
        (C.SMALLEST, "Which item of the project budget has the lowest amount?", "The lowest Amount is 3,000.00 EUR: Training (3 rows compared)."),
        (C.COUNT, "How many items in the project budget are equipment?", "2 rows for “Equipment”: Press, Robot."),
    ],
)  # fmt: skip
def test_the_result_is_named_with_its_unit_rows_and_operands(
    combination: Combination, question: str, text: str
) -> None:
    conclusion = computed(combination, question, ZH, EN, CHECKS)
    assert conclusion is not None
    assert conclusion.text == text


@pytest.mark.parametrize(
    ("combination", "question"),
    [
        (C.SUM, "供应商价格表里进口件的单价合计是多少？"),
        (C.SUM, "供应商价格表中除东海机械以外的单价合计是多少？"),
        (C.LARGEST, "供应商价格表里最大的是多少？"),
        (C.SUM, "员工工资合计是多少？"),
        (C.SUM, "What is the total amount for spare parts in the project budget?"),
        (C.SUM, "What is the total amount excluding services in the project budget?"),
        (C.SUM, "What is the total of the visitor register?"),
        (C.SUM, "验收记录的实测值合计是多少？"),
        (C.LARGER, "供应商价格表里最贵的是哪个型号？"),
        (C.SUM, "供应商价格表里光栅的单价合计是多少？"),
        (C.COUNT, "供应商价格表里光栅有几种？"),
        (C.COUNT, "How many days does the robot take in the project budget?"),
    ],
)
def test_nothing_is_computed_where_rows_column_or_table_are_not_clear(combination: Combination, question: str) -> None:
    assert computed(combination, question, ZH, EN, CHECKS) is None


@pytest.mark.parametrize(
    "rows",
    [
        [["甲", "1,000元"], ["乙", "待定"]],
        [["甲", "1,000元"], ["乙", ""]],
        [["甲", "1,000元"], ["乙", "500美元"]],
        [["甲", "1,000元"], ["乙", "约500元"]],
        [["甲", "1,000元"], ["乙", "≤500元"]],
        [["甲", "1,000元"], ["乙", "500元"], ["合计", "1,600元"]],
    ],
)
def test_a_row_without_an_exact_value_another_unit_or_a_wrong_total_ends_in_nothing(rows: list[list[str]]) -> None:
    table = source(markdown(["科目", "金额"], rows), title="项目预算")
    assert computed(C.SUM, "项目预算的金额合计是多少？", table) is None


def test_two_tables_that_fit_alike_are_not_told_apart() -> None:
    editions = [
        source(markdown(["科目", "金额（元）"], [["甲", amount], ["乙", "5"]]), title=title, marker=marker)
        for marker, (title, amount) in enumerate((("预算表2023版", "10"), ("预算表2025版", "20")), 1)
    ]
    assert computed(C.SUM, "预算表的金额合计是多少？", *editions) is None
    newer = computed(C.SUM, "预算表2025版的金额合计是多少？", *editions)
    assert newer is not None and "25元" in newer.text


def test_an_id_is_not_taken_for_a_longer_one() -> None:
    rows = [["HN-320（1号机）", "平行度"], ["HN-320（2号机）", "平行度"], ["HN-320B", "平行度"]]
    table = source(markdown(["设备", "检验项目"], rows), title="验收记录")
    conclusion = computed(C.COUNT, "验收记录中HN-320有几项检验？", table)
    assert conclusion is not None and conclusion.text.startswith("“HN-320”的共 2 项")


def test_a_table_that_was_split_is_joined_and_one_that_lacks_its_end_is_not_added_up() -> None:
    names, rows = ["编号", "名称", "金额（元）"], [[str(n), f"设备甲乙丙丁戊己庚辛 {n}", str(n)] for n in range(1, 201)]
    parts = [
        source(markdown(names, rows[start:end]), title="固定资产表", marker=start + 1, ordinal=start // 150)
        for start, end in ((0, 150), (150, 200))
    ]
    assert carries_on(parts[0].block, parts[1].block)
    whole = computed(C.SUM, "固定资产表的金额合计是多少？", *parts)
    assert whole is not None and whole.text == "金额合计 20100元（200 行）。"
    assert len(whole.quotes) == 202
    assert computed(C.SUM, "固定资产表的金额合计是多少？", parts[0]) is None


COLUMNS = {
    "zh": [("金额（万元）", "", "万元"), ("金额", "元", "元"), ("重量 (kg)", "", " kg"), ("工期", "个月", "个月")],
    "en": [("Amount (EUR)", "", " EUR"), ("Amount", " USD", " USD"), ("Weight (kg)", "", " kg"), ("Power", " kW", " kW")],
}  # fmt: skip
CELLS = st.lists(
    st.tuples(st.integers(0, 10**8), st.integers(0, 3)).map(lambda pair: Decimal(pair[0]).scaleb(-pair[1])),
    min_size=2,
    max_size=12,
)


@st.composite
def columns(draw: st.DrawFn) -> tuple[str, str, list[Decimal], Evidence, str]:
    """Language, column, its numbers, the source, and how the unit is written behind the result."""
    language = draw(st.sampled_from(["zh", "en"]))
    name, behind, unit = draw(st.sampled_from(COLUMNS[language]))
    numbers, grouped = draw(CELLS), draw(st.booleans())
    label = {"zh": "名称", "en": "Item"}[language]
    rows = [
        [f"{label}{'甲乙丙丁戊己庚辛壬癸子丑'[index]}", f"{number:,f}{behind}" if grouped else f"{number:f}{behind}"]
        for index, number in enumerate(numbers)
    ]
    title = {"zh": "设备清单", "en": "Equipment register"}[language]
    return language, name, numbers, source(markdown([label, name], rows), title=title), unit


def _question(language: str, name: str, word: str) -> str:
    plain = name.split("（")[0].split(" (")[0]
    return (
        f"设备清单的{plain}{word}是多少？"
        if language == "zh"
        else f"What is the {word} {plain} in the equipment register?"
    )


def _number(text: str, behind: str, unit: str) -> Decimal:
    found = text.split(behind, 1)[1].split("（" if "（" in text else " (")[0]
    return Decimal(found.removesuffix(unit).replace(",", ""))


@settings(deadline=None, max_examples=80)
@given(columns())
def test_sums_equal_the_exact_sum_whatever_the_unit_and_the_separators(
    case: tuple[str, str, list[Decimal], Evidence, str],
) -> None:
    language, name, numbers, table, unit = case
    conclusion = computed(C.SUM, _question(language, name, {"zh": "合计", "en": "total"}[language]), table)
    assert conclusion is not None
    assert _number(conclusion.text, {"zh": "合计 ", "en": ": "}[language], unit) == sum(numbers)


@settings(deadline=None, max_examples=60)
@given(columns())
def test_averages_are_exact_or_called_rounded(case: tuple[str, str, list[Decimal], Evidence, str]) -> None:
    language, name, numbers, table, unit = case
    conclusion = computed(C.AVERAGE, _question(language, name, {"zh": "平均值", "en": "average"}[language]), table)
    assert conclusion is not None
    text = conclusion.text.replace("约 ", "").replace("about ", "")
    stated = _number(text, {"zh": "平均 ", "en": ": "}[language], unit)
    is_rounded = text != conclusion.text
    assert abs(stated * len(numbers) - sum(numbers)) <= (len(numbers) if is_rounded else 0) * Decimal("0.005")


@settings(deadline=None, max_examples=100)
@given(columns(), st.sampled_from([C.SUM, C.AVERAGE, C.LARGEST, C.SMALLEST]), st.data())
def test_a_changed_digit_is_refused(
    case: tuple[str, str, list[Decimal], Evidence, str], combination: Combination, data: st.DataObject
) -> None:
    language, name, _, table, _ = case
    words = {"zh": ["合计", "平均值", "最大值", "最小值"], "en": ["total", "average", "largest", "smallest"]}[language]
    word = words[[C.SUM, C.AVERAGE, C.LARGEST, C.SMALLEST].index(combination)]
    conclusion = computed(combination, _question(language, name, word), table)
    assert conclusion is not None
    places = [index for index, character in enumerate(conclusion.text) if character.isdigit()]
    place = data.draw(st.sampled_from(places))
    digit = data.draw(st.sampled_from([d for d in "0123456789" if d != conclusion.text[place]]))
    text = f"{conclusion.text[:place]}{digit}{conclusion.text[place + 1 :]}"
    assert not check_conclusion(conclusion.model_copy(update={"text": text}), [table]).supported


@settings(deadline=None, max_examples=60)
@given(columns(), st.data())
def test_a_row_left_out_is_refused_even_where_the_sum_fits_the_rest(
    case: tuple[str, str, list[Decimal], Evidence, str], data: st.DataObject
) -> None:
    language, name, numbers, table, _ = case
    assume(len(numbers) > 2)
    conclusion = computed(C.SUM, _question(language, name, {"zh": "合计", "en": "total"}[language]), table)
    assert conclusion is not None
    left_out = data.draw(st.integers(1, len(conclusion.quotes) - 1))
    quotes = tuple(quote for index, quote in enumerate(conclusion.quotes) if index != left_out)
    operands = tuple(operand for index, operand in enumerate(conclusion.operands) if index != left_out - 1)
    shorter = conclusion.model_copy(update={"quotes": quotes, "operands": operands})
    assert not check_conclusion(shorter, [table]).supported


@pytest.mark.parametrize(
    ("combination", "question", "change", "into"),
    [
        (C.SUM, "供应商价格表的单价合计是多少？", "8,635.50元", "8,635.50万元"),
        (C.SUM, "供应商价格表的单价合计是多少？", "单价合计", "交货周期合计"),
        (C.SUM, "供应商价格表中东海机械的单价合计是多少？", "东海机械", "北山电气"),
        (C.LARGEST, "供应商价格表里最贵的是哪个型号？", "BS-1200", "BS-750"),
        (C.LARGEST, "供应商价格表里最贵的是哪个型号？", "最高", "最低"),
        (C.COUNT, "验收记录中不合格的检验项目有几项？", "不合格", "合格"),
        (C.COUNT, "验收记录中合格的有几项？", "2号机", "3号机"),
        (C.LARGEST, "Which item in the project budget has the longest lead time?", "Robot", "Press"),
        (C.AVERAGE, "What is the average amount in the project budget?", "about ", ""),
        (C.SUM, "What is the total amount of the project budget?", "222,400.00 EUR", "222,400.00 USD"),
    ],
)
def test_a_changed_unit_column_condition_or_winner_is_refused(
    combination: Combination, question: str, change: str, into: str
) -> None:
    evidence = [ZH, EN, CHECKS]
    conclusion = computed(combination, question, *evidence)
    assert conclusion is not None and change in conclusion.text
    changed = conclusion.model_copy(update={"text": conclusion.text.replace(change, into)})
    check = check_conclusion(changed, evidence)
    assert not check.supported
    assert {fault.kind for fault in check.faults} <= {"number", "date", "not_in_source"}
