"""Text on a PDF page that does not run from left to right: diagonal, sideways, from top to bottom."""

from __future__ import annotations

from itertools import groupby, pairwise
from statistics import median
from typing import Any, NamedTuple

from .lines import clean_line, is_east_asian
from .pdf_layout import Line, TableBox, reading_order, words_of

Characters = list[dict[str, Any]]

_STEEP = 10  # degrees from which a line leans on purpose; scanned pages lean by less
_LARGE = 1.8  # times the usual size: watermarks are set as large at least
_PALE = 0.6  # lightness from 0 (black) to 1 (white) from which text is hardly darker than the paper
_BEHIND = 0.3  # share of a pale text's characters that lie over others: it is printed behind them
_LEAST_LETTERS = 2
_MOST_STAMPS, _LONGEST_STAMP = 3, 120  # lines and characters of what is stamped in the margin of a page
_LEAST_DOWN = 0.6  # share of steps from one Chinese character to the next that go down
_LEAST_VERTICAL = 12  # Chinese characters; fewer show no direction


class Between(NamedTuple):
    """Where the text of a page begins and ends from side to side, in points."""

    left: float
    right: float


class Apart(NamedTuple):
    """The characters of a page by their role; `watermarks` are texts behind the others."""

    upright: Characters
    sideways: Characters
    pale: Characters
    watermarks: tuple[str, ...]


def set_apart(characters: Characters) -> Apart:
    """Upright text, sideways text, large pale text, and what is printed behind."""
    visible = [character for character in characters if not character["text"].isspace()]
    usual = median(character["size"] for character in visible) if visible else 0.0
    diagonal = [character for character in characters if _leans(character)]
    level = [character for character in characters if _direction(character) == 0]
    sideways = [character for character in characters if _direction(character) in {90, 180, 270}]
    pale = [character for character in level if character["size"] >= _LARGE * usual and _is_pale(character)]
    pale_ids = set(map(id, pale))
    level = [character for character in level if id(character) not in pale_ids]
    watermarks = _texts([c for c in diagonal if c["size"] >= _LARGE * usual or _is_pale(c)])
    if pale and _overlap(pale, level) >= _BEHIND:
        watermarks += _texts(pale)
        pale = []
    return Apart(level, sideways, pale, tuple(watermarks))


def _direction(character: dict[str, Any]) -> int:
    """The direction of its line in degrees, small leanings taken as none."""
    if "direction" not in character:
        return 0 if character["upright"] else 90
    return round(character["direction"] / 90) * 90 % 360 if not _leans(character) else int(character["direction"])


def _leans(character: dict[str, Any]) -> bool:
    return bool(_STEEP < character.get("direction", 0) % 90 < 90 - _STEEP)


def _is_pale(character: dict[str, Any]) -> bool:
    color = character.get("non_stroking_color")
    if not isinstance(color, tuple) or len(color) != 4:
        return False
    red, green, blue, opacity = map(float, color)
    lightness = 0.3 * red + 0.59 * green + 0.11 * blue
    return 1 - (1 - lightness) * opacity >= _PALE


def _overlap(pale: Characters, others: Characters) -> float:
    """Share of the pale characters that lie over others."""
    boxes = [(c["x0"], c["x1"], c["top"], c["bottom"]) for c in others if not c["text"].isspace()]
    hit = sum(
        any(a < c["x1"] and b > c["x0"] and top < c["bottom"] and bottom > c["top"] for a, b, top, bottom in boxes)
        for c in pale
    )
    return hit / len(pale)


def _texts(characters: Characters) -> list[str]:
    """The texts of characters that follow each other in the file with one size, each once."""
    groups = groupby(characters, key=lambda c: (round(c["size"]), c.get("direction", 0)))
    texts = [clean_line("".join(c["text"] for c in group)) for _, group in groups]
    return list(dict.fromkeys(text for text in texts if text))


def sideways_lines(characters: Characters, number: int, within: Between | None = None) -> list[Line | TableBox]:
    """Lines that run upwards, downwards or on their head, as lines for the end of the page.

    Args:
        characters: that run so.
        number: of the page.
        within: where the text of the page lies; None if it has none.
    """
    found: list[Line | TableBox] = []
    for direction in (90, 270, 180):
        turned = [_turned(c, direction) for c in characters if _direction(c) == direction]
        if sum(c["text"].isalnum() for c in turned) >= _LEAST_LETTERS:
            low = max(c["bottom"] for c in characters)
            lines = [line for line in reading_order(words_of(turned), number) if isinstance(line, Line)]
            stamps = _are_stamps(lines, direction, within)
            found += [line._replace(top=low, bottom=low, beside=True, in_margin=stamps) for line in lines]
    return found


def _are_stamps(lines: list[Line], direction: int, within: Between | None) -> bool:
    """Whether sideways lines are all in the margin beside the text, and few."""
    if within is None or direction == 180 or len(lines) > _MOST_STAMPS:
        return False
    if sum(len(line.text) for line in lines) > _LONGEST_STAMP:
        return False
    places = [(line.top, line.bottom) if direction == 90 else (-line.bottom, -line.top) for line in lines]
    return all(right <= within.left or left >= within.right for left, right in places)


def _turned(character: dict[str, Any], direction: int) -> dict[str, Any]:
    left, right, top, bottom = (character[key] for key in ("x0", "x1", "top", "bottom"))
    if direction == 90:
        box = (-bottom, -top, left, right)
    elif direction == 270:
        box = (top, bottom, -right, -left)
    else:
        box = (-right, -left, -bottom, -top)
    return {**character, "x0": box[0], "x1": box[1], "top": box[2], "bottom": box[3], "upright": True}


def downwards(characters: Characters) -> bool:
    """Whether most Chinese or Japanese characters follow each other from top to bottom."""
    chinese = [c for c in characters if is_east_asian(c["text"])]
    if len(chinese) < _LEAST_VERTICAL or 2 * len(chinese) < len(characters):
        return False
    down = sum(_follows_below(above, below) for above, below in pairwise(chinese))
    beside = sum(abs(one["top"] - other["top"]) < 0.5 * one["size"] for one, other in pairwise(chinese))
    return down >= _LEAST_DOWN * (len(chinese) - 1) and down > 3 * beside


def _follows_below(above: dict[str, Any], below: dict[str, Any]) -> bool:
    size = above["size"]
    return bool(abs(above["x0"] - below["x0"]) < 0.5 * size and 0.5 * size < below["top"] - above["top"] < 2 * size)


def laid_down(characters: Characters, width: float) -> Characters:
    """Columns from right to left as lines from top to bottom."""
    return [
        {**c, "x0": c["top"], "x1": c["bottom"], "top": width - c["x1"], "bottom": width - c["x0"]} for c in characters
    ]
