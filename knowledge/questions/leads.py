"""An opening that names one place for each subject (according to the judgments of X and Y): which subject has which."""

from __future__ import annotations

import re

from .coordination import coordination

_ENGLISH_PAIR = re.compile(
    r"^(?P<front>.*?\bof |.*?\b(?:to|in|by|from|under) )(?P<one>.+?) and (?P<other>.+?)(?P<end>,\s*)$"
)


def own_leads(lead: str, language: str, count: int) -> tuple[str, ...]:
    """The opening once for each of `count` subjects; the n-th place only for the n-th, where it names so many."""
    own = _chinese(lead) if language == "zh" else _english(lead)
    return own if len(own) == count else (lead,) * count


def _chinese(lead: str) -> tuple[str, ...]:
    opening = re.match(r"(?:根据|依据|按照|依照|在|结合)?", lead)
    front = opening.group() if opening else ""
    row = coordination(lead[len(front) :])
    if row is None or len({item[-2:] for item in row.items}) > 1:
        return (lead,)
    return tuple(f"{front}{thing}{row.after}" for thing in row.each())


def _english(lead: str) -> tuple[str, ...]:
    found = _ENGLISH_PAIR.match(lead)
    if found is None or found["one"].split()[-1] != found["other"].split()[-1]:
        return (lead,)
    return tuple(f"{found['front']}{place}{found['end']}" for place in (found["one"], found["other"]))
