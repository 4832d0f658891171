"""Whether the parties of a sentence do what its source says of them: who pays, and who is paid."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..text.normalise import normalise
from .matching import content_terms
from .negation import likeness

# Words for one party, a line each.
_PARTIES = """
甲方
乙方
丙方
买方 购买方 买受人 需方 采购方 buyer purchaser
卖方 出卖人 供方 供货方 供应商 供货商 seller vendor supplier
出租人 出租方 房东 landlord lessor
承租人 承租方 租客 租户 tenant lessee
委托人 委托方
受托人 受托方
用人单位 雇主 employer
雇员 employee
发包人 发包方
承包人 承包方 contractor
债权人 creditor
债务人 debtor
贷款人 出借人 lender
借款人 借入人 borrower
许可方 许可人 licensor
被许可方 被许可人 licensee
转让方 出让方 转让人 assignor
受让方 受让人 assignee
原告 plaintiff claimant
被告 defendant respondent
被申请人
托运人 shipper consignor
承运人 carrier
保险人 insurer
被保险人
投保人
客户 customer client
""".strip().splitlines()
_GROUPS = {word: number for number, line in enumerate(_PARTIES) for word in line.split()}
# Of whom people write in many other words (staff, users): that a source does not use this one says nothing.
_EVERYDAY = frozenset(_GROUPS[word] for word in ("employee", "customer", "contractor"))
# 方 begins another word (采购方式, 经许可方可).
_NO_PARTY = r"(?![式法面针案便位向])(?<!提供方)(?<!必需方)(?<!所需方)(?:(?<!许可方)(?<!需方)|(?![可能得]))"
_HAN_PARTIES = "|".join(sorted((word for word in _GROUPS if not word.isascii()), key=len, reverse=True))
_LATIN_PARTIES = "|".join(word for word in _GROUPS if word.isascii())
_PARTY = re.compile(rf"(?P<han>{_HAN_PARTIES}){_NO_PARTY}|\b(?P<latin>{_LATIN_PARTIES})(?:s)?\b")
_PIECE = re.compile(r"[^,.;:!?\n]+")
_DOES_BEFORE = re.compile(r"(?:由|被|\bby\s+(?:the\s+|an?\s+|its\s+)?)$")
_OTHER_BEFORE = re.compile(
    r"(?:[向给對对为與与和同及从從以经經]|\b(?:to|from|for|against|of|with|and|or|on|upon)\s+(?:the\s+|an?\s+|its\s+|each\s+)?)$"
)
_POSSESSIVE = re.compile(r"的|[和与及或、]|\s(?:and|or)\b|['’]s?")
# Pieces that share less speak of different things, and pieces almost as like as the best one count as well.
_SAME_SUBJECT = 0.45
_AS_GOOD = 0.1


class _Piece(NamedTuple):
    """A part of a sentence between commas, what it says without its parties, and which parties act in it."""

    terms: frozenset[str]
    actors: frozenset[int]
    has_parties: bool


def strange_party(claim: str, sources: Sequence[str]) -> str | None:
    """The first party of a claim that its sources do not name, or name as acting only where another one acts.

    Args:
        claim: a sentence without markers.
        sources: the texts of what it cites, with their titles and headings.
    """
    held = normalise("\n".join(sources))
    known = {_group(match) for match in _PARTY.finditer(held)}
    folded = normalise(claim)
    for match in _PARTY.finditer(folded):
        if known and _group(match) not in known | _EVERYDAY:
            return match.group()
    stated = [piece for piece in _pieces(held) if piece.has_parties]
    for match in _PIECE.finditer(folded):
        piece = _read(match.group())
        if piece.actors and _is_done_by_others(piece, stated):
            return match.group().strip()
    return None


def _group(match: re.Match[str]) -> int:
    return _GROUPS[match["han"] or match["latin"]]


def _pieces(text: str) -> Iterator[_Piece]:
    return (_read(match.group()) for match in _PIECE.finditer(text))


def _read(text: str) -> _Piece:
    found = list(_PARTY.finditer(text))
    named = [match for match in found if _DOES_BEFORE.search(text[: match.start()])]
    if not named:
        named = [match for match in found[:1] if _is_subject(text, match)]
    terms = content_terms(_PARTY.sub(" ", text)) if found else frozenset()
    return _Piece(terms, frozenset(map(_group, named)), bool(found))


def _is_subject(text: str, match: re.Match[str]) -> bool:
    return not _OTHER_BEFORE.search(text[: match.start()]) and not _POSSESSIVE.match(text, match.end())


def _is_done_by_others(piece: _Piece, stated: Sequence[_Piece]) -> bool:
    likes = [(likeness(piece.terms, other.terms), other) for other in stated]
    best = max((like for like, _ in likes), default=0.0)
    if best < _SAME_SUBJECT:
        return False
    near = [other for like, other in likes if like >= best - _AS_GOOD]
    return all(other.actors and not piece.actors & other.actors for other in near)
