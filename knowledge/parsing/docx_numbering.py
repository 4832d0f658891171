"""Works out the numbers that Word draws before paragraphs but does not store in their text."""

from __future__ import annotations

import re
from typing import NamedTuple

from lxml import etree

from .wordml import child, is_on, number, tag, value

_DEEPEST = 9
_DIGITS = "〇一二三四五六七八九"
_LEGAL_DIGITS = "零壹贰叁肆伍陆柒捌玖"
_STEMS = "甲乙丙丁戊己庚辛壬癸"
_BRANCHES = "子丑寅卯辰巳午未申酉戌亥"
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"))
_ROMAN_SMALL = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


def chinese(count: int, digits: str = _DIGITS, units: str = "十百千") -> str:
    """A number from 0 to 9999 in Chinese characters as it is spoken: 12 is 十二, 105 is 一百〇五.

    Larger numbers are given in Arabic digits.
    """
    if not 0 < count < 10_000:
        return digits[0] if count == 0 else str(count)
    text, gap = "", False
    for place in range(len(str(count)) - 1, -1, -1):
        digit = count // 10**place % 10
        if digit:
            text += (digits[0] if gap and text else "") + digits[digit] + (units[place - 1] if place else "")
        gap = not digit
    return text[1:] if 10 <= count < 20 and digits == _DIGITS else text


def _roman(count: int) -> str:
    text = ""
    for size, letters in _ROMAN + _ROMAN_SMALL:
        text += letters * (min(count, 10_000) // size)
        count = min(count, 10_000) % size
    return text


def _letters(count: int) -> str:
    return chr(ord("a") + (count - 1) % 26) * ((count - 1) // 26 % 100 + 1) if count > 0 else ""


def _cycle(count: int, signs: str) -> str:
    return signs[(count - 1) % len(signs)]


def _ordinal(count: int) -> str:
    suffix = "th" if 10 <= count % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    return f"{count}{suffix}"


def render(count: int, form: str) -> str:
    """A list number in one of Word's number formats (ISO/IEC 29500-1, ST_NumberFormat); unknown ones in digits."""
    if form.startswith(("chineseLegal", "ideographLegal")):
        return chinese(count, _LEGAL_DIGITS, "拾佰仟")
    if form in {"chineseCountingThousand", "chineseCounting", "taiwaneseCounting", "taiwaneseCountingThousand"}:
        return chinese(count).replace("〇", "零" if form == "chineseCountingThousand" else "〇")
    if form in {"japaneseCounting", "japaneseDigitalTenThousand", "ideographDigital", "taiwaneseDigital"}:
        return chinese(count) if form == "japaneseCounting" else "".join(_DIGITS[int(d)] for d in str(count))
    return _render_western(count, form)


def _render_western(count: int, form: str) -> str:
    match form:
        case "upperRoman" | "lowerRoman":
            return _roman(count).upper() if form == "upperRoman" else _roman(count)
        case "upperLetter" | "lowerLetter":
            return _letters(count).upper() if form == "upperLetter" else _letters(count)
        case "decimalZero":
            return f"{count:02d}"
        case "ordinal":
            return _ordinal(count)
        case "decimalEnclosedCircle" | "decimalEnclosedCircleChinese" if 0 < count <= 20:
            return chr(ord("①") + count - 1)
        case "ideographTraditional" | "ideographZodiac":
            return _cycle(count, _STEMS if form == "ideographTraditional" else _BRANCHES)
        case _:
            return str(count)


class Level(NamedTuple):
    """One level of a list definition."""

    start: int = 1
    form: str = "decimal"
    text: str = ""
    legal: bool = False
    gap: bool = True


class ListPlace(NamedTuple):
    """Which list a paragraph belongs to, and how deep."""

    list_id: str
    depth: int


def _level(element: etree._Element) -> Level:
    form = value(element, "numFmt") or "decimal"
    start = number(element, "start")
    return Level(
        start=1 if start is None else start,
        form=form,
        text=value(element, "lvlText") or "",
        legal=is_on(element, "isLgl"),
        gap=value(element, "suff") != "nothing",
    )


class Numbering:
    """The lists of a document, and the counters of where they stand while its paragraphs are read in order."""

    def __init__(self, root: etree._Element | None) -> None:
        self._abstract: dict[str, dict[int, Level]] = {}
        self._style_links: dict[str, str] = {}
        self._levels_of_style: dict[str, int] = {}
        self._lists: dict[str, str] = {}
        self._overrides: dict[tuple[str, int], Level | int] = {}
        self._counters: dict[str, list[int | None]] = {}
        self._begun: set[tuple[str, int]] = set()
        for element in root if root is not None else ():
            if element.tag == tag("abstractNum"):
                self._add_abstract(element)
            elif element.tag == tag("num"):
                self._add_list(element)

    def _add_abstract(self, element: etree._Element) -> None:
        identity = element.get(tag("abstractNumId"), "")
        levels = self._abstract.setdefault(identity, {})
        for level in element.findall(tag("lvl")):
            depth = _depth(level.get(tag("ilvl")))
            levels[depth] = _level(level)
            style = value(level, "pStyle")
            if style:
                self._levels_of_style[style] = depth
        link = value(element, "numStyleLink")
        if link:
            self._style_links[identity] = link

    def _add_list(self, element: etree._Element) -> None:
        identity = element.get(tag("numId"), "")
        self._lists[identity] = value(element, "abstractNumId") or ""
        for override in element.findall(tag("lvlOverride")):
            depth = _depth(override.get(tag("ilvl")))
            level = child(override, "lvl")
            start = number(override, "startOverride")
            if level is not None:
                self._overrides[identity, depth] = _level(level)
            elif start is not None:
                self._overrides[identity, depth] = start

    def depth_of_style(self, style: str) -> int:
        """The level that a list definition ties to a paragraph style; 0 if none does."""
        return self._levels_of_style.get(style, 0)

    def resolve_links(self, list_of_style: dict[str, str]) -> None:
        """Let definitions that only name a numbering style use that style's list."""
        for identity, style in self._style_links.items():
            target = self._lists.get(list_of_style.get(style, ""), "")
            if target in self._abstract and not self._abstract[identity]:
                self._abstract[identity] = self._abstract[target]

    def next_label(self, place: ListPlace) -> str:
        """Count one paragraph and return its label with the gap behind it; empty for bullets and unknown lists."""
        definition = self._lists.get(place.list_id)
        if definition is None or place.depth >= _DEEPEST:
            return ""
        level = self._level_at(place.list_id, place.depth)
        if level.form in {"bullet", "none"} and not re.search("%[1-9]", level.text):
            return "" if level.form == "bullet" else level.text
        counters = self._count(definition, place)
        return _with_gap(self._fill(place, level, counters), level)

    def _level_at(self, list_id: str, depth: int) -> Level:
        override = self._overrides.get((list_id, depth))
        if isinstance(override, Level):
            return override
        return self._abstract.get(self._lists[list_id], {}).get(depth, Level())

    def _count(self, definition: str, place: ListPlace) -> list[int | None]:
        counters = self._counters.setdefault(definition, [None] * _DEEPEST)
        restart = self._overrides.get((place.list_id, place.depth))
        first_time = (place.list_id, place.depth) not in self._begun
        self._begun.add((place.list_id, place.depth))
        current = counters[place.depth]
        if isinstance(restart, int) and first_time:
            counters[place.depth] = restart
        elif current is None:
            counters[place.depth] = self._level_at(place.list_id, place.depth).start
        else:
            counters[place.depth] = current + 1
        counters[place.depth + 1 :] = [None] * (_DEEPEST - place.depth - 1)
        return counters

    def _fill(self, place: ListPlace, level: Level, counters: list[int | None]) -> str:
        def shown(match: re.Match[str]) -> str:
            depth = int(match.group(1)) - 1
            outer = self._level_at(place.list_id, depth)
            count = counters[depth]
            return render(outer.start if count is None else count, "decimal" if level.legal else outer.form)

        return re.sub("%([1-9])", shown, level.text)


def _depth(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0


def _with_gap(label: str, level: Level) -> str:
    """A blank stands between a label and the text, except where the label ends in a full-width mark."""
    label = label.strip()
    if not label or not level.gap or label[-1] in "、．，）】：":
        return label
    return label + " "
