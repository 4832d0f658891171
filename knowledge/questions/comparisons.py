# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Chinese comparisons: which subjects, which value of theirs, and how the values decide."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from .asked_values import CHINESE_ADJECTIVES, CHINESE_MEASURES, chinese_content, chinese_value
from .coordination import Coordination, coordination, name_of, paired_years
from .editions import chinese_editions
from .leads import own_leads
from .models import Combination, Decomposition, QuestionType
from .parts import Asked, Draft, assembled

_WHICH = r"(?:哪一?(?:家|个|款|种|台|份|座|项|版|位|方|边|件|批|者|条|支)?(?:公司|企业|供应商|机构|部门|工程|方案|合同|版本|产品|设备|集团|城市)?|谁|何者)"
_WINNER = re.compile(
    rf"^(?P<subjects>.*?)(?P<which>{_WHICH})(?P<attribute>[^,?]*?)(?:的)?(?:是|会|要)?(?:更|最|比较|较|相对|也?更加)?(?<![提增扩缩减放加领首优预事率争重延变降])(?P<adjective>{CHINESE_ADJECTIVES})(?:一些|一点|些|点)?(?:呢)?$"
)
_FIRST_TO = re.compile(
    rf"^(?P<subjects>.*?)(?P<which>{_WHICH})(?:是)?(?:更|最|较|比较)?(?P<adjective>先|早|晚|后|迟)(?P<action>[^,?]{{2,16}})$"
)
_OR = re.compile(
    rf"^(?P<attribute>.{{1,20}}?)(?:更|最|较)?(?P<adjective>{CHINESE_ADJECTIVES})的是(?P<subjects>.+还是.+)$"
)
_THAN = re.compile(
    rf"^(?P<one>.+?)(?<![同环占对相百])比(?![例率重较如赛利值])(?P<other>.+?)(?:要|更)?(?P<adjective>{CHINESE_ADJECTIVES})(?:出|了|上)?(?P<much>多少|几|多久|吗)(?P<unit>[^,?]{{0,6}})$"
)
_GAP = re.compile(
    r"^(?P<subjects>.+?)(?:之间)?(?:相差|差了?|的?差距?额?(?:是|有|为))(?:是|有|为)?(?:多少|多大|多久|多长时间|几[^,?]{1,3})(?P<unit>[^,?]{0,4})$"
)
_UNLIKE = re.compile(
    r"^(?P<subjects>.+?)(?:之间|相比)?(?:主要)?(?:(?:有|存在)(?:什么|何|哪些)(?:主要|具体|本质)?的?(?:区别|不同|差异|差别|异同|变化|冲突)|的(?:主要)?(?:区别|不同|差异|差别|异同)(?:是什么|在哪里?|有哪些|在于什么|何在)?|(?:有|是)?(?:何|哪里|哪些地方|什么地方)不(?:同|一样)|是否(?:有|存在)?(?:冲突|一致|相同|矛盾|不同)|怎么不(?:同|一样)|一样吗|相同吗)(?:之处)?(?:呢)?$"
)
_COMPARE = re.compile(r"^(?:请)?(?:比较|对比|比一比|对照)(?:一下|分析)?(?P<subjects>.+)$")
_COMPARED = re.compile(r"^(?P<subjects>.+?)(?:的)?(?:对比|比较)(?:表|情况|结果|分析|如何|怎么样|一下)?$")
_GROUP = re.compile(
    r"(?:[两二三四五六七八九十\d几]|所有|各)(?:家|个|款|种|份|台|版|名|位|套|项|者|方)|新旧[两二]?版|新旧"
)
_BY_HOW_MUCH = re.compile(
    rf"^(?:并且?|又|分别)?(?:相差|差|{CHINESE_ADJECTIVES})(?:出|了)?(?:多少|几|多久)[^,?]{{0,4}}$"
)
_BACK = re.compile(r"它|其(?!他|它|余|中)|该|这家|这个|此")
_MODEL = re.compile(r"[A-Za-z]{1,6}-?\d[\w-]*")
_VALUE_NOUN = r"(?:期限|日期|时间|时限|期|金额|价格|单价|总价|比例|功率|重量|费用|费|数量|标准)"
_CLAUSES = re.compile(r"[,?;:。!]+")


class _Verdict(NamedTuple):
    """How the values decide, and what to ask each subject: `attribute` stands between it and the question word."""

    combination: Combination
    subjects: str
    attribute: str = ""
    adjective: str = ""
    action: str = ""


def chinese_comparison(asked: Asked) -> Decomposition | None:
    """The parts of a comparison, or None if the question is none."""
    if editions := chinese_editions(asked):
        return editions
    clauses = [clause.strip() for clause in _CLAUSES.split(asked.body) if clause.strip()]
    # A winner in any clause says more than the opening `compare`.
    for read in (_than, _decided, _unlike):
        for index, clause in enumerate(clauses):
            verdict = read(clause, clauses[:index])
            row = coordination(verdict.subjects) if verdict else None
            if verdict and row:
                return _with_follow_ups(asked, clauses, index, _drafts(asked, verdict, row), verdict.combination)
    return None


def is_open_contrast(asked: Asked) -> bool:
    """Whether things are compared without being named (三家供应商的报价对比)."""
    body = asked.body.strip("?。 ")
    compared = _COMPARE.match(body) or _COMPARED.match(body) or _UNLIKE.match(body)
    return compared is not None and (_GROUP.search(body) is not None or body.startswith(("比较", "对比")))


def _decided(clause: str, before: Sequence[str]) -> _Verdict | None:
    """The subjects of a winner stand in its own clause or in those before it (比较甲和乙的质保期，哪个更长)."""
    if found := _OR.match(clause):
        adjective = found["adjective"]
        return _Verdict(CHINESE_MEASURES[adjective].combination, found["subjects"], found["attribute"], adjective)
    for pattern in (_WINNER, _FIRST_TO):
        found = pattern.match(clause)
        if found is None:
            continue
        own = found["subjects"]
        subjects = own if coordination(own) else _compared_in(before)
        groups = found.groupdict()
        attribute = (groups.get("attribute") or "").removeprefix("的")
        adjective = found["adjective"]
        return _Verdict(
            CHINESE_MEASURES[adjective].combination, subjects, attribute, adjective, groups.get("action") or ""
        )
    return None


def _compared_in(before: Sequence[str]) -> str:
    joined = ",".join(before)
    found = _COMPARE.match(joined)
    return re.sub(r"(?:相比较?|之间|之中|当中|中)$", "", found["subjects"] if found else joined)


def _than(clause: str, _: Sequence[str]) -> _Verdict | None:
    if found := _THAN.match(clause):
        one, other = found["one"], found["other"]
        owner, _, attribute = one.rpartition("的")
        if attribute and owner and "的" not in other:
            one, tail = owner, f"的{attribute}"
        elif owner and other.endswith(f"的{attribute}"):
            one, other, tail = owner, other.removesuffix(f"的{attribute}"), f"的{attribute}"
        else:
            tail = ""
        measure = CHINESE_MEASURES[found["adjective"]]
        combination = measure.combination if found["much"] == "吗" else Combination.DIFFERENCE
        return _Verdict(combination, f"{one}和{other}{tail}", adjective=found["adjective"])
    if found := _GAP.match(clause):
        return _Verdict(Combination.DIFFERENCE, found["subjects"], adjective="多")
    return None


def _unlike(clause: str, before: Sequence[str]) -> _Verdict | None:
    for pattern in (_UNLIKE, _COMPARE, _COMPARED):
        if found := pattern.match(clause):
            subjects = found["subjects"].removesuffix("的")
            compared = _COMPARE.match(subjects)
            subjects = compared["subjects"] if compared else subjects
            return _Verdict(Combination.CONTRAST, subjects if coordination(subjects) else ",".join((*before, subjects)))
    return None


def _with_own_attributes(row: Coordination) -> Coordination:
    """合同的交货期限和记录里的到货日期: where the first names its value itself, what follows the last is the last's."""
    own = re.match(rf"[里中上内]?的?[^,?的]{{0,8}}{_VALUE_NOUN}", row.after)
    if own is None or not re.search(rf"{_VALUE_NOUN}$", row.items[0]) or re.search(rf"{_VALUE_NOUN}$", row.items[-1]):
        return row
    return row._replace(items=(*row.items[:-1], f"{row.items[-1]}{own.group()}"), after=row.after[own.end() :])


def _drafts(asked: Asked, verdict: _Verdict, row: Coordination) -> list[Draft]:
    row = _with_own_attributes(row)
    head = re.sub(r"分别|各自的?|各(?=[是为有])", "", row.after).strip()
    attribute = head if verdict.combination is Combination.CONTRAST else _attribute(head, verdict.attribute)
    tails = paired_years(attribute, len(row.items))
    leads = own_leads(asked.lead, asked.language, len(row.items))
    return [
        Draft(f"{lead}{thing}{_asking(verdict, item, tail)}", name_of(item))
        for lead, thing, item, tail in zip(leads, row.each(), row.items, tails, strict=True)
    ]


def _asking(verdict: _Verdict, item: str, attribute: str) -> str:
    if verdict.action:
        return f"{_owned_part(attribute).removesuffix('的')}什么时候{verdict.action}"
    if verdict.combination is Combination.CONTRAST:
        return chinese_content(attribute, is_model=_MODEL.fullmatch(item) is not None)
    own = re.search(rf"[^的里中上]*{_VALUE_NOUN}$", item) if not attribute else None
    if own and CHINESE_MEASURES[verdict.adjective].combination in (Combination.EARLIER, Combination.LATER):
        return chinese_value(own.group(), verdict.adjective).removeprefix(own.group())
    return chinese_value(attribute, verdict.adjective)


def _attribute(head: str, tail: str) -> str:
    """The fuller of what is named with the subjects and what is named with the winner, or both."""
    if not tail or set(tail) <= set(head):
        return head
    if not head or len(set(tail) & set(head)) >= 2:
        own = _owned_part(head)
        return f"{own}{'' if own.endswith('的') else '的'}{tail}"
    return f"{head}的{tail}"


def _owned_part(head: str) -> str:
    """A year or place before the attribute (在2019年的) stays where the winner's clause names the attribute again."""
    found = re.match(r"(?:在?(?:19|20)\d{2}年(?:度|\d{1,2}月)?(?:[和与、](?:19|20)\d{2}年(?:度|\d{1,2}月)?)*的?)", head)
    return found.group() if found else ""


def _with_follow_ups(
    asked: Asked, clauses: Sequence[str], index: int, drafts: list[Draft], combination: Combination
) -> Decomposition | None:
    further = [clause for clause in clauses[index + 1 :] if not _WINNER.match(clause)]
    if any(_BY_HOW_MUCH.match(clause) for clause in further):
        combination, further = Combination.DIFFERENCE, [c for c in further if not _BY_HOW_MUCH.match(c)]
    whole = asked.lead + ",".join(clauses[: index + 1])
    if further and (_BACK.search(further[0]) or _names_winner(clauses[index], further[0])):
        return assembled(_chain(whole, further), "zh", QuestionType.COMPARISON, Combination.CHAIN)
    if further:
        drafts = [*drafts, *(Draft(f"{asked.lead}{clause}") for clause in further)]
        return assembled(drafts, "zh", QuestionType.COMPARISON, Combination.LIST)
    return assembled(drafts, "zh", QuestionType.COMPARISON, combination)


def _names_winner(clause: str, further: str) -> bool:
    """延误最长的标段的承包商: the follow-up describes the winner."""
    found = re.match(rf"(?P<what>[^的,]{{1,8}}?)最(?:{CHINESE_ADJECTIVES})的", further)
    return found is not None


def _chain(whole: str, further: Sequence[str]) -> list[Draft]:
    first, *rest = further
    winner = re.sub(rf"^[^的,]{{1,8}}?最(?:{CHINESE_ADJECTIVES})的[^的,]{{1,6}}(?=的)", "{q1}", first)
    if winner == first:
        winner = re.sub(r"其(?!他|它|余|中)", "{q1}的", first, count=1)
    if winner == first:
        winner = _BACK.sub("{q1}", first, count=1)
    later = [Draft(clause if "{q1}" in clause else f"{{q1}}{clause}", depends_on=("q1",)) for clause in rest]
    return [Draft(whole), Draft(winner, depends_on=("q1",)), *later]
