"""Fixtures for all tests. No test reaches a model, a tracing service or any other host by accident."""

from __future__ import annotations

import ipaddress
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # so that tests import `support.…`

from support.scripted_endpoint import ScriptedEndpoint


class NetworkUsedError(AssertionError):
    """A test tried to leave this machine."""


def _is_loopback(address: Any) -> bool:
    if not isinstance(address, tuple):
        return True  # a socket file
    host = str(address[0])
    if host in ("localhost", ""):
        return True
    try:
        return ipaddress.ip_address(host.split("%")[0]).is_loopback
    except ValueError:
        return False


@pytest.fixture(scope="session", autouse=True)
def _no_network() -> Iterator[None]:
    real_connect, real_connect_ex = socket.socket.connect, socket.socket.connect_ex

    def check(address: Any) -> None:
        if not _is_loopback(address):
            raise NetworkUsedError(f"tests must not use the network, this one connected to {address!r}")

    def connect(self: socket.socket, address: Any) -> None:
        check(address)
        real_connect(self, address)

    def connect_ex(self: socket.socket, address: Any) -> int:
        check(address)
        return real_connect_ex(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", connect)
        patch.setattr(socket.socket, "connect_ex", connect_ex)
        for name in ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2"):
            patch.setenv(name, "false")
        for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE", "HTTP_PROXY", "HTTPS_PROXY"):
            patch.delenv(name, raising=False)
            patch.delenv(name.lower(), raising=False)
        patch.setenv("NO_PROXY", "127.0.0.1,localhost")
        yield


@pytest.fixture
def scripted_endpoint() -> Iterator[ScriptedEndpoint]:
    """A running OpenAI-compatible server; set `script`, `responder`, `refuses` or `vectoriser` on it."""
    with ScriptedEndpoint() as endpoint:
        yield endpoint
