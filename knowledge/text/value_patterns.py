"""How values are written: the patterns behind `value_rules`."""

from __future__ import annotations

import re

from .numerals import CHINESE_NUMERAL_CHARACTERS, ENGLISH_MULTIPLIERS, ENGLISH_NUMBERS
from .units import CLAUSE_UNITS, CURRENCY_SIGNS, ORDINAL_UNITS, UNITS

HAN_NUMERAL = f"[{CHINESE_NUMERAL_CHARACTERS}]"
ARABIC = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d{1,3}(?:['’]\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?"
SPELT_SMALL = "|".join(sorted(ENGLISH_NUMBERS, key=len, reverse=True))
SPELT_LARGE = "|".join(ENGLISH_MULTIPLIERS)
SPELT = rf"(?:{SPELT_SMALL}|hundred|dozen\b)(?:[-\s]+(?:and\s+)?(?:{SPELT_SMALL}|{SPELT_LARGE}))*\b"

CURRENCY = "(?:" + "|".join(re.escape(sign) for sign in sorted(CURRENCY_SIGNS, key=len, reverse=True)) + ")"
CANDIDATE = re.compile(
    rf"[\d¥$€£§第百千]|(?<![A-Za-z])[A-Za-z]|{HAN_NUMERAL}|[-+–](?=\d)|[-–](?={CURRENCY})|-(?=\s\d)|附[件录錄表]|人民[币幣]"
    rf"|[负負](?=[\d¥$€£]|{HAN_NUMERAL})|\((?={CURRENCY}?\d[\d,.]*\))|[半俩倆仨½¼¾Ⅰ-Ⅻ]|[上下中正]午|午[后後]|凌晨|清晨|早[上晨]|傍晚"
    r"|晚[上间間]|夜[间間里裡]|今晚",
    re.IGNORECASE,
)
WORD_REST = re.compile(r"[A-Za-z]*")
NUMBER = re.compile(rf"(?P<sign>[-+–])?(?P<digits>{ARABIC})(?P<chinese>\s?[十百千万萬亿億]+)?")
MULTIPLIER = re.compile(
    rf"\s?(?P<word>{SPELT_LARGE}|trillion|mn|bn)\b|(?P<letter>[kKMmBb])(?![A-Za-z0-9])", re.IGNORECASE
)
LETTERS = {"k": 10**3, "m": 10**6, "b": 10**9, "mn": 10**6, "bn": 10**9, "trillion": 10**12}
IS_JOINED = re.compile(r"[A-Za-z0-9)\]%–—-]")
SPACED_RANGE = re.compile(r"[\d%℃]\s+$")
ROMAN_NUMERAL = re.compile(r"[Ⅰ-Ⅻ]")
NAMES_YEAR = re.compile(
    r"\b(?:in|since|by|from|until|till|during|of|for|before|after|year|years|FY|fiscal)\s?$", re.IGNORECASE
)
LONGEST_YEAR_NAME = 8
HAN = re.compile(rf"{HAN_NUMERAL}+(?:点[〇零一二三四五六七八九]+)?")
SPELT_NUMBER = re.compile(SPELT, re.IGNORECASE)
RESTATED = re.compile(r"\s?\(\s?(?P<digits>\d+)\s?\)")
ZEROS = frozenset("零〇")
MANY = re.compile(r"\s?[多余餘来來几幾](?=\s?\D)")

SPELLINGS = sorted(UNITS, key=len, reverse=True)
UNIT = re.compile(
    r"[\s-]?(?P<unit>"
    + "|".join(re.escape(s) + ("(?![A-Za-z0-9])" if s[-1].isascii() and s[-1].isalnum() else "") for s in SPELLINGS)
    + ")"
)
SPACED_SYMBOLS = frozenset("VWmgLh")

SIGN = re.compile(rf"{CURRENCY}\s?(?=[\d.])")
CHINESE_PERCENT = re.compile(
    rf"(?P<base>百|千|万)分之(?P<number>{HAN_NUMERAL}+(?:点[〇零一二三四五六七八九]+)?|{ARABIC})"
)
CHINESE_FRACTION = re.compile(rf"(?P<below>{HAN_NUMERAL}+|\d+)分之(?P<above>{HAN_NUMERAL}+|\d+)")
CLAUSE = re.compile(
    rf"第\s?[((]?(?P<number>{HAN_NUMERAL}+|\d+)[))]?\s?(?P<unit>[条條款项項目章节節编編])(?:之(?P<sub>[一二三四五六七八九十]|\d+))?"
)
ORDINAL = re.compile(rf"第\s?(?P<number>{HAN_NUMERAL}+|\d+)\s?(?P<unit>[{ORDINAL_UNITS}])")
NUMBERED = re.compile(r"(?P<number>\d+)(?P<unit>号|號)(?![楼院门线])")
CLAUSE_WORDS = "|".join(re.escape(word) for word in sorted(CLAUSE_UNITS, key=len, reverse=True) if word.isascii())
ENGLISH_CLAUSE = re.compile(
    rf"(?P<unit>{CLAUSE_WORDS}|§|附[件录錄表])\s?(?P<number>\d+(?:\.\d+)*|[IVXLC]+\b|[A-Z]\b|{HAN_NUMERAL}+)(?:\([a-z0-9]+\))?",
    re.IGNORECASE,
)
IDENTIFIER = re.compile(r"(?=[A-Za-z0-9/_.-]*[A-Za-z])(?=[A-Za-z0-9/_.-]*\d)[A-Za-z0-9]+(?:[-_/][A-Za-z0-9]+|\.\d+)*")
SPACED_STANDARD = re.compile(
    r"(?:GB(?:/[TZ])?|ISO|IEC|IEEE|DIN|EN|ANSI|JB(?:/T)?|DL(?:/T)?|YY(?:/T)?|ZC|HG/T|QB/T)\s?\d[\d.]*(?:-\d{1,4}){0,2}\b"
)
DOTTED = re.compile(r"\d+(?:\.\d+){2,}(?![\d.]*\d)")
RANGE = re.compile(r"\s?(?:[-–—~～至到]|to|and)\s?", re.IGNORECASE)
ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
IDIOMS = re.compile(
    "十分(?!之)|千万(?![元美欧港吨公千人户亩株头只台套份字平立])|万一|千百|百万(?=雄|富)|十足|百般|万分(?!之)|百姓|千克|万物|万能|万向"
)
