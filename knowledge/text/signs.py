"""Numbers below zero: a minus of any shape, 零下 and 负, the words minus and negative, accounting brackets."""

from __future__ import annotations

import re
from collections.abc import Callable

from .measures import ValueKind
from .quantities import Reading
from .value_patterns import ARABIC, CURRENCY

_Read = Callable[[str, int], Reading | None]

_SIGNED = (ValueKind.NUMBER, ValueKind.QUANTITY, ValueKind.PERCENT, ValueKind.MONEY)
_WORDS = re.compile(
    r"零下\s?|(?<![背肩担擔抱胜勝正自辜欺])[负負]\s?(?=[\d¥$€£])|(?<![背肩担擔抱胜勝正自辜欺])[负負]"
    r"|(?:minus|negative)\s+(?=\S)",
    re.IGNORECASE,
)
LEAD = re.compile(rf"{_WORDS.pattern}|[-+–]\s?", re.IGNORECASE)
"""What makes a number negative or positive, before it."""
_BEFORE_CURRENCY = re.compile(rf"[-–](?={CURRENCY})")
_BRACKETS = re.compile(
    rf"(?P<currency>{CURRENCY})?\s?\(\s?(?:{CURRENCY})?(?P<digits>{ARABIC})\s?\)"
    r"(?P<rest>[十百千万萬亿億元a-zA-Z ]{0,16})"
)
_JOINED = re.compile(r"[A-Za-z0-9)\]%–-]$")
_NUMERAL_BEFORE = re.compile(r"[〇零一二三四五六七八九十百千万亿壹贰叁肆伍陆柒捌玖拾佰仟A-Za-z0-9]\s?$")
_APART = re.compile(r"-\s(?=\d)")
_IS = re.compile(r"(?:[为是至到~=(]|[:：]|\b(?:is|of|to|was|at|between|from|below|above))\s*$", re.IGNORECASE)
_BULLET = re.compile(r"(?:^|\n)\s*$")
_JOINS_VALUES = re.compile(r"[\d%℃°)\]]\s*$")
_BELOW_ZERO = re.compile(r"\s+below\s+(?:zero|freezing)\b", re.IGNORECASE)
_TEMPERATURES = ("°C", "°F", "°")


def below_zero(text: str, reading: Reading) -> Reading:
    """The temperature as negative where the text calls it one below zero."""
    found = _BELOW_ZERO.match(text, reading.end) if reading.unit in _TEMPERATURES else None
    return _negative(reading)._replace(end=found.end()) if found else reading


def read_negative(text: str, start: int, read: _Read) -> Reading | None:
    """A negative value that begins at a place with a word, a minus before a currency, or a minus and a blank.

    Args:
        text: with full-width characters folded.
        start: where the sign stands.
        read: reads the value without its sign.
    """
    match = _WORDS.match(text, start)
    currency = _BEFORE_CURRENCY.match(text, start)
    if currency and not _JOINED.search(text, max(0, start - 1), start):
        match = currency
    apart = _APART.match(text, start)
    if apart and _IS.search(text, max(0, start - 10), start):
        match = apart
    reading = read(text, match.end()) if match else None
    if reading is None or reading.kind not in _SIGNED:
        return None
    return _negative(reading)


def _negative(reading: Reading) -> Reading:
    is_signed = reading.canonical.startswith("-") or reading.canonical == "0"
    return reading if is_signed else reading._replace(canonical=f"-{reading.canonical}")


def read_bracketed(text: str, start: int, read: _Read) -> Reading | None:
    """A loss in accounting brackets: ``(900)万元``, ``$(1,200) million``. A restated numeral 叁佰(300)万元 is none."""
    match = _BRACKETS.match(text, start)
    if match is None or _NUMERAL_BEFORE.search(text, max(0, start - 2), start):
        return None
    if not match["currency"] and (len(match["digits"]) < 2 or match["rest"].startswith(" ")):
        return None
    bare = f"{match['currency'] or ''}{match['digits']}{match['rest']}"
    reading = read(bare, 0)
    if reading is None or reading.kind is not ValueKind.MONEY:
        return None
    return _negative(reading)._replace(end=match.end() - len(bare) + reading.end)


def end_of_unclear_minus(text: str, start: int, read: _Read) -> int | None:
    """Where a temperature ends that stands behind a dash and a blank: a minus, or the dash of a label."""
    match = _APART.match(text, start)
    before = text[max(0, start - 10) : start]
    if match is None or _IS.search(before) or _BULLET.search(text, 0, start) or _JOINS_VALUES.search(before):
        return None
    reading = read(text, match.end())
    return reading.end if reading is not None and reading.unit in _TEMPERATURES else None
