"""What the lexical analyser makes of a passage: terms by field and sentence, kept so that no search analyses again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple

from .documents import Block, Document, Passage
from .searchable import passage_text
from .text.normalise import normalise, normalise_match, without_marks
from .text.sentences import split_sentences
from .text.tokens import ANALYSER_VERSION, Tokeniser, tokeniser

# Neither stands in a normalised text.
_FIELD, _SENTENCE, _TERM = "\x1d", "\x1e", "\n"


class PassageAnalysis(NamedTuple):
    """The terms of a passage and of the headings above it.

    `sentence_texts` are the sentences as `normalise` leaves them; `bare_title` is the document's title without blanks
    and punctuation (`normalise_match`), for what is compared letter by letter.
    """

    title: tuple[str, ...]
    section: tuple[str, ...]
    sentences: tuple[tuple[str, ...], ...]
    bare_title: str
    sentence_texts: tuple[str, ...]

    @property
    def text(self) -> str:
        """The passage's text, normalised."""
        return " ".join(self.sentence_texts)

    @property
    def bare(self) -> str:
        """The text without blanks and punctuation."""
        return without_marks(self.text)

    def terms(self) -> Iterator[str]:
        """Every term as often as it occurs: what the lexical index holds."""
        yield from self.title
        yield from self.section
        for sentence in self.sentences:
            yield from sentence


def analyse(document: Document, block: Block, passage: Passage, words: Tokeniser | None = None) -> PassageAnalysis:
    """The analysis of a passage as `searchable.searchable_text` shows it.

    Args:
        document: that it is of.
        block: that it stands in.
        passage: its place there.
        words: what cuts texts into terms; default: the one without a domain dictionary.
    """
    return analyse_text(document.search_title, block.section_path, passage_text(block, passage), document.title, words)


def analyse_text(
    title: str, section_path: Sequence[str], text: str, shown_title: str = "", words: Tokeniser | None = None
) -> PassageAnalysis:
    """The analysis of a text under its headings.

    Args:
        title: what stands for the document in searches.
        section_path: the headings above the text, the outermost first.
        text: the passage's own.
        shown_title: the title by which people call the document; default: `title`.
        words: what cuts texts into terms; default: the one without a domain dictionary.
    """
    tokenise = (words or tokeniser()).tokenise
    sentences = [text[span.start : span.end] for span in split_sentences(text)]
    return PassageAnalysis(
        title=tuple(tokenise(title)),
        section=tuple(term for heading in section_path for term in tokenise(heading)),
        sentences=tuple(tuple(tokenise(sentence)) for sentence in sentences),
        bare_title=normalise_match(shown_title or title),
        sentence_texts=tuple(normalise(sentence) for sentence in sentences),
    )


def encode(analysis: PassageAnalysis) -> str:
    """The analysis as one string."""
    return _FIELD.join(
        (
            _TERM.join(analysis.title),
            _TERM.join(analysis.section),
            _SENTENCE.join(_TERM.join(sentence) for sentence in analysis.sentences),
            analysis.bare_title,
            _SENTENCE.join(analysis.sentence_texts),
        )
    )


def decode(stored: str) -> PassageAnalysis:
    """The inverse of `encode`.

    Raises:
        ValueError: the string is damaged.
    """
    title, section, sentences, bare_title, texts = stored.split(_FIELD)
    return PassageAnalysis(
        title=_terms(title),
        section=_terms(section),
        sentences=tuple(_terms(sentence) for sentence in sentences.split(_SENTENCE)),
        bare_title=bare_title,
        sentence_texts=tuple(texts.split(_SENTENCE)),
    )


def _terms(joined: str) -> tuple[str, ...]:
    return tuple(joined.split(_TERM)) if joined else ()


def analyser_name(dictionary: str = "") -> str:
    """What made an analysis: the analyser's version, and the digest of the domain dictionary if there is one."""
    return f"{ANALYSER_VERSION}-{dictionary}" if dictionary else str(ANALYSER_VERSION)


class Analysers(NamedTuple):
    """The analysers of a library by name, see `analyser_name`.

    `of_domains` are those of the domains that have words of their own: pairs of a domain and its analyser.
    """

    usual: str
    of_domains: tuple[tuple[str, str], ...] = ()

    def of(self, domain: str | None) -> str:
        """The analyser for the passages of a domain; None: of documents without one."""
        return dict(self.of_domains).get(domain or "", self.usual)

    @property
    def name(self) -> str:
        """One name for all of them; the usual one's where no domain has its own."""
        if not self.of_domains:
            return self.usual
        return f"{self.usual}+{blake2b(repr(self.of_domains).encode(), digest_size=6).hexdigest()}"
