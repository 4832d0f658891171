"""What the journal of calls holds of a document goes with it; who agreed to what kind of call stays."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from veriloop.knowledge.kept_runs import end_runs_of
from veriloop.tools.approval.journal import JOURNAL_FILE, Journal
from veriloop.tools.approval.models import ApprovalDecision, ApprovalRequest
from veriloop.tools.approval.records import CallState, Origin, Outcome
from veriloop.tools.contracts import Permission, ToolOutput

QUOTED = "the-canary-account"


def put(journal: Journal, name: str, **fields: Any) -> ApprovalRequest:
    request = ApprovalRequest(
        approval_id=f"{name:_<8}".replace("_", "0"), trace_id="t", tool="pay", permission=Permission.WRITE,
        arguments={"to": {"account": QUOTED}, "sums": [5, 6]}, digest=name, question="Pay 5",
        derived=("to.account",), expires_at=datetime.now(UTC) + timedelta(days=1), **fields,
    )  # fmt: skip
    journal.put(request, Origin(), "ask")
    return request


def test_arguments_that_came_from_a_removed_document_are_overwritten_in_calls_and_log(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    waiting = put(journal, "waits", rests_on=("doc-1",), evidence=(f"a.md: …{QUOTED}…",))
    done = put(journal, "done", rests_on=("doc-0", "doc-1"))
    journal.decide(done, ApprovalDecision(decision="approve", digest="done", decided_by="ann"))
    journal.begin(done.approval_id)
    journal.end(done.approval_id, CallState.DONE, Outcome(output=ToolOutput(short_answer=f"doc-1 {QUOTED}")))
    end_runs_of(tmp_path, {"doc-1"})
    for file in tmp_path.glob(f"{JOURNAL_FILE}*"):
        assert QUOTED.encode() not in file.read_bytes()
    call = journal.get(waiting.approval_id)
    assert call.state is CallState.REJECTED and call.request.arguments["sums"] == [5, 6]
    made = journal.get(done.approval_id)
    assert made.state is CallState.DONE and made.decided_by == "ann" and made.outcome is not None
    assert [entry.event for entry in journal.log() if entry.approval_id == done.approval_id] == [
        "ask", "approve", "start", "done",
    ]  # fmt: skip


def test_calls_that_rest_on_other_documents_stay_as_they_are(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    request = put(journal, "waits", rests_on=("doc-1",))
    assert end_runs_of(tmp_path, {"doc-2"}) == 0
    assert journal.get(request.approval_id).state is CallState.WAITING
    assert journal.get(request.approval_id).request == request


def test_where_no_run_was_ever_kept_nothing_is_made(tmp_path: Path) -> None:
    assert end_runs_of(tmp_path, {"doc-1"}) == 0
    assert list(tmp_path.iterdir()) == []
