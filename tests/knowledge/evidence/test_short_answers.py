# ruff: noqa: E501 - rows of a table of cases
"""Which name or value of a quoted sentence or row is the answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.knowledge.evidence.question import analyse_question
from veriloop.knowledge.evidence.short_answer import answer_value, short_answer


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("冷却塔到货由谁负责？", "里程碑：冷却塔到货，责任人：林若溪", "林若溪"),
        ("年度检查由哪个部门组织？", "第十条 年度安全检查由安全环保部组织，设备部配合。", "安全环保部"),
        ("员工因公出国由谁批准？", "员工因公出国的，应当报总经理批准。", "总经理"),
        ("设备安装由谁负责？", "王芳担任项目经理，陈立群负责设备安装。", "陈立群"),
        ("采购合同由谁签署？", "采购合同由采购部部长林若溪签署。", "林若溪"),
        ("滤筒由哪家供应商供应？", "供应商：恒纳机械（苏州）有限公司，品名：滤筒，型号：DC-72", "恒纳机械（苏州）有限公司"),
        ("公司总部在哪里？", "公司总部位于浙江省宁波市北仑区。", "浙江省宁波市北仑区"),
        ("项目使用哪个系统？", "项目使用“灵犀”系统管理图纸。", "灵犀"),
        ("Who organises the inspection?", "The Safety Department organises the inspection every month.", "The Safety Department"),
        ("Who approves travel abroad?", "Travel abroad must be approved by the General Manager.", "General Manager"),
        ("Who is the project manager?", "The project manager is Lisa Wong, who joined in 2020.", "Lisa Wong"),
        ("Which department keeps the visitor register?", "Record: Visitor register, Retention period: 2 years, Responsible: Administration Department", "Administration Department"),
        ("Which supplier delivered the pumps?", "The pumps were delivered by Northwind Traders Ltd. in May.", "Northwind Traders Ltd"),
        ("Where is the company located?", "GreenTech is a company located in Austin, Texas.", "Austin, Texas"),
    ],
)  # fmt: skip
def test_a_name_is_taken_from_beside_the_verb_or_out_of_the_asked_column(
    question: str, sentence: str, answer: str
) -> None:
    assert short_answer(analyse_question(question), sentence) == answer


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("质保期是多久？", "设备质量保证期为自验收合格之日起24个月。", "24个月"),
        ("合同总价是多少？", "合同总价为人民币248万元，其中设备款239万元。", "人民币248万元"),
        ("最终验收是什么时候？", "最终验收于2025年9月24日完成。", "2025年9月24日"),
        ("除尘机组的型号是什么？", "本项目选用的除尘机组型号为DX-560。", "DX-560"),
        ("合格率是多少？", "产线合格率为98.9%，高于标准要求的98.5%。", "98.9%"),
        ("验收被推迟到哪一天？", "验收由2025年12月12日调整为2025年12月26日。", "2025年12月26日"),
        ("整机重量是多少？", "项目 Parameter：整机重量 Weight，数值 Value：980，单位 Unit：kg", "980 kg"),
        ("X-9110 的额定负载是多少？", "型号：X-9110，额定负载 (kg)：50，最大臂展 (mm)：2150", "50 kg"),
        ("记录中的到货日期是哪一天？", "编号：到货日期，T-7：2025年8月26日，合同：开箱日期，C-9：2025年8月28日", "2025年8月26日"),
        ("What is the deadline for receipts?", "Receipts must be handed in within 14 days after the trip.", "14 days"),
        ("What was the net profit?", "Revenue reached $40 million, and net profit was $8 million.", "$8 million"),
        ("How long is the sentence?", "He is sentenced to 1 year and 6 months of imprisonment.", "1 year and 6 months"),
    ],
)  # fmt: skip
def test_a_value_is_taken_from_behind_what_is_asked_for(question: str, sentence: str, answer: str) -> None:
    assert short_answer(analyse_question(question), sentence) == answer


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("谁负责培训？", "人力资源部和设备部都参加会议。"),
        ("为什么延期？", "因为雨季延期。"),
        ("押金是多少？", "甲方付20元，乙方付30元。"),
        ("Why was it late?", "It was late because of rain."),
        ("How much is the fee?", "One half pays 20 euros and the other half pays 30 euros."),
    ],
)
def test_nothing_is_named_where_several_compete_or_a_statement_is_asked_for(question: str, sentence: str) -> None:
    assert short_answer(analyse_question(question), sentence) == ""


@pytest.mark.parametrize(("subject", "value"), [("HN-320", "12个月"), ("HN-320B", "24个月")])
def test_the_value_of_the_named_subject_is_read(subject: str, value: str) -> None:
    found = answer_value(
        analyse_question(f"{subject}的质保期是多久？"), "HN-320的质保期为12个月，HN-320B的质保期为24个月。", subject
    )
    assert found is not None and found.raw == value


@given(st.integers(1, 999), st.integers(1, 999), st.sampled_from(["zh", "en"]))
def test_a_cell_is_read_with_the_unit_of_its_column(load: int, reach: int, language: str) -> None:
    question = {"zh": "X-1 的额定负载是多少？", "en": "What is the rated load of X-1?"}[language]
    row = {
        "zh": f"型号：X-1，额定负载 (kg)：{load}，最大臂展 (mm)：{reach}",
        "en": f"Model: X-1, Rated load (kg): {load}, Reach (mm): {reach}",
    }[language]
    found = answer_value(analyse_question(question), row, "X-1")
    assert found is not None
    assert (found.canonical, found.unit, row[found.start : found.end]) == (str(load), "kg", str(load))
