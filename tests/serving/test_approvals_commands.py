"""`ask` and `approvals`: a call that writes waits for whoever sits there, or for a command later, in any process."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from support.api_server import ApiServer, Reply
from support.documents import filled
from support.shell import Result, run_command

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
QUESTION = "Cancel order SO-20391, reason: customer request"


class Orders(NamedTuple):
    """A library whose settings declare an interface, which this process serves."""

    library: Path
    profile: Path
    api: ApiServer

    @property
    def cancelled(self) -> list[str]:
        """The reasons of the cancellations that arrived."""
        return [call.body["reason"] for call in self.api.calls if call.path == "/v1/orders/SO-20391/cancel"]


@pytest.fixture
def orders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Orders]:
    for name in [name for name in os.environ if name.startswith("VERILOOP_")]:
        monkeypatch.delenv(name)
    filled(tmp_path).close()
    with ApiServer() as server:
        server.reply = Reply({"order_id": "SO-20391", "status": "cancelled"})
        api = {
            "file": str(EXAMPLES / "orders_api.yaml"),
            "base_url": f"{server.base_url}/v1",
            "allow_http": True,
            "allow_private": True,
            "operations": ["get_order", "cancel_order"],
        }
        profile = tmp_path / "profile.yaml"
        profile.write_text(yaml.safe_dump({"tools": {"apis": {"orders": api}}, "embeddings": {"provider": "none"}}))
        yield Orders(tmp_path / "library", profile, server)


class Commands:
    """Runs commands over the library, with nobody at the terminal."""

    def __init__(self, orders: Orders, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self._options = ("--library", str(orders.library), "--profile", str(orders.profile))
        self._capsys, self._patch = capsys, patch

    def __call__(self, *arguments: str) -> Result:
        return run_command(self._capsys, self._patch, *arguments, *self._options)


@pytest.fixture
def run(orders: Orders, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Commands:
    return Commands(orders, capsys, monkeypatch)


def test_a_call_waits_with_its_own_exit_code_and_a_command_lets_it_run_once(orders: Orders, run: Commands) -> None:
    asked = run("ask", QUESTION)
    assert asked.code == 5 and not orders.api.calls
    assert "nothing has been done yet" in asked.out and "veriloop approvals approve" in asked.err
    assert f"--library {orders.library} --profile {orders.profile}" in asked.err
    (call,) = run("approvals", "list", "--json").json
    assert (call["state"], call["operation"]) == ("waiting", "orders.cancel_order")
    assert call["arguments"]["parameters"] == {"order_id": "SO-20391", "reason": "customer request"}
    name, digest = call["approval_id"], call["digest"]
    assert run("approvals", "approve", name).code == 2, "nobody agrees to what they have not seen"
    assert run("approvals", "approve", name, "--digest", "0" * 12).code == 2
    assert not orders.api.calls
    approved = run("approvals", "approve", name, "--digest", digest[:12])
    assert approved.code == 0 and "cancelled" in approved.out
    again = run("approvals", "approve", name, "--digest", digest[:12])
    assert again.code == 7 and "done already" in again.out
    assert orders.cancelled == ["customer request"]
    assert [line["event"] for line in run("approvals", "log", "--json").json] == ["ask", "approve", "start", "done"]
    assert "orders.cancel_order" in run("approvals", "log").out
    assert run("approvals", "list", "--json").json == []


def test_an_edited_call_waits_for_consent_to_its_new_arguments(orders: Orders, run: Commands) -> None:
    request = run("ask", QUESTION, "--json").json["approvals"][0]
    name = request["approval_id"]
    assert run("approvals", "edit", name, "not json").code == 2
    refused = run("approvals", "edit", name, '{"order_id": "all of them"}')
    assert refused.code == 2 and "order_id" in refused.err
    assert run("approvals", "show", name, "--json").json["digest"] == request["digest"]
    assert run("approvals", "edit", name, '{"reason": "duplicate"}').code == 5
    digest = run("approvals", "show", name, "--json").json["digest"]
    assert digest != request["digest"]
    assert run("approvals", "approve", name, "--digest", request["digest"]).code == 2
    assert run("approvals", "approve", name, "--digest", digest).code == 0
    assert orders.cancelled == ["duplicate"]


def test_a_call_whose_outcome_is_unknown_and_one_that_failed_have_codes_of_their_own(
    orders: Orders, run: Commands
) -> None:
    for reply, code in ((Reply(breaks=True), 6), (Reply({"error": "no such order"}, status=404), 4)):
        orders.api.reply = reply
        request = run("ask", QUESTION, "--json").json["approvals"][0]
        assert run("approvals", "approve", request["approval_id"], "--digest", request["digest"]).code == code


def test_a_rejected_call_is_not_made_and_the_answer_says_so(orders: Orders, run: Commands) -> None:
    name = run("ask", QUESTION, "--json").json["approvals"][0]["approval_id"]
    rejected = run("approvals", "reject", name, "--comment", "wrong order")
    assert "was not carried out" in rejected.out and "wrong order" in rejected.out
    assert rejected.code == 0
    assert not orders.api.calls
    assert "rejected" in run("approvals", "show", name).out


def test_consent_is_for_the_owner_to_give(orders: Orders, run: Commands) -> None:
    request = run("ask", QUESTION, "--json").json["approvals"][0]
    said = run("approvals", "approve", request["approval_id"], "--digest", request["digest"], "--as", "alice")
    assert said.code == 2 and "owner" in said.err and not orders.api.calls


def test_a_question_that_needs_no_consent_keeps_no_thread(orders: Orders, run: Commands) -> None:
    assert run("ask", "How much may employees spend per night on a hotel?").code == 0
    assert not (orders.library / "approvals.sqlite").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_whoever_sits_at_the_terminal_is_asked(orders: Orders) -> None:
    mine, theirs = pty.openpty()
    command = [sys.executable, "-c", "from veriloop.serving.cli.main import main; main()", "ask", QUESTION]
    options = ["--library", str(orders.library), "--profile", str(orders.profile)]
    process = subprocess.Popen([*command, *options], stdin=theirs, stderr=theirs, stdout=subprocess.PIPE, text=True)
    os.close(theirs)
    # "abort" begins like a consent, and consent after an edit that failed would be to the old arguments.
    said = [b"abort", b"y", b"e", b'{"nothing": 1}', b"a", b'{"reason": "twice"}', b"a"]
    os.write(mine, b"".join(line + b"\n" for line in said))
    out, _ = process.communicate(timeout=120)
    shown = os.read(mine, 65_536).decode(errors="replace")
    os.close(mine)
    assert process.returncode == 0 and "cancelled" in out
    assert "approve (a), edit (e), reject (r) or decide later (l)?" in shown
    assert "answer with a, e, r or l" in shown and "cannot run" in shown
    assert orders.cancelled == ["twice"]
