"""Small rules about lines of text that every reader shares: cleaning, joining, sentence ends."""

from __future__ import annotations

import re
from itertools import pairwise

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060\ufeff\ufffe\uffff]")
_SPACES = re.compile(r"[^\S\n]+")
_LEADERS = re.compile(r"(?:[.·…‥。]\s?){4,}")
_LEADER_TO_PAGE = re.compile(r"…\s*[（(]?(?:[A-Z]|(?:[A-Z\d]{1,3}[-–])?[\divxlc]{1,5})[)）]?\s*$", re.IGNORECASE)
_EAST_ASIAN = re.compile(
    "[\u2e80-\u303f\u3040-\u30ff\u3100-\u31bf\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]"
)
_WORD_BEFORE = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*-$")
_WORD_AFTER = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_QUOTES = "“”‘’\"'"
_SENTENCE_END = re.compile(r"[。！？；!?;.:：…][”’」』）)\"'】]*$")


def clean(text: str) -> str:
    """Text without control characters and lone surrogates, spaces of all kinds collapsed, line breaks kept.

    A run of leader dots, as in a table of contents, becomes one ellipsis.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\x0b", "\n")
    text = text.encode("utf-8", "ignore").decode("utf-8")
    text = _LEADERS.sub(" … ", _UNPRINTABLE.sub("", text))
    return "\n".join(line.strip() for line in _SPACES.sub(" ", text).split("\n")).strip()


def clean_line(text: str) -> str:
    """The same for text that must stay on one line."""
    return join_lines([part for part in clean(text).split("\n") if part])


def is_east_asian(character: str) -> bool:
    """Whether a character is Chinese, Japanese or full-width punctuation, which no blank separates."""
    return bool(_EAST_ASIAN.match(character))


def east_asian_share(text: str) -> float:
    """Share of East Asian characters among those that are not blank, between 0 and 1."""
    visible = [character for character in text if not character.isspace()]
    return sum(map(is_east_asian, visible)) / len(visible) if visible else 0.0


def ends_sentence(text: str) -> bool:
    """Whether a line ends as a sentence, a clause or an introduction to a list does."""
    return bool(_SENTENCE_END.search(text.rstrip()))


def leads_to_page(text: str) -> bool:
    """Whether a cleaned line is an entry of a table of contents: leader dots and a page number."""
    return bool(_LEADER_TO_PAGE.search(text))


def join_lines(lines: list[str], compounds: frozenset[str] = frozenset()) -> str:
    """Lines of one paragraph as one line: Chinese without a blank, English with, broken words mended.

    Args:
        lines: without line breaks.
        compounds: words in lower case that keep their hyphen where a line breaks at it.
    """
    if not lines:
        return ""
    pieces = [lines[0]]
    for left, right in pairwise(lines):
        if _is_broken_word(left, right):
            pieces[-1] = pieces[-1] if _is_compound(left, right, compounds) else pieces[-1][:-1]
        elif left and right and not _touch(left, right):
            pieces.append(" ")
        pieces.append(right)
    return "".join(pieces)


def _touch(left: str, right: str) -> bool:
    """Whether no blank belongs between: one side is Chinese, quotation marks aside."""
    return is_east_asian(left.rstrip(_QUOTES)[-1:] or " ") or is_east_asian(right.lstrip(_QUOTES)[:1] or " ")


def _is_broken_word(left: str, right: str) -> bool:
    return left[-1:] in {"-", "\u00ad"} and left[-2:-1].islower() and right[:1].islower()


def _is_compound(left: str, right: str, compounds: frozenset[str]) -> bool:
    before, after = _WORD_BEFORE.search(left), _WORD_AFTER.match(right)
    return bool(before and after and (before.group() + after.group()).lower() in compounds)
