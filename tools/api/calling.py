"""Makes one call: headers, sending, and what its answer means."""

from __future__ import annotations

import ssl
from collections.abc import Iterator, Mapping
from typing import Any

import httpcore

from ...configs.api_settings import ApiSettings
from ...knowledge.documents import BlockKind
from ...knowledge.search import Hit
from ...knowledge.text.normalise import has_chinese
from ..contracts import CALL_KEY, ErrorCode, ToolError, ToolOutput
from ..results import result_hit
from .addresses import ForbiddenAddressError
from .checking import EARLIER_ANSWER
from .models import Operation
from .requests import request_of
from .secrets import SecretMask, resolved_headers
from .sending import ApiResponse, Limits, send
from .showing import Shown, short_answer_of, shown_json, shown_text

_MAYBE_DONE = frozenset({408, 425})
_TRANSIENT_STATUS = frozenset({408, 425, 429, 502, 503, 504})
_BROKEN = (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError, httpcore.UnsupportedProtocol)
_LONGEST_REASON = 200
_LONGEST_SECTION = 200
_NOTES = {
    "left_out": {
        "zh": "接口返回的内容太多，有 {0} 行没有显示。",
        "en": "The answer was long: {0} lines are not shown.",
    },
    "unshown": {
        "zh": "操作已完成（状态 {0}），但返回的内容不能显示：{1}。",
        "en": "It was done (status {0}), but what came back cannot be shown: {1}.",
    },
    "empty": {"zh": "接口没有返回内容。", "en": "The interface gave nothing back."},
    "done": {"zh": "操作已完成（状态 {0}）。", "en": "Done (status {0})."},
}


def call(operation: Operation, base_url: str, settings: ApiSettings, parameters: Mapping[str, Any]) -> ToolOutput:
    """Call an operation whose parameters were checked.

    Raises:
        ToolError: it brought nothing; the message holds no secret.
    """
    if EARLIER_ANSWER.search(str(parameters)):
        raise ToolError(ErrorCode.INVALID_ARGUMENTS, "an earlier answer that the call builds on is missing")
    writes = operation.changes
    request = request_of(operation, base_url, parameters)
    headers = resolved_headers(settings.headers)
    mask = SecretMask(headers.values())
    if writes and settings.idempotency_header and CALL_KEY.get():
        headers[settings.idempotency_header] = CALL_KEY.get()
    # The other side tells a repetition by the key: whether it was carried out is found out by asking again.
    loses = writes and not (operation.idempotency_header and CALL_KEY.get())
    limits = Limits(settings.timeout_seconds, settings.max_bytes, settings.allow_private)
    try:
        response = send(request, headers, limits)
    except (OSError, UnicodeError, *_BROKEN) as error:
        raise _broken(operation, error, loses) from None
    response = response._replace(text=mask.masked(response.text))
    _raise_for_status(operation, response, writes, loses)
    return _output(operation, response, parameters, writes)


def _broken(operation: Operation, error: Exception, loses: bool) -> ToolError:
    """What a call without an answer means; the errors' own words stay out: they may hold what was sent."""
    kind = type(error).__name__
    if isinstance(error, ForbiddenAddressError):
        return ToolError(ErrorCode.REFUSED, f"{error}: set `allow_private` if it is meant")
    if isinstance(error, UnicodeError | httpcore.LocalProtocolError | httpcore.UnsupportedProtocol):
        return ToolError(ErrorCode.FAILED, f"{operation.name}: the request cannot be sent ({kind})")
    if isinstance(error.__context__, ssl.SSLCertVerificationError):
        return ToolError(ErrorCode.FAILED, f"{operation.name}: the certificate of the other side cannot be trusted")
    if isinstance(error, OSError | httpcore.ConnectError | httpcore.ConnectTimeout):
        said = f"{operation.name}: no connection ({kind})"
        return ToolError(ErrorCode.TRANSIENT, said, f"{operation.name}：连接不上对方系统")
    code = ErrorCode.UNCERTAIN if loses else ErrorCode.TRANSIENT
    return ToolError(code, f"{operation.name}: the connection broke or was too slow ({kind})")


def _raise_for_status(operation: Operation, response: ApiResponse, writes: bool, loses: bool) -> None:
    status = response.status
    if 200 <= status < 300:
        return
    said, chinese = f"{operation.name}: status {status}", f"{operation.name}：对方返回状态 {status}"
    if 300 <= status < 400:
        detail = f"{said}: it sends calls elsewhere, which is not followed"
        raise ToolError(ErrorCode.FAILED, detail, f"{chinese}：对方要求转到别处，没有跟随")
    if writes and (status >= 500 or status in _MAYBE_DONE):
        raise ToolError(ErrorCode.UNCERTAIN if loses else ErrorCode.TRANSIENT, said, chinese)
    if status in _TRANSIENT_STATUS:
        raise ToolError(ErrorCode.TRANSIENT, said, chinese)
    reason = _reason(response.text)
    raise ToolError(ErrorCode.FAILED, f"{said}{reason}", f"{chinese}{reason}")


def _reason(text: str) -> str:
    """What the other side says about a refused call: a line, in quotes, since it is its text and not ours."""
    line = " ".join("".join(one if one.isprintable() else " " for one in text[:2_000]).split())
    return f' "{line[:_LONGEST_REASON]}"' if line else ""


def _output(operation: Operation, response: ApiResponse, parameters: Mapping[str, Any], writes: bool) -> ToolOutput:
    language = "zh" if has_chinese(f"{parameters}{operation.summary}") else "en"
    if response.problem and not writes:
        raise ToolError(ErrorCode.FAILED, f"{operation.name}: what came back cannot be shown: {response.problem}")
    if not writes and not response.text.strip():
        return ToolOutput(notes=(_NOTES["empty"][language],))
    if response.problem or not response.text.strip():
        kind = "unshown" if response.problem else "done"
        note = _NOTES[kind][language].format(response.status, response.problem)
        hits = (_hit(operation, Shown(note, False), parameters),)
        return ToolOutput(hits=hits, notes=(note,) if response.problem else ())
    shown = shown_json(response.text) or (shown_text(response.text),)
    left_out = sum(part.left_out for part in shown)
    return ToolOutput(
        hits=tuple(_hit(operation, part, parameters) for part in shown if part.text),
        notes=(_NOTES["left_out"][language].format(left_out),) if left_out else (),
        short_answer=short_answer_of(response.text),
    )


def _hit(operation: Operation, part: Shown, parameters: Mapping[str, Any]) -> Hit:
    return result_hit(
        "call_api",
        operation.name,
        part.text,
        title=operation.summary or operation.name,
        kind=BlockKind.TABLE if part.is_table else BlockKind.TEXT,
        section=tuple(_section(part, parameters)),
    )


def _section(part: Shown, parameters: Mapping[str, Any]) -> Iterator[str]:
    """With what it was called, and where in the answer it stands."""
    given = ", ".join(f"{name}={value}" for name, value in parameters.items())
    if given:
        yield given[:_LONGEST_SECTION]
    if part.where:
        yield part.where
