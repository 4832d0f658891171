"""A heading, a title or a bare name answers no question that does not ask for one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from veriloop.knowledge.documents import Block, Document
from veriloop.knowledge.evidence.extract import extract_answer
from veriloop.knowledge.evidence.models import Evidence, Extract
from veriloop.knowledge.evidence.question import analyse_question
from veriloop.knowledge.evidence.units import cut_units

CONTRACT = """3. Price
The price of the pumps is 40,000 EUR.
4. Delivery
The supplier delivers the pumps to the plant in Lyon within ten days after the order.
5. Warranty
The supplier repairs faults of the pumps for two years."""
CHINESE_CONTRACT = """三、价格
水泵的总价为四万元。
四、交货
供应商应当在订货后十日内将水泵运到里昂的工厂。
五、质保
供应商对水泵的故障免费维修两年。"""
COMPANY = "Green Fields Agriculture Ltd.\nThe company grows wheat and barley on 900 hectares and sells them to mills."
CHINESE_COMPANY = "绿野农业有限公司\n本公司在九百公顷土地上种植小麦和大麦，并出售给面粉厂。"


def source(text: str, title: str, path: tuple[str, ...] = ()) -> Evidence:
    document = Document(
        doc_id="d",
        version="1",
        title=title,
        source_uri="d",
        name="d",
        media_type="text/plain",
        updated_at=datetime.now(UTC),
    )
    block = Block(block_id="b", doc_id="d", ordinal=0, text=text, section_path=path)
    return Evidence(marker=1, block=block, document=document, score=1.0)


def ask(question: str, text: str, title: str = "Agreement", path: tuple[str, ...] = (), most: int = 3) -> Extract:
    return extract_answer(analyse_question(question), [source(text, title, path)], max_sentences=most)


@pytest.mark.parametrize(
    ("question", "text", "said", "headings"),
    [
        (
            "Where does the supplier deliver the pumps, and on what terms?",
            CONTRACT,
            "Lyon",
            ("3. Price", "4. Delivery", "5. Warranty"),
        ),
        ("合同对水泵的交货是怎么规定的？", CHINESE_CONTRACT, "里昂", ("三、价格", "四、交货", "五、质保")),
    ],
)
def test_a_numbered_heading_is_quoted_beside_no_clause(
    question: str, text: str, said: str, headings: tuple[str, ...]
) -> None:
    found = ask(question, text)
    assert any(said in one.text for one in found.sentences)
    assert not {one.text.strip() for one in found.sentences} & set(headings)


@pytest.mark.parametrize(
    ("question", "text", "title"),
    [
        ("What is the name of the CEO of Green Fields Agriculture Ltd.?", COMPANY, "Green Fields Agriculture Ltd."),
        ("绿野农业有限公司的总经理叫谁？", CHINESE_COMPANY, "绿野农业有限公司"),
    ],
)
def test_the_name_of_a_company_is_quoted_as_no_answer(question: str, text: str, title: str) -> None:
    assert title not in {one.text.strip() for one in ask(question, text, title).sentences}


@pytest.mark.parametrize(
    ("question", "text"),
    [("Who signed the delivery terms?", "4. Delivery"), ("交货条款由谁签字？", "四、交货")],
)
def test_where_there_is_only_a_heading_nothing_is_quoted(question: str, text: str) -> None:
    assert ask(question, text, path=(text,)).sentences == ()


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the section on delivery called?", "4. Delivery of the pumps"),
        ("关于交货的章节标题叫什么？", "四、交货"),
    ],
)
def test_who_asks_for_a_heading_may_get_one(question: str, text: str) -> None:
    units = cut_units(source(text, "Agreement", (text,)))
    assert [unit.only_names for unit in units] == [True]
    found = ask(question, text, path=(text,))
    assert [one.text for one in found.sentences] == [text]


@pytest.mark.parametrize(
    "text",
    [
        "1. Laptop\n2. Phone\n3. Badge",
        "1、电脑\n2、手机\n3、工牌",
        "The supplier is Huaxin Ltd.",
        "供应商为华信有限公司",
        "2. Power: 37 kW",
        "额定功率 37 kW",
        "3. Employees get 20 days of leave",
        "员工应当提前申请",
    ],
)
def test_items_of_a_list_and_lines_that_state_something_are_no_headings(text: str) -> None:
    assert not any(unit.only_names for unit in cut_units(source(text, "Agreement")))
