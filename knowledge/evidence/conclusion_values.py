# ruff: noqa: E501 - patterns and word lists are read in one piece
"""What stands around a value and changes what it says: a denial, a loss, a period that it is paid or counted for."""

from __future__ import annotations

import re

from ..text.values import Value, ValueKind
from .amounts import MEASURED

_DENIED = re.compile(
    r"(?:不是|并非|并不是|不为|不等于|而非|绝非|不再是|[原曾](?:为|是|来|先)\S{0,2}|此前为|过去为)(?:约)?\s*$"
    r"|(?:\b(?:not|never|no longer|formerly|previously|used to be)|n't)\s+(?:be\s+|been\s+|is\s+)?(?:an?\s+)?$",
    re.IGNORECASE,
)
_LOSS = re.compile(
    r"(?:亏损|净亏|损失|赤字|亏)(?:额|了|为|达|是|约)*\s*$|\b(?:loss(?:es)?|deficit)\s+(?:of|was|is|were)\s+(?:about\s+)?$",
    re.IGNORECASE,
)
_ASKS_LOSS = re.compile(r"亏|损失|赤字|\bloss|\bdeficit", re.IGNORECASE)
# Two values of one thing that differ in what they count: they compare with the like only.
_SORT = re.compile(
    r"净[重利值额]|毛[重利]|额定|峰值|不含税|未税|含税|税前|税后|平均|\b(?:gross|net|rated|peak|average|excluding|including)\b",
    re.IGNORECASE,
)
_SORT_REACH = 16
_CLAUSE = re.compile(r"[，。；;！？!?\n、]|,(?!\d)|\.(?=\s|$)")
_UNIT = r"(?:个)?(?P<per>月|年|天|日|周|季度|季|小时|晚|夜|人|台|吨|次|件|套|平方米|公里)"
_BEFORE = re.compile(
    rf"(?:每一?|按){_UNIT}(?:[^，。；\d]{{0,8}})$|(?P<fee>月|年|季|日|周)度?(?:租金?|费用?|薪|工资|收入|产量|支付|缴纳|使用费|服务费|交)[^，。；\d]{{0,4}}$"
)
_BEHIND = re.compile(
    rf"^\s*(?:[/／]\s*每?|每一?){_UNIT}|^\s*(?:[A-Za-z]{{1,8}}\s+)?(?:per|an?|each|every|/)\s*(?P<en>month|year|day|week|quarter|hour|night|person|unit|ton|annum)\b|^\s*(?P<ly>monthly|annually|yearly|daily|weekly|hourly|quarterly)\b",
    re.IGNORECASE,
)
_ADVERB = re.compile(r"\b(?P<ly>monthly|annual|annually|yearly|daily|weekly|hourly|quarterly)\b", re.IGNORECASE)
_SAME = {
    "月": "month", "monthly": "month", "年": "year", "annual": "year", "annually": "year", "yearly": "year", "annum": "year",
    "天": "day", "日": "day", "daily": "day", "周": "week", "weekly": "week", "季": "quarter", "季度": "quarter",
    "quarterly": "quarter", "小时": "hour", "hourly": "hour", "晚": "night", "夜": "night", "人": "person",
}  # fmt: skip


def is_denied(text: str, value: Value) -> bool:
    """Whether a sentence says that a value is not so, or no longer: 罚款不是500元, was formerly 80 km/h."""
    return _DENIED.search(text[: value.start]) is not None


def is_loss(text: str, value: Value) -> bool:
    """Whether a sentence calls an amount a loss, which lies below nothing."""
    return _LOSS.search(text[: value.start]) is not None


def asks_for_loss(asked: str) -> bool:
    """Whether a question is about losses."""
    return _ASKS_LOSS.search(asked) is not None


def period_of(text: str, value: Value) -> str:
    """What an amount is paid or counted for (`month` of 每月100元 and 100 EUR per month); empty where nothing says so."""
    if value.kind not in MEASURED or value.kind is ValueKind.DURATION:
        return ""
    start = max((found.end() for found in _CLAUSE.finditer(text, 0, value.start)), default=0)
    end = next((found.start() for found in _CLAUSE.finditer(text, value.end)), len(text))
    for found in (
        _BEHIND.search(text[value.end : end]),
        _BEFORE.search(text[start : value.start]),
        _ADVERB.search(text[start:end]),
    ):
        word = next((part for part in found.groupdict().values() if part), "") if found else ""
        if word:
            return _SAME.get(word.casefold(), word.casefold())
    return ""


def sort_of(text: str, value: Value) -> frozenset[str]:
    """What the clause says of the sort of an amount (净重, rated), in the words right before it."""
    start = max((found.end() for found in _CLAUSE.finditer(text, 0, value.start)), default=0)
    before = text[max(start, value.start - _SORT_REACH) : value.start]
    return frozenset(word.casefold() for word in _SORT.findall(before))
