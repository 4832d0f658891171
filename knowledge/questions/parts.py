# ruff: noqa: E501 - patterns and word lists are read in one piece
"""What the rules of this package work on and hand over: a question made comparable, drafts of its parts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..evidence.names import names_in
from ..evidence.question import QuestionAnalysis, detect_language
from ..text.normalise import fold_widths, simplify
from .models import MOST_PARTS, Combination, Decomposition, QuestionType, SubQuestion

# Only these say where to look or under which condition; what follows is the question itself.
_CHINESE_LEAD = re.compile(
    r"(?:按照?|依照?|从|在|根据|依据|结合|综合)[^,?]{2,60},|[^,?哪谁几]{2,40}(?<![其集])[中里内下上],"
)
_ENGLISH_LEAD = re.compile(
    r"(?:according to|in|under|based on|as per|using)\s+[^?]{3,160}?,\s*(?=(?:(?:on|in|at|by|for|to|from|with)\s+)?(?:what|who|whose|which|when|where|why|how|is|are|was|were|do|does|did|can|explain|compare|summar\w+|describe|outline|list|give)\b)",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"(?:请问(?:一下)?|请(?:帮我|你)?(?=比较|对比|问)|帮我|我想(?:知道|了解|问)(?:一下)?|(?:please|could you|can you) (?=compare|tell))[,\s]*",
    re.IGNORECASE,
)
_ABBREVIATION = re.compile(r"\b(?:Inc|Ltd|Co|Corp|Jr)\.[?\s]*$")
_ASKS_FIRST = re.compile(r"(?:What|When|Where|Who|Whose|Which|Why|How|Is|Are|Was|Were|Do|Does|Did|Can)\b")
_END_MARKS = " \t\r\n,;:。.?!、；，？！"


class Asked(NamedTuple):
    """A question as the rules read it."""

    language: str
    text: str
    """The whole question, half-width, in simplified characters, without polite openings."""
    lead: str
    """The opening that only says where to look, with its comma: every part needs it. May be empty."""
    body: str
    """The text behind the lead."""
    names: tuple[str, ...]
    """Organisations, persons and Latin names in the text."""


class Draft(NamedTuple):
    """A part before it has an id."""

    text: str
    subject: str = ""
    depends_on: tuple[str, ...] = ()


def asked(question: QuestionAnalysis) -> Asked:
    """The question in the form that the rules compare."""
    return _asked(question.text, question.language, question.entities)


def asked_part(text: str) -> Asked:
    """A part of a question in the form that the rules compare, read by itself."""
    folded = fold_widths(text)
    return _asked(folded, detect_language(folded), names_in(folded))


def asked_without(read: Asked, text: str) -> Asked:
    """A question of which some words were taken away: the same language and names, its opening read anew."""
    return _asked(text, read.language, read.names)


def _asked(text: str, language: str, names: Sequence[str]) -> Asked:
    text = re.sub(r"\s+", " ", simplify(text)).strip()
    opening = _POLITE.match(text)
    text = text[opening.end() :] if opening else text
    found = (_CHINESE_LEAD if language == "zh" else _ENGLISH_LEAD).match(text)
    end = found.end() if found else 0
    return Asked(language, text, text[:end], text[end:].strip(), tuple(simplify(name).rstrip("'’") for name in names))


def led(lead: str, text: str) -> str:
    """A part behind its lead; its first word loses its capital there."""
    if lead and _ASKS_FIRST.match(text):
        text = f"{text[0].lower()}{text[1:]}"
    return f"{lead}{text}"


def finished(text: str, language: str) -> str:
    """A part as a whole question: no loose marks at its ends, one question mark, a capital in English."""
    text = re.sub(r"\s+", " ", text).lstrip(_END_MARKS)
    stop = "." if _ABBREVIATION.search(text) else ""
    text = text.rstrip(_END_MARKS) + stop
    if language == "en":
        return f"{text[:1].upper()}{text[1:]}?"
    return f"{text}？"


def single(
    question: QuestionAnalysis, question_type: QuestionType, combination: Combination = Combination.SINGLE
) -> Decomposition:
    """The question as its own only part, in its own characters; a blank one is a question mark."""
    part = SubQuestion(id="q1", text=question.text.strip() or "?")
    return Decomposition(question_type=question_type, combination=combination, parts=(part,))


def assembled(
    drafts: Sequence[Draft], language: str, question_type: QuestionType, combination: Combination
) -> Decomposition | None:
    """The parts with their ids; None where there are fewer than two, more than the most, or two alike."""
    texts = [finished(draft.text, language) for draft in drafts]
    if not 2 <= len(drafts) <= MOST_PARTS or len(set(texts)) < len(texts) or min(map(len, texts)) < 3:
        return None
    parts = tuple(
        SubQuestion(id=f"q{number}", text=text, subject=draft.subject.strip(), depends_on=draft.depends_on)
        for number, (text, draft) in enumerate(zip(texts, drafts, strict=True), start=1)
    )
    return Decomposition(question_type=question_type, combination=combination, parts=parts)
