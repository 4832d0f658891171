"""Wording that several rules look at, in normalised text (lower case, simplified characters, ASCII marks)."""

from __future__ import annotations

import re

ASKS = re.compile(
    r"\?|[吗呢]$|什么|多少|多久|怎么|怎样|如何|哪|谁|几[个天次年月名份条]|是否|有没有|为何|为什么|能否|可否"
    r"|^(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|does|do|did|has|have|must|should|may|shall)\b"
)
"""Of a sentence that asks and does not tell somebody to do something."""

NORM = re.compile(
    r"应当|应该|必须|须|不得|规定|要求|标准|条件|材料|流程|程序|期限|时限|多久|几[天日]内|(?:几|多少)个?工作日|频率"
    r"|由谁|谁(?:来|负责|审|批|承担)|负责|职责|权限|定义|含义|什么意思|是指|什么是|为什么|原因|如何|怎么|怎样|依据|能否|可否|是否(?:可以|允许)"
    r"|\b(?:should|must|shall|may(?! \d)|allowed|permitted|required?|requirements?|polic(?:y|ies)|rules?|deadlines?"
    r"|procedures?|how often|within how|how long|who (?:is|are|has|may|must|bears)|responsible|defin(?:e|ed|ition)|why"
    r"|standards?|conditions?|due)\b"
)
"""Of questions about what holds, which documents answer, whatever data there is of the same thing."""

PAPER = re.compile(
    r"\"[^\"]{2,60}\"|合同|协议|办法|制度|规定|规则|政策|章程|条例|手册|指南|通知|公告|纪要|标书|说明书|文件|条款|版本?(?![块面])|现行|修订|适用|有效"
    r"|第[\d〇零一二三四五六七八九十百]+[章节条款]|附件|附录"
    r"|\b(?:contracts?|agreements?|polic(?:y|ies)|handbooks?|manuals?|regulations?|rules?|guidelines?|notices?|minutes"
    r"|documents?|clauses?|articles?|sections?|annex|appendix|editions?|versions?|in force|applicable|effective)\b"
)
"""Of things that are written down: a question about them is for the documents."""

_GIVEN = re.compile(
    r"^(?:因为?|由于|鉴于|because(?: of)?\b|due to\b|owing to\b)(?P<leading>[^,;。?]{1,200}),\s*(?:所以|因此|so\b)?\s*"
    r"|(?:[,;。.]\s*|\s)?(?:(?:取消|申请|具体)?(?:原因|理由|事由)(?:是|为|:)|因为|由于|鉴于"
    r"|\b(?:(?:the|my|our) )?reason(?: is|:)|\bbecause\b|\bdue to\b|\bowing to\b|\bon account of\b)(?P<reason>[^;。?]*)"
    r"|(?:[,;。.]\s*[^,;。:?]{1,30}|\s[^\s,;。:?]{1,12}):(?P<labelled>[^,;。?]*)"
)
_ASKS_FOR_IT = re.compile(r"\s*(?:什么|哪|谁|怎|如何|多少|为何|what|which|who|how|why)|[^?]*[吗呢]$")


def without_given(text: str) -> str:
    """A text that tells somebody to do something without the reasons and the labelled values that it gives.

    They may hold any words (原因：不符合规定), and say nothing of whether something is asked.
    """
    return _GIVEN.sub(_cut, text)


def _cut(match: re.Match[str]) -> str:
    value = next((text for text in match.groups() if text is not None), "")
    return match[0] if _ASKS_FOR_IT.match(value) or not value.strip() else ""
