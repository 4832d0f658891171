"""Which entries concern a question: by their words, in the manner of the search among passages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ..lexical.protocol import DEFAULT_B, DEFAULT_K1
from ..lexical.scoring import inverse_frequency
from ..store.memory_protocol import MemoryEntry
from ..text.normalise import normalise
from ..text.tokens import tokenise

LEAST_COVERAGE = 0.5
"""More than this share of the words for what is asked must stand in an entry: fewer are chance (S3 §5.3)."""
LEAST_OF_BEST = 0.5
"""The share of the best entry's score that another one must reach."""

_ABOUT_MEMORY = re.compile(
    r"问题|答案|结论|内容|我们?|你们?|咱们?|之前|先前|以前|上一?[次回个]|前一?个|刚才|刚刚|方才|前面|早些时候|还?记得|记住"
    r"|(?:问|说|提|讲|聊|告诉|回答|答)(?:过|到|了)?|什么|哪些|哪个|来着|吗|的|了|是|有|关于"
    r"|\b(?:i|we|you|me|us|my|did|do|does|have|had|has|was|were|is|are|ask|asked|said|say|told|tell|mention(?:ed)?|talk(?:ed)?"
    r"|discuss(?:ed)?|earlier|before|previously|last|time|just|now|ago|remember|remind|questions?|answers?|answered|about|what|which|that|the|a|an|of|to)\b"
)
# Which figure is asked for, and not of what: nearly every answer has a period or an amount.
_WHICH_FIGURE = re.compile(
    r"期限|时限|时间|日期|期间|多久|多长|多少钱?|几个?(?:工作日|小时|分钟|天|日|年|月|次|个|名|人)?|金额|价格|数量|比例|标准|规定|要求|上限|下限|限额|怎么|如何|怎样"
    r"|\b(?:limits?|deadlines?|periods?|amounts?|numbers?|dates?|times?|rules?|long|much|many|how|when|who|maximum|minimum|for|in|on|my|be|is)\b"
)
_LATEST = re.compile(r"[上前]一?个问题|\b(?:last|previous) question")


def concerning(query: str, entries: Sequence[MemoryEntry], most: int) -> list[MemoryEntry]:
    """The entries that concern a question, best first.

    A question that names nothing but the talk itself (我上一个问题是什么, what did I ask) is about the latest ones.

    Args:
        query: in the user's words.
        entries: that may be seen, newest first.
        most: how many at most.
    """
    asked = _ABOUT_MEMORY.sub(" ", normalise(query))
    of_what = set(tokenise(_WHICH_FIGURE.sub(" ", asked), for_query=True))
    wanted = of_what or set(tokenise(asked, for_query=True))
    if not wanted:
        return list(entries[: 1 if _LATEST.search(normalise(query)) else most])
    held = [Counter(tokenise(entry.text)) for entry in entries]
    holders = Counter(token for tokens in held for token in wanted & tokens.keys())
    average = sum(map(Counter.total, held)) / len(held) if held else 0.0
    scored = []
    for place, tokens in enumerate(held):
        found = wanted & tokens.keys()
        if len(found) <= LEAST_COVERAGE * len(wanted):
            continue
        length = DEFAULT_K1 * (1 - DEFAULT_B + DEFAULT_B * tokens.total() / average)
        weight = sum(
            inverse_frequency(holders[token], len(held)) * tokens[token] / (tokens[token] + length) for token in found
        )
        scored.append((-weight, place))
    best = min((weight for weight, _ in scored), default=0.0)
    return [entries[place] for weight, place in sorted(scored)[:most] if weight <= best * LEAST_OF_BEST]
