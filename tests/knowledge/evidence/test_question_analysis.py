"""What is read out of a question, in both languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.knowledge.evidence.question import analyse_question
from veriloop.knowledge.evidence.question_words import AnswerType


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("合同保证金是多少？", AnswerType.AMOUNT),
        ("How much is the travel allowance?", AnswerType.AMOUNT),
        ("年假需要提前多少个工作日申请？", AnswerType.DURATION),
        ("How long is the notice period?", AnswerType.DURATION),
        ("该办法何时开始施行？", AnswerType.DATE),
        ("When does the policy take effect?", AnswerType.DATE),
        ("谁负责审批采购申请？", AnswerType.PERSON),
        ("Who approves purchase requests?", AnswerType.PERSON),
        ("总部在哪里？", AnswerType.PLACE),
        ("Where is the head office?", AnswerType.PLACE),
        ("毛利率是多少？", AnswerType.PERCENTAGE),
        ("What percentage of the shares was sold?", AnswerType.PERCENTAGE),
        ("申请报销需要哪些材料？", AnswerType.LIST),
        ("Which documents are needed for a claim?", AnswerType.LIST),
        ("什么是不可抗力？", AnswerType.DEFINITION),
        ("What is meant by force majeure?", AnswerType.DEFINITION),
        ("为什么要更换供应商？", AnswerType.REASON),
        ("Why was the supplier replaced?", AnswerType.REASON),
        ("试用期员工可以休年假吗？", AnswerType.YES_NO),
        ("Can employees on probation take leave?", AnswerType.YES_NO),
        ("网络安全审查的结论是什么？", AnswerType.TEXT),
    ],
)
def test_a_question_tells_what_kind_of_answer_it_wants(question: str, wanted: AnswerType) -> None:
    assert analyse_question(question).answer_type is wanted


@pytest.mark.parametrize(
    ("question", "focus"),
    [
        ("HN-3200 的噪声是多少", "噪声"),
        ("What is the minimum password length?", "password length"),
        ("甲公司2021年的员工满意度是多少？", "员工满意度"),
        ("What was the license plate of the car?", "license plate"),
        ("HN-3200 的噪聲是多少", "噪聲"),
    ],
)
def test_the_focus_is_the_phrase_beside_the_interrogative_in_the_questions_own_words(question: str, focus: str) -> None:
    assert focus in analyse_question(question).focus


def test_names_ids_titles_and_dates_are_found_and_the_asking_words_are_not_terms() -> None:
    question = analyse_question("《采购管理办法》中，蓝海科技有限公司2023年采购HN-3200的价格是多少？")
    assert question.quoted == ("采购管理办法",)
    assert "蓝海科技有限公司" in question.entities
    assert {value.canonical for value in question.values} == {"2023", "HN-3200"}
    assert "多少" not in question.terms


def test_a_phrase_that_says_where_to_look_is_scope_and_no_term_in_either_language() -> None:
    chinese = analyse_question("根据某某区人民法院的判决书，被告人的职业是什么？")
    english = analyse_question("According to the staff handbook, who approves overtime?")
    assert (chinese.scope, "判决书" in chinese.terms) == ("根据某某区人民法院的判决书", False)
    assert (english.scope, "handbook" in english.terms) == ("According to the staff handbook", False)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("你好", "zh"),
        ("员工手册在哪里", "zh"),
        ("員工手冊在哪裡", "zh"),
        ("Where is HN-3200?", "en"),
        ("HN-3200 功率", "zh"),
    ],
)
def test_the_language_follows_the_script(text: str, language: str) -> None:
    assert analyse_question(text).language == language


@pytest.mark.parametrize(
    "text", ["你好", "您好！", "谢谢你", "谢谢，再见", "Hello there!", "Thanks a lot.", "hi", "thank you very much"]
)
def test_greetings_and_thanks_alone_are_small_talk(text: str) -> None:
    assert analyse_question(text).is_small_talk


@pytest.mark.parametrize(
    "text", ["你好，年假有几天？", "谢谢，那病假呢？", "Hi, what is the fee?", "好的供应商有哪些", "什么是 OK 标记"]
)
def test_a_greeting_before_a_question_is_not_small_talk(text: str) -> None:
    assert not analyse_question(text).is_small_talk


@given(st.text(max_size=80))
def test_any_text_can_be_analysed_and_its_phrases_stand_in_it(text: str) -> None:
    question = analyse_question(text)
    assert all(phrase in text for phrase in (*question.focus, *question.phrases, *question.quoted))
