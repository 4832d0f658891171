"""Which names a block mentions: organisations, titles of documents, Latin proper names of several words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...evidence.names import names_in
from ...text.sentences import split_sentences
from ..models import Kind, Predicate, Relation
from ..names import entity
from .text import RuleText, is_organisation

MOST_NAMES = 12
"""Of a block, in the order in which they stand."""
_LOOKED_AT = 8_000
_SHORTEST_WORD = 4
_INSIDE = re.compile(r"[a-z,][ ]+$")
_WORD = re.compile(r"[A-Za-z]+")
_INITIAL = re.compile(
    r"(?:[A-Z]\.?|\d+)(?:\s|$)|(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
)
_TELLING_ID = re.compile(
    r"(?<![A-Za-z0-9._/-])(?!(?:ISO|GB|IEC|EN|DIN|IP)[-/]?[A-Z]?\d)(?=[A-Za-z-_/.]*\d)(?:[A-Z][A-Za-z0-9]*(?:[-_/.][A-Za-z0-9]+)+|[A-Z]{2,}\d{3,}[A-Z]?)(?![A-Za-z0-9])"
)
_AROUND = " \t:.*#0123456789)(-"
_LINE = re.compile(r"[^\n|]+")
_TITLE = re.compile(r"《(?P<title>[^《》\n]{2,60})》")


def mentions(text: RuleText) -> Iterator[Relation | None]:
    """The names of a block, each once; what it is itself called is not mentioned."""
    shown = text.folded[:_LOOKED_AT]
    found: dict[str, Relation] = {}
    for match in _TITLE.finditer(shown):
        _note(
            found, text.stated(text.document, Predicate.MENTIONS, entity(match["title"], Kind.DOCUMENT), *match.span())
        )
    for line in _LINE.finditer(shown):
        for sentence in split_sentences(line.group()):
            start = line.start() + sentence.start
            for name, place in _names(shown[start : line.start() + sentence.end]):
                named = entity(name, Kind.NAME)
                span = (start + place, start + place + len(name))
                _note(found, text.stated(text.document, Predicate.MENTIONS, named, *span))
    for match in _TELLING_ID.finditer(shown):
        number = entity(match.group(), Kind.IDENTIFIER)
        _note(found, text.stated(text.document, Predicate.MENTIONS, number, *match.span()))
    yield from list(found.values())[:MOST_NAMES]


def _note(found: dict[str, Relation], relation: Relation | None) -> None:
    if relation is not None and relation.object.key not in found and relation.object.name != relation.subject.name:
        found[relation.object.key] = relation


def _names(sentence: str) -> Iterator[tuple[str, int]]:
    """Names with their places; a single Latin word counts only inside a sentence, where its capital says something."""
    words = _WORD.findall(sentence)
    is_title = 2 * sum(word[0].isupper() for word in words) >= len(words)
    for name in _parts(sentence):
        place = sentence.find(name)
        is_word = name.isascii() and " " not in name
        is_inside = not is_title and _INSIDE.search(sentence[:place]) is not None
        is_telling = not is_word or (len(name) >= _SHORTEST_WORD and is_inside)
        is_heading = name == sentence.strip(_AROUND) or (name.isupper() and is_word is False and name.isascii())
        if place >= 0 and not is_heading and is_telling and is_organisation(name):
            yield name, place


def _parts(sentence: str) -> Iterator[str]:
    """The names of a sentence, those that stand in a row one by one: a date or an initial is no name."""
    for name in names_in(sentence):
        if not name.isascii():
            yield name
            continue
        yield from (part for part in name.split(", ") if not _INITIAL.match(part) and len(part) > 1)
