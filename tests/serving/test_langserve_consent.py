"""Over HTTP a run waits for consent and goes on with a second call, also after a restart, and for nobody else."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from langchain_core.runnables import Runnable
from support.api_server import ApiServer, Reply
from support.documents import filled, lexical_settings
from veriloop import Caller, Library, build_agent
from veriloop.configs.api_settings import ApiSettings
from veriloop.errors import UsageError
from veriloop.graphs.checkpoints import kept_threads
from veriloop.serving.langserve import create_app, langserve_runnable
from veriloop.tools.approval.journal import Journal
from veriloop.tools.approval.models import ApprovalDecision, ApprovalRequest

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
QUESTION = "Cancel order SO-20391, reason: customer request"
needs_serve = pytest.mark.skipif(
    any(find_spec(module) is None for module in ("langserve", "fastapi", "uvicorn", "sse_starlette")),
    reason="needs the extra `serve`: pip install -e '.[serve]'",
)


class Desk(NamedTuple):
    """A library whose settings declare an interface, and the server behind that."""

    library: Library
    api: ApiServer


def opened(folder: Path, api: ApiServer, file: Path) -> Library:
    """A library whose settings declare the interface of a file, served here."""
    orders = ApiSettings(
        file=file, base_url=f"{api.base_url}/v1", allow_http=True, allow_private=True, operations=("cancel_order",)
    )
    settings = lexical_settings()
    tools = settings.tools.model_copy(update={"apis": {"o": orders}})
    return filled(folder, settings=settings.model_copy(update={"tools": tools}))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with ApiServer() as api:
        api.reply = Reply({"order_id": "SO-20391", "status": "cancelled"})
        with opened(tmp_path, api, EXAMPLES / "orders_api.yaml") as library:
            yield Desk(library, api)


@contextmanager
def adapter(library: Library, caller: Caller | None = None) -> Iterator[Runnable[Any, dict[str, Any]]]:
    with kept_threads(library) as saver:
        yield langserve_runnable(build_agent(library, caller=caller, checkpointer=saver))


def consent(paused: dict[str, Any], **changes: Any) -> dict[str, Any]:
    request = paused["approvals"][0]
    said = {"approval_id": request["approval_id"], "decision": "approve", "digest": request["digest"], **changes}
    return {"thread_id": paused["thread_id"], "resume": [said]}


def test_a_run_goes_on_with_a_second_call_by_another_process_and_once(desk: Desk) -> None:
    with adapter(desk.library) as runnable:
        paused = runnable.invoke({"question": QUESTION})
    assert paused["status"] == "needs_approval" and paused["thread_id"] and not desk.api.calls
    with adapter(desk.library) as runnable:
        ended = runnable.invoke(consent(paused))
        again = runnable.invoke(consent(paused))
    assert "cancelled" in ended["text"] and (ended["approvals"], ended["thread_id"]) == ([], "")
    assert again == ended
    assert len(desk.api.calls) == 1


def test_a_stale_decision_is_refused_and_an_edit_asked_about_again(desk: Desk) -> None:
    with adapter(desk.library) as runnable:
        paused = runnable.invoke({"question": QUESTION})
        with pytest.raises(UsageError, match="other arguments"):
            runnable.invoke(consent(paused, digest="0" * 64))
        arguments = {**paused["approvals"][0]["arguments"]}
        arguments["parameters"] = {"order_id": "SO-20391", "reason": "duplicate"}
        edited = runnable.invoke(consent(paused, decision="edit", arguments=arguments))
        assert edited["approvals"][0]["arguments"] == arguments and not desk.api.calls
        assert "cancelled" in runnable.invoke(consent(edited))["text"]


@pytest.mark.parametrize("name", ["\ud800", "\x00", "../x", "", "x" * 100_000])
def test_a_thread_that_no_thread_is_named_like_is_none(desk: Desk, name: str) -> None:
    with adapter(desk.library) as runnable, pytest.raises(UsageError, match="no such thread"):
        runnable.invoke({"thread_id": name, "resume": []})


def test_two_decisions_about_one_call_decide_nothing(desk: Desk) -> None:
    with adapter(desk.library) as runnable:
        said = consent(runnable.invoke({"question": QUESTION}))
        said["resume"].insert(0, {"approval_id": said["resume"][0]["approval_id"], "decision": "reject"})
        with pytest.raises(UsageError, match="about one call"):
            runnable.invoke(said)
    assert not desk.api.calls


def test_the_same_consent_twice_in_one_batch_makes_the_call_once(desk: Desk) -> None:
    with adapter(desk.library) as runnable:
        said = consent(runnable.invoke({"question": QUESTION}))
        answers = runnable.batch([said] * 4)
    assert len(desk.api.calls) == 1 and all("cancelled" in one["text"] for one in answers)


@pytest.mark.parametrize("declares_key", [True, False])
def test_a_write_that_a_crash_cut_off_is_repeated_only_where_its_interface_tells_repetitions(
    tmp_path: Path, declares_key: bool
) -> None:
    text = (EXAMPLES / "orders_api.yaml").read_text(encoding="utf-8")
    file = tmp_path / "orders.yaml"
    file.write_text(
        text.replace("method: POST", "method: POST\n    idempotent: true") if declares_key else text, encoding="utf-8"
    )
    with ApiServer() as api:
        api.reply = Reply({"order_id": "SO-20391", "status": "cancelled"})
        with opened(tmp_path, api, file) as library, adapter(library) as runnable:
            paused = runnable.invoke({"question": QUESTION})
            request = ApprovalRequest.model_validate(paused["approvals"][0])
            assert request.idempotent is declares_key and request.target.startswith(f"POST {api.base_url}/v1/orders/")
            journal = Journal(library.folder)
            # What a process leaves behind that is killed in the middle of the call.
            journal.decide(request, ApprovalDecision(decision="approve", digest=request.digest))
            journal.begin(request.approval_id)
            ended = runnable.invoke(consent(paused))
        keys = [call.headers["idempotency-key"] for call in api.calls]
    assert keys == ([request.approval_id] if declares_key else [])
    assert ("cancelled" if declares_key else "is not known") in ended["text"]


def test_a_thread_of_another_caller_is_no_thread(desk: Desk) -> None:
    with adapter(desk.library) as runnable:
        paused = runnable.invoke({"question": QUESTION})
    with adapter(desk.library, Caller(readers=frozenset({"hr"}))) as other, pytest.raises(UsageError) as refused:
        other.invoke(consent(paused))
    assert f"there is no thread '{paused['thread_id']}'" in str(refused.value)
    assert not desk.api.calls


@pytest.mark.extras
@needs_serve
def test_the_server_shows_both_inputs_and_refuses_what_is_neither(desk: Desk) -> None:
    import httpx
    import uvicorn

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/veriloop"
        server = uvicorn.Server(uvicorn.Config(create_app(desk.library), log_level="error", lifespan="on"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            while not server.started and thread.is_alive():
                time.sleep(0.01)
            with httpx.Client(trust_env=False, timeout=60) as client:

                def post(body: dict[str, Any]) -> httpx.Response:
                    return client.post(f"{url}/invoke", json={"input": body})

                schema = client.get(f"{url}/input_schema").json()
                assert {"QuestionInput", "ResumeInput"} <= schema["$defs"].keys()
                paused = post({"question": QUESTION}).json()["output"]
                for wrong, why in (
                    ({"thread_id": paused["thread_id"]}, "resume: "),
                    ({"question": QUESTION, "thread_id": paused["thread_id"]}, "thread_id: "),
                    ({"thread_id": "another", "resume": []}, "there is no thread"),
                    (consent(paused, decision="expire"), "resume.0.decision: "),
                    (consent(paused, decided_by="the boss"), "resume.0.decided_by: "),
                    (consent(paused, digest="0" * 64), "other arguments"),
                    (consent(paused, digest=""), "no digest"),
                    (consent(paused, decision="edit", arguments={"nothing": 1}), "cannot run"),
                ):
                    refused = post(wrong)
                    assert refused.status_code == 422 and why in refused.json()["detail"]
                    assert len(refused.text) < 500
                assert "cancelled" in post(consent(paused)).json()["output"]["text"]
        finally:
            server.should_exit = True
            thread.join(30)
    assert len(desk.api.calls) == 1
