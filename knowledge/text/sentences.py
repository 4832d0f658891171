"""Where sentences begin and end, in Chinese and English text, lists and Markdown tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


class Span(NamedTuple):
    """A piece of a text: offset of its first character and offset behind its last."""

    start: int
    end: int


_CLOSING = "\"'”’」』》〉）)】]〕}"
_END = re.compile(rf"[。！？!?｡…]+[{re.escape(_CLOSING)}]*|\.+[{re.escape(_CLOSING)}]*(?=\s|$)")
_SEMICOLON = re.compile("[；;]")
_LINE = re.compile(r"[^\r\n\u2028\u2029]+")
_LOOKED_BACK = 200  # characters before a full stop; words are shorter, and lines may hold a hundred thousand stops
_TABLE_ROW = re.compile(r"\s*\|.*\|\s*$")
_FIRST_WORD = re.compile(r"\s*([^\s]{0,200})")  # a text without blanks has but one "word"
_LAST_WORD = re.compile(r"(?:^|[\s(\[\"'“‘（])([A-Za-z][A-Za-z.]*|\d+|[IVXLC]+)$")

_ABBREVIATIONS = frozenset(
    [
        "mr",
        "mrs",
        "ms",
        "dr",
        "prof",
        "sr",
        "jr",
        "st",
        "messrs",
        "vs",
        "etc",
        "approx",
        "dept",
        "est",
        "fig",
        "figs",
        "eq",
        "no",
        "nos",
        "art",
        "arts",
        "sec",
        "secs",
        "ch",
        "vol",
        "vols",
        "pp",
        "ed",
        "eds",
        "rev",
        "para",
        "paras",
        "cl",
        "inc",
        "ltd",
        "co",
        "corp",
        "bros",
        "plc",
        "llc",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
        "e.g",
        "i.e",
        "cf",
        "al",
        "viz",
        "ca",
        "gen",
        "gov",
        "sen",
        "rep",
        "hon",
        "ave",
        "blvd",
        "rd",
        "u.s",
        "u.k",
        "u.n",
        "e.u",
        "a.m",
        "p.m",
        "ph.d",
    ]
)
# These may stand at the end of a sentence too: only a following lower-case word or number shows they do not.
_MAY_END = frozenset(
    [
        "etc",
        "inc",
        "ltd",
        "co",
        "corp",
        "bros",
        "plc",
        "llc",
        "a.m",
        "p.m",
        "u.s",
        "u.k",
        "u.n",
        "e.u",
        "ph.d",
        "jr",
        "sr",
        "al",
    ]
)


def split_sentences(text: str, *, at_semicolons: bool = False) -> list[Span]:
    """The sentences of a text in order: disjoint, trimmed, and together covering every non-blank character.

    A sentence ends at 。！？!? and at an English full stop that is not part of an abbreviation, an initial, a
    number, an id or a list label; closing quotes and brackets stay with their sentence. Every line break ends
    a sentence, and a row of a Markdown table is one sentence.

    Args:
        text: any text.
        at_semicolons: whether ；and ; end a sentence as well, as they do between the items of a clause.
    """
    return [span for line in _LINE.finditer(text) for span in _split_line(text, line, at_semicolons)]


def _split_line(text: str, line: re.Match[str], at_semicolons: bool) -> Iterator[Span]:
    start = line.start()
    if not _TABLE_ROW.match(line.group()):
        for end in _ends(line.group(), at_semicolons):
            yield from _trimmed(text, start, line.start() + end)
            start = line.start() + end
    yield from _trimmed(text, start, line.end())


def _ends(line: str, at_semicolons: bool) -> list[int]:
    ends = [match.end() for match in _END.finditer(line) if _is_end(line, match)]
    if at_semicolons:
        ends = sorted({*ends, *(match.end() for match in _SEMICOLON.finditer(line))})
    return ends


def _is_end(line: str, match: re.Match[str]) -> bool:
    following = _FIRST_WORD.match(line, match.end())
    word = following.group(1) if following else ""
    if match.group().startswith("."):
        return not word or _full_stop_ends(
            line[max(0, match.start() - _LOOKED_BACK) : match.start()], match.group(), word
        )
    # 「"Really?" he asked」: a lower-case word right after a closed quotation goes on with the sentence.
    return not (match.group()[-1] in _CLOSING and word[:1].islower())


def _full_stop_ends(before: str, stop: str, word: str) -> bool:
    if word[:1].islower():
        return False
    last = _LAST_WORD.search(before)
    if last is None or len(stop) > 1:
        return True
    label = last.group(1)
    if label.casefold() in _ABBREVIATIONS:
        return label.casefold() in _MAY_END and not word[:1].isdigit()
    is_initial = len(label) == 1 and label.isupper() and label != "I"
    is_list_label = before.strip() == label and len(label) <= 3
    return not (is_initial or is_list_label)


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    if stripped := piece.strip():
        yield Span(start + left, start + left + len(stripped))
