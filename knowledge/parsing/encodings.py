"""Recognises the text encodings that files came in before UTF-8, Chinese ones first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

_SAMPLE_BYTES = 65_536
_CONVINCING = 0.55
"""Least score at which an East Asian reading is believed; text read in a wrong encoding stays below 0.45."""

_CONVINCING_NAME = 0.3
_SIDE_BY_SIDE = re.compile(r"[^\x00-\x7f]{2}")


class _Encoding(NamedTuple):
    """An encoding, the lead bytes of its everyday characters, and its most frequent characters."""

    codec: str
    leads: tuple[tuple[int, int], ...]
    least_trail: int
    frequent: str


_SIMPLIFIED = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过"
    "发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本"
    "前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很"
    "最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度"
    "门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电"
    "数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马"
    "科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万"
    "取拉格望觉术领共确传师观清今切院让识候带导争运，。、：；（）《》“”"
)
_TRADITIONAL = (
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過"
    "發後作里用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本"
    "前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很"
    "最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度"
    "門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電"
    "數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬"
    "科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬"
    "取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運，。、：；（）《》「」"
)
_JAPANESE = "のにはをたがでてとしれさいるなもあるこっらすうくりよまけせどかそ日本人年月大中会国名前"
_KOREAN = "이다는의가을에를은한고기지로사하도시대정인어자나리수 "

_CANDIDATES: tuple[_Encoding, ...] = (
    _Encoding("gb18030", ((0xA1, 0xA3), (0xB0, 0xD7)), 0xA1, _SIMPLIFIED),
    _Encoding("big5hkscs", ((0xA1, 0xA3), (0xA4, 0xC6)), 0x40, _TRADITIONAL),
    _Encoding("cp932", ((0x81, 0x83), (0x88, 0x97)), 0x40, _JAPANESE),
    _Encoding("euc_jp", ((0xA1, 0xA5), (0xB0, 0xCF)), 0xA1, _JAPANESE),
    _Encoding("cp949", ((0xA1, 0xA3), (0xB0, 0xC8)), 0xA1, _KOREAN),
)

# EUC-TW has no codec in Python. Its first plane (CNS 11643) keeps the order of Big5's frequent characters, so
# the runs that begin at these pairs (Big5, CNS) map one to the other; the last pair closes the last run.
_BIG5_RUNS: tuple[tuple[int, int], ...] = (
    (0xA140, 0x2121), (0xA1F6, 0x2258), (0xA1F7, 0x2257), (0xA1F8, 0x2259), (0xA2AF, 0x2421), (0xA3C0, 0x4221),
    (0xA440, 0x4421), (0xACFE, 0x5753), (0xAD40, 0x5323), (0xAFD0, 0x5754), (0xBBC8, 0x6B51), (0xBE52, 0x6B50),
    (0xBE53, 0x6F5C), (0xC1AB, 0x7536), (0xC2CB, 0x7535), (0xC2CC, 0x7737), (0xC361, 0x782E), (0xC3B9, 0x7865),
    (0xC3BA, 0x7864), (0xC3BB, 0x7866), (0xC456, 0x782D), (0xC457, 0x7962), (0xC67F, 0),
)  # fmt: skip


def guess_legacy(content: bytes) -> str | None:
    """Text in an encoding that is neither UTF-8 nor marked, or None if no reading is plausible."""
    sample = content[:_SAMPLE_BYTES]
    scored = [(_score(sample, candidate), candidate.codec) for candidate in _CANDIDATES]
    taiwanese = decode_euc_tw(sample)
    scored.append((_frequency(taiwanese, _TRADITIONAL) if taiwanese else 0.0, "euc_tw"))
    best, codec = max(scored, key=lambda pair: pair[0])
    if best >= _CONVINCING:
        return decode_euc_tw(content) if codec == "euc_tw" else content.decode(codec, "replace")
    return _guess_alphabetic(content)


def guess_east_asian(content: bytes) -> str | None:
    """The encoding of short East Asian texts such as file names, or None where they are probably not East Asian.

    Names are too short for a high score; in Western ones foreign letters stand alone, not side by side.
    """
    best, codec = max((_score(content, candidate), candidate.codec) for candidate in _CANDIDATES)
    text = _decode_cut(content, codec) or ""
    return codec if best >= _CONVINCING_NAME and _SIDE_BY_SIDE.search(text) else None


def _score(sample: bytes, encoding: _Encoding) -> float:
    """Mean plausibility of the characters outside ASCII: 1 frequent, 0.6 everyday, 0 rare or impossible."""
    text = _decode_cut(sample, encoding.codec)
    foreign = [character for character in text or "" if not character.isascii()]
    if not foreign:
        return 0.0
    total = sum(1.0 if c in encoding.frequent else 0.6 * _is_everyday(c, encoding) for c in foreign)
    return total / len(foreign)


def _is_everyday(character: str, encoding: _Encoding) -> bool:
    coded = character.encode(encoding.codec, "ignore")
    if len(coded) != 2 or coded[1] < encoding.least_trail:
        return False
    return any(first <= coded[0] <= last for first, last in encoding.leads)


def _frequency(text: str, frequent: str) -> float:
    foreign = [character for character in text if not character.isascii()]
    return sum(1.0 if c in frequent else 0.6 for c in foreign) / len(foreign) if foreign else 0.0


def _decode_cut(sample: bytes, codec: str) -> str | None:
    """Decode strictly, allowing for a last character that the sample cut."""
    for cut in range(4):
        try:
            return sample[: len(sample) - cut].decode(codec)
        except UnicodeDecodeError as error:
            if error.start < len(sample) - 8:
                return None
    return None


def _guess_alphabetic(content: bytes) -> str | None:
    from charset_normalizer import from_bytes  # noqa: PLC0415

    best = from_bytes(content[:_SAMPLE_BYTES]).best()
    codec = best.encoding if best is not None else "cp1252"
    return content.decode(codec, "replace")


def decode_euc_tw(content: bytes) -> str | None:
    """EUC-TW's two-byte characters as text, or None if a byte pair lies outside its first plane."""
    pieces: list[bytes] = []
    position = 0
    while position < len(content):
        if content[position] < 0x80:
            pieces.append(content[position : position + 1])
            position += 1
            continue
        pair = content[position : position + 2]
        coded = _big5_of(pair[0] - 0x80 << 8 | pair[1] - 0x80) if _is_euc_pair(pair) else None
        if coded is None and len(pair) == 2:
            return None
        pieces.append(coded or b"")
        position += 2
    return b"".join(pieces).decode("big5", "replace")


def _is_euc_pair(pair: bytes) -> bool:
    return len(pair) == 2 and all(0xA1 <= byte <= 0xFE for byte in pair)


def _big5_of(cns: int) -> bytes | None:
    for (big5, first), length in zip(_BIG5_RUNS, _run_lengths(), strict=False):
        offset = _cns_index(cns) - _cns_index(first)
        if 0 <= offset < length:
            index = _big5_index(big5) + offset
            row, column = divmod(index, 157)
            return bytes((0xA1 + row, column + (0x40 if column < 63 else 0x62)))
    return None


def _run_lengths() -> Iterator[int]:
    for (first, _), (following, _) in pairwise(_BIG5_RUNS):
        yield _big5_index(following) - _big5_index(first)


def _cns_index(cns: int) -> int:
    return ((cns >> 8) - 0x21) * 94 + (cns & 0xFF) - 0x21


def _big5_index(big5: int) -> int:
    trail = big5 & 0xFF
    return ((big5 >> 8) - 0xA1) * 157 + (trail - 0x40 if trail < 0x7F else trail - 0x62)
