# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Chinese things named side by side (甲公司和乙公司的总资产): which they are, and what is shared before and after them."""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

# 和, 与 and 及 are also parts of words.
_JOINT = re.compile(
    r"以及|[、]|(?<![共总饱缓温附柔])和(?![谐平解睦气])|(?<![参给赋授])与(?![会否])|跟(?![踪进])|(?<![以涉普危提])及(?![时格其])|还是"
)
_LAST_JOINT = re.compile(r"(?:以及|[、]|和|与|及|还是)")
_COMPANY = re.compile(
    r"[^的,?、和与]{1,24}?(?:(?:有限责任公司|股份有限公司|有限公司|集团|公司(?!治理|章程|债)|购物中心|数据中心|百货|人民法院|法院|银行|大学|医院|研究院|委员会))+(?!治理)"
)
_BOUNDARY = re.compile(
    r"的|分别|各(?:[自是为有在需应要的]|承担|负责|享有|占|付|出资)|之间|两者|[两二三四五六](?=[家个种款台份者版方])|对(?!讲|接)|[里中](?=的|关于|对|规定)|关于|哪|谁|何者|有(?=什么|何|哪|多|没有)|相差|相比|差(?=多少|了|几|多)|更|最|比(?!例|率|重)|什么|多少|多[长久大高重]|几|是(?=什么|多|几|哪|否|谁|如)|[,?;:。]|在(?=\d|[各何哪什]|[^,?]{1,12}(?:[中里上]|方面))|于(?=\d)|由(?=哪|谁)|通过|采[用取]|进行|实施|应当|需要|如何|怎么|是否|都"
)
_YEAR = r"(?:19|20)\d{2}年?(?:度|\d{1,2}月(?:\d{1,2}日)?)?"
_FORMS = [
    re.compile(pattern)
    for pattern in (
        r"(?:19|20)\d{2}年?(?:修订)?版|[Vv]\d+(?:\.\d+)*版?|第[\d一二三四五六七八九十]+版|[新旧]版",
        r"(?:19|20)\d{2}年?第?[一二三四1-4]季度|第?[一二三四1-4]季度",
        r"(?:在)?(?:19|20)\d{2}年?(?:度|\d{1,2}月(?:\d{1,2}日)?)?",
        r"第?[一二三四五六七八九十\d]+[期号批次标条]",
    )
]
# 影片在甲国和乙国的: what stands before the place is shared.
_PLACED = re.compile(r"(?P<front>[^,?]{2,20}(?<!存)[在对](?!于|象|讲))(?P<item>[^,?的]{1,8})$")
_LEADING_YEAR = re.compile(rf"(?:在|截至)?{_YEAR}(?:第?[一二三四1-4]季度|[上下]半年)?(?=[^\d年版度月日修第])")
_TRAILING_YEAR = re.compile(rf"在?{_YEAR}$")
_TITLE = re.compile(r"《[^》]*》|“[^”]*”")
# Behind so many joints no text names its subjects; it bounds the work.
_MOST_JOINTS = 8
# Joints inside a title are no joints of the sentence.
_HIDDEN = "的和与及、以在对有最分各通,"
_HIDE = {ord(character): 0xE000 + number for number, character in enumerate(_HIDDEN)}
_SHOW = {number: character for character, number in _HIDE.items()}
_COUNTED = re.compile(
    r"(?P<item>.*?)(?:这)?(?<!\d)[两二三四五六\d](?:家|个|款|种|份|台|版|名|位|套|项|者|方)(?P<kind>[\u4e00-\u9fff]{0,6})$"
)
_SHORT_NAME = re.compile(r"[甲乙丙丁戊己]|[A-Za-z]")


class Coordination(NamedTuple):
    """Two or more things side by side: `before` + each of `items` + `after` is what is said of one of them."""

    before: str
    items: tuple[str, ...]
    after: str
    joint: str
    """The first word between them."""

    def each(self) -> tuple[str, ...]:
        """What is said of each on its own, with what they share in front."""
        return tuple(f"{self.before}{item}" for item in self.items)


def coordination(text: str) -> Coordination | None:
    """The first things named side by side in a text, or None; a title in 《》 is one word."""
    row = _row(_TITLE.sub(lambda title: title.group().translate(_HIDE), text))
    if row is None:
        return None
    items = tuple(item.translate(_SHOW) for item in row.items)
    return Coordination(row.before.translate(_SHOW), items, row.after.translate(_SHOW), row.joint)


def _row(text: str) -> Coordination | None:
    for joint in islice(_JOINT.finditer(text), _MOST_JOINTS):
        left, right = text[: joint.start()], text[joint.end() :]
        if _is_item(left) and (end := _item_end(right)):
            return _shared(*_all_items(left, joint.group(), right, end))
    return None


def is_company(item: str) -> bool:
    """Whether a thing has the form of an organisation's name."""
    return _COMPANY.fullmatch(item) is not None


def name_of(item: str) -> str:
    """The thing without the year before or behind it, unless it is a year itself."""
    bare = _TRAILING_YEAR.sub("", _LEADING_YEAR.sub("", item, count=1))
    return re.sub(r"^(?:的|被告人?|原告人?)(?=.)", "", (bare or item).strip())


def paired_years(after: str, count: int) -> tuple[str, ...]:
    """`after` once for each of `count` things, the n-th with the n-th year of a row of years, if there is one."""
    row = re.search(rf"{_YEAR}(?:[、和与及]{_YEAR})+", after)
    years = re.findall(_YEAR, row.group()) if row else []
    if row is None or len(years) != count:
        return (after,) * count
    years = [year if year.endswith(("年", "月", "日", "度")) else f"{year}年" for year in years]
    return tuple(f"{after[: row.start()]}{year}{after[row.end() :]}" for year in years)


def _is_item(left: str) -> bool:
    last = re.split(r"[,?;:。的]", left)[-1].strip()
    tail = _LEADING_YEAR.sub("", last)
    return len(tail) >= 2 or any(form.fullmatch(last) for form in (*_FORMS, _SHORT_NAME))


def _item_end(right: str) -> int:
    """Where the thing at the start of a text ends; 0 if there is none."""
    company = _COMPANY.match(right)
    if company and not re.search("分别|哪|各自|什么", company.group()):
        return company.end()
    boundary = next((found for found in _BOUNDARY.finditer(right) if found.start() > 0), None)
    end = boundary.start() if boundary else len(right)
    return end if right[:end].strip() and end <= 30 else 0


def _all_items(left: str, joint: str, right: str, end: int) -> tuple[list[str], str, str]:
    items, rest = [left], right
    while True:
        further = _LAST_JOINT.search(rest, 1, end + 2)
        cut = further if joint == "、" and further and further.start() <= end else None
        if cut is None:
            break
        items.append(rest[: cut.start()])
        rest = rest[cut.end() :]
        end = _item_end(rest)
    items.append(rest[:end])
    return items, rest[end:], joint


def _shared(items: list[str], after: str, joint: str) -> Coordination | None:
    items = [item.strip() for item in items]
    if not all(items):
        return None
    items, after = _counted(items, after)
    items, after = _own_years(items, after)
    before, items = _shared_front(items, after)
    items, after = _own_tails(items, after)
    items, after = _head_noun(items, after)
    items = _shared_noun(_shared_year(items))
    return Coordination(before, tuple(items), after, joint)


def _counted(items: list[str], after: str) -> tuple[list[str], str]:
    """甲、乙、丙三家供应商: the class behind the number belongs to each."""
    found = _COUNTED.fullmatch(items[-1]) or (
        re.match(
            r"[两二三四五六\d](?:家|个|款|种|份|台|版|名|位|套|项|者|方)(?P<kind>(?!的)[\u4e00-\u9fff]{0,6}?)(?=的|哪|,|谁|$)",
            after,
        )
    )
    if found is None:
        return items, after
    kind = found["kind"]
    if "item" in found.groupdict():
        items = [*items[:-1], found["item"]]
    else:
        after = after[found.end() :]
    return ([f"{item}{kind}" if len(item) <= 2 else item for item in items], after) if all(items) else (items, after)


def _shared_front(items: list[str], after: str) -> tuple[str, list[str]]:
    """公司2023年和2024年, 手册的试用期和实习期: what stands before the first belongs to all."""
    first, second = items[0], items[1]
    for form in _FORMS:
        tail = re.search(rf"(?:{form.pattern})$", first)
        if tail and form.fullmatch(second) and tail.start() > 0:
            return first[: tail.start()], [tail.group(), *items[1:]]
    shared = _PLACED.match(first)
    if shared and not re.search("[在对于向]", second) and not _FORMS[2].fullmatch(shared["item"]):
        return shared["front"], [shared["item"], *items[1:]]
    cut = first.rfind("的") + 1
    tail_noun = first[cut:]
    if cut and "的" not in second and not after.startswith(f"的{tail_noun}"):
        return first[:cut], [tail_noun, *items[1:]]
    return "", items


def _own_years(items: list[str], after: str) -> tuple[list[str], str]:
    """甲公司2023年的营收和乙公司2024年的营收: the year behind the last item is its own, the value that of both."""
    own = re.search(rf"在?{_YEAR}(?P<value>的[^的]+)$", items[0])
    year = re.match(rf"在?{_YEAR}", after)
    if own is None or year is None or not after.startswith(own["value"], year.end()):
        return items, after
    first = items[0].removesuffix(own["value"])
    return [first, *items[1:-1], f"{items[-1]}{year.group()}"], after[year.end() :]


def _head_noun(items: list[str], after: str) -> tuple[list[str], str]:
    """男子单打和女子单打冠军: what the last has behind the end that it shares with the first belongs to both."""
    first, last = items[0], items[-1]
    if any(form.fullmatch(first) for form in _FORMS):
        return items, after
    for length in range(min(len(first), len(last)) - 1, 0, -1):
        place = last.rfind(first[-length:], 1)
        noun = last[place + length :]
        if place > 0 and 2 <= len(noun) <= 4:
            return [*items[:-1], last[: place + length]], f"{noun}{after}"
    return items, after


def _own_tails(items: list[str], after: str) -> tuple[list[str], str]:
    """甲在2020年、乙在2022年 and 甲的仓库和乙的仓库: the last item has a tail like that of the first."""
    year = _TRAILING_YEAR.search(items[0])
    own_year = re.match(rf"在?{_YEAR}", after)
    if year and own_year and not _TRAILING_YEAR.search(items[-1]) and year.start() > 0:
        return [*items[:-1], items[-1] + own_year.group()], after[own_year.end() :]
    noun = items[0][items[0].rfind("的") :] if "的" in items[0] else ""
    if noun and after.startswith(noun):
        return [*items[:-1], items[-1] + noun], after[len(noun) :]
    return items, after


def _shared_year(items: list[str]) -> list[str]:
    year = re.match(rf"{_YEAR}(?:第?[一二三四1-4]季度|[上下]半年)?(?=[^\d年版第上下])", items[0])
    if year is None or any(re.search(r"(?:19|20)\d{2}", item) for item in items[1:]):
        return items
    return [items[0], *(f"{year.group()}{item}" for item in items[1:])]


def _shared_noun(items: list[str]) -> list[str]:
    """2022版和2024版管理规定: what follows the last edition belongs to each."""
    last = items[-1]
    for form in _FORMS:
        head = form.match(last)
        if head and head.end() < len(last) and all(form.fullmatch(item) for item in items[:-1]):
            unit = "年" if head.group().endswith("年") else ""
            fronts = (item if item.endswith(unit) else f"{item}{unit}" for item in items[:-1])
            return [*(f"{front}{last[head.end() :]}" for front in fronts), last]
    return items
