# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Words of a question that raise its scores, and how its reasons read in both languages."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple


class Reason(StrEnum):
    """Why a score is raised."""

    PARTS = "parts"
    COMPARISON = "comparison"
    CHAIN = "chain"
    NESTED = "nested"
    FOLLOW_UP = "follow_up"
    TABLE = "table"
    VERSION = "version"
    EFFECTS = "effects"
    WHY = "why"
    CONDITIONS = "conditions"
    SUBJECTS = "subjects"
    SOURCES = "sources"
    WEIGHING = "weighing"
    STAKES = "stakes"
    CONSEQUENCES = "consequences"


class Wording(NamedTuple):
    """A reason in words; `{count}` or `{words}` is filled in."""

    chinese: str
    english: str


WORDINGS = {
    Reason.PARTS: Wording("一次问了{count}个问题", "asks {count} things"),
    Reason.COMPARISON: Wording("要比较{count}个对象", "compares {count} subjects"),
    Reason.CHAIN: Wording("要先查出一个名称再查下一步", "needs a name to be found first"),
    Reason.NESTED: Wording("比较的对象本身也要先查出来", "what is compared must itself be found first"),
    Reason.FOLLOW_UP: Wording("比较之后还有追问", "asks further after the comparison"),
    Reason.TABLE: Wording("要对表格各行计算", "computes over the rows of a table"),
    Reason.VERSION: Wording("要确定现行版本", "must tell which edition is in force"),
    Reason.EFFECTS: Wording("要说明原因或影响", "asks for causes or effects"),
    Reason.WHY: Wording("问原因", "asks why"),
    Reason.CONDITIONS: Wording("带有{count}个条件", "sets {count} conditions"),
    Reason.SUBJECTS: Wording("涉及{count}个不同的对象", "names {count} different subjects"),
    Reason.SOURCES: Wording("涉及{count}份不同的文件", "names {count} different documents"),
    Reason.WEIGHING: Wording("要权衡几份文件并判断后果", "weighs documents against each other, with consequences"),
    Reason.STAKES: Wording("关系到：{words}", "touches on {words}"),
    Reason.CONSEQUENCES: Wording("问到后果或责任", "asks for consequences or liability"),
}


class StakesWords(NamedTuple):
    """A field in which a wrong answer costs something: its words, how much it adds, how it is called."""

    pattern: re.Pattern[str]
    points: int
    name: Wording


def _stakes(points: int, chinese: str, english: str, words: str) -> StakesWords:
    return StakesWords(re.compile(words, re.IGNORECASE), points, Wording(chinese, english))


STAKES = (
    _stakes(2, "违约与赔偿", "breach and damages", r"违约|赔偿|罚款|罚金|处罚|索赔|追责|扣款|滞纳金|\b(?:penalt(?:y|ies)|fines?|damages|breach\w*|liab\w+|indemnit\w+|compensation|claims?|forfeit\w*)\b"),
    _stakes(2, "安全与健康", "safety and health", r"安全|事故|危险|爆炸|中毒|受限空间|动火|消防|急救|健康|伤亡|工伤|\b(?:safety|accidents?|hazard\w*|explosi\w+|toxic|confined.space|fire|injur\w+|health|emergency)\b"),
    _stakes(1, "法律与合规", "law and compliance", r"法律|法规|条例|合规|劳动法|诉讼|仲裁|违法|许可证|监管|\b(?:laws?|legal\w*|regulations?|complian\w+|lawsuits?|litigation|arbitration|unlawful|permits?|licen[cs]es?)\b"),
    _stakes(1, "合同", "contracts", r"合同|协议|条款|不可抗力|解除|终止|担保|\b(?:contracts?|contractual\w*|agreements?|clauses?|force majeure|terminat\w+|guarantees?|warrant(?:y|ies))\b"),
    _stakes(1, "金额", "money", r"多少钱|金额|付款|款项|价格|报价|成本|费用|工资|预算|负债|利润|收入|补贴|贷款|\b(?:amounts?|payments?|prices?|costs?|fees?|wages?|salary|pay|budgets?|debts?|profits?|margins?|revenues?|subsid\w+|loans?|assets)\b"),
    _stakes(1, "期限", "deadlines", r"期限|截止|逾期|延误|延期|到期|\b(?:deadlines?|overdue|delay\w*|expir\w+|late)\b"),
)  # fmt: skip
CONSEQUENCES = re.compile(
    r"后果|风险|责任|处罚|追责|赔偿|违约金|能否[^,?]{0,8}(?:索赔|终止|解除)|以哪[个份一]?[^,?]{0,3}为准|按哪|允许终止"
    r"|\b(?:consequences?|risks?|liab\w+|penalt(?:y|ies)|damages|prevails?|which one applies|claim it back)\b",
    re.IGNORECASE,
)
WHY = re.compile(r"为什么|为何|原因|因何|\bwhy\b|\bcauses?\b|\breasons?\b", re.IGNORECASE)
EVALUATES = re.compile(r"效果(?:如何|怎么样)|是否合理|综合|最好|哪家更?合适|best|\bwork\?|effective\b", re.IGNORECASE)
CONDITION = re.compile(
    r"如果|若(?!干)|假如|一旦|倘若|且(?=[^,?]{2,20}[,])|除[^,?]{1,12}外|\bif\b|\bunless\b|\bprovided\b|\bgiven that\b|\bwhere (?:the|labour|a)\b",
    re.IGNORECASE,
)
DOCUMENTS = re.compile(
    r"《[^》]+》|[\u4e00-\u9fff]{2,6}?(?:合同|协议|制度|办法|手册|报告|记录|档案|年报|法规|条例|劳动法|规程|许可证|纪要|台账)|(?:19|20)\d{2}(?:年)?(?:修订)?版"
    r"|\b(?:contract|agreement|policy|handbook|report|log|records|permit|regulations|law|manual|minutes|schedule|register|specification)s?\b|\b(?:19|20)\d{2}(?= (?:edition|version)| and (?:19|20)\d{2} (?:edition|version))",
    re.IGNORECASE,
)
PERIODS = re.compile(
    r"(?:19|20)\d{2}年?(?:至|到|-|—|~)(?:19|20)?\d{2}|[三四五六七八九十]份|reports of (?:19|20)\d{2} (?:to|and)",
    re.IGNORECASE,
)
