"""One thing asked of several subjects in Chinese (甲公司和乙公司的资产分别是多少): the question of each."""

from __future__ import annotations

import re

from .coordination import Coordination, coordination, is_company, name_of, paired_years
from .leads import own_leads
from .models import Combination, Decomposition, QuestionType
from .parts import Asked, Draft, assembled

ASKS = re.compile(
    r"(?<!无论)(?<!不管)(?<!不论)(?:多少|多[久长大高重宽深厚远快]|(?<![近来去这好十后前数])几(?![乎何率])|(?<!没)什么|(?<![任奈几])何(?!以|况|必)|谁|哪|怎么|怎样|如何|是否|能否|可否|能不能|可不可以|有没有|为什么|为何|吗)"
)
_EACH = re.compile(r"分别|各自的?|各(?=是|为|有|需|要|应|多少|承担|负责|享有|占|付|出资)")
# What two do together is one thing: the contract between them has one amount.
_BARE_ASKING = re.compile(r"哪[^里儿些]|谁|什么(?!时|地)|多少")
_TOGETHER = re.compile(r"之间|共同|联合|合资|合作|双方|相互|互相|彼此|签订|签署|达成|合并|纠纷|诉|一起|关系|联系|交易")
_ORGANISATION = re.compile(r"(?:公司|集团|银行)$")
_AMONG = re.compile(r"(?:[、]|和|及|以及)")


def chinese_subjects(asked: Asked) -> Decomposition | None:
    """A part for each subject, or None if one thing is asked of one subject."""
    body = asked.body.rstrip("?。 ")
    if "?" in body or not ASKS.search(body):
        return None
    row = _distributed(body) or _organisations(asked, body)
    if row is None:
        return _places(asked, body)
    if not ASKS.search(row.after) and not ASKS.search(row.before):
        return None
    tails = paired_years(_EACH.sub("", row.after), len(row.items))
    leads = own_leads(asked.lead, asked.language, len(row.items))
    drafts = [
        Draft(f"{lead}{thing}{'是' if _BARE_ASKING.match(tail) else ''}{tail}", name_of(item))
        for lead, thing, item, tail in zip(leads, row.each(), row.items, tails, strict=True)
    ]
    return assembled(drafts, "zh", QuestionType.SINGLE_HOP, Combination.LIST)


def _places(asked: Asked, body: str) -> Decomposition | None:
    """根据甲法院和乙法院的判决书，刑期分别是多少: the opening names the places, and each has its answer."""
    each = own_leads(asked.lead, "zh", 2)
    if each[0] == each[1] or not (_EACH.search(body) or coordination(body) is None):
        return None
    text = re.sub(r"[两二](?:名|起|个|份|家)", "", _EACH.sub("", body))
    drafts = [Draft(f"{lead}{text}", re.sub(r"^(?:根据|依据|按照)", "", lead).split("的")[0]) for lead in each]
    return assembled(drafts, "zh", QuestionType.SINGLE_HOP, Combination.LIST)


def _distributed(body: str) -> Coordination | None:
    """甲和乙…分别…: the word for `each` says that there is an answer for each."""
    each = _EACH.search(body)
    row = coordination(body) if each else None
    if each is None or row is None or not _EACH.search(row.after) or ASKS.search("".join(row.items)):
        return None
    return row


def _organisations(asked: Asked, body: str) -> Coordination | None:
    """甲公司和乙公司…: companies side by side are asked about one by one, unless they act together."""
    if _TOGETHER.search(body):
        return None
    names = [name for name in asked.names if _ORGANISATION.search(name) and name in body]
    spans = sorted((body.find(name), name) for name in names)
    rows = list(_neighbours(body, spans))
    if not rows:
        row = coordination(body)
        return row if row and row.joint in "和、以及" and all(is_company(item) for item in row.items) else None
    start, end = rows[0][0], rows[-1][1]
    items = tuple(body[first:last] for first, last in rows)
    years = re.match(r"\d{4}年", items[0])
    before = body[:start]
    if years and not any(re.match(r"\d{4}年", item) for item in items[1:]):
        items = (items[0], *(f"{years.group()}{item}" for item in items[1:]))
    return Coordination(before, items, body[end:], "和")


def _neighbours(body: str, spans: list[tuple[int, str]]) -> list[tuple[int, int]]:
    """The first run of names with nothing but a joint and a year between them."""
    run: list[tuple[int, int]] = []
    for start, name in spans:
        year = re.search(r"\d{4}年$", body[:start])
        begin = year.start() if year else start
        if run and not _AMONG.fullmatch(body[run[-1][1] : begin]):
            if len(run) > 1:
                break
            run = []
        run.append((begin, start + len(name)))
    return run if len(run) > 1 else []
