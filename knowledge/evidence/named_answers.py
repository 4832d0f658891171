# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Persons, organisations and places in a sentence, and which of them does what a question asks about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..text.normalise import has_chinese
from .names import names_in
from .phrases import content_words
from .question import QuestionAnalysis
from .question_words import AnswerType

_ROLE = "部门|部|公司|集团|委员会|办公室|中心|小组|机构|机关|单位|银行|法院|大学|学院|研究院|医院|协会|政府|局|处|厅|科|车间|总经理|经理|主任|部长|主管|负责人|总监|总裁|董事长|主席|院长|厂长|专员|管理员|安全员|工程师|会计|出纳|监理|秘书|员工|人员|供应商|承包商|甲方|乙方|卖方|买方"
_CHINESE_ROLE = re.compile(rf"[\u4e00-\u9fff（）A-Za-z]{{0,14}}?(?:{_ROLE})(?![\u4e00-\u9fff]{{0,1}}(?:长|任))")
_ANONYMOUS = re.compile(r"[\u4e00-\u9fff]某{1,2}")
_CHINESE_LEAD = re.compile(
    r"^.*(?:应当|应该|必须|须|由|经|报|向|给|与|和|的|后|前|时|是|为|在|对|将|把|并|及|或|可以|，|：|；)(?=[\u4e00-\u9fffA-Za-z（]{2,}$)"
)
_CHINESE_AGENT = re.compile(
    r"由(?P<by>[\u4e00-\u9fff（）A-Za-z·]{2,16}?)(?:统一|共同|直接|具体)?(?=负责|组织|主持|批准|审批|审核|签|编制|承担|牵头|担任|保管|管理|进行|安排|支付|提供|实施|办理|确认|验收|检查|完成|决定|发布|任命|召集|执行|处理|登记|制定)"
    r"|(?:经|报请?|提交|呈)(?P<up>[\u4e00-\u9fff（）A-Za-z·]{2,16}?)(?:书面)?(?=批准|审批|同意|审核|审定|核准|备案|签字|确认)"
    r"|向(?P<to>[\u4e00-\u9fff（）A-Za-z·]{2,16}?)(?=报告|汇报|提出|申请|提交|报备|投诉|举报)"
)
_CHINESE_DOER = re.compile(
    r"(?:^|[，,；;。：:\s])(?P<by>[\u4e00-\u9fff（）A-Za-z·]{2,20}?)(?:应当|应该|必须|须|可以|将|每[年月周季日]|统一|共同)*(?=负责|组织|主持|批准|审批|审核|牵头|承担|管理|保管|编制|召集|签署|担任|检查|验收|制定|办理|处理)(?!\w{0,4}由)"
)
_ENGLISH_NOUN = r"(?:departments?|manager|officers?|director|committee|team|supervisor|board|council|office|employees?|head|lead|engineer|administrator|supplier|contractor|company|group|secretary|owner|auditor|president|executive|staff|personnel|agency|court|bank|university|division|unit)"
_ENGLISH_ROLE = re.compile(
    rf"(?:\b(?:the|a|an|its|their|each|every)\s+)?(?:\b[A-Za-z][\w&'-]*\s+){{0,3}}?\b{_ENGLISH_NOUN}\b(?:\s+(?:of|for)\s+(?:the\s+)?[A-Z][\w&-]*(?:\s+[A-Z][\w&-]*)*)?",
    re.IGNORECASE,
)
_ENGLISH_BY = re.compile(r"\bby(?:\s+the)?\s+$")
_ENGLISH_PLACE = re.compile(
    r"\b(?:in|at|near|from|to)\s+(?P<place>(?:the\s+)?[A-Z][\w'-]*(?:,?\s+(?:of\s+)?[A-Z][\w'-]*)*)"
)
_CHINESE_PLACE = re.compile(
    r"(?:位于|坐落于|设在|设于|存放在|存放于|总部在|在|于|地点为|地点是|地址为|地址是|地点：|地址：)(?P<place>[\u4e00-\u9fffA-Za-z0-9]{2,24}?(?:省|市|县|区|州|镇|村|路|街|号|楼|层|室|厂|车间|仓库|库房|中心|大厦|园区|国|岛|广场|大厅|办公室|现场|基地|港))(?![\u4e00-\u9fff]{0,2}(?:省|市|县|区|路|街|号|楼|层|室|厂|车间|仓库))"
)
_ENGLISH_LEAD = re.compile(
    r"^(?:after|before|when|if|that|and|or|unless|until|from|to|with|is|are|was|were|be|must|shall|may|can)\s+",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[，。；;！？]|,\s")


class _Named(NamedTuple):
    text: str
    start: int
    end: int
    weight: float
    """How clearly the sentence says that it acts: by its place beside the verb, or by standing there only."""
    is_name: bool = False
    """Whether it is the name of a person."""


def named_answer(question: QuestionAnalysis, sentence: str) -> str:
    """The person, organisation or place that a sentence gives for a question; empty where several compete."""
    is_place = question.answer_type is AnswerType.PLACE
    asked = question.text.casefold()
    found = [
        one for one in (_places_in if is_place else _actors)(sentence) if one.text and one.text.casefold() not in asked
    ]
    if not found:
        return ""
    rated = sorted(((one.weight + _closeness(one, question, sentence), one) for one in found), reverse=True)
    rating, best = rated[0]
    other = next((rival for rival, one in rated if one.end <= best.start or one.start >= best.end), None)
    if other is not None and rating < other + _CLEARLY:
        return ""
    within = [one for one in found if one.is_name and best.start <= one.start and one.end <= best.end]
    return within[0].text if within and question.answer_type is AnswerType.PERSON else best.text


# By so much the best actor must stand out: being the agent of a verb counts 1, standing right beside the asked verb 1.
_CLEARLY = 0.3
_NEAR = 6.0
# Who is asked for by name is rather the name than the office beside it.
_IS_NAME = 0.5


def _closeness(one: _Named, question: QuestionAnalysis, sentence: str) -> float:
    """1 right beside a word of what is asked for, less further away, 0 in another clause."""
    lower = sentence.lower()
    words = [word for phrase in question.focus or question.phrases for word in content_words(phrase)]
    places = [match.span() for word in words for match in re.finditer(re.escape(word), lower)]
    gaps = [
        sentence[min(one.end, end) : max(start, one.start)] for start, end in places if not one.start <= start < one.end
    ]
    return max((_NEAR / (_NEAR + len(gap)) for gap in gaps if not _CLAUSE_END.search(gap)), default=0.0)


def _actors(sentence: str) -> Iterator[_Named]:
    yield from (_chinese_actors if has_chinese(sentence) else _english_actors)(sentence)


def _chinese_actors(sentence: str) -> Iterator[_Named]:
    for pattern in (_CHINESE_AGENT, _CHINESE_DOER):
        for match in pattern.finditer(sentence):
            name = next(key for key in match.groupdict() if match[key])
            lead = _CHINESE_LEAD.match(match[name])
            start = match.start(name) + (lead.end() if lead else 0)
            yield _named(sentence, start, match.end(name), 1.0 if pattern is _CHINESE_AGENT else 0.8)
    for match in _CHINESE_ROLE.finditer(sentence):
        lead = _CHINESE_LEAD.match(match.group())
        yield _named(sentence, match.start() + (lead.end() if lead else 0), match.end(), 0.0)
    for start, end in _chinese_persons(sentence):
        yield _named(sentence, start, end, _IS_NAME)._replace(is_name=True)


def _chinese_persons(sentence: str) -> Iterator[tuple[int, int]]:
    """Personal names of two or three characters, by the segmenter's tag, and anonymised ones."""
    import rjieba  # noqa: PLC0415 - its dictionary takes 0.3 s to load: only Chinese sentences pay for it

    yield from (match.span() for match in _ANONYMOUS.finditer(sentence))
    position = 0
    for word, tag in rjieba.tag(sentence):
        start = sentence.index(word, position)
        position = start + len(word)
        if tag == "nr" and 2 <= len(word) <= 3:
            yield start, position


def _english_actors(sentence: str) -> Iterator[_Named]:
    for match in _ENGLISH_ROLE.finditer(sentence):
        lead = _ENGLISH_LEAD.match(match.group())
        start = match.start() + (lead.end() if lead else 0)
        yield _named(sentence, start, match.end(), _english_weight(sentence, start))
    for name in names_in(sentence):
        start = sentence.find(name)
        yield _named(sentence, start, start + len(name), _english_weight(sentence, start))


def _english_weight(sentence: str, start: int) -> float:
    before = sentence[:start]
    if _ENGLISH_BY.search(before):
        return 1.0
    return 0.4 if not before.strip() else 0.0


def _places_in(sentence: str) -> Iterator[_Named]:
    for match in (_CHINESE_PLACE if has_chinese(sentence) else _ENGLISH_PLACE).finditer(sentence):
        yield _named(sentence, match.start("place"), match.end("place"), 0.0)


def _named(sentence: str, start: int, end: int, weight: float) -> _Named:
    text = sentence[start:end]
    return _Named(text.strip(), start, end, weight)
