"""Words of a question with their places, and which of them carry content."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ..text.normalise import has_chinese, normalise
from ..text.stopwords import QUESTION_WORDS
from ..text.tokens import stem
from .synonyms import group_terms

_ENGLISH_WORD = re.compile(r"[A-Za-z0-9]+(?:[-'’./&][A-Za-z0-9]+)*|[^\sA-Za-z0-9]")
# Words that ask (几天, 多长, 哪里), bare numbers (dates and amounts are values) and marks.
_NO_CONTENT = re.compile(r"(?:几|多[大长高少远久重宽深快]|哪|何[时地人种处年]|什么|谁)|\d+$|[\W_]+$")
_POSSESSIVE = re.compile(r"['’]s$")
# Function words by the tag of the Chinese segmenter: particles, prepositions, conjunctions, pronouns, adverbs, marks.
_FUNCTION_TAGS = frozenset(
    ["u", "uj", "ul", "uv", "uz", "ud", "ug", "p", "c", "r", "d", "y", "e", "o", "x", "w", "f", "zg", "k"]
)
_CHINESE_FUNCTION = frozenset(
    [
        "是",
        "有",
        "为",
        "叫",
        "叫做",
        "称",
        "称为",
        "在",
        "于",
        "属于",
        "达",
        "等于",
        "多少",
        "多久",
        "几",
        "什么",
        "哪些",
        "请问",
        "请",
        "年",
        "月",
        "日",
        "个",
        "名",
        "位",
        "种",
        "次",
        "应",
        "应当",
        "应该",
        "需要",
        "需",
        "可以",
        "必须",
        "能",
        "能够",
        "会",
        "要",
        "进行",
        "包括",
        "包含",
        "分别",
        "主要",
        "具体",
        "以及",
        "使用",
        "上",
        "下",
        "中",
        "内",
        "时",
        "时候",
        "后",
        "前",
        "之前",
        "之后",
        "如果",
        "根据",
        "按照",
        "依据",
        "一",
        "一个",
        "两个",
        "不同",
        "相关",
        "以下",
        "成为",
        "作为",
        "被",
        "由",
        "到",
        "从",
        "得到",
        "获得",
        "发生",
        "文中",
        "提及",
        "提到",
        "认为",
        "指出",
        "属",
        "哪",
        "哪个",
        "么",
        "呢",
        "吗",
        "该",
        "其",
        "它",
        "他",
        "她",
        "所",
        "等",
        "又",
        "也",
        "还",
        "都",
        "是否",
        "如何",
        "怎么",
        "怎样",
        "是因为",
        "因为",
        "因",
        "关于",
        "对于",
        "有关",
        "通常",
        "一般",
        "最后",
        "全部",
        "共",
        "一共",
        "总共",
        "共有",
        "大约",
        "约",
        "左右",
    ]
)
_ENGLISH_FUNCTION = QUESTION_WORDS | frozenset(
    [
        "many",
        "much",
        "long",
        "often",
        "soon",
        "far",
        "get",
        "got",
        "take",
        "took",
        "happen",
        "happened",
        "happens",
        "become",
        "became",
        "any",
        "some",
        "each",
        "every",
        "following",
        "main",
        "use",
        "used",
        "under",
        "during",
        "after",
        "before",
        "between",
        "within",
        "through",
        "over",
        "per",
        "via",
        "been",
        "being",
        "also",
        "according",
        "based",
        "stated",
        "mentioned",
        "document",
        "company's",
        "please",
        "summarize",
        "summarise",
        "describe",
        "list",
        "explain",
        "compare",
    ]
)


def _tagged(text: str) -> list[tuple[str, str]]:
    import rjieba  # noqa: PLC0415 - its dictionary takes 0.3 s to load: only Chinese questions pay for it

    return rjieba.tag(text)


class Word(NamedTuple):
    """A word of a question: how it is written, where, and whether it is a mere function word."""

    text: str
    start: int
    end: int
    is_function: bool


def is_content(word: Word) -> bool:
    """Whether a word says what the question is about."""
    return not word.is_function


def chinese_words(text: str) -> list[Word]:
    """The words of a Chinese text (in simplified characters) in order."""
    found: list[Word] = []
    position = 0
    for word, tag in _tagged(text):
        start = text.index(word, position)
        position = start + len(word)
        function = tag in _FUNCTION_TAGS or word in _CHINESE_FUNCTION or _NO_CONTENT.match(word) is not None
        found.append(Word(word, start, position, function))
    return found


def english_words(text: str) -> list[Word]:
    """The words of a text in a script with blanks, in order, without a possessive 's; initials are no content."""
    return [_english_word(match) for match in _ENGLISH_WORD.finditer(text)]


def _english_word(match: re.Match[str]) -> Word:
    word = _POSSESSIVE.sub("", match.group())
    function = (
        word.casefold() in _ENGLISH_FUNCTION
        or _NO_CONTENT.match(word) is not None
        or (len(word) == 1 and word.isalpha())
    )
    return Word(word, match.start(), match.start() + len(word), function)


@lru_cache(maxsize=4_096)
def names_a_thing(phrase: str) -> bool:
    """Whether a phrase ends in a noun (防护等级, service life) and not in a verb (推迟, to be paid)."""
    text = normalise(phrase)
    if not has_chinese(text):
        return any(is_content(word) for word in english_words(text))
    tags = [tag for _, tag in _tagged(text) if tag not in _FUNCTION_TAGS]
    return bool(tags) and (tags[-1] == "vn" or not tags[-1].startswith("v"))


def content_words(phrase: str) -> tuple[str, ...]:
    """The content words of a phrase in the form in which search tokens are written, each once."""
    text = normalise(phrase)
    words = chinese_words(text) if has_chinese(text) else english_words(text)
    kept = [word.text for word in words if is_content(word)]
    return tuple(dict.fromkeys(stem(word) for word in kept))


def word_share(word: str, held: frozenset[str]) -> float:
    """How much of a word is among the terms of a text: 1 for the word or a synonym, else its share of pairs."""
    if word in held or group_terms(frozenset((word,))) & held:
        return 1.0
    if not has_chinese(word) or len(word) < 3:
        parts = [stem(part) for part in re.split(r"[-/.&'’]", word) if part]
        return float(len(parts) > 1 and all(part in held for part in parts))
    pairs = [word[index : index + 2] for index in range(len(word) - 1)]
    return sum(pair in held for pair in pairs) / len(pairs)
