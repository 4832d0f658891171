# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Questions for how several means led to one end (如何通过A、B和C来…, how did X … through A, B and C): a part for each means."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .models import Combination, Decomposition, QuestionType
from .parts import Asked, Draft, assembled

_CHINESE = re.compile(
    r"^(?P<who>[^,?]{0,30}?)(?:是)?(?:如何|怎样|怎么)(?:通过|借助|利用|凭借)(?P<means>[^?]{4,120}?)(?P<end>,?(?:来|以此|以(?!及)|从而|进而|实现|,)[^?]{2,60})$"
)
_CHINESE_JOINT = re.compile(
    r"以及|[、]|,|(?<![共温缓])和(?![谐平])|(?<![参授给])与(?![会])|(?<![以涉普])及(?![时格其])"
)
# What does not begin with a verb is carried out (董事会变更: 进行董事会变更).
_VERB = re.compile(
    r"(?:进行|开展|实施|推[动进出广]|参与|加[强大快]|修订|完[成善]|建[立设]|制定|成立|优化|提[升高供]|引[入进]|增[加强]|采[用取购]|更新|开[发拓]|收购|投[资入]|发行|调整|改[进善]|强化|扩[大展]|拓[展宽]|设立|任命|召开|整合|支持|履行|落实|执行|组织|举办|降低|减少|控制|利用|应对|遵守|与|对|在|向|将)"
)
_ENGLISH = re.compile(
    r"^(?P<front>(?:how|in what way)\s+(?:did|does|do|has|have|had|was|were|is|are)\s[^?]{10,260}?)(?P<joint>,?\s+(?:through|by|including|such as)\s+)(?P<means>[^?]{6,260})$",
    re.IGNORECASE,
)
_ENGLISH_JOINT = re.compile(r",\s+(?:and\s+)?(?:the\s+)?|\s+and\s+(?:the\s+)?(?=\w+(?:ing|ed)?\b)")
_FEWEST, _MOST = 2, 5
_SHORTEST = {"zh": 3, "en": 8}


def several_means(asked: Asked) -> Decomposition | None:
    """A part for each means; None where fewer than two are named."""
    body = asked.body.strip("?。. ")
    if re.search(r"[?]\s*\S", asked.body):
        return None
    drafts = _chinese(asked, body) if asked.language == "zh" else _english(asked, body)
    return assembled(drafts, asked.language, QuestionType.MULTI_HOP, Combination.LIST)


def _chinese(asked: Asked, body: str) -> list[Draft]:
    found = _CHINESE.match(body)
    if found is None:
        return []
    pieces = [piece.strip() for piece in _CHINESE_JOINT.split(found["means"])]
    if not _are_means(pieces, "zh"):
        return []
    return [Draft(f"{asked.lead}{found['who']}是如何{_deed(piece)}的") for piece in pieces]


def _deed(means: str) -> str:
    return means if _VERB.match(means) else f"进行{means}"


def _english(asked: Asked, body: str) -> list[Draft]:
    found = _ENGLISH.match(body)
    if found is None or "," not in found["means"]:
        return []
    pieces = [piece.strip() for piece in _ENGLISH_JOINT.split(found["means"]) if piece.strip()]
    if not _are_means(pieces, "en"):
        return []
    return [
        Draft(f"{asked.lead}{found['front']}{found['joint'].replace('such as', 'through')}{piece}") for piece in pieces
    ]


def _are_means(pieces: Sequence[str], language: str) -> bool:
    return _FEWEST <= len(pieces) <= _MOST and all(len(piece) >= _SHORTEST[language] for piece in pieces)
