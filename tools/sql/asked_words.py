# ruff: noqa: E501 - patterns and word lists are read in one piece
"""The words of a question that say what to compute, and those that say nothing about which rows are meant."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from ...knowledge.text.numerals import parse_chinese


class Operation(StrEnum):
    """What is asked of the rows."""

    SUM = "sum"
    AVERAGE = "average"
    COUNT = "count"
    LARGEST = "largest"
    SMALLEST = "smallest"
    LIST = "list"


class Computing(NamedTuple):
    """An operation that a question names, and where."""

    operation: Operation
    start: int
    end: int
    number: int = 1
    """Of rows that an extreme asks for."""
    in_time: bool = False
    """Whether it asks for the earliest or the latest."""


MEASURE_WORDS = "个台家种项条款笔份名位件套批张辆座类"
_NUMBER = r"(?P<number>\d{1,3}|[一二两三四五六七八九十]{1,3})"
_EXTREMES = {
    Operation.LARGEST: "最高|最大|最多|最贵|最长|最重|最快|最晚|最新|最宽|最厚|最深|最强",
    Operation.SMALLEST: "最低|最小|最少|最便宜|最短|最轻|最慢|最早|最窄|最薄|最浅|最弱",
}
_EXTREMES_EN = {
    Operation.LARGEST: "highest|largest|biggest|greatest|most expensive|longest|heaviest|fastest|latest|newest|widest|strongest|maximum|most|dearest|top",
    Operation.SMALLEST: "lowest|smallest|least expensive|cheapest|shortest|lightest|slowest|earliest|oldest|narrowest|minimum|least|fewest",
}
_OPERATIONS = (
    (Operation.AVERAGE, re.compile(r"平均值?|均值|\b(?:average|mean|avg)\b(?:\s+of)?", re.IGNORECASE)),
    (Operation.SUM, re.compile(r"总额|合计|总计|总和|总数|总量|总共|一共|共计|累计|加起来|加总|总(?=[\u4e00-\u9fff])|\b(?:grand total|total|sum|altogether|combined)\b(?:\s+of)?", re.IGNORECASE)),
    (Operation.COUNT, re.compile(rf"(?:一?共?有)?(?:多少|几)[{MEASURE_WORDS}]|数量|[笔条个家]数|\b(?:how many|(?:the )?number of|count(?: of)?)\b", re.IGNORECASE)),
    (Operation.LIST, re.compile(r"列出|列举|有哪些|是哪些|哪些|\b(?:list|show|which)\b", re.IGNORECASE)),
)  # fmt: skip
_TOP = re.compile(rf"前\s*{_NUMBER}\s*(?:大|高)?[{MEASURE_WORDS}]?|\btop\s+(?P<of>\d{{1,3}})\b", re.IGNORECASE)
_EXTREME = tuple(
    (
        operation,
        re.compile(
            rf"(?:{_EXTREMES[operation]})(?:的)?(?:\s*{_NUMBER}\s*[{MEASURE_WORDS}])?"
            rf"|\b(?:(?P<of>\d{{1,3}})\s+)?(?:{_EXTREMES_EN[operation]})\b(?:\s+(?P<behind>\d{{1,3}})\b)?",
            re.IGNORECASE,
        ),
    )
    for operation in (Operation.LARGEST, Operation.SMALLEST)
)
_IN_TIME = re.compile(r"最早|最晚|最新|\b(?:latest|newest|earliest|oldest)\b", re.IGNORECASE)
UNCLEAR = re.compile(
    r"之外|同比|环比|增长|下降|增加|减少|变化|相差|差[额距]|占比|比例是|比.{1,12}[高低多少大小贵]|[大小高低长短重轻贵快慢]多少|分别是哪|哪几[个台家种款项]|为什么|为何|如何|怎么|或者|还是"
    r"|\b(?:difference|growth|increase|decrease|change|ratio|share of|compared|than the|why|or)\b",
    re.IGNORECASE,
)
"""Questions about more than one table, or about how values differ, are not read by rules."""
GROUPS = re.compile(
    rf"(?:按照?|分|每一?[{MEASURE_WORDS}]?|各[{MEASURE_WORDS}]?(?!项))\s*(?P<zh>[\u4e00-\u9fffA-Za-z_]{{1,12}})|(?<!placed )(?<!made )(?<!bought )(?<!issued )\b(?:by|per|(?:for )?each|in each)\s+(?P<en>[A-Za-z][\w ]{{1,30}})",
    re.IGNORECASE,
)
WHICH = re.compile(
    rf"(?:哪一?[{MEASURE_WORDS}]?|什么)(?P<zh>[\u4e00-\u9fff]{{0,8}})|\b(?:which|what)\s+(?P<en>[A-Za-z]\w*)|谁|\bwho\b",
    re.IGNORECASE,
)
HOW_MUCH = re.compile(
    r"(?:还|共|总共)?(?:有|剩|剩下|剩余)(?:了)?多少|多少(?:库存|存货)|\bhow (?:much|many)\b.*\b(?:is|are|do|does|left|in stock|remain\w*)\b",
    re.IGNORECASE,
)
"""How much there is of something."""
NEUTRAL = re.compile(
    r"请问?|告诉我|其他|其它|其余|还有|还剩下?|剩余|剩下|帮我|查一?下|查询|统计|计算|算一?下|分别|分组|汇总|是多少|为多少|多少钱?|哪一?[个家种台款项条笔份名位件]?|什么|是|的|在|从|有|中|里|内|面|我们|公司|当中|其中|目前|现有|现在|所有|全部|各项|每|各|按|元|钱|记录|数据|表格?|清单|数据库"
    r"|\b(?:what|which|who|is|are|was|were|be|been|other|others|those|ones|only|any|placed?|places|made|makes?|bought|buys?|issued|the|a|an|of|in|on|at|for|from|to|do|does|did|we|our|have|has|there|with|that|whose|much|many|how|please|tell|me|show|give|list|all|every|each|by|per|and|rows?|entries|entry|records?|items?|table|database|data|spreadsheet|sheet|value|values|amount|left|remain|remains|remaining|still)\b",
    re.IGNORECASE,
)
"""What is left out before the words are counted that have to be accounted for."""


def find_operation(text: str) -> Computing | None:
    """The operation that a question names; None: none, or more than one."""
    found = [
        *([top] if (top := _top(text)) else []),
        *(one for operation, pattern in _EXTREME if (one := _extreme(text, operation, pattern)) is not None),
    ]
    plain = [
        Computing(operation, match.start(), match.end())
        for operation, pattern in _OPERATIONS
        if (match := pattern.search(text))
    ]
    computed = [one for one in plain if one.operation is not Operation.LIST]
    if len(found) + len(computed) > 1:
        return _joined(found, computed)
    return next(iter((*found, *computed, *plain)), None)


def _joined(extremes: list[Computing], computed: list[Computing]) -> Computing | None:
    """One operation out of two words for it: the top three of the highest; 一共有多少个."""
    if len(extremes) == 2 and not computed:
        top = max(extremes, key=lambda one: one.number)
        other = extremes[1 - extremes.index(top)]
        return top._replace(operation=other.operation)
    if not extremes and {one.operation for one in computed} == {Operation.SUM, Operation.COUNT}:
        return next(one for one in computed if one.operation is Operation.COUNT)
    return None


def _top(text: str) -> Computing | None:
    match = _TOP.search(text)
    number = _counted(match["number"] or match["of"]) if match else None
    return Computing(Operation.LARGEST, match.start(), match.end(), number) if match and number else None


def _extreme(text: str, operation: Operation, pattern: re.Pattern[str]) -> Computing | None:
    match = pattern.search(text)
    if match is None:
        return None
    number = _counted(match["number"] or match["of"] or match["behind"] or "") or 1
    return Computing(operation, match.start(), match.end(), number, _IN_TIME.search(match.group()) is not None)


def _counted(text: str) -> int | None:
    if text.isdecimal():
        return int(text)
    number = parse_chinese(text) if text else None
    return None if number is None else int(number)


def operation_words(text: str) -> str:
    """The text without words that name operations, each replaced by blanks of its length."""
    for pattern in (*(p for _, p in _EXTREME), _TOP, *(p for _, p in _OPERATIONS)):
        text = pattern.sub(lambda match: " " * len(match.group()), text)
    return text
