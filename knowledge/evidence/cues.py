# ruff: noqa: E501 - patterns and word lists are read in one piece
"""What a sentence looks like that answers a common way to ask: penalties, aims, duties, conditions and the like."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ..text.normalise import normalise
from .terms import folded


class Cue(NamedTuple):
    """A way to ask and the marks of a sentence that answers it."""

    asked: re.Pattern[str]
    answered: re.Pattern[str]
    is_general: bool
    """Whether nearly every rule shows the marks; such a cue counts only where no other is raised."""
    only: re.Pattern[str] | None
    """The marks of a clause that serves this purpose alone, and so answers nothing else."""


def _cue(asked: str, answered: str, *, only: str = "") -> Cue:
    return Cue(re.compile(asked), re.compile(answered), is_general=False, only=re.compile(only) if only else None)


def _general(asked: str, answered: str) -> Cue:
    return Cue(re.compile(asked), re.compile(answered), is_general=True, only=None)


# Compared in normalised form: lower case, simplified characters, ASCII punctuation.
CUES: tuple[Cue, ...] = (
    _cue(
        "处罚|惩罚|后果|法律责任|受到什么|(?:如何|怎么|怎样|何种|什么样的?)(?:处置|处理|处分|追究)|处分|判.{0,4}刑|刑期|量刑|审判结果|判决结果|追责|承担什么.{0,4}责任",
        "罚款|处以|责令|限期改正|追究|警告|处分|处罚|没收|吊销|拘留|有期徒刑|依法处理|判处|缓刑|赔偿|撤销|追缴|取消.{0,10}资格|禁赛|开除|撤职|承担.{0,8}责任|查处",
        only="罚款|责令(?:改正|限期改正|停)|追究刑事责任|没收违法所得|有期徒刑",
    ),
    _cue(
        r"penalt|punish|consequence|sanction|sentenced?\b|verdict|what happens (?:if|to)",
        r"fine|imprison|sentenc|penalt|liable|dismiss|suspend|terminat|revok|warning|probation|disciplin",
        only=r"\bfined?\b|imprison|liable to|penalty of",
    ),
    _cue(
        "目的|目标|宗旨|为什么.{0,4}(?:制定|出台|设立)|立法|为了什么|出于什么|(?:制定|出台).{0,6}(?:依据|根据|原因)|是为了",
        "制定本|为(?:了|贯彻|规范|加强|保障|保护|促进|维护|进一步|适应|落实).{2,400}(?:制定|根据|决定)",
        only="制定本(?:法|办法|条例|规定|细则|规则|规范|制度|标准|指南)",
    ),
    _cue(r"目的|目标|宗旨|是为了|作用", "为了|为(?:贯彻|规范|加强|保障|保护|促进|维护|进一步|适应|落实)|目的是|旨在|以便"),
    _cue(
        r"\b(?:purpose|aim|goal|objective)s?\b",
        r"in order to|aims? (?:to|at)|purpose|objective|so that|designed to|intended to",
        only=r"(?:purpose|aim|objective) of th(?:is|ese) \w+",
    ),
    _cue("适用范围|适用于|适用对象|管辖范围|是否适用", "适用于|适用本|不适用|本.{1,6}适用", only="适用本(?:法|办法|条例|规定|细则|规则|规范|制度)"),
    _cue(r"\b(?:scope|apply to|applies to|applicable|cover)\b", r"appl(?:y|ies) to|covers?\b|applicable|scope", only=r"this \w+ (?:applies|apply) to"),
    _cue("条件|资格|满足什么|具备什么|符合什么", "(?:具备|符合|满足).{0,20}(?:条件|要求|规定)|下列条件|方可|资格|考核合格|至少"),
    _cue("条件|资格|要求|职责|责任|义务|遵守|规则|措施|品质|做什么|怎么做|怎么办|注意什么", "应当|必须|须|具备|符合|条件|不得|方可|负责|职责"),
    _cue(r"\b(?:conditions?|requirements?|eligib\w+|criteria|qualif\w+|dut(?:y|ies)|obligations?|obliged|rules?)\b", r"must|shall|require|only if|provided that|eligib|at least|need to|responsib|may not"),
    _cue("禁止|不得|不能|不允许|不可以|违规行为|违法行为", "不得|禁止|严禁|不能|不准|不可"),
    _cue(r"\b(?:prohibit\w*|forbidden|not allowed|banned|must not)\b", r"must not|may not|shall not|prohibit|forbid|not permitted|not allowed"),
    _cue("负责|主管|管理.{0,6}部门|哪个部门|哪些部门|什么部门|哪个机构|由谁|谁来|监管|向谁|执行者", "负责|主管|管理|实施|由.{1,30}(?:部门|机关|机构|单位|委员会|局|院)|向.{1,30}(?:部门|机关|机构|单位|委员会|局|院)"),
    _cue(r"\b(?:responsible|in charge|who (?:approves?|manages?|handles?|decides?))\b", r"responsib|in charge|approv|manag|report(?:s|ed)? to|handl|owner"),
    _cue("材料|文件|资料|证件|手续", "提交|报送|提供|出示|附送|填写|材料|申请书"),
    _cue(r"\b(?:documents?|papers|forms?|certificates?)\b", r"submit|provide|attach|enclose|present|fill in|application form"),
    _cue("原因|为什么|为何|理由", "因为|由于|因|所以|为了|导致|致使|出于|鉴于"),
    _cue(r"\bwhy\b|reason|cause", r"because|due to|since|as a result|in order to|caused by|led to|owing to|given that"),
    _cue("期限|多久|多长|时限|几天|多少天", "日内|天内|个月内|年内|期限|之日起|以内|不超过|不少于|有效期"),
    _cue(r"how long|deadline|how soon|period|how many (?:days|weeks|months|years)", r"within|no later than|up to|at least|period|days|weeks|months|years|deadline"),
    _cue(
        "生效|(?:施行|实施|执行).{0,4}(?:时间|日期|时候)|(?:什么时候|何时|什么时间|哪天|几时).{0,6}(?:施行|实施|生效|执行)",
        "起施行|起实施|起生效|起执行|之日起?施行|日施行",
        only="起施行|起实施|之日起?施行",
    ),
    _cue(r"\b(?:effective|takes? effect|in force)\b", r"effective|takes? effect|in force|enters? into force", only=r"takes? effect|into force|is effective from"),
    _general("吗|是否|能否|可否|能不能|可不可以|有没有", "可以|不得|应当|必须|不能|有权|允许|禁止|无需|不必|不需要|须|是|没有"),
    _general("如何|怎么|怎样|流程|程序|步骤|什么办法|方式", "应当|可以|有权|通过|由|按照|依照|经|向.{1,20}(?:提出|申请|报告|投诉)|首先|然后"),
    _general(r"^\s*how (?:do|does|can|should|is|are|to)\b|\b(?:procedure|process|steps?)\b", r"must|should|can|by \w+ing|submit|apply|contact|first|then|through|via"),
)  # fmt: skip

_PENALTIES = CUES[:2]
# A title says where to look, not what for: 《…管理办法》 asks for no manager and no method.
_TITLE = re.compile(r"[《〈][^》〉]*[》〉]")


@lru_cache(maxsize=512)
def cues_of(question: str) -> tuple[Cue, ...]:
    """The cues that a question raises: the general ones only where it raises no other."""
    text = _asked(question)
    raised = tuple(cue for cue in CUES if cue.asked.search(text))
    return tuple(cue for cue in raised if not cue.is_general) or raised


def cue_share(question: str, text: str) -> float:
    """Share of the question's cues that a text answers to; 0 where it raises none."""
    raised = cues_of(question)
    compared = folded(text) if raised else ""
    return sum(cue.answered.search(compared) is not None for cue in raised) / len(raised) if raised else 0.0


def serves_another_purpose(question: str, text: str) -> bool:
    """Whether a text is a clause of a kind (penalty, aim, scope, commencement) that the question does not ask for."""
    return any(pattern.search(folded(text)) for pattern in _not_asked_for(question))


def states_penalty(question: str, text: str) -> bool:
    """Whether a question asks for a penalty and a text states one."""
    asked = _asked(question)
    return any(cue.asked.search(asked) and cue.answered.search(folded(text)) for cue in _PENALTIES)


@lru_cache(maxsize=512)
def _not_asked_for(question: str) -> tuple[re.Pattern[str], ...]:
    text = _asked(question)
    return tuple(
        cue.only
        for cue in CUES
        if cue.only and not (cue.asked.search(text) or cue.only.search(text) or _answers_words(cue, text))
    )


def _answers_words(cue: Cue, text: str) -> bool:
    """Whether the question itself speaks in the words of such a clause (罚款由谁决定)."""
    return cue.answered.search(text) is not None


def _asked(question: str) -> str:
    return normalise(_TITLE.sub(" ", question))
