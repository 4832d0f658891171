# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Tells what only names something, a heading or the name of an organisation, from what says something."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ..query.titles import joined

_NUMBERED = re.compile(r"\s*(?:\d{1,2}[.、．]\s*(?!\d)|[一二三四五六七八九十]{1,3}[、.．]\s*)(?P<rest>\S.*?)\s*$")
_ENDS_SENTENCE = re.compile(r"[。！？!?；;：:][\"'”’」』）)\]】]*\s*$")
_STATES = re.compile(
    r"\d[\d,.]*\s*[^\W\d_%]|[%％]|[应须得可能将]|(?:为|是|由)(?=\S)|\b(?:is|are|was|were|must|may|shall|should|can|will)\b",
    re.IGNORECASE,
)
_LATIN_WORD = re.compile(r"[A-Za-z][\w'’-]*")
_FEW_WORDS = 4
_SHORT_CHINESE = 12
_LEGAL_FORM = r"(?:Ltd|Inc|Corp|Co|PLC|LLC|LLP|GmbH|AG|Limited|Corporation|Company)"
_ENGLISH_NAME = re.compile(
    rf"\s*(?:(?:[A-Z][\w&'’-]*|&|and|of|the|for)[,.]{{0,2}}\s+)+(?:\(\w+\)\s+)?{_LEGAL_FORM}\.?\s*"
)
_CHINESE_NAME = re.compile(r"\s*[\u4e00-\u9fff（）()]{2,24}(?:公司|集团|事务所|研究院)\s*")
_ASKS = re.compile(
    r"标题|题目|题名|名称|目录|章节|[几哪些]章|[几哪]个?部分|叫什么|什么公司|哪家"
    r"|\b(?:titles?|headings?|chapters?|sections?|called|contents|name of (?:the|this) (?:\w+ )?(?:document|company|firm|policy|contract|manual|handbook|report))\b",
    re.IGNORECASE,
)


def asks_for_names(question: str) -> bool:
    """Whether a question wants a title, a heading or the name of a document or an organisation."""
    return _ASKS.search(question) is not None


def only_names(pieces: Sequence[str], index: int, above: Collection[str]) -> bool:
    """Whether a piece of a block is a heading in it, its document's title, or a bare name.

    Args:
        pieces: all of the block, in order.
        index: of the one in question.
        above: the document's title and the headings over the block, as `joined` spells them.
    """
    piece = pieces[index]
    if _ENGLISH_NAME.fullmatch(piece) or (_CHINESE_NAME.fullmatch(piece) and not _STATES.search(piece)):
        return True
    label = _NUMBERED.match(piece)
    if _ENDS_SENTENCE.search(piece) or _STATES.search(label["rest"] if label else piece):
        return False
    return joined(piece) in above or (label is not None and _is_short(label["rest"]) and _stands_alone(pieces, index))


def _stands_alone(pieces: Sequence[str], index: int) -> bool:
    """Whether a numbered piece stands between sentences (4. Delivery), and in no list."""
    beside = [pieces[place] for place in (index - 1, index + 1) if 0 <= place < len(pieces)]
    return bool(beside) and not any(_NUMBERED.match(text) and not _ENDS_SENTENCE.search(text) for text in beside)


def _is_short(rest: str) -> bool:
    words = _LATIN_WORD.findall(rest)
    if words:
        return len(words) <= _FEW_WORDS and rest[0].isupper() and not rest.endswith(".")
    return len(rest) <= _SHORT_CHINESE
