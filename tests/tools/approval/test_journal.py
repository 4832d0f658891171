"""A call is begun by one process only, its outcome outlives all of them, and every decision stands in the log."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from veriloop.errors import LibraryBusyError
from veriloop.tools.approval.journal import Journal
from veriloop.tools.approval.models import ApprovalDecision, ApprovalRequest, arguments_digest
from veriloop.tools.approval.records import CallState, Origin, Outcome
from veriloop.tools.registry import Permission, ToolOutput


def request(name: str = "abcdef123456", amount: int = 5, *, minutes: float = 60) -> ApprovalRequest:
    arguments = {"amount": amount}
    return ApprovalRequest(
        approval_id=name,
        trace_id="t" * 8,
        tool="pay",
        permission=Permission.WRITE,
        arguments=arguments,
        digest=arguments_digest("pay", arguments),
        question="Pay 5",
        evidence=("contract.md: …five…",),
        expires_at=datetime.now(UTC) + timedelta(minutes=minutes),
    )


def said(what: str, of: ApprovalRequest) -> ApprovalDecision:
    return ApprovalDecision.model_validate({"decision": what, "digest": of.digest, "decided_by": "ann"})


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path)


def test_nothing_is_written_before_a_call_needs_consent(journal: Journal, tmp_path: Path) -> None:
    assert journal.calls() == () and journal.log() == () and journal.find("abcdef") is None
    assert list(tmp_path.iterdir()) == []


def test_an_approved_call_is_begun_once_however_many_try(journal: Journal) -> None:
    one = request()
    journal.put(one, Origin(), "ask")
    journal.decide(one, said("approve", one))

    def begin(_: int) -> CallState:
        return journal.begin(one.approval_id).before

    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(begin, range(12)))
    assert found.count(CallState.APPROVED) == 1
    assert found.count(CallState.STARTED) == 11


def test_one_holds_a_call_and_others_wait_in_vain(journal: Journal) -> None:
    with (
        journal.held("abcdef123456", 1.0),
        pytest.raises(LibraryBusyError, match="abcdef123456"),
        Journal(journal._path.parent).held("abcdef123456", 0.05),
    ):
        pass


def test_a_decision_about_other_arguments_decides_nothing(journal: Journal) -> None:
    one = request()
    journal.put(one, Origin(), "ask")
    journal.edit(one, request(amount=6), said("edit", one), "key")
    assert journal.decide(one, said("approve", one)).state is CallState.WAITING
    assert journal.decide(request(amount=6), said("approve", request(amount=6))).state is CallState.APPROVED


def test_what_is_decided_stays_decided(journal: Journal) -> None:
    one = request()
    journal.put(one, Origin(), "ask")
    assert journal.decide(one, said("reject", one)).state is CallState.REJECTED
    assert journal.decide(one, said("approve", one)).state is CallState.REJECTED
    assert journal.begin(one.approval_id).before is CallState.REJECTED


def test_what_waits_too_long_expires(journal: Journal) -> None:
    late, early = request("aaaaaa", minutes=-1), request("bbbbbb")
    for one in (late, early):
        journal.put(one, Origin(), "ask")
    journal.expire(datetime.now(UTC))
    assert {c.request.approval_id: c.state for c in journal.calls()} == {
        "aaaaaa": CallState.EXPIRED,
        "bbbbbb": CallState.WAITING,
    }


def test_an_outcome_is_kept_and_quotes_of_documents_are_not(journal: Journal) -> None:
    one = request()
    journal.put(one, Origin(thread_id="x"), "ask")
    journal.decide(one, said("approve", one))
    journal.begin(one.approval_id)
    journal.end(one.approval_id, CallState.DONE, Outcome.of(ToolOutput(short_answer="no. 7")))
    kept = Journal(journal._path.parent).get(one.approval_id)
    assert kept.outcome is not None
    assert isinstance(kept.outcome.result, ToolOutput) and kept.outcome.result.short_answer == "no. 7"
    assert kept.request.evidence == () and kept.request.arguments == {"amount": 5}
    assert [(e.event, e.decided_by) for e in journal.log()] == [
        ("ask", "policy"), ("approve", "ann"), ("start", "ann"), ("done", "ann"),
    ]  # fmt: skip


def test_the_log_has_one_line_however_often_a_node_comes_by(journal: Journal) -> None:
    one = request()
    for _ in range(3):
        journal.put(one, Origin(), "ask")
        journal.note(one, "invalid", "malformed", "somebody", "said/0")
    assert [entry.event for entry in journal.log()] == ["ask", "invalid"]


@pytest.mark.parametrize("text", ["abcde", "", "%%%%%%", "abcdef9", "______"])
def test_a_call_is_found_by_the_beginning_of_its_id_and_by_no_pattern(journal: Journal, text: str) -> None:
    journal.put(request("abcdef123456"), Origin(), "ask")
    assert journal.find(text) is None
    found = journal.find("abcdef1")
    assert found is not None and found.request.approval_id == "abcdef123456"
