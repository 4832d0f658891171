"""Calls that do more than read wait for a person, under every checkpointer, and are carried out once."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command
from support.bookings import Ledger, booking_tool
from support.documents import filled, lexical_settings
from typing_extensions import TypedDict
from veriloop import Answer, Caller, Library, build_agent
from veriloop.configs.approval_settings import ApprovalPolicy, ApprovalSettings
from veriloop.context import Context
from veriloop.decisions import Route
from veriloop.errors import UsageError
from veriloop.graphs.agent import build_graph
from veriloop.graphs.checkpoints import serializer
from veriloop.graphs.replaying import replay
from veriloop.graphs.session import Agent
from veriloop.state import AnswerStatus
from veriloop.tools.approval.journal import Journal
from veriloop.tools.approval.models import ApprovalRequest
from veriloop.tools.approval.records import CallState
from veriloop.tools.registry import ErrorCode, Permission, Tool, ToolFailure, ToolRegistry

ONE = "HN-3200的额定功率是多少？"
TWO = "HN-3200和HN-4100的质量保证期哪个长？"
Durability = Literal["sync", "async", "exit"]


class Desk(NamedTuple):
    """A library, and a ledger of its own that a tool writes to."""

    library: Library
    ledger: Ledger

    @property
    def journal(self) -> Journal:
        return Journal(self.library.folder)

    def agent(self, saver: BaseCheckpointSaver[Any] | None = None, **tool: Any) -> Agent:
        return build_agent(
            self.library, only_tools=[booking_tool(self.ledger, **tool)], routes=["two_step"], checkpointer=saver
        )

    def with_settings(self, **approval: Any) -> Library:
        """The same library, opened with other rules about consent."""
        settings = lexical_settings()
        tools = settings.tools.model_copy(update={"approval": ApprovalSettings(**approval)})
        return Library.open(self.library.folder, settings.model_copy(update={"tools": tools}))


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with filled(tmp_path_factory.mktemp("consent")) as library:
        yield library


@pytest.fixture
def desk(shelf: Library, tmp_path: Path) -> Desk:
    return Desk(shelf, Ledger(tmp_path / "ledger.sqlite"))


@pytest.fixture
def saver() -> InMemorySaver:
    return InMemorySaver(serde=serializer())


def yes(request: ApprovalRequest, **more: Any) -> dict[str, Any]:
    return {"decision": "approve", "digest": request.digest, "decided_by": "ann", **more}


def waiting(agent: Agent, question: str = ONE) -> tuple[Answer, ApprovalRequest]:
    answer = agent.ask(question)
    assert answer.status is AnswerStatus.NEEDS_APPROVAL
    return answer, answer.approvals[0]


@pytest.fixture(params=["memory", "sqlite"])
def any_saver(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[BaseCheckpointSaver[Any]]:
    if request.param == "memory":
        yield InMemorySaver(serde=serializer())
        return
    connection = sqlite3.connect(tmp_path / "threads.sqlite", check_same_thread=False)
    yield SqliteSaver(connection, serde=serializer())
    connection.close()


@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
def test_parallel_calls_inside_the_routes_graph_are_shown_together_and_decided_one_by_one(
    desk: Desk, any_saver: BaseCheckpointSaver[Any], durability: Durability
) -> None:
    graph = build_graph([Route.TWO_STEP]).copy({"checkpointer": any_saver})
    context = Context(library=desk.library, tools=ToolRegistry([booking_tool(desk.ledger)]))
    config: Any = {"configurable": {"thread_id": "one"}}
    stopped = graph.invoke({"question": TWO}, config, context=context, durability=durability)
    shown = {item.id: ApprovalRequest.model_validate(item.value) for item in stopped["__interrupt__"]}
    assert len(shown) == 2 and desk.ledger.calls() == []
    first, second = shown.items()
    stopped = graph.invoke(Command(resume={first[0]: yes(first[1])}), config, context=context, durability=durability)
    assert [item.id for item in stopped["__interrupt__"]] == [second[0]]
    said = {second[0]: {"decision": "reject", "comment": "too late", "decided_by": "ann"}}
    answer = graph.invoke(Command(resume=said), config, context=context, durability=durability)["answer"]
    assert desk.ledger.calls() == [(first[1].approval_id, first[1].arguments["query"])]
    assert "too late" in answer.text and "没有执行" in answer.text


class Outer(TypedDict, total=False):
    """The state of a larger graph."""

    question: str
    answer: Answer


def test_the_agent_as_a_node_of_a_larger_graph_waits_under_that_graphs_checkpointer(
    desk: Desk, any_saver: BaseCheckpointSaver[Any]
) -> None:
    builder = StateGraph(Outer)
    builder.add_node("agent", desk.agent())
    builder.add_edge(START, "agent")
    builder.add_edge("agent", END)
    graph = builder.compile(checkpointer=any_saver)
    config: Any = {"configurable": {"thread_id": "outer"}}
    stopped = graph.invoke({"question": TWO}, config)
    requests = {item.id: ApprovalRequest.model_validate(item.value) for item in stopped["__interrupt__"]}
    assert len(requests) == 2
    ended = graph.invoke(Command(resume={name: yes(one) for name, one in requests.items()}), config)
    assert ended["answer"].status is not AnswerStatus.NEEDS_APPROVAL
    assert sorted(desk.ledger.texts()) == sorted(one.arguments["query"] for one in requests.values())


def test_without_a_checkpointer_the_call_is_only_drafted(desk: Desk) -> None:
    answer, request = waiting(desk.agent())
    assert answer.stop_rule == "consent_needed" and answer.thread_id == ""
    assert request.approval_id in answer.text and "尚未执行" in answer.text
    assert request.arguments["query"] and desk.ledger.calls() == []
    assert desk.journal.log()[-1].event == "draft"


def test_what_is_approved_is_exactly_what_runs_and_once(desk: Desk, saver: InMemorySaver) -> None:
    agent = desk.agent(saver)
    answer, request = waiting(agent)
    assert agent.pending(answer.thread_id) == (request,)
    decisions = {request.approval_id: yes(request)}
    done = agent.resume(answer.thread_id, decisions)
    assert "已登记" in done.text and done.approvals == ()
    assert agent.resume(answer.thread_id, decisions) == done
    assert desk.ledger.calls() == [(request.approval_id, request.arguments["query"])]
    events = [(e.event, e.decided_by) for e in desk.journal.log() if e.approval_id == request.approval_id]
    assert events == [("ask", "policy"), ("approve", "ann"), ("start", "ann"), ("done", "ann")]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"decision": "approve"}, "named no digest"),
        ({"decision": "approve", "digest": "0" * 64}, "other arguments"),
        ({"decision": "yes"}, "could not be read"),
        ("approve", "could not be read"),
        (None, "could not be read"),
        ({"decision": "approve", "digest": 5}, "could not be read"),
        ({"decision": "reject", "digest": "0" * 64}, "other arguments"),
        ({"decision": "edit"}, "named no digest"),
    ],
)
def test_what_is_no_decision_about_this_request_is_refused_or_asked_again(
    desk: Desk, saver: InMemorySaver, said: Any, why: str
) -> None:
    agent = desk.agent(saver)
    answer, request = waiting(agent)
    with pytest.raises(UsageError, match=why):
        agent.resume(answer.thread_id, {request.approval_id: said})
    graph = build_graph([Route.TWO_STEP]).copy({"checkpointer": saver})
    config: Any = {"configurable": {"thread_id": answer.thread_id}}
    resume = {graph.get_state(config).interrupts[0].id: said or "nothing"}
    again = graph.invoke(Command(resume=resume), config, context=agent.context)["__interrupt__"]
    assert why in again[0].value["reason"] and again[0].value["digest"] == request.digest
    assert desk.ledger.calls() == []
    assert "已登记" in agent.resume(answer.thread_id, {request.approval_id: yes(request)}).text
    assert len(desk.ledger.calls()) == 1


def test_an_edit_is_checked_and_asked_about_again(desk: Desk, saver: InMemorySaver) -> None:
    agent = desk.agent(saver)
    answer, request = waiting(agent)
    change = {"decision": "edit", "digest": request.digest, "arguments": {**request.arguments, "k": 10_000}}
    with pytest.raises(UsageError, match="the last edit cannot run"):
        agent.resume(answer.thread_id, {request.approval_id: change})
    assert agent.pending(answer.thread_id) == (request,) and agent.pending("") == ()
    change["arguments"] = {"query": "新的内容"}
    edited = agent.resume(answer.thread_id, {request.approval_id: change}).approvals[0]
    assert edited.approval_id == request.approval_id and edited.digest != request.digest
    assert edited.arguments["query"] == "新的内容" and "query" not in edited.derived
    with pytest.raises(UsageError, match="other arguments"):
        agent.resume(answer.thread_id, {request.approval_id: yes(request)})
    agent.resume(answer.thread_id, {edited.approval_id: yes(edited)})
    assert desk.ledger.calls() == [(request.approval_id, "新的内容")]
    assert [e.event for e in desk.journal.log() if e.approval_id == request.approval_id] == [
        "ask", "edit", "approve", "start", "done",
    ]  # fmt: skip


def test_consent_that_comes_too_late_is_none(desk: Desk, saver: InMemorySaver) -> None:
    with desk.with_settings(expire_minutes=1e-6) as library:
        agent = build_agent(library, only_tools=[booking_tool(desk.ledger)], routes=["two_step"], checkpointer=saver)
        answer, request = waiting(agent)
        ended = agent.resume(answer.thread_id, {request.approval_id: yes(request)})
    assert "期限内没有人同意" in ended.text and desk.ledger.calls() == []
    assert desk.journal.get(request.approval_id).state is CallState.EXPIRED


def test_nobody_else_goes_on_with_a_run_or_learns_of_it(desk: Desk, saver: InMemorySaver) -> None:
    answer, request = waiting(desk.agent(saver))
    other = build_agent(
        desk.library,
        caller=Caller(readers=frozenset({"x"})),
        only_tools=[booking_tool(desk.ledger)],
        checkpointer=saver,
    )
    for use in (other.pending, other.answer, lambda name: other.ask(ONE, name)):
        with pytest.raises(UsageError, match="no thread"):
            use(answer.thread_id)
    graph = build_graph([Route.TWO_STEP]).copy({"checkpointer": saver})
    config: Any = {"configurable": {"thread_id": answer.thread_id}}
    resume = {graph.get_state(config).interrupts[0].id: yes(request)}
    with pytest.raises(UsageError, match="another caller"):
        graph.invoke(Command(resume=resume), config, context=other.context)
    assert desk.ledger.calls() == []


@pytest.mark.parametrize("idempotent", [True, False])
def test_a_call_that_was_broken_off_is_made_again_under_its_key_or_reported_as_uncertain(
    desk: Desk, saver: InMemorySaver, idempotent: bool
) -> None:
    agent = desk.agent(saver, idempotent=idempotent)
    answer, request = waiting(agent)
    # What a process leaves behind that is killed in the middle of the call.
    desk.journal.decide(request, _decision(request))
    desk.journal.begin(request.approval_id)
    ended = agent.resume(answer.thread_id, {request.approval_id: yes(request)})
    if idempotent:
        assert desk.ledger.calls() == [(request.approval_id, request.arguments["query"])]
        assert "已登记" in ended.text
    else:
        assert desk.ledger.calls() == []
        assert "无法确定" in ended.text
        assert desk.journal.get(request.approval_id).state is CallState.UNCERTAIN


def _decision(request: ApprovalRequest) -> Any:
    from veriloop.tools.approval.models import ApprovalDecision

    return ApprovalDecision.model_validate(yes(request))


def test_a_decision_in_the_journal_lets_the_run_go_on_wherever_it_is_kept(desk: Desk, saver: InMemorySaver) -> None:
    agent = desk.agent(saver)
    answer, request = waiting(agent)
    desk.journal.decide(request, _decision(request))
    assert agent.pending(answer.thread_id) == ()
    assert "已登记" in agent.resume(answer.thread_id, {}).text
    assert len(desk.ledger.calls()) == 1


def test_two_that_resume_at_once_make_the_call_once(desk: Desk, saver: InMemorySaver) -> None:
    agent = desk.agent(saver, idempotent=False)
    answer, request = waiting(agent)
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda _: agent.resume(answer.thread_id, {request.approval_id: yes(request)}), range(2)))
    assert len(desk.ledger.calls()) == 1
    assert all("已登记" in one.text for one in found)


def test_a_failure_in_passing_is_tried_again_under_the_same_key_and_consent(desk: Desk, saver: InMemorySaver) -> None:
    failures = [True]

    def fail_once(_: str) -> None:
        if failures:
            failures.pop()
            raise ConnectionError("reset")

    agent = desk.agent(saver, before=fail_once)
    answer, request = waiting(agent)
    ended = agent.resume(answer.thread_id, {request.approval_id: yes(request)})
    assert "已登记" in ended.text
    assert [key for key, _ in desk.ledger.calls()] == [request.approval_id]


def test_a_call_that_cannot_be_repeated_and_lost_its_answer_is_uncertain(desk: Desk, saver: InMemorySaver) -> None:
    def fail(_: str) -> None:
        raise ConnectionError("reset")

    agent = desk.agent(saver, before=fail, idempotent=False)
    answer, request = waiting(agent)
    assert "无法确定" in agent.resume(answer.thread_id, {request.approval_id: yes(request)}).text
    assert [e.event for e in desk.journal.log()][-1] == "uncertain"


def policy(**fields: Any) -> ApprovalPolicy:
    return ApprovalPolicy.model_validate({"decision": "allow", **fields})


@pytest.mark.parametrize(
    ("policies", "permission", "state"),
    [
        ((policy(permission="sensitive"),), Permission.SENSITIVE, "done"),
        ((policy(operation="bookings.*"),), Permission.WRITE, "asked"),
        ((policy(operation="bookings.*", decision="refuse", reason="closed"), policy()), Permission.WRITE, "refused"),
        ((policy(permission="read"),), Permission.WRITE, "refused"),
        ((), Permission.READ, "refused"),
        ((policy(decision="ask"),), Permission.READ, "asked"),
    ],
)
@pytest.mark.parametrize("route", ["linear", "two_step"])
def test_policies_hold_in_every_route(
    desk: Desk, saver: InMemorySaver, policies: Any, permission: Permission, state: str, route: str
) -> None:
    with desk.with_settings(policies=policies) as library:
        tools = [booking_tool(desk.ledger, permission=permission)]
        agent = build_agent(library, only_tools=tools, routes=[route], checkpointer=saver)
        # Arguments that do not stand in the question: a write on them is asked about even where it is allowed.
        answer = agent.ask("请说明HN-3200的额定功率是多少，谢谢。")
    assert (answer.status is AnswerStatus.NEEDS_APPROVAL) is (state == "asked")
    assert len(desk.ledger.calls()) == (1 if state == "done" else 0)
    assert ("没有执行" in answer.text) is (state == "refused")


def test_the_registry_alone_makes_no_call_that_does_more_than_read(desk: Desk) -> None:
    registry = ToolRegistry([booking_tool(desk.ledger)])
    found = registry.run("search_documents", {"query": "anything"})
    assert isinstance(found, ToolFailure) and found.code is ErrorCode.REFUSED
    assert desk.ledger.calls() == []


def test_running_a_trace_again_makes_no_call_and_asks_nobody(desk: Desk, saver: InMemorySaver) -> None:
    agent = desk.agent(saver)
    answer, request = waiting(agent)
    ended = agent.resume(answer.thread_id, {request.approval_id: yes(request)})
    trace = desk.library.trace(ended.trace_id, Caller.owner())
    assert trace is not None
    before = (desk.ledger.calls(), desk.journal.log())
    replay(desk.library, trace)
    assert (desk.ledger.calls(), desk.journal.log()) == before


def test_a_journal_that_cannot_be_written_means_no_call(desk: Desk, saver: InMemorySaver, tmp_path: Path) -> None:
    with filled(tmp_path / "other") as library:
        (library.folder / "approvals.sqlite").mkdir()
        tools: list[Tool] = [booking_tool(desk.ledger)]
        answer = build_agent(library, only_tools=tools, routes=["two_step"], checkpointer=saver).ask(ONE)
    assert answer.status is not AnswerStatus.NEEDS_APPROVAL
    assert any("无法记录" in note for note in answer.notes)
    assert desk.ledger.calls() == []


def test_a_run_that_was_broken_off_after_its_call_goes_on_without_making_it_again(
    desk: Desk, saver: InMemorySaver
) -> None:
    agent = desk.agent(saver)
    answer, request = waiting(agent)
    for event in agent.resume_steps(answer.thread_id, {request.approval_id: yes(request)}):
        if event.node == "act":
            break
    with pytest.raises(UsageError, match="broken off"):
        agent.answer(answer.thread_id)
    assert "已登记" in agent.resume(answer.thread_id, {request.approval_id: yes(request)}).text
    assert len(desk.ledger.calls()) == 1
