# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Which numbered parts a question names, whether it wants them whole, or a fact that stands in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..text.normalise import normalise
from .labels import (
    ANNEX_LABEL,
    CHINESE_LABEL,
    ENGLISH_LABEL,
    HAN,
    TABLE_LABEL,
    Kind,
    Label,
    numbered,
    read_chinese,
    read_table,
    read_word,
)

MOST_ADDRESSES = 4
"""Of more parts at once a question is about the document, not about each of them."""


class Address(NamedTuple):
    """A part as a question names it."""

    label: Label
    below: tuple[tuple[str, str], ...]
    """What is named inside it, from the outside in: ("款", "2"), ("项", "3")."""
    said: str
    start: int
    end: int
    """Where it stands in the normalised question."""
    is_mention: bool = False
    """Whether it only says which rule was broken or is meant (违反第四条规定的申请), not where the answer stands."""


_BELOW = re.compile(
    rf"\s?(?:的|之)?\s?(?:第\s?[(]?(?P<number>{HAN}+|\d{{1,2}})[)]?\s?(?P<unit>[款项項目])|[(](?P<item>\d{{1,2}}|[a-z])[)])"
)
_PARAGRAPH_OF = re.compile(
    r"(?:paragraph|para\.|sub-?section|item|point)\s?[(]?(?P<number>\d{1,2}|[a-z])[)]?\s+(?:of|in)\s+(?:the\s+)?$"
)
_DOTTED = re.compile(
    r"(?<![\d.a-z$¥€£])(?P<number>\d{1,3}(?:\.\d{1,3})+)(?![\d.]*\d)(?!\s?(?:[%万亿元千吨米]|天|年|月|日|个|倍|小时|mm|kg|kw|mpa|v\b))"
)
_VERSION = re.compile(r"(?:version|v|ver\.|release|版本|版)\s?$")
_DOTTED_BEHIND = re.compile(
    r"\s?(?:的?\s?(?:条款|条|款|节|项|全文|原文|内容|要求)|[里中]|说|规定|约定|写|says?\b|states?\b|provides?\b|requires?\b|in full\b|[?.]?\s*$)"
)
_MENTIONED = re.compile(
    r"(?:违反了?|触犯|不?符合|不属于|属于|(?:violat\w+|breach\w*|contrary to|infring\w+)(?: of)?(?: the)?)[^,.?;]{0,24}$"
)
_WHOLE_WORDS = re.compile(
    "全文|原文|全部|完整|整个|内容|条文|条款|正文|文字|逐字逐句|逐字|一字不差|具体|详细|是什么|是啥|什么|有哪些|哪些|怎么样|怎么|如何|怎样|规定|约定|要求|写明|写|说明|说|讲|列出|列|给我|给|请问|请|引用|摘录|读|看|显示|查询|查|一下|帮忙|帮|我们|我|想|知道|了解|告诉|出来|出|的|了|吗|呢|在|中|里面|里|上|下|和|与|及|以及|或|有|是|都|各|分别|按照|根据|依据|依照|关于|对|就|现行|最新|有效|当前|文件|文档|版|年|修订|本|该|这|一|条|章|节"
)
_WHOLE_TOKENS = frozenset(
    ["what", "does", "do", "is", "are", "the", "of", "in", "on", "say", "says", "said", "state", "states", "stated", "provide", "provides", "provided", "require", "requires", "required", "contain", "contains", "cover", "covers", "set", "out", "full", "text", "wording", "whole", "entire", "complete", "completely", "verbatim", "word", "for", "quote", "show", "me", "us", "give", "read", "please", "to", "you", "can", "could", "would", "content", "contents", "which", "exactly", "exact", "and", "tell", "under", "by", "it", "its", "section", "clause", "article", "table", "current", "latest", "edition", "version", "from", "list", "s", "a", "an", "entirety", "how", "regulate", "let", "know", "about", "there"]
)  # fmt: skip
_TOKEN = re.compile(r"[a-z]+|[\u3400-\u9fff]+|\d+")
_YEAR = re.compile(r"(?:19|20)\d{2}")


@lru_cache(maxsize=512)
def addresses_in(question: str) -> tuple[Address, ...]:
    """The numbered parts that a question names, in order, each once; empty where it names none, or too many.

    Args:
        question: in natural language, or a section's name alone (第十二条, 3.2).
    """
    text = normalise(question)
    found: list[Address] = []
    for address in sorted(_addresses(text), key=lambda one: (one.start, -one.end)):
        if not found or address.start >= found[-1].end:
            found.append(address)
    distinct = tuple({(one.label, one.below): one for one in reversed(found)}.values())[::-1]
    return distinct if len(distinct) <= MOST_ADDRESSES else ()


def _addresses(text: str) -> Iterator[Address]:
    for pattern, read in ((CHINESE_LABEL, read_chinese), (ANNEX_LABEL, read_word), (ENGLISH_LABEL, read_word), (TABLE_LABEL, read_table)):  # fmt: skip
        for match in pattern.finditer(text):
            label = read(match)
            if label is not None and not _is_ordinary(match, label):
                yield _address(text, match.start(), match.end(), label)
    for match in _DOTTED.finditer(text):
        before, behind = text[: match.start()], text[match.end() :]
        if not _VERSION.search(before) and (match["number"].count(".") > 1 or _DOTTED_BEHIND.match(behind)):
            yield _address(text, match.start(), match.end(), Label(Kind.NUMBER, numbered(match["number"])))


def _is_ordinary(match: re.Match[str], label: Label) -> bool:
    """Words that look like a label: part a, section i, 第一节 is one, `table a`."""
    word = match.groupdict().get("word") or ("table" if label.kind is Kind.TABLE else "")
    is_letter = not label.number[0][:1].isdigit()
    return is_letter and word.casefold() in ("part", "section", "clause", "article", "chapter", "paragraph", "table")


def _address(text: str, start: int, end: int, label: Label) -> Address:
    below: list[tuple[str, str]] = []
    while match := _BELOW.match(text, end):
        number = "".join(numbered(match["number"] or match["item"]))
        below.append(({"項": "项"}.get(match["unit"], match["unit"] or "项"), number))
        end = match.end()
    if (part := _PARAGRAPH_OF.search(text, 0, start)) and not below:
        below.append(("款", "".join(numbered(part["number"]))))
        start = part.start()
    # 第12.1款: the number says it all.
    is_mention = _MENTIONED.search(text, 0, start) is not None
    return Address(label, tuple(below), _shown(text[start:end]), start, end, is_mention)


# Annex c, Chapter iv: normalised text has lost their capitals.
_LETTERS = re.compile(r"(?<=\s)(?:[a-z]|[ivxlc]+)\b")


def _shown(said: str) -> str:
    if not said[:1].isascii():
        return said
    return _LETTERS.sub(lambda match: match.group().upper(), said[:1].upper() + said[1:])


_LEFT_OF_ADDRESS = re.compile(
    r"^\s*(?:请问)?\s*(?:[,.:的中里]|按照?|根据|依据|依照|在|所?(?:规定|约定|说|写|要求)的?|(?:in|under|according to|of|the|as per)\b|[\"'])*\s*[,.:]*\s*"
)


def without_address(question: str, names: Sequence[str]) -> str:
    """A question without the labels and the names of documents, in normalised form; empty where nothing is left."""
    text = normalise(question)
    for address in sorted(addresses_in(question), key=lambda one: -one.start):
        text = f"{text[: address.start]} {text[address.end :]}"
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, " ")
    return " ".join(_LEFT_OF_ADDRESS.sub("", text).split())


def wants_whole(question: str, names: Sequence[str]) -> bool:
    """Whether nothing is asked beside the parts themselves: 第十二条全文, what does Section 3.2 say.

    Args:
        question: that names the parts.
        names: the names of documents as they stand in the normalised question.
    """
    text = without_address(question, names)
    rest = [token for token in _TOKEN.findall(text) if token not in _WHOLE_TOKENS and not _YEAR.fullmatch(token)]
    return not any(_WHOLE_WORDS.sub("", token).strip() for token in rest)
