"""The digest of a block by rules: its first sentence, each sentence with a detail, and what does not fit as a list."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ...configs.digest_settings import DigestSettings
from ..documents import Block, BlockKind
from ..text.dictionary import NO_DICTIONARY, DomainDictionary
from ..text.tokens import Tokeniser
from .details import Detail, KeptDetails, by_worth, details_in, distinct
from .entities import dictionary_words_in, named_things
from .keywords import keywords_of
from .models import Digest
from .sentences import sum_up_text
from .tables import sum_up_table


class DigestRules(NamedTuple):
    """What the rules need to know beside the block."""

    settings: DigestSettings
    words: Tokeniser
    idf: Callable[[str], float]
    """Of a term over what the caller may read, see `Library.idf`."""
    dictionary: DomainDictionary = NO_DICTIONARY


def digest_by_rules(block: Block, rules: DigestRules) -> Digest:
    """A digest that quotes; every number, date, clause and id of the block is in it as far as the settings allow."""
    limit = rules.settings.max_characters
    sum_up = sum_up_table if block.kind is BlockKind.TABLE else sum_up_text
    summary = sum_up(block.text, limit)
    keywords = keywords_of(block, rules.words, rules.idf, rules.settings.keywords)
    names = (*dictionary_words_in(block.text, rules.dictionary), *named_things(block.text))
    return complete(block, Digest(summary=summary, keywords=keywords, entities=names), rules.settings)


def complete(block: Block, digest: Digest, settings: DigestSettings) -> Digest:
    """A digest with the details of its block that it lacks: in the summary while there is room, then as entities.

    Of a table so large that its details exceed `max_detail_characters`, what names things (ids, clauses, dates) is
    kept before amounts, and amounts before bare numbers.
    """
    lost = lost_details(block, digest)
    if not lost:
        return digest
    room = settings.max_characters - len(digest.summary) - len(_TAIL)
    tail = fitting(lost, room)
    summary = f"{digest.summary}{_TAIL}{_BETWEEN.join(one.raw for one in tail)}" if tail else digest.summary
    kept = frozenset(one.keys for one in tail)
    rest = [one for one in by_worth(lost) if one.keys not in kept]
    more = [one.raw for one in fitting(rest, settings.max_detail_characters)]
    return digest.model_copy(update={"summary": summary, "entities": tuple(dict.fromkeys((*digest.entities, *more)))})


def lost_details(block: Block, digest: Digest) -> tuple[Detail, ...]:
    """The details of a block that its digest does not hold, each once."""
    kept = KeptDetails(text_of(digest))
    return tuple(one for one in distinct(details_in(block.text)) if not kept.has(one))


def text_of(digest: Digest) -> str:
    """Everything that a digest says."""
    return "\n".join((digest.summary, *digest.keywords, *digest.entities))


_TAIL, _BETWEEN = " … ", "; "


def fitting(details: tuple[Detail, ...] | list[Detail], room: int) -> list[Detail]:
    """As many details, in order, as so many characters hold."""
    chosen, left = list[Detail](), room
    for one in details:
        left -= len(one.raw) + len(_BETWEEN)
        if left < 0:
            break
        chosen.append(one)
    return chosen
