"""What the lexical analyser makes of a passage: terms by field and sentence, kept so that no search analyses again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .documents import Block, Document, Passage
from .searchable import passage_text
from .text.normalise import normalise_match
from .text.sentences import split_sentences
from .text.tokens import ANALYSER_VERSION, tokenise

# Neither stands in a normalised text.
_FIELD, _SENTENCE, _TERM = "\x1d", "\x1e", "\n"


class PassageAnalysis(NamedTuple):
    """The terms of a passage and of the headings above it.

    `bare` is the passage's text, `bare_title` the document's title, without blanks and punctuation
    (`normalise_match`), for what is compared letter by letter.
    """

    title: tuple[str, ...]
    section: tuple[str, ...]
    sentences: tuple[tuple[str, ...], ...]
    bare_title: str
    bare: str

    def terms(self) -> Iterator[str]:
        """Every term as often as it occurs: what the lexical index holds."""
        yield from self.title
        yield from self.section
        for sentence in self.sentences:
            yield from sentence


def analyse(document: Document, block: Block, passage: Passage) -> PassageAnalysis:
    """The analysis of a passage as `searchable.searchable_text` shows it."""
    text = passage_text(block, passage)
    return PassageAnalysis(
        title=tuple(tokenise(document.search_title)),
        section=tuple(term for heading in block.section_path for term in tokenise(heading)),
        sentences=tuple(tuple(tokenise(text[span.start : span.end])) for span in split_sentences(text)),
        bare_title=normalise_match(document.title),
        bare=normalise_match(text),
    )


def encode(analysis: PassageAnalysis) -> str:
    """The analysis as one string."""
    return _FIELD.join(
        (
            _TERM.join(analysis.title),
            _TERM.join(analysis.section),
            _SENTENCE.join(_TERM.join(sentence) for sentence in analysis.sentences),
            analysis.bare_title,
            analysis.bare,
        )
    )


def decode(stored: str) -> PassageAnalysis:
    """The inverse of `encode`.

    Raises:
        ValueError: the string is damaged.
    """
    title, section, sentences, bare_title, bare = stored.split(_FIELD)
    return PassageAnalysis(
        title=_terms(title),
        section=_terms(section),
        sentences=tuple(_terms(sentence) for sentence in sentences.split(_SENTENCE)),
        bare_title=bare_title,
        bare=bare,
    )


def terms_of(stored: str) -> list[str]:
    """The terms of an encoded analysis, without decoding the rest."""
    title, section, sentences, *_ = stored.split(_FIELD)
    joined = _TERM.join((title, section, sentences.replace(_SENTENCE, _TERM)))
    return [term for term in joined.split(_TERM) if term]


def _terms(joined: str) -> tuple[str, ...]:
    return tuple(joined.split(_TERM)) if joined else ()


def analyser_name(dictionary: str = "") -> str:
    """What made an analysis: the analyser's version, and the digest of the domain dictionary if there is one."""
    return f"{ANALYSER_VERSION}-{dictionary}" if dictionary else str(ANALYSER_VERSION)
