# ruff: noqa: E501 - patterns are read in one piece
"""Questions about the library as a whole: what is in it, and what all of it says about one matter."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ..query.kinds import kind_of_word
from ..text.normalise import fold_widths, simplify


class OverviewAsked(NamedTuple):
    """What an overview is wanted of."""

    about: str
    """The matter; empty: everything."""
    kinds: frozenset[str] = frozenset()
    """Types of documents, as `query.kinds` names them; empty: any."""


_LONGEST = 200
"""Characters of a question about a whole library; whatever is longer says more than that."""
# Words that may be repeated are counted: they can be told apart in more than one way (库里, 库 + 里), so without a bound
# thirty of them would be tried in billions of ways.
_POLITE = r"^\s*(?:请问|请|帮我|麻烦|能否|可以)?(?:告诉我|列出|列一下|列举|说说|介绍一下|看看|看一下)?"
_LIBRARY = r"(?:(?:这个|本|该|我们的?|你们?的?|咱们的?|公司的?|整个|目前的?){0,4}(?:知识库|文库|资料库|文档库|文件库|(?:(?:这个|本|该|整个)库|库(?=[里中内]))))(?:里面?|中|内|里头)?"
_TOTAL = r"(?:一共|总共|总体上?|总的来说|合计|全部|所有|都|统共|总计)"
# 都 alone says no more than that several are expected (对双方都有哪些要求).
_IN_TOTAL = (
    r"(?:(?:我们|公司|单位|库里|文件里|制度里|里面?|中){1,4}都|(?:一共|总共|总体上?|总的来说|合计|全部|所有|统共|总计))"
)
_THINGS = r"(?P<what>(?:规章)?制度|规定|规则|办法|文件|文档|资料|材料|手册|合同|协议|通知|报告|内容|主题|话题|领域|方面|东西|类别|类型)"
_RULES = r"(?:规章制度|制度|规定|规则|要求|条款|办法|文件|文档|资料|说法|内容|条文)"
_OF_US = r"(?:我们|公司|本公司|单位|企业|咱们|你们|目前|现在|库里|知识库里?|文库里?|文件里|文档里|制度里|这个库里?|里面?|中){0,4}"
_END = r"(?:呢|吗|啊)?[\s?。.!]*$"
_WHOLE_ZH = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_POLITE}{_LIBRARY}(?:{_TOTAL}|主要|目前|现在){{0,4}}(?:有|包含|包括|收录|涵盖|涉及|覆盖|收集|存放|讲)(?:了|到|着)?(?:{_TOTAL}){{0,4}}(?:哪些|什么|哪几[个类种份方]面?|多少种?)(?:方面的?|类型的?|种类的?)?{_THINGS}?{_END}",
        rf"{_POLITE}(?:我们|公司|本公司|单位|咱们|你们)?(?:公司|单位)?(?:{_TOTAL}|现在|目前){{0,4}}有(?:{_TOTAL})?(?:哪些|什么)(?P<what>规章制度|制度|文件|文档|资料|手册){_END}",
        rf"{_POLITE}(?:(?:简要|简单)?(?:总结|概括|概述|介绍|梳理|汇总)(?:一下)?)?{_LIBRARY}的?(?:概况|概览|目录|全貌|总览|整体内容|全部内容|主要内容){_END}",
    )
)
_ABOUT_ZH = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_POLITE}(?:关于|有关|针对|对于?|就|在)(?P<about>[^,。?]{{1,30}}?)(?:方面|问题|一事|上)?[,\s]*{_OF_US}{_IN_TOTAL}{_OF_US}(?:是)?(?:有|做了?|作了?|包括|怎么|如何)?(?:哪些|什么|怎么|怎样)(?:相关的?|具体的?)?{_RULES}?(?:规定|要求|说)?的?{_END}",
        rf"{_POLITE}{_OF_US}{_TOTAL}{_OF_US}有(?:哪些|什么)(?:关于|有关|涉及|针对|跟|和|与)(?P<about>[^,。?]{{1,30}}?)(?:有关|相关|方面)?的{_RULES}{_END}",
        rf"{_POLITE}(?:所有|全部|各个?|我们的?|公司的?){{1,4}}(?:文件|制度|文档|规定|规章|资料)(?:里|中)?(?:对于?|关于|就|针对)(?P<about>[^,。?]{{1,30}}?)(?:方面)?(?:{_TOTAL})?(?:是)?(?:怎么|如何|怎样|有哪些|有什么|作了?哪些)(?:规定|说|要求|讲)的?{_END}",
        rf"{_POLITE}(?:汇总|梳理|归纳|总结|列出|整理)(?:一下)?{_OF_US}(?:里|中)?(?:关于|有关|涉及|针对)(?P<about>[^,。?]{{1,30}}?)(?:方面)?的?(?:所有|全部|各项){_RULES}{_END}",
        rf"{_POLITE}(?:汇总|梳理|归纳|总结|列出|整理)(?:一下)?{_OF_US}(?:所有|全部|各项)(?:关于|有关|涉及|针对)(?P<about>[^,。?]{{1,30}}?)(?:方面)?的{_RULES}{_END}",
    )
)
_COLLECTION = r"(?:this|the|our|your)\s+(?:whole\s+|entire\s+)?(?:library|knowledge\s?base|collection|document\s+(?:base|collection|library)|corpus)"
_WHOLE_EN = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^\s*(?:what|which)\s+(?:are\s+the\s+)?(?:kinds?\s+of\s+|types?\s+of\s+|main\s+)?(?P<what>[a-z ]{{3,30}}?)\s+(?:does|do|are|is|can\s+i\s+find)\s+(?:in\s+|covered\s+(?:by|in)\s+|there\s+in\s+)?{_COLLECTION}(?:\s+(?:cover|contain|hold|have|include|deal\s+with|comprise))?\s*(?:about)?[\s?.!]*$",
        rf"^\s*what(?:'s|\s+is|\s+all\s+is|\s+does)\s+(?:all\s+)?(?:in\s+|covered\s+(?:by|in)\s+)?{_COLLECTION}(?:\s+(?:cover|contain|hold|have|include|about))?[\s?.!]*$",
        rf"^\s*(?:please\s+)?(?:can\s+you\s+)?(?:give\s+(?:me\s+)?)?(?:an?\s+|the\s+)?(?:brief\s+)?(?:overview|summary|outline|table\s+of\s+contents)\s+of\s+(?:all\s+(?:of\s+)?)?{_COLLECTION}[\s?.!]*$",
        r"^\s*(?:what|which)\s+(?P<what>policies|documents|rules|manuals|handbooks|regulations|contracts)\s+(?:do\s+we|does\s+the\s+company|do\s+you)\s+have(?:\s+(?:in\s+total|altogether|overall))?[\s?.!]*$",
    )
)
_TOTAL_EN = r"(?:altogether|in\s+total|overall|as\s+a\s+whole|all\s+in\s+all|in\s+sum|taken\s+together|across\s+all\s+(?:of\s+)?(?:our\s+|the\s+)?\w+)"
_PAPERS = r"(?:rules|policies|documents|regulations|guidelines|procedures|manuals|handbooks|papers)"
_ABOUT_EN = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^\s*what\s+do\s+(?:all\s+(?:of\s+)?)?(?:our|the|these|your)\s+{_PAPERS}(?:\s+and\s+\w+)?\s+(?:say|state|require|stipulate|provide)\s+(?:about|on|regarding|concerning|for)\s+(?P<about>[^?,]{{2,60}}?)\s*,?\s+{_TOTAL_EN}[\s?.!]*$",
        rf"^\s*what\s+do\s+all\s+(?:of\s+)?(?:our|the|these|your)\s+{_PAPERS}\s+(?:say|state|require|stipulate|provide)\s+(?:about|on|regarding|concerning|for)\s+(?P<about>[^?,]{{2,60}}?)[\s?.!]*$",
        rf"^\s*(?:what|which)\s+{_PAPERS}\s+(?:do\s+we|does\s+the\s+company|do\s+you)\s+have\s+(?:about|on|regarding|concerning|for)\s+(?P<about>[^?,]{{2,60}}?)(?:\s*,?\s+{_TOTAL_EN})?[\s?.!]*$",
        rf"^\s*(?:please\s+)?(?:list|summari[sz]e|outline|collect)\s+(?:everything|all)\s+(?:that\s+)?(?:our|the|of\s+our)?\s*{_PAPERS}\s+(?:say\s+|state\s+|have\s+)?(?:about|on|regarding|concerning)\s+(?P<about>[^?,]{{2,60}}?)[\s?.!]*$",
    )
)
# A word for rules in general means handbooks as well.
_GENERAL_RULES = frozenset({"制度", "规章制度", "policies", "rules"})


@lru_cache(maxsize=512)
def asked_overview(question: str) -> OverviewAsked | None:
    """What a question wants an overview of, where it wants one; None for every other question.

    A question about one matter is none unless it says that it means everything there is (一共有哪些规定, altogether).
    """
    if len(question) > _LONGEST:
        return None
    text = " ".join(simplify(fold_widths(question)).replace("，", ",").split())
    for pattern in (*_ABOUT_ZH, *_ABOUT_EN):
        if match := pattern.match(text):
            return OverviewAsked(match["about"].strip())
    for pattern in (*_WHOLE_ZH, *_WHOLE_EN):
        if match := pattern.match(text):
            return OverviewAsked("", _kinds(match.groupdict().get("what") or ""))
    return None


def _kinds(word: str) -> frozenset[str]:
    """The types of documents that a word means; none where it means documents or topics of any type."""
    bare = word.strip().casefold()
    if bare in _GENERAL_RULES:
        return frozenset({"policy", "manual"})
    kind = kind_of_word(bare) if bare else None
    return frozenset() if kind is None else frozenset({kind})
