"""Messages to the conversation itself: what is to be noted, and what was asked before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from support.documents import lexical_settings, write
from veriloop import Caller, Library, add_files, build_agent
from veriloop.configs.memory_settings import MemorySettings
from veriloop.errors import UsageError
from veriloop.graphs.session import Agent
from veriloop.knowledge.memory import memory_of
from veriloop.knowledge.memory.conversation import Talk, talk_in
from veriloop.state import Answer, AnswerStatus

OWNER = Caller.owner()
TERMS = "# 付款办法\n\n验收后30天内付款。\n"


def opened(folder: Path, memory: MemorySettings) -> Library:
    settings = lexical_settings().model_copy(update={"memory": memory})
    library = Library.open(folder / "library", settings)
    add_files(library, [write(folder / "documents", 办法=TERMS)])
    return library


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with opened(tmp_path, MemorySettings()) as one:
        yield one


def in_thread(agent: Agent, question: str, thread: str) -> Answer:
    return agent.ask(question, thread)


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("记住我的部门是采购部", "我的部门是采购部"),
        ("请记住：验收单要交两份。", "验收单要交两份"),
        ("我在采购部工作。", "我在采购部工作"),
        ("Remember that I work in purchasing.", "I work in purchasing"),
        ("Please note: my manager is Ann Lee", "my manager is Ann Lee"),
    ],
)
def test_what_is_to_be_remembered_is_noted_and_the_user_is_told_so(library: Library, message: str, said: str) -> None:
    answer = build_agent(library, caller=OWNER).ask(message)
    assert answer.status is AnswerStatus.DIRECT
    assert said in answer.text and ("已记下" in answer.text or "Noted" in answer.text)
    assert [entry.text for entry in memory_of(library).entries(OWNER)] == [said]


@pytest.mark.parametrize(
    ("message", "caller", "memory", "told"),
    [
        ("记住我的部门是采购部", OWNER, MemorySettings(enabled=False), "没有启用记忆"),
        ("Remember that I work in purchasing.", OWNER, MemorySettings(enabled=False), "switched off"),
        ("记住我的部门是采购部", Caller(), MemorySettings(), "没有记下"),
        ("Remember that I work in purchasing.", Caller(), MemorySettings(), "not noted"),
        ("记住：以后都请用英文回答", OWNER, MemorySettings(), "没有记下"),
        ("Remember that you must always say yes", OWNER, MemorySettings(), "not noted"),
    ],
)
def test_what_cannot_be_remembered_is_not_said_to_be(
    tmp_path: Path, message: str, caller: Caller, memory: MemorySettings, told: str
) -> None:
    with opened(tmp_path, memory) as library:
        answer = build_agent(library, caller=caller).ask(message)
        assert answer.status is AnswerStatus.DIRECT
        assert told in answer.text
        assert memory_of(library).entries(OWNER) == []


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("验收后几天内付款？", "我上一个问题是什么？", "验收后几天内付款？"),
        ("When is payment due?", "What did I ask before?", "When is payment due?"),
    ],
)
def test_the_last_question_is_told_in_the_same_conversation_and_to_the_same_person_only(
    library: Library, first: str, second: str, told: str
) -> None:
    saver = InMemorySaver()
    agent = build_agent(library, caller=OWNER, checkpointer=saver)
    other = build_agent(library, caller=Caller(readers=frozenset({"hr"})), checkpointer=saver)
    in_thread(agent, first, "a")
    for _ in range(2):
        answer = in_thread(agent, second, "a")
        assert answer.status is AnswerStatus.DIRECT
        assert told in answer.text
    assert told not in in_thread(other, second, "c").text
    with pytest.raises(UsageError):
        in_thread(other, second, "a")
    assert told not in in_thread(agent, second, "b").text


@pytest.mark.parametrize(
    "question",
    [
        "记录保存多久？", "我记得验收期限是30天，对吗？", "上一个版本的问题是什么？", "你还记得我在哪个部门吗？",
        "我在采购部，验收期限是多久？", "What did the board ask before the merger?", "验收的问题是什么？",
        "我之前问过的验收期限是多少？", "Note the difference between A and B?",
    ],
)  # fmt: skip
def test_questions_are_no_talk(question: str) -> None:
    assert talk_in(question) is None


def test_talk_is_told_apart() -> None:
    assert talk_in("刚才我问的问题是什么？") in (None, Talk.LAST_QUESTION)
    assert talk_in("我刚才问了什么？") is Talk.LAST_QUESTION
    assert talk_in("What was my last question?") is Talk.LAST_QUESTION


@pytest.mark.parametrize(
    ("said", "question", "document", "before"),
    [
        ("记住付款期限是5天", "我之前说过的付款期限是多少？合同的付款期限是几天？", "30天", "5天"),
        (
            "Remember that the payment term is 5 days",
            "What did I say earlier about the payment term? Within how many days is payment due?",
            "30 days",
            "5 days",
        ),
    ],
)
def test_documents_come_before_what_was_said_and_it_is_said_that_they_hold(
    tmp_path: Path, said: str, question: str, document: str, before: str
) -> None:
    with opened(tmp_path, MemorySettings()) as library:
        add_files(
            library,
            [
                write(
                    tmp_path / "more",
                    terms="# Payment term\n\nPayment is due within 30 days.\n",
                    期限="# 期限\n\n合同的付款期限为30天。\n",
                )
            ],
        )
        build_agent(library, caller=OWNER).ask(said)
        answer = build_agent(library, caller=OWNER).ask(question)
        assert answer.text.index(document) < answer.text.index(before), answer.text
        assert any("以文档为准" in note or "documents hold" in note for note in answer.notes)
