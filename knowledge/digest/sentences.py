"""The sentences of a text that its digest quotes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from typing import NamedTuple

from ..text.sentences import split_sentences
from .clipping import clip
from .details import Detail, ValueKey, details_in
from .entities import defined_terms

_MARKUP = re.compile(r"^\s*(?:#{1,6}\s+|[-*•·]\s+|>\s+)|\*\*|__")
_BLANKS = re.compile(r"\s+")
_ENDS = re.compile(r"[。！？!?；;.…：:][\"'”’」』）)\]】]*\s*$")
_HEADING_LENGTH = 30
_TAIL_SHARE = 2
"""At most one part in so many of a summary is a mere list of details."""
_LEAD_SHARE = 3


class _Piece(NamedTuple):
    text: str
    details: dict[frozenset[ValueKey], int]
    """By what they say, the room that each takes in a list."""
    is_wanted: bool


def sum_up_text(text: str, limit: int) -> str:
    """The first sentence and, as far as they fit, those with a detail or a defined term, in the text's order.

    Where not all fit, those that hold most details for their length are quoted, and room is left for a list of the
    others' details.

    Args:
        text: of a block.
        limit: characters at most.
    """
    pieces = _pieces(text)
    if not pieces:
        return ""
    lead = next((i for i, piece in enumerate(pieces) if not _is_heading(piece.text)), 0)
    wanted = [i for i, piece in enumerate(pieces) if piece.is_wanted or i == lead]
    chosen = wanted if _length(pieces, wanted) <= limit else _densest(pieces, wanted, lead, limit)
    longest = limit // _LEAD_SHARE if len(chosen) > 1 else limit
    return _joined([clip(pieces[i].text, longest) if i == lead else pieces[i].text for i in chosen])


def _joined(texts: list[str]) -> str:
    """Sentences side by side; a line that does not end like one is kept apart from the next."""
    ended = (text if _ENDS.search(text) else f"{text};" for text in texts[:-1])
    return " ".join((*ended, *texts[-1:]))


def _densest(pieces: list[_Piece], wanted: list[int], lead: int, limit: int) -> list[int]:
    listed = {key: room for i in wanted for key, room in pieces[i].details.items()}
    chosen, used = [lead], min(len(pieces[lead].text), limit // _LEAD_SHARE)
    for key in pieces[lead].details if used == len(pieces[lead].text) else ():
        listed.pop(key, None)
    by_density = sorted(wanted, key=lambda i: -sum(pieces[i].details.values()) / (len(pieces[i].text) + 1))
    for i in by_density:
        left = sum(room for key, room in listed.items() if key not in pieces[i].details)
        length = len(pieces[i].text) + 2
        if i != lead and used + length + min(left, limit // _TAIL_SHARE) <= limit:
            chosen.append(i)
            used += length
            for key in pieces[i].details:
                listed.pop(key, None)
    return sorted(chosen)


def _pieces(text: str) -> list[_Piece]:
    terms, details = defined_terms(text), details_in(text)
    starts, found = [one.start for one in details], list[_Piece]()
    for start, end in split_sentences(text, at_semicolons=True):
        inside = details[bisect_left(starts, start) : bisect_left(starts, end)]
        found.append(_piece(text[start:end], inside, terms))
    return found


def _piece(raw: str, details: Iterable[Detail], terms: Iterable[str]) -> _Piece:
    text = _BLANKS.sub(" ", _MARKUP.sub("", raw)).strip().strip("|").strip()
    rooms = {one.keys: len(one.raw) + 2 for one in details}
    return _Piece(text, rooms, bool(rooms) or any(term in text for term in terms))


def _is_heading(text: str) -> bool:
    return len(text) < _HEADING_LENGTH and _ENDS.search(text) is None


def _length(pieces: list[_Piece], chosen: list[int]) -> int:
    return sum(len(pieces[i].text) + 2 for i in chosen)
