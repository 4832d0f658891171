"""What was agreed to is what runs: what has changed since the question is asked about again, or refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from support.bookings import Ledger, booking_tool
from support.documents import filled, lexical_settings
from veriloop import Answer, Library, build_agent
from veriloop.configs.approval_settings import ApprovalPolicy, ApprovalSettings
from veriloop.graphs.checkpoints import serializer
from veriloop.graphs.session import Agent
from veriloop.state import AnswerStatus
from veriloop.tools.approval.journal import Journal
from veriloop.tools.approval.judging import judged
from veriloop.tools.approval.models import ApprovalDecision, ApprovalRequest
from veriloop.tools.approval.records import CallState
from veriloop.tools.registry import Permission, Tool

QUESTION = "HN-3200的额定功率是多少？"
CHANGES: dict[str, dict[str, Any]] = {
    "version": {"schema_version": 2},
    "description": {"description": "Books, and tells everybody."},
    "target": {"target_of": lambda _: "POST https://elsewhere.example.com"},
    "operation": {"operation_of": lambda _: "bookings.remove"},
    "permission": {"permission": Permission.SENSITIVE},
    "repetition": {"idempotent": False},
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with filled(tmp_path_factory.mktemp("changes")) as opened:
        yield opened


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "ledger.sqlite")


@pytest.fixture
def saver() -> InMemorySaver:
    return InMemorySaver(serde=serializer())


def agent_of(library: Library, tool: Tool, saver: InMemorySaver) -> Agent:
    return build_agent(library, only_tools=[tool], routes=["two_step"], checkpointer=saver)


def under(library: Library, **approval: Any) -> Library:
    """The same library, opened with other rules about consent."""
    settings = lexical_settings()
    tools = settings.tools.model_copy(update={"approval": ApprovalSettings(**approval)})
    return Library.open(library.folder, settings.model_copy(update={"tools": tools}))


def yes(request: ApprovalRequest) -> dict[str, Any]:
    return {"decision": "approve", "digest": request.digest, "decided_by": "ann"}


def agreed(library: Library, request: ApprovalRequest) -> None:
    """What a process leaves behind that is killed between the consent and the call."""
    Journal(library.folder).decide(request, ApprovalDecision.model_validate(yes(request)))


def waiting(agent: Agent) -> tuple[Answer, ApprovalRequest]:
    answer = agent.ask(QUESTION)
    assert answer.status is AnswerStatus.NEEDS_APPROVAL
    return answer, answer.approvals[0]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("before", ["asked", "agreed"])
def test_a_tool_that_was_changed_is_asked_about_again(
    library: Library, ledger: Ledger, saver: InMemorySaver, change: str, before: str
) -> None:
    tool = booking_tool(ledger)
    answer, request = waiting(agent_of(library, tool, saver))
    if before == "agreed":
        agreed(library, request)
    changed = agent_of(library, replace(tool, **CHANGES[change]), saver)
    said = changed.resume(answer.thread_id, {request.approval_id: yes(request)})
    (again,) = said.approvals
    assert ledger.calls() == [] and again.approval_id == request.approval_id and again.digest != request.digest
    changed.resume(answer.thread_id, {again.approval_id: yes(again)})
    assert ledger.calls() == [(request.approval_id, request.arguments["query"])]


@pytest.mark.parametrize("before", ["asked", "agreed"])
def test_what_the_policies_refuse_by_now_does_not_run_whoever_agreed(
    library: Library, ledger: Ledger, saver: InMemorySaver, before: str
) -> None:
    tool = booking_tool(ledger)
    answer, request = waiting(agent_of(library, tool, saver))
    if before == "agreed":
        agreed(library, request)
    with under(library, policies=[ApprovalPolicy(decision="refuse", reason="the books are closed")]) as strict:
        ended = agent_of(strict, tool, saver).resume(answer.thread_id, {request.approval_id: yes(request)})
    assert "the books are closed" in ended.text and ledger.calls() == []
    assert Journal(library.folder).get(request.approval_id).state is CallState.REJECTED
    assert Journal(library.folder).log()[-1].event == "refuse"


def test_an_edit_that_the_policies_refuse_by_now_does_not_run(
    library: Library, ledger: Ledger, saver: InMemorySaver
) -> None:
    tool = replace(booking_tool(ledger), operation_of=lambda arguments: arguments.query)
    agent = agent_of(library, tool, saver)
    answer, request = waiting(agent)
    change = {"decision": "edit", "digest": request.digest, "arguments": {**request.arguments, "query": "pay"}}
    (edited,) = agent.resume(answer.thread_id, {request.approval_id: change}).approvals
    agreed(library, edited)
    policies = [ApprovalPolicy(operation="pay", decision="refuse", reason="no pay"), ApprovalPolicy(decision="ask")]
    with under(library, policies=policies) as strict:
        ended = agent_of(strict, tool, saver).resume(answer.thread_id, {})
    assert "no pay" in ended.text and ledger.calls() == []


def test_a_call_that_was_begun_is_not_repeated_by_a_tool_that_was_changed(
    library: Library, ledger: Ledger, saver: InMemorySaver
) -> None:
    tool = booking_tool(ledger)
    answer, request = waiting(agent_of(library, tool, saver))
    agreed(library, request)
    Journal(library.folder).begin(request.approval_id)
    changed = agent_of(library, replace(tool, **CHANGES["target"]), saver)
    ended = changed.resume(answer.thread_id, {request.approval_id: yes(request)})
    assert "无法确定" in ended.text and ledger.calls() == []
    assert Journal(library.folder).get(request.approval_id).state is CallState.UNCERTAIN


def test_consent_that_was_never_used_does_not_last_for_ever(
    library: Library, ledger: Ledger, saver: InMemorySaver
) -> None:
    tool = booking_tool(ledger)
    with under(library, expire_minutes=0.03) as hasty:
        answer, request = waiting(agent_of(hasty, tool, saver))
        agreed(library, request.model_copy(update={"expires_at": datetime.now(UTC)}))
    with under(library, expire_minutes=1e-6) as later:
        agent_of(later, tool, saver).resume(answer.thread_id, {})
    assert ledger.calls() == [] and Journal(library.folder).get(request.approval_id).decided_by != "ann"


def test_a_clock_that_was_set_back_gives_no_more_time() -> None:
    asked_at = datetime(2026, 5, 1, tzinfo=UTC)
    request = ApprovalRequest(
        approval_id="a", trace_id="t", tool="pay", permission=Permission.WRITE, arguments={}, digest="d", question="q",
        expires_at=asked_at + timedelta(days=1), asked_at=asked_at,
    )  # fmt: skip
    for moment, expected in ((-1, "expire"), (0, "approve"), (0.5, "approve"), (1, "expire")):
        found = judged(request, {"decision": "approve", "digest": "d"}, asked_at + timedelta(days=moment))
        assert isinstance(found, ApprovalDecision) and found.decision == expected
