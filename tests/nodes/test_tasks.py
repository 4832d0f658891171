"""Sub-tasks run when what they depend on is known, with the names that were found in their places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.decisions import Finding, Plan, SubTask, Sufficiency, TaskVerdict
from veriloop.nodes.by_rules.plan_check import plan_problem
from veriloop.nodes.tasks import filled, ready_tasks
from veriloop.tools.registry import Tool, ToolOutput, ToolRegistry
from veriloop.tools.search_documents import SEARCH_DOCUMENTS, SearchArguments

TOOLS = ToolRegistry(
    [Tool(name=SEARCH_DOCUMENTS, description="Finds.", arguments=SearchArguments, run=lambda _: ToolOutput())]
)


def task(name: str, question: str = "多久？", depends_on: tuple[str, ...] = (), **changes: object) -> SubTask:
    values = {"tool": SEARCH_DOCUMENTS, "arguments": {"query": question}, **changes}
    return SubTask.model_validate({"id": name, "question": question, "depends_on": depends_on, **values})


def found(name: str, short_answer: str, how: Sufficiency = Sufficiency.ANSWERED) -> TaskVerdict:
    return TaskVerdict(task_id=name, question="?", sufficiency=how, finding=Finding(short_answer=short_answer))


CHAIN = Plan(tasks=(task("t1", "谁负责？"), task("t2", "{t1}的电话是多少？", ("t1",))))


def test_what_depends_on_nothing_runs_at_once() -> None:
    assert [one.id for one in ready_tasks(CHAIN, ())] == ["t1"]


def test_a_name_that_was_found_is_filled_in() -> None:
    (second,) = ready_tasks(CHAIN, [found("t1", "林若溪")])
    assert second.question == "林若溪的电话是多少？"
    assert second.arguments["query"] == "林若溪的电话是多少？"


@pytest.mark.parametrize(
    "verdict", [found("t1", ""), found("t1", "林若溪", Sufficiency.MISSING)], ids=["no name", "not answered"]
)
def test_without_the_name_the_dependent_task_is_not_asked(verdict: TaskVerdict) -> None:
    assert ready_tasks(CHAIN, [verdict]) == ()


@given(st.text(), st.text(min_size=1))
def test_what_a_document_says_is_put_in_as_it_is(answer: str, question: str) -> None:
    asked = filled(task("t2", f"x{question}{{t1}}", ("t1",)), {"t1": answer})
    assert answer.strip() in asked.question or not answer.strip()


def test_braces_that_name_no_dependency_are_text() -> None:
    plain = task("t1", "模板里的{t1}和{t9}是什么？")
    assert ready_tasks(Plan(tasks=(plain,)), ()) == (plain,)


@pytest.mark.parametrize(
    ("plan", "named"),
    [
        (Plan(tasks=(task("t1", depends_on=("t2",)), task("t2", depends_on=("t1",)))), "wait for each other"),
        (Plan(tasks=(task("t1", depends_on=("t9",)),)), "t9"),
        (Plan(tasks=(task("t1"), task("t1"))), "used twice"),
        (Plan(tasks=(task("t1", tool="launch_rocket"),)), "launch_rocket"),
        (Plan(tasks=(task("t1", arguments={"query": ""}),)), "query"),
        (Plan(tasks=(task("t1", arguments={"query": "x", "k": 900}),)), "k"),
        (Plan(tasks=(task("t1", arguments={"query": "x", "caller": "boss"}),)), "caller"),
    ],
    ids=["cycle", "unknown dependency", "same id", "unknown tool", "empty", "out of bounds", "unknown argument"],
)
def test_a_plan_that_cannot_run_is_named_with_its_reason(plan: Plan, named: str) -> None:
    assert named in plan_problem(plan, TOOLS)


def test_a_sound_plan_has_no_problem() -> None:
    assert plan_problem(CHAIN, TOOLS) == ""
