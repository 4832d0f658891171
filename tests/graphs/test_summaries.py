"""Who asks for a summary of a document gets what its sections say, not a sentence with the word summary in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.documents import lexical_settings, write
from veriloop import Answer, Caller, Library, add_files, build_agent
from veriloop.knowledge.evidence.overview import summed_up, without_asking

TEXTS = {
    "员工手册": "# 员工手册\n\n文件编号：HR-1\n\n## 考勤\n\n工作时间为上午八点至下午五点。\n\n"
    "## 休假\n\n员工每年享受五天年休假。\n\n## 考核\n\n员工应当每年提交工作总结。\n",
    "wage_notes": "# 年度会议\n\n会议要求各部门总结全年工作，并概括主要问题。\n",
    "travel_policy": "# Travel policy\n\nDocument number: T-1\n\n## Hotels\n\n"
    "A hotel may cost at most 150 EUR a night.\n\n## Receipts\n\nReceipts must be handed in within 14 days.\n",
    "board": "# Board meeting\n\nThe secretary will summarise the discussion and outline the next steps.\n",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Documents with sections, and others that hold the words in which summaries are asked for."""
    folder = tmp_path_factory.mktemp("summaries")
    (folder / "library").mkdir()
    with Library(folder / "library", lexical_settings(), None) as opened:
        add_files(opened, [write(folder / "documents", **TEXTS)])
        yield opened


def ask(library: Library, question: str) -> Answer:
    return build_agent(library, caller=Caller.owner()).ask(question)


@pytest.mark.parametrize(
    ("question", "document", "said"),
    [
        ("总结一下员工手册", "员工手册.md", ("八点", "五天")),
        ("请概括《员工手册》的主要内容", "员工手册.md", ("八点", "五天")),
        ("归纳员工手册的要点", "员工手册.md", ("八点", "五天")),
        ("介绍一下员工手册", "员工手册.md", ("八点", "五天")),
        ("Summarise the travel policy", "travel_policy.md", ("150 EUR", "14 days")),
        ("Please outline the main points of the travel policy.", "travel_policy.md", ("150 EUR", "14 days")),
    ],
)
def test_a_document_is_summed_up_by_what_its_sections_say(
    library: Library, question: str, document: str, said: tuple[str, ...]
) -> None:
    answer = ask(library, question)
    assert {citation.document for citation in answer.citations} == {document}
    assert all(one in answer.text for one in said)
    assert not any(one in answer.text for one in ("HR-1", "T-1"))


@pytest.mark.parametrize(
    ("question", "said"), [("总结一下年休假的规定", "五天"), ("Summarise the rules on receipts", "14 days")]
)
def test_the_words_that_ask_for_a_summary_are_not_looked_for(library: Library, question: str, said: str) -> None:
    assert said in ask(library, question).text


@pytest.mark.parametrize(
    "question", ["工作总结什么时候提交？", "Who will summarise the discussion?", "总结", "Outline"]
)
def test_a_summary_that_a_question_is_about_is_no_request_for_one(question: str) -> None:
    assert summed_up(question) == without_asking(question) == ""


@given(st.text(alphabet="请总结概括一下员工手册的内容summarise the of ?。", max_size=40))
def test_what_is_summed_up_stands_in_the_question(question: str) -> None:
    assert summed_up(question) in without_asking(question) or not summed_up(question)
    assert without_asking(question) in question
