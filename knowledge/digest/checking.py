# ruff: noqa: E501 - patterns are read in one piece
"""What is wrong with a digest: details of its block that it lacks, what it invents, phrases that say nothing."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ...configs.digest_settings import DigestSettings
from ..documents import Block, Document
from ..text.normalise import normalise, normalise_match
from ..text.sentences import split_sentences
from ..text.tokens import tokenise
from .by_rules import complete, lost_details
from .details import Detail, KeptDetails, details_in
from .entities import proper_names
from .models import Digest

_EMPTY = re.compile(
    r"若干(?:个|项|条|种|类)?(?:参数|内容|规定|要求|条款|数据|指标|事项|信息|标准|数值|日期|金额)"
    r"|(?:各种|各类|多种|多项|多个|一些|部分|相关|有关)(?:参数|数值|指标|数据|条款|规定|要求|内容|信息|标准|事项)(?=[。；，,;.]|等|$)"
    r"|本(?:节|章|段|块|条|部分|文|表)(?:的?内容较多|主要(?:介绍|描述|讲述|说明|列出|规定|包括|涉及)|(?:介绍|描述|讲述|概述)了)"
    r"|(?:内容较多|详见原文|见原文|等等|诸如此类|此处省略)"
    r"|\b(?:various|several|multiple|some|numerous|a number of|different|certain|relevant|related)\s+(?:\w+\s+)?(?:parameters?|values?|figures?|requirements?|provisions?|rules?|details?|data|information|items?|topics?|aspects?|specifications?)\b"
    r"|\bthis (?:section|block|chapter|part|table|document|passage|text) (?:describes?|introduces?|covers?|discusses|provides?|outlines?|presents?|contains?|lists?|gives|explains)\b"
    r"|\b(?:and so on|etc\.?|and more|see (?:the )?original)(?=[\s.,;]|$)",
    re.IGNORECASE,
)
_RELATED = 0.3
"""Share of a sentence's words that its block must have; the rest may be put in other words."""


class Review(NamedTuple):
    """What is wrong with a digest; nothing where all are empty."""

    lost: tuple[Detail, ...] = ()
    """Details of the block that are not in it."""
    invented: tuple[str, ...] = ()
    """Details, names, keywords and sentences in it that do not come from the block."""
    empty: tuple[str, ...] = ()
    """Phrases that stand in for what they should say (若干参数, various parameters)."""

    @property
    def is_clean(self) -> bool:
        """Whether nothing is wrong."""
        return not (self.lost or self.invented or self.empty)


def review(block: Block, document: Document, digest: Digest) -> Review:
    """Check a digest against its block, the headings over it and the title of its document."""
    source = _source(block, document)
    return Review(lost_details(block, digest), _invented(source, digest), empty_phrases(digest.summary, source))


def empty_phrases(summary: str, source: str = "") -> tuple[str, ...]:
    """The phrases of a summary that say nothing; what its source says itself is none."""
    told = normalise(source)
    return tuple(
        dict.fromkeys(match.group() for match in _EMPTY.finditer(summary) if normalise(match.group()) not in told)
    )


def cleaned(block: Block, document: Document, digest: Digest, fallback: Digest, settings: DigestSettings) -> Digest:
    """A digest without what is wrong with it, completed by rule.

    Sentences with an invented detail or name, with an empty phrase or about something else go, and so do keywords and
    entities that the block does not hold. Where no sentence is left the fallback's summary takes their place.

    Args:
        block: what is digested.
        document: where it stands.
        digest: as a model wrote it.
        fallback: the rules' digest.
        settings: its limits.
    """
    source = _source(block, document)
    spans = split_sentences(digest.summary, at_semicolons=True)
    sentences = [digest.summary[span.start : span.end] for span in spans]
    good = [one for one in sentences if not _faults(source, one) and not empty_phrases(one, source)]
    summary = _within(good, settings.max_characters) or fallback.summary
    kept = digest.model_copy(
        update={
            "summary": summary,
            "keywords": _present(source, digest.keywords)[: settings.keywords] or fallback.keywords,
            "entities": tuple(dict.fromkeys((*_present(source, digest.entities), *fallback.entities))),
        }
    )
    return complete(block, kept, settings)


def _source(block: Block, document: Document) -> str:
    return "\n".join((document.title, document.name, *block.section_path, block.text))


def _invented(source: str, digest: Digest) -> tuple[str, ...]:
    spans = split_sentences(digest.summary, at_semicolons=True)
    faults = [fault for span in spans for fault in _faults(source, digest.summary[span.start : span.end])]
    words = (*digest.keywords, *digest.entities)
    absent = frozenset(words) - frozenset(_present(source, words))
    return tuple(dict.fromkeys((*faults, *(word for word in words if word in absent))))


def _faults(source: str, sentence: str) -> list[str]:
    """The details and names of a sentence that its source does not hold; the sentence where it is about other things."""
    held, bare = KeptDetails(source), normalise_match(source)
    found = [one.raw for one in details_in(sentence) if not held.has(one)]
    found += [name for name in proper_names(sentence) if normalise_match(name) not in bare]
    words = frozenset(tokenise(sentence))
    if found or not words:
        return found
    return [] if len(words & _words_of(source)) >= _RELATED * len(words) else [sentence]


@lru_cache(maxsize=64)
def _words_of(source: str) -> frozenset[str]:
    # Asked for each sentence of a digest, of the same block.
    return frozenset(tokenise(source))


def _present(source: str, words: tuple[str, ...]) -> tuple[str, ...]:
    bare, held = normalise_match(source), KeptDetails(source)
    return tuple(
        word
        for word in words
        if (form := normalise_match(word)) and form in bare and all(held.has(one) for one in details_in(word))
    )


def _within(sentences: list[str], limit: int) -> str:
    found = ""
    for sentence in sentences:
        longer = f"{found} {sentence}" if found else sentence
        if len(longer) > limit:
            break
        found = longer
    return found
