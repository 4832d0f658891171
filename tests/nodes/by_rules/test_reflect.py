"""By rules, each further search does something else, and the last resort is to report what is missing."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st
from veriloop.decisions import FailureReason, Reflection, Strategy, SubTask, Sufficiency, TaskVerdict
from veriloop.knowledge.documents import Document
from veriloop.nodes.by_rules.reflect import Failed, Tried, reflect_by_rules
from veriloop.nodes.by_rules.sources import editions_of_years, named_documents
from veriloop.tools.registry import ErrorCode
from veriloop.tools.search_documents import SEARCH_DOCUMENTS


def document(name: str) -> Document:
    return Document(
        doc_id=name,
        version="1",
        title=name.rsplit(".", 1)[0],
        source_uri=name,
        name=name,
        media_type="text/plain",
        updated_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


DOCUMENTS = tuple(document(name) for name in ("员工手册_2023版.docx", "员工手册_2025版.docx", "Travel policy.md"))


def failed(question: str, error: ErrorCode | None = None, **arguments: object) -> Failed:
    values = {"query": question, "k": 8, **arguments}
    task = SubTask(id="t1", question=question, tool=SEARCH_DOCUMENTS, arguments=values)
    return Failed(task, TaskVerdict(task_id="t1", question=question, sufficiency=Sufficiency.MISSING), error)


def reflected(case: Failed, *before: Reflection, may_replan: bool = True) -> Reflection:
    return reflect_by_rules(Tried([case], before, DOCUMENTS, may_replan))


def test_a_year_in_the_question_leads_to_the_edition_of_that_year() -> None:
    found = reflected(failed("2023版员工手册的试用期是多久？"))
    assert (found.reason, found.strategy) == (FailureReason.WRONG_TIME_RANGE, Strategy.ADJUST_TIME_RANGE)
    assert found.tasks[0].arguments["documents"] == ("员工手册_2023版.docx",)
    assert found.tasks[0].attempt == 2


def test_a_search_that_was_limited_is_opened_up() -> None:
    found = reflected(failed("What is the hotel limit?", documents=("Travel policy.md",)))
    assert found.strategy is Strategy.SWITCH_SOURCE
    assert "documents" not in found.tasks[0].arguments


def test_a_tool_that_cannot_be_called_leads_to_a_new_plan_once() -> None:
    case = failed("多久？", ErrorCode.UNKNOWN_TOOL)
    assert reflected(case).strategy is Strategy.REPLAN
    assert reflected(case, may_replan=False).strategy is Strategy.REPORT_MISSING


def test_when_everything_was_tried_what_is_missing_is_reported() -> None:
    tried: list[Reflection] = []
    for _ in range(8):
        tried.append(reflected(failed("按照员工手册，试用期是多久？"), *tried))
        if tried[-1].strategy is Strategy.REPORT_MISSING:
            break
    assert tried[-1].reason is FailureReason.NOT_IN_LIBRARY
    assert len(tried) > 1


@given(st.text(min_size=1, max_size=60))
def test_the_same_strategy_is_never_tried_twice_with_the_same_arguments(question: str) -> None:
    tried: list[Reflection] = []
    for _ in range(6):
        found = reflected(failed(question), *tried)
        if found.strategy is Strategy.REPORT_MISSING:
            break
        assert found.key not in {reflection.key for reflection in tried}
        tried.append(found)
    assert len(tried) < 6


def test_a_name_means_the_documents_that_carry_it() -> None:
    assert [d.name for d in named_documents("员工手册", DOCUMENTS)] == ["员工手册_2023版.docx", "员工手册_2025版.docx"]
    assert [d.name for d in named_documents("the travel policy", DOCUMENTS)] == ["Travel policy.md"]
    assert named_documents("合同", DOCUMENTS) == ()


def test_a_year_without_the_title_means_no_edition() -> None:
    assert editions_of_years("2023年的收入是多少？", DOCUMENTS) == ()
