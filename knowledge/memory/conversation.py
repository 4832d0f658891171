# ruff: noqa: E501 - patterns are read in one piece
"""What a message says to the conversation itself: note this, what did I ask before."""

from __future__ import annotations

import re
from enum import StrEnum

from .statements import asks_to_remember, cleaned, statement_in

_MARKS = " .。!！?？~～"
_LAST_QUESTION = re.compile(
    r"^(?:请问)?(?:你?(?:还)?记得)?(?:我(?:的)?)?(?:上|前|刚才?|刚刚|之前|先前|最近)(?:那?一)?(?:次|个)?(?:的)?(?:问题|提问|问)(?:的)?(?:是)?(?:什么|啥|哪一?个)?(?:问题)?(?:来着|吗)?$"
    r"|^(?:请问)?我(?:刚才|刚刚|之前|先前|上一?次|前面)(?:都)?(?:问|提)(?:了|过)?(?:你|的)?(?:是)?(?:什么|啥|哪个)(?:问题)?(?:来着)?$"
    r"|^what (?:did|have) i (?:just )?ask(?:ed)?(?: you)?(?: (?:before|earlier|last|last time|previously|just now|a (?:moment|minute) ago))?$"
    r"|^what (?:was|is) my (?:last|previous|earlier) question$"
    r"|^(?:repeat|tell me|show me) my (?:last|previous) question$",
    re.IGNORECASE,
)


class Talk(StrEnum):
    """What a message to the conversation itself wants."""

    NOTE = "note"
    """Something is to be remembered."""
    STEERS = "steers"
    """Something is to be remembered that is no statement of the user, and is not."""
    LAST_QUESTION = "last_question"


def talk_in(message: str) -> Talk | None:
    """What a message wants of the conversation; None for a question, and for anything else."""
    text = cleaned(message).strip(_MARKS)
    if _LAST_QUESTION.match(text):
        return Talk.LAST_QUESTION
    statement = statement_in(message)
    if statement is not None and (asks_to_remember(message) or statement.strip(_MARKS) == text):
        return Talk.NOTE
    return Talk.STEERS if statement is None and asks_to_remember(message) else None
