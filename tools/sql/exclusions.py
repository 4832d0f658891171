# ruff: noqa: E501 - patterns are read in one piece
"""Which of the values that a question names are left out: 除华东以外, 不在华东, `not in South`, `other than Alpha`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_CHINESE = re.compile(
    r"(?:除(?!以|法|数|尘|湿|锈|雪|臭|非)(?:了|去|开|却)?|(?<!是)不是|(?<!在)不在|(?<!属于)不属于|不来自|不位于|不包[含括]|(?<!含)不含"
    r"|不计(?!算)|不算|排除|剔除|去掉|扣除|并非|(?<![除无莫并是南北])非)(?:来自|在|由|与)?\s*(?P<between>[\u4e00-\u9fff]{0,6})的?$"
)
_FILLER = (
    r"(?:those|that|the|any|ones?|of|in|from|by|for|with|to|at|on|is|are|were|was|orders?|rows?|records?|entries|items?"
    r"|placed|made|bought|sold|located|based|supplied|issued|assigned|belonging|including|being)"
)
_ENGLISH = re.compile(
    r"(?:\b(?:except(?:ing)?(?: for)?|excluding|exclude|without|other than|apart from|not counting|outside(?: of)?|not)|n't)"
    r"\s+(?P<between>(?:[a-z][a-z_]*\s+){0,4})$",
    re.IGNORECASE,
)
_FILLERS = re.compile(rf"\b{_FILLER}\b", re.IGNORECASE)
_END = re.compile(
    r"\s*(?:[\u4e00-\u9fff]{0,4}?(?:以外|之外|外)的?)?\s*(?:[,，]\s*)?(?:还有|其他|其它|其余|另外)?的?", re.IGNORECASE
)
_JOINT = re.compile(
    r"\s*(?:和|与|及|以及|、|或者?|,|，|\b(?:and|or|nor)\b)\s*(?:(?:in|by|from|of|the)\s+)?", re.IGNORECASE
)
NEGATION = re.compile(
    r"[不没](?!常)|[未非](?!常)|\b(?:not|no|never|cannot|neither|nor|except\w*|exclud\w+|without|outside|other than|apart from)\b|n't\b",
    re.IGNORECASE,
)
"""Where one of these is left after all conditions were read, something is left out that was not understood."""


class Named(NamedTuple):
    """A value that a question names, and where."""

    column: str
    value: str
    start: int
    end: int


class Exclusion(NamedTuple):
    """A value that is left out, and the stretch of the text that says so."""

    named: Named
    start: int
    end: int


def exclusions(text: str, named: Sequence[Named], headings: frozenset[str]) -> tuple[Exclusion, ...]:
    """Which values a text leaves out: those behind words for it, and what is joined to them (除甲和乙以外).

    Args:
        text: the question, values included.
        named: its values.
        headings: of the columns, in lower case, that may stand before a value (`not in region South`).
    """
    found: list[Exclusion] = []
    for one in sorted(named, key=lambda item: item.start):
        last = found[-1] if found else None
        is_joined = (
            last is not None
            and last.named.column == one.column
            and _JOINT.fullmatch(text[last.named.end : one.start]) is not None
        )
        start = one.start if is_joined else _lead(text[: one.start], headings)
        if start is None:
            continue
        if not is_joined:
            start = _with_heading(text[:start], headings)
        if is_joined and last is not None:
            found[-1] = last._replace(end=one.start)
        end = _END.match(text, one.end)
        found.append(Exclusion(one, start, end.end() if end else one.end))
    return tuple(found)


def _lead(before: str, headings: frozenset[str]) -> int | None:
    """Where the words begin that leave out what follows; None where there are none."""
    if match := _CHINESE.search(before):
        return match.start() if not match["between"] or match["between"] in headings else None
    match = _ENGLISH.search(before)
    if match is None:
        return None
    rest = _FILLERS.sub(" ", match["between"]).casefold().split()
    return match.start() if all(_is_heading(word, headings) for word in rest) else None


def _with_heading(before: str, headings: frozenset[str]) -> int:
    """Where an exclusion begins together with the column that it is of (客户不是甲, `by customers other than A`).

    A column that is asked for (哪些客户不是甲) stays.
    """
    text = before.rstrip()
    for heading in sorted(headings, key=len, reverse=True):
        match = re.search(
            rf"(?P<asked>(?:[哪什]\S?|\b(?:which|what|list|all|the)\s+)?)(?:\b(?:by|from|in|of|with)\s+|(?=[\u4e00-\u9fff])){re.escape(heading)}(?:s|es)?$",
            text,
            re.IGNORECASE,
        )
        if match:
            return len(before) if match["asked"] else match.start()
    return len(before)


def _is_heading(word: str, headings: frozenset[str]) -> bool:
    return any(word.rstrip("s") == part.rstrip("s") for heading in headings for part in heading.split())
