"""The tool that computes: exact numbers, units that are never mixed, days and working days."""

from __future__ import annotations

import re
from datetime import date

from pydantic import BaseModel, ConfigDict, Field, field_validator

from ...configs.calendar_settings import CalendarSettings
from ...errors import CalculationError
from ...knowledge.text.normalise import has_chinese
from ...knowledge.text.numerals import CHINESE_NUMERAL_CHARACTERS
from ...knowledge.text.value_patterns import SPELT
from ..contracts import ArgumentError, ArgumentsFound, Category, ErrorCode, Tool, ToolError, ToolOutput
from ..results import result_hit
from .calendar_days import WorkCalendar
from .evaluating import Calculation, Part
from .faults import IMPOSSIBLE
from .grammar import LONGEST_EXPRESSION, parse
from .values import Statement, other_form, short, written

CALCULATE = "calculate"
_SOURCE = {"zh": "计算", "en": "calculation"}
_SURE = 0.95
_SOMETHING_TO_COMPUTE = re.compile(rf"[\d(（{{半{CHINESE_NUMERAL_CHARACTERS}]|\b(?:half|{SPELT})", re.IGNORECASE)
"""A number in digits or words, a function, or what stands for an earlier answer."""


class CalculateArguments(BaseModel):
    """What is to be computed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    expression: str = Field(
        min_length=1,
        max_length=LONGEST_EXPRESSION,
        description=(
            "numbers with or without units, + - * / ^ and parentheses: 120 万元 * 30%, (1500 - 1200) / 1200 to %, "
            "10 kW to MW, 2025-03-01 + 10 工作日, workdays(2025-03-01, 2025-03-31), weekday(2025-03-01); "
            "functions: sum avg min max round abs count days workdays weekday is_workday month_end"
        ),
    )

    @field_validator("expression")
    @classmethod
    def _can_be_read(cls, expression: str) -> str:
        try:
            parse(expression)
        except CalculationError as error:
            raise ArgumentError(str(error), error.chinese, error.kind) from error
        return expression


def make_calculate(calendar: CalendarSettings) -> Tool:
    """The tool.

    Args:
        calendar: which days are working days.
    """

    def run(arguments: CalculateArguments) -> ToolOutput:
        try:
            return calculated(arguments.expression, calendar)
        except CalculationError as error:
            code = ErrorCode.IMPOSSIBLE if error.kind in IMPOSSIBLE else ErrorCode.INVALID_ARGUMENTS
            raise ToolError(code, str(error), error.chinese, error.kind) from error

    return Tool(
        name=CALCULATE,
        description=(
            "Compute exactly: arithmetic, percentages, amounts with units (元, 万元, kW, kg …), conversion of units, "
            "dates, days and working days between dates or counted on from one."
        ),
        not_for=(
            "Not for finding a number that documents or databases hold: search first and compute with `{t1}`. "
            "Not for exchange rates, nor for what is so today."
        ),
        category=Category.COMPUTING,
        arguments=CalculateArguments,
        run=run,
        timeout_seconds=10.0,
        examples=(
            "120 万元的 30% 是多少？",
            "2025-09-26 之后第 3 个工作日是哪天？",
            "10 kW 等于多少 MW？",
            "What is 15% of 3.4 million?",
            "How many days are there between 2025-01-01 and 2025-03-15?",
        ),
        by_rules=arguments_for,
    )


def arguments_for(question: str) -> ArgumentsFound | None:
    """The call for a question that is a calculation and nothing else."""
    if not _SOMETHING_TO_COMPUTE.search(question):
        return None
    from .phrases import calculation_in  # noqa: PLC0415 - its patterns take 0.3 s to build: most questions need none

    found = calculation_in(question)
    if found is None:
        return None
    return ArgumentsFound({"expression": found}, _SURE, reason="the question is an expression")


def calculated(expression: str, calendar: CalendarSettings, today: date | None = None) -> ToolOutput:
    """The result of an expression with the expression as it was understood, as a source that can be cited.

    Raises:
        CalculationError: it cannot be read or computed.
        SettingsError: the calendar that it needs cannot be read.
    """
    language = "zh" if has_chinese(expression) else "en"
    calculation = Calculation(WorkCalendar(calendar, language), language, today or date.today())
    part = calculation.compute(expression)
    text = _equation(part, language)
    hit = result_hit(CALCULATE, _SOURCE[language], text)
    return ToolOutput(hits=(hit,), notes=calculation.notes, short_answer=short(part.value, language))


def _equation(part: Part, language: str) -> str:
    """The expression as it was understood, and what it is worth."""
    value, is_rounded = written(part.value, language)
    if isinstance(part.value, Statement):
        return f"{part.text} {value}"
    other = other_form(part.value)
    also = "" if not other or other in part.text else f"（{other}）" if language == "zh" else f" ({other})"
    return f"{part.text} {'≈' if is_rounded else '='} {value}{also}"
