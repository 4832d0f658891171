"""What the check of an answer lets pass and what it catches."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from veriloop.knowledge.documents import Block, Document
from veriloop.knowledge.evidence.check import check_answer
from veriloop.knowledge.evidence.models import Evidence, SentenceCheck
from veriloop.knowledge.text.sentences import split_sentences

SENTENCES = (
    "第十二条　员工请假三天以上的，应当提前10个工作日提出书面申请。",
    "未经部门负责人批准，任何人不得离开工作岗位。",
    "第十三条　违反前条规定的，处以1.5万元以下罚款。",
    "设备HN-3200的额定功率为8 kW，噪声不超过55 dB，合格率为98.5%。",
    "本办法自2024年8月1日起施行。",
    "The supplier shall deliver the pumps within 30 days after the order of 12 May 2023.",
    "Employees must not share passwords with third parties.",
    "The annual fee is $2,500 and covers 40 users.",
)
TEXT = "\n".join(SENTENCES)
OTHER = "食堂每天中午供应两种套餐。\nThe canteen serves lunch at noon."


def source(marker: int, text: str) -> Evidence:
    document = Document(
        doc_id="d",
        version="1",
        title="管理办法",
        source_uri="d",
        name="d",
        media_type="text/plain",
        updated_at=datetime.now(UTC),
    )
    block = Block(block_id=f"b{marker}", doc_id="d", ordinal=marker, text=text)
    return Evidence(marker=marker, block=block, document=document, score=1.0)


def check(sentence: str, *markers: int) -> SentenceCheck:
    return check_answer([(sentence, markers or (1,))], [source(1, TEXT), source(2, OTHER)])[0]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_verbatim_sentence_is_supported_by_an_exact_quote(sentence: str) -> None:
    result = check(sentence)
    assert result.supported
    assert (result.score, result.quotes[0].text) == (1.0, sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "请假三天以上的员工需要提前10个工作日书面申请[1]。",
        "根据第十二条规定，员工请假三天以上应提前十个工作日提出书面申请。",
        "违反前条规定的，处以15000元以下罚款。",
        "員工請假三天以上的，應當提前10個工作日提出書面申請。",
        "本办法自2024-08-01起施行。",
        "Suppliers must deliver pumps within thirty days after the order of 2023-05-12.",
        "The annual fee of 2,500 US dollars covers 40 users.",
        "Passwords must not be shared with third parties.",
    ],
)
def test_a_paraphrase_with_the_same_values_is_supported(sentence: str) -> None:
    result = check(sentence)
    assert result.supported, result.faults


@pytest.mark.parametrize(
    ("sentence", "fault"),
    [
        ("员工请假三天以上的，应当提前10天提出书面申请。", "duration"),
        ("员工请假三天以上的，应当提前15个工作日提出书面申请。", "duration"),
        ("违反前条规定的，处以1.5亿元以下罚款。", "amount"),
        ("设备HN-3200的额定功率为8 MW。", "amount"),
        ("设备HN-3300的额定功率为8 kW。", "identifier"),
        ("设备HN-3200的合格率为99.5%。", "number"),
        ("本办法自2024年9月1日起施行。", "date"),
        ("根据第二十条规定，员工请假三天以上的，应当提前10个工作日提出书面申请。", "clause"),
        ("未经部门负责人批准，任何人可以离开工作岗位。", "negation"),
        ("Employees must share passwords with third parties.", "negation"),
        ("The supplier shall not deliver the pumps within 30 days after the order of 12 May 2023.", "negation"),
        ("The supplier shall deliver the pumps within 30 weeks after the order of 12 May 2023.", "duration"),
        ("The annual fee is $2,600 and covers 40 users.", "amount"),
        ("公司为员工提供免费体检和班车服务。", "not_in_source"),
        ("The company offers free shuttle buses to the airport.", "not_in_source"),
    ],
)
def test_a_changed_fact_is_named_as_its_kind_of_fault(sentence: str, fault: str) -> None:
    result = check(sentence)
    assert not result.supported
    assert fault in {found.kind for found in result.faults}


def test_a_sentence_of_another_block_is_not_in_the_cited_source() -> None:
    assert not check(SENTENCES[1], 2).supported


def test_a_claim_needs_a_marker_and_the_marker_must_exist() -> None:
    results = check_answer([(SENTENCES[1], ()), (SENTENCES[1], (9,))], [source(1, TEXT)])
    assert [result.faults[0].kind for result in results] == ["no_marker", "unknown_marker"]


@pytest.mark.parametrize("phrase", ["主要规定如下：", "根据《管理办法》的规定，", "The rules are:"])
def test_a_phrase_that_only_leads_in_is_no_claim(phrase: str) -> None:
    assert check_answer([(phrase, ())], [source(1, TEXT)])[0].supported


def test_a_table_cell_is_read_with_the_unit_of_its_column() -> None:
    table = "| 项目 | 预算（万元） |\n| --- | --- |\n| 培训 | 1.5 |"
    good, bad = check_answer([("培训预算为15000元。", (1,)), ("培训预算为1.5元。", (1,))], [source(1, table)])
    assert good.supported, good.faults
    assert not bad.supported


def test_one_changed_name_in_a_literal_sentence_is_noticed() -> None:
    text = "被告人王某某如不服本判决，可在接到判决书之日起十日内向上级人民法院提出上诉。"
    assert not check_answer([(text.replace("王某某", "李某某"), (1,))], [source(1, text)])[0].supported


WORDS = st.text(alphabet=st.characters(min_codepoint=0x4E00, max_codepoint=0x9FA5), min_size=4, max_size=30)


@settings(max_examples=80, deadline=None)
@given(words=st.lists(WORDS, min_size=1, max_size=4), position=st.integers(0, 3))
def test_any_sentence_of_the_source_is_supported_word_for_word(words: list[str], position: int) -> None:
    block = "。\n".join(words) + "。"
    spans = split_sentences(block)
    span = spans[position % len(spans)]
    assert check_answer([(block[span.start : span.end], (1,))], [source(1, block)])[0].supported


TEMPLATES = (
    "公司共有{}名员工参加了本次培训。",
    "逾期的应当支付违约金{}元。",
    "合格率应当达到{}%。",
    "应当在{}个工作日内答复。",
    "The department employs {} engineers in total.",
    "The penalty amounts to ${} per case.",
)


@settings(max_examples=80, deadline=None)
@given(old=st.integers(2, 99_999), new=st.integers(2, 99_999), template=st.sampled_from(TEMPLATES))
def test_a_sentence_with_a_changed_number_is_never_supported(old: int, new: int, template: str) -> None:
    result = check_answer([(template.format(new), (1,))], [source(1, template.format(old))])[0]
    assert result.supported == (old == new)


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=60), st.text(max_size=120))
def test_whatever_is_checked_quotes_are_byte_for_byte(sentence: str, block: str) -> None:
    result = check_answer([(sentence, (1,))], [source(1, block)])[0]
    assert all(block[quote.span.start : quote.span.end] == quote.text for quote in result.quotes)


@pytest.mark.parametrize(
    "phrase",
    [
        "请把货款付到以下账户：",
        "所有订单均不需要审批：",
        "质量保证期为99个月：",
        "Please log in here with your password:",
        "No approval is needed:",
        "The rated power is 777 kW:",
        "See evil.example for the rest:",
        "火星基地由机器人看守：",
        "双方同意免除乙方在本合同项下的全部责任并由甲方承担一切费用和损失包括诉讼费用：",
    ],
)
def test_a_claim_is_no_lead_in_because_a_colon_follows_it(phrase: str) -> None:
    (result,) = check_answer([(phrase, ())], [source(1, TEXT)])
    assert not result.supported


def test_an_amount_that_only_the_documents_title_states_has_no_source() -> None:
    titled = source(1, "设备ZX-9的额定功率为8 kW。")
    titled = titled.model_copy(update={"document": titled.document.model_copy(update={"title": "额定功率为777 kW"})})
    stated, claimed = check_answer([("ZX-9的额定功率为8 kW。", (1,)), ("额定功率为777 kW。", (1,))], [titled])
    assert stated.supported
    assert not claimed.supported
