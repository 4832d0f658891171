"""One spelling for what reads the same: widths, case, traditional characters, punctuation."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Protocol

_FULL_WIDTH_FIRST, _FULL_WIDTH_LAST, _WIDTH_SHIFT = 0xFF01, 0xFF5E, 0xFEE0
_IDEOGRAPHIC_SPACE = 0x3000

_WIDTHS = {code: code - _WIDTH_SHIFT for code in range(_FULL_WIDTH_FIRST, _FULL_WIDTH_LAST + 1)}
_WIDTHS |= {_IDEOGRAPHIC_SPACE: 0x20, 0xA0: 0x20, 0x2007: 0x20, 0x202F: 0x20, 0xFFE5: 0xA5}


class _Figures(dict[int, int]):
    """The ASCII form of the characters of numbers: those that are listed, and the digits of every script."""

    def __missing__(self, code: int) -> int:
        digit = unicodedata.decimal(chr(code), None)
        self[code] = code if digit is None else ord("0") + int(digit)
        return self[code]


_FIGURES = _Figures({**_WIDTHS, **dict.fromkeys((0x2008, 0x2009, 0x200A), 0x20)})
# Minus signs and hyphens; an en dash is none until it is known what stands around it.
_FIGURES.update(dict.fromkeys((0x2212, 0xFE63, 0x207B, 0x2010, 0x2011, 0x2012), 0x2D))

_PUNCTUATION = str.maketrans(
    {
        **dict.fromkeys("。｡", "."),
        **dict.fromkeys("、﹑", ","),
        **dict.fromkeys("“”„‟«»「」『』《》〈〉〝〞＂", '"'),
        **dict.fromkeys("‘’‚‛`´", "'"),
        **dict.fromkeys("‐‑‒–—―−﹣", "-"),
        **dict.fromkeys("【〔〖", "["),
        **dict.fromkeys("】〕〗", "]"),
        **dict.fromkeys("～∼〜", "~"),
        **dict.fromkeys("・‧•", "·"),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", None),
    }
)

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_BLANKS = re.compile(r"\s+")
_NOT_COMPARED = re.compile(r"[\W_]+")


class _Converter(Protocol):
    def convert(self, text: str) -> str: ...


@cache
def _simplifier() -> _Converter:
    import opencc  # noqa: PLC0415 - reads its dictionaries: only texts with Chinese pay for it

    converter: _Converter = opencc.OpenCC("t2s")
    return converter


def has_chinese(text: str) -> bool:
    """Whether any Chinese character is in the text."""
    return _HAN.search(text) is not None


def well_formed(text: str) -> str:
    """The text without lone surrogates, which come from undecodable arguments and file names."""
    return text.encode("utf-8", "replace").decode("utf-8")


def fold_widths(text: str) -> str:
    """The text with full-width letters, digits, punctuation and blanks as ASCII; offsets stay the same."""
    return text.translate(_WIDTHS)


def fold_figures(text: str) -> str:
    """`fold_widths`, with minus signs, thin blanks and the digits of every script as ASCII; offsets stay the same."""
    return text.translate(_FIGURES)


def simplify(text: str) -> str:
    """The text with traditional Chinese characters as simplified ones; the length may change."""
    return _simplifier().convert(text) if has_chinese(text) else text


def normalise(text: str) -> str:
    """The form in which texts are searched and compared for meaning; the length may change.

    Unifies character widths and compatibility forms, case, traditional and simplified characters, quotes,
    dashes and full stops; removes invisible characters; every run of blanks becomes one space.
    """
    unified = fold_figures(unicodedata.normalize("NFKC", text)).translate(_PUNCTUATION)
    simplified = simplify(unified)
    folded = unicodedata.normalize("NFKC", simplified.casefold())
    return _BLANKS.sub(" ", folded).strip()


def normalise_match(text: str) -> str:
    """The form in which a quote is compared with its source: `normalise` without blanks and punctuation.

    Only letters, digits and Chinese characters remain, so a line break, a bullet or another kind of quotation
    mark does not make a quote wrong. Numbers lose their separators too (``1,000`` and ``1.000`` read the
    same): compare values with `values.find_values`, not with this.
    """
    return without_marks(normalise(text))


def without_marks(normal: str) -> str:
    """A text that `normalise` gave, without blanks and punctuation."""
    return _NOT_COMPARED.sub("", normal)
