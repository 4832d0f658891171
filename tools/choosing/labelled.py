"""Questions that say which tool each is for, and how often the choice is right."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...errors import UsageError
from ..contracts import Category, Permission, Tool, ToolOutput
from .models import ToolChoice


class LabelledQuestion(BaseModel):
    """A question and the tools that are right for it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str = Field(min_length=1)
    tool: str
    also: tuple[str, ...] = Field(default=(), description="other tools that are right as well")
    held_out: bool = Field(default=False, description="not looked at while rules or descriptions are changed")


class DeclaredTool(BaseModel):
    """A tool as far as its choice goes: it is not run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    description: str
    not_for: str = ""
    category: Category = Category.OTHER
    permission: Permission = Permission.READ
    live: bool = False
    examples: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()

    def as_tool(self) -> Tool:
        """The tool, which gives nothing when it is called."""
        return Tool(arguments=_Question, run=lambda _: ToolOutput(), **dict(self))


class _Question(BaseModel):
    question: str


class LabelledSet(NamedTuple):
    """What a file holds."""

    questions: tuple[LabelledQuestion, ...]
    tools: tuple[Tool, ...]
    """That the file declares itself, to be chosen from; empty: those of the library are."""


class Outcome(NamedTuple):
    """One question and what was chosen for it."""

    case: LabelledQuestion
    choice: ToolChoice

    @property
    def is_right(self) -> bool:
        """Whether a tool was chosen that the label allows."""
        return self.choice.tool in (self.case.tool, *self.case.also)


class Accuracy(NamedTuple):
    """How often a choice was right."""

    right: int
    asked: int

    @property
    def share(self) -> float:
        """From 0 to 1; 0 of nothing."""
        return self.right / self.asked if self.asked else 0.0


def measure(cases: Sequence[LabelledQuestion], choose: Callable[[str], ToolChoice]) -> tuple[Outcome, ...]:
    """What is chosen for each question."""
    return tuple(Outcome(case, choose(case.question)) for case in cases)


def accuracy(outcomes: Sequence[Outcome]) -> Accuracy:
    """How many of them are right."""
    return Accuracy(sum(one.is_right for one in outcomes), len(outcomes))


def confusion(outcomes: Sequence[Outcome]) -> dict[str, Counter[str]]:
    """For each tool that was right, which ones were chosen how often; one that may stand in counts as it."""
    found: dict[str, Counter[str]] = {}
    for one in outcomes:
        chosen = one.case.tool if one.is_right else one.choice.tool
        found.setdefault(one.case.tool, Counter())[chosen] += 1
    return found


def read_labelled(path: Path) -> LabelledSet:
    """The questions of a JSON Lines file; its first line may declare tools (`{"tools": [...]}`).

    Raises:
        UsageError: the file cannot be read, is not UTF-8, holds no question, or a line is not sound; the message names
            the file, the line and the reason.
    """
    tools: tuple[Tool, ...] = ()
    questions: list[LabelledQuestion] = []
    for number, value in _lines(path):
        try:
            if isinstance(value, dict) and "tools" in value:
                tools += tuple(DeclaredTool.model_validate(one).as_tool() for one in value["tools"])
            else:
                questions.append(LabelledQuestion.model_validate(value))
        except (ValidationError, TypeError) as error:
            raise UsageError(f"{path}, line {number}: {_reason(error)}") from error
    if not questions:
        raise UsageError(f'{path}: holds no questions; expected is one {{"question": ..., "tool": ...}} a line')
    return LabelledSet(tuple(questions), tools)


def _lines(path: Path) -> Iterator[tuple[int, Any]]:
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "is not in UTF-8"
        raise UsageError(f"{path}: cannot be read ({reason})") from error
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except json.JSONDecodeError as error:
                raise UsageError(f"{path}, line {number}: is no JSON ({error.msg})") from error


def _reason(error: ValidationError | TypeError) -> str:
    if isinstance(error, TypeError):
        return "`tools` is a list of declared tools"
    first = error.errors(include_input=False, include_url=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
