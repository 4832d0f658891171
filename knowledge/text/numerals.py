"""Numbers written in Chinese or English words, and the exact decimal form that numbers are compared in."""

from __future__ import annotations

from decimal import Decimal

CHINESE_DIGITS = {
    **{digit: value for value, digit in enumerate("〇一二三四五六七八九")},
    **{digit: value for value, digit in enumerate("零壹贰叁肆伍陆柒捌玖")},
    **{digit: value for value, digit in enumerate("零壹貳參肆伍陸柒捌玖")},
    "两": 2,
    "兩": 2,
}
CHINESE_SMALL_UNITS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
CHINESE_LARGE_UNITS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
CHINESE_NUMERAL_CHARACTERS = "".join((*CHINESE_DIGITS, *CHINESE_SMALL_UNITS, *CHINESE_LARGE_UNITS))
_LONGEST_CHINESE = 64
"""Characters: twice the longest numeral below a trillion. Runs of thousands would cost seconds, from each of their
places on."""

_ENGLISH_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_ENGLISH_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
ENGLISH_NUMBERS = {
    **{word: value for value, word in enumerate(_ENGLISH_SMALL)},
    **{word: 10 * value for value, word in enumerate(_ENGLISH_TENS, start=2)},
}
ENGLISH_MULTIPLIERS = {"dozen": 12, "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9}


def decimal_text(number: Decimal) -> str:
    """The one spelling of a number: no exponent, no separators, no trailing zeros (``15000``, ``0.5``)."""
    if not number:
        return "0"
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def parse_chinese(text: str) -> Decimal | None:
    """The value of a Chinese numeral such as 十二, 三百二十, 二〇二四, 一亿三千万; None where it is not one."""
    if not 0 < len(text) <= _LONGEST_CHINESE or any(character not in CHINESE_NUMERAL_CHARACTERS for character in text):
        return None
    if all(character in CHINESE_DIGITS for character in text):
        return Decimal("".join(str(CHINESE_DIGITS[character]) for character in text))
    return _parse_positional(text)


def _parse_positional(text: str) -> Decimal | None:
    total, section, digit, last_unit = 0, 0, -1, 0
    for character in text:
        if character in CHINESE_DIGITS:
            if digit > 0:
                return None
            digit = CHINESE_DIGITS[character]
            last_unit = 0 if digit == 0 else last_unit
        elif character in CHINESE_SMALL_UNITS:
            last_unit = CHINESE_SMALL_UNITS[character]
            section += (1 if digit < 0 else digit) * last_unit
            digit = -1
        else:
            last_unit = CHINESE_LARGE_UNITS[character]
            section += max(digit, 0)
            total = (total + section) * last_unit if last_unit > 10**4 else total + section * last_unit
            section, digit = 0, -1
    # 三百二 is 320 and 一万五 is 15,000: a last digit right behind a unit counts tenths of that unit.
    scale = last_unit // 10 if last_unit >= 100 else 1
    return Decimal(total + section + max(digit, 0) * scale)


def format_chinese(number: int) -> str:
    """The plain Chinese numeral of 0 to 99,999,999 (``12`` → 十二, ``320`` → 三百二十)."""
    if number >= 10**4:
        head, rest = divmod(number, 10**4)
        gap = "零" if 0 < rest < 1000 else ""
        return format_chinese(head) + "万" + gap + (_format_section(rest) if rest else "")
    text = _format_section(number)
    return text[1:] if text.startswith("一十") else text


def _format_section(number: int) -> str:
    digits = "零一二三四五六七八九"
    if number == 0:
        return digits[0]
    text, pending_zero = "", False
    for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, number = divmod(number, unit)
        if digit:
            text += ("零" if pending_zero else "") + digits[digit] + name
            pending_zero = False
        else:
            pending_zero = bool(text)
    return text


def parse_english(text: str) -> Decimal | None:
    """The value of an English number in words such as ``twenty-five``, ``one hundred and ten``; None otherwise."""
    words = text.casefold().replace("-", " ").split()
    total, section = 0, 0
    for word in words:
        if word in ENGLISH_NUMBERS:
            section += ENGLISH_NUMBERS[word]
        elif word == "hundred":
            section = max(section, 1) * 100
        elif word in ENGLISH_MULTIPLIERS:
            total += max(section, 1) * ENGLISH_MULTIPLIERS[word]
            section = 0
        elif word != "and":
            return None
    return Decimal(total + section) if words and words[0] != "and" else None
