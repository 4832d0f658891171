# ruff: noqa: E501 - patterns and word lists are read in one piece
"""How the two languages ask: which words want which kind of answer."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from ..text.values import ValueKind


class AnswerType(StrEnum):
    """What kind of thing a question wants to hear."""

    NUMBER = "number"
    AMOUNT = "amount"
    DATE = "date"
    DURATION = "duration"
    PERCENTAGE = "percentage"
    PERSON = "person"
    ORGANISATION = "organisation"
    PLACE = "place"
    IDENTIFIER = "identifier"
    LIST = "list"
    DEFINITION = "definition"
    YES_NO = "yes_no"
    REASON = "reason"
    SUMMARY = "summary"
    TEXT = "text"


class Asking(NamedTuple):
    """A way to ask: what it looks like and what it wants. A group named `noun` is what is asked for."""

    pattern: re.Pattern[str]
    wants: AnswerType


def _rule(wants: AnswerType, pattern: str) -> Asking:
    return Asking(re.compile(pattern, re.IGNORECASE), wants)


_T = AnswerType

# In order: the first that matches decides. Chinese questions are compared in simplified form.
CHINESE_ASKING: tuple[Asking, ...] = (
    _rule(_T.REASON, r"为什么|为何|为甚么|何以|(?:什么|哪些|何种|主要|的)(?P<noun>原因|理由)|因何|缘何"),
    _rule(_T.SUMMARY, r"^(?:请)?(?:总结|概括|简述|概述|描述|介绍)|总结一下|概括一下"),
    _rule(
        _T.DEFINITION,
        r"什么是|何谓|何为|是指(?:什么|哪)|指的是(?:什么|哪)|的(?:定义|含义|意思)|所称.{0,20}(?:是什么|指什么)",
    ),
    _rule(
        _T.PERCENTAGE,
        r"百分之(?:几|多少)|(?:比例|占比|比率|百分比|利率|费率|税率|增长率|股权|(?<![功频速曝斜])率)(?:是|为|达|有|到)*(?:多少|几)|多少(?P<noun>股权|股份|百分点)",
    ),
    _rule(
        _T.DURATION,
        r"多久|多长(?:时间|期限|时限)|(?:期|期限|时间|时长|时限|周期)(?:是|有|为)?多长(?![宽度])|多少(?P<noun>天|个?工作日|小时|个?月|周|分钟)|几(?:天|个?工作日|个?小时|个月|周|分钟|年(?!级|月|度))|(?:期限|时限|有效期|时效|周期|保质期|刑期|工期)(?:是|为|有)*(?:多少|多长|几|什么|怎)",
    ),
    _rule(
        _T.DATE,
        r"什么时候|何时|何年|何月|何日|几时|(?:哪|几)一?(?P<noun>年|天|日|月|号|月份|个月|年代|世纪|朝代)|什么(?P<noun2>时间|日期|年代|时期|日子|朝代)|时间是|日期是",
    ),
    _rule(
        _T.AMOUNT,
        r"多少(?:钱|元|万元|亿元|美元|欧元|人民币|(?P<noun>资金|罚金|罚款|费用|金额|资产|负债|投资))|几元|(?:金额|价格|费用|价值|总价|罚款|罚金|注册资本|投资额|营业收入|净利润|总资产|总负债|收入|利润|资金|成本|工资|薪酬|补偿金|赔偿金?|押金|保证金|预算|负债|资产|现金流量?|股利|支出|款项)(?:总额)?(?:是|为|达|有|到|共|总计)*(?:多少|几)",
    ),
    _rule(
        _T.LIST,
        r"哪些|哪几|有什么|包括什么|包含什么|什么(?P<noun>条件|材料|内容|要求|职责|义务|权利|情形|情况|措施|事项|文件|资料|程序|步骤|原则|规定)|家庭成员|分为.{0,3}(?:几|哪|什么)",
    ),
    _rule(
        _T.PERSON,
        r"谁|何人|哪一?(?:位|名)(?P<noun>[\u4e00-\u9fff]{0,4})|(?:什么|哪种|哪个|哪些)人(?!民)|(?:叫|名为|名叫)什么名字|姓名是",
    ),
    _rule(
        _T.ORGANISATION,
        r"(?:哪一?(?:家|个|所|支|些)?|什么|何种?)(?P<noun>[\u4e00-\u9fff]{0,4}(?:公司|企业|机构|部门|单位|组织|学校|大学|法院|银行|机关|团体|协会|委员会|球队|乐团|医院|政府|出版社|党))",
    ),
    _rule(
        _T.PLACE,
        r"哪里|哪儿|(?<!如)何处|(?<!如)何地|什么地[方点区]|在哪|(?:哪一?(?:个|座|处|条)?|什么|何)(?P<noun>国家?|城市|省份?|地区|地方|地点|位置|州|县|市|区|岛|国人|洲)|(?:地址|地点|位置|住址|注册地|总部|籍贯|祖籍)(?:是|为|在|位于)*(?:什么|哪|何)|哪边",
    ),
    _rule(
        _T.IDENTIFIER,
        r"(?:编号|型号|代码|文号|号码|案号|车牌号?|版本号?|标准号)(?:是|为)*(?:什么|多少|几|哪)|什么(?P<noun>型号|编号|代码|号码|版本)|哪个(?P<noun2>型号|版本|标准)",
    ),
    _rule(
        _T.NUMBER,
        r"多少(?P<noun>[\u4e00-\u9fff]{0,4})|几(?P<noun2>[\u4e00-\u9fff]{1,2})|多(?:大|高|重|远|宽|深|厚|长|快|少)|第几|何种程度",
    ),
    _rule(
        _T.YES_NO,
        r"吗[?？。\s]*$|是否|能否|可否|能不能|是不是|可不可以|有没有|会不会|要不要|需不需要|应不应该|对吗|(?<![什怎多])么[?？]\s*$",
    ),
    _rule(_T.DEFINITION, r"^[^，,的]{2,24}(?:是什么|指什么|是什么意思)[?？。\s]*$"),
    _rule(
        _T.TEXT,
        r"(?:什么|何种?|哪一?(?:个|种|项|类|部|首|本|场|款|座|条|门|支|次|件|届|份|篇)?)(?P<noun>[\u4e00-\u9fff]{0,6})|如何|怎么样?|怎样",
    ),
)

ENGLISH_ASKING: tuple[Asking, ...] = (
    _rule(_T.REASON, r"\bwhy\b|\b(?:what|which)\b.{0,30}\b(?P<noun>reasons?|causes?)\b|\bhow come\b"),
    _rule(
        _T.SUMMARY,
        r"^\s*(?:please\s+)?(?:summari[sz]e|outline|describe|give an? (?:overview|summary))\b|\bsummari[sz]e\b",
    ),
    _rule(_T.DEFINITION, r"\b(?:what is meant by|definition of|define|mean by)\b|\bwhat does\b.{1,60}\bmean\b"),
    _rule(
        _T.PERCENTAGE,
        r"\b(?:what|which)\s+(?:percent(?:age)?|share|proportion)(?:\s+of\s+(?P<noun>[\w\s-]{2,30}?))?\b|\bwhat\b.{0,40}\b(?P<noun2>rate|ratio|percentage)\b",
    ),
    _rule(
        _T.DURATION,
        r"\bhow (?:long|soon|often)\b|\bhow many\s+(?:(?:working|business|calendar)\s+)?(?P<noun>days?|weeks?|months?|years?|hours?|minutes?)\b|\b(?:what|which)\b.{0,30}\b(?P<noun2>deadline|notice period|period|duration|retention period)\b",
    ),
    _rule(_T.DATE, r"\bwhen\b|\b(?:what|which|in what|in which|on what)\s+(?P<noun>date|day|month|year|time)\b"),
    _rule(
        _T.AMOUNT,
        r"\bhow much\s*(?P<noun>[\w-]*)|\bwhat\b.{0,60}\b(?P<noun2>amounts?|cost|price|fee|fine|salary|revenue|income|profit|value|budget|expenditure|investment|assets|liabilities|cash flow|capital|deposit|funding|dividends?)\b",
    ),
    _rule(
        _T.NUMBER,
        r"\bhow many\s+(?P<noun>[\w-]+)|\bhow (?:large|big|high|tall|old|far|heavy|wide|deep|fast|thick|loud)\b|\bwhat\b.{0,20}\b(?:number of|minimum|maximum|limit)\b",
    ),
    _rule(
        _T.PERSON,
        r"\bwho(?:m|se)?\b|\b(?:what|which)\s+(?:person|employee|manager|director|judge|member)\b|\bwhat (?:is|was) the name of the (?:person|ceo|judge|defendant|lawyer)\b",
    ),
    _rule(
        _T.ORGANISATION,
        r"\b(?:what|which)\s+(?:\w+\s+)?(?P<noun>compan(?:y|ies)|organi[sz]ations?|institutions?|departments?|agency|court|bank|university|firm|team|authority)\b",
    ),
    _rule(
        _T.PLACE,
        r"\bwhere\b|\b(?:what|which)\s+(?P<noun>city|country|place|location|state|town|address|region)\b|\bwhat (?:is|was) the (?P<noun2>address|location|headquarters|place)\b",
    ),
    _rule(
        _T.IDENTIFIER,
        r"\b(?:what|which)\b.{0,40}\b(?P<noun>model number|part number|serial number|license plate|code|version|identifier|standard)\b",
    ),
    _rule(
        _T.LIST,
        r"\b(?:what|which)\s+are\b|\blist\b|\b(?:what|which)\s+(?:\w+\s+)?(?P<noun>documents|conditions|requirements|measures|steps|items|types|kinds|factors|duties|obligations|rights|activities|events|services|products|members)\b",
    ),
    _rule(_T.YES_NO, r"^\s*(?:is|are|was|were|do|does|did|can|could|may|must|should|shall|will|would|has|have|had)\b"),
    _rule(_T.DEFINITION, r"^\s*what (?:is|are) (?:an? )?[\w\s-]{2,40}\?\s*$"),
    _rule(
        _T.TEXT,
        r"\b(?:what|which)\s+(?P<noun>(?!(?:is|are|was|were|do|does|did|has|have|had|can|should|must|happens?|happened)\b)[\w-]+(?:\s+[\w-]+)?)|\bwhat\b|\bwhich\b|\bhow\b",
    ),
)

WANTED_VALUES: dict[AnswerType, tuple[frozenset[ValueKind], frozenset[ValueKind]]] = {
    _T.NUMBER: (
        frozenset({ValueKind.NUMBER, ValueKind.QUANTITY, ValueKind.ORDINAL, ValueKind.PERCENT}),
        frozenset({ValueKind.MONEY, ValueKind.DURATION}),
    ),
    _T.AMOUNT: (frozenset({ValueKind.MONEY}), frozenset({ValueKind.NUMBER, ValueKind.PERCENT})),
    _T.DATE: (frozenset({ValueKind.DATE, ValueKind.TIME}), frozenset()),
    _T.DURATION: (frozenset({ValueKind.DURATION}), frozenset({ValueKind.DATE})),
    _T.PERCENTAGE: (frozenset({ValueKind.PERCENT}), frozenset({ValueKind.NUMBER})),
    _T.IDENTIFIER: (frozenset({ValueKind.IDENTIFIER}), frozenset({ValueKind.NUMBER})),
}
"""Kinds of values that answer, and those that may; a type that is not here is answered by words."""

SMALL_TALK = re.compile(
    r"(?:你好|您好|嗨|哈喽|早上好|上午好|中午好|下午好|晚上好|早安|晚安|在吗|在么|谢谢|多谢|感谢|辛苦了?|再见|拜拜|好的|明白了?|知道了"
    r"|hello|hi|hey|good (?:morning|afternoon|evening|night)|how are you(?: doing)?|thanks?|thank you|thx|bye|goodbye|see you|ok|okay"
    r"|great|cheers|(?:are )?you there|got it)(?:\s|啊|呀|你|您|大家|各位|了|哦|吧|there|again|a lot|very much|so much|everyone|all|for (?:your|the) help|的?帮助)*",
    re.IGNORECASE,
)
"""A message that consists of nothing but these, punctuation aside, wants no search."""

GENERIC_NOUNS = frozenset(
    [
        "名称",
        "名字",
        "日期",
        "时间",
        "时候",
        "地点",
        "位置",
        "金额",
        "数量",
        "数额",
        "比例",
        "编号",
        "内容",
        "情况",
        "结果",
        "作用",
        "原因",
        "理由",
        "特点",
        "方式",
        "方法",
        "部门",
        "机构",
        "单位",
        "组织",
        "公司",
        "人",
        "人员",
        "国家",
        "地方",
        "国人",
        "国家",
        "东西",
        "物品",
        "样子",
        "样",
        "什么样",
        "哪里人",
        "人物",
        "事情",
        "事件",
        "部分",
        "问题",
        "办法",
        "处置",
        "处理",
        "惩罚",
        "后果",
        "区别",
        "目标",
        "目的",
        "缘故",
        "效果",
        "影响",
        "时期",
        "期间",
        "年份",
        "年代",
        "总数",
        "大小",
        "行为",
        "文件",
        "资料",
        "年",
        "月",
        "日",
        "天",
        "地区",
        "条件",
        "材料",
        "要求",
        "规定",
        "措施",
        "原则",
        "标准",
        "意思",
        "含义",
        "定义",
        "name",
        "date",
        "time",
        "place",
        "location",
        "amount",
        "number",
        "value",
        "percentage",
        "total",
        "person",
        "people",
        "company",
        "thing",
        "kind",
        "type",
        "day",
        "month",
        "year",
        "result",
        "purpose",
        "effect",
        "consequence",
        "difference",
        "details",
        "amount",
        "sum",
        "figure",
        "role",
        "date",
        "time",
        "way",
        "result",
        "reason",
        "document",
        "content",
        "condition",
        "way",
    ]
)
"""What a question asks for in a word that its answer need not contain."""
