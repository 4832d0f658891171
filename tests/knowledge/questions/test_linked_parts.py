# ruff: noqa: E501 - questions are read in one piece
"""Parts that need another part's answer, that compare two editions, or that ask for one of several means."""

from __future__ import annotations

import pytest
from veriloop.knowledge.evidence.question import analyse_question
from veriloop.knowledge.questions.decompose import decompose
from veriloop.knowledge.questions.models import Combination, Decomposition, QuestionType


def parts_of(text: str) -> Decomposition:
    return decompose(analyse_question(text))


def texts_of(text: str) -> list[str]:
    return [part.text for part in parts_of(text).parts]


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("谁是项目经理，他的电话是多少？", "{q1}的电话是多少？"),
        ("巡检报告的编写人是谁？会议要求她在哪一天之前补交？", "会议要求{q1}在哪一天之前补交？"),
        ("噪声实测为71 dB的是哪台水泵？它的轴承多久更换一次？", "{q1}的轴承多久更换一次？"),
        ("单价为3.5万元的水泵是什么型号，其额定功率是多少？", "{q1}的额定功率是多少？"),
        ("尾款要等什么证书签署？档案里该证书的签署日期是哪天？", "档案里{q1}的签署日期是哪天？"),
        ("担任采购负责人的是谁？这位负责人通报的索赔金额是多少？", "{q1}通报的索赔金额是多少？"),
        ("Who is the project manager and what is her phone number?", "What is {q1}'s phone number?"),
        ("Which clause covers force majeure and what does it say?", "What does {q1} say?"),
        ("Who is the safety officer, and in which room is his or her office?", "In which room is {q1}'s office?"),
        ("What is an account called that can read all files, and how long must its password be?", "How long must {q1}'s password be?"),
        ("Which pump failed the test, and when was this pump repaired?", "When was {q1} repaired?"),
    ],
)  # fmt: skip
def test_a_pronoun_waits_for_the_name_that_the_first_question_asks_for_and_both_are_wanted(
    text: str, last: str
) -> None:
    found = parts_of(text)
    assert (found.question_type, found.combination) == (QuestionType.MULTI_HOP, Combination.LIST)
    assert found.parts[-1].text == last
    assert [part.depends_on for part in found.parts] == [(), ("q1",)]


@pytest.mark.parametrize(
    "text",
    [
        "合同的签订日期是哪天？它的总价是多少？",
        "哪些费用可以报销，其他费用怎么处理？",
        "哪一年开始执行新制度，其中有哪些变化？",
        "What is the price of the CP-30 pump and how much does it weigh?",
        "Within which year was the plant built, and how large is it?",
    ],
)
def test_a_pronoun_for_a_thing_that_is_named_waits_for_nothing(text: str) -> None:
    assert all(not part.depends_on for part in parts_of(text).parts)


def test_a_third_question_may_mean_the_second() -> None:
    parts = parts_of("水泵合同的质保期有多长，从哪份文件签署之日起算，档案中这份文件何时签署？").parts
    assert [part.text for part in parts] == [
        "水泵合同的质保期有多长？",
        "水泵合同从哪份文件签署之日起算？",
        "档案中{q2}何时签署？",
    ]
    assert parts[2].depends_on == ("q2",)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("三月报价为每台52000元的输送机，最大带宽是多少毫米？", ["三月报价为每台52000元的输送机是什么型号？", "{q1}的最大带宽是多少毫米？"]),
        ("计划中负责管网改造的人，在例会上领了一项任务，哪一天完成？", ["计划中谁负责管网改造？", "{q1}在例会上领了一项任务,哪一天完成？"]),
    ],
)  # fmt: skip
def test_a_clear_description_is_looked_up_first(text: str, parts: list[str]) -> None:
    assert parts_of(text).combination is Combination.CHAIN
    assert texts_of(text) == parts


@pytest.mark.parametrize(
    ("text", "combination", "parts"),
    [
        (
            "消防管理规定2021版和2023版相比，动火许可的有效期和检查次数有什么变化？",
            Combination.CONTRAST,
            {
                "根据消防管理规定2021版,动火许可的有效期为多久？": "消防管理规定2021版",
                "根据消防管理规定2023版,动火许可的有效期为多久？": "消防管理规定2023版",
                "根据消防管理规定2021版,检查次数是多少？": "消防管理规定2021版",
                "根据消防管理规定2023版,检查次数是多少？": "消防管理规定2023版",
            },
        ),
        (
            "出差的伙食补助，2024版员工手册比2022版提高了多少元？",
            Combination.DIFFERENCE,
            {
                "根据员工手册2024版,出差的伙食补助是多少？": "员工手册2024版",
                "根据员工手册2022版,出差的伙食补助是多少？": "员工手册2022版",
            },
        ),
        (
            "How did the notice period and the fee change between the 2021 and 2023 editions of the code of conduct?",
            Combination.CONTRAST,
            {
                "According to the 2021 edition of the code of conduct, what is the notice period?": "the 2021 edition of the code of conduct",
                "According to the 2023 edition of the code of conduct, what is the notice period?": "the 2023 edition of the code of conduct",
                "According to the 2021 edition of the code of conduct, what is the fee?": "the 2021 edition of the code of conduct",
                "According to the 2023 edition of the code of conduct, what is the fee?": "the 2023 edition of the code of conduct",
            },
        ),
        (
            "By how much does the 2025 edition of the handbook raise the lodging allowance compared with the 2023 edition?",
            Combination.DIFFERENCE,
            {
                "According to the 2025 edition of the handbook, what is the lodging allowance?": "the 2025 edition of the handbook",
                "According to the 2023 edition of the handbook, what is the lodging allowance?": "the 2023 edition of the handbook",
            },
        ),
    ],
)
def test_each_edition_is_asked_for_each_thing(text: str, combination: Combination, parts: dict[str, str]) -> None:
    found = parts_of(text)
    assert found.combination is combination
    assert {part.text: part.subject for part in found.parts} == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "根据年报，蓝海公司是如何通过成立研发中心、董事会变更以及优化成本结构来提升竞争力的？",
            ["根据年报,蓝海公司是如何成立研发中心的？", "根据年报,蓝海公司是如何进行董事会变更的？", "根据年报,蓝海公司是如何优化成本结构的？"],
        ),
        (
            "How did the merger of 2019 improve the market position through lower costs, new products, and a wider network?",
            [
                "How did the merger of 2019 improve the market position through lower costs?",
                "How did the merger of 2019 improve the market position through new products?",
                "How did the merger of 2019 improve the market position through a wider network?",
            ],
        ),
    ],
)  # fmt: skip
def test_each_means_to_an_end_has_a_part(text: str, parts: list[str]) -> None:
    assert texts_of(text) == parts


@pytest.mark.parametrize(
    "text", ["公司如何通过年度审计？", "员工如何通过门禁系统进出厂区？", "How did the company grow through exports?"]
)
def test_one_means_is_no_list(text: str) -> None:
    assert len(parts_of(text).parts) == 1


@pytest.mark.parametrize(
    ("text", "combination", "part"),
    [
        ("计划表里由王芳负责的任务有几个？分别是哪几个？", Combination.COUNT, "计划表里由王芳负责的任务有几个？"),
        ("参数表里哪个型号的水泵最重，是多少？", Combination.LARGEST, "参数表里哪个型号的水泵最重？"),
        ("How many tasks is Mary Smith responsible for, and which ones?", Combination.COUNT, "How many tasks is Mary Smith responsible for?"),
        ("Which pump in the price list is the heaviest, and how heavy is it?", Combination.LARGEST, "Which pump in the price list is the heaviest?"),
    ],
)  # fmt: skip
def test_a_count_or_an_extreme_answers_which_and_how_much_as_well(
    text: str, combination: Combination, part: str
) -> None:
    found = parts_of(text)
    assert found.combination is combination
    assert [one.text for one in found.parts] == [part]


@pytest.mark.parametrize(
    "text",
    [
        "预算中，设备采购和软件开发两个科目一共多少万元？",
        "合同四期付款一共多少万元？",
        "合同里三台CP-30和两台CP-40的金额合计是多少？",
        "How much do the pump and the valve cost together?",
    ],
)
def test_rows_that_are_named_or_counted_are_added_up(text: str) -> None:
    assert parts_of(text).combination is Combination.SUM
    assert len(parts_of(text).parts) == 1


@pytest.mark.parametrize(
    ("text", "combination", "parts"),
    [
        (
            "Which password must be longer, that of a guest or that of an administrator, and by how many characters?",
            Combination.DIFFERENCE,
            {"a guest": "How long must the password of a guest be?", "an administrator": "How long must the password of an administrator be?"},
        ),
        (
            "Which must be installed sooner, security updates or feature updates?",
            Combination.EARLIER,
            {"security updates": "Within how long must security updates be installed?", "feature updates": "Within how long must feature updates be installed?"},
        ),
        (
            "Is the bonus higher for a night shift or for a day shift, and by how much?",
            Combination.DIFFERENCE,
            {"a night shift": "How high is the bonus for a night shift?", "a day shift": "How high is the bonus for a day shift?"},
        ),
        (
            "水泵的合同交货期限和验收记录里的实际到货日期，哪一个更早？早几天？",
            Combination.DIFFERENCE,
            {"合同交货期限": "水泵的合同交货期限是哪一天？", "验收记录里的实际到货日期": "水泵的验收记录里的实际到货日期是什么时候？"},
        ),
    ],
)  # fmt: skip
def test_each_side_of_a_comparison_keeps_what_is_compared(
    text: str, combination: Combination, parts: dict[str, str]
) -> None:
    found = parts_of(text)
    assert found.combination is combination
    assert {part.subject: part.text for part in found.parts} == parts
