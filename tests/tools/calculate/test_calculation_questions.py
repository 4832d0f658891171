"""Which questions are calculations and nothing else, and how the tool answers in a run."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from veriloop.configs.calendar_settings import CalendarSettings
from veriloop.errors import CalculationError
from veriloop.knowledge.text.normalise import has_chinese
from veriloop.tools.calculate import calculated, make_calculate
from veriloop.tools.contracts import ErrorCode, ToolFailure, ToolOutput
from veriloop.tools.registry import ToolRegistry
from veriloop.tools.results import is_result

TOOL = make_calculate(CalendarSettings(country="CN"))
REGISTRY = ToolRegistry([TOOL])


def expression_of(question: str) -> str | None:
    assert TOOL.by_rules is not None
    found = TOOL.by_rules(question)
    return None if found is None else str(found.arguments["expression"])


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("3 个工作日后是哪天（从 2025-09-26 起）", "2025-09-30"),
        ("2025年3月1日起第10个工作日是几号", "2025-03-14"),
        ("从2025-03-01起30天后是哪一天", "2025-03-31"),
        ("2025-03-01 前 3 个月是哪天", "2024-12-01"),
        ("What date is 30 days after March 1, 2025?", "2025-03-31"),
        ("2025-01-01 到 2025-03-15 有多少天", "73 天"),
        ("2025-03-01 到 2025-03-31 之间有几个工作日？", "21 个工作日"),
        ("How many working days are there between 2025-09-26 and 2025-10-10?", "5 working days"),
        ("2025-10-01是星期几？", "星期三"),
        ("what day of the week is 2025-10-01?", "Wednesday"),
        ("2025年10月6日是工作日吗", "不是工作日"),
        ("1.2 万元是多少元", "12,000 元"),
        ("10 kW 等于多少 MW", "0.01 MW"),
        ("how many kWh is 2.5 MWh", "2,500 kWh"),
        ("convert 10 km to m", "10,000 m"),
        ("what is 15% of 3.4 million", "510,000"),
        ("What percentage of 120 is 30?", "25%"),
        ("30万元占120万元的百分之几", "25%"),
        ("从120万元增长到150万元的增长率是多少", "25%"),
        ("增长率 (150-120)/120", "25%"),
        ("合同金额 120 万元的 30% 是多少", "36 万元"),
        ("请计算 (1+2)*3", "9"),
        ("3+5等于几", "8"),
        ("5 + 3 = ?", "8"),
        ("百分之三十乘以1200等于多少", "360"),
        ("4,500 和 3,200 的平均值是多少", "3,850"),
        ("12万元、3.5万元和8000元的总和是多少", "16.3 万元"),
        ("sum of 3, 4 and 5", "12"),
        ("单价1200元，3台，一共多少钱？", "3,600 元"),
        ("12 licences at $30 each in total", "360 USD"),
        ("1200元的三成是多少", "360 元"),
        ("1200元打八五折是多少", "1,020 元"),
        ("120万元上浮10%是多少", "132 万元"),
        ("increase 200 by 15%", "230"),
        ("150万元比120万元多多少", "30 万元"),
        ("90比120少百分之几", "25%"),
        ("5 kW 和 3 kW 相差多少", "2 kW"),
    ],
)
def test_a_question_that_is_a_calculation_is_computed(question: str, answer: str) -> None:
    expression = expression_of(question)
    assert expression is not None
    output = REGISTRY.run(TOOL.name, {"expression": expression})
    assert isinstance(output, ToolOutput)
    assert output.short_answer == answer
    assert is_result(output.hits[0].document)


@pytest.mark.parametrize(
    "question",
    [
        "验收后几个工作日付款",
        "甲方应当在几个工作日内组织验收？",
        "违约金是合同总价的百分之几",
        "2024年营收是多少",
        "去年第四季度的营收是多少",
        "How much may employees spend per night on a hotel?",
        "what is the price of 15% alcohol",
        "10 kW 的电机型号是什么",
        "2025-03-01 签订的合同30天后到期吗",
        "2025年3月1日发布了什么通知",
        "2025-03-01 到 2025-04-01 的会议纪要有几份",
        "100 万元以上的合同有多少",
        "2025-03-01",
        "10 kW",
        "010-1234",
        "2024-2025",
        "GB 50016-2014",
        "HN-3200 和 HN-3300 相差多少",
        "合同总价和预付款的总和是多少",
        "营收增长了10%",
        "2024 比 2023 多多少",
        "第三条和第四条有什么差",
        "average of the sales",
        "第三条第二款",
        "你好",
        "",
    ],
)
def test_a_question_about_what_a_document_says_is_none(question: str) -> None:
    assert expression_of(question) is None


@pytest.mark.parametrize(
    ("question", "found", "answer"),
    [
        ("{t1} 的 30% 是多少", "120 万元", "36 万元"),
        ("{t1} 减去 {t1}", "5 kW", "0 kW"),
        ("{t1} 起 30 天后是哪天", "2025年3月1日", "2025-03-31"),
        ("what is 15% of {t1}", "USD 200", "30 USD"),
    ],
)
def test_a_part_that_builds_on_an_earlier_one_is_computed_once_that_is_known(
    question: str, found: str, answer: str
) -> None:
    expression = expression_of(question)
    assert expression is not None
    assert REGISTRY.problem(TOOL.name, {"expression": expression}) is None
    output = REGISTRY.run(TOOL.name, {"expression": expression.replace("{t1}", found)})
    assert isinstance(output, ToolOutput)
    assert output.short_answer == answer


@pytest.mark.parametrize("expression", ["10 kW + 5 元", "1 / 0", "2025-02-31 + 10 天", "(-2) ^ 0.5"])
def test_what_has_no_result_however_it_is_written_is_told_apart_in_both_languages(expression: str) -> None:
    outcome = REGISTRY.run(TOOL.name, {"expression": expression})
    assert isinstance(outcome, ToolFailure)
    assert outcome.code is ErrorCode.IMPOSSIBLE
    assert outcome.kind and has_chinese(outcome.chinese)


@pytest.mark.parametrize("expression", ["总价的 30%", "{t1} * 2"])
def test_a_failure_is_one_of_the_arguments_and_says_why(expression: str) -> None:
    outcome = REGISTRY.run(TOOL.name, {"expression": expression})
    assert isinstance(outcome, ToolFailure)
    assert outcome.code is ErrorCode.INVALID_ARGUMENTS


def test_a_calendar_that_cannot_be_read_fails_the_call_with_its_name(tmp_path: Path) -> None:
    registry = ToolRegistry([make_calculate(CalendarSettings(file=tmp_path / "gone.yaml"))])
    outcome = registry.run("calculate", {"expression": "2025-01-01 + 1 工作日"})
    assert isinstance(outcome, ToolFailure)
    assert "gone.yaml" in outcome.detail


WORDS = st.sampled_from(
    [
        "是多少",
        "等于",
        "从",
        "起",
        "到",
        "后",
        "前",
        "3",
        "15%",
        "万元",
        "kW",
        "2025-03-01",
        "第",
        "工作日",
        "天",
        "多少",
        "what",
        "is",
        "of",
        "how",
        "many",
        "的",
        "{t1}",
        "(",
        ")",
        "+",
        "to",
    ]
)


@given(st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=12).map(" ".join)))
@settings(deadline=None, max_examples=200)
def test_whatever_is_asked_the_rule_finds_nothing_or_an_expression_that_can_be_read(question: str) -> None:
    expression = expression_of(question)
    if expression is None:
        return
    assert REGISTRY.problem(TOOL.name, {"expression": expression}) is None
    try:
        calculated(expression, CalendarSettings())
    except CalculationError as error:
        assert str(error)


@pytest.mark.parametrize(
    ("question", "result"),
    [
        ("98除以7再乘以3", "42"),
        ("98加2，再乘以3等于多少？", "300"),
        ("100减20然后除以4是多少？", "20"),
        ("What is 98 plus 2, then times 3?", "300"),
        ("三个 25 元的加两个 18 元的一共多少钱", "111 元"),
        ("3个25元的和2个18元的一共多少钱？", "111 元"),
        ("What do three at 25 EUR and two at 18 EUR cost together?", "111 EUR"),
    ],
)
def test_steps_in_turn_and_several_prices_are_computed(question: str, result: str) -> None:
    assert TOOL.by_rules is not None
    found = TOOL.by_rules(question)
    assert found is not None
    outcome = REGISTRY.run(TOOL.name, found.arguments)
    assert isinstance(outcome, ToolOutput)
    assert outcome.short_answer == result


@pytest.mark.parametrize(
    "question",
    [
        "2024年的12个月",
        "2024年的12个月一共有多少天？",
        "12 months of 2024",
        "三个月的租金一共多少钱？",
        "再乘以3",
        "买三本书一共多少钱？",
    ],
)
def test_what_belongs_to_a_year_or_lacks_a_value_is_no_calculation(question: str) -> None:
    assert TOOL.by_rules is not None
    assert TOOL.by_rules(question) is None
