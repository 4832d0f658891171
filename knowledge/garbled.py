"""Finds text that was decoded wrongly: marks that fonts without a map, wrong encodings and lost bytes leave behind."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

_UNMAPPED = re.compile(r"\(cid:\d+\)")
_LOST = re.compile("[\ufffd\ufffe\uffff\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd]")
# Symbol fonts put their bullets and ticks there, one at a time; a word of them is a font without a map.
_PRIVATE_WORD = re.compile(f"(?:{_PRIVATE.pattern}\\s?){{3,}}")
_MISREAD = re.compile(
    # UTF-8 read as GBK after it was damaged; memory that was never written, read as GBK.
    "锟斤拷|(?:烫){3,}|(?:屯){3,}"
    # UTF-8 read as a western encoding: two and three bytes.
    "|[ÂÃÄÅ][\u0080-\u00bf]|â€[\u0080-\u00bf™œž\u201c\u201d\u2122]?|[äåæçèé][\u0080-\u00bf\u0152-\u0178\u2013-\u203a]{2}"
    # A Chinese encoding read as a western one: no language writes so many such letters in a row.
    "|[\u00a1-\u00ff]{6,}"
    "|\\?{5,}"
)
_KANA = re.compile("[\u3040-\u30ff]")
_HAN = re.compile("[\u4e00-\u9fff]")
_COMMON = frozenset(
    "的一是不在人有这大来上个国中我以要和为会到说时出用年也可下作地能对生后而于成就发方多然同工分行学本"
    "業這個國為會來說時對後於發學動現關點與過經種進無問開內體條定理日月法公司及其由其他應按所者"
)
_ENOUGH_HAN = 400
_JAPANESE_SHARE = 0.25
_LEAST_COMMON_SHARE = 0.02
_SPACED = re.compile("[\u4e00-\u9fff](?:[ \u3000][\u4e00-\u9fff]){5,}")


class Garbling(NamedTuple):
    """How many characters of a text were decoded wrongly, and an example of them."""

    characters: int
    example: str = ""


def garbling(text: str) -> Garbling:
    """Characters of a text that nobody can read."""
    found = [match for pattern in (_UNMAPPED, _LOST, _PRIVATE_WORD, _MISREAD) for match in pattern.finditer(text)]
    if not found:
        return Garbling(0)
    return Garbling(sum(len(match.group()) for match in found), _shown(found[0].group()))


def is_unlikely_chinese(text: str) -> bool:
    """Whether a text of many Chinese characters has next to none of those that every Chinese text has.

    UTF-8 that was read as GBK, and fonts whose maps are wrong, give characters that exist, but in no such text.
    Two in a hundred is a tenth of what tables, laws and handbooks of both scripts have; Japanese is left out.
    """
    han = _HAN.findall(text)
    # A few kana come out of misread Chinese, too.
    if len(han) < _ENOUGH_HAN or len(_KANA.findall(text)) > _JAPANESE_SHARE * len(han):
        return False
    return sum(character in _COMMON for character in han) < _LEAST_COMMON_SHARE * len(han)


def spaced_characters(text: str) -> int:
    """Chinese characters that stand apart, each followed by a blank: no word of such a text is found."""
    return sum(len(match.group()) // 2 + 1 for match in _SPACED.finditer(text))


def han_characters(text: str) -> int:
    """Chinese characters of a text."""
    return len(_HAN.findall(text))


def _shown(text: str) -> str:
    return "".join(
        character if character.isprintable() else f"\\u{ord(character):04x}"
        for character in unicodedata.normalize("NFC", text[:12])
    )
