# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Which documents a Chinese question means: 去年发布的通知, 最近三个月的会议纪要, 现行有效的规定, 2023版."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from .kinds import CHINESE_DOCUMENT, CHINESE_KIND
from .periods import Period
from .reading import EditionsMeant, Meant

_ISSUED = r"(?:发布|印发|颁布|公布|下发|出台|发出|签发|颁发|制发|发|印制|编制|制定|修订|起草|形成|召开|施行|实施|生效|起施行|起实施)"
_SIGNED = r"(?:签订|签署|签约|订立|签)"
_MODIFIER = r"(?P<modifier>(?:关于[^\s,。?!;:《》\"]{1,16}?的)?[^\s,。?!;:、《》\"的和与及]{0,10}?)"
# What may follow where the document itself is meant; 通知的数量 and 报告期 are about something else.
_BEHIND = r"(?=$|[\s,。?!;:]|[中里内](?!容|的?部)|上(?!限|述)|有(?!效|限)|都|是|哪|关于|对(?!象)|怎|如何|规定了?|要求|提到|提及|涉及|说|写|讨论|包括|包含|吗|呢|列|按|一共|共有|各|分别)"
_DOCUMENT = rf"(?P<document>{CHINESE_DOCUMENT}){_BEHIND}"
_AUTHOR = (
    r"(?:由?(?:[\u4e00-\u9fff]{1,8}?(?:部|局|委|公司|集团|办|会|院|处|科|室|中心|部门)|国家|我们|他们|上级|总部))?"
)

_ISSUED_DOCUMENT = re.compile(rf"(?P<said>\s*{_AUTHOR}(?:新|正式|陆续|最近)?{_ISSUED}的){_MODIFIER}{_DOCUMENT}")
_SIGNED_DOCUMENT = re.compile(
    rf"(?P<said>\s*{_AUTHOR}{_SIGNED}的){_MODIFIER}(?P<document>{CHINESE_DOCUMENT})(?=$|[\s?。!]|[中里]|有哪|都有|分别有哪)"
)
# A year before a report, plan or rule is what it is about; these are dated themselves.
_DATED_KIND = r"通知书|通知|公告|通告|通报|合同|协议书|协议|会议纪要|会议记录|纪要|手册|复函|批复|函|备忘录|价格表|报价单|周报|月报|季报|文件|文档"
_DATED_DOCUMENT = re.compile(rf"(?P<said>的|内的|间的){_MODIFIER}(?P<document>{_DATED_KIND}){_BEHIND}")
_BARE_DATED_DOCUMENT = re.compile(
    rf"(?P<said>)(?P<modifier>)(?P<document>会议纪要|会议记录|纪要|通知|通报|周报|月报){_BEHIND}"
)
_WINDOW_DOCUMENT = re.compile(rf"(?P<said>的?){_MODIFIER}{_DOCUMENT}")
_WHICH_ISSUED = re.compile(
    rf"(?:哪些|哪几份|哪份|哪个|所有|全部)(?P<modifier>[^\s,。?!的]{{0,8}}?)(?P<document>{CHINESE_DOCUMENT})(?:是|都是)?[在于自从]?$"
)
_ISSUED_BEHIND = re.compile(rf"\s*(?:{_ISSUED}|{_SIGNED})的?(?=$|[\s?。!,])")

_CURRENT = re.compile(
    rf"(?P<said>(?:(?:目前|当前|现在|如今)(?:仍然?|正在|还)?(?:现行|有效|生效|施行|执行|适用|在用)(?:有效)?|现行(?:有效)?|(?:仍然|正在)(?:有效|施行|生效|执行)|最新版本?|最新(?:修订|发布|颁布|印发)?)的?)(?:《(?P<title>[^》]{{2,40}})》|{_MODIFIER}(?P<document>{CHINESE_DOCUMENT}){_BEHIND})"
)
_CURRENT_BEHIND = re.compile(
    rf"(?P<document>{CHINESE_DOCUMENT}|》)[((]?的?(?P<said>(?:最新|现行(?:有效)?|当前)的?版本?)[))]?(?=$|[\s,。?!]|[中里]|规定|要求|对|关于)"
)
# 最新的报告 is the last of a row, not the edition of a text that holds.
_NO_EDITIONS = re.compile(r"报告|报表|年报|季报|月报|周报|纪要|记录|合同|协议|报价|资料|材料|通知|文件|档案")
_VALID_ON = re.compile(
    rf"(?P<said>\s*(?:[时当那][时天日]?|为止)?(?:仍然?|现行|正在|尚)?(?:有效|施行|生效|适用)的){_MODIFIER}{_DOCUMENT}"
)
# 按2023年的规定, 2022年的差旅办法里, 2023年时: asked of a library that has older versions.
_RULE = r"规定|制度|办法|政策|规则|规程|条例|细则|规范|守则|手册"
_RULE_THEN = re.compile(rf"(?P<said>(?:[时当]时?|那时)?的){_MODIFIER}(?:{_RULE}){_BEHIND}")
_THEN = re.compile(r"(?P<said>(?:的?时候|那时候?|当时|时(?=[,，、]|[\u4e00-\u9fff]))[,，、]?)(?!段|间|期|点|效|长|数)")
_WHICH_VERSION = re.compile(r"(?:哪|什么|第几|几)个?版|版本(?:号)?(?:是|为)|以哪")

_BARE_KIND = r"合同|协议|通知|公告|会议纪要|会议记录|纪要|报告|手册|价格表|报价单|函|FAQ|常见问题"
_IN_TYPE = re.compile(
    rf"^(?:请|请你|帮我|麻烦)?(?:根据|按照?|依据|依照|查询?一?下?|查找|查看|检索|搜索|只看|仅看|只查|仅查|从)(?:所有|全部|各|历次|历年|以往|我们|公司)?的?(?P<kind>{_BARE_KIND})(?:的?(?:规定|约定|内容|要求))?(?:中|里|内|,|，)",
    re.IGNORECASE,
)
_OPENING = re.compile(r"^(?P<kind>会议纪要|会议记录|纪要|通知|公告|手册|价格表|报价单)[里中](?![\u4e00-\u9fff]?的?数)")
_ALL_OF_TYPE = re.compile(
    rf"(?:哪些|哪几份|哪份|历次|历年|所有的?|全部的?)(?P<kind>{_BARE_KIND})(?=[中里](?!的?[数金])|提到|提及|涉及|讨论|记录了|写明|写了|规定了|约定了|包含|$|[?。])",
    re.IGNORECASE,
)
_EDITION = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)\s?年?(?:修订版|修正版|修订本|修订稿|版本|版)(?![权税面画图块式主纳])"
)
_EDITION_ROW = re.compile(
    r"(?<!\d)(?P<one>(?:19|20)\d\d)\s?年?(?:和|与|及|、|跟)(?P<other>(?:19|20)\d\d)\s?年?(?:[两二]个?)?版"
)


_YEAR_OF_EDITION = re.compile(
    r"(?<!\d)((?:19|20)\d\d)\s?年(?:修订版|修正版|修订本|修订稿|版本|版)(?![权税面画图块式主纳])"
)


_BEFORE_PERIOD = re.compile(r"(?:截[至止]到?|[自从在于])$")


def dated(text: str, periods: Sequence[Period]) -> Iterator[Meant]:
    """The documents of a period: issued, signed or dated then. A title in 《》 already says which one is meant."""
    if "《" in text:
        return
    for period in periods:
        if found := _dated_by(text, period):
            kind = found["document"] if not found["modifier"] or _is_kind(found["document"]) else ""
            yield Meant(
                period.start,
                found.end(),
                kind=kind,
                first=period.first,
                last=period.last,
                said=(_begin(text, period), found.end("said")),
            )
        elif (asked := _WHICH_ISSUED.search(text[: period.start])) and (
            behind := _ISSUED_BEHIND.match(text, period.end)
        ):
            yield Meant(asked.start(), behind.end(), asked["document"], first=period.first, last=period.last)


def _begin(text: str, period: Period) -> int:
    before = _BEFORE_PERIOD.search(text, 0, period.start)
    return before.start() if before else period.start


def _dated_by(text: str, period: Period) -> re.Match[str] | None:
    patterns = [_ISSUED_DOCUMENT, _SIGNED_DOCUMENT, _DATED_DOCUMENT]
    if period.is_window or not period.is_whole_year:
        patterns.append(_BARE_DATED_DOCUMENT)
    if period.is_window:
        patterns.append(_WINDOW_DOCUMENT)
    return next((found for pattern in patterns if (found := pattern.match(text, period.end))), None)


def _is_kind(word: str) -> bool:
    return re.fullmatch(CHINESE_KIND, word) is not None


def in_force(text: str, periods: Sequence[Period], today: date) -> Iterator[Meant]:
    """The edition in force today or on a day that is named; none where the edition itself is asked for."""
    if _WHICH_VERSION.search(text):
        return
    for pattern in (_CURRENT, _CURRENT_BEHIND):
        for found in pattern.finditer(text):
            if not _NO_EDITIONS.fullmatch(found["document"] or ""):
                yield Meant(found.start(), found.end(), in_force_on=today, said=found.span("said"))
    for period in periods:
        found_on = _VALID_ON.match(text, period.end)
        if found_on and period.last is not None:
            day = period.last if period.first == period.last else min(period.last, today)
            yield Meant(
                period.start, found_on.end(), in_force_on=day, said=(_begin(text, period), found_on.end("said"))
            )


def as_of(text: str, periods: Sequence[Period], today: date) -> Iterator[Meant]:
    """The rules as they were at a time, where older versions are kept: 按2023年的规定, 2023年时."""
    if "《" in text or _WHICH_VERSION.search(text):
        return
    for period in periods:
        found = _RULE_THEN.match(text, period.end) or _THEN.match(text, period.end)
        if found and period.last is not None and period.first is not None and not period.is_window:
            said = (_begin(text, period), found.end("said"))
            yield Meant(period.start, found.end(), in_force_on=min(period.last, today), said=said)


def of_type(text: str) -> Iterator[Meant]:
    """Documents of a type that is named without a name of its own: 会议纪要里, never 采购合同."""
    for pattern in (_IN_TYPE, _OPENING, _ALL_OF_TYPE):
        for found in pattern.finditer(text):
            yield Meant(*found.span("kind"), kind=found["kind"])


def of_domain(text: str, domains: Mapping[str, str]) -> Iterator[Meant]:
    """Documents of a domain: 财务类文件, 人事方面的规定."""
    folded = text.casefold()
    for key, domain in domains.items():
        found = re.search(rf"{re.escape(key)}(?:(?:领域|方面|类|条线|板块|专业)的?|的)(?:{CHINESE_DOCUMENT})", folded)
        found = found or re.search(rf"(?:在|查|只看|限于?){re.escape(key)}(?:领域|方面|类|条线|板块)", folded)
        if found:
            yield Meant(found.start(), found.end(), domain=domain)


def editions(text: str) -> EditionsMeant:
    """The years of editions: 2023版, 2022年修订版, 2022和2024两版."""
    found = list(_EDITION.finditer(text))
    rows = list(_EDITION_ROW.finditer(text))
    years = [match["year"] for match in found] + [year for row in rows for year in (row["one"], row["other"])]
    return EditionsMeant(frozenset(map(int, years)), tuple(match.group() for match in (*rows, *found)))


def with_plain_editions(text: str) -> str:
    """The text with 2023年修订版 as 2023版: the name of an edition, not a date that an answer would have to state."""
    return _YEAR_OF_EDITION.sub(r"\1版", text)
