"""LangGraph's own server loads the graph with no key and answers a run over HTTP (extra: studio)."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.documents import filled

ROOT = Path(__file__).parent.parent.parent
pytestmark = [
    pytest.mark.slow,
    pytest.mark.extras,
    pytest.mark.skipif(
        importlib.util.find_spec("langgraph_api") is None,
        reason="needs the extra `studio`: pip install -e '.[studio]'",
    ),
]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _call(url: str, body: dict[str, Any] | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as response:
        return json.load(response)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    filled(tmp_path).close()
    port = _free_port()
    shutil.copy(ROOT / "langgraph.json", tmp_path / "langgraph.json")
    config = json.loads((tmp_path / "langgraph.json").read_text(encoding="utf-8"))
    config["dependencies"] = [str(ROOT)]
    (tmp_path / "langgraph.json").write_text(json.dumps(config), encoding="utf-8")
    environment = {
        **os.environ,
        "VERILOOP_LIBRARY": str(tmp_path / "library"),
        "VERILOOP_EMBEDDINGS__PROVIDER": "none",
        "LANGSMITH_TRACING": "false",
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    }
    command = [sys.executable, "-m", "langgraph_cli", "dev", "--no-browser", "--no-reload"]
    command += ["--host", "127.0.0.1", "--port", str(port)]
    log = tmp_path / "server.log"
    with log.open("wb") as stream:
        process = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=stream, stderr=stream)
        try:
            _wait(f"http://127.0.0.1:{port}/ok", process, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        assert process.poll() is None, log.read_text(encoding="utf-8")[-3000:]
        try:
            _call(url)
            return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.5)
    raise AssertionError(log.read_text(encoding="utf-8")[-3000:])


def test_the_development_server_answers_a_run_over_http(server: str) -> None:
    body = {"assistant_id": "agent", "input": {"question": "质量保证期是多久？"}}
    reply = _call(f"{server}/runs/wait", body)
    assert "answer" in reply, reply
    answer = reply["answer"]
    assert answer["status"] == "answered"
    assert "24个月" in answer["text"]
    assert answer["citations"][0]["document"] == "contract.md"


def test_a_client_of_the_server_cannot_claim_to_be_the_owner(server: str, tmp_path: Path) -> None:
    body = {
        "assistant_id": "agent",
        "input": {"question": "质量保证期是多久？"},
        "context": {"caller": {"is_owner": True}, "library": "/etc"},
    }
    assert _call(f"{server}/runs/wait", body)["answer"]["status"] == "answered"
