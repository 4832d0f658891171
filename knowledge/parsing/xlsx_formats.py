"""Spreadsheet number formats: what a number looks like in its cell (ECMA-376 part 1, 18.8.31)."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import lru_cache
from typing import NamedTuple

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_.|\*.|\[\$(?P<currency>[^\]-]*)[^\]]*\]|\[[^\]]*\]'
    r"|(?P<number>[0#?](?:[0#?,.]*[0#?])?(?P<scale>,*)\.?)|(?P<exponent>E[+-])|(?P<other>.)",
    re.DOTALL | re.IGNORECASE,
)
_DATE_LETTERS = re.compile(r"[ymdhs]|am/pm|e", re.IGNORECASE)
_SIGNS = "+-() "  # accountants write negative numbers in parentheses
_CONDITION = re.compile(r"\[(?:<|>|=)")


class NumberShape(NamedTuple):
    """One section of a format: what stands before and after the digits, and how many digits there are."""

    before: str
    after: str
    integers: int
    decimals: int
    optional: int
    divisor: int
    grouped: bool
    percent: bool
    plain: bool
    """whether the digits are given as they are: General, text, fractions, powers of ten"""


@lru_cache(maxsize=1_000)
def sections_of(number_format: str) -> tuple[str, ...]:
    """The sections of a format for positive numbers, negative ones, zero and text."""
    sections, current, quoted = [], "", False
    index = 0
    while index < len(number_format):
        sign = number_format[index]
        if sign == "\\" and not quoted:
            current += number_format[index : index + 2]
            index += 2
            continue
        quoted ^= sign == '"'
        if sign == ";" and not quoted:
            sections.append(current)
            current = ""
        else:
            current += sign
        index += 1
    return (*sections, current)


@lru_cache(maxsize=1_000)
def without_literals(section: str) -> str:
    """A section without quoted and escaped text, colours and places: what is left are its codes."""
    return re.sub(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]', "", section, flags=re.IGNORECASE)


@lru_cache(maxsize=1_000)
def shape_of_number(section: str) -> NumberShape:
    """A section taken apart."""
    before = after = ""
    digits: str | None = None
    scale, percent, plain = 0, False, "general" in section.lower() or "@" in section
    for match in _TOKEN.finditer(section):
        literal = match["quoted"] or match["escaped"] or match["currency"] or ""
        if match["number"] is not None:
            plain |= digits is not None
            digits = digits or match["number"]
            scale = len(match["scale"] or "")
        elif match["exponent"] or match["other"] == "/":
            plain = True
        elif match["other"]:
            percent |= match["other"] == "%"
            literal = match["other"] if match["other"] in "$¥€£￥%℃°+-元万亿" else ""
        if digits is None:
            before += literal
        else:
            after += literal
    return _shape(before, after, digits, scale, percent, plain)


def _shape(before: str, after: str, digits: str | None, scale: int, percent: bool, plain: bool) -> NumberShape:
    whole, _, fraction = (digits or "").partition(".")
    return NumberShape(
        before=before.strip(),
        after=after.strip(),
        integers=whole.count("0"),
        decimals=sum(map(fraction.count, "0#?")),
        optional=sum(map(fraction.count, "#?")),
        divisor=1000**scale,
        grouped="," in whole.rstrip(","),
        percent=percent,
        plain=plain,
    )


def shown_number(value: int | float, number_format: str) -> str | None:
    """A number as its format shows it, or None where the format says nothing about it.

    Thousands are only parted where a sign of currency or a unit stands with them; the minus sign is always a minus.
    """
    sections = sections_of(number_format)
    section, sign = _section(value, sections)
    if _CONDITION.search(number_format):
        section, sign = sections[0], "-" if value < 0 else ""
    if not re.search(r"[0#?]", without_literals(section)):
        return _literal(section)
    shape = shape_of_number(section)
    if shape.plain:
        return None
    digits = _digits(abs(value), shape)
    if digits is None:
        return None
    return f"{sign}{shape.before.strip(_SIGNS)}{digits}{shape.after.strip(_SIGNS)}"


def _section(value: int | float, sections: tuple[str, ...]) -> tuple[str, str]:
    if value < 0:
        return (sections[1] if len(sections) > 1 else sections[0]), "-"
    if value == 0 and len(sections) > 2:
        return sections[2], ""
    return sections[0], ""


def _literal(section: str) -> str | None:
    """The words that a section shows instead of the number; None where it shows a mere dash, or nothing."""
    if "general" in section.lower() or "@" in section:
        return None
    text = "".join(m["quoted"] or m["escaped"] or (m["other"] or "") for m in _TOKEN.finditer(section)).strip()
    return text if any(map(str.isalnum, text)) else None


def _digits(value: int | float, shape: NumberShape) -> str | None:
    try:
        exact = Decimal(repr(value)) * (100 if shape.percent else 1) / shape.divisor
        rounded = exact.quantize(Decimal(1).scaleb(-shape.decimals), ROUND_HALF_UP)
    except InvalidOperation:
        return None
    grouped = shape.grouped and bool((shape.before or shape.after).strip("%" + _SIGNS))
    text = f"{rounded:,f}" if grouped else f"{rounded:f}"
    for _ in range(shape.optional):
        text = text[:-1] if "." in text and text.endswith("0") else text
    text = text.removesuffix(".")
    whole, point, fraction = text.partition(".")
    return whole.zfill(shape.integers) + point + fraction


def is_date_format(number_format: str) -> bool:
    """Whether a format shows a date, a time or a duration."""
    codes = re.sub(r"(?<=s)\.0+", "", without_literals(sections_of(number_format)[0]), flags=re.IGNORECASE)
    if "general" in codes.lower() or re.search(r"[0#?]", codes):
        return False
    return _DATE_LETTERS.search(codes) is not None
