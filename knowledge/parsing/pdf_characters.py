"""The characters of a PDF page with their places, from the plain-text library, which reads them fast.

Characters are dictionaries as the layout library makes them, since its tables and words are made of those.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from .lines import is_east_asian
from .pdf_frame import Frame
from .pdf_tags import tag_of

if TYPE_CHECKING:
    from pypdfium2 import PdfTextPage  # type: ignore[import-untyped]

_ASCENT = 0.8  # of the type size: where a line of text reaches above its baseline; below it, the rest
_BLANK, _GAP = 0x20, 0x1F  # a typed blank, and one that the library makes of a gap
_CLEAR_GAP = 0.2  # of the type size: the narrowest typed blank is 0.25
_LABEL_LENGTH = 9  # characters; longer numbers at the start of a line number nothing
_FAUX_BOLD = 2  # filled and outlined: how programs thicken a font without a bold cut
_SOFT_HYPHENS = frozenset({0x02, 0xAD, 0xFFFE})
"""What the library makes of a hyphen at the end of a line."""
UNMAPPED = "(cid:0)"
"""Stands for a character whose meaning the file does not tell."""


class _Style(NamedTuple):
    """What the characters of one text object have in common.

    The direction is that of the line, in degrees; `stretch` is the width of a character of width 1, in points.
    """

    fontname: str
    size: float
    direction: int
    color: tuple[float, ...]
    font: Any
    stretch: float
    tag: str


class _Box(NamedTuple):
    """A character's place in points; `widest` is where its drawn shape ends, if that is farther right."""

    left: float
    top: float
    right: float
    bottom: float
    widest: float


def characters_of(text: PdfTextPage, frame: Frame, tags: dict[int, str]) -> list[dict[str, Any]]:
    """The visible characters in the order of the file; `tags` by number of the marked content."""
    styles: dict[int, _Style] = {}
    widths: dict[tuple[int, int], float] = {}
    found: list[dict[str, Any]] = []
    blank = False
    for index, code in _codes(text):
        if code == _GAP:
            blank = True
            continue
        style = _style(text, index, frame, styles, tags)
        box = _box(text, index, style, frame, _width(style, code, widths))
        if box is None:
            continue
        character = _character(chr(code) if code else UNMAPPED, box, style, frame)
        if blank and found:
            found += _between(found[-_LABEL_LENGTH:], character)
        found.append(character)
        blank = False
    return _apart(found)


def _codes(text: PdfTextPage) -> Iterator[tuple[int, int]]:
    """Index and code point of each character that stands in the file; 0 without a known meaning.

    The library also tells blanks where the file only leaves a gap, and leaves out some that stand in a gap.
    """
    from pypdfium2.raw import (  # type: ignore[import-untyped]  # noqa: PLC0415
        FPDFText_GetUnicode,
        FPDFText_HasUnicodeMapError,
        FPDFText_IsGenerated,
    )

    count = text.count_chars()
    index = 0
    while index < count:
        start, code = index, FPDFText_GetUnicode(text, index)
        index += 1
        if FPDFText_IsGenerated(text, start) == 1 and code not in _SOFT_HYPHENS:
            if code == _BLANK:
                yield start, _GAP
            continue
        if 0xD800 <= code < 0xDC00 and index < count:  # a pair of surrogates makes one character
            code = 0x10000 + ((code - 0xD800) << 10) + (FPDFText_GetUnicode(text, index) - 0xDC00)
            index += 1
        if code in _SOFT_HYPHENS:
            code = ord("-")
        if chr(min(code, 0x10FFFF)).isspace():
            code = _BLANK
        unknown = code < _BLANK or 0xD800 <= code < 0xE000 or code > 0x10FFFF
        yield start, 0 if unknown or FPDFText_HasUnicodeMapError(text, start) == 1 else code


def _style(text: PdfTextPage, index: int, frame: Frame, known: dict[int, _Style], tags: dict[int, str]) -> _Style:
    from pypdfium2.raw import FPDFText_GetTextObject  # noqa: PLC0415

    handle = FPDFText_GetTextObject(text, index)
    address = ctypes.addressof(handle.contents) if handle else 0
    if address not in known or not address:
        known[address] = _read_style(text, index, handle, frame, tags)
    return known[address]


def _read_style(text: PdfTextPage, index: int, handle: Any, frame: Frame, tags: dict[int, str]) -> _Style:
    from pypdfium2.raw import (  # noqa: PLC0415
        FS_MATRIX,
        FPDFText_GetFontInfo,
        FPDFText_GetFontSize,
        FPDFText_GetMatrix,
        FPDFTextObj_GetFont,
        FPDFTextObj_GetTextRenderMode,
    )

    buffer, flags, matrix = ctypes.create_string_buffer(256), ctypes.c_int(), FS_MATRIX()
    length = FPDFText_GetFontInfo(text, index, buffer, 256, flags)
    name = buffer.raw[: max(min(length, 256) - 1, 0)].decode("utf-8", "replace")
    if not FPDFText_GetMatrix(text, index, matrix):
        matrix = FS_MATRIX(1, 0, 0, 1, 0, 0)
    size = FPDFText_GetFontSize(text, index) * math.hypot(matrix.c, matrix.d)
    if handle and FPDFTextObj_GetTextRenderMode(handle) == _FAUX_BOLD:
        name += ",Bold"
    direction = round(math.degrees(math.atan2(matrix.b, matrix.a))) - frame.turn
    font = FPDFTextObj_GetFont(handle) if handle else None
    tag = tag_of(handle, tags) if handle else ""
    stretch = FPDFText_GetFontSize(text, index) * math.hypot(matrix.a, matrix.b)
    return _Style(name, size, direction % 360, _color(text, index), font, stretch, tag)


def _width(style: _Style, code: int, known: dict[tuple[int, int], float]) -> float:
    """How far a character moves the next one on, in points; 0 if unknown. Its box may be wider: f, italics."""
    from pypdfium2.raw import FPDFFont_GetGlyphWidth  # noqa: PLC0415

    if not style.font or not code:
        return 0.0
    key = (ctypes.addressof(style.font.contents), code)
    if key not in known:
        width = ctypes.c_float()
        known[key] = width.value if FPDFFont_GetGlyphWidth(style.font, code, 1.0, width) else 0.0
    return known[key] * style.stretch


def _color(text: PdfTextPage, index: int) -> tuple[float, ...]:
    """Red, green, blue and opacity, each from 0 to 1."""
    from pypdfium2.raw import FPDFText_GetFillColor  # noqa: PLC0415

    parts = [ctypes.c_uint() for _ in range(4)]
    if not FPDFText_GetFillColor(text, index, *parts):
        return (0.0, 0.0, 0.0, 1.0)
    return tuple(part.value / 255 for part in parts)


def _box(text: PdfTextPage, index: int, style: _Style, frame: Frame, width: float) -> _Box | None:
    """Where a character is; None outside the visible page."""
    from pypdfium2.raw import FS_RECTF, FPDFText_GetCharOrigin, FPDFText_GetLooseCharBox  # noqa: PLC0415

    loose = FS_RECTF()
    if not FPDFText_GetLooseCharBox(text, index, loose):
        return None
    left, top, right, bottom = frame.box(loose.left, loose.bottom, loose.right, loose.top)
    widest = right
    if style.direction == 0:
        x, y = ctypes.c_double(), ctypes.c_double()
        FPDFText_GetCharOrigin(text, index, x, y)
        start, baseline = frame.point(x.value, y.value)
        if width:
            left, right = start, start + width
        top, bottom = baseline - _ASCENT * style.size, baseline + (1 - _ASCENT) * style.size
    middle = (left + right) / 2, (top + bottom) / 2
    inside = -1 <= middle[0] <= frame.width + 1 and -1 <= middle[1] <= frame.height + 1
    return _Box(left, top, right, bottom, widest) if inside else None


def _character(text: str, box: _Box, style: _Style, frame: Frame) -> dict[str, Any]:
    left, top, right, bottom, widest = box
    return {
        "object_type": "char",
        "text": text,
        "fontname": style.fontname,
        "size": style.size,
        "upright": style.direction == 0,
        "direction": style.direction,
        "tag": style.tag,
        "non_stroking_color": style.color,
        "widest": widest,
        **frame.place(left, top, right, bottom),
    }


def _between(last: list[dict[str, Any]], after: dict[str, Any]) -> list[dict[str, Any]]:
    """A blank between the last character and the next one of the same line.

    Chinese characters are often spread to fill a line, so between them the gap must be wider than the one before;
    between them and letters or digits programs leave a little room by themselves.
    """
    before = last[-1]
    gap = after["x0"] - before["x1"]
    chinese = [is_east_asian(character["text"]) for character in (before, after)]
    if gap <= 0 or abs(before["bottom"] - after["bottom"]) > 0.5 * after["size"]:
        return []
    if all(chinese) and (gap < _CLEAR_GAP * after["size"] or before["x0"] - last[-2:][0]["x1"] > 0.2 * gap):
        return []
    if any(chinese) and not all(chinese) and not (chinese[1] and _ends_label(last)):
        return []
    left, right = before["x1"], after["x0"]
    return [{**after, "text": " ", "x0": left, "x1": right, "widest": right, "width": right - left}]


def _ends_label(last: list[dict[str, Any]]) -> bool:
    """Whether the line so far is a number such as 1, 2.3 or 10., or its last character is a closing mark."""
    if last[-1]["text"] in ".,:;)]":
        return True
    line = [character["text"] for character in last if abs(character["bottom"] - last[-1]["bottom"]) < 1]
    return len(line) < _LABEL_LENGTH and all(text.isdigit() or text == "." for text in line)


def _apart(characters: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Letters of a ligature, which share one place, side by side."""
    start = 0
    while start < len(characters):
        end = start + 1
        first = characters[start]
        while end < len(characters) and _same_place(first, characters[end]):
            end += 1
        if end - start > 1:
            step = (first["widest"] - first["x0"]) / (end - start)
            left = first["x0"]
            for offset, character in enumerate(characters[start:end]):
                character.update(x0=left + offset * step, x1=left + (offset + 1) * step, width=step)
        start = end
    return characters


def _same_place(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return bool(one["x0"] == other["x0"] and one["top"] == other["top"] and one["text"].isalpha())
