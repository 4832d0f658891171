# ruff: noqa: E501 - patterns and word lists are read in one piece
"""What kind of work a question with one part is: a fact, a summary, something to do, small talk, or too vague."""

from __future__ import annotations

import re

from ..evidence.question import QuestionAnalysis
from .models import QuestionType
from .parts import Asked

_SUMMARY = re.compile(
    r"^(?:请|请你|帮我|麻烦)?(?:简要|简单|大致)?(?:总结|概括|概述|归纳|综述|简述|介绍|梳理|汇总)|(?:总结|概括|归纳|介绍)一下|(?:的|整体)(?:概况|主要内容|要点|大意|概要)(?:是什么|有哪些)?[?。]?$"
    r"|^\s*(?:please\s+)?(?:summari[sz]e|sum up|outline|give\s+(?:me\s+)?(?:an?\s+)?(?:brief\s+|short\s+)?(?:overview|summary|outline))\b|\b(?:can|could) you summari[sz]e\b|\bsummary of\b.*\?*$|\bmain points of\b",
    re.IGNORECASE,
)
_ACTION = re.compile(
    r"(?:怎么|如何|怎样|去哪里?|在哪里?)(?:才能|去|来|进行|在线)?(?:办理?|申请|提交|报名|报销|预订|预约|注册|登记|补办|领取|开通|变更|注销|查询|上报|报告|请假|投诉|激活|重置|续签|填写|下载|发起|退货|换货)(?!的)(?!处罚)"
    r"|(?:我|员工|我们)(?:该|应该|需要|必须|要|得)(?:怎么做|做什么|怎么办)|(?:办理|申请|报销|请假|审批|补办|领取)[^,?]{0,12}(?:流程|手续|步骤)(?:是什么|有哪些|是怎样)?"
    r"|\bhow (?:do|can|should|must) (?:i|we|employees|staff|you) (?:apply|request|submit|report|register|book|claim|order|get|obtain|file|renew|reset|return|cancel|change|enrol|enroll|sign up|activate|complain|appeal)\b"
    r"|\bwhat (?:must|should|do|can) (?:i|we|employees|staff) (?:have to |need to )?do\b|\bwhat steps\b.*\b(?:i|we) (?:take|follow)\b|\bhow to (?:apply|request|submit|report|register|book|claim|file|renew|reset)\b",
    re.IGNORECASE,
)
_REASONING = re.compile(
    r"(?:如何|怎么|怎样)(?:通过|影响|促进|推动|导致|提升|提高|改善|增强|帮助|改变|支持|应对|平衡|优化)|对[^,?]{1,30}(?:有|产生|造成)了?(?:什么|何|哪些)(?:影响|作用)|(?:分析|评估|论证)[^,?]{0,40}(?:原因|影响|责任|关系|风险)"
    r"|\bhow (?:did|do|does|has|have|had|will|would|can|could|might)\b[^?]{1,300}\b(?:affect|impact|influence|contribute|lead to|improve|enhance|help|shape|change|support|strengthen|promote|drive|result in|reduce|increase|enable|foster)\b"
    r"|\bwhat (?:impact|effect|influence)\b[^?]{0,80}\b(?:have|had|has)\b|\banaly[sz]e\b[^?]{0,80}\b(?:why|causes?|reasons?|effects?|impact|liab)",
    re.IGNORECASE,
)
_AT_ODDS = re.compile(
    r"不一致时|[、和与][^,?]{2,30}(?:规定|约定)(?:不一致|冲突|不同)|[三四五六七八九十\d]份(?:年报|报告|合同|文件)"
    r"|\b(?:annual )?reports of (?:19|20)\d{2} (?:to|and)\b|\bdisagree\b|\bcontradict",
    re.IGNORECASE,
)
_RESTS_ON = re.compile(
    r"(?:结合|综合|对照|根据|按照|依据)(?P<zh>[^,?]{2,60})"
    r"|\b(?:using|against|under|based on|according to|in the light of)\s(?P<en>[^?:]{3,120}?)(?=[,:]\s(?:\w+\s)?(?:how|what|why|who|which|where|when|explain|can)\b|[?:]|$)",
    re.IGNORECASE,
)
_SOURCE = re.compile(
    r"《[^》]+》|(?:合同|协议|制度|办法|手册|报告|记录|档案|年报|法规|条例|规程|许可证|纪要|台账|判决书|劳动法)"
    r"|\b(?:contract|agreement|policy|handbook|report|log|records|permit|regulations|manual|minutes|schedule|register|specification)s?\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"(?:那么?|请问)?(?:它|他|她|这个?|那个?|其|上面的?|刚才的?)?(?:呢|的呢|怎么样|怎么办|为什么|如何|什么|是什么|是谁|有哪些|哪里|哪个|哪些)?|(?:那么?|它|这个?|那个?)?(?:要|需要|是|有|得|大概|一共)?(?:多少钱?|多久|几天|多长时间|几个|多少天|多大|多高|什么时候|谁|什么|哪里|哪天|怎么办|为什么|可以吗|行吗|对吗|好吗)"
    r"|(?:and |so )?(?:what|how) about (?:it|this|that|them|those|him|her)|(?:how|what|why|when|who|where|which)(?: (?:one|ones|much|many|long|often|about it|is it|is that|is this|are they|was it|does it cost|much is it|long is it|so|then|exactly))?|(?:is|was|does|can|may) (?:it|that|this)(?: (?:allowed|ok|okay|possible|true|right|valid|apply|work))?|and (?:it|that|this|them)|more|details|tell me more|继续|更多|详细点?|再说说",
    re.IGNORECASE,
)


def question_type(question: QuestionAnalysis, asked: Asked) -> QuestionType:
    """The kind of a question that has one part."""
    if question.is_small_talk:
        return QuestionType.CHITCHAT
    if is_vague(asked):
        return QuestionType.CLARIFY
    if _SUMMARY.search(asked.body) or _SUMMARY.search(asked.text):
        return QuestionType.SUMMARY
    if _ACTION.search(asked.text):
        return QuestionType.ACTION
    return (
        QuestionType.MULTI_HOP if asks_for_effects(asked) or names_several_sources(asked) else QuestionType.SINGLE_HOP
    )


def is_vague(asked: Asked) -> bool:
    """Whether a text names nothing that could be looked up (它呢？, how much?)."""
    bare = re.sub(r"[^\w\s']+", " ", asked.text).strip()
    return not re.search(r"\w", bare) or _VAGUE.fullmatch(bare) is not None


def asks_for_effects(asked: Asked) -> bool:
    """Whether causes or effects are asked for, so that one passage seldom answers."""
    return _REASONING.search(asked.text) is not None


def names_several_sources(asked: Asked) -> bool:
    """Whether the question itself sets several documents side by side."""
    if _AT_ODDS.search(asked.text):
        return True
    return any(len(_SOURCE.findall(found["zh"] or found["en"])) > 1 for found in _RESTS_ON.finditer(asked.text))
