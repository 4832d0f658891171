"""What in a question speaks for one of the product's own tools. Pure functions of the normalised question."""

from __future__ import annotations

import re

from .models import SURE, Cue
from .wording import ASKS, NORM, PAPER, without_given

_SAYING = r"(?:问|说|提|讲|告诉|聊|查|回答|答|给出|谈)"
_BEFORE = r"(?:上一?[次回个轮]|之前|先前|刚才|刚刚|方才|前面|早些时候|一开始)"
_MEMORY = re.compile(
    rf"(?:我们?|你们?|咱们?)[^,.?]{{0,3}}{_BEFORE}[^,.?]{{0,6}}{_SAYING}"
    rf"|{_BEFORE}(?:我们?|你们?|咱们?)?(?:跟[我你])?{_SAYING}"
    r"|(?:还)?记得我|我(?:叫|姓)什么|我是谁|我的名字|我(?:跟你)?(?:说|提|告诉)过|你(?:说|提|讲)过|上一个问题|前一个问题"
    r"|\b(?:did|have|had|was|were)? ?(?:i|you|we)\b[^.?]{0,30}\b(?:ask|said|say|mention|told|tell|talk|discuss)\w*\b"
    r"[^.?]{0,50}\b(?:earlier|before|a (?:moment|minute|while) ago|just now|last time|previously|so far)\b"
    r"|\b(?:earlier|last time|just now|a (?:moment|minute) ago|previously)\b[^.?]{0,20}\b(?:i|you|we)\b[^.?]{0,12}"
    r"\b(?:ask|said|say|mention|told|tell|talk|discuss)"
    r"|\bmy (?:last|previous|first|earlier) question|\bremember (?:my|what i|that i)\b|\bwhat(?:'s| is) my name\b"
)
_PLACE = r"(?:第\s?[\d〇零一二三四五六七八九十百]+\s?[章节条款编部]|附件|附录|附表|本?章节?|条款|\"[^\"]{2,60}\")"
_WHOLE = r"(?:全文|原文|完整|逐字|一字不[差漏]|整[章节条篇段]|全部内容|所有内容|从头到尾|通读|全部列出)"
_SECTION = re.compile(
    rf"{_PLACE}[^,.?]{{0,12}}{_WHOLE}|{_WHOLE}[^,.?]{{0,14}}{_PLACE}"
    r"|\b(?:whole|entire|full|complete|exact)\s(?:text|wording|section|clause|article|annex|appendix|chapter|content)"
    r"|\b(?:section|clause|article|annex|appendix|chapter|schedule)\s[\w.]+[^.?]{0,20}"
    r"\b(?:in full|in its entirety|from (?:beginning|start) to (?:end|finish)|word for word|verbatim|completely)"
)
_RELATION = re.compile(
    r"(?:和|与|跟|同|及)[^,.?]{1,24}(?:之间)?(?:是|有|存在|属于)?(?:什么|怎样的?|何种|哪些|啥)的?(?:关系|关联|联系)"
    r"|之间的?(?:关系|关联|联系)"
    r"|(?:谁|哪些|哪[几个份条]?|什么)[^,.?]{0,10}(?:引用|参照|援引|指向|引述|关联)(?:了|到|过|着)?"
    r"|(?:被|给)(?:谁|哪些|哪[几个份条])[^,.?]{0,8}(?:引用|参照|援引|引述)"
    r"|(?:引用|参照|援引)(?:了|过)?(?:哪些|哪[几个份条]|什么)"
    r"|\b(?:which|what|who)\b[^.?]{0,30}\b(?:refers?|refer back|cites?|points?|references?|mentions?)\b(?: to)?"
    r"|\bhow (?:is|are|does|do)\b[^.?]{1,60}\b(?:related|connected|linked|relate)\b"
    r"|\brelation(?:ship)?s? (?:between|of)\b|\b(?:is|are) (?:referred to|cited|referenced) (?:by|in) (?:which|what)"
)
_POLITE = r"(?:请你?|麻烦你?|劳驾|帮我|帮忙|替我|帮|替|马上|立即|现在|再)*"
_VERB = (
    r"(?:提交|创建|新建|建立|发起|发送|发出|提出|提一?[个张份]|开一?[个张份]|发一?[个封份条]|申请|预[订定约]|取消|撤销|撤回|删除|修改|更新|更改"
    r"|设置|设为|通知|提醒|登记|录入|审批|批准|驳回|关闭|重启|启动|停止|下单|转账|支付|派发|分配|上传|订)"
)
_ACTION = re.compile(rf"^{_POLITE}(?:(?:给|为|向|把|将|对|以)[^,.?]{{1,24}}?)?{_VERB}")
_ENGLISH_ACTION = re.compile(
    r"^(?:(?:please|kindly|now|then)\s|(?:can|could|would|will) you (?:please )?|i(?:'d| would) like you to )*"
    r"(?:submit|create|open|file|send|book|cancel|delete|update|change|set|remind|notify|approve|reject|close|order"
    r"|register|raise|schedule|reserve|add|remove|post|start|stop|restart|assign|upload|pay|transfer)\b"
)
_POLITE_QUESTION = re.compile(r"^(?:can|could|would|will) you\b|^(?:能|可以|能不能|可不可以)(?:请你?)?(?:帮我|替我)")
_LIVE = re.compile(
    r"实时|此刻|当前|现在|目前|眼下|当下|最新|今[天日早晚]|截至(?:今|目前)|刚刚更新"
    r"|\b(?:real[- ]?time|right now|currently|current|at (?:the|this) moment|live"
    r"|latest|now|today(?:'s)?|up[- ]to[- ]date)\b"
)
_PERIOD = re.compile(
    r"去年|今年|前年|本年|上年|年度|上个?月|本月|这个月|上半年|下半年|[上本这]个?季度|第[一二三四1-4]季度|[一二三四]季度"
    r"|上个?周|本周|昨[天日]|近[\d一二两三四五六七八九十]+[天周月年个]|(?:19|20)\d{2}年|\d{1,2}月份?"
    r"|\bq[1-4]\b|\b(?:last|this|previous|past) (?:year|month|quarter|week|\d+ (?:days|weeks|months|years))\b"
    r"|\b(?:19|20)\d{2}\b|\b(?:first|second|third|fourth) quarter|\bin (?:january|february|march|april|may|june|july"
    r"|august|september|october|november|december)\b|\byesterday\b"
)
_AGGREGATE = re.compile(
    r"总[额数量计]|合计|总共|一共|累计|平均|最[高低大小多少]的?|排[名行]|前[\d一二三五十]+[名个位]|分别"
    r"|各(?:个)?[\u4e00-\u9fff]{1,4}|同比|环比|增长|占比|分布"
    r"|\b(?:total|sum|average|mean|highest|lowest|largest|smallest|top|most|fewest|per"
    r"|by (?:region|month|department|quarter|year)"
    r"|each|growth|count|number of)\b"
)
_FIGURE = re.compile(
    r"多少|几[个件台名人份笔条]|多[大高]|哪[些个几]|数[量目]|人数|金额|排|列出"
    r"|\b(?:how (?:many|much)|what (?:was|were|is|are)|which|list|show)\b"
)
_IN_DATABASE = re.compile(r"(?:数据库|数据表|库表|报表系统)|\b(?:database|sql|data warehouse)\b")


def memory_cue(text: str) -> Cue | None:
    """The user asks what was said in the conversation."""
    return Cue(SURE, "asks what was said before") if _MEMORY.search(text) else None


def section_cue(text: str) -> Cue | None:
    """The user wants a whole section, clause or annex."""
    return Cue(SURE, "asks for a whole section") if _SECTION.search(text) else None


def relation_cue(text: str) -> Cue | None:
    """The user asks how things are related, or what refers to what."""
    return Cue(SURE, "asks how things are related") if _RELATION.search(text) else None


def is_command(text: str) -> bool:
    """Whether somebody is told to do something (提交…, please send …), and nothing is asked."""
    text = without_given(text)
    if not (_ACTION.match(text) or _ENGLISH_ACTION.match(text)) or NORM.search(text):
        return False
    return not ASKS.search(text) or _POLITE_QUESTION.match(text) is not None


def asks_what_is_now(text: str) -> bool:
    """Whether what is so right now is asked for; the version in force of a text is none of that."""
    return _LIVE.search(text) is not None and PAPER.search(text) is None


def names_database(text: str) -> bool:
    """Whether a question says itself that a database is to be asked."""
    return _IN_DATABASE.search(text) is not None


def asks_for_figures(text: str) -> float:
    """How much a question is one for tables of data: 0 no, 0.5 a figure, 1 a figure of a period or over many rows."""
    if not _FIGURE.search(text):
        return 0.0
    return 1.0 if _PERIOD.search(text) or _AGGREGATE.search(text) else 0.5
