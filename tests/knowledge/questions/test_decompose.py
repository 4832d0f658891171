# ruff: noqa: E501 - questions are read in one piece
"""Questions are taken apart as a careful reader would: every part stands alone, and what is one thing stays one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from veriloop.knowledge.evidence.question import analyse_question
from veriloop.knowledge.questions.decompose import decompose
from veriloop.knowledge.questions.models import MOST_PARTS, Combination, Decomposition, QuestionType


def parts_of(text: str) -> Decomposition:
    return decompose(analyse_question(text))


def texts_of(text: str) -> list[str]:
    return [part.text for part in parts_of(text).parts]


@pytest.mark.parametrize(
    "text",
    [
        "会计凭证和会计账簿要存多少年？",
        "验收和付款条件是什么？",
        "采购与仓储由哪个部门负责？",
        "甲公司和乙公司签订的合同金额是多少？",
        "如果客户逾期付款，可以解除合同吗？",
        "未来几年的产能目标是什么？",
        "What are the terms and conditions for returns?",
        "What did Smith and Sons deliver?",
        "Who runs the research and development department?",
        "Where is the Ministry of Housing and Urban Development?",
        "What documents do employees who travel and who claim expenses need?",
        "How did the merger in May, which included two plants, affect profits?",
    ],
)
def test_words_joined_within_one_thing_do_not_split_a_question(text: str) -> None:
    found = parts_of(text)
    assert found.combination is Combination.SINGLE
    assert [part.text for part in found.parts] == [analyse_question(text).text]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("质保期多长，逾期怎么罚？", ["质保期多长？", "逾期怎么罚？"]),
        ("食堂几点开门，几点关门？", ["食堂几点开门？", "食堂几点关门？"]),
        ("质保期和保修范围分别是什么？", ["质保期是什么？", "保修范围是什么？"]),
        (
            "HN-3200的最大压力是多少？检验周期是多久？",
            ["HN-3200的最大压力是多少？", "HN-3200的检验周期是多久？"],
        ),
        (
            "2024版消防管理规定中，疏散通道最窄多宽？应急灯要亮多久？",
            [
                "2024版消防管理规定中,疏散通道最窄多宽？",
                "2024版消防管理规定中,应急灯要亮多久？",
            ],
        ),
        ("动火作业许可证有效多久？作业结束后要监护多久？", ["动火作业许可证有效多久？", "动火作业结束后要监护多久？"]),
        ("合同的签订日期是哪天？它的总价是多少？", ["合同的签订日期是哪天？", "合同的总价是多少？"]),
        ("蓝海公司2021年的营业收入是多少，净利润呢？", ["蓝海公司2021年的营业收入是多少？", "蓝海公司2021年的净利润是多少？"]),
        ("合同的簽訂日期和生效日期分別是哪天？", ["合同的签订日期是哪天？", "合同的生效日期是哪天？"]),
        (
            "How many failed sign-ins lock an account, and for how long?",
            ["How many failed sign-ins lock an account?", "For how long do failed sign-ins lock an account?"],
        ),
        ("the warranty and the penalty", ["What is the warranty?", "What is the penalty?"]),
        (
            "When was the audit carried out, and by whom?",
            ["When was the audit carried out?", "By whom was the audit carried out?"],
        ),
        (
            "What is the price of the CP-30 pump and how much does it weigh?",
            ["What is the price of the CP-30 pump?", "How much does the CP-30 pump weigh?"],
        ),
        (
            "When does the contract start and when does it end?",
            ["When does the contract start?", "When does the contract end?"],
        ),
        (
            "According to the lease, what is the deposit? When is it paid back?",
            ["According to the lease, what is the deposit?", "According to the lease, when is the deposit paid back?"],
        ),
        (
            "What was the net income in 2019 and 2020 respectively?",
            ["What was the net income in 2019?", "What was the net income in 2020?"],
        ),
    ],
)  # fmt: skip
def test_several_questions_become_parts_that_carry_what_they_share(text: str, parts: list[str]) -> None:
    found = parts_of(text)
    assert found.combination is Combination.LIST
    assert [part.text for part in found.parts] == parts


@pytest.mark.parametrize(
    ("text", "combination", "parts"),
    [
        (
            "PPR-9087 和 PPR-9110 的质保期哪个长？",
            Combination.LARGER,
            {"PPR-9087": "PPR-9087的质保期是多久？", "PPR-9110": "PPR-9110的质保期是多久？"},
        ),
        (
            "PPR-9087 和 PPR-9110 哪个便宜？",
            Combination.SMALLER,
            {"PPR-9087": "PPR-9087的价格是多少？", "PPR-9110": "PPR-9110的价格是多少？"},
        ),
        (
            "比较2019年蓝海有限公司和2020年青山有限公司的总资产，哪家公司的总资产更高？",
            Combination.LARGER,
            {"蓝海有限公司": "2019年蓝海有限公司的总资产是多少？", "青山有限公司": "2020年青山有限公司的总资产是多少？"},
        ),
        (
            "比较蓝海有限公司和青山有限公司的上市时间，哪家公司更早？",
            Combination.EARLIER,
            {"蓝海有限公司": "蓝海有限公司的上市时间是什么时候？", "青山有限公司": "青山有限公司的上市时间是什么时候？"},
        ),
        (
            "PPR-9087 比 PPR-9110 贵多少？",
            Combination.DIFFERENCE,
            {"PPR-9087": "PPR-9087的价格是多少？", "PPR-9110": "PPR-9110的价格是多少？"},
        ),
        (
            "2023版和2025版员工手册的试用期有什么不同？",
            Combination.CONTRAST,
            {"2023版员工手册": "2023版员工手册的试用期是多久？", "2025版员工手册": "2025版员工手册的试用期是多久？"},
        ),
        (
            "根据甲县法院和乙县法院的判决书，罗某和史某的刑期谁更长？",
            Combination.LARGER,
            {"罗某": "根据甲县法院的判决书,罗某的刑期是多久？", "史某": "根据乙县法院的判决书,史某的刑期是多久？"},
        ),
        (
            "Which is heavier, the KR-60 or the KR-120?",
            Combination.LARGER,
            {"the KR-60": "How heavy is the KR-60?", "the KR-120": "How heavy is the KR-120?"},
        ),
        (
            "Compare the net profit of Alder Ltd. in 2019 and Birch Inc. in 2021. Which company had a lower net profit?",
            Combination.SMALLER,
            {
                "Alder Ltd.": "What was the net profit of Alder Ltd. in 2019?",
                "Birch Inc.": "What was the net profit of Birch Inc. in 2021?",
            },
        ),
        (
            "Compare the debt restructuring of Alder Ltd. in 2019 and Birch Inc. in 2021. Which company reduced more liabilities?",
            Combination.LARGER,
            {
                "Alder Ltd.": "What amount of liabilities was reduced by Alder Ltd. in 2019?",
                "Birch Inc.": "What amount of liabilities was reduced by Birch Inc. in 2021?",
            },
        ),
        (
            "Who was appointed earlier, Ms. Brown or Mr. Patel?",
            Combination.EARLIER,
            {"Ms. Brown": "When was Ms. Brown appointed?", "Mr. Patel": "When was Mr. Patel appointed?"},
        ),
        (
            "How much more does the premium plan cost than the basic plan?",
            Combination.DIFFERENCE,
            {"the premium plan": "How much does the premium plan cost?", "the basic plan": "How much does the basic plan cost?"},
        ),
        (
            "What is the difference between the 2021 and 2024 editions of the expense policy regarding hotels?",
            Combination.CONTRAST,
            {
                "the 2021 edition of the expense policy": "What does the 2021 edition of the expense policy say on hotels?",
                "the 2024 edition of the expense policy": "What does the 2024 edition of the expense policy say on hotels?",
            },
        ),
    ],
)  # fmt: skip
def test_each_compared_subject_is_asked_for_its_own_value(
    text: str, combination: Combination, parts: dict[str, str]
) -> None:
    found = parts_of(text)
    assert (found.question_type, found.combination) == (QuestionType.COMPARISON, combination)
    assert {part.subject: part.text for part in found.parts} == parts


@pytest.mark.parametrize(
    "text", ["三家供应商的报价对比", "新旧两版考勤制度有什么区别？", "Compare the offers of the three bidders."]
)
def test_a_comparison_of_subjects_without_names_stays_one_part(text: str) -> None:
    found = parts_of(text)
    assert (found.combination, len(found.parts)) == (Combination.CONTRAST, 1)


@pytest.mark.parametrize(
    "text", ["A型泵和B型泵哪个更贵，贵多少？", "Which pump is dearer, the A-10 or the B-20, and by how much?"]
)
def test_by_how_much_turns_a_comparison_into_a_difference(text: str) -> None:
    assert parts_of(text).combination is Combination.DIFFERENCE


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("比较蓝海公司和青山公司的负债率，哪家更高，对其信用有什么影响？", "对{q1}的信用有什么影响？"),
        (
            "Compare the net debt of Alder Ltd. and Birch Inc. in 2022. Which had more, and how did that affect its rating?",
            "How did that affect {q1}'s rating?",
        ),
    ],
)
def test_a_question_about_the_winner_waits_for_the_comparison(text: str, last: str) -> None:
    found = parts_of(text)
    assert (found.question_type, found.combination) == (QuestionType.COMPARISON, Combination.CHAIN)
    assert (found.parts[-1].text, found.parts[-1].depends_on) == (last, ("q1",))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "蓝海有限公司和顶峰购物中心分别在2019年和2021年分发了多少股利？",
            {"蓝海有限公司": "蓝海有限公司在2019年分发了多少股利？", "顶峰购物中心": "顶峰购物中心在2021年分发了多少股利？"},
        ),
        (
            "蓝海有限公司和青山集团在各自的治理报告中采取了哪些措施？",
            {"蓝海有限公司": "蓝海有限公司在治理报告中采取了哪些措施？", "青山集团": "青山集团在治理报告中采取了哪些措施？"},
        ),
        (
            "2022年男子单打和女子单打冠军分别是谁？",
            {"男子单打": "2022年男子单打冠军是谁？", "女子单打": "2022年女子单打冠军是谁？"},
        ),
        (
            "影片在俄罗斯和美国的上映时间分别是什么时候？",
            {"俄罗斯": "影片在俄罗斯的上映时间是什么时候？", "美国": "影片在美国的上映时间是什么时候？"},
        ),
        (
            "What were the impacts of the restructuring for Alder Ltd. in 2019 and Birch Inc. in 2020?",
            {
                "Alder Ltd.": "What were the impacts of the restructuring for Alder Ltd. in 2019?",
                "Birch Inc.": "What were the impacts of the restructuring for Birch Inc. in 2020?",
            },
        ),
        (
            "How much did Alder Ltd. and Birch Inc. pay out in 2019 and 2021, respectively?",
            {
                "Alder Ltd.": "How much did Alder Ltd. pay out in 2019?",
                "Birch Inc.": "How much did Birch Inc. pay out in 2021?",
            },
        ),
    ],
)  # fmt: skip
def test_one_thing_asked_of_several_subjects_is_asked_of_each_with_its_own_year(
    text: str, parts: dict[str, str]
) -> None:
    found = parts_of(text)
    assert found.combination is Combination.LIST
    assert {part.subject: part.text for part in found.parts} == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("热压机组的供应商的联系电话是多少？", ["热压机组的供应商是谁？", "{q1}的联系电话是多少？"]),
        ("负责MES上线的人在哪个部门？", ["谁负责MES上线？", "{q1}在哪个部门？"]),
        (
            "Who is the manager of the department that organises the inspection?",
            ["Which department organises the inspection?", "Who is the manager of {q1}?"],
        ),
        (
            "What is the phone number of the supplier of the conveyor?",
            ["Who is the supplier of the conveyor?", "What is the phone number of {q1}?"],
        ),
    ],
)
def test_a_name_that_must_be_found_first_comes_first(text: str, parts: list[str]) -> None:
    found = parts_of(text)
    assert (found.question_type, found.combination) == (QuestionType.MULTI_HOP, Combination.CHAIN)
    assert [part.text for part in found.parts] == parts
    assert [part.depends_on for part in found.parts] == [(), ("q1",)]


@pytest.mark.parametrize(
    "text",
    [
        "热压机组的电机的功率是多少？",
        "公司的供应商的选择标准是什么？",
        "负责安全的部门的职责是什么？",
        "What is the name of the manager?",
        "Who is the manager of the department?",
        "What are the duties of the person who signs the permit?",
    ],
)
def test_an_attribute_of_an_attribute_or_of_an_office_is_no_chain(text: str) -> None:
    assert parts_of(text).combination is Combination.SINGLE


@pytest.mark.parametrize(
    ("text", "combination"),
    [
        ("员工手册现行版本是哪个？", Combination.VERSION),
        ("安全生产管理规定哪一版有效？", Combination.VERSION),
        ("Which version of the travel policy is in force?", Combination.VERSION),
        ("现行员工手册规定的试用期是多久？", Combination.SINGLE),
        ("Does the current travel policy cover taxis?", Combination.SINGLE),
        ("三季度报价中所有设备的总价是多少？", Combination.SUM),
        ("合同各期付款一共多少？", Combination.SUM),
        ("What is the total price of all robots in the price list?", Combination.SUM),
        ("报价表中阀门的平均价格是多少？", Combination.AVERAGE),
        ("What is the average price of the robots?", Combination.AVERAGE),
        ("验收记录里有多少项不合格？", Combination.COUNT),
        ("How many items failed acceptance?", Combination.COUNT),
        ("报价表里最贵的设备是哪个？", Combination.LARGEST),
        ("Which machine in the price list is the most expensive?", Combination.LARGEST),
        ("报价表里最便宜的设备是哪个？", Combination.SMALLEST),
        ("Which pump in the list is the cheapest?", Combination.SMALLEST),
        ("中国最大的湖是哪个？", Combination.SINGLE),
        ("How many days of leave do employees have?", Combination.SINGLE),
    ],
)
def test_versions_and_table_arithmetic_are_told_from_plain_facts(text: str, combination: Combination) -> None:
    found = parts_of(text)
    assert (found.combination, len(found.parts)) == (combination, 1)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("你好！", QuestionType.CHITCHAT),
        ("Good morning!", QuestionType.CHITCHAT),
        ("它呢？", QuestionType.CLARIFY),
        ("多少钱？", QuestionType.CLARIFY),
        ("What about it?", QuestionType.CLARIFY),
        ("", QuestionType.CLARIFY),
        ("总结第七次例会的主要结论。", QuestionType.SUMMARY),
        ("According to the report, summarise the measures.", QuestionType.SUMMARY),
        ("如何申请延长工期？", QuestionType.ACTION),
        ("What must I do if I lose my badge?", QuestionType.ACTION),
        ("停机如何影响了产量？", QuestionType.MULTI_HOP),
        ("How did the outage affect deliveries?", QuestionType.MULTI_HOP),
        ("试用期是多久？", QuestionType.SINGLE_HOP),
        ("How long is probation?", QuestionType.SINGLE_HOP),
    ],
)
def test_the_kind_of_work_follows_from_the_words(text: str, kind: QuestionType) -> None:
    assert parts_of(text).question_type is kind


_PIECES = st.sampled_from(
    ["甲公司", "乙公司", "和", "与", "、", "的质保期", "2019年", "2024版手册", "哪个更长", "是多少", "？", "，", "分别", "比", "供应商的", "它",
     "Alder Ltd.", " and ", ", ", "Birch Inc.", " in 2019", "What is ", "the price of ", "which is heavier, ", " or ", "? ", "how long ", "it ",
     "respectively", "than ", "the supplier of ", "compare ", "A", "\n", "《", "》"]
)  # fmt: skip
_QUESTIONS = st.one_of(st.text(max_size=120), st.lists(_PIECES, max_size=25).map("".join))


@settings(max_examples=300, deadline=None)
@given(_QUESTIONS)
def test_any_text_gives_few_ordered_parts_and_a_plain_one_keeps_its_text(text: str) -> None:
    question = analyse_question(text)
    found = decompose(question)
    assert [part.id for part in found.parts] == [f"q{number + 1}" for number in range(len(found.parts))]
    assert len(found.parts) <= MOST_PARTS
    assert all(part.text.strip() for part in found.parts)
    assert all(f"{{{needed}}}" in part.text for part in found.parts for needed in part.depends_on)
    assert decompose(question) == found
    if len(found.parts) == 1:
        assert found.parts[0].text == (question.text.strip() or "?")


@pytest.mark.parametrize(
    "text",
    [
        "质保期多长，逾期怎么罚？",
        "财务部和人事部的年度预算各是多少？",
        "空压机、冷干机和储气罐的保养周期分别是多久？",
        "What is the liability cap, how is it calculated, and who decides on claims?",
        "When were Oakbridge Energy Inc. and Falcon Freight Ltd. founded?",
        "What are the warranty periods of the lathe, the mill and the grinder?",
    ],
)
def test_the_parts_of_a_list_are_not_split_again(text: str) -> None:
    found = parts_of(text)
    assert found.combination is Combination.LIST
    for part in found.parts:
        again = parts_of(part.text)
        assert again.combination is Combination.SINGLE
        assert len(again.parts) == 1


@settings(max_examples=300, deadline=None)
@given(_QUESTIONS)
def test_no_part_of_a_list_is_a_list_itself(text: str) -> None:
    found = parts_of(text)
    if found.combination is Combination.LIST:
        assert all(parts_of(part.text).combination is not Combination.LIST for part in found.parts)


def test_lists_within_a_list_become_one_list() -> None:
    assert texts_of("甲泵和乙泵的功率分别是多少？重量分别是多少？") == [
        "甲泵的功率是多少？",
        "乙泵的功率是多少？",
        "甲泵的重量是多少？",
        "乙泵的重量是多少？",
    ]
    assert texts_of("What was the profit in 2019 and 2020 respectively? Who signed the report?") == [
        "What was the profit in 2019?",
        "What was the profit in 2020?",
        "Who signed the report?",
    ]


def test_a_pasted_passage_is_left_whole() -> None:
    passage = "试用期是多久？转正需要什么材料？" * 40
    assert texts_of(passage) == [analyse_question(passage).text]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "How long is the notice period in the 2022 and 2024 travel policies?",
            [
                "How long is the notice period in the 2022 travel policy?",
                "How long is the notice period in the 2024 travel policy?",
            ],
        ),
        (
            "What are the differences in the limits between the 2022 and the 2024 travel policy?",
            ["What are the limits in the 2022 travel policy?", "What are the limits in the 2024 travel policy?"],
        ),
    ],
)
def test_a_document_at_two_times_is_asked_once_for_each(text: str, parts: list[str]) -> None:
    assert texts_of(text) == parts
