"""Reads words that stand on their side, as the heads of narrow columns often do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .lines import clean_line, join_lines

_GAP = 0.25  # in character heights, from which two words stand apart
_SAME_LINE = 0.5  # in character heights


def turned_text(characters: Sequence[dict[str, Any]]) -> str:
    """Characters that all stand on their side as text: most of them decide whether it reads upwards or downwards."""
    visible = [character for character in characters if not character["text"].isspace()]
    if not visible:
        return ""
    upwards = sum(map(_reads_upwards, visible)) * 2 > len(visible)
    lines = _lines(list(characters), upwards)
    return clean_line(join_lines([_text(line, upwards) for line in lines]))


def _reads_upwards(character: dict[str, Any]) -> bool:
    matrix = character.get("matrix")
    if matrix is not None:
        return bool(matrix[1] > 0)
    return bool(character.get("direction") == 90)


def _size(character: dict[str, Any]) -> float:
    return max(float(character["x1"] - character["x0"]), 1.0)


def _lines(characters: Sequence[dict[str, Any]], upwards: bool) -> list[list[dict[str, Any]]]:
    """Lines in reading order: from left to right where they read upwards, else from right to left."""
    lines: list[list[dict[str, Any]]] = []
    for character in sorted(characters, key=lambda c: (c["x0"] + c["x1"]) / 2, reverse=not upwards):
        middle = (character["x0"] + character["x1"]) / 2
        last = (lines[-1][0]["x0"] + lines[-1][0]["x1"]) / 2 if lines else None
        if last is not None and abs(middle - last) < _SAME_LINE * _size(character):
            lines[-1].append(character)
        else:
            lines.append([character])
    return [sorted(line, key=lambda c: -c["bottom"] if upwards else c["top"]) for line in lines]


def _text(line: Sequence[dict[str, Any]], upwards: bool) -> str:
    text = ""
    for before, character in zip([None, *line], line, strict=False):
        if before is not None:
            gap = before["top"] - character["bottom"] if upwards else character["top"] - before["bottom"]
            text += " " if gap > _GAP * _size(character) else ""
        text += character["text"]
    return text
