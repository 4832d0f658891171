"""Why a call brought nothing, in the language of the question; the trace keeps the tool's own words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..state import TaskResult
from ..tools.contracts import ErrorCode
from .messages import message

_MOSTLY = 0.5


def reason_of(result: TaskResult, language: str) -> str:
    """Why a call brought nothing.

    What a tool says only in English is not put into an answer in Chinese: there the kind of failure is named.
    """
    if language == "en":
        return result.detail
    if result.detail_in_chinese:
        return result.detail_in_chinese
    if _is_chinese(result.detail):
        return result.detail
    code = result.error or ErrorCode.FAILED
    return message(f"failed_{code.value}", language, tool=_called(result.task.tool, language))


def _called(tool: str, language: str) -> str:
    """What a tool of the product is called; another tool's own name."""
    known = _TOOLS.get(tool)
    return tool if known is None else known[language]


_TOOLS = {
    "search_documents": {"zh": "检索", "en": "search"},
    "read_section": {"zh": "逐段阅读", "en": "reading"},
    "query_sql": {"zh": "查询数据", "en": "the query of data"},
    "query_graph": {"zh": "查询关系", "en": "the query of relations"},
    "calculate": {"zh": "计算", "en": "the calculation"},
    "call_api": {"zh": "调用接口", "en": "the call"},
    "lookup_memory": {"zh": "查询记忆", "en": "the look-up in memory"},
}


def _is_chinese(text: str) -> bool:
    """Whether most of the letters of a text are Chinese."""
    letters = [character for character in text if character.isalpha()]
    chinese = sum("\u3400" <= character <= "\u9fff" for character in letters)
    return bool(letters) and chinese > _MOSTLY * len(letters)


def uncomputable_lines(results: Sequence[TaskResult], language: str) -> tuple[str, ...]:
    """One line for each calculation that has no result, saying why."""
    return tuple(_uncomputable(result, language) for result in _last(results) if result.error is ErrorCode.IMPOSSIBLE)


def _uncomputable(result: TaskResult, language: str) -> str:
    reason = reason_of(result, language).removeprefix(f"{result.task.tool}: ").rstrip("。. ")
    return message("cannot_compute", language, part=_asked(result), reason=reason)


def uncomputable_parts(results: Sequence[TaskResult]) -> frozenset[str]:
    """The questions of calculations that have no result, as they are named among what is missing."""
    return frozenset(_asked(result) for result in _last(results) if result.error is ErrorCode.IMPOSSIBLE)


def _last(results: Sequence[TaskResult]) -> Iterable[TaskResult]:
    return {result.task.id: result for result in results}.values()


def _asked(result: TaskResult) -> str:
    return (result.task.said or result.task.question).rstrip("？?。. ")
