# ruff: noqa: E501 - patterns and word lists are read in one piece
"""What changed between two editions of one text: each edition is asked for each thing (2022版和2024版相比, A和B有什么变化)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from .models import Combination, Decomposition, QuestionType
from .parts import Asked, Draft, assembled

_EDITION = r"(?:(?:19|20)\d{2}年?(?:修订)?版|第[一二三四五六七八九十\d]{1,3}版|[Vv]\d+(?:\.\d+)*版?)"
_TITLE = r"(?:《[^》]{2,30}》|[\u4e00-\u9fffA-Za-z]{2,20}?)"
_JOINT = r"(?:和|与|及|跟|同|到|至|比|较|相比于?|对比)"
_BEHIND = r"(?:两版|之间|相比较?|对比)?(?P<rest>.*)$"
_CHINESE_PAIRS = (
    re.compile(
        rf"^(?:(?P<topic>[^?]{{2,40}}),)?(?P<title>{_TITLE})(?P<one>{_EDITION}){_JOINT}(?:(?P=title))?(?P<other>{_EDITION}){_BEHIND}"
    ),
    re.compile(
        rf"^(?:(?P<topic>[^?]{{2,40}}),)?(?P<one>{_EDITION})的?(?P<title>{_TITLE}){_JOINT}(?P<other>{_EDITION})(?:的?(?P=title))?{_BEHIND}"
    ),
    re.compile(
        rf"^(?:(?P<topic>[^?]{{2,40}}),)?(?P<one>{_EDITION}){_JOINT}(?P<other>{_EDITION})的?(?P<title>{_TITLE})(?:相比较?|之间|中|里)(?P<rest>.*)$"
    ),
)
_CHANGED = re.compile(
    r"^(?P<things>.*?)(?:分别|各|都)?(?:有|发生|作|做)?了?(?:什么|哪些|何|怎样的?|怎么)?(?:主要|具体)?(?:变化|不同|区别|差异|变动|调整|修改|变更)(?:了)?(?:什么|哪些|多少)?(?:吗|呢)?$"
)
_BY = re.compile(
    r"^(?P<things>.*?)(?:相差|差|提高|提升|增加|增长|延长|缩短|减少|降低|下降|上调|下调|多|少|长|短|高|低)(?:了|出)?(?:多少|几|多久)[\u4e00-\u9fff]{0,4}$"
)
_LEADING = re.compile(
    r"^[,\s]*(?:在|对|对于|关于|就|中|里)?(?:所)?(?:规定|要求|约定|明确)?(?:中|里)?的?(?=[\u4e00-\u9fffA-Za-z])"
)
_SPLIT = re.compile(r"以及|[、]|(?<![共温缓])和(?!平)|(?<!参)与(?!会)|(?<![以涉])及(?!时|格)")
_MEASURED = re.compile(
    r"(?:期|期限|时间|时限|年限|时长|标准|比例|金额|天数|次数|人数|费用?|价格?|率|额度?|补助|津贴|补贴|上限|下限|限值|浓度|速度|温度|距离|高度)$"
)
_LASTS = re.compile(r"(?<!日)(?:期|期限|时间|时限|年限|时长)$")
_MOST_LETTERS = 30

_EN_EDITIONS = r"(?:the\s+)?(?P<one>(?:19|20)\d{2})\s+(?:and|to)\s+(?:the\s+)?(?P<other>(?:19|20)\d{2})\s+(?P<noun>edition|version|revision|issue)s?\s+of\s+(?P<title>.+)$"
# The 2023 and the 2025 remote work policy: a document is named by its kind, else the years are those of something else.
_EN_KIND = (
    r"(?:polic(?:y|ies)|rules?|regulations?|handbooks?|manuals?|guides?|guidelines?|procedures?|codes?\s+of\s+conduct)"
)
_EN_TITLE = rf"(?P<title>(?:(?!(?:of|in|on|and|for|the)\b)[\w&'’-]+\s+){{0,6}}?{_EN_KIND})"
_EN_YEARS = rf"(?:the\s+)?(?P<one>(?:19|20)\d{{2}})\s+(?:and|to|or)\s+(?:(?:in|under|of)\s+)?(?:the\s+)?(?P<other>(?:19|20)\d{{2}})\s+{_EN_TITLE}$"
_EN_ONE = r"the\s+(?P<one>(?:19|20)\d{2})\s+(?P<noun>edition|version|revision|issue)\s+of\s+(?P<title>.+?)"
_EN_OTHER = r"(?:the\s+)?(?:one\s+of\s+)?(?P<other>(?:19|20)\d{2})(?:\s+(?:edition|version|revision|issue|one))?(?:\s+of\s+.+?)?"
_EN_CHANGES = r"(?:raise|increase|reduce|lower|extend|shorten|cut)"
_ENGLISH_CONTRASTS = (
    re.compile(rf"^how\s+(?:did|do|does|has|have)\s+(?P<things>.+?)\s+(?:changed?|differ)\s+(?:between|from)\s+{_EN_EDITIONS}", re.IGNORECASE),
    re.compile(rf"^what\s+(?:is|are|was|were)\s+the\s+(?:changes?|differences?)\s+(?:in|to)\s+(?P<things>.+?)\s+between\s+{_EN_EDITIONS}", re.IGNORECASE),
    re.compile(rf"^what\s+(?:has\s+)?changed\s+(?:in|about)\s+(?P<things>.+?)\s+(?:between|from)\s+{_EN_EDITIONS}", re.IGNORECASE),
)  # fmt: skip
_ENGLISH_YEARS = (
    re.compile(rf"^(?P<ask>(?:how|what|which|who|when|where)\b.+?)\s+(?P<where>in|under|by|according\s+to)\s+{_EN_YEARS}", re.IGNORECASE),
    re.compile(rf"^how\s+(?:did|do|does|has|have)\s+(?P<things>.+?)\s+(?:changed?|differ)\s+(?:between|from)\s+{_EN_YEARS}", re.IGNORECASE),
    re.compile(rf"^what\s+(?:is|are|was|were)\s+the\s+(?:changes?|differences?)\s+(?:in|to)\s+(?P<things>.+?)\s+between\s+{_EN_YEARS}", re.IGNORECASE),
    re.compile(rf"^what\s+(?:has\s+)?changed\s+(?:in|about)\s+(?P<things>.+?)\s+(?:between|from)\s+{_EN_YEARS}", re.IGNORECASE),
    re.compile(rf"^(?:what\s+(?:has\s+)?changed|what\s+(?:is|are|was|were)\s+the\s+(?:changes?|differences?))\s+(?:between|from)\s+{_EN_YEARS}", re.IGNORECASE),
)  # fmt: skip
_ENGLISH_DIFFERENCES = (
    re.compile(rf"^(?:by\s+)?how\s+much\s+(?:does|did|has)\s+{_EN_ONE}\s+{_EN_CHANGES}d?\s+(?P<things>.+?)\s+(?:compared\s+(?:with|to)|over|against|from)\s+{_EN_OTHER}$", re.IGNORECASE),
    re.compile(rf"^compared\s+(?:with|to)\s+{_EN_OTHER},\s+(?:by\s+)?how\s+much\s+(?:does|did|has)\s+{_EN_ONE}\s+{_EN_CHANGES}d?\s+(?P<things>.+)$", re.IGNORECASE),
)  # fmt: skip
_EN_SPLIT = re.compile(r",?\s+and\s+(?=the\b)|,\s+(?=the\b)", re.IGNORECASE)


class _Pair(NamedTuple):
    """The two editions as they are named in a part, and the things that are compared."""

    editions: tuple[str, str]
    things: Sequence[str]
    combination: Combination


def chinese_editions(asked: Asked) -> Decomposition | None:
    """A part for each thing in each edition; None where not two editions of one text and a thing in them are named."""
    body = re.sub(r"[?。]+$", "", asked.text)
    found = next((match for pattern in _CHINESE_PAIRS if (match := pattern.match(body))), None)
    pair = _chinese_pair(found) if found else None
    if pair is None:
        return None
    drafts = [
        Draft(f"根据{edition},{thing}{_asking(thing, pair.combination)}", edition)
        for thing in pair.things
        for edition in pair.editions
    ]
    return assembled(drafts, "zh", QuestionType.COMPARISON, pair.combination)


def _asking(thing: str, combination: Combination) -> str:
    if _LASTS.search(thing):
        return "为多久"
    is_value = _MEASURED.search(thing) is not None or combination is Combination.DIFFERENCE
    return "是多少" if is_value else "是怎么规定的"


def _chinese_pair(found: re.Match[str]) -> _Pair | None:
    rest = found["rest"].lstrip(", ")
    for pattern, combination in ((_BY, Combination.DIFFERENCE), (_CHANGED, Combination.CONTRAST)):
        asks = pattern.match(rest)
        if asks is None:
            continue
        named = _LEADING.sub("", asks["things"], count=1).strip(",的上 ") or (found["topic"] or "").strip(",的上 ")
        things = [named] if combination is Combination.DIFFERENCE else _things(named)
        if not named or not all(1 < len(thing) <= _MOST_LETTERS for thing in things):
            return None
        title = found["title"].removesuffix("的")
        return _Pair((f"{title}{found['one']}", f"{title}{found['other']}"), things, combination)
    return None


def _things(named: str) -> list[str]:
    """A的期限和作业后的时间: each on its own; a later one that shortens a word of the first gets the whole word."""
    first, *others = [thing.strip(", ") for thing in _SPLIT.split(named)]
    return [first, *(_whole(other, first) for other in others)]


def _whole(thing: str, first: str) -> str:
    place = first.find(thing[:2])
    return f"{first[:place]}{thing}" if 2 <= place <= 6 and "的" not in first[:place] else thing


def english_editions(asked: Asked) -> Decomposition | None:
    """A part for each thing in each edition; None where not two editions of one text and a thing in them are named."""
    body = asked.text.rstrip("?.! ")
    for patterns, combination in (
        (_ENGLISH_DIFFERENCES, Combination.DIFFERENCE),
        (_ENGLISH_CONTRASTS, Combination.CONTRAST),
    ):
        found = next((match for pattern in patterns if (match := pattern.match(body))), None)
        if found is not None:
            editions = [f"the {found[year]} {found['noun']} of {found['title']}" for year in ("one", "other")]
            drafts = [
                Draft(f"According to {edition}, what {_verb(thing)} {thing}", edition)
                for thing in _EN_SPLIT.split(found["things"])
                for edition in editions
            ]
            return assembled(drafts, "en", QuestionType.COMPARISON, combination)
    found = next((match for pattern in _ENGLISH_YEARS if (match := pattern.match(body))), None)
    return _of_years(found) if found is not None else None


def _of_years(found: re.Match[str]) -> Decomposition | None:
    """The same document at two times, named by its kind: a part for each thing in each year."""
    named = found.groupdict()
    title = re.sub(r"ies$", "y", named["title"]) if re.search(r"policies$", named["title"]) else named["title"]
    editions = [f"the {year} {title}" for year in (named["one"], named["other"])]
    if named.get("ask"):
        drafts = [Draft(f"{named['ask']} {named['where']} {edition}", edition) for edition in editions]
    else:
        things = _EN_SPLIT.split(named["things"]) if named.get("things") else [""]
        drafts = [
            Draft(f"What {_verb(thing)} {thing} in {edition}" if thing else f"Summarise {edition}", edition)
            for thing in things
            for edition in editions
        ]
    return assembled(drafts, "en", QuestionType.COMPARISON, Combination.CONTRAST)


def _verb(thing: str) -> str:
    head = re.split(r"\s(?:of|for|in|on|at|to)\s", thing)[0]
    return "are" if re.search(r"[^su]s$", head) else "is"
