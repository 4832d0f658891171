# ruff: noqa: E501 - patterns are read in one piece
"""Recognises questions that are calculations and nothing else, and writes them as expressions (zh and en).

What is asked for is taken away (是多少, what is); the rest must be an expression. A question with any word that is
neither (验收后几个工作日付款) is about something that this tool does not know.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ...errors import CalculationError
from ...knowledge.text.normalise import has_chinese
from .grammar import TODAY, normalised, parse
from .several_prices import several_prices
from .vocabulary import NUMBER, UNIT

_POLITE = re.compile(
    r"^(?:请问|请你|请|麻烦|帮我|帮忙|我想知道|你知道)+\s*|^(?:please|can you|could you|tell me)\s+", re.IGNORECASE
)
_ASKED_BEFORE = re.compile(
    r"^(?:计算一下|算一下|计算|算算|求|问)[:,]?\s*|^(?:what(?:'s| is| are| will be)|how much (?:is|are)|calculate|compute|work out)\s+",
    re.IGNORECASE,
)
_ASKED_BEHIND = re.compile(
    r"\s*,?\s*(?:的?(?:结果|值|总和|总数|得数)?(?:等于|应该?是|是|为|得|共|合计|=)?\s?(?:多少|几)(?:钱|呢|啊)?|的?结果|equals?(?: what)?|=)\s*$",
    re.IGNORECASE,
)
_LABEL = re.compile(
    rf"^(?:合同|设备|项目|工程|采购|订单|货)?(?:总价|价款|金额|总额|总额度|款项|货款|预算|费用|营收|收入|工资|年薪|本金|功率|长度|重量)(?:为|是)?\s?(?={NUMBER})"
)
"""Says what an amount that stands there is; the amount itself is what is computed with."""
_RATE = re.compile(
    r"^(?:同比|环比)?(?:增长率|增幅|变化率|占比|比例|比率|百分比)[:是为=]?\s*|^(?:growth rate|percentage|ratio|share)[:=]?\s+",
    re.IGNORECASE,
)
_ISO = r"\d{4}-\d{2}-\d{2}"
_DAY = rf"(?:{_ISO}|今天|明天|昨天|today|tomorrow|yesterday|\{{t\d{{1,2}}\}})"
_DAYS = re.compile(_DAY, re.IGNORECASE)
_DURATION_UNITS = r"个?工作日|个?交易日|(?:business|working|trading)\s?days?|work\s?days?|自然日|日历日|calendar days?|天|日|周|个?星期|weeks?|days?|个月|months?|个?季度|年|years?"
_DURATION = re.compile(rf"(?P<number>{NUMBER})\s?个?\s?(?P<unit>{_DURATION_UNITS})(?![A-Za-z])", re.IGNORECASE)
_BACKWARDS = re.compile(r"[之以]?前|往前|倒推|before|ago|prior|earlier", re.IGNORECASE)
_FORWARDS = re.compile(
    r"后|起|再过|加|第|内|之内|以内|满|after|from|later|plus|since|within|following|starting", re.IGNORECASE
)
_WORK = re.compile(r"工作日|交易日|(?:business|working|trading)\s?days?|work\s?days?", re.IGNORECASE)
_COUNTED = re.compile(
    r"(?:多少|几)\s?个?(?:工作日|天|日)|相差|相隔|间隔|how many|number of|天数|工作日数", re.IGNORECASE
)
_WEEKDAY = re.compile(r"(?:星期|周|礼拜)几|what day of the week|(?:which|what) weekday|day of the week", re.IGNORECASE)
_IS_WORKDAY = re.compile(
    r"(?:是不是|是否(?:是|为)?|是|算)\s?(?:一?个?)?(?:工作日|上班日)|\bis\b.*\b(?:working|business) day", re.IGNORECASE
)
_ABOUT_DATES = re.compile(
    r"从|自|由|起算|起|开始|算|之后|以后|后|再过|过了|过|往前|往后|倒推|推|之前|以前|前|第|的|是|为|在|哪一?[天日]|什么时候|什么日子|几月几[日号]|几号|何时|何日"
    r"|日期|到期[日时]?|届满|截止[日]?|之内|以内|内|满|到|至|和|与|之?间|期间|一?共|总共|有|相差|相隔|间隔|(?:多少|几)\s?个?(?:工作日|天|日)|天数|工作日数|多少|请问|呢|吗|那|应该|会|加|计算|说|距离?|还"
    r"|星期几|周几|礼拜几|是不是|是否|一?个?工作日|上班日"
    r"|\b(?:what|which|date|day|days|is|are|was|the|fall|falls|after|from|later|before|prior|to|ago|on|of|will|would|be|it|starting|starts?|counting|when|calculate|add|plus"
    r"|how|many|there|between|and|until|till|since|number|week|weekday|working|business|work|calendar|a|an|does|do|in|within|following|earlier|that|if|we|count|go|by|through)\b",
    re.IGNORECASE,
)
_LEFT_OVER = re.compile(r"[\w\u3400-\u9fff%$¥€]")
_TARGET_FIRST = re.compile(
    rf"^how (?:many|much)\s+(?P<unit>{UNIT})\s+(?:(?:is|are|make|equals?)(?:\s+there)?(?:\s+in)?|in)\s+(?P<rest>.+)$",
    re.IGNORECASE,
)
_CONVERT = re.compile(rf"^convert\s+(?P<rest>.+?)\s+(?:in)?to\s+(?P<unit>{UNIT})$", re.IGNORECASE)
_SHARES = (
    re.compile(r"^(?P<part>.+?)占(?:了)?(?P<whole>.+?)的?(?:百分之?几|百分比|比例|比重|百分之多少|多少%)(?:是多少)?$"),
    re.compile(r"^(?P<part>.+?)是(?P<whole>.+?)的百分之?(?:几|多少)$"),
    re.compile(r"^what percent(?:age)? of (?P<whole>.+?) is (?P<part>.+)$", re.IGNORECASE),
    re.compile(r"^(?P<part>.+?) (?:is|as) (?:what|a) percent(?:age)? of (?P<whole>.+)$", re.IGNORECASE),
)
_GROWTHS = (
    re.compile(
        r"^从?(?P<old>.+?)(?:增长|增加|上升|涨|提高|下降|减少|降低|降|跌|变)?(?:到|至|为)(?P<new>.+?)(?:的)?,?\s?(?:增长率|增幅|变化率|降幅|跌幅|涨幅|增长了?百分之?(?:几|多少)|增长了?多少%|下降了?百分之?(?:几|多少))$"
    ),
    re.compile(
        r"^(?:the )?(?:growth(?: rate)?|percent(?:age)? (?:change|increase|decrease)|increase|decrease) from (?P<old>.+?) to (?P<new>.+?)(?: in percent)?$",
        re.IGNORECASE,
    ),
)
_UNCLEAR = re.compile(r"^[\d\s/.-]+$")
"""Digits with dashes, points and strokes: the number of a file or a telephone, unless a result is asked for."""
_TOTAL = r"(?:总和|之和|的和|总数|总额|合计|加起来|一共|总共|共计|sum|total)"
_MEAN = r"(?:平均值|平均数|均值|平均|average|mean)"
_SUMMED = (
    (re.compile(rf"^(?P<list>.+?)的?\s?{_TOTAL}$"), "sum"),
    (re.compile(rf"^(?P<list>.+?)的?\s?{_MEAN}$"), "avg"),
    (re.compile(rf"^(?:the )?{_TOTAL} of (?P<list>.+)$", re.IGNORECASE), "sum"),
    (re.compile(rf"^(?:the )?{_MEAN} of (?P<list>.+)$", re.IGNORECASE), "avg"),
)
_HOW_MUCH = re.compile(r"\s*(?:是|为|等于|有|要)?\s?(?:多少钱?|几)$")
_YEAR = re.compile(r"(?:19|20)\d\d")
_PARTING = re.compile(r"\s*(?:;|,\s|和|与|及|以及|\band\b)\s*", re.IGNORECASE)
_CHANGED = (
    (
        re.compile(r"^(?P<a>.+?)(?:上浮|上涨|增加|增长|提高|上调|涨)了?(?P<b>[^到至]+?[%‰])(?:之?后|以后)?$"),
        "({a}) * (1 + {b})",
    ),
    (
        re.compile(r"^(?P<a>.+?)(?:下浮|下降|减少|降低|下调|降|跌)了?(?P<b>[^到至]+?[%‰])(?:之?后|以后)?$"),
        "({a}) * (1 - {b})",
    ),
    (re.compile(r"^increase (?P<a>.+) by (?P<b>.+%)$", re.IGNORECASE), "({a}) * (1 + {b})"),
    (re.compile(r"^(?:decrease|reduce) (?P<a>.+) by (?P<b>.+%)$", re.IGNORECASE), "({a}) * (1 - {b})"),
    (
        re.compile(r"^(?P<a>.+?)比(?P<b>.+?)(?:多|高|增长|增加)了?(?:百分之(?:几|多少)|多少%|几%)$"),
        "(({a}) - ({b})) / ({b}) to %",
    ),
    (
        re.compile(r"^(?P<a>.+?)比(?P<b>.+?)(?:少|低|下降|减少)了?(?:百分之(?:几|多少)|多少%|几%)$"),
        "(({b}) - ({a})) / ({b}) to %",
    ),
    (re.compile(r"^(?P<a>.+?)比(?P<b>.+?)(?:多|高|大|长|重)(?:出|了)?(?:多少|几)?$"), "({a}) - ({b})"),
    (re.compile(r"^(?P<a>.+?)比(?P<b>.+?)(?:少|低|小|短|轻)了?(?:多少|几)?$"), "({b}) - ({a})"),
    (
        re.compile(r"^(?P<a>.+?)(?:和|与|跟)(?P<b>.+?)(?:之?间)?(?:的差(?:额|值)?|相差|差)(?:多少|几)?$"),
        "abs(({a}) - ({b}))",
    ),
    (re.compile(r"^the difference (?:between|of) (?P<a>.+?) and (?P<b>.+)$", re.IGNORECASE), "abs(({a}) - ({b}))"),
)
_PRICED = (
    re.compile(
        rf"^(?:单价|每[台个件套吨次人份张])(?:是|为)?\s?(?P<price>{NUMBER})\s?(?P<unit>{UNIT})(?:/[\u4e00-\u9fff])?[,;]?\s?(?:共|买|采购|需要|要)?\s?(?P<count>{NUMBER})\s?(?P<counted>[台个件套吨次人份张])[,;]?\s?(?:一共|总共|共计|合计|总价)?(?:是|为|要)?(?:多少钱?)?$"
    ),
    re.compile(
        rf"^(?P<count>{NUMBER}) [a-z]+ at (?P<price>[$€£¥]?\s?(?:{NUMBER}))\s?(?P<unit>{UNIT})? each(?:,? (?:in )?(?:total|all|altogether))?$",
        re.IGNORECASE,
    ),
)
_THEN = re.compile(
    r"\s*[,;]?\s*(?:然后再?|接着再?|随后再?|之后再|再)\s?(?=加|减|乘|除)|\s*,?\s+(?:and\s+)?then\s+(?=plus|minus|times|divided|multiplied)",
    re.IGNORECASE,
)
"""What follows is done with the result of what stands before."""
_YEAR_OF = re.compile(
    r"(?<!\d)(?:19|20)\d\d\s?年的|\b(?:days?|weeks?|months?|quarters?) of (?:19|20)\d\d\b", re.IGNORECASE
)
"""A year that something belongs to (2024年的12个月), and no number of years."""
_OPERATIONS = frozenset({"add", "subtract", "multiply", "divide", "raised", "call", "convert"})


_LONGEST_QUESTION = 400


def calculation_in(question: str) -> str | None:
    """The expression that a question asks to compute; None where it asks for anything else."""
    if len(question) > _LONGEST_QUESTION:
        return None
    text = _POLITE.sub("", normalised(question)).strip()
    if _YEAR_OF.search(text):
        return None
    found = (read(_LABEL.sub("", text)) for read in _READERS)
    return next((expression for expression in found if expression is not None), None)


def _dates(text: str) -> str | None:
    days = _DAYS.findall(text)
    if not days or len(days) > 2 or all(day.casefold() in TODAY for day in days):
        return None
    chinese = has_chinese(text)
    rest = _DAYS.sub(" ", text)
    duration = _DURATION.search(rest) if len(days) == 1 else None
    if duration:
        rest = rest[: duration.start()] + " " + rest[duration.end() :]
    if _LEFT_OVER.search(_ABOUT_DATES.sub(" ", rest)):
        return None
    if len(days) == 2:
        return _between(days, rest, chinese=chinese)
    if duration:
        return _counted_on(days[0], duration, rest)
    for pattern, names in ((_WEEKDAY, ("星期几", "weekday")), (_IS_WORKDAY, ("是工作日", "is_workday"))):
        if pattern.search(rest):
            return f"{names[not chinese]}({days[0]})"
    return None


def _between(days: list[str], rest: str, *, chinese: bool) -> str | None:
    if not _COUNTED.search(rest):
        return None
    names = ("工作日数", "workdays") if _WORK.search(rest) else ("天数", "days")
    return f"{names[not chinese]}({days[0]}, {days[1]})"


def _counted_on(day: str, duration: re.Match[str], rest: str) -> str | None:
    is_back = _BACKWARDS.search(rest) is not None
    if not is_back and not _FORWARDS.search(rest):
        return None
    unit = "周" if duration["unit"] in ("个星期", "星期") else duration["unit"]
    return _checked(f"{day} {'-' if is_back else '+'} {duration['number'].strip()} {unit}")


def _conversion(text: str) -> str | None:
    for pattern in (_CONVERT, _TARGET_FIRST):
        found = pattern.match(_ASKED_BEFORE.sub("", text) if pattern is _CONVERT else text)
        if found:
            return _checked(f"({found['rest']}) to {found['unit']}")
    return None


def _proportion(text: str) -> str | None:
    bare = _ASKED_BEHIND.sub("", _without(_ASKED_BEFORE, text))
    for said in (text, bare):
        for pattern in _SHARES:
            if found := pattern.match(said):
                return _checked(f"({found['part']}) / ({found['whole']}) to %")
        for pattern in _GROWTHS:
            if found := pattern.match(said):
                old, new = found["old"], found["new"]
                return _checked(f"(({new}) - ({old})) / ({old}) to %")
    return None


def _of_several(text: str) -> str | None:
    """Sums, averages, differences, changes by a percentage, prices by the piece."""
    asked = _without(_ASKED_BEFORE, text)
    for said in dict.fromkeys((text, _HOW_MUCH.sub("", asked), _ASKED_BEHIND.sub("", asked))):
        for pattern, name in _SUMMED:
            found = pattern.match(said)
            parts = _PARTING.split(found["list"]) if found else []
            if len(parts) > 1 and (expression := _checked(f"{name}({'; '.join(filter(None, parts))})")):
                return expression
        for pattern, form in _CHANGED:
            found = pattern.match(said)
            is_quantity = found is not None and not _YEAR.fullmatch(found["a"].strip())
            if found and is_quantity and (expression := _checked(form.format(**found.groupdict()))):
                return expression
        for pattern in _PRICED:
            if found := pattern.match(said):
                return _checked(f"{found['price']} {found['unit'] or ''} * {found['count']}")
    return None


def _in_turn(text: str) -> str | None:
    """98除以7再乘以3: each step is done with the result of those before."""
    first, *later = _THEN.split(_ASKED_BEHIND.sub("", _without(_ASKED_BEFORE, text)).strip(" =:,"))
    if not later:
        return None
    for step in later:
        first = f"({first}) {step}"
    return _checked(first)


def _priced(text: str) -> str | None:
    found = several_prices(text)
    return _checked(found) if found else None


def _plain(text: str) -> str | None:
    found = _checked(text)
    if found is not None and not _UNCLEAR.match(found):
        return found
    bare = _ASKED_BEHIND.sub("", _without(_ASKED_BEFORE, text)).strip(" =:,")
    rate = _RATE.sub("", bare)
    suffix = " to %" if rate != bare else ""
    return _checked(rate + suffix) if bare != text or suffix else None


def _without(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub("", text, count=1)


def _checked(expression: str) -> str | None:
    """The expression, if it can be read and computes anything."""
    expression = expression.replace("( ", "(").replace(" )", ")")
    try:
        tree = parse(expression)
    except CalculationError:
        return None
    kinds = {str(node.data) for node in tree.iter_subtrees()}
    return expression if kinds & _OPERATIONS else None


_READERS: tuple[Callable[[str], str | None], ...] = (
    _dates,
    _conversion,
    _proportion,
    _in_turn,
    _priced,
    _of_several,
    _plain,
)
