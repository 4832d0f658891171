# ruff: noqa: E501 - patterns and word lists are read in one piece
"""What a sentence looks like that answers a common way to ask: penalties, aims, duties, conditions and the like."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ..text.normalise import normalise


class Cue(NamedTuple):
    """A way to ask and the marks of a sentence that answers it."""

    asked: re.Pattern[str]
    answered: re.Pattern[str]


def _cue(asked: str, answered: str) -> Cue:
    return Cue(re.compile(asked), re.compile(answered))


# Compared in normalised form: lower case, simplified characters, ASCII punctuation.
CUES: tuple[Cue, ...] = (
    _cue(
        "处罚|惩罚|后果|法律责任|受到什么|如何处置|怎么处置|处分|判.{0,4}刑|刑期|量刑|审判结果|判决结果|追责",
        "罚款|处以|责令|追究|警告|处分|没收|吊销|拘留|有期徒刑|依法处理|判处|缓刑|赔偿|撤销|追缴",
    ),
    _cue(r"penalt|punish|consequence|sanction|sentenced?\b|verdict", r"fine|imprison|sentenc|penalt|liable|dismiss|suspend|terminat|revok|warning|probation|disciplin"),
    _cue("目的|目标|宗旨|为什么.{0,4}(?:制定|出台|设立)|立法", "为了|为(?:贯彻|规范|加强|保障|保护|促进|维护|进一步|适应|落实)|目的是|旨在|以便"),
    _cue(r"\b(?:purpose|aim|goal|objective)s?\b", r"in order to|aims? to|purpose|objective|so that|designed to|intended to"),
    _cue("适用范围|适用于|适用对象|管辖范围", "适用于|适用本|不适用|本.{1,6}适用"),
    _cue(r"\b(?:scope|apply to|applies to|applicable|cover)\b", r"appl(?:y|ies) to|covers?\b|applicable|scope"),
    _cue("条件|资格|要求|满足什么|具备什么|符合什么", "应当|必须|须|具备|符合|条件|不得|方可"),
    _cue(r"\b(?:conditions?|requirements?|eligib\w+|criteria|qualif\w+)\b", r"must|shall|require|only if|provided that|eligib|at least|need to"),
    _cue("禁止|不得|不能|不允许|不可以|违规行为|违法行为", "不得|禁止|严禁|不能|不准|不可"),
    _cue(r"\b(?:prohibit\w*|forbidden|not allowed|banned|must not)\b", r"must not|may not|shall not|prohibit|forbid|not permitted|not allowed"),
    _cue("负责|主管|管理.{0,6}部门|哪个部门|哪些部门|由谁|谁来|监管", "负责|主管|管理|实施|由.{1,30}(?:部门|机关|机构|单位|委员会)"),
    _cue(r"\b(?:responsible|in charge|who (?:approves?|manages?|handles?|decides?))\b", r"responsib|in charge|approv|manag|report(?:s|ed)? to|handl|owner"),
    _cue("吗|是否|能否|可否|能不能|可不可以|有没有", "可以|不得|应当|必须|不能|有权|允许|禁止|无需|不必|须|是|没有"),
    _cue("如何|怎么|怎样|流程|程序|步骤|手续|办法", "应当|可以|有权|通过|由|按照|依照|经|向.{1,20}(?:提出|申请|报告|投诉)|首先|然后"),
    _cue(r"^\s*how (?:do|does|can|should|is|are|to)\b|\b(?:procedure|process|steps?)\b", r"must|should|can|by \w+ing|submit|apply|contact|first|then|through|via"),
    _cue("原因|为什么|为何|理由", "因为|由于|因|所以|为了|导致|致使|出于|鉴于"),
    _cue(r"\bwhy\b|reason|cause", r"because|due to|since|as a result|in order to|caused by|led to|owing to|given that"),
    _cue("期限|多久|多长|时限|几天|多少天", "日内|天内|个月内|年内|期限|之日起|以内|不超过|不少于"),
    _cue(r"how long|deadline|how soon|period|how many (?:days|weeks|months|years)", r"within|no later than|up to|at least|period|days|weeks|months|years|deadline"),
    _cue("生效|施行|实施.{0,4}(?:时间|日期|时候)|什么时候.{0,4}(?:施行|实施|生效)|何时.{0,4}(?:施行|实施|生效)", "起施行|起实施|生效|起执行"),
    _cue(r"\b(?:effective|take effect|in force)\b", r"effective|takes? effect|in force|enters? into force"),
)  # fmt: skip


@lru_cache(maxsize=512)
def cues_of(question: str) -> tuple[Cue, ...]:
    """The cues that a question raises."""
    text = normalise(question)
    return tuple(cue for cue in CUES if cue.asked.search(text))


def cue_share(question: str, text: str) -> float:
    """Share of the question's cues that a text answers to; 0 where it raises none."""
    raised = cues_of(question)
    folded = normalise(text) if raised else ""
    return sum(cue.answered.search(folded) is not None for cue in raised) / len(raised) if raised else 0.0
