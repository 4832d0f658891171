"""What a search leaves out, or could not do, is told beside the answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.documents import lexical_settings, write
from veriloop import Caller, Library, add_files, build_agent
from veriloop.state import AnswerStatus
from veriloop.tools.registry import Tool, ToolOutput
from veriloop.tools.search_documents import SearchArguments, make_search_documents

TEXTS = {
    "春节放假通知": "# 春节放假通知\n\n发布日期：2024年1月20日\n\n春节期间仓库放假八天，值班表另发。",
    "国庆放假通知": "# 国庆放假通知\n\n发布日期：2025年9月20日\n\n国庆期间仓库放假七天，值班表另发。",
    "depot notice": "# Depot notice\n\nPublished on 5 March 2024.\n\nThe depot is closed for nine days in March.",
    "yard notice": "# Yard notice\n\nPublished on 5 March 2025.\n\nThe yard is closed for two days in March.",
}


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """Notices of two years in two languages."""
    with Library.open(tmp_path / "library", lexical_settings()) as opened:
        add_files(opened, [write(tmp_path / "documents", **TEXTS)])
        yield opened


@pytest.mark.parametrize(
    ("question", "said", "note"),
    [
        ("2024年发布的通知中，仓库放假几天？", "八天", "只查找了这样的文档：类型"),
        (
            "How many days is the depot closed, by the notices published in 2024?",
            "nine days",
            "Only such documents were searched: type",
        ),
    ],
    ids=["zh", "en"],
)
def test_an_answer_says_which_documents_the_question_narrowed_the_search_to(
    library: Library, question: str, said: str, note: str
) -> None:
    answer = build_agent(library).ask(question)
    assert answer.status is AnswerStatus.ANSWERED
    assert said in answer.text
    (told,) = answer.notes
    assert told.startswith(note) and "2024" in told


def test_an_answer_from_everything_has_no_such_note(library: Library) -> None:
    assert build_agent(library).ask("春节期间仓库放假几天？").notes == ()


def test_a_note_of_a_tool_is_told_once_however_often_it_is_called(library: Library) -> None:
    search = make_search_documents(library, Caller())

    def run(arguments: SearchArguments) -> ToolOutput:
        return search.run(arguments).model_copy(update={"notes": ("目录正在更新。",)})

    tool = Tool(name=search.name, description=search.description, arguments=SearchArguments, run=run)
    answer = build_agent(library, only_tools=[tool]).ask("春节期间和国庆期间仓库各放假几天？")
    assert answer.notes.count("目录正在更新。") == 1
