"""A question that says which documents it is about is answered from those, and from nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.documents import lexical_settings, write
from veriloop import Answer, Caller, Library, add_files, build_agent

TEXTS = {
    "new": "# 差旅通知\n\n发布日期：2024年3月1日\n\n境内出差伙食补贴标准为每人每天120元。",
    "old": "# 差旅通知（旧）\n\n发布日期：2019年3月1日\n\n境内出差伙食补贴标准为每人每天80元。",
    "leave": "# HR policy\n\nIssued: 1 March 2024\n\nParental leave is 20 weeks.",
}


def answered(folder: Path, question: str) -> Answer:
    (folder / "library").mkdir()
    with Library(folder / "library", lexical_settings(), None) as library:
        add_files(library, [write(folder / "documents", **TEXTS)])
        return build_agent(library, caller=Caller.owner()).ask(question)


@pytest.mark.parametrize(
    ("question", "value", "document"),
    [
        ("2023年以后发布的通知规定的境内出差伙食补贴是多少？", "120元", "new.md"),
        ("2020年以前发布的通知里境内出差伙食补贴标准是多少？", "80元", "old.md"),
        ("How many weeks is parental leave in documents issued since 2023?", "20 weeks", "leave.md"),
    ],
)
def test_the_answer_comes_from_the_documents_of_the_period(
    tmp_path: Path, question: str, value: str, document: str
) -> None:
    answer = answered(tmp_path, question)
    assert answer.status == "answered"
    assert value in answer.text
    assert {citation.document for citation in answer.citations} == {document}
    assert answer.notes


@pytest.mark.parametrize(
    "question",
    [
        "2015年以前发布的通知里境内出差伙食补贴标准是多少？",
        "How many weeks is parental leave in documents issued before 2020?",
    ],
)
def test_what_only_documents_of_another_period_say_is_missing(tmp_path: Path, question: str) -> None:
    assert answered(tmp_path, question).status == "insufficient"
