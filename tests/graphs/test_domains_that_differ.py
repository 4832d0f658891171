"""What two business areas lay down differently is no contradiction: the answer says what holds in which."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from support.documents import lexical_settings, write
from veriloop import Library, add_files, build_agent
from veriloop.knowledge.description import Description
from veriloop.state import Answer, AnswerStatus

ZH, EN = "审批时限是几个工作日？", "What is the approval deadline for purchase orders?"
TEXTS = {
    ZH: ("# 审批规定\n\n审批时限为2个工作日。", "# 审批规定\n\n审批时限为5个工作日。"),
    EN: (
        "# Approval rules\n\nThe approval deadline for purchase orders is 2 days.",
        "# Approval rules\n\nThe approval deadline for purchase orders is 5 days.",
    ),
}
SAID = {ZH: ("2个工作日", "5个工作日"), EN: ("2 days", "5 days")}


def answered(
    folder: Path, question: str, domains: Mapping[str, str | None], routes: tuple[str, ...] | None = None
) -> Answer:
    """The answer over two documents that differ, each under a name and of a domain."""
    with Library.open(folder / "library", lexical_settings()) as library:
        for (name, domain), text in zip(domains.items(), TEXTS[question], strict=True):
            add_files(library, [write(folder / name, **{name: text})], described=Description(domain=domain))
        return build_agent(library, routes=routes).ask(question)


@pytest.mark.parametrize("question", [ZH, EN], ids=["zh", "en"])
@pytest.mark.parametrize("routes", [None, ("loop",)])
def test_each_domain_is_named_with_what_it_says(tmp_path: Path, question: str, routes: tuple[str, ...] | None) -> None:
    answer = answered(tmp_path, question, {"one": "HR", "two": "IT"}, routes)
    assert (answer.status, answer.conflicts) == (AnswerStatus.ANSWERED, ())
    by_line = {line.split("（" if question == ZH else " (")[0]: line for line in answer.text.splitlines()}
    hr, it = ("HR领域", "IT领域") if question == ZH else ("In the domain HR", "In the domain IT")
    assert SAID[question][0] in by_line[hr] and SAID[question][1] in by_line[it]
    assert {citation.document for citation in answer.citations} == {"one.md", "two.md"}


@pytest.mark.parametrize("question", [ZH, EN], ids=["zh", "en"])
def test_documents_without_a_domain_are_an_area_of_their_own(tmp_path: Path, question: str) -> None:
    answer = answered(tmp_path, question, {"one": "HR", "two": None})
    assert answer.status is AnswerStatus.ANSWERED and not answer.conflicts
    assert ("未分领域" if question == ZH else "In no domain") in answer.text


@pytest.mark.parametrize("question", [ZH, EN], ids=["zh", "en"])
@pytest.mark.parametrize("domain", ["HR", None])
def test_within_one_domain_it_stays_a_conflict(tmp_path: Path, question: str, domain: str | None) -> None:
    answer = answered(tmp_path, question, {"one": domain, "two": domain})
    assert answer.status is AnswerStatus.CONFLICT and answer.conflicts
