"""Shows a call so that what a person sees is what runs: nothing unseen, no letter that looks like another one."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from .derived import leaves
from .models import ApprovalRequest

# Characters that are drawn as nothing or as a blank, though they are letters or marks by their kind.
_BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_VARIANTS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0), range(0x180B, 0x1810))
_LOOKING_LIKE_LATIN = frozenset({"CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU", "MATHEMATICAL"})
_WORD = re.compile(r"\w+")
_MOST_NAMED = 5


def shown_arguments(arguments: dict[str, Any]) -> str:
    """The arguments as indented JSON, with what cannot be seen as escapes that JSON itself has."""
    return "".join(map(_seen, json.dumps(arguments, ensure_ascii=False, indent=2)))


def shown_line(text: str) -> str:
    """A text of anybody on one line, with what cannot be seen as escapes."""
    return "".join(json.dumps(one)[1:-1] if one in "\n\r\t" else _seen(one) for one in text)


def _seen(character: str) -> str:
    kind = unicodedata.category(character)
    is_plain = character in " \n" or (kind[0] not in "CZ" and character not in _BLANK_LETTERS)
    if is_plain and not any(ord(character) in variants for variants in _VARIANTS):
        return character
    return json.dumps(character)[1:-1]


def look_alikes(request: ApprovalRequest) -> tuple[str, ...]:
    """The words of the arguments whose letters may be taken for Latin ones, each with the letter's name.

    Letters of a script that the question is written in count only where a word mixes them with Latin ones.
    """
    usual = set(map(_script, request.question))
    texts = ((path, f"{path} {value}") for path, value in leaves(request.arguments))
    found = (line for path, text in texts for line in _doubtful(path, text, usual))
    return tuple(dict.fromkeys(found))[:_MOST_NAMED]


def _doubtful(path: str, text: str, usual: set[str]) -> Iterator[str]:
    for word in _WORD.findall(text):
        scripts = {_script(one) for one in word}
        letter = next((one for one in word if _script(one) in _LOOKING_LIKE_LATIN), None)
        if letter is not None and ("LATIN" in scripts or _script(letter) not in usual):
            name = unicodedata.name(letter, "").lower()
            yield f"{shown_line(path)}: {shown_line(word)} holds {letter} ({name})"


def _script(character: str) -> str:
    return unicodedata.name(character, "").partition(" ")[0] if character.isalpha() else ""
