"""Cuts texts into search tokens: words, character bigrams, ids whole and in parts, canonical values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING

from .dictionary import NO_DICTIONARY, DomainDictionary
from .normalise import fold_widths, normalise
from .stopwords import QUESTION_WORDS, STOP_WORDS
from .values import Value, ValueKind, find_values

if TYPE_CHECKING:
    import rjieba

ANALYSER_VERSION = 2
"""Raised with each change of what `tokenise` gives, so that stored analyses are made anew."""
COMMON_WORD = "~"
"""Begins the form of a stop word or a single character that is searched for where a question holds nothing else."""

_HAN = r"\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003134f"
_HAN_RUN = re.compile(f"[{_HAN}]+")
_LATIN_WORD = re.compile(rf"[^\W\d_{_HAN}]{{2,}}|\d+(?:\.\d+)*", re.UNICODE)
_WORD_RUN = re.compile(f"[{_HAN}]+|[^\\W\\d_{_HAN}]+(?:['’-][^\\W\\d_{_HAN}]+)*")
_LATIN_LETTERS = re.compile(r"[a-z]+")
# A letter beside a Chinese character is half of a word (C语言, 维生素C).
_LETTER_PAIR = re.compile(rf"(?<![a-z\d])(?=([a-z][{_HAN}]))|(?=([{_HAN}][a-z])(?![a-z\d]))")
# In a question a pair with one of these that is no word is part of what asks (是什, 么是).
_ASKING = re.compile("[吗呢吧啊什么啥咋]")
_HYPHENATED = re.compile(r"(?<![\w-])[a-z]+(?:-[a-z]+)+(?![\w-])")
_DOTTED_LETTERS = re.compile(r"(?<![a-z\d])(?:[a-z]\.){2,}")
_WITH_SIGNS = re.compile(
    r"(?<![a-z\d])(?:[a-z](?:\+\+|#)|[a-z]{1,3}&[a-z]{1,3}(?![a-z\d]))|[\u2600-\u27bf\U0001f300-\U0001faff]"
)
_GROUPING_COMMA = re.compile(r"(?<=\d),(?=\d{3}(?:,\d{3})*(?![\d,]))")
# IT and WHO are names where the words around them are not in capitals.
_CAPITALS = re.compile(r"(?<![A-Za-z\d])[A-Z]{2,3}(?![A-Za-z\d])")
_SMALL_LETTER = re.compile(f"[a-z{_HAN}]")
_ID_SEPARATORS = re.compile(r"[-_/ ]")
_ID_LETTERS = re.compile(r"(?<![A-Za-z\d])[A-Z]{1,6}[ –—]$")
_ID_LETTERS_ASKED = re.compile(r"(?<![A-Za-z\d])[A-Za-z]{1,6}[ –—]$")
_LONGEST_ID_LETTERS = 8
_SHORTEST_ID_NUMBER = 2


class Tokeniser:
    """Cuts texts into search tokens with the words of one domain."""

    def __init__(self, dictionary: DomainDictionary = NO_DICTIONARY) -> None:
        self._chinese_words = tuple(word for word in dictionary.words if _HAN_RUN.fullmatch(word))
        self._whole = _words_in_other_scripts(dictionary)

    def tokenise(self, text: str, *, for_query: bool = False) -> list[str]:
        """The search tokens of a text, repeated as often as they occur.

        Chinese gives dictionary words and every pair of neighbouring characters, so that unknown words are found;
        other scripts give lower-case, lightly stemmed words; ids are kept whole and in parts; values come in one
        spelling (``=CNY 15000``). The same text always gives the same tokens.

        Args:
            text: a passage with its title and section, or a question.
            for_query: leave out what only makes a question of it (什么, 如何, what, which), and the less precise
                forms under which the dates of a passage can be found too.
        """
        folded = fold_widths(text)
        values = find_values(folded)
        normal = _GROUPING_COMMA.sub("", normalise(_with_arabic_clauses(folded, values)))
        stops = QUESTION_WORDS if for_query else STOP_WORDS
        tokens = [token for run in _HAN_RUN.findall(normal) for token in self._han_tokens(run, stops, for_query)]
        tokens += [stem(word) for word in _LATIN_WORD.findall(normal) if word not in stops]
        tokens += _irregular_words(normal)
        tokens += _capital_names(folded)
        if self._whole is not None:
            tokens += self._whole.findall(normal)
        for value in values:
            tokens += _value_tokens(value, folded, for_query)
        return tokens

    def query_tokens(self, question: str) -> list[str]:
        """The tokens that a question is searched by.

        Where it holds only stop words or single characters it is searched by them, whatever word they stand in.
        """
        tokens = self.tokenise(question, for_query=True)
        if any(len(token) > 1 for token in tokens):
            return tokens
        normal = normalise(question)
        return tokens + stop_word_marks(normal) + character_marks(normal)

    def words(self, text: str) -> list[str]:
        """The words of a text for people to read, in its order and spelling, without stop words and single letters."""
        pieces = _WORD_RUN.findall(fold_widths(text))
        cut = (self._segmenter.cut(piece) if _HAN_RUN.match(piece) else (piece,) for piece in pieces)
        return [word for words in cut for word in words if len(word) > 1 and word.casefold() not in STOP_WORDS]

    @cached_property
    def _segmenter(self) -> rjieba.Jieba:
        return _segmenter(self._chinese_words)

    def _han_tokens(self, run: str, stops: frozenset[str], for_query: bool) -> Iterator[str]:
        words = self._segmenter.cut_for_search(run)
        yield from (word for word in words if len(word) != 2 and word not in stops)
        pairs = (pair for pair in _pairs(run) if pair not in stops)
        yield from (pair for pair in pairs if not for_query or pair in words or not _ASKING.search(pair))
        # Words of two characters are bigrams already; counted again, a real word weighs more than a chance pair.
        yield from (word for word in words if len(word) == 2 and word not in stops)


@cache
def tokeniser(dictionary: DomainDictionary = NO_DICTIONARY) -> Tokeniser:
    """The tokeniser for a domain dictionary; the same one each time, as its segmenter takes 0.3 s to load."""
    return Tokeniser(dictionary)


def tokenise(text: str, *, for_query: bool = False) -> list[str]:
    """`Tokeniser.tokenise` without a domain dictionary: for texts that are compared with each other, not searched."""
    return tokeniser().tokenise(text, for_query=for_query)


def stop_word_marks(normal: str) -> list[str]:
    """The English stop words of a normalised text, once each and marked as such.

    Passages are indexed by them too, so that a question of nothing else (to be or not to be) finds where they stand.
    """
    words = dict.fromkeys(_LATIN_LETTERS.findall(normal))
    return [COMMON_WORD + word for word in words if word in QUESTION_WORDS]


def character_marks(normal: str) -> list[str]:
    """The Chinese characters of a normalised text, once each and marked as such."""
    return [mark for character in dict.fromkeys(normal) if (mark := _MARKS[character])]


class _CharacterMarks(dict[str, str]):
    """The mark of each character that has been met; empty for those that are not Chinese."""

    def __missing__(self, character: str) -> str:
        self[character] = COMMON_WORD + character if _HAN_RUN.fullmatch(character) else ""
        return self[character]


_MARKS = _CharacterMarks()


@cache
def _segmenter(chinese_words: tuple[str, ...]) -> rjieba.Jieba:
    import rjieba  # noqa: PLC0415 - its dictionary takes 0.3 s to load: only texts with Chinese pay for it

    segmenter = rjieba.Jieba()
    for word in chinese_words:
        segmenter.add_word(word, None, None)
    return segmenter


def _with_arabic_clauses(folded: str, values: Sequence[Value]) -> str:
    """The text with 第十二条 as 第12条, so that both give the same words."""
    pieces, end = [], 0
    for value in values:
        if value.kind is ValueKind.CLAUSE and value.raw.startswith("第"):
            pieces += [folded[end : value.start], f"第{value.canonical}{value.unit}"]
            end = value.end
    return "".join((*pieces, folded[end:]))


def _words_in_other_scripts(dictionary: DomainDictionary) -> re.Pattern[str] | None:
    """What finds the dictionary's words that are not Chinese alone, the longest first (5G基站, force majeure)."""
    words = sorted((word for word in dictionary.words if not _HAN_RUN.fullmatch(word)), key=len, reverse=True)
    if not words:
        return None
    return re.compile("|".join(rf"(?<![a-z\d]){re.escape(word)}(?![a-z\d])" for word in words))


def _pairs(run: str) -> Iterator[str]:
    return (run[index : index + 2] for index in range(len(run) - 1))


def _irregular_words(normal: str) -> Iterator[str]:
    """Words that hold signs: e-mail is email too, U.S. is us, C++ and 😀 stand for themselves."""
    yield from (first or second for first, second in _LETTER_PAIR.findall(normal))
    yield from (stem(word.replace("-", "")) for word in _HYPHENATED.findall(normal))
    yield from (word.replace(".", "") for word in _DOTTED_LETTERS.findall(normal))
    yield from _WITH_SIGNS.findall(normal)


def _capital_names(folded: str) -> list[str]:
    if _SMALL_LETTER.search(folded) is None:
        return []
    return [name for found in _CAPITALS.findall(folded) if (name := found.lower()) in QUESTION_WORDS]


def _value_tokens(value: Value, folded: str, for_query: bool) -> list[str]:
    if value.kind is ValueKind.DATE and not for_query:
        return [f"={form}" for form in _date_forms(value.canonical)]
    if value.kind is ValueKind.IDENTIFIER:
        # Its parts are among the words already.
        return ["=" + _ID_SEPARATORS.sub("", value.canonical)]
    if not value.unit:
        return [f"={value.canonical}", *_spaced_id(value, folded, for_query)]
    # Twice: what is measured counts more than the word for its unit, which has as many tokens (kW, 千瓦).
    return [f"={value.unit} {value.canonical}"] * 2


def _spaced_id(value: Value, folded: str, for_query: bool) -> list[str]:
    """The id that a number makes with the letters before it (PPR 9087); in a question they may be small."""
    if value.kind is not ValueKind.NUMBER or not value.raw.isdigit() or len(value.raw) < _SHORTEST_ID_NUMBER:
        return []
    before = folded[max(0, value.start - _LONGEST_ID_LETTERS) : value.start]
    letters = (_ID_LETTERS_ASKED if for_query else _ID_LETTERS).search(before)
    return [f"={letters.group()[:-1].upper()}{value.raw}"] if letters else []


def _date_forms(date: str) -> list[str]:
    """A date and the shorter forms by which people ask for it: its month, its year, its day in any year."""
    parts = date.split("-")
    if date.startswith("-") or len(parts) == 1:
        return [date]
    shorter = ["-".join(parts[:length]) for length in range(1, len(parts) + 1)]
    return [*shorter, "-".join(("-", *parts[1:]))]


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The word without its English ending, so that policies and policy, approved and approves meet.

    Light on purpose: plural, -ed, -ing and a final -e; words of other scripts and numbers stay as they are.
    The result is a search key, not a word to show.
    """
    if len(word) <= 3 or not _LATIN_LETTERS.fullmatch(word):
        return word
    return _without_final_e(_without_tense(_singular(word)))


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without_tense(word: str) -> str:
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    for ending in ("ing", "ed"):
        base = word.removesuffix(ending)
        if base != word and len(base) >= 3 and any(vowel in base for vowel in "aeiouy"):
            return base[:-1] if base[-1] == base[-2] and base[-1] not in "lsz" else base
    return word


def _without_final_e(word: str) -> str:
    return word[:-1] if word.endswith("e") and len(word) > 3 else word
