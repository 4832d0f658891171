"""What two years or editions say of one matter: only sentences that speak of it are set side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...decisions import SubTask
from ...knowledge.evidence.models import ExtractedSentence
from ...knowledge.evidence.phrases import content_words, word_share
from ...knowledge.evidence.terms import terms
from ...knowledge.questions.models import Combination
from ...knowledge.text.normalise import fold_widths, has_chinese

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_CHINESE = re.compile(r"的(?P<matter>[^的，。？?\d]{2,10}?)(?:是什么|是多少|有什么|有哪些|怎么|如何|规定|是怎)")
_ENGLISH = re.compile(
    r"^(?:what|how)\s+(?:is|are|was|were|about)\s+(?:the\s+)?"
    r"(?P<matter>[a-z][a-z -]{2,40}?)\s+(?:in|of|under|according to|for)\b",
    re.IGNORECASE,
)
_COVERED = 0.5


def matter_of(task: SubTask, combination: Combination) -> str:
    """The matter of a part that asks what one year or edition says of it; empty where it is none such."""
    if combination is not Combination.CONTRAST or not _YEAR.search(task.subject):
        return ""
    match = _CHINESE.search(fold_widths(task.question)) or _ENGLISH.search(task.question)
    return match["matter"].strip() if match else ""


def about_matter(matter: str, sentences: Sequence[ExtractedSentence]) -> tuple[ExtractedSentence, ...]:
    """The sentences that name a matter, a Chinese name with a character more within it, too (年假: 年休假)."""
    return tuple(one for one in sentences if _names(matter, _said(one)))


def _said(one: ExtractedSentence) -> str:
    return "\n".join((one.text, *(quote.text for quote in one.quotes)))


def _names(matter: str, text: str) -> bool:
    if has_chinese(matter):
        return re.search("[\u4e00-\u9fff]?".join(map(re.escape, matter)), text) is not None
    held = terms(text)
    words = content_words(matter)
    return bool(words) and all(word_share(word, held) >= _COVERED for word in words)
