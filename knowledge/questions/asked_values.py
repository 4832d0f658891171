# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Which value a comparison compares, and how one asks for it directly."""

from __future__ import annotations

import re
from typing import NamedTuple

from .models import Combination


class Measure(NamedTuple):
    """What an adjective compares: which end wins, and how one asks for the value itself."""

    combination: Combination
    question: str
    """How to ask where no attribute is named: 有多重, how heavy."""


_C = Combination
CHINESE_MEASURES = {
    **dict.fromkeys(["高", "强"], Measure(_C.LARGER, "有多高")),
    **dict.fromkeys(["大"], Measure(_C.LARGER, "有多大")),
    **dict.fromkeys(["多", "好多"], Measure(_C.LARGER, "有多少")),
    **dict.fromkeys(["长", "久"], Measure(_C.LARGER, "有多长")),
    **dict.fromkeys(["贵"], Measure(_C.LARGER, "的价格是多少")),
    **dict.fromkeys(["重"], Measure(_C.LARGER, "有多重")),
    **dict.fromkeys(["快"], Measure(_C.LARGER, "有多快")),
    **dict.fromkeys(["宽"], Measure(_C.LARGER, "有多宽")),
    **dict.fromkeys(["厚"], Measure(_C.LARGER, "有多厚")),
    **dict.fromkeys(["深"], Measure(_C.LARGER, "有多深")),
    **dict.fromkeys(["远"], Measure(_C.LARGER, "有多远")),
    **dict.fromkeys(["低", "弱"], Measure(_C.SMALLER, "有多高")),
    **dict.fromkeys(["小"], Measure(_C.SMALLER, "有多大")),
    **dict.fromkeys(["少"], Measure(_C.SMALLER, "有多少")),
    **dict.fromkeys(["短"], Measure(_C.SMALLER, "有多长")),
    **dict.fromkeys(["便宜", "划算"], Measure(_C.SMALLER, "的价格是多少")),
    **dict.fromkeys(["轻"], Measure(_C.SMALLER, "有多重")),
    **dict.fromkeys(["慢"], Measure(_C.SMALLER, "有多快")),
    **dict.fromkeys(["窄"], Measure(_C.SMALLER, "有多宽")),
    **dict.fromkeys(["薄"], Measure(_C.SMALLER, "有多厚")),
    **dict.fromkeys(["浅"], Measure(_C.SMALLER, "有多深")),
    **dict.fromkeys(["近"], Measure(_C.SMALLER, "有多远")),
    **dict.fromkeys(["早", "先", "靠前", "在前"], Measure(_C.EARLIER, "是什么时候")),
    **dict.fromkeys(["晚", "迟", "后", "靠后", "在后"], Measure(_C.LATER, "是什么时候")),
    **dict.fromkeys(["好", "优", "合适", "严格", "严", "全面"], Measure(_C.CONTRAST, "怎么样")),
}
CHINESE_ADJECTIVES = "|".join(sorted(CHINESE_MEASURES, key=len, reverse=True))
# When something is due by a term is a day, how long it lasts is none.
_TERM = re.compile(r"(?:期限|时限)$")
_SPAN_OF_TIME = re.compile(r"(?:期|期限|时间|时长|时限|年限|周期|寿命)$")
_POINT_IN_TIME = re.compile(r"(?:时间|日期|时候|日|时点)$")

_ENGLISH_ADJECTIVES = {
    "heavy": (_C.LARGER, "heavier heaviest"),
    "expensive": (_C.LARGER, "dearer dearest more-expensive most-expensive"),
    "long": (_C.LARGER, "longer longest"),
    "high": (_C.LARGER, "higher highest"),
    "large": (_C.LARGER, "larger largest bigger biggest greater greatest"),
    "fast": (_C.LARGER, "faster fastest quicker quickest"),
    "tall": (_C.LARGER, "taller tallest"),
    "wide": (_C.LARGER, "wider widest"),
    "thick": (_C.LARGER, "thicker thickest"),
    "deep": (_C.LARGER, "deeper deepest"),
    "much": (_C.LARGER, "more most"),
    "light": (_C.SMALLER, "lighter lightest"),
    "cheap": (_C.SMALLER, "cheaper cheapest less-expensive least-expensive"),
    "short": (_C.SMALLER, "shorter shortest"),
    "low": (_C.SMALLER, "lower lowest"),
    "small": (_C.SMALLER, "smaller smallest"),
    "slow": (_C.SMALLER, "slower slowest"),
    "narrow": (_C.SMALLER, "narrower narrowest"),
    "thin": (_C.SMALLER, "thinner thinnest"),
    "little": (_C.SMALLER, "less least fewer fewest"),
    "early": (_C.EARLIER, "earlier earliest first sooner soonest older oldest"),
    "late": (_C.LATER, "later latest last younger youngest newer newest"),
    "good": (_C.CONTRAST, "better best stricter strictest"),
}
# How big a light or short thing is is asked with the other end of its scale.
_SCALES = {"light": "heavy", "short": "long", "low": "high", "small": "large", "slow": "fast", "narrow": "wide", "thin": "thick"}  # fmt: skip
ENGLISH_MEASURES = {
    form.replace("-", " "): Measure(combination, _SCALES.get(base, base))
    for base, (combination, forms) in _ENGLISH_ADJECTIVES.items()
    for form in forms.split()
}
ENGLISH_ADJECTIVES = "|".join(sorted(ENGLISH_MEASURES, key=len, reverse=True))

_HAS_MEASURE = re.compile(
    r"^(?:the\s+)?(?:total\s+)?(?:amount|number|value|cost|price|size|level|length|date|time)s?\s+of\b|\b(?:amounts?|assets?|balance|budgets?|caps?|capacity|cash flow|charges?|costs?|debts?|deposit|dates?|distance|emissions?|equity|expenditures?|expenses|fees?|fines?|height|income|investments?|length|liabilities|limits?|liability|losses|margins?|numbers?|payments?|penalty|percentage|periods?|power|premiums?|pressure|prices?|profits?|rates?|ratios?|returns?|revenues?|salary|sales|satisfaction|scores?|share|size|speed|terms?|time|times|turnover|value|wages?|weight|width|warranty)$",
    re.IGNORECASE,
)


def chinese_value(attribute: str, adjective: str) -> str:
    """What follows a subject in a question for its value (的质保期是多久, 有多重)."""
    measure = CHINESE_MEASURES[adjective]
    if not attribute:
        return measure.question
    if measure.combination in (Combination.EARLIER, Combination.LATER):
        return f"{attribute}是{'哪一天' if _TERM.search(attribute) else '什么时候'}"
    if measure.combination is Combination.CONTRAST:
        return f"{attribute}是什么"
    if _SPAN_OF_TIME.search(attribute) and adjective in "长短久多少":
        return f"{attribute}是多久"
    return f"{attribute}是多少"


def chinese_content(attribute: str, is_model: bool = False) -> str:
    """What follows a subject in a question for how it stands there, without a winner; a model is described by its parameters."""
    if not attribute:
        return "的主要参数是什么" if is_model else "是什么"
    if _SPAN_OF_TIME.search(attribute) and not attribute.endswith("时间"):
        return f"{attribute}是多久"
    if _POINT_IN_TIME.search(attribute):
        return f"{attribute}是什么时候"
    if re.search(r"^在.*(?:上|中|里|方面)$", attribute):
        return f"{attribute}是怎样的"
    return f"{attribute}是什么"


def has_measure(noun: str) -> bool:
    """Whether an English noun phrase, without what stands behind a preposition, names a value itself (net profit)."""
    return _HAS_MEASURE.search(noun.strip()) is not None
