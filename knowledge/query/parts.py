"""Sub-queries: a question about several documents searches each of them, so that none crowds out the others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from itertools import islice, zip_longest
from typing import TypeVar

from ..text.normalise import fold_widths
from .models import SubQuery
from .names import Mention

_MOST_PARTS = 8
"""Each costs a search; of more names the first have their turn, and the whole question is searched, too."""

T = TypeVar("T")


def plan_parts(question: str, mentions: Sequence[Mention]) -> tuple[SubQuery, ...]:
    """A sub-query for each thing that a question names; none where it names one or none.

    A sub-query is the question without the names of the other things, within the documents of its own.

    Args:
        question: as it is searched.
        mentions: the names in it, from `NameIndex.mentions` of the same text.
    """
    by_documents: dict[frozenset[str], list[Mention]] = {}
    for mention in mentions:
        by_documents.setdefault(mention.doc_ids, []).append(mention)
    if len(by_documents) < 2:
        return ()
    text = fold_widths(question)
    return tuple(
        SubQuery(text=_without(text, _others(mentions, own)), doc_ids=doc_ids)
        for doc_ids, own in islice(by_documents.items(), _MOST_PARTS)
    )


def by_edition(
    mentions: Sequence[Mention], editions: Mapping[str, Collection[int]], years: Collection[int]
) -> list[Mention]:
    """The mentions, with one for each edition in place of one that means several editions of a text.

    Args:
        mentions: the names in a question.
        editions: the numbers of the edition that a document is, by its id.
        years: of the editions that the question names; with fewer than two nothing is taken apart.
    """
    if len(years) < 2:
        return list(mentions)
    apart: list[Mention] = []
    for mention in mentions:
        of_years = [
            frozenset(doc_id for doc_id in mention.doc_ids if year in editions.get(doc_id, ()))
            for year in sorted(years)
        ]
        found = [doc_ids for doc_ids in of_years if doc_ids]
        apart += [mention._replace(doc_ids=doc_ids) for doc_ids in found] if len(found) > 1 else [mention]
    return apart


def _others(mentions: Sequence[Mention], own: Sequence[Mention]) -> list[Mention]:
    """The mentions at other places; two editions of a text share its name."""
    places = {(mention.start, mention.end) for mention in own}
    return [mention for mention in mentions if (mention.start, mention.end) not in places]


def _without(text: str, others: Sequence[Mention]) -> str:
    kept, position = [], 0
    for other in others:
        kept.append(text[position : other.start])
        position = other.end
    return " ".join(" ".join((*kept, text[position:])).split())


def interleave(results: Sequence[Sequence[T]], k: int, key: Callable[[T], Hashable]) -> list[T]:
    """The first results of each part in turn, each only once.

    Args:
        results: ranked lists, one for each part; a list for the whole question may come last.
        k: how many at most.
        key: what makes two results the same, such as the block's id.
    """
    seen: set[Hashable] = set()
    taken: list[T] = []
    for turn in zip_longest(*results):
        for one in turn:
            if one is not None and key(one) not in seen and len(taken) < k:
                seen.add(key(one))
                taken.append(one)
    return taken


def in_order_of_whole(
    parts: Sequence[Sequence[T]], whole: Sequence[T], document: Callable[[T], Hashable]
) -> list[Sequence[T]]:
    """The parts' results, that part first whose documents stand first in the results of the whole question.

    Args:
        parts: ranked lists, one for each part.
        whole: the ranked list of the whole question.
        document: of which document a result is.
    """
    ranks: dict[Hashable, int] = {}
    for rank, one in enumerate(whole):
        ranks.setdefault(document(one), rank)
    last = len(whole)
    return sorted(parts, key=lambda part: min((ranks.get(document(one), last) for one in part), default=last))
