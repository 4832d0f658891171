"""Words of a question with their places, and which of them carry content."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..text.stopwords import QUESTION_WORDS

_ENGLISH_WORD = re.compile(r"[A-Za-z0-9]+(?:[-'’./&][A-Za-z0-9]+)*|[^\sA-Za-z0-9]")
# Function words by the tag of the Chinese segmenter: particles, prepositions, conjunctions, pronouns, adverbs, marks.
_FUNCTION_TAGS = frozenset("u uj ul uv uz ud ug p c r d y e o x w f zg k".split())
_CHINESE_FUNCTION = frozenset(
    "是 有 为 叫 叫做 称 称为 在 于 属于 达 等于 多少 多久 几 什么 哪些 请问 请 年 月 日 个 名 位 种 次 应 应当 应该 需要 需 可以 必须 能 能够 会 要 "
    "进行 包括 包含 分别 主要 具体 以及 使用 上 下 中 内 时 时候 后 前 之前 之后 如果 根据 按照 依据 一 一个 两个 不同 相关 以下 成为 作为 被 由 到 从 "
    "得到 获得 发生 文中 提及 提到 认为 指出 属 哪 哪个 么 呢 吗 该 其 它 他 她 所 等 又 也 还 都 是否 如何 怎么 怎样 是因为 因为 因 "
    "关于 对于 有关 通常 一般 最后 全部 共 一共 总共 共有 大约 约 左右".split()
)
_ENGLISH_FUNCTION = QUESTION_WORDS | frozenset(
    "many much long often soon far get got take took happen happened happens become became any some each every "
    "following main use used under during after before between within through over per via been being also "
    "according based stated mentioned document company's please summarize summarise describe list explain compare".split()
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
        function = tag in _FUNCTION_TAGS or word in _CHINESE_FUNCTION or not any(c.isalnum() for c in word)
        found.append(Word(word, start, position, function))
    return found


def english_words(text: str) -> list[Word]:
    """The words of a text in a script with blanks, in order."""
    return [
        Word(
            match.group(),
            match.start(),
            match.end(),
            match.group().casefold() in _ENGLISH_FUNCTION or not match.group()[0].isalnum(),
        )
        for match in _ENGLISH_WORD.finditer(text)
    ]
