"""Calculations over a value that has to be found first: 合同总价的30%是多少, 10 days after the contract date."""

from __future__ import annotations

import re
from typing import NamedTuple

from ...knowledge.text.normalise import fold_widths

_SHARE = r"(?:\d+(?:\.\d+)?\s?[%‰]|百分之[〇零一二两三四五六七八九十百点]+|[\d一二三四五六七八九]成(?:半)?|一半)"
_NUMBER = r"[-+]?\d[\d,]*(?:\.\d+)?\s?(?:万|亿|千|百)?[\u4e00-\u9fffA-Za-z%]{0,4}?"
_HOW_MUCH = r"(?:是|为|等于|有|合|得)?(?:多少|几)[\u4e00-\u9fff]{0,4}"
_SPAN = r"\d+\s?个?(?:工作日|自然日|日历日|天|日|周|星期|个?月|年)"
_WHICH_DAY = r"(?:是|为|在)?(?:哪一?[天日]|几月几[号日]|几[号日]|什么日期|什么时候|何日)"
_ENGLISH_SPAN = r"\d+ (?:(?:working|business|calendar) )?(?:days?|weeks?|months?|years?)"
# What takes or makes up a share is no value of its own (预付款占合同总价的30%).
_NO_THING = re.compile(r"占|按|支付|不超过|不低于|超过|至少|是否|如果|\d")
_CLOSING = r"\s*[?？。.!]*\s*$"

_FORMS: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (
        re.compile(rf"^(?P<thing>.{{2,40}}?)的\s?(?P<rest>{_SHARE}){_HOW_MUCH}{_CLOSING}"),
        "{thing}是多少？",
        "{value}的{rest}是多少？",
    ),
    (
        re.compile(rf"^(?P<thing>.{{2,40}}?)(?P<rest>(?:加上?|减去?|乘以?|除以)\s?{_NUMBER}){_HOW_MUCH}{_CLOSING}"),
        "{thing}是多少？",
        "{value}{rest}是多少？",
    ),
    (
        re.compile(
            rf"^(?:从|自)?(?P<thing>[^,，]{{2,24}}?(?:日期?|之日|时间|[这当]天))起?(?:之后|以后|往后|后|加上?|再过)?第?"
            rf"\s?(?P<rest>{_SPAN}(?:之?后|以后)?){_WHICH_DAY}{_CLOSING}"
        ),
        "{thing}是哪一天？",
        "{value}之后{rest}是哪一天？",
    ),
    (
        re.compile(
            r"^(?:what (?:is|would be|are)|how much is)\s(?P<rest>\d+(?:\.\d+)?\s?(?:%|percent|per cent)) of (?:the )?"
            rf"(?P<thing>[^?]{{3,80}}?){_CLOSING}",
            re.IGNORECASE,
        ),
        "What is the {thing}?",
        "What is {rest} of {value}?",
    ),
    (
        re.compile(
            rf"^(?:what|which) (?:date|day) (?:is|falls|would be)\s(?P<rest>{_ENGLISH_SPAN} (?:after|before)) (?:the )?"
            rf"(?P<thing>[^?]{{3,80}}?){_CLOSING}",
            re.IGNORECASE,
        ),
        "What is the {thing}?",
        "What date is {rest} {value}?",
    ),
)


class LookedUp(NamedTuple):
    """A value to find, and the calculation over it."""

    lookup: str
    """The question for the value."""
    calculation: str
    """The question for the result, with `{value}` where the value belongs."""


def looked_up(question: str) -> LookedUp | None:
    """A question as a look-up and a calculation over what it finds; None where it is none, or has all its values."""
    text = fold_widths(question).strip()
    for pattern, lookup, calculation in _FORMS:
        found = pattern.match(text)
        if found is not None and not _NO_THING.search(found["thing"]):
            thing, rest = found["thing"].strip(), found["rest"].strip()
            rest = re.sub(r"(?:之|以)?后$", "", rest) if "之后" in calculation else rest
            return LookedUp(
                lookup.replace("{thing}", thing),
                calculation.replace("{rest}", rest),
            )
    return None
