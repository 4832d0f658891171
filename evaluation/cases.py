"""Questions with what a search should find for them, read from JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..errors import UsageError

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


class RetrievalCase(BaseModel):
    """One question and the text that answers it; keys that are not listed here are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)

    id: str
    question: str
    answers: tuple[str, ...] = Field(default=(), description="each of them is right")
    documents: tuple[str, ...] = Field(default=(), description="file names; empty: any document may answer")
    evidence: tuple[str, ...] = Field(default=(), description="quoted texts, each of which is needed")
    type: str = ""
    language: str = ""
    answerable: bool = True


class _Line(NamedTuple):
    number: int
    text: str


def read_cases(path: Path) -> tuple[RetrievalCase, ...]:
    """The cases of a JSON Lines file, in its order; a case without an id is named by its line number.

    Raises:
        UsageError: the file cannot be read, is not UTF-8, holds no case, or one of its lines is no case or repeats
            an id; the message names the file, the line and the reason.
    """
    cases: list[RetrievalCase] = []
    lines_by_id: dict[str, int] = {}
    for line in _lines(path):
        case = _read_case(path, line)
        first = lines_by_id.setdefault(case.id, line.number)
        if first != line.number:
            raise _refusal(path, line.number, f"the id {case.id!r} stands in line {first} already")
        cases.append(case)
    if not cases:
        raise UsageError(f"{path}: holds no questions; expected is one JSON object a line")
    return tuple(cases)


def _lines(path: Path) -> Iterator[_Line]:
    # Not splitlines: JSON strings may hold the other line separators of Unicode as they are.
    for number, text in enumerate(_text_of(path).split("\n"), start=1):
        if text.strip():
            yield _Line(number, text)


def _text_of(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror or error})") from error
    if data.startswith(_UTF16_MARKS) or b"\0" in data:
        raise UsageError(f"{path}: must be UTF-8, and looks like UTF-16: save it as UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _refusal(path, line, f"must be UTF-8{_other_encoding(data)}: save it as UTF-8") from error


def _other_encoding(data: bytes) -> str:
    try:
        data.decode("gb18030")
    except UnicodeDecodeError:
        return ", and holds bytes that are not"
    return ", and looks like GBK"


def _read_case(path: Path, line: _Line) -> RetrievalCase:
    try:
        values: Any = json.loads(line.text)
        json.dumps(values, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise _refusal(path, line.number, "holds half of a character (a lone surrogate)") from error
    except (ValueError, RecursionError) as error:
        raise _refusal(path, line.number, f"is not JSON ({error})") from error
    if not isinstance(values, dict):
        raise _refusal(path, line.number, "is not a JSON object")
    given = {name: value for name, value in values.items() if value is not None}
    try:
        return RetrievalCase.model_validate({"id": str(line.number), **given})
    except ValidationError as error:
        raise _refusal(path, line.number, _first_reason(error)) from error


def _first_reason(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg'][:1].lower()}{first['msg'][1:]}"


def _refusal(path: Path, line: int, reason: str) -> UsageError:
    return UsageError(f"{path}, line {line}: {reason}")
