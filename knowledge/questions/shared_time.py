"""What is said once holds for every part: the one period of a question (去年华东的营收比华南高多少), asked of each."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import NamedTuple

from ..query.periods import find_periods
from .models import Combination, Decomposition
from .parts import Asked, asked_without

_Parts = Callable[[Asked], Decomposition | None]

# Only where a period stands is asked, and that is the same on every day.
_ANY_DAY = date(2020, 6, 15)
_TITLE = re.compile(r"《[^》]*》|“[^”]*”|\"[^\"]*\"")
_EDITION = re.compile(r"\s?(?:年?度?\s?(?:修订|修正)?版|edition|version|revision|issue)", re.IGNORECASE)
_CHINESE_END = re.compile(
    r"(?:度(?![量日假]))?(?:的?第?[一二三四1-4]个?季度|的?[Qq][1-4]|的?[上下]半年|的?\d{1,2}月份?)?"
    r"(?:\s?(?:到|至|-|~)\s?\d{1,2}月份?)?(?:期间|之?内|里|间)?"
)
_CHINESE_START = re.compile(r"(?:在|于|截至|截止到?)$")
_ENGLISH_START = re.compile(
    r"(?:\b(?:in|during|for|over|from|of|within|throughout)\s+)?(?:the\s+)?(?:year\s+)?"
    r"(?:\b(?:first|second|third|fourth|1st|2nd|3rd|4th)\s+quarter\s+of\s+(?:the\s+year\s+)?|\bQ[1-4]\s+(?:of\s+)?)?$",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(r"^(?:(?:in|during|for|over|from|of|within|throughout)\s+|[在于])", re.IGNORECASE)
_OF = re.compile(r"^of\b", re.IGNORECASE)
_AND_COMMA = re.compile(r"\s*,\s*")
_SUBJECTS = frozenset(
    {
        Combination.LARGER,
        Combination.SMALLER,
        Combination.EARLIER,
        Combination.LATER,
        Combination.DIFFERENCE,
        Combination.CONTRAST,
        Combination.LIST,
    }
)


class SharedTime(NamedTuple):
    """The one period that a question names, and where."""

    text: str
    start: int
    end: int


def time_in(text: str, language: str) -> SharedTime | None:
    """The period that a text names; None where it names none or more than one, or the edition of a document."""
    places = _periods(text, language)
    return places[0] if len(places) == 1 else None


def has_time(text: str, language: str) -> bool:
    """Whether a text names any period."""
    return bool(_periods(text, language))


def _periods(text: str, language: str) -> list[SharedTime]:
    hidden = _TITLE.sub(lambda title: " " * len(title.group()), text)
    found: list[SharedTime] = []
    for period in find_periods(hidden, _ANY_DAY):
        one = _widened(hidden, period.start, period.end, language)
        if _EDITION.match(hidden, period.end):
            continue
        if found and one.start <= found[-1].end:
            one = _span(hidden, found.pop().start, one.end)
        found.append(one)
    return found


def _widened(text: str, start: int, end: int, language: str) -> SharedTime:
    """A period with its preposition, and with the quarter or month that belongs to its year."""
    if language == "zh":
        before, behind = _CHINESE_START.search(text, 0, start), _CHINESE_END.match(text, end)
        return _span(text, before.start() if before else start, behind.end() if behind else end)
    before = _ENGLISH_START.search(text, 0, start)
    return _span(text, before.start() if before else start, end)


def _span(text: str, start: int, end: int) -> SharedTime:
    return SharedTime(text[start:end].strip(), start, end)


def in_shared_time(read: Asked, found: Decomposition | None, parts_of: _Parts) -> Decomposition | None:
    """The parts with the period that the question names once, where the rules have lost it on the way.

    The question is taken apart without its period, and each part is asked of that period. Where it cannot be taken
    apart without it (华东的营收比去年高多少: the period is what is compared), the parts stay as they are.

    Args:
        read: the question.
        found: its parts; None: it seems to have one.
        parts_of: takes a question apart.
    """
    if found is not None and (compared := _compared_times(found, read.language)) is not None:
        return compared
    time = time_in(read.text, read.language)
    if time is None or (found is not None and not _has_lost(found, read, time)):
        return found
    if found is None and read.text[: time.start].strip():
        return None
    bare = parts_of(_without(read, time))
    if bare is None or bare.combination not in _SUBJECTS or any(part.depends_on for part in bare.parts):
        return found
    if bare.combination is Combination.LIST and (found is None or "?" in read.text.rstrip("? ")):
        return found
    if found is not None and len(bare.parts) != len(found.parts):
        return found
    parts = tuple(
        part.model_copy(update={"text": _of_time(part.text, time.text, read.lead, read.language)})
        for part in bare.parts
    )
    return bare.model_copy(update={"parts": parts})


def _compared_times(found: Decomposition, language: str) -> Decomposition | None:
    """华东今年的营收比去年高多少: what is asked of one period is asked of the other; None: none are compared."""
    if len(found.parts) != 2 or found.combination not in _SUBJECTS - {Combination.LIST}:
        return None
    first, second = found.parts
    one, own = time_in(first.text, language), time_in(second.text, language)
    if one is not None and own is not None and one.text != own.text and first.subject == second.subject:
        return _of_times(found, one, own, second.text)
    other = time_in(second.subject, language)
    if other is None or _bare(other.text) != _bare(second.subject) or (one is not None and one.text == other.text):
        return None
    if one is not None:
        return _of_times(found, one, other, f"{first.text[: one.start]}{other.text}{first.text[one.end :]}")
    # 华东的营收比去年高多少: of when the first is asked is not said, but the second is asked of the same thing.
    text = _of_time(first.text, other.text, "", language)
    return found.model_copy(update={"parts": (first, second.model_copy(update={"text": text}))})


def _of_times(found: Decomposition, one: SharedTime, other: SharedTime, second: str) -> Decomposition:
    """Two parts that differ by their periods are told apart by them."""
    parts = (
        found.parts[0].model_copy(update={"subject": _bare(one.text)}),
        found.parts[1].model_copy(update={"subject": _bare(other.text), "text": second}),
    )
    return found.model_copy(update={"parts": parts})


def _bare(time: str) -> str:
    return _PREPOSITION.sub("", time.strip())


def _has_lost(found: Decomposition, read: Asked, time: SharedTime) -> bool:
    """Whether a part that stands for itself names no period; one that follows from an earlier part needs none."""
    if found.combination not in _SUBJECTS:
        return False
    return any(not part.depends_on and not has_time(part.text, read.language) for part in found.parts)


def _without(read: Asked, time: SharedTime) -> Asked:
    """The question without its period, and without the particle or comma that only belonged to it."""
    before, behind = read.text[: time.start], read.text[time.end :]
    comma = _AND_COMMA.match(behind)
    is_first = not before.strip() or before.rstrip().endswith(",")
    if comma and is_first:
        behind = behind[comma.end() :]
    elif read.language == "zh" and (is_first or before.endswith(("的", "比", "和", "与"))):
        behind = behind.removeprefix("的")
    return asked_without(read, f"{before.rstrip() if read.language == 'en' else before}{_gap(read)}{behind.lstrip()}")


def _gap(read: Asked) -> str:
    return " " if read.language == "en" else ""


def _of_time(part: str, time: str, lead: str, language: str) -> str:
    """A part, asked of a period."""
    if language == "zh":
        lead = lead if lead and part.startswith(lead) else ""
        return f"{lead}{time}{part[len(lead) :]}"
    said = _OF.sub("in", time)
    said = f"{said[:1].lower()}{said[1:]}" if said[:1] != "Q" else said
    return f"{part.rstrip('? ')} {said}?"
