# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Questions for who or which it is, and what a later question says of it (谁是项目经理？他何时…, which unit …, and its …)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .models import Combination, Decomposition, QuestionType
from .parts import Asked, Draft, assembled, led

_PERSON = re.compile(r"谁|何人|哪一?(?:位|名)|哪个人|叫什么名字|\bwho\b", re.IGNORECASE)
_CHINESE_IDENTITY = re.compile(
    r"谁|何人|哪一?(?:家|位|名|台|款|套|份|座|个|种|条|项|批|件|支|辆|门)(?!月|季|年|方面|阶段)|(?:叫|名为|称为)什么|什么(?:型号|证书|文件|公司|部门|单位|机构|供应商|设备|机组|合同|账户|人)"
)
_ENGLISH_IDENTITY = re.compile(
    r"^(?:(?:in|at|by|to|from|for)\s+)?(?:who(?:m|se)?|which)\b|^what\s+(?:is|are|was|were)\s.+\scalled\b|^what\s+(?:is|was)\s+the\s+(?:name|model)\s+of\b|^what\s+(?:model|company|supplier|department|device|machine|unit|certificate|document|account|team|body)\b",
    re.IGNORECASE,
)
# How many or how long is no identity, whatever else the question names (within how many days must which …).
_ENGLISH_VALUE = re.compile(r"^(?:\w+\s+){0,2}(?:which|what)\s+(?:year|month|day|date|time|amount|percentage|price|version|edition|way|extent|cases?|circumstances|conditions?|purpose)\b", re.IGNORECASE)  # fmt: skip
_BEARER = "负责人|责任人|项目经理|经理|主管|主任|总监|工程师|专员|员工|同事|供应商"
_CHINESE_BACK = re.compile(
    r"(?P<person>(?<![其吉])(?:他|她)(?![们人]))|(?P<thing>它(?!们))|(?P<own>(?<![极尤与及若何乐])其(?![他它余中实次间]))"
    rf"|(?<![应活本])(?:该|(?<![把将由因])(?:这|那)一?(?:[位名台家份个款套座条项件批]))(?:(?P<role>{_BEARER})|(?P<noun>[\u4e00-\u9fff]{{0,6}}?)(?=的|在(?!线)|于|由|应|须|需|要|有|何|多|每|最|是|为|哪|几|如何|怎|什么|[,?]|$))"
)
_ENGLISH_PERSON = re.compile(
    r"\b(?P<own>his or her|her or his|his|her(?=\s+[a-z])|their)\b|\b(?:he or she|he|she|him|they|them)\b|\b(?:this|that)\s+(?P<noun>person|manager|officer|engineer|employee|director|supervisor)(?P<own2>'s)?\b",
    re.IGNORECASE,
)
_ENGLISH_THING = re.compile(
    r"\b(?P<own>its|their)\b|\b(?P<it>(?-i:it|they|them))\b(?!\s+(?:is|was)\s+that)|\b(?:this|that)\s+(?P<noun>\w+)(?P<own2>'s)?\b(?!\s+of)",
    re.IGNORECASE,
)
_MOST = 3


def chinese_identities(asked: Asked, pieces: Sequence[str], whole: Sequence[str]) -> Decomposition | None:
    """The parts where a later piece speaks of what an earlier one asks for by a pronoun; None where none does.

    Args:
        asked: the question.
        pieces: its questions one by one, as they are written.
        whole: the same with what they leave to the first one; they are taken where nothing refers back.
    """
    if not 2 <= len(pieces) <= _MOST:
        return None
    linked = [_linked(piece, pieces[:index]) for index, piece in enumerate(pieces)]
    refers = [draft is None and _CHINESE_BACK.search(piece) for piece, draft in zip(pieces, linked, strict=True)]
    if not any(linked) or any(refers[1:]):
        return None
    texts = [Draft(f"{asked.lead}{text}") for text in whole]
    drafts = [draft or text for draft, text in zip(linked, texts, strict=True)]
    return assembled(drafts, "zh", QuestionType.MULTI_HOP, Combination.LIST)


def _linked(piece: str, before: Sequence[str]) -> Draft | None:
    back = _CHINESE_BACK.search(piece)
    at = _meant_by(back, before) if back else None
    if back is None or at is None:
        return None
    following = piece[back.end() :]
    joint = "的" if back["own"] and not following.startswith("的") else ""
    return Draft(f"{piece[: back.start()]}{{q{at}}}{joint}{following}", depends_on=(f"q{at}",))


def _meant_by(back: re.Match[str], before: Sequence[str]) -> int | None:
    """The number of the last question before that a pronoun can mean: a person's for 他, one that has the noun for 该X."""
    for number in range(len(before), 0, -1):
        piece = before[number - 1]
        if not _CHINESE_IDENTITY.search(piece):
            continue
        is_person = _PERSON.search(piece) is not None
        if back["person"] and not is_person:
            continue
        if back["role"] and not (is_person or back["role"] in piece):
            continue
        if back["noun"] and not is_person and back["noun"] not in piece:
            continue
        return number
    return None


def english_identities(asked: Asked, pieces: Sequence[str]) -> Decomposition | None:
    """The question for a name and the one about its bearer (who is the manager, and what is her number), or None."""
    if len(pieces) != 2 or not _ENGLISH_IDENTITY.match(pieces[0]) or _ENGLISH_VALUE.match(pieces[0]):
        return None
    back = (_ENGLISH_PERSON if _PERSON.match(pieces[0]) else _ENGLISH_THING).search(pieces[1])
    if back is None or not _has_noun(back["noun"], pieces[0]):
        return None
    of = "'s" if back["own"] or back["own2"] else ""
    linked = f"{pieces[1][: back.start()]}{{q1}}{of}{pieces[1][back.end() :]}"
    drafts = [Draft(led(asked.lead, pieces[0])), Draft(linked, depends_on=("q1",))]
    return assembled(drafts, "en", QuestionType.MULTI_HOP, Combination.LIST)


def _has_noun(noun: str | None, first: str) -> bool:
    """Whether `this X` can mean what the first question asks for: it names an X, or asks for a person."""
    return not noun or _PERSON.match(first) is not None or re.search(rf"\b{noun}", first, re.IGNORECASE) is not None
