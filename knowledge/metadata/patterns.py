"""Patterns of folder rules, as in `.gitignore`: `*.pdf` anywhere below, `contracts/**/2024*` from the folder on."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

MOST_CHARACTERS = 500
"""Of a pattern."""

_PIECE = re.compile(
    r"(?P<folders>\*\*/)|(?P<all>\*\*)|(?P<some>\*)|(?P<one>\?)|\[(?P<set>[^\]/]+)\]|(?P<text>.)", re.DOTALL
)
# A regular expression tries every way to share a path among so many runs of any length; with two that is quick.
_MOST_RUNS_TRIED = 2


class _Kind(StrEnum):
    FOLDERS = "folders"  # any number of folders, each with its slash
    INSIDE = "inside"  # the name of one of them
    ALL = "all"  # any characters
    SOME = "some"  # any but slashes
    ONE = "one"  # one character


class _Step(NamedTuple):
    kind: _Kind
    expression: str = ""
    """for ONE: which character"""


_REGEX = {_Kind.FOLDERS: "(?:[^/]+/)*", _Kind.INSIDE: "", _Kind.ALL: ".*", _Kind.SOME: "[^/]*"}
_RUNS = frozenset({_Kind.FOLDERS, _Kind.ALL, _Kind.SOME})


def matches(pattern: str, path: str) -> bool:
    """Whether a path below the rule's folder is meant, or a folder that it lies in.

    Letter case does not matter, nor which of the two ways of writing accents a file system uses. The time stays in
    proportion whatever the pattern: who may write into a shared folder may write its rules.

    Args:
        pattern: without a slash inside it is the name of a file or folder anywhere below.
        path: relative to the folder of the rule, with slashes.
    """
    steps = _steps(_folded(pattern))
    if sum(step.kind in _RUNS for step in steps) <= _MOST_RUNS_TRIED:
        return _compiled(steps).fullmatch(_folded(path)) is not None
    return _walk(steps, _folded(path))


@lru_cache(maxsize=1_024)
def _compiled(steps: tuple[_Step, ...]) -> re.Pattern[str]:
    body = "".join(_REGEX.get(step.kind, step.expression) for step in steps)
    return re.compile(f"{body}(?:/.*)?", re.DOTALL)


def _walk(steps: tuple[_Step, ...], path: str) -> bool:
    """The same by following all ways through the pattern at once, character by character."""
    places = _reached(steps, {0})
    for character in path:
        if len(steps) in places and character == "/":
            return True
        places = _reached(steps, {next_ for place in places for next_ in _after(steps, place, character)})
    return len(steps) in places


def _after(steps: tuple[_Step, ...], place: int, character: str) -> Iterator[int]:
    """Where in the pattern one may be behind a character."""
    if place == len(steps):
        return
    step, is_slash = steps[place], character == "/"
    match step.kind:
        case _Kind.ALL:
            yield place
        case _Kind.SOME if not is_slash:
            yield place
        case _Kind.FOLDERS if not is_slash:
            yield place + 1
        case _Kind.INSIDE:
            yield place - 1 if is_slash else place
        case _Kind.ONE if _character(step.expression).match(character):
            yield place + 1


def _reached(steps: tuple[_Step, ...], places: set[int]) -> set[int]:
    """These places, and those behind runs that may end here."""
    found = set(places)
    for place in places:
        behind = place
        while behind < len(steps) and steps[behind].kind in _RUNS:
            behind += 2 if steps[behind].kind is _Kind.FOLDERS else 1
            found.add(behind)
    return found


@lru_cache(maxsize=4_096)
def _character(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.DOTALL)


@lru_cache(maxsize=1_024)
def _steps(pattern: str) -> tuple[_Step, ...]:
    bare = pattern.strip("/")
    is_anywhere = not ("/" in bare or pattern.startswith("/"))
    steps = [_Step(_Kind.FOLDERS), _Step(_Kind.INSIDE)] if is_anywhere else []
    for piece in _PIECE.finditer(bare):
        steps += _steps_of(piece)
    return tuple(steps)


def _steps_of(piece: re.Match[str]) -> list[_Step]:
    match piece.lastgroup:
        case "folders":
            return [_Step(_Kind.FOLDERS), _Step(_Kind.INSIDE)]
        case "all" | "some":
            return [_Step(_Kind(piece.lastgroup))]
        case "one":
            return [_Step(_Kind.ONE, "[^/]")]
        case "set":
            return [_Step(_Kind.ONE, _set(piece["set"]))]
    return [_Step(_Kind.ONE, re.escape(piece[0]))]


def _set(inside: str) -> str:
    """A set of characters; a range that runs backwards is the three characters that it is written with."""
    negated = inside[0] in "!^" and len(inside) > 1
    letters = re.sub(r"(.)-(.)|(.)", _member, inside[1:] if negated else inside, flags=re.DOTALL)
    return f"[^/{letters}]" if negated else f"[{letters}]"


def _member(found: re.Match[str]) -> str:
    first, last = found[1], found[2]
    if first is not None and first <= last:
        return f"{re.escape(first)}-{re.escape(last)}"
    return "".join(re.escape(character) for character in found[0])


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()
