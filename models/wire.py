"""Calls over HTTP that end when they must, whatever the server does."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from socket import SHUT_RDWR
from threading import Lock, local
from typing import Any, TypeVar

T = TypeVar("T")

_POLL_SECONDS = 0.05
_MOST_BYTES = 20_000_000
"""A larger reply is a runaway: 800 tokens take some kilobytes, a batch of vectors a few million bytes."""


class RunawayReplyError(OSError):
    """The server sent far more than a reply can be."""


class _Wire:
    """The connections of one call, so that they can be cut from another thread."""

    def __init__(self) -> None:
        self._sockets: list[Any] = []
        self._responses: list[Any] = []
        self._cut = False
        self._lock = Lock()

    @property
    def received(self) -> int:
        """Bytes of the reply so far."""
        return sum(response.num_bytes_downloaded for response in self._responses)

    def add_response(self, response: Any) -> None:
        self._responses.append(response)

    def trace(self, event: str, info: dict[str, Any]) -> None:
        """Keeps the socket of each connection as the HTTP library opens it."""
        if not event.endswith(("connect_tcp.complete", "start_tls.complete")):
            return
        with self._lock:
            self._sockets.append(info["return_value"].get_extra_info("socket"))
            late = self._cut
        if late:
            self.cut()

    def cut(self) -> None:
        """Wakes whoever reads from the connections; closing alone would not."""
        with self._lock:
            self._cut = True
            sockets = list(self._sockets)
        for sock in sockets:
            try:
                sock.shutdown(SHUT_RDWR)
            except OSError:
                continue  # the other side was faster


class BoundedHttp:
    """An HTTP client for the OpenAI library, and calls through it with a total deadline.

    The library's own timeouts start anew with each byte, so that a server that trickles is never late. Here
    the call runs in its own thread, the caller waits until the deadline, and then the connection is cut.
    Connections are not kept: each belongs to one call.
    """

    def __init__(self) -> None:
        self._current = local()
        self._client: Any = None
        self._lock = Lock()

    @property
    def client(self) -> Any:
        """The client to hand to the library; made at first use."""
        with self._lock:
            if self._client is None:
                self._client = self._make_client()
            return self._client

    def _make_client(self) -> Any:
        import openai  # noqa: PLC0415 – heavy, and needed only where a model is configured

        hooks: dict[str, Any] = {"request": [self._watch_request], "response": [self._watch_response]}
        # The library re-exports the client of whichever HTTP package it was built on.
        make: Any = openai.DefaultHttpxClient
        # Nothing compressed: a few kilobytes could unfold to gigabytes.
        headers = {"Connection": "close", "Accept-Encoding": "identity"}
        return make(event_hooks=hooks, follow_redirects=False, headers=headers)

    def _watch_request(self, request: Any) -> None:
        request.extensions = {**request.extensions, "trace": self._current.wire.trace}

    def _watch_response(self, response: Any) -> None:
        encoding = response.headers.get("content-encoding", "identity")
        if encoding.strip().lower() not in ("", "identity"):
            raise RunawayReplyError(f"the reply is compressed ({encoding[:20]}), which was not asked for")
        self._current.wire.add_response(response)

    def run(self, call: Callable[[], T], seconds: float) -> T:
        """Runs a call that uses `client`, and ends it after `seconds`.

        Raises:
            TimeoutError: it was not over by then.
            RunawayReplyError: the reply was too large to be one.
        """
        wire = _Wire()
        deadline = time.monotonic() + seconds
        executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="veriloop-endpoint")
        future = executor.submit(self._on_wire, wire, call)
        executor.shutdown(wait=False)
        while not future.done():
            left = deadline - time.monotonic()
            if left <= 0:
                wire.cut()
                raise TimeoutError(f"no complete reply within {seconds:.3g} seconds")
            if wire.received > _MOST_BYTES:
                wire.cut()
                raise RunawayReplyError(f"the reply grew beyond {_MOST_BYTES:,} bytes")
            wait([future], timeout=min(left, _POLL_SECONDS))
        return future.result()

    def _on_wire(self, wire: _Wire, call: Callable[[], T]) -> T:
        self._current.wire = wire
        return call()
