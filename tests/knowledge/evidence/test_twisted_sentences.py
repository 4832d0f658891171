"""A sentence that is nearly its source, and says something else, is not supported."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.quoting import source
from veriloop.knowledge.evidence.bounds import contradicted_bounds
from veriloop.knowledge.evidence.check import check_answer


def supported(text: str, claim: str) -> bool:
    return check_answer([(claim, [1])], [source(text)])[0].supported


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("保修期为12个月。", "保修期为半年。"), ("保修期为12个月。", "保修期为一年多。"),
        ("保修期为12个月。", "保修期为俩月。"),
        ("保修期为12个月。", "保修期为٣٦个月。"), ("保修期为12个月。", "保修期为𝟹𝟼个月。"),
        ("保修期为12个月。", "保修期岂止12个月。"), ("培训期为一年半。", "培训期为一年。"),
        ("预算为1 500元。", "预算为500元。"),
        ("净利润为（900）万元。", "净利润为900万元。"), ("预算为12000元。", "预算为1,2000元。"),
        ("会议于下午2:30开始。", "会议于2:30开始。"),
        ("The filter is changed every 6 months.", "The filter is changed every other month."),
        ("The filter is changed every 6 months.", "The filter is changed twice every 6 months."),
        ("The filter is changed every 6 months.", "The filter is changed every dozen months."),
        ("The minimum temperature is −40℃.", "The minimum temperature is 40℃."),
        ("The loss was -$500 million.", "The loss was $500 million."),
    ],
)  # fmt: skip
def test_a_value_in_an_unusual_spelling_is_compared_as_what_it_says(text: str, claim: str) -> None:
    assert not supported(text, claim)
    assert supported(text, text)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("保修期为12个月。", "保修期为一年。"), ("保修期为12个月。", "保修期为Ⅻ个月。"),
        ("培训期为一年半。", "培训期为18个月。"),
        ("会议于下午2:30开始。", "会议于14:30开始。"), ("预算为1 500元。", "预算为1500元。"),
        ("The filter is changed every 6 months.", "The filter is changed every half year."),
        ("Training takes one and a half years.", "Training takes 18 months."),
    ],
)  # fmt: skip
def test_an_equal_value_in_another_spelling_is_support(text: str, claim: str) -> None:
    assert supported(text, claim)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("公司不足310人。", "公司有310人。"), ("公司有三百余人。", "公司有300人。"),
        ("There are fewer than 310 staff.", "There are 310 staff."),
        ("There are 300-odd staff.", "There are 300 staff."),
        ("乙方应当在收到通知后30日内付款。", "乙方应当在收到通知后30日后付款。"),
        ("The supplier delivers within 30 days of the order.", "The supplier delivers after 30 days of the order."),
        ("违约金最高不超过合同总额的5%。", "违约金最低不少于合同总额的5%。"),
    ],
)  # fmt: skip
def test_what_is_nearly_reached_or_passed_or_over_is_another_value(text: str, claim: str) -> None:
    assert not supported(text, claim)


@given(st.integers(2, 10**6), st.sampled_from(["不足{}人", "{}余人", "{}多人", "fewer than {} people"]))
def test_an_approximation_that_excludes_its_number_is_not_exact(number: int, form: str) -> None:
    text, exact = form.format(number), f"{number}人"
    assert list(contradicted_bounds(exact, text)) == [exact]
    assert not list(contradicted_bounds(text, text))
    assert not list(contradicted_bounds(exact, f"{text}。{exact}"))


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("The pump weighs 35 kg.", "It is false that the pump weighs 35 kg."),
        ("The pump weighs 35 kg.", "The pump hardly weighs 35 kg."),
        ("Visitors cannot enter the lab.", "Visitors cannot but enter the lab."),
        ("并非所有员工都须参加。", "所有员工都须参加。"), ("员工不应当迟到。", "应当迟到。"),
    ],
)  # fmt: skip
def test_a_hidden_or_a_cut_off_denial_is_noticed(text: str, claim: str) -> None:
    assert not supported(text, claim)


@pytest.mark.parametrize(
    ("text", "claim", "holds"),
    [
        ("乙方不得转让权利。", "乙方不得转让权利，除非甲方同意。", False),
        ("The tenant shall pay the rent.", "The tenant shall pay the rent, unless the buyer agrees.", False),
        ("The deposit is refunded unless the buyer cancels.", "The deposit is refunded if the buyer cancels.", False),
        ("The contract ends if the supplier is late.", "The contract ends unless the supplier is late.", False),
        ("除非乙方同意，合同不得变更。", "如果乙方同意，合同不得变更。", False),
        ("未经甲方书面同意，乙方不得转租房屋。", "除非甲方书面同意，乙方不得转租房屋。", True),
        (
            "The tenant shall not sublet without the landlord's consent.",
            "The tenant shall not sublet unless the landlord consents.",
            True,
        ),
    ],
)
def test_an_exception_is_neither_added_nor_turned_into_a_condition(text: str, claim: str, holds: bool) -> None:
    assert supported(text, claim) is holds


@pytest.mark.parametrize(
    ("text", "claim", "holds"),
    [
        ("甲方应当向乙方支付货款。", "乙方应当向甲方支付货款。", False),
        ("甲方应当向乙方支付货款。", "货款由乙方支付给甲方。", False),
        ("甲方应当向乙方支付货款。", "甲方须向乙方支付货款。", True),
        ("甲方支付乙方货款。", "乙方支付甲方货款。", False),
        ("供应商应在30日内交货。", "供货商应在30天内交货。", True),
        ("甲方应当公布采购方式，并经许可方可采购。", "甲方须公布采购的方式，并经许可方可采购。", True),
        ("The employer gives staff a helmet.", "The employer gives its employees a helmet.", True),
        ("The seller delivers the goods to the buyer.", "The buyer delivers the goods to the seller.", False),
        ("The seller delivers the goods to the buyer.", "The goods are delivered to the buyer by the seller.", True),
        ("The tenant shall pay the rent to the landlord.", "The landlord pays the rent.", False),
        ("The supplier delivers the pumps within 30 days.", "The buyer delivers the pumps within 30 days.", False),
    ],
)
def test_each_party_does_what_the_source_says_of_it(text: str, claim: str, holds: bool) -> None:
    assert supported(text, claim) is holds


PARTIES = (("甲方", "乙方"), ("买方", "卖方"), ("出租人", "承租人"))
DUTIES = ("{}应当向{}支付货款。", "{}应当及时通知{}。", "{}在验收后将钥匙交给{}。")


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(PARTIES), st.sampled_from(DUTIES), st.booleans())
def test_exchanged_parties_are_never_supported(parties: tuple[str, str], duty: str, turned: bool) -> None:
    names = parties[::-1] if turned else parties
    text = duty.format(*names)
    assert supported(text, text)
    assert not supported(text, duty.format(*names[::-1]))


@pytest.mark.parametrize(
    ("text", "claim", "holds"),
    [
        ("设备A的费率为0.5%，设备B的费率为5%。", "设备A的费率为5%，设备B的费率为0.5%。", False),
        ("逾期违约金为每日0.5%，提前付款的折扣为5%。", "提前付款的折扣为0.5%，逾期违约金为每日5%。", False),
        ("The late fee is 0.5% and the discount is 5%.", "The late fee is 5% and the discount is 0.5%.", False),
        ("一等奖奖金为500元，二等奖奖金为300元。", "二等奖的奖金是300元，一等奖的奖金是500元。", True),
    ],
)
def test_two_values_of_one_sentence_are_not_exchanged(text: str, claim: str, holds: bool) -> None:
    assert supported(text, claim) is holds


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("员工离职应当提前三十日以书面形式通知公司。", "员工离职应当提前三十日以口头形式通知公司。"),
        ("全部合同由采购部审核。", "全部合同由财务部审核。"),
        ("货物应当在付款前交付给仓库管理人员验收。", "货物应当在付款后交付给仓库管理人员验收。"),
        ("Employees must give written notice to the company.", "Employees must give oral notice to the company."),
    ],
)
def test_one_other_word_in_a_literal_sentence_is_noticed(text: str, claim: str) -> None:
    assert not supported(text, claim)
