# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Whether a text holds something of the kind that a question wants."""

from __future__ import annotations

import re

from ..text.values import Value
from .names import names_in
from .question import QuestionAnalysis
from .question_words import WANTED_VALUES, AnswerType
from .terms import values

_SURNAMES = (
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎鲁韦昌马苗凤花方俞任袁柳酆鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康伍余元卜顾孟平黄和穆萧尹"
    "趙錢孫馮陳衛蔣韓楊許呂張孔嚴華陶謝鄒竇雲蘇範魯韋馬鳳賀湯羅畢齊顧黃蕭"
)
_SIGNS: dict[AnswerType, re.Pattern[str]] = {
    AnswerType.PERSON: re.compile(
        rf"[\u4e00-\u9fff]{{1,8}}[·・‧][\u4e00-\u9fff]|[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}(?:先生|女士|博士|教授|担任|任|为|，|、|的|和|与|（)|[\u4e00-\u9fff]某"
        r"|总统|總統|国王|皇帝|导演|作者|经理|主席|部门|机关|机构|单位|人员|人民政府|manager|director|department|officer|head of"
    ),
    AnswerType.PLACE: re.compile(
        r"[\u4e00-\u9fff](?:省|市|县|州|区|岛|国|镇|村|路|街|洲|山|河|湖|港|縣|區|島|國|鎮|灣|湾|城|院|处|部|馆)|[在于於位]|\b(?:in|at|from|near|street|city|county|located)\b",
        re.IGNORECASE,
    ),
    AnswerType.ORGANISATION: re.compile(
        r"公司|集团|集團|银行|銀行|大学|大學|学校|委员会|委員會|局|部门|部門|机关|機關|机构|機構|协会|協會|法院|政府|组织|組織|厅|院|社|队|隊|团|團|会"
        r"|\b(?:Inc|Ltd|Co|Corp|LLC|Bank|University|Committee|Department|Agency|Court|Board|Council|Team)\b"
    ),
    AnswerType.DEFINITION: re.compile(r"是指|指的是|所称|所稱|称为|稱為|是一|是.{0,20}(?:的|之)|即|means|refers? to|is an?\b|are\b|defined as", re.IGNORECASE),
    AnswerType.REASON: re.compile(r"因为|因為|由于|由於|因此|因|为了|為了|以便|所以|导致|導致|because|due to|since|therefore|as a result|in order to|so that|caused|led to", re.IGNORECASE),
    AnswerType.LIST: re.compile(r"下列|以下|如下|包括|分为|、.*[、和及与]|[：:]|[（(][一二三1-3][)）]|[;；]|,.*\b(?:and|or)\b|\b(?:following|includ)"),
}  # fmt: skip


_NAMED = frozenset({AnswerType.PERSON, AnswerType.ORGANISATION, AnswerType.PLACE})
_ORGANISATION_END = re.compile(
    r"(?:Inc|Ltd|Co|Corp|LLC|Group|Solutions|Company|Corporation|Bank|Court|University|Services|Technologies)\.?$"
)
# A value that stands so many characters behind what is asked for counts half as near as one right behind it.
_HALF_NEAR = 6


def answer_type_presence(question: QuestionAnalysis, text: str) -> float:
    """Whether something of the wanted type stands in the text that the question does not hold itself.

    1 for the right kind, ½ for one that may do; 1 for types without any outer sign (yes or no, free text).
    """
    wanted = WANTED_VALUES.get(question.answer_type)
    if wanted is None:
        return float(_has_sign(question, text))
    kinds = {value.kind for value in _new_values(question, text)}
    return 1.0 if kinds & wanted[0] else 0.5 if kinds & wanted[1] else 0.0


def _has_sign(question: QuestionAnalysis, text: str) -> bool:
    """Whether marks of the wanted type stand in the text; those of a name count only if the question lacks it."""
    sign = _SIGNS.get(question.answer_type)
    if sign is None:
        return True
    if question.answer_type not in _NAMED:
        return sign.search(text) is not None
    asked = question.text.casefold()
    if question.answer_type is AnswerType.PERSON and any(_is_new_name(name, asked) for name in names_in(text)):
        return True
    return any(match.group().casefold() not in asked for match in sign.finditer(text))


def _is_new_name(name: str, asked: str) -> bool:
    words = name.casefold().split()
    return (
        len(words) > 1 and not _ORGANISATION_END.search(name) and all(word.strip(",.") not in asked for word in words)
    )


def nearness(question: QuestionAnalysis, text: str) -> float:
    """How close behind what is asked for a value of the wanted kind stands (噪声为 50 dB); 0 without either."""
    wanted = WANTED_VALUES.get(question.answer_type)
    if wanted is None:
        return 0.0
    lower = text.casefold()
    ends = [lower.find(phrase.casefold()) + len(phrase) for phrase in question.focus if phrase.casefold() in lower]
    found = [value for value in _new_values(question, text) if value.kind in wanted[0] | wanted[1]]
    gaps = [value.start - end for value in found for end in ends if value.start >= end]
    return max((_HALF_NEAR / (_HALF_NEAR + gap) for gap in gaps), default=0.0)


def _new_values(question: QuestionAnalysis, text: str) -> list[Value]:
    known = frozenset(value.key for value in question.values)
    return [value for value in values(text) if value.key not in known]
