"""An OpenAI-compatible server on loopback that does what a test tells it, its misbehaviour included."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Any, Literal, NamedTuple, Self

Fault = Literal["hang", "drip", "drop", "endless", "not_json"]
Feature = Literal["json_schema", "json_object", "tools"]


@dataclass(frozen=True)
class Turn:
    """What the server does with one request. A plain string in a script is a `Turn` with that text."""

    text: str = ""
    status: int = 200
    retry_after: int | None = None
    fault: Fault | None = None
    seconds_before: float = 0.0
    finish_reason: str = "stop"
    usage: tuple[int, int] | None = (100, 20)


class RecordedRequest(NamedTuple):
    """One request as it arrived."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def prompt(self) -> str:
        """The text of all messages."""
        return "\n".join(str(message.get("content") or "") for message in self.body.get("messages", []))

    @property
    def schema(self) -> str:
        """The name of the reply that is asked for, empty for free text."""
        wanted = (self.body.get("response_format") or {}).get("json_schema") or {}
        tools = self.body.get("tools") or []
        named = _TITLE.findall(self.prompt)
        return str(wanted.get("name") or (tools[0]["function"]["name"] if tools else named[-1] if named else ""))

    @property
    def feature(self) -> Feature | None:
        """What the request asks for beyond plain text."""
        if self.body.get("tools"):
            return "tools"
        kind = (self.body.get("response_format") or {}).get("type")
        return kind if kind in ("json_schema", "json_object") else None


_TITLE = re.compile(r'"title": "(\w+Reply)"')

Reply = str | Turn
Responder = Callable[[list[dict[str, Any]]], Reply]
Vectoriser = Callable[[str], Sequence[float]]


def hashed_vector(text: str, dimension: int = 8) -> list[float]:
    """A vector that depends on the text only."""
    digest = sha256(text.encode("utf-8")).digest()
    return [byte / 255 + 0.01 for byte in digest[:dimension]]


@dataclass
class ScriptedEndpoint:
    """The server, as a context manager.

    Requests take the next turn of `script`; when it is used up, `player` answers where there is one (it sees the whole
    request), else `responder` (it sees the messages). Features in `refuses` get HTTP 500, as some small servers do.
    """

    responder: Responder = field(default=lambda _messages: "ok")
    script: list[Reply] = field(default_factory=list)
    player: Callable[[RecordedRequest], Reply] | None = None
    refuses: frozenset[Feature] = frozenset()
    vectoriser: Vectoriser = hashed_vector
    requests: list[RecordedRequest] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._lock = Lock()
        self._closing = Event()
        endpoint = self

        class Handler(_Handler):
            owner = endpoint

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self._thread = Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def base_url(self) -> str:
        """Address to configure, with `/v1`."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def closing(self) -> Event:
        """Set when the server stops, so that hanging turns end."""
        return self._closing

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def take_turn(self, request: RecordedRequest) -> Turn:
        """Records a request and decides what to do with it."""
        with self._lock:
            self.requests.append(request)
            if request.feature in self.refuses:
                return Turn(text=f"{request.feature} is not supported", status=500)
            scripted = self.script.pop(0) if self.script else None
        if scripted is None and "messages" in request.body:
            scripted = self.player(request) if self.player else self.responder(request.body["messages"])
        return scripted if isinstance(scripted, Turn) else Turn(text=scripted or "")


class _Handler(BaseHTTPRequestHandler):
    owner: ScriptedEndpoint
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 – the base class names it so
        return

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", 0))
        body = json.loads(self.rfile.read(length) or b"{}")
        request = RecordedRequest(self.path, body, {k.lower(): v for k, v in self.headers.items()})
        turn = self.owner.take_turn(request)
        self.close_connection = True
        with suppress(ConnectionError, TimeoutError):  # clients that give up are what some tests are about
            self._perform(request, turn)

    def _perform(self, request: RecordedRequest, turn: Turn) -> None:
        if turn.seconds_before:
            self.owner.closing.wait(turn.seconds_before)
        if turn.fault == "hang":
            self.owner.closing.wait()
        elif turn.status != 200:
            self._send_error(turn)
        elif request.path.endswith("/embeddings"):
            self._send(_embeddings(request.body, self.owner.vectoriser), turn)
        elif request.body.get("stream"):
            self._stream(request, turn)
        else:
            self._send(_completion(request, turn), turn)

    def _head(self, status: int, kind: str, length: int | None, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Connection", "close")
        if length is not None:
            self.send_header("Content-Length", str(length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def _send_error(self, turn: Turn) -> None:
        content = json.dumps({"error": {"message": turn.text or "scripted failure"}}).encode()
        asked = {} if turn.retry_after is None else {"Retry_After": str(turn.retry_after)}
        self._head(turn.status, "application/json", len(content), **asked)
        self.wfile.write(content)

    def _send(self, payload: dict[str, Any], turn: Turn) -> None:
        content = json.dumps(payload, ensure_ascii=False).encode("utf-8")
        if turn.fault == "not_json":
            content = b"<html>welcome</html>"
            self._head(200, "text/html", len(content))
            self.wfile.write(content)
            return
        self._head(200, "application/json", None if turn.fault == "endless" else len(content))
        for piece in self._pieces(content, turn):
            self.wfile.write(piece)
            self.wfile.flush()

    def _pieces(self, content: bytes, turn: Turn) -> Iterator[bytes]:
        if turn.fault == "drip":
            for at in range(len(content)):
                yield content[at : at + 1]
                if self.owner.closing.wait(1.0):
                    return
        elif turn.fault == "drop":
            yield content[: len(content) // 2]
        elif turn.fault == "endless":
            while not self.owner.closing.is_set():
                yield b" " * 1_000_000
                time.sleep(0.002)
        else:
            yield content

    def _stream(self, request: RecordedRequest, turn: Turn) -> None:
        self._head(200, "text/event-stream", None)
        words = turn.text.split(" ")
        for at, word in enumerate(words):
            if turn.fault == "drop" and at >= len(words) // 2:
                return
            delta = {"content": word if at == 0 else f" {word}"}
            self._event({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
            if turn.fault == "drip" and self.owner.closing.wait(1.0):
                return
        last = {"index": 0, "delta": {}, "finish_reason": turn.finish_reason}
        self._event({"choices": [last], "usage": _usage(turn)})
        self.wfile.write(b"data: [DONE]\n\n")

    def _event(self, fields: dict[str, Any]) -> None:
        event = {"id": "scripted", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}
        self.wfile.write(f"data: {json.dumps({**event, **fields}, ensure_ascii=False)}\n\n".encode())
        self.wfile.flush()


def _usage(turn: Turn) -> dict[str, int] | None:
    if turn.usage is None:
        return None
    tokens_in, tokens_out = turn.usage
    return {
        "prompt_tokens": tokens_in,
        "completion_tokens": tokens_out,
        "total_tokens": tokens_in + tokens_out,
    }


def _completion(request: RecordedRequest, turn: Turn) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": turn.text}
    if request.feature == "tools":
        function = {"name": request.body["tools"][0]["function"]["name"], "arguments": turn.text}
        call = {"id": "call_1", "type": "function", "function": function}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    return {
        "id": "scripted",
        "object": "chat.completion",
        "created": 0,
        "model": request.body.get("model", "scripted"),
        "choices": [{"index": 0, "message": message, "finish_reason": turn.finish_reason}],
        "usage": _usage(turn),
    }


def _embeddings(body: dict[str, Any], vectoriser: Vectoriser) -> dict[str, Any]:
    texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
    rows = [{"object": "embedding", "index": at, "embedding": list(vectoriser(text))} for at, text in enumerate(texts)]
    usage = {"prompt_tokens": len(texts), "total_tokens": len(texts)}
    return {"object": "list", "model": body.get("model", "scripted"), "data": rows, "usage": usage}
