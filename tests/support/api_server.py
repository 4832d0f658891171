"""An interface on loopback that does what a test tells it, and keeps what it was sent."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from types import TracebackType
from typing import Any, NamedTuple, Self


class ApiCall(NamedTuple):
    """One request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


class Reply(NamedTuple):
    """What the server sends."""

    body: bytes | str | dict[str, Any] | list[Any] = b""
    status: int = 200
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    endless: bool = False
    drop_by_drop: bool = False
    breaks: bool = False


class ApiServer:
    """Set `reply`, or `replies` with a function of the call."""

    def __init__(self) -> None:
        self.calls: list[ApiCall] = []
        self.reply = Reply({"ok": True})
        self.replies: Callable[[ApiCall], Reply] | None = None
        self.closing = Event()
        owner = self

        class Handler(_Handler):
            api = owner

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self._thread = Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.server_address[1])

    @property
    def base_url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    api: ApiServer
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class names it so
        return

    def _answer(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        raw = self.rfile.read(length)
        body = json.loads(raw) if raw else None
        call = ApiCall(self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, body)
        self.api.calls.append(call)
        reply = self.api.replies(call) if self.api.replies else self.api.reply
        self.close_connection = True
        with suppress(ConnectionError, TimeoutError):  # clients that give up are what some tests are about
            self._send(reply)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = _answer  # noqa: N815 - named by the base class

    def _send(self, reply: Reply) -> None:
        if reply.breaks:
            return
        body = reply.body if isinstance(reply.body, bytes) else _encoded(reply.body)
        self.send_response(reply.status)
        for name, value in (("Content-Type", reply.content_type), *reply.headers):
            if value:
                self.send_header(name, value)
        if not reply.endless:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self._send_body(reply, body)

    def _send_body(self, reply: Reply, body: bytes) -> None:
        if reply.endless:
            while not self.api.closing.is_set():
                self.wfile.write(b"x" * 65_536)
        elif not reply.drop_by_drop:
            self.wfile.write(body)
        else:
            for at in range(len(body)):
                self.wfile.write(body[at : at + 1])
                if self.api.closing.wait(0.05):
                    return


def _encoded(body: str | dict[str, Any] | list[Any]) -> bytes:
    return (body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)).encode("utf-8")
