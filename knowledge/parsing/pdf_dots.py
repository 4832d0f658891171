"""Tells rules from what else is drawn: puts dots and dashes together, and knows white grounds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

_LARGEST_DOT = 12.0  # points: the longest dash
_THINNEST = 2.5  # points: the thickest rule
_WIDEST_GAP = 6.0  # points between two dots of one rule
_INKS = 4  # parts of a colour that is mixed of inks, of which white has none
_LEAST_DOTS = 6
_SHORTEST = 8.0  # points
_SAME_LINE = 1.0  # points by which dots of one rule may be out of line


class _Dot(NamedTuple):
    start: float
    end: float
    across: float


def is_dot(item: dict[str, Any]) -> bool:
    """Whether a drawn rectangle or line is short and thin enough to be part of a dotted or dashed rule."""
    width, height = float(item["x1"] - item["x0"]), float(item["bottom"] - item["top"])
    return min(width, height) <= _THINNEST and max(width, height) <= _LARGEST_DOT


def is_blank(item: dict[str, Any]) -> bool:
    """Whether an area is only painted white: the ground of a line or cell, whose sides nobody sees."""
    width, height = float(item["x1"] - item["x0"]), float(item["bottom"] - item["top"])
    if min(width, height) <= _THINNEST or item.get("stroke") or not item.get("fill"):
        return False
    colour = item.get("non_stroking_color")
    parts = colour if isinstance(colour, tuple | list) else (colour,)
    white = 0 if len(parts) == _INKS else 1
    return all(isinstance(part, int | float) and part == white for part in parts)


def dotted_rules(items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rules that dots and dashes form, as lines in the layout library's way."""
    dots = [item for item in items if is_dot(item)]
    level = [_Dot(i["x0"], i["x1"], (i["top"] + i["bottom"]) / 2) for i in dots if i["bottom"] - i["top"] <= _THINNEST]
    upright = [_Dot(i["top"], i["bottom"], (i["x0"] + i["x1"]) / 2) for i in dots if i["x1"] - i["x0"] <= _THINNEST]
    rules = [_rule(start, across, end, across) for start, end, across in _chains(level)]
    return rules + [_rule(across, start, across, end) for start, end, across in _chains(upright)]


def _chains(dots: Sequence[_Dot]) -> Iterator[_Dot]:
    lines: defaultdict[int, list[_Dot]] = defaultdict(list)
    for dot in dots:
        lines[round(dot.across / _SAME_LINE)].append(dot)
    for line in lines.values():
        chain: list[_Dot] = []
        for dot in sorted(line):
            if chain and dot.start - max(chain[-1].end, chain[-1].start) > _WIDEST_GAP:
                yield from _joined(chain)
                chain = []
            chain.append(dot)
        yield from _joined(chain)


def _joined(chain: Sequence[_Dot]) -> Iterator[_Dot]:
    start, end = chain[0].start, max(dot.end for dot in chain)
    if len(chain) >= _LEAST_DOTS and end - start >= _SHORTEST:
        yield _Dot(start, end, sum(dot.across for dot in chain) / len(chain))


def _rule(x0: float, top: float, x1: float, bottom: float) -> dict[str, Any]:
    return {
        "object_type": "line", "x0": x0, "x1": x1, "top": top, "bottom": bottom,
        "width": x1 - x0, "height": bottom - top, "orientation": "h" if top == bottom else "v",
    }  # fmt: skip
