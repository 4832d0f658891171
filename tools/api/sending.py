"""Sends a request and reads its answer: so many bytes and seconds, no redirects, no proxies, nothing unpacked."""

from __future__ import annotations

import re
import ssl
import time
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import httpcore

from .connection import CheckedBackend
from .requests import ApiRequest

_CHARSET = re.compile(r"charset=[\"']?([\w-]+)", re.IGNORECASE)
_TEXT = re.compile(r"(?:text/[\w.+-]+|application/(?:[\w.-]+\+)?(?:json|xml|yaml|x-ndjson))$")
_CHARSETS = re.compile(
    r"utf-?8|utf-?16(?:[bl]e)?|us-ascii|iso-?8859-\d+|windows-125\d|gbk|gb2312|gb18030|big5|shift_jis|euc-(?:jp|kr)"
)
"""What an answer may be written in. Python knows others that take minutes over a short text (punycode) or hide one."""
_MOST_CONTROLS = 0.01
"""Share of control characters above which something that calls itself text is none."""
_LONGEST_ERROR = 20_000
"""Bytes of an answer that only says why nothing was done."""


class Limits(NamedTuple):
    """How far a call may go."""

    seconds: float
    most_bytes: int
    allow_private: bool


class ApiResponse(NamedTuple):
    """What came back."""

    status: int
    media_type: str
    text: str
    """Empty where there is a problem."""
    problem: str = ""
    """Why the body cannot be shown."""


def send(request: ApiRequest, headers: Mapping[str, str], limits: Limits) -> ApiResponse:
    """The answer to a request.

    Raises:
        ForbiddenAddressError: the host leads to an address that may not be reached.
        httpcore.ConnectError, httpcore.ConnectTimeout: nothing was sent.
        httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError: it is not known what arrived.
        OSError: there is no such host.
    """
    backend = CheckedBackend(allow_private=limits.allow_private, ends_at=time.monotonic() + limits.seconds)
    sent = {"Accept": "application/json, text/*;q=0.5", "Accept-Encoding": "identity", **headers}
    if request.body is not None:
        sent["Content-Type"] = "application/json"
    content = b"" if request.body is None and request.method not in ("GET", "HEAD") else request.body
    raw = [(name.encode("ascii"), value.encode("latin-1")) for name, value in sent.items()]
    with (
        httpcore.ConnectionPool(ssl_context=_trusted(), network_backend=backend, retries=0) as pool,
        pool.stream(request.method, request.url, headers=raw, content=content) as response,
    ):
        return _read(response, limits.most_bytes)


@cache
def _trusted() -> ssl.SSLContext:
    return httpcore.default_ssl_context()


def _read(response: httpcore.Response, most_bytes: int) -> ApiResponse:
    head = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
    kind = head.get("content-type", "")
    media_type = kind.partition(";")[0].strip().lower()

    def unread(problem: str) -> ApiResponse:
        return ApiResponse(response.status, media_type, "", problem)

    if response.status == 204 or 300 <= response.status < 400:
        return unread("")
    if head.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
        return unread("it is compressed, though it was asked for as it is")
    if media_type and not _TEXT.match(media_type):
        return unread(f"it is no text but {media_type[:60]}")
    limit = most_bytes if response.status < 300 else min(most_bytes, _LONGEST_ERROR)
    content = _content(response, limit)
    if len(content) > limit and response.status < 300:
        return unread(f"it has more than {limit:,} bytes: ask for less, or raise `max_bytes`")
    text = _decoded(content[:limit], kind)
    return unread("it is no text") if text is None else ApiResponse(response.status, media_type, text)


def _content(response: httpcore.Response, limit: int) -> bytes:
    found = bytearray()
    for piece in response.iter_stream():
        found += piece
        if len(found) > limit:
            break
    return bytes(found)


def _decoded(content: bytes, kind: str) -> str | None:
    charset = _CHARSET.search(kind)
    named = charset[1].lower() if charset else ""
    try:
        text = content.decode(named if _CHARSETS.fullmatch(named) else "utf-8-sig", errors="replace")
    except LookupError:
        text = content.decode("utf-8", errors="replace")
    strange = sum(1 for one in text if one == "\ufffd" or (ord(one) < 0x20 and one not in "\t\n\r\f"))
    return None if strange > _MOST_CONTROLS * max(len(text), 1) else text
