"""What the answer says of calls that needed consent: which wait, were made, were not made, or are uncertain."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from ..state import Language, TaskResult
from ..tools.approval.models import ApprovalRequest
from ..tools.choosing.rules import CALL_API, PRODUCT_TOOLS
from ..tools.contracts import ErrorCode
from .failures import reason_of
from .messages import message

_LONGEST_RESULT = 400
_FAILED = (ErrorCode.FAILED, ErrorCode.TRANSIENT, ErrorCode.INVALID_ARGUMENTS, ErrorCode.UNKNOWN_TOOL)
_OWN_SOURCES = PRODUCT_TOOLS - {CALL_API}
"""What they do not find is missing in the library."""


def call_lines(results: Sequence[TaskResult], language: Language, *, with_done: bool) -> tuple[str, ...]:
    """One line a call, in the order of the tasks.

    Args:
        results: of the run.
        language: of the question.
        with_done: whether calls that were made are named, too; their results may be quoted already.
    """
    last = {result.task.id: result for result in results}
    return tuple(line for _, result in sorted(last.items()) for line in _lines(result, language, with_done=with_done))


def failed_lines(results: Sequence[TaskResult], language: Language) -> tuple[str, ...]:
    """One line for each call of another system or of a tool of the host that only reads and failed.

    What the documents lack is no answer to a question that was put to somebody else.
    """
    failed = {
        result.task.id: message("call_failed", language, call=result.task.tool, reason=reason_of(result, language))
        for result in results
        if result.error in _FAILED and not result.approval_id and result.task.tool not in _OWN_SOURCES
    }
    return tuple(line for _, line in sorted(failed.items()))


def waiting_line(request: ApprovalRequest, language: Language) -> str:
    """A call that waits for a person, with its arguments."""
    arguments = shorten(json.dumps(request.arguments, ensure_ascii=False))
    call = f"{request.tool} {request.operation}".strip()
    return message("call_waiting", language, call=call, arguments=arguments, id=request.approval_id)


def shorten(text: str) -> str:
    """A text that an answer can bear; where it was cut it says so."""
    return text if len(text) <= _LONGEST_RESULT else f"{text[:_LONGEST_RESULT]}…"


def waiting_requests(results: Sequence[TaskResult]) -> tuple[ApprovalRequest, ...]:
    """The calls that wait for a person."""
    return tuple(result.waiting for result in results if result.waiting is not None)


def was_done(results: Sequence[TaskResult]) -> bool:
    """Whether a call that needed consent was made, and answered."""
    return any(result.approval_id and result.error is None for result in results)


def _lines(result: TaskResult, language: Language, *, with_done: bool) -> Iterator[str]:
    call = result.task.tool
    if result.waiting is not None:
        yield waiting_line(result.waiting, language)
    elif result.error is ErrorCode.UNCERTAIN:
        yield message("call_uncertain", language, call=call, reason=reason_of(result, language))
    elif result.error is ErrorCode.REFUSED:
        yield message("call_refused", language, call=call, reason=reason_of(result, language))
    elif result.approval_id and result.error is not None:
        yield message("call_failed", language, call=call, reason=reason_of(result, language))
    elif result.approval_id and with_done:
        said = result.short_answer or next((hit.block.text for hit in result.hits), "")
        yield message("call_done", language, call=call, result=shorten(said))
