# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Reads a question: its language, what kind of answer it wants, what it asks for and about whom."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from ..text.normalise import fold_widths, simplify
from ..text.values import Value, ValueKind, find_values
from .names import names_in
from .phrases import Word, chinese_words, english_words, is_content
from .question_words import (
    CHINESE_ASKING,
    ENGLISH_ASKING,
    GENERIC_NOUNS,
    SMALL_TALK,
    AnswerType,
    Asking,
)
from .terms import question_terms, without_dates

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_LATIN_WORD = re.compile(r"[A-Za-z]+")
_QUOTED = re.compile(r"[《〈](?P<a>[^》〉]+)[》〉]|[“「『‘](?P<b>[^”」』’]+)[”」』’]|\"(?P<c>[^\"]+)\"")
# Values that say which thing or edition is meant, also among the words that ask ("what is the warranty of the QX-77").
_NAMING = (ValueKind.IDENTIFIER, ValueKind.DATE)
_COUNTED = re.compile(r"how\b", re.IGNORECASE)
# "According to the judgment of X," says where to look, not what to look for.
_SCOPE = re.compile(
    r"^\s*(?:(?:根据|依据|按照|依照|在)(?P<zh>[^，,？?]{2,60}?)(?:中|里)?[，,]"
    r"|(?:according to|in|under|based on|as per)\s+(?P<en>.{3,80}?),\s*(?=(?:what|who|whom|whose|which|when|where|why|how|is|are|was|were|do|does|did|can|may|must|should|please|summar|describe|list|explain)\b))",
    re.IGNORECASE,
)


class QuestionAnalysis(BaseModel):
    """What a question says about the answer that it wants. All phrases are in the question's own words."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    language: str = Field(pattern="^(zh|en)$", description="of the question, by its script")
    answer_type: AnswerType
    is_small_talk: bool = Field(description="a greeting or thanks and nothing else")
    terms: frozenset[str] = Field(
        description="search tokens without the words that only ask, the scope, and dates (those are in `values`)"
    )
    scope: str = Field(
        default="", description="the leading phrase that only says where to look; its words are not in `terms`"
    )
    focus: tuple[str, ...] = Field(description="what is asked for, the narrowest phrase first")
    kind: str = Field(description="the noun behind which or what (哪种颜色): what the answer is, seldom a word of it")
    entities: tuple[str, ...] = Field(description="names: organisations, persons, Latin proper names")
    quoted: tuple[str, ...] = Field(description="what stands in quotation marks or 《》")
    values: tuple[Value, ...] = Field(description="numbers, dates, clauses, ids that the question mentions")
    asked: str = Field(description="the text without its scope")
    phrases: tuple[str, ...] = Field(description="all content phrases, in order")

    @property
    def focus_terms(self) -> frozenset[str]:
        """The search tokens of what is asked for."""
        return frozenset().union(*(question_terms(phrase) for phrase in self.focus))


class _Focus(NamedTuple):
    start: int
    end: int


@lru_cache(maxsize=512)
def analyse_question(text: str) -> QuestionAnalysis:
    """Read a question with rules; never fails, an unusual question is of type `text`."""
    text = fold_widths(text)
    language = detect_language(text)
    lead = _SCOPE.match(text)
    asked = text[lead.end() :] if lead else text
    compared = _comparable(text)
    asking = CHINESE_ASKING if language == "zh" else ENGLISH_ASKING
    rule, match = next(_matches(asking, compared), (None, None))
    words = chinese_words(compared) if language == "zh" else english_words(compared)
    begin = lead.end() if lead else 0
    spans = _focus_spans([word for word in words if word.start >= begin], match, language)
    return QuestionAnalysis(
        text=text,
        language=language,
        answer_type=rule.wants if rule else AnswerType.TEXT,
        is_small_talk=_is_small_talk(text),
        terms=question_terms(without_dates(asked)) or question_terms(text),
        asked=asked,
        scope=text[: lead.end()].strip(" ,，") if lead else "",
        focus=tuple(dict.fromkeys(text[start:end] for start, end in spans)),
        kind=_kind(match, text, language),
        entities=names_in(fold_widths(text)),
        quoted=tuple(next(part for part in found.groups() if part) for found in _QUOTED.finditer(text)),
        values=tuple(
            v
            for v in find_values(fold_widths(text))
            if match is None or v.end <= match.start() or v.start >= match.end() or v.kind in _NAMING
        ),
        phrases=tuple(text[start:end] for start, end in _runs(words)),
    )


# A part of a question that a model calls missing shares at least this much with the question's own words.
_OWN_WORDS = 0.5
_LONGEST_PART = 60


def asked_for(part: str, question: QuestionAnalysis) -> bool:
    """Whether a phrase speaks of what the question asks: a model's words about what is missing are checked, too."""
    wanted = question_terms(part)
    own = question_terms(question.text)
    return 0 < len(part) <= _LONGEST_PART and bool(wanted) and len(wanted & own) >= _OWN_WORDS * len(wanted)


def detect_language(text: str) -> str:
    """`zh` or `en` by the share of Chinese characters; a Chinese character counts as much as a Latin word."""
    chinese = len(_HAN.findall(text))
    return "zh" if chinese > 0 and chinese >= len(_LATIN_WORD.findall(text)) / 2 else "en"


def _comparable(text: str) -> str:
    """Simplified and half-width, if that keeps every offset."""
    folded = fold_widths(text)
    simplified = simplify(folded)
    return simplified if len(simplified) == len(text) else folded


def _is_small_talk(text: str) -> bool:
    pieces = [piece for piece in re.split(r"[^\w\s']+", fold_widths(text)) if piece.strip()]
    return bool(pieces) and all(SMALL_TALK.fullmatch(piece.strip()) for piece in pieces)


def _matches(asking: tuple[Asking, ...], text: str) -> Iterator[tuple[Asking, re.Match[str]]]:
    for rule in asking:
        if match := rule.pattern.search(text):
            yield rule, match


def _focus_spans(words: list[Word], match: re.Match[str] | None, language: str) -> list[_Focus]:
    if match is None:
        return []
    nouns = [_Focus(*match.span(name)) for name in ("noun", "noun2") if name in match.re.groupindex and match[name]]
    before = [word for word in words if word.end <= match.start()]
    after = [word for word in words if word.start >= match.end()]
    runs = _runs(words) if language == "en" else []
    spans = [next((run for run in runs if run.start <= span.start < run.end), span) for span in nouns]
    spans = [span for span in spans if any(is_content(w) and w.start < span.end and w.end > span.start for w in words)]
    inside = [w for w in words if w.start >= match.start() and w.end <= match.end() and is_content(w)]
    if not spans and inside:
        spans.append(_Focus(inside[0].start, inside[-1].end))
    sides = (_last_run(before), _first_run(after)) if language == "zh" else (_first_run(after), _last_run(before))
    spans += [side for side in sides if side is not None]
    return sorted(spans, key=lambda span: _text(words, span) in GENERIC_NOUNS)[:3]


def _kind(match: re.Match[str] | None, text: str, language: str) -> str:
    """In English a second noun group is an attribute (what was the value), in Chinese always a kind (哪个型号).

    What is counted (how many parking spaces) is no kind either.
    """
    names = ("noun", "noun2") if language == "zh" else ("noun",)
    if match is None or (language == "en" and _COUNTED.match(match.group())):
        return ""
    spans = [match.span(name) for name in names if name in match.re.groupindex]
    return next((text[start:end] for start, end in spans if start < end), "")


def _text(words: list[Word], span: _Focus) -> str:
    return "".join(word.text for word in words if word.start >= span.start and word.end <= span.end)


def _runs(words: list[Word]) -> list[_Focus]:
    """Stretches of neighbouring content words."""
    runs: list[_Focus] = []
    open_run: _Focus | None = None
    for word in words:
        if not is_content(word):
            open_run = None
        elif open_run is None:
            open_run = _Focus(word.start, word.end)
            runs.append(open_run)
        else:
            open_run = _Focus(open_run.start, word.end)
            runs[-1] = open_run
    return runs


def _last_run(words: list[Word]) -> _Focus | None:
    runs = _runs(words)
    return runs[-1] if runs else None


def _first_run(words: list[Word]) -> _Focus | None:
    runs = _runs(words)
    return runs[0] if runs else None
