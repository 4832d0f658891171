"""The dates that a document states about itself: when it was issued, since when and until when it holds.

Only its head and its tail speak about the document; what stands between them quotes other texts. Only dates with a
day count.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from .elements import Element, ElementKind
from .text.normalise import fold_widths
from .text.numerals import parse_chinese
from .text.values import ValueKind, find_values

_HEAD_PARTS, _HEAD_CHARACTERS = 14, 1_500
_TAIL_PARTS, _TAIL_CHARACTERS = 6, 900
_LONGEST_HISTORY = 1_200
_FIRST_YEAR, _LAST_YEAR = 1900, 2100

_MARK = "\x00"
"""Stands for a date in what the patterns read; the dates are numbered by their order."""
_D = rf"{_MARK}\d+{_MARK}"
_NUMBERS = re.compile(rf"{_MARK}(\d+){_MARK}")
_BODY = re.compile(r"^\s*(?:第\s*[一1]\s*[条章]|[一1][、.]|总\s*则|article\s+1\b|1\s+[a-z])", re.IGNORECASE)
_OWN = r"(?:本(?!条(?!例)|款|项)[\u4e00-\u9fff]{1,10}?)"

_WRITTEN_YEAR = re.compile(r"[一二][一二三四五六七八九〇零○OＯ0]{3}(?=\s*年)")
_ZEROS = str.maketrans("零○OＯ0", "〇〇〇〇〇")
_PUBLISHED_LABEL = re.compile(
    rf"(?:发布|印发|公布|颁布|颁发|成文|发文|签发|制定|编制|修订|签订|签署|签约|出版|更新|最后更新)(?:日期|时间|日)?\s*[:|]+\s*{_D}"
    rf"|(?:发布|印发|公布|颁布|成文|发文|签发|签订|签署|修订)(?:日期|时间)\s*{_D}|(?<![\u4e00-\u9fff])日期(?:\s*Date)?\s*[:|]\s*{_D}"
)
_MEETING_LABEL = re.compile(
    rf"^\s*\W*(?:会议)?(?:时间|日期)\W*[:|]\W*{_D}|^\s*\W*(?:meeting\s+)?(?:date|time)\W*[:|]\W*(?:\w+day,?\s*)?{_D}",
    re.IGNORECASE,
)
_HISTORY = re.compile(
    rf"{_D}(?![\d{_MARK}])(?!\s*起)[^。;{_MARK}]{{0,80}}?(?:发布|公布|颁布|印发|通过|批准|修订|修正|修改|施行)"
)
_FIRST_ISSUE = re.compile(rf"{_D}(?!\s*起)[^。;{_MARK}]{{0,80}}?(?:发布|公布|颁布|印发)")
_IS_HISTORY = re.compile(rf"^\s*[(\[]?\s*(?:根据|经)?\s*{_D}|(?:发布|公布|颁布|印发)\s*[)\]]?\s*$")
_ALONE = re.compile(rf"^[^\d。,;:{_MARK}]{{0,30}}{_D}\s*(?:印发|发布)?\s*[)\]]?\s*$")
_ONLY = re.compile(rf"^\s*[(\[]?\s*{_D}\s*(?:印发|发布)?\s*[)\]]?\s*$")
_FROM = re.compile(
    rf"(?:{_OWN}\s*(?:经[^。,{_MARK}]{{0,30}},)?|^[^\u4e00-\u9fff]*|[(,。;]\s*|\s)自\s*{_D}\s*起\s*(?:正式|全面|开始)?(?:施行|实施|生效|执行|试行)"
    rf"|(?:生效|施行|实施|执行|启用)(?:日期|时间|日)\s*[:|]*\s*{_D}|{_OWN}(?:于|从)\s*{_D}\s*起?(?:正式)?(?:施行|实施|生效|执行)"
)
_FROM_ISSUE = re.compile(
    rf"(?:{_OWN}|^[^\u4e00-\u9fff]*(?:第[一二三四五六七八九十百零\d]+条)?\s*)自\s*(?:发布|公布|印发|颁布|下发)之?日起\s*(?:正式)?(?:施行|实施|生效|执行|试行)"
)
_TO = re.compile(
    rf"(?:有效期限?|有效期间|有效时间)\s*(?:截?[至止到]|截止到?|为?至)?\s*[:|]?\s*{_D}|(?:失效|到期|截止|终止)日期\s*[:|]*\s*{_D}"
)
_TERM = re.compile(
    rf"(?:{_OWN}(?:的)?|[(,。]\s*)有效期(?:限)?(?:自\s*{_D}\s*(?:起)?\s*(?:至|到)\s*{_D}|为?\s*(?P<years>[一二三四五六七八九十两\d]{{1,3}})\s*年)"
)

_ENGLISH_PUBLISHED = re.compile(
    rf"\b(?:issued?(?:\s+(?:date|on))?|date\s+(?:of\s+issue|issued|published)|published(?:\s+on)?|publication\s+date|release\s+date|last\s+(?:updated|revised)|revised|approved\s+on|dated)\s*[:|]*\s*{_D}|^\s*\W*date\W*[:|]\W*{_D}",
    re.IGNORECASE,
)
_ENGLISH_FROM = re.compile(
    rf"\beffective(?:\s+date|\s+from|\s+as\s+of|\s+since|\s+on)?\s*[:|]*\s*{_D}|\b(?:takes?\s+effect|comes?\s+into\s+(?:force|effect)|enters?\s+into\s+force|(?:is\s+)?in\s+force|applies|valid)\s+(?:on|from|since|as\s+of)\s+{_D}",
    re.IGNORECASE,
)
_ENGLISH_TO = re.compile(
    rf"\b(?:expires?(?:\s+on)?|expiry(?:\s+date)?|expiration\s+date|(?:remains?\s+)?(?:valid|in\s+force)\s+(?:until|through|till|to))\s*[:|]*\s*{_D}",
    re.IGNORECASE,
)
_ENGLISH_OWN = re.compile(
    r"\bthis\s+(?:\w+\s+){0,2}(?:policy|agreement|contract|document|notice|procedure|manual|handbook|code|guideline|regulation|circular|plan|standard)\b",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"^\W*(?:\w+\s+){0,3}\w+\s*[:|]|(?:^|[·|.;,]\s*)\W*(?:effective|expires|valid|in\s+force|issued|published|dated|revised|approved)\b",
    re.IGNORECASE,
)


class StatedDates(NamedTuple):
    """What a document says about itself; None where it says nothing."""

    published_at: date | None = None
    effective_from: date | None = None
    effective_to: date | None = None


class _Part(NamedTuple):
    """A paragraph with its dates replaced by marks, and the dates."""

    text: str
    dates: Sequence[date]

    def of(self, match: re.Match[str]) -> list[date]:
        """The dates in a match, in order."""
        return [self.dates[int(number)] for number in _NUMBERS.findall(match.group())]


def stated_dates(elements: Sequence[Element], *, is_minutes: bool = False) -> StatedDates:
    """The dates that a document states about itself in its head or tail.

    Args:
        elements: the whole document in reading order.
        is_minutes: the date of a meeting is the date of its minutes.
    """
    head, tail = _parts(_head(elements)), _parts(_tail(elements))
    published = _published(head, tail, is_minutes=is_minutes)
    begins = _first(part.of(match) for part in (*head, *tail) for match in _beginnings(part))
    if begins is None and any(_FROM_ISSUE.search(part.text) for part in (*tail, *head)):
        begins = min(_history(head, _FIRST_ISSUE), default=published)
    return _checked(StatedDates(published, *_term(begins, (*head, *tail))))


def _head(elements: Sequence[Element]) -> Iterator[str]:
    """The texts before the first clause or numbered section."""
    taken = 0
    for element in elements[:_HEAD_PARTS]:
        if taken > _HEAD_CHARACTERS or _BODY.match(element.text):
            return
        taken += len(element.text)
        yield from _lines(element)


def _tail(elements: Sequence[Element]) -> Iterator[str]:
    last = [element for element in elements[-_TAIL_PARTS:] if element.kind is not ElementKind.TABLE]
    taken = 0
    for element in reversed(last):
        taken += len(element.text)
        if taken > _TAIL_CHARACTERS:
            return
        yield from _lines(element)


def _lines(element: Element) -> Iterator[str]:
    lines = element.text.replace("<br>", " ").splitlines()
    yield from lines[:_HEAD_PARTS] if element.kind is ElementKind.TABLE else lines


def _parts(texts: Iterable[str]) -> list[_Part]:
    return [_part(text) for text in texts if len(text) <= _LONGEST_HISTORY]


def _part(text: str) -> _Part:
    folded = fold_widths(text).replace("**", "").replace(_MARK, " ")
    folded = _WRITTEN_YEAR.sub(lambda year: year.group().translate(_ZEROS), folded)
    marked, position = "", 0
    dates: list[date] = []
    for value in find_values(folded):
        if value.kind is ValueKind.DATE and (day := _day(value.canonical)):
            marked += f"{folded[position : value.start]}{_MARK}{len(dates)}{_MARK}"
            position = value.end
            dates.append(day)
    return _Part(marked + folded[position:], dates)


def _day(canonical: str) -> date | None:
    parts = canonical.split("-")
    if len(parts) != 3 or not all(part.isdecimal() for part in parts):
        return None
    year, month, day = map(int, parts)
    if not (_FIRST_YEAR <= year <= _LAST_YEAR and 1 <= day <= calendar.monthrange(year, month)[1]):
        return None
    return date(year, month, day)


def _published(head: Sequence[_Part], tail: Sequence[_Part], *, is_minutes: bool) -> date | None:
    labels = (_PUBLISHED_LABEL, _ENGLISH_PUBLISHED, *([_MEETING_LABEL] if is_minutes else []))
    labelled = _first(p.of(match) for p in head for label in labels for match in label.finditer(p.text))
    return labelled or max(_history(head, _HISTORY), default=None) or _signed(head, tail)


def _history(head: Sequence[_Part], event: re.Pattern[str]) -> list[date]:
    """The dates of the note under the title (2012年…通过 根据2020年…修正); the last is that of this version."""
    notes = [part for part in head if _IS_HISTORY.search(part.text)]
    return [day for part in notes for match in event.finditer(part.text) for day in part.of(match)]


def _signed(head: Sequence[_Part], tail: Sequence[_Part]) -> date | None:
    """A date on a line of its own, or behind the name of who signs, at the end or under the title."""
    at_end = _first(p.of(match) for p in tail for match in _ALONE.finditer(p.text))
    label = _first(p.of(match) for p in tail for match in _PUBLISHED_LABEL.finditer(p.text))
    return label or at_end or _first(p.of(match) for p in head for match in _ONLY.finditer(p.text))


def _beginnings(part: _Part) -> Iterator[re.Match[str]]:
    yield from _FROM.finditer(part.text)
    if _LABELLED.search(part.text) or _ENGLISH_OWN.search(part.text):
        yield from _ENGLISH_FROM.finditer(part.text)


def _term(begins: date | None, parts: Sequence[_Part]) -> tuple[date | None, date | None]:
    for part in parts:
        for match in _TERM.finditer(part.text):
            days = part.of(match)
            if len(days) == 2:
                return begins or days[0], days[1]
            if begins and (years := _number(match["years"])):
                return begins, _after(begins, years)
    return begins, _first(part.of(match) for part in parts for match in _endings(part))


def _endings(part: _Part) -> Iterator[re.Match[str]]:
    yield from _TO.finditer(part.text)
    if _LABELLED.search(part.text) or _ENGLISH_OWN.search(part.text):
        yield from _ENGLISH_TO.finditer(part.text)


def _number(text: str | None) -> int | None:
    if not text:
        return None
    number = int(text) if text.isdecimal() else parse_chinese(text)
    return int(number) if number and number < _LAST_YEAR - _FIRST_YEAR else None


def _after(begins: date, years: int) -> date:
    """The last day of a term that begins on a day."""
    month_days = calendar.monthrange(begins.year + years, begins.month)[1]
    return date(begins.year + years, begins.month, min(begins.day, month_days)) - timedelta(days=1)


def _first(found: Iterable[Sequence[date]]) -> date | None:
    return next((days[0] for days in found if days), None)


def _checked(stated: StatedDates) -> StatedDates:
    """Without an end that lies before the beginning: one of the two was misread."""
    if stated.effective_to and stated.effective_from and stated.effective_to < stated.effective_from:
        return stated._replace(effective_to=None)
    return stated
