"""Several Chinese questions in one (有效期多久？作业后要监护多久？): each as a question that stands alone."""

from __future__ import annotations

import re
from typing import NamedTuple

from .coordination import is_company
from .identities import chinese_identities
from .models import Combination, Decomposition, QuestionType
from .parts import Asked, Draft, assembled
from .several_subjects import ASKS

_PIECES = re.compile(
    r"[?;。!]+|,|(?:,|\s)*(?:以及|并且|还有|同时|另外|此外)(?=[^,?]{0,20}(?:多|几|什么|何|谁|哪|怎|如何|是否|吗))"
)
_OPENING = re.compile(r"^(?:以及|并且|还有|同时|另外|此外|那么|那|并|且|又)(?!发|行)")
_CONDITION = re.compile(
    r"(?:时|后|前|的话|情况下|的|情形|之日起|期间|为止)$|^(?:如果|若|当|假如|因|由于|除了?|虽然|尽管|即使|无论|不管|不论|为了?|在)"
)
_BACK = re.compile(
    r"^(?P<it>它们?|他们?|她|其|该[\u4e00-\u9fff]{0,4}?(?=的)|这[个家份台项](?:[\u4e00-\u9fff]{0,4}?(?=的))?)(?!他|余|中)(?P<of>的)?"
)
# What these words point at is seldom one phrase of the question before: such a question is left whole.
_POINTS_BACK = re.compile(
    r"^这(?![个家份台项])|^有(?:何|什么)(?:影响|作用|效果)|(?<!^)这些|上述|以上(?!的)|前者|后者|此类"
)
# 食堂几点开门: what stands before is who acts, and not the value that is asked for (质保期多长).
_ASKS_OF_ACT = re.compile(r"(?:几[点天个次]|多久|哪[里儿天]|什么时候|什么情况|怎么|如何|谁)[^,?]{2,}$")
_SAYS = re.compile(r"(?:提到|提及|规定|所说|约定|要求|记载|列出|负责)$")
_IN_YEAR = re.compile(r"在?(?:19|20)\d{2}年(?:\d{1,2}月)?")
_AND_THAT = re.compile(r"那?么?(?P<what>[^,?]{1,16}?)呢")
_TOPIC_END = re.compile(
    r"最[多少长短高低晚早迟大小]|至[多少]|需要|须|(?<![供响反适效])应当?(?![急收用])|(?<![主重纲纪摘概])要(?![求件点素约])|可以|能否|能够|必须|一[般共]|每|有(?=效|几|多|哪|什|何)|(?<!自)由|怎么|如何|是否|多[久长少大]|几|什么|哪|谁|是|在(?=哪|什么|何|\d)|为(?=多|什|何|几)"
)
_VERBAL = re.compile(
    r"^(?:由|在|从|到|来自|属于|位于|采取|是|有|如何|怎么|怎样|能否|是否|可否|可以|需要?|应|要|最|多[久长少大]|几|什么|谁|哪|为什么|每|[\u4e00-\u9fff]{1,4}了)"
)
_ASKING_TAIL = re.compile(r"(?:的)?(?:是|为|有|在)?(?:多少|多[久长大高重]|几|什么|何时|谁|哪|怎么|如何).*$")
_OTHER = re.compile(r"公司|企业|单位|甲方|乙方|丙方|我|员工|双方|本|客户|用户|供应商")
_MODEL = re.compile(r"[A-Z]{1,6}-?\d")
_SHORT = 12
_LONGEST_OWNER = 30


class _Topic(NamedTuple):
    """What the first question is about: `owner` has attributes (X的…), `theme` is what its clause begins with."""

    owner: str
    theme: str


def chinese_list(asked: Asked) -> Decomposition | None:
    """The questions of a text one by one, or None if it holds only one."""
    pieces = _questions(asked.body)
    if len(pieces) < 2:
        return None
    topic = _topic(pieces[0], of_several="分别" in pieces[1])
    texts = [pieces[0], *(_standing_alone(piece, pieces[0], topic, asked) for piece in pieces[1:])]
    if linked := chinese_identities(asked, pieces, texts):
        return linked
    if any(_POINTS_BACK.search(piece) for piece in pieces[1:]):
        return None
    if not (topic.owner or topic.theme or asked.names) and any(_BACK.match(piece) for piece in pieces[1:]):
        return None
    drafts = [Draft(f"{asked.lead}{text}") for text in texts]
    return assembled(drafts, "zh", QuestionType.SINGLE_HOP, Combination.LIST)


def _questions(body: str) -> list[str]:
    """The clauses that ask, each with the clauses that only lead up to it or add to it."""
    found: list[str] = []
    opening = ""
    for clause in (piece.strip() for piece in _PIECES.split(body) if piece and piece.strip()):
        if _asks(clause) or (found and _AND_THAT.fullmatch(clause)):
            found.append(f"{opening}{_OPENING.sub('', clause)}")
            opening = ""
        elif found and not _CONDITION.search(clause) and not opening:
            found[-1] = f"{found[-1]},{clause}"
        else:
            opening = f"{opening}{clause},"
    if opening and found:
        found[-1] = f"{found[-1]},{opening}"
    return found


def _asks(clause: str) -> bool:
    """Whether a clause asks by itself; one that ends as a condition (什么情况下) only leads up to a question."""
    return ASKS.search(clause) is not None and not re.search(
        r"(?:时|后|前|的话|情况下|条件下|情形下|的人|期间)$", clause
    )


def _topic(first: str, of_several: bool) -> _Topic:
    """What the first question is about; several owners are carried only to a question that asks of each."""
    clause = next((part for part in reversed(first.split(",")) if ASKS.search(part)), first)
    head = _ASKING_TAIL.sub("", clause)
    owner = head[: head.rfind("的")] if "的" in head else ""
    owner = "" if _SAYS.search(owner) else owner
    end = _TOPIC_END.search(clause)
    year = _IN_YEAR.match(clause, end.start()) if end else None
    theme = clause[: year.end()] if year else clause[: end.start()].rstrip("从到在由的") if end else ""
    shortest = 2 if end and (end.group()[0] in "需应须可必" or _ASKS_OF_ACT.search(clause)) else 3
    return _Topic(
        owner if 1 < len(owner) <= _LONGEST_OWNER and (of_several or not re.search("[、和与]", owner)) else "",
        theme if len(theme) >= shortest and theme.count("《") == theme.count("》") else "",
    )


def _standing_alone(piece: str, first: str, topic: _Topic, asked: Asked) -> str:
    """A later question with what it leaves to the first: its owner, or the whole of a word that it shortens."""
    subject = topic.owner or topic.theme or next(iter(asked.names), "")
    if not subject:
        return piece
    if elliptic := _AND_THAT.fullmatch(piece):
        return _like_the_first(elliptic["what"], topic, first)
    if back := _BACK.match(piece):
        return f"{subject}{'的' if back['of'] or back['it'] == '其' else ''}{piece[back.end() :]}"
    if _has_own_subject(piece, asked, subject):
        return piece
    if whole := _whole_word(piece, topic):
        return f"{whole}{piece[2:]}"
    if topic.owner and "的" not in _ASKING_TAIL.sub("", piece):
        return f"{topic.owner}{'' if _VERBAL.match(piece) else '的'}{piece}"
    if topic.theme and len(piece) <= _SHORT and "的" not in _ASKING_TAIL.sub("", piece):
        if _VERBAL.match(piece):
            return f"{topic.theme}{piece}"
        return f"{topic.theme},{piece}" if len(topic.theme) > 3 else piece
    return piece


def _like_the_first(what: str, topic: _Topic, first: str) -> str:
    """…的营业收入是多少，净利润呢: another attribute of the owner, or the same of another owner."""
    asking = _ASKING_TAIL.search(first)
    if topic.owner and (is_company(what) or _MODEL.search(what)) and first.startswith(topic.owner):
        return f"{what}{first[len(topic.owner) :]}"
    return f"{topic.owner}{'的' if topic.owner else ''}{what}{asking.group() if asking else '是什么'}"


def _has_own_subject(piece: str, asked: Asked, subject: str) -> bool:
    named = any(name in piece for name in asked.names)
    return (
        named
        or subject in piece
        or _OTHER.match(piece) is not None
        or re.search(r"《|[A-Z]{2,}-?\d|\d{4}版|\d\s?[+\-*/×÷]\s?\d", piece) is not None
    )


def _whole_word(piece: str, topic: _Topic) -> str:
    """动火作业许可证 … 作业结束后: the second question shortens 动火作业 to its last two characters."""
    short = piece[:2]
    first = topic.theme or topic.owner
    place = first.find(short)
    return first[: place + 2] if 2 <= place <= 6 and "," not in first[:place] else ""
