"""The numbers that OpenDocument lists show before their entries."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from ..text.numerals import format_chinese

if TYPE_CHECKING:
    from lxml.etree import _Element

TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"))
_SMALL_ROMAN = ((9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


class Level(NamedTuple):
    """How one level of a list is numbered."""

    form: str
    prefix: str
    suffix: str
    start: int
    shown: int
    """how many levels the number shows, such as 2 for ``1.2``"""


def levels_of(style: _Element) -> dict[int, Level]:
    """The numbered levels of a list or outline style, by depth from 1; levels with bullets are not in it."""
    found: dict[int, Level] = {}
    for child in style:
        if child.tag in {f"{TEXT}list-level-style-number", f"{TEXT}outline-level-style"}:
            form = str(child.get(f"{STYLE}num-format") or "")
            if form:
                found[positive(child.get(f"{TEXT}level"))] = Level(
                    form,
                    str(child.get(f"{STYLE}num-prefix") or ""),
                    str(child.get(f"{STYLE}num-suffix") or ""),
                    positive(child.get(f"{TEXT}start-value")),
                    positive(child.get(f"{TEXT}display-levels")),
                )
    return found


def label(levels: dict[int, Level], counts: list[int]) -> str:
    """What stands before an entry, with a blank behind it; empty for a bullet.

    Args:
        counts: of the entry's level and those above it, from the outside in.
    """
    level = levels.get(len(counts))
    if level is None:
        return ""
    first = max(len(counts) - level.shown, 0)
    shown = [
        _written(levels[depth + 1].form, counts[depth]) for depth in range(first, len(counts)) if depth + 1 in levels
    ]
    return f"{level.prefix}{'.'.join(shown)}{level.suffix} "


def _written(form: str, number: int) -> str:
    return _FORMS.get(form, str)(number)


def _letters(number: int) -> str:
    text = ""
    while number > 0:
        number, place = divmod(number - 1, 26)
        text = chr(ord("a") + place) + text
    return text


def _roman(number: int) -> str:
    text = ""
    for value, sign in (*_ROMAN, *_SMALL_ROMAN):
        count, number = divmod(number, value)
        text += sign * count
    return text


_FORMS: dict[str, Callable[[int], str]] = {
    "a": _letters,
    "A": lambda number: _letters(number).upper(),
    "i": _roman,
    "I": lambda number: _roman(number).upper(),
    "一, 二, 三, ...": format_chinese,
    "一": format_chinese,
    "壹, 贰, 叁, ...": format_chinese,
    "①, ②, ③, ...": lambda number: chr(0x2460 + number - 1) if number <= 20 else str(number),
    "甲, 乙, 丙, ...": lambda number: "甲乙丙丁戊己庚辛壬癸"[(number - 1) % 10],
}


def positive(value: object) -> int:
    """A number in an attribute; 1 if there is none."""
    text = str(value or "")
    return int(text) if text.isascii() and text.isdigit() and 0 < len(text) < 6 else 1
