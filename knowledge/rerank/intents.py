"""What kind of answer a question asks for, and the words by which a passage gives one of that kind."""

from __future__ import annotations

import re
from typing import NamedTuple


class Intent(NamedTuple):
    """One kind of answer: the words that ask for it, and the words that give it; both for normalised text."""

    name: str
    asks: re.Pattern[str]
    gives: re.Pattern[str]


def _intent(name: str, asks: str, gives: str) -> Intent:
    return Intent(name, re.compile(asks), re.compile(gives))


INTENTS = (
    _intent(
        "penalty",
        r"处罚|后果|罚款|法律责任|什么责任|[怎如]么?[样何]?处理|违反|penalt|consequence|punish|sanction|liab",
        r"责令|罚款|处分|追究|法律责任|吊销|没收|违约金|赔偿|处[^理]{0,12}元|罚则"
        r"|penalt|fine[sd]?\b|terminat|liable|sentenced|imprison|disciplin",
    ),
    _intent(
        "condition",
        r"条件|资格|要求|需要满足|具备什么|谁可以|什么样的|condition|requirement|eligib|qualif|criteria",
        r"(?:具备|符合|满足)(?:下列|以下|的)?.{0,8}(?:条件|要求|规定)|条件:|资格"
        r"|must (?:have|be|meet)|requirements?\b|eligib|qualif|criteria|conditions?\b",
    ),
    _intent(
        "meaning",
        r"什么是|是什么|是指|指什么|定义|含义|何谓|属于|what (?:is|are)\b|defin|mean",
        r"是指|所称|指的是|定义|系指|包括:|\bmeans?\b|refers? to|(?:is|are) defined as",
    ),
    _intent(
        "scope",
        r"适用|范围|scope|appl(?:y|ies|icable)",
        r"适用本|适用于|适用范围|本.{1,8}适用|不适用|appl(?:y|ies) to|scope",
    ),
    _intent(
        "papers",
        r"材料|文件|提交|资料|证件|documents?\b|submit|material",
        r"(?:提交|提供|报送|附送|携带).{0,12}(?:材料|文件|资料|证件|证明|申请书)|下列材料"
        r"|submit|the following documents",
    ),
    _intent(
        "time",
        r"多久|多长|期限|几个?(?:工作)?[日天年月]|何时|什么时候|时间|时限|哪一?[年天日月]"
        r"|\bwhen\b|how long|deadline|period|what (?:time|date|year)|which year",
        r"\d+ ?个?(?:工作)?(?:日|天|年|月|小时)|[一二三四五六七八九十]+个?(?:工作)?(?:日|天|年|月|小时)(?:内|前|以)"
        r"|days?\b|months?\b|years?\b|hours?\b|(?:19|20)\d\d",
    ),
    _intent(
        "amount",
        r"多少|金额|数额|比例|费用|标准|几[个名人次项条]"
        r"|how (?:much|many)|amount|percentage|ratio|cost|price|number of",
        r"\d|[一二三四五六七八九十百千万]+(?:元|%|倍|名|人|次|个)|百分之",
    ),
    _intent(
        "purpose",
        r"目的|为什么|为何|为了|意义|\bwhy\b|purpose|reason",
        r"为了|目的|旨在|因此|由于|because|in order to|due to|purpose|aim",
    ),
    _intent("principle", r"原则|方针|principle", r"原则|方针|坚持|遵循|principle"),
    _intent(
        "body",
        r"谁|哪[个些一位]?(?:部门|单位|机构|机关|公司|人员)|何[人部]|什么(?:部门|单位|机构|机关|人)|由.{0,6}(?:负责|制定|审批)"
        r"|\bwho(?:m|se)?\b|which (?:department|body|person|company|authority)",
        r"负责|主管|由.{2,20}(?:制定|组织|审批|批准|管理)|responsib|in charge|authority|department",
    ),
    _intent(
        "procedure",
        r"如何|怎么|怎样|流程|程序|步骤|how (?:do|does|can|should|to|is|are)\b|procedure|process|steps",
        r"应当.{0,40}(?:申请|提交|报告|报|备案|审查|登记)|按照下列|程序|流程|步骤|step|procedure|submit|shall|must",
    ),
    _intent(
        "permission",
        r"禁止|不得|能否|可以.{0,20}吗|是否|允许|可不可以|\bmay\b|\bcan\b|allowed|prohibit|permitted",
        r"不得|禁止|可以|应当|严禁|允许|must not|may not|prohibit|shall not|not allowed|\bmay\b",
    ),
    _intent(
        "list",
        r"哪些|哪几|有什么|包括什么|什么内容|主要内容|职责|义务|权利|\blist\b|what are|duties",
        r"\([一二三四五六七八九十\d]{1,3}\)|下列|以下|first.*second|following",
    ),
)
"""Kinds of answers that rules and reports give, by their wording in Chinese and English."""


def asked_intents(question: str) -> tuple[Intent, ...]:
    """The kinds of answer that a normalised question asks for; empty if it says none."""
    return tuple(intent for intent in INTENTS if intent.asks.search(question))
