# ruff: noqa: E501 - patterns are read in one piece
"""The grammar of expressions: what may be written, and the bounds of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING

from ...errors import CalculationError
from ...knowledge.text.dates import (
    CHINESE_DATE,
    DAY_FIRST,
    MONTH_FIRST,
    NUMERIC_DATE,
    SLASHED_DATE,
    read_chinese_date,
    read_day_first,
    read_month_first,
    read_numeric_date,
    read_slashed_date,
)
from ...knowledge.text.normalise import fold_figures
from ...knowledge.text.numerals import CHINESE_DIGITS
from ...knowledge.text.value_patterns import CHINESE_FRACTION, CHINESE_PERCENT
from .faults import Fault, fault
from .vocabulary import MONEY_SIGN, NUMBER, UNIT

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

LONGEST_EXPRESSION = 1_000
"""Characters."""
DEEPEST_NESTING = 32
"""Parentheses inside parentheses."""
MOST_OPERATIONS = 200

FUNCTIONS = {
    **dict.fromkeys(("sum", "求和", "合计"), "sum"),
    **dict.fromkeys(("avg", "average", "mean", "平均值", "平均"), "avg"),
    **dict.fromkeys(("min", "最小值"), "min"),
    **dict.fromkeys(("max", "最大值"), "max"),
    **dict.fromkeys(("round", "四舍五入"), "round"),
    **dict.fromkeys(("abs", "绝对值"), "abs"),
    **dict.fromkeys(("count", "计数"), "count"),
    **dict.fromkeys(("days", "天数"), "days"),
    **dict.fromkeys(("workdays", "工作日数"), "workdays"),
    **dict.fromkeys(("weekday", "星期几"), "weekday"),
    **dict.fromkeys(("is_workday", "是工作日"), "is_workday"),
    **dict.fromkeys(("month_end", "月末"), "month_end"),
}
"""Spellings of functions, without regard to case."""

TODAY = {"今天": 0, "today": 0, "昨天": -1, "yesterday": -1, "明天": 1, "tomorrow": 1}

_GRAMMAR = r"""
?start: result
?result: total | result INTO UNIT -> convert
?total: product | total PLUS product -> add | total MINUS product -> subtract
?product: signed | product TIMES signed -> multiply | product OVER signed -> divide
?signed: power | MINUS signed -> negative | PLUS signed -> positive
?power: atom | atom POWER signed -> raised
?atom: quantity | day | call | PLACEHOLDER -> placeholder | "(" result ")" PER_UNIT* -> group
     | "(" result ")" UNIT PER_UNIT* -> group
quantity: SIGN? NUMBER UNIT? PER_UNIT*
day: DATE
call: FUNCTION "(" result (SEPARATOR result)* ")"

PLACEHOLDER.9: /\{t\d{1,2}\}/
DATE.9: /%(date)s/
FUNCTION.8: /(?i:%(function)s)(?=\s?\()/
SIGN.8: /%(sign)s/
NUMBER.7: /%(number)s/
PER_UNIT.6: /(?:\/|每)\s?%(unit)s/
INTO.5: /转换[为成到]?|换算[为成到]?|折合[为成]?|换成|转[为成]|(?:等于|是|合|为|有|=)\s?(?:多少|几)(?:个(?!工作日|月|小时|季度|星期|百分))?|(?i:(?:into|to|in|as)\b)/
UNIT.4: /%(unit)s/
PLUS.3: /\+|加上?|(?i:plus\b)/
MINUS.3: /-|减去?|(?i:minus\b)/
POWER.3: "^"
TIMES.2: /\*|×|乘以?|的|(?i:times\b|multiplied by\b|of\b)/
OVER.2: /\/|÷|除以|(?i:divided by\b)/
SEPARATOR.1: /[,;]/
%%ignore /\s+/
"""
_ISO = r"\d{4}-\d{2}-\d{2}(?!\d)"
_SPACES = re.compile(r"\s+")
_TIMES = str.maketrans({"×": "*", "✕": "*", "✖": "*", "∗": "*", "·": "·", "÷": "/", "∕": "/", "–": "-", "—": "-"})
_BRACKETS = str.maketrans({"[": "(", "]": ")", "【": "(", "】": ")", "、": ";"})
_HUNDRED = {"百": "%", "千": "‰", "万": "‱"}
_SQUARES = (
    (re.compile(r"的?\s?(\d{1,4})\s?次方"), r"^\1"),
    (re.compile(r"的\s?平方(?![米公千厘毫尺])"), "^2"),
    (re.compile(r"的\s?立方(?![米公千厘毫尺])"), "^3"),
)
_CALLED = re.compile(rf"(?i:{'|'.join(sorted(FUNCTIONS, key=len, reverse=True))})\s?\((?P<list>[^()]*)")
_PARTED = re.compile(r";|,\s")
_TENTHS = re.compile(r"(?P<number>[\d一二两三四五六七八九])\s?成(?![\u4e00-\u9fff])")
_DISCOUNT = re.compile(r"的?打?\s?(?P<number>\d(?:\.\d)?|\d\d|[一二三四五六七八九]{1,2})\s?折(?![合算叠旧])")
_GROUPED = re.compile(r"(?<![\d,])\d{1,3}(?:,\d{3})+(?![\d,])")


def normalised(expression: str) -> str:
    """The expression in one spelling of widths, operators, brackets, percentages and fractions in words, and dates."""
    text = expression.replace("，", ", ").replace("；", "; ")
    text = fold_figures(text).translate(_TIMES).translate(_BRACKETS).replace("**", "^")
    for pattern, written in _SQUARES:
        text = pattern.sub(written, text)
    text = with_iso_dates(text)
    text = CHINESE_PERCENT.sub(lambda found: f"{found['number']}{_HUNDRED[found['base']]}", text)
    text = _TENTHS.sub(lambda found: f"({_digits(found['number'])} * 10%)", text)
    text = _DISCOUNT.sub(lambda found: f" * 0.{_digits(found['number']).replace('.', '')}", text)
    text = CHINESE_FRACTION.sub(lambda found: f"({found['above']}/{found['below']})", text)
    return _SPACES.sub(" ", text).strip(" =.。?？")


def _digits(written: str) -> str:
    """Figures for one or two digits in Chinese (八五 is 85)."""
    return "".join(str(CHINESE_DIGITS.get(character, character)) for character in written)


_DATES = (
    (CHINESE_DATE, read_chinese_date),
    (NUMERIC_DATE, read_numeric_date),
    (SLASHED_DATE, read_slashed_date),
    (MONTH_FIRST, read_month_first),
    (DAY_FIRST, read_day_first),
)


def with_iso_dates(text: str) -> str:
    """The text with each date that names a day as 2025-03-01; less precise ones stay as they are."""
    for pattern, read in _DATES:
        text = pattern.sub(partial(_iso, read), text)
    return text


def _iso(read: Callable[[re.Match[str]], str | None], found: re.Match[str]) -> str:
    canonical = read(found)
    is_part = found.start() > 0 and found.string[found.start() - 1].isdigit()
    if canonical is None or is_part or not re.fullmatch(_ISO, canonical):
        return found.group()
    return f" {canonical} "


@cache
def _parser() -> Lark:
    from lark import Lark  # noqa: PLC0415 - building it takes a moment that only calculations need

    functions = "|".join(sorted(map(re.escape, FUNCTIONS), key=len, reverse=True))
    days = "|".join(word if not word.isascii() else rf"(?i:{word}\b)" for word in TODAY)
    parts = {"date": f"{_ISO}|{days}", "function": functions, "sign": MONEY_SIGN, "number": NUMBER, "unit": UNIT}
    escaped = {name: f"(?:{pattern})".replace("/", r"\/") for name, pattern in parts.items()}
    return Lark(_GRAMMAR % escaped, parser="lalr")


def parse(expression: str) -> Tree[Token]:
    """The tree of an expression in any spelling.

    Raises:
        CalculationError: it is none, or is too long or too deep; the message shows the place.
    """
    from lark.exceptions import UnexpectedInput  # noqa: PLC0415

    if len(expression) > LONGEST_EXPRESSION:
        raise fault(Fault.LONG_EXPRESSION, length=f"{len(expression):,}", most=f"{LONGEST_EXPRESSION:,}")
    text = normalised(expression)
    if not text:
        raise fault(Fault.EMPTY)
    _check_depth(text)
    _check_lists(text)
    try:
        tree = _parser().parse(text)
    except UnexpectedInput as error:
        ends = getattr(getattr(error, "token", None), "type", "") == "$END"
        raise _unread(text, len(text) if ends else error.pos_in_stream or 0) from error
    if sum(1 for _ in tree.iter_subtrees()) > 2 * MOST_OPERATIONS:
        raise fault(Fault.MANY_PARTS, most=MOST_OPERATIONS)
    return tree


def _check_depth(text: str) -> None:
    depth = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth > DEEPEST_NESTING:
            raise fault(Fault.DEEP, most=DEEPEST_NESTING)


def _unread(text: str, place: int) -> CalculationError:
    rest, before = text[place:][:20], text[max(0, place - 20) : place]
    if not rest:
        return fault(Fault.ENDS_EARLY, before=before)
    return fault(Fault.UNREAD, rest=rest, before=before)


def _check_lists(text: str) -> None:
    """Refuse digits in a list that may be one number or several, such as 1,200 in max(1,200)."""
    for called in _CALLED.finditer(text):
        found = _GROUPED.search(called["list"])
        if found and not _PARTED.search(called["list"]):
            raise fault(Fault.UNCLEAR_LIST, text=found.group())
