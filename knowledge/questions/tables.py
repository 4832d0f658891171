# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Arithmetic over the rows of a table (所有设备的总价, how many items failed): which one is asked for."""

from __future__ import annotations

import re

from .models import Combination
from .parts import Asked

_TABLE = (
    r"(?:报价单?|价格表|清单|明细表?|台账|一览表|汇总表|参数表|记录表?|表格?[中里内]|表$|各期|名单|目录|合同各|计划表)"
)
_ROWS = r"(?:设备|机器人?|机组|型号|供应商|阀门?|泵|产品|物料|配件|备件|零件|材料|项目|合同|批次|里程碑|付款|货物|仪器|车辆|客户|订单|会员|任务|检查项|方案)"
_MANY = r"(?:所有|全部|各[期项个台类家款种批]|每[期项个台]|这些|一共|总共|共计|合计|加起来)"
_TOTAL = r"(?:总价|总额|总和|总金额|总量|总数|总重量?|总计|合计|一共|总共|共计|加起来|之和)"
_STATE = r"(?:不合格|合格|不达标|达标|逾期|未完成|已完成|未通过|通过|延期|超过|大于|高于|低于|小于|超出|少于|多于|由[\u4e00-\u9fff]{2,4}负责)"
_SUPERLATIVE = r"最(?P<adjective>贵|便宜|大|小|重|轻|长|短|高|低|多|少|早|晚|快|慢)"
_SMALL = frozenset(["便宜", "小", "轻", "短", "低", "少", "早", "慢"])

_CHINESE_SUM = re.compile(
    rf"(?:{_TABLE}|{_MANY})[^,?]{{0,20}}{_TOTAL}[^,?]{{0,8}}(?:多少|几)|{_ROWS}[^,?]{{0,8}}加起来[^,?]{{0,8}}多少"
)
_NUMBER = r"(?:[一二两三四五六七八九十]|\d{1,2})"
_UNIT = r"(?:个|项|台|期|家|条|款|种|笔|批|份|套|件)"
_ADDED = r"(?:一共|总共|共计|合计|加起来|之和|总和|总额)"
# 甲科目和乙科目两项一共多少, 五期付款一共多少: the rows are named, or counted.
_CHINESE_SUM_OF = re.compile(
    rf"(?:[和与、及][^,?]{{1,30}}|{_NUMBER}{_UNIT}[^,?]{{0,10}}){_ADDED}[^,?]{{0,6}}(?:多少|几)"
)
_CHINESE_AVERAGE = re.compile(
    rf"(?:{_TABLE}|{_MANY}|{_ROWS})[^,?]{{0,20}}(?:平均值?|均价)[^,?]{{0,10}}(?:多少|几|多[高大长重])|平均(?:单价|价格|报价|每[台个期项])[^,?]{{0,6}}(?:多少|几)"
)
_CHINESE_COUNT = re.compile(
    rf"(?:有|共|共有)?(?:多少|几)(?:项|台|个|条|家|份|种|款|批|期)(?:[\u4e00-\u9fff]{{0,6}}?)(?:是|被)?{_STATE}|{_STATE}的[\u4e00-\u9fff]{{0,8}}(?:共|一共)?有(?:多少|几)(?:项|台|个|条|家|份|种|款|批)|{_TABLE}[^,?]{{0,12}}(?:有|共有?|列出?了?|包[括含])(?:多少|几)(?:项|台|个|条|家|份|种|款|批)"
)
_CHINESE_EXTREME = re.compile(
    rf"(?:{_TABLE}|{_ROWS})[^,?]{{0,12}}{_SUPERLATIVE}的?[^,?]{{0,10}}(?:是|为)?(?:哪|什么|谁)|{_SUPERLATIVE.replace('adjective', 'adjective2')}的{_ROWS}(?:是|为)?(?:哪|什么)|(?:哪一?(?:个|台|款|种|家|项|份|批)){_ROWS}[^,?]{{0,10}}{_SUPERLATIVE.replace('adjective', 'adjective3')}"
)
_FACT = re.compile(r"(?:最[大小长高多少]|平均)(?:跨度|注册|股东|负荷|允许)")

_EN_TABLE = (
    r"(?:price list|quotation|quote|offers?|table|list|register|schedule|log|sheet|instal+ments|line items|invoice)"
)
_EN_ROWS = r"(?:items?|machines?|devices?|products?|suppliers?|pumps?|valves?|robots?|models?|parts?|milestones?|payments?|instal+ments?|contracts?|orders?|checks?|tests?|entries|rows|records?|tasks?|lots?|units?|vehicles?|positions?)"
_EN_SUM = re.compile(
    rf"\b(?:total|sum|combined|altogether|in all)\b[^?]{{0,60}}\b(?:all|every|each|the)\s+(?:[\w-]+\s+){{0,3}}{_EN_ROWS}\b|\b(?:total|sum|combined)\b[^?]{{0,60}}\b{_EN_TABLE}\b|\bhow much\b[^?]{{0,60}}\b(?:in total|altogether|in all|together)\b",
    re.IGNORECASE,
)
_EN_SUM_OF = re.compile(
    r"\b(?:how much|how many\s\w+|what)\b[^?]*\band\b[^?]{2,60}\b(?:together|altogether|combined|add up to|in total|in all)\b|\b(?:total|sum|combined\s+\w+)\s+(?:\w+\s+)?(?:of|for)\s[^?]{2,60}\sand\s",
    re.IGNORECASE,
)
_EN_AVERAGE = re.compile(
    rf"\b(?:average|mean)\s+(?:unit\s+)?(?:price|cost|weight|power|amount|value|length|duration|delay|payment|delivery time|score|rating)s?\b[^?]{{0,40}}\b(?:{_EN_ROWS}|{_EN_TABLE})\b|\b(?:average|mean)\s+(?:unit\s+)?(?:price|cost)\s+of\b",
    re.IGNORECASE,
)
_EN_COUNT = re.compile(
    rf"\bhow many\s+(?:of the\s+)?(?:[\w-]+\s+)?{_EN_ROWS}\s+(?:in the {_EN_TABLE} )?(?:failed|passed|did not|do not|cost|weigh|exceed|exceeded|missed|(?:is|are|was|were)\s[\w.' -]{{2,30}}?\s(?:responsible for|in charge of)|are (?:overdue|late|delayed|listed|in|over|above|below|due|open|closed)|were (?:rejected|accepted|late|delayed|delivered|overdue|listed)|have|had|met)\b|\bhow many\s+{_EN_ROWS}\s+(?:are|were)\s+(?:there\s+)?(?:in|on)\s+the\s+{_EN_TABLE}",
    re.IGNORECASE,
)
_EN_MOST = r"(?:largest|highest|longest|heaviest|dearest|biggest|greatest|fastest|latest|most\s+(?!recent)\w+)"
_EN_LEAST = r"(?:smallest|lowest|shortest|lightest|cheapest|slowest|earliest|least\s+\w+|fewest)"


_TELLS_ROWS = (Combination.COUNT, Combination.LARGEST, Combination.SMALLEST)


def arithmetic(asked: Asked) -> Combination | None:
    """What is to be computed over the rows of a table, or None if nothing is."""
    return _chinese(asked.text) if asked.language == "zh" else _english(asked.text)


# What a computed row or count says anyway: its value, and which rows it counts.
_CHINESE_FOLLOW_UP = re.compile(
    r"[,?]\s*(?:(?:它|其|数值|具体)?(?:是|为|有|达)?多少[\u4e00-\u9fff]{0,4}|(?:它们)?(?:分别|各)?(?:是|为|有|叫)(?:哪些|哪几[\u4e00-\u9fff]|什么|谁)[\u4e00-\u9fff]{0,4})\??$"
)
_EN_FOLLOW_UP = re.compile(
    r",?\s+and\s+(?:for\s+)?(?:how\s+(?!do\b|does\b|did\b|is\b|was\b|can\b)\w+(?:\s+(?:is|was|does|did)\s+(?:it|that)(?:\s\w+)?)?|what\s+(?:is\s+it|are\s+they)|which\s+(?:ones|are\s+they|ones\s+are\s+they))\?*$"
    r"|\?\s*(?:which\s+(?:ones|are\s+they)|what\s+are\s+they|how\s+much\s+is\s+it)\?*$",
    re.IGNORECASE,
)


def without_follow_up(asked: Asked) -> Asked | None:
    """The question without a second one that its computed answer answers, too (which is heaviest, and how heavy is it).

    None where nothing is computed, or nothing follows.
    """
    pattern = _CHINESE_FOLLOW_UP if asked.language == "zh" else _EN_FOLLOW_UP
    found = pattern.search(asked.text)
    if found is None:
        return None
    shorter = asked._replace(text=asked.text[: found.start()], body=asked.body[: found.start() - len(asked.text)])
    return shorter if arithmetic(shorter) in _TELLS_ROWS else None


def _chinese(text: str) -> Combination | None:
    if _FACT.search(text):
        return None
    if _CHINESE_AVERAGE.search(text):
        return Combination.AVERAGE
    if _CHINESE_COUNT.search(text):
        return Combination.COUNT
    if found := _CHINESE_EXTREME.search(text):
        adjective = next(word for word in found.groups() if word)
        return Combination.SMALLEST if adjective in _SMALL else Combination.LARGEST
    return Combination.SUM if _CHINESE_SUM.search(text) or _CHINESE_SUM_OF.search(text) else None


def _english(text: str) -> Combination | None:
    if _EN_AVERAGE.search(text):
        return Combination.AVERAGE
    if _EN_COUNT.search(text):
        return Combination.COUNT
    if _superlative(text, _EN_LEAST):
        return Combination.SMALLEST
    if _superlative(text, _EN_MOST):
        return Combination.LARGEST
    return Combination.SUM if _EN_SUM.search(text) or _EN_SUM_OF.search(text) else None


def _superlative(text: str, words: str) -> bool:
    """Whether a row is asked for by an extreme value (which pump is the cheapest, the cheapest pump in the list)."""
    of_rows = rf"\b(?:which|what)\s+(?:of the\s+)?(?:[\w-]+\s+)?{_EN_ROWS}\b[^?]{{0,60}}\b(?:is|was|has|had|costs?|weighs?|with)\b[^?]{{0,20}}\b{words}"
    row = rf"\b(?:which|what)\s+(?:is|was)\s+the\s+{words}\s+(?:[\w-]+\s+)?{_EN_ROWS}\b"
    in_table = rf"\b{words}\b[^?]{{0,40}}\b(?:in|on)\s+the\s+(?:[\w-]+\s+)?{_EN_TABLE}\b|\b(?:in|on)\s+the\s+(?:[\w-]+\s+)?{_EN_TABLE}\b[^?]{{0,40}}\b{words}"
    return any(re.search(pattern, text, re.IGNORECASE) for pattern in (of_rows, row, in_table))
