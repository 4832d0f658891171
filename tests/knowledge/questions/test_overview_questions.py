"""Which questions are about the library as a whole."""

from __future__ import annotations

import pytest
from veriloop.knowledge.questions.overview import asked_overview


@pytest.mark.parametrize(
    "question",
    ["这个库里有哪些内容？", "本知识库涵盖哪些主题？", "請介紹一下這個知識庫的概況", "我们一共有哪些文件？",
     "which topics does this library cover?", "What documents are in our knowledge base?",
     "Give me an overview of the library."],
)  # fmt: skip
def test_questions_for_everything(question: str) -> None:
    asked = asked_overview(question)
    assert asked is not None and asked.about == "" and not asked.kinds


@pytest.mark.parametrize("question", ["这个库里有哪些制度？", "公司有哪些规章制度？", "Which policies do we have?"])
def test_questions_for_all_rules(question: str) -> None:
    asked = asked_overview(question)
    assert asked is not None and asked.kinds == {"policy", "manual"}


@pytest.mark.parametrize(
    ("question", "about"),
    [("关于采购我们一共有哪些规定？", "采购"), ("對加班，公司總共有哪些規定？", "加班"),
     ("所有文件对差旅是怎么规定的？", "差旅"), ("汇总一下关于年休假的所有规定", "年休假"),
     ("我们一共有哪些关于采购的规定？", "采购"),
     ("What do our rules say about procurement altogether?", "procurement"),
     ("Which policies do we have on travel?", "travel")],
)  # fmt: skip
def test_questions_for_all_that_is_said_about_one_matter(question: str, about: str) -> None:
    asked = asked_overview(question)
    assert asked is not None and asked.about == about


@pytest.mark.parametrize(
    "question",
    ["关于年假有哪些规定？", "对合同双方都有哪些要求？", "仓库里有哪些设备？", "数据库里有哪些表？",
     "哪些文件规定了质量保证期？",
     "公司有哪些部门？", "合同一共有哪些附件？", "总结一下员工手册", "what does the policy say about hotels?",
     "which topics does the training cover?", "What is in the first-aid kit?"],
)  # fmt: skip
def test_other_questions(question: str) -> None:
    assert asked_overview(question) is None


@pytest.mark.parametrize(
    "repeated", ["关于" + "知识库里" * 45, "我们所有" * 50, "what do our rules say about " + " " * 170]
)
def test_words_repeated_over_and_over_are_no_question_about_the_library(repeated: str) -> None:
    # One of these was tried in 2 ** 45 ways.
    assert asked_overview(f"{repeated}!") is None
