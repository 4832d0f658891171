"""Numbers as they are written in expressions, read exactly; and exact numbers as they are shown."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from typing import NamedTuple

from ...knowledge.text.numerals import (
    CHINESE_LARGE_UNITS,
    CHINESE_SMALL_UNITS,
    ENGLISH_MULTIPLIERS,
    parse_chinese,
    parse_english,
)
from ...knowledge.text.quantities import plain_decimal
from ...knowledge.text.value_patterns import ARABIC, LETTERS
from .faults import Fault, fault

MOST_DIGITS = 60
"""Of a number that is written in an expression, and of a whole number that is shown in full."""
SHOWN_DIGITS = 28
"""Significant digits up to which a decimal that ends is shown in full."""
ROUNDED_DIGITS = 12
"""Significant digits of one that does not end: it is shown rounded (half up), behind ≈."""
MOST_BITS = 4_096
"""Of a numerator or denominator on the way: some 1,200 digits."""

_PART = re.compile(rf"(?P<digits>{ARABIC}|\.\d+)\s?(?P<chinese>[十百千万萬亿億]*)")
_SCIENTIFIC = re.compile(r"\d+(?:\.\d+)?[eE][+-]?\d+")
_ENGLISH = re.compile(rf"(?P<digits>{ARABIC})\s?(?P<word>[A-Za-z]+)")


class Shown(NamedTuple):
    """A number in digits, and whether it is rounded."""

    text: str
    is_rounded: bool


def read_number(text: str) -> Fraction:
    """The value of a number in an expression.

    Raises:
        CalculationError: it has too many digits, or its words make up no number.
    """
    written = text.strip()
    if sum(character.isdigit() for character in written) > MOST_DIGITS:
        raise fault(Fault.TOO_MANY_DIGITS, most=MOST_DIGITS)
    if _SCIENTIFIC.fullmatch(written):
        return checked(Fraction(written))
    if english := _ENGLISH.fullmatch(written):
        word = english["word"].casefold()
        return Fraction(plain_decimal(english["digits"])) * (ENGLISH_MULTIPLIERS.get(word) or LETTERS[word])
    if not written[0].isdigit() and written[0] != ".":
        return _in_words(written)
    parts = [match for match in _PART.finditer(written) if match["digits"]]
    return checked(sum((_part(match) for match in parts), Fraction(0)))


def _part(match: re.Match[str]) -> Fraction:
    number = Fraction(plain_decimal(match["digits"]))
    for character in match["chinese"]:
        number *= CHINESE_LARGE_UNITS.get(character) or CHINESE_SMALL_UNITS[character]
    return number


def _in_words(written: str) -> Fraction:
    whole, _, decimals = written.partition("点")
    number = parse_chinese(whole)
    if number is not None and decimals:
        tail = parse_chinese(decimals)
        number = None if tail is None else number + tail.scaleb(-len(decimals))
    number = parse_english(written) if number is None else number
    if number is None:
        raise fault(Fault.NO_NUMBER, text=written)
    return Fraction(number)


def checked(number: Fraction) -> Fraction:
    """The number.

    Raises:
        CalculationError: it has grown too long to be computed with.
    """
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > MOST_BITS:
        raise fault(Fault.TOO_LONG)
    return number


def to_decimal(number: Fraction, digits: int) -> Decimal:
    """The number to so many significant digits, halves away from zero."""
    context = Context(prec=digits, rounding=ROUND_HALF_UP)
    return context.divide(Decimal(number.numerator), Decimal(number.denominator))


def show(number: Fraction) -> Shown:
    """The number with thousands separators; rounded only where its decimals do not end or are too many."""
    if number.denominator == 1 and abs(number.numerator) < 10**MOST_DIGITS:
        return Shown(f"{number.numerator:,}", is_rounded=False)
    exact = to_decimal(number, SHOWN_DIGITS)
    is_rounded = Fraction(exact) != number
    shown = to_decimal(number, ROUNDED_DIGITS) if is_rounded else exact
    if not -ROUNDED_DIGITS <= shown.adjusted() < SHOWN_DIGITS:
        return Shown(f"{shown.normalize():E}", is_rounded)
    text = f"{shown:,f}"
    return Shown(text.rstrip("0").rstrip(".") if "." in text else text, is_rounded)
