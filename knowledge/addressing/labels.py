# ruff: noqa: E501 - patterns are read in one piece
"""Labels of numbered parts, one form for both languages and both scripts of numbers: 第十二条, Article 12, 12.1, 附件二."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from ..text.numerals import parse_chinese


class Kind(StrEnum):
    """What kind of part a label names."""

    PART = "part"
    CHAPTER = "chapter"
    SECTION = "section"
    CLAUSE = "clause"
    NUMBER = "number"
    """A bare number: 12.1, 3., 3.2.1."""
    LISTED = "listed"
    """一、 二、: the first level of many Chinese papers."""
    ANNEX = "annex"
    SCHEDULE = "schedule"
    TABLE = "table"


class Label(NamedTuple):
    """A kind of part and its number, level by level: (NUMBER, ("12", "1")), (ANNEX, ("B",)), (CLAUSE, ("12", "之1"))."""

    kind: Kind
    number: tuple[str, ...]

    def holds(self, other: Label) -> bool:
        """Whether another label is a deeper level of this number: 12.1 of 12."""
        return len(other.number) > len(self.number) and other.number[: len(self.number)] == self.number


HAN = "[一二三四五六七八九十百千零〇两]"
_ARABIC = r"\d{1,4}(?:\.\d{1,3})*"
_CHINESE_UNITS = {
    "编": Kind.PART, "編": Kind.PART, "篇": Kind.PART, "部分": Kind.PART, "章": Kind.CHAPTER, "节": Kind.SECTION,
    "節": Kind.SECTION, "条": Kind.CLAUSE, "條": Kind.CLAUSE, "款": Kind.CLAUSE,
}  # fmt: skip
_WORDS = {
    "part": Kind.PART, "chapter": Kind.CHAPTER, "section": Kind.SECTION, "sec.": Kind.SECTION, "§": Kind.SECTION,
    "article": Kind.CLAUSE, "art.": Kind.CLAUSE, "clause": Kind.CLAUSE, "paragraph": Kind.CLAUSE, "annex": Kind.ANNEX,
    "appendix": Kind.ANNEX, "attachment": Kind.ANNEX, "exhibit": Kind.ANNEX, "schedule": Kind.SCHEDULE,
    "附件": Kind.ANNEX, "附录": Kind.ANNEX, "附錄": Kind.ANNEX, "附表": Kind.SCHEDULE, "附錶": Kind.SCHEDULE,
}  # fmt: skip
CHINESE_LABEL = re.compile(
    rf"第\s?(?P<number>{HAN}+|{_ARABIC})\s?(?P<unit>部分|[编編篇章节節条條]|款)(?:之(?P<sub>{HAN}+|\d+))?"
)
ANNEX_LABEL = re.compile(
    rf"(?P<word>附[件录錄表錶])\s?(?P<number>{HAN}+|\d{{1,3}}(?:[-.]\d+)?(?!\d)|[A-Za-z](?![A-Za-z]))"
)
ENGLISH_LABEL = re.compile(
    r"(?<![A-Za-z])(?P<word>part|chapter|section|sec\.|§|article|art\.|clause|paragraph|annex|appendix|attachment|exhibit|schedule)\s?"
    rf"(?P<number>{_ARABIC}[a-z]?(?![A-Za-z\d])|[ivxlc]+(?![A-Za-z])|[A-Za-z](?:\.?\d+(?:\.\d+)*)?(?![A-Za-z]))",
    re.IGNORECASE,
)
TABLE_LABEL = re.compile(
    rf"(?:(?<![代列报图手仪钟发外附])表|(?<![A-Za-z])table)\s?(?P<number>\d+(?:[-.–]\d+)*|[A-Z]\.?\d+(?:[-.]\d+)*|[A-Z](?![A-Za-z])|{HAN}+(?=[\s，,:：。的中里是]|$))(?![\d个名人份张年月日])",
    re.IGNORECASE,
)
_NUMBER_LABEL = re.compile(
    r"(?P<number>\d{1,3}(?:\.\d{1,3})+)(?=[.、．)\s]|[\u4e00-\u9fff“《(（A-Z])(?!\s?(?:[%％]|[万亿元千米天年月日个倍吨兆]))|(?P<single>\d{1,3})(?:[.．、)](?!\d)|\s+(?=\S))"
)
_LISTED_LABEL = re.compile(rf"(?P<number>{HAN}{{1,3}})\s?[、.．]")
ITEM_LABEL = re.compile(rf"[（(]\s?(?P<number>{HAN}{{1,3}}|\d{{1,2}}|[a-zA-Z])\s?[)）]")
_LEAD = re.compile(r"\s*(?:#{1,6}\s+|[-*•]\s+)?(?:\*\*|__)?")
# 第五条规定的情形, Section 3 of the Act: a sentence that begins with a label is not its part.
_GOES_ON = re.compile(
    r"(?:[的至和或及与为、]|第|规定|所|中[的，,]?)|\s+(?:of|and|or|to|applies|apply|shall|is|are|was|sets|above|below)\b|\s?[,，;；]"
)
_SENTENCE_END = re.compile(r"[。；;！？!?]\s*$|[a-z]\.\s*$")
_LONGEST_HEADING = 60


def label_of_line(line: str) -> Label | None:
    """The label that a line begins with; None where it has none, or only a sentence that mentions one."""
    lead = _LEAD.match(line)
    start = lead.end() if lead else 0
    if line.startswith("|", start):
        return None
    for pattern, read in _READERS:
        match = pattern.match(line, start)
        if match is not None:
            label = read(match)
            return None if label is None or _is_sentence(line, match.end(), label) else label
    return None


def _is_sentence(line: str, end: int, label: Label) -> bool:
    """Whether a line only begins with the label of another part."""
    rest = line[end:]
    if label.kind in (Kind.NUMBER, Kind.LISTED):
        bare = len(label.number) == 1 and line[:end].rstrip()[-1:].isdigit()
        return bare and (len(line) > _LONGEST_HEADING or _SENTENCE_END.search(line) is not None)
    if _GOES_ON.match(rest):
        return True
    whole = label.kind in (Kind.ANNEX, Kind.SCHEDULE, Kind.TABLE)
    return whole and len(line) > _LONGEST_HEADING and _SENTENCE_END.search(line) is not None


def read_chinese(match: re.Match[str]) -> Label | None:
    """第十二条, 第12.1款, 第十二条之一."""
    number = numbered(match["number"])
    sub = numbered(match["sub"])[:1] if match["sub"] else ()
    return Label(_CHINESE_UNITS[match["unit"]], (*number, *(f"之{one}" for one in sub))) if number else None


def read_word(match: re.Match[str]) -> Label | None:
    """Article 5, § 12a, Annex B, 附件二."""
    number = numbered(match["number"])
    return Label(_WORDS[match["word"].casefold()], number) if number else None


def read_table(match: re.Match[str]) -> Label | None:
    """表3, Table 2-1."""
    return Label(Kind.TABLE, numbered(match["number"])) if numbered(match["number"]) else None


def _read_number(match: re.Match[str]) -> Label | None:
    return Label(Kind.NUMBER, numbered(match["number"] or match["single"]))


def _read_listed(match: re.Match[str]) -> Label | None:
    return Label(Kind.LISTED, numbered(match["number"]))


_READERS = (
    (CHINESE_LABEL, read_chinese),
    (ANNEX_LABEL, read_word),
    (ENGLISH_LABEL, read_word),
    (TABLE_LABEL, read_table),
    (_NUMBER_LABEL, _read_number),
    (_LISTED_LABEL, _read_listed),
)


def numbered(text: str) -> tuple[str, ...]:
    """A number as written in any script, level by level; empty where it is none."""
    parts = re.split(r"[-.–]", text.strip(". "))
    found = [_canonical(part) for part in parts if part]
    return tuple(found) if all(found) else ()


_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


def _canonical(part: str) -> str:
    if part.isdecimal():
        return str(int(part))
    if re.fullmatch(rf"{HAN}+", part):
        number = parse_chinese(part)
        return "" if number is None else str(int(number))
    upper = part.upper()
    if set(upper) <= set(_ROMAN) and (len(upper) > 1 or upper in "IVX"):
        return str(_roman(upper))
    return upper


def _roman(text: str) -> int:
    digits = [_ROMAN[character] for character in text]
    return sum(-one if one < after else one for one, after in zip(digits, [*digits[1:], 0], strict=True))


def item_of_line(line: str) -> str | None:
    """The number of the item that a line begins with: （三）, (b), 3)."""
    lead = _LEAD.match(line)
    match = ITEM_LABEL.match(line, lead.end() if lead else 0)
    return None if match is None else "".join(numbered(match["number"]))
