"""Which sentences and table rows answer, and what is refused."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from veriloop.knowledge.documents import Block, BlockKind, Document
from veriloop.knowledge.evidence.extract import ANSWERED, extract_answer
from veriloop.knowledge.evidence.models import Evidence, Extract
from veriloop.knowledge.evidence.question import analyse_question

RULES = """第五条　员工入职满一年的，每年享受5天带薪年假。年假应当提前10个工作日提出申请。
第六条　报销差旅费应当提交下列材料：
（一）出差审批单；
（二）交通和住宿发票；
（三）行程说明。
第七条　未经部门负责人批准，不得将客户资料带离办公场所。违反本条规定的，给予警告处分。"""
HANDBOOK = """Employees receive 20 days of paid annual leave. Requests must be sent to the line manager.
Passwords must have a minimum length of 12 characters. They expire after 90 days."""
TABLE = """| 型号 | 额定功率 | 噪声 | 重量 | 价格 | 质保期 |
| --- | --- | --- | --- | --- | --- |
| HN-3100 | 8 kW | 52 dB | 120 kg | 1.5万元 | 12个月 |
| HN-3200 | 11 kW | 55 dB | 140 kg | 2.1万元 | 24个月 |"""


def evidence(*texts: str, title: str = "管理制度") -> list[Evidence]:
    document = Document(
        doc_id="d",
        version="1",
        title=title,
        source_uri="d",
        name="d",
        media_type="text/plain",
        updated_at=datetime.now(UTC),
    )
    return [
        Evidence(
            marker=number,
            block=Block(
                block_id=f"b{number}",
                doc_id="d",
                ordinal=number,
                text=text,
                kind=BlockKind.TABLE if text.startswith("|") else BlockKind.TEXT,
            ),
            document=document,
            score=1 / number,
        )
        for number, text in enumerate(texts, 1)
    ]


def ask(question: str, *texts: str, title: str = "管理制度", most: int = 2) -> Extract:
    return extract_answer(analyse_question(question), evidence(*texts, title=title), max_sentences=most)


@pytest.mark.parametrize(
    ("question", "text", "title", "answer"),
    [
        ("员工每年有几天年假？", RULES, "管理制度", "5天"),
        ("年假要提前多久申请？", RULES, "管理制度", "10个工作日"),
        ("How many days of annual leave do employees receive?", HANDBOOK, "Staff handbook", "20 days"),
        ("What is the minimum password length?", HANDBOOK, "Staff handbook", "12 characters"),
        ("員工每年有幾天年假？", RULES, "管理制度", "5天"),
    ],
)
def test_the_best_sentence_holds_the_answer(question: str, text: str, title: str, answer: str) -> None:
    extract = ask(question, text, title=title, most=1)
    assert answer in extract.sentences[0].text
    assert extract.confidence >= ANSWERED


def test_a_clauses_first_sentence_is_quoted_with_its_label() -> None:
    extract = ask("将客户资料带离办公场所需要谁批准？", RULES, most=1)
    assert extract.sentences[0].quotes[0].text.startswith("第七条")


def test_a_lead_in_brings_its_items_along() -> None:
    extract = ask("报销差旅费应当提交哪些材料？", RULES, most=1)
    assert all(item in extract.sentences[0].text for item in ("出差审批单", "住宿发票", "行程说明"))


def test_a_table_answers_with_the_row_and_column_that_are_asked_for() -> None:
    sentence = ask("HN-3200 的噪声是多少？", TABLE, title="设备参数", most=1).sentences[0]
    assert sentence.text == "型号：HN-3200，噪声：55 dB"
    assert [quote.text for quote in sentence.quotes] == [TABLE.split("\n")[3], TABLE.split("\n")[0]]


def test_an_english_table_is_shown_with_english_punctuation() -> None:
    rule = "| --- " * 5 + "|"
    table = f"| Model | Power | Noise | Weight | Price |\n{rule}\n| HN-3200 | 11 kW | 55 dB | 9 kg | $7 |"
    sentence = ask("What is the noise of the HN-3200?", table, title="Data sheet", most=1).sentences[0]
    assert sentence.text == "Model: HN-3200, Noise: 55 dB"


@pytest.mark.parametrize(
    ("question", "text", "title", "missing"),
    [
        ("HN-9900 的噪声是多少？", TABLE, "设备参数", "HN-9900"),
        ("HN-3200 的防护等级是多少？", TABLE, "设备参数", "防护等级"),
        ("海洋石油有限公司的员工每年有几天年假？", RULES, "管理制度", "海洋石油有限公司"),
        ("2019年员工的年假是几天？", RULES, "管理制度", "2019年"),
        ("What is the noise level of the QX-77?", HANDBOOK, "Staff handbook", "QX-77"),
        ("How many parking spaces are there?", HANDBOOK, "Staff handbook", "parking spaces"),
    ],
)
def test_what_stands_nowhere_in_the_evidence_is_refused_and_named(
    question: str, text: str, title: str, missing: str
) -> None:
    extract = ask(question, text, title=title)
    assert extract.sentences == ()
    assert extract.confidence < ANSWERED
    assert any(missing in phrase for phrase in extract.missing)


def test_without_evidence_nothing_is_answered() -> None:
    extract = ask("年假有几天？")
    assert (extract.sentences, extract.confidence) == ((), 0.0)


def test_no_more_sentences_than_allowed_are_quoted() -> None:
    assert len(ask("年假有什么规定？", RULES, HANDBOOK, TABLE, most=1).sentences) <= 1
    assert ask("年假有什么规定？", RULES, most=0).sentences == ()


TEXTS = st.lists(
    st.sampled_from(
        [RULES, HANDBOOK, TABLE, "标题", "年假：5天", "**职业**：护士\n- 甲\n- 乙", "", "|a|b|\n|---|---|\n|年假|5天|"]
    ),
    max_size=4,
)
QUESTIONS = st.sampled_from(
    ["年假有几天？", "HN-3200 的噪声是多少？", "What is the minimum password length?", "职业是什么", "需要哪些材料？"]
)


@settings(max_examples=60, deadline=None)
@given(question=QUESTIONS, texts=TEXTS, junk=st.text(max_size=60))
def test_every_quote_stands_byte_for_byte_in_its_block(question: str, texts: list[str], junk: str) -> None:
    sources = evidence(*texts, f"{junk}。年假有5天。{junk}")
    blocks = {source.block.block_id: source.block.text for source in sources}
    extract = extract_answer(analyse_question(question), sources, max_sentences=3)
    for sentence in extract.sentences:
        assert sentence.quotes
        for quote in sentence.quotes:
            assert blocks[quote.block_id][quote.span.start : quote.span.end] == quote.text
