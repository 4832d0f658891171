"""The user's words: what the segmenter keeps whole, and which words say the same."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

from ...errors import SettingsError
from .normalise import normalise

_LONGEST_WORD = 64
_SEPARATORS = re.compile("[\t,，、;；]")
_LETTER = re.compile(r"[^\W_]")


class DomainDictionary:
    """Words of a domain in normalised form, and groups of words that say the same.

    Two dictionaries are equal if they hold the same words and synonyms; they can be keys.
    """

    def __init__(self, words: Iterable[str] = (), synonyms: Iterable[tuple[str, ...]] = ()) -> None:
        """
        Args:
            words: what is kept whole, as `normalise` gives it.
            synonyms: groups of words that say the same.
        """
        self.synonyms = tuple(synonyms)
        grouped = (word for group in self.synonyms for word in group)
        self.words = tuple(sorted({*words, *grouped}))

    @cached_property
    def digest(self) -> str:
        """Names the words, as they change what a text is cut into; empty without any. Synonyms do not count."""
        return blake2b("\n".join(self.words).encode(), digest_size=6).hexdigest() if self.words else ""

    def synonyms_of(self, word: str) -> tuple[str, ...]:
        """The other words of the groups that a word stands in, each once; it may be given in any spelling."""
        found = self._groups.get(normalise(word), ())
        return tuple(dict.fromkeys(other for group in found for other in group if other != normalise(word)))

    def joined(self, other: DomainDictionary) -> DomainDictionary:
        """The words and synonyms of both; this one itself where the other holds nothing."""
        if other == NO_DICTIONARY:
            return self
        return DomainDictionary((*self.words, *other.words), (*self.synonyms, *other.synonyms))

    @cached_property
    def _groups(self) -> dict[str, list[tuple[str, ...]]]:
        groups: dict[str, list[tuple[str, ...]]] = {}
        for group in self.synonyms:
            for word in group:
                groups.setdefault(word, []).append(group)
        return groups

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DomainDictionary):
            return NotImplemented
        return (self.words, self.synonyms) == (other.words, other.synonyms)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # It is asked for with every text that is cut, and there may be thousands of words.
        return hash((self.words, self.synonyms))


NO_DICTIONARY = DomainDictionary()
"""What is used where the user has given none."""


def read_dictionary(path: Path | None, setting: str = "search.dictionary") -> DomainDictionary:
    """The dictionary in a text file: a word a line, behind it its synonyms; `#` begins a comment.

    Words are separated by blanks, or where they hold blanks themselves by tabs, commas or semicolons
    (`PPE, personal protective equipment`).

    Args:
        path: a UTF-8 file; None: there is none.
        setting: that names it, for messages.

    Raises:
        SettingsError: the file cannot be read, or a line of it holds no word; the message names file and line.
    """
    if path is None:
        return NO_DICTIONARY
    try:
        lines = path.read_bytes().removeprefix(b"\xef\xbb\xbf").splitlines()
    except OSError as error:
        raise SettingsError(f"{setting}: {path} cannot be read ({error.strerror})") from error
    groups = [_group(line, f"{setting}: {path}, line {number}") for number, line in enumerate(lines, start=1)]
    return DomainDictionary(
        words=(group[0] for group in groups if group), synonyms=(group for group in groups if len(group) > 1)
    )


def _group(line: bytes, place: str) -> tuple[str, ...]:
    try:
        text = line.decode("utf-8").partition("#")[0].strip()
    except UnicodeDecodeError as error:
        raise SettingsError(f"{place}: not UTF-8; save the file as UTF-8") from error
    if not text:
        return ()
    spellings = _SEPARATORS.split(text) if _SEPARATORS.search(text) else text.split()
    words = [normalise(spelling) for spelling in spellings if spelling.strip()]
    for word in words:
        if not _LETTER.search(word):
            raise SettingsError(f"{place}: {word!r} is no word; write a word, then its synonyms")
        if len(word) > _LONGEST_WORD:
            raise SettingsError(f"{place}: a word of {len(word)} characters; at most {_LONGEST_WORD} are taken")
    if not words:
        raise SettingsError(f"{place}: no word in it; write a word, then its synonyms")
    return tuple(dict.fromkeys(words))
