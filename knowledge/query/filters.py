"""Filters out of a question: the words that say which documents are meant, not what they should say.

Precision comes first. A year that belongs to the content (2023年的营业收入, revenue in 2021) filters nothing: only
words that modify a document (最近三个月的会议纪要) or its issuing (notices issued last year) do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from ..text.normalise import fold_widths, has_chinese
from . import chinese_filters, english_filters
from .facts import LibraryFacts
from .kinds import kind_of_word
from .models import SearchFilter
from .periods import find_periods
from .reading import EditionsMeant, Meant
from .titles import edition_titles_in, joined

_BLANKS = re.compile(r"\s{2,}")
_SHORTEST_TITLE = 3
"""Letters and digits of a title that a question is taken to name."""


class ReadFilter(NamedTuple):
    """A filter with the words that it was read from, and the question without those that say nothing else."""

    filter: SearchFilter
    rest: str
    because: tuple[str, ...]


def read_filter(question: str, facts: LibraryFacts, today: date) -> ReadFilter:
    """The filter that a question states; an empty one where it states none.

    Args:
        question: as asked, of any length and content.
        facts: about the documents that the caller may read; types, domains and editions that none of them has do
            not filter.
        today: what 去年 and `the last three months` count from, and the day on which 现行 texts are in force.
    """
    text = fold_widths(question)
    periods = find_periods(text, today)
    language = chinese_filters if has_chinese(text) else english_filters
    meant: list[Meant] = [
        *language.dated(text, periods),
        *language.in_force(text, periods, today),
        *language.of_type(text),
        *language.of_domain(text, facts.domains),
    ]
    has_day = any(one.first or one.last or one.in_force_on for one in meant)
    # A question about several times (2023年和2025年) is none about the rules of one of them.
    years = {day.year for one in periods for day in (one.first, one.last) if day}
    if facts.has_history and not has_day and len({(one.first, one.last) for one in periods}) == 1 == len(years):
        meant += language.as_of(text, periods, today)
    editions = language.editions(text)
    if not meant and not editions.years:
        return ReadFilter(SearchFilter(), question, ())
    known = _known_editions(editions, text, facts)
    if not has_day and not known.titles and (version := _version_meant(editions, text, facts, today)):
        meant.append(version)
        known = _NO_EDITIONS
    chosen = _combined(meant, facts, known)
    if chosen.is_empty:
        return ReadFilter(chosen, question, ())
    words = tuple(text[one.start : one.end] for one in meant) + editions.words
    rest = _rest(text, meant)
    rest = chinese_filters.with_plain_editions(rest) if chosen.editions else rest
    return ReadFilter(chosen, rest, tuple(dict.fromkeys(words)))


class _Editions(NamedTuple):
    years: frozenset[int]
    titles: frozenset[str]


_NO_EDITIONS = _Editions(frozenset(), frozenset())


def _version_meant(editions: EditionsMeant, text: str, facts: LibraryFacts, today: date) -> Meant | None:
    """The edition of one year of a document that has no editions here: the version in force at that year's end.

    None where no older versions are kept, several years are named, or no document by its title.
    """
    if not facts.has_history or len(editions.years) != 1 or not _names_document(text, facts):
        return None
    (year,) = editions.years
    start = text.index(str(year))
    words = min((word for word in editions.words if text.startswith(word, start)), key=len, default=str(year))
    said = (start, start + len(words if has_chinese(text) else str(year)))
    return Meant(*said, in_force_on=min(date(year, 12, 31), today), said=said)


def _names_document(text: str, facts: LibraryFacts) -> bool:
    titles = {title for one in facts.documents for title in (one.edition.title, joined(one.document.title))}
    return bool(edition_titles_in(text, (title for title in titles if len(title) >= _SHORTEST_TITLE)))


def _known_editions(meant: EditionsMeant, text: str, facts: LibraryFacts) -> _Editions:
    """The years of editions, if the question names a text that has editions here, or any text has these."""
    titles = edition_titles_in(text, facts.editions) if meant.years else frozenset()
    if titles or any(meant.years & set(number) for number in facts.edition_numbers.values()):
        return _Editions(meant.years, titles)
    return _NO_EDITIONS


def _combined(meant: Sequence[Meant], facts: LibraryFacts, editions: _Editions) -> SearchFilter:
    first = max((one.first for one in meant if one.first), default=None)
    last = min((one.last for one in meant if one.last), default=None)
    if first and last and first > last:
        first = last = None
    kinds = {kind for one in meant if (kind := kind_of_word(one.kind)) in facts.kinds and kind}
    return SearchFilter(
        doc_types=frozenset(kinds),
        domains=frozenset(one.domain for one in meant if one.domain),
        dated_from=first,
        dated_to=last,
        in_force_on=min((one.in_force_on for one in meant if one.in_force_on), default=None),
        editions=editions.years,
        edition_titles=editions.titles,
    )


def _rest(text: str, meant: Sequence[Meant]) -> str:
    """The question without the words of time that became the filter; unchanged if hardly anything else is there."""
    spans = sorted(one.said for one in meant if one.said is not None)
    if not spans:
        return text
    rest, position = "", 0
    for start, end in spans:
        rest += text[position : max(position, start)] + " "
        position = max(position, end)
    rest = _BLANKS.sub(" ", rest + text[position:]).strip(" ,.?!;:、。，？！；：的")
    return rest if len(rest) > 1 else text
