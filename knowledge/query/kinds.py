"""Types of documents: the words that name them in both languages, and the type that a title says."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from ..text.normalise import normalise

# The first word of each row stands for the type.
_ROWS = """
contract: 合同 协议书 协议 契约 | contract agreement
notice: 通知书 通知 公告 通告 通报 启事 | notice circular announcement bulletin
minutes: 会议纪要 会议记录 会议备忘录 纪要 | minutes
report: 报告书 报告 年报 季报 月报 周报 研报 | report
manual: 手册 指南 指引 说明书 | manual handbook guide guidebook
policy: 管理办法 办法 规定 制度 政策 规范 准则 条例 细则 规则 规程 章程 守则 |\
 policy regulation rule code procedure bylaw guideline standard
plan: 计划书 计划 规划 方案 预案 | plan proposal
specification: 规格书 技术规格 技术参数 参数表 | specification datasheet spec
record: 验收记录 记录表 记录 验收单 | record log
letter: 函件 复函 函 批复 | letter memo memorandum
price list: 价格表 报价单 报价表 价目表 | price-list quotation
faq: 常见问题 问答 | faq
"""
_AGGREGATE = frozenset({"文件", "文档", "资料", "材料", "档案"})
_HEAD_ENDS = re.compile(r"\b(?:of|on|for|about|to|in|regarding|concerning|from|between|with|v\d+)\b")


class Kinds(NamedTuple):
    """The words of every type."""

    chinese: dict[str, str]
    english: dict[str, str]


@cache
def _kinds() -> Kinds:
    chinese: dict[str, str] = {}
    english: dict[str, str] = {}
    for row in _ROWS.strip().splitlines():
        kind, _, words = row.partition(":")
        zh, _, en = words.partition("|")
        chinese.update(dict.fromkeys(zh.split(), kind))
        for word in en.split():
            spaced = word.replace("-", " ")
            english.update(dict.fromkeys((spaced, _plural(spaced)), kind))
    return Kinds(chinese, english)


def _plural(word: str) -> str:
    return f"{word[:-1]}ies" if word.endswith("y") else word if word.endswith("s") else f"{word}s"


def _alternation(words: dict[str, str] | frozenset[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


CHINESE_KIND = _alternation(_kinds().chinese)
"""Regular expression of the Chinese words for types, longest first."""
ENGLISH_KIND = _alternation(_kinds().english)
"""Regular expression of the English words for types, singular and plural, longest first."""
CHINESE_DOCUMENT = f"{CHINESE_KIND}|{_alternation(_AGGREGATE)}"
"""As `CHINESE_KIND`, with the words for documents of any type."""


def kind_of_word(word: str) -> str | None:
    """The type that a word names (合同 and contracts: ``contract``), or None for other words."""
    spelling = normalise(word).replace("_", " ")
    return _kinds().chinese.get(spelling) or _kinds().english.get(spelling)


def canonical_kind(word: str) -> str:
    """The type's name if the word is one of its words, otherwise the word itself in one spelling."""
    return kind_of_word(word) or normalise(word)


def kind_in_title(title: str) -> str | None:
    """The type that a title says, None if it says none.

    Its head decides: a 合同管理办法 is a policy, the Minutes of the contract board are minutes.
    """
    text = normalise(title)
    found = list(re.finditer(CHINESE_KIND, text))
    if found:
        return _kinds().chinese[found[-1].group()]
    head = _HEAD_ENDS.split(re.sub(r"[_-]+", " ", text))[0]
    words = re.findall(rf"\b(?:{ENGLISH_KIND})\b", head)
    return _kinds().english[words[-1]] if words else None
