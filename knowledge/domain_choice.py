"""Which domains a question is for, and how many hits each of them gives: decisions that look at no index."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ..configs.domain_settings import DomainSettings
from .query.models import SearchFilter, SearchQuery
from .search import DomainChoice, DomainsShown, Hit
from .text.normalise import normalise
from .text.tokens import Tokeniser

WHOLE = "all"
"""Named in place of a domain: every domain is searched, and all their hits are shown, each domain's together."""
NO_DOMAIN = ""
"""The domain of the documents that have none."""
CLEARLY = 0.15
"""A domain whose best hit holds this much more of the question's weight (of 1) than any other's is clearly right."""
_MOST_SHOWN = 3
"""Domains shown of those that are nearly as good."""


class Asked(NamedTuple):
    """The domains that the caller may read, and those of them that were asked for by name; none: any."""

    readable: tuple[str, ...]
    named: tuple[str, ...]


def asked_domains(
    readable: tuple[str, ...], chosen: SearchFilter | None
) -> tuple[tuple[str, ...], SearchFilter | None]:
    """The domains that the caller may read which a filter names, and the filter as documents are to meet it.

    `WHOLE` names all of them; it is no domain that a document could have, unless one has it.
    """
    if chosen is None or not chosen.domains:
        return (), chosen
    names = {name.casefold() for name in chosen.domains}
    named = tuple(domain for domain in readable if domain.casefold() in names)
    if WHOLE not in names or WHOLE in (domain.casefold() for domain in readable):
        return named, chosen
    return readable, chosen.model_copy(update={"domains": frozenset()})


def named_domains(query: str, readable: Sequence[str], settings: Mapping[str, DomainSettings]) -> tuple[str, ...]:
    """The readable domains that a question names by one of their `words`."""
    text = normalise(query).casefold()
    return tuple(
        domain
        for domain in readable
        if any(normalise(word).casefold() in text for word in (settings[domain].words if domain in settings else ()))
    )


def route(held: Mapping[str, float]) -> DomainsShown:
    """The domain that is clearly the best, or the few that are nearly as good.

    Args:
        held: of each domain with hits, the largest share of the question's weight that one of them holds, 0 to 1.
    """
    order = sorted(held, key=lambda domain: (-held[domain], domain))
    near = [domain for domain in order if held[order[0]] - held[domain] < CLEARLY][:_MOST_SHOWN]
    return DomainsShown(used=tuple(near), others=tuple(domain for domain in order if domain not in near))


def as_told(shown: DomainsShown, share: Mapping[str, int], held: Mapping[str, float]) -> DomainsShown:
    """The domains shown: those without room for a single hit are among the others, of which the close ones are named.

    Args:
        shown: as they were chosen.
        share: how many hits each of those that are used may give.
        held: see `route`.
    """
    used = tuple(name for name in shown.used if share[name])
    others = (*(name for name in shown.used if not share[name]), *shown.others)
    best = max(held.values(), default=0.0)
    return DomainsShown(used=used, others=others, close=tuple(one for one in others if best - held[one] < CLEARLY))


def shares(most: Mapping[str, int], used: Sequence[str]) -> dict[str, int]:
    """How many hits each domain gives, in sum no more than the largest of `most`; the best domains give the odd ones.

    Args:
        most: hits of each domain at most.
        used: the domains, the best first.
    """
    return {name: max(0, -((place - most[name]) // len(used))) for place, name in enumerate(used)}


def everything(held: Mapping[str, float]) -> DomainsShown:
    """All domains with hits, as where they were asked for by name, the best first."""
    return DomainsShown(used=tuple(sorted(held, key=lambda domain: (-held[domain], domain))))


class HowChosen(NamedTuple):
    """Which domains are shown, why, and how good each was that had hits (see `held_weight`)."""

    shown: DomainsShown
    choice: DomainChoice
    held: Mapping[str, float]


def choose(held: Mapping[str, float], asked: Asked, by_words: tuple[str, ...]) -> HowChosen:
    """Which domains are shown.

    Args:
        held: see `route`.
        asked: which domains the search was for.
        by_words: those that the question names by their words, if it was for none by name.
    """
    if asked.named or by_words:
        return HowChosen(everything(held), DomainChoice.NAMED if asked.named else DomainChoice.BY_WORDS, held)
    shown = route(held)
    best = DomainChoice.CLEARLY_BEST if len(shown.used) < 2 else DomainChoice.NEARLY_EQUAL
    return HowChosen(shown, best, held)


def held_weight(hits: Sequence[Hit], query: SearchQuery, words: Tokeniser, idf: Callable[[str], float]) -> float:
    """The largest share of the weight of a query's own terms that one hit holds, with its title and section path.

    A word is held, too, where another form of it is that was added to the query: otherwise a domain would lose by each
    synonym that it knows.
    """
    weights = {token: idf(token) for token in words.query_tokens(query.text)}
    total = sum(weights.values())
    if not total:
        return 0.0
    forms = [(_tokens(term.term, words), _tokens(term.because, words)) for term in query.terms]
    return max((_held(hit, weights, forms, words) for hit in hits), default=0.0) / total


def _tokens(word: str, words: Tokeniser) -> frozenset[str]:
    return frozenset(words.tokenise(word, for_query=True))


def _held(
    hit: Hit, weights: Mapping[str, float], forms: Sequence[tuple[frozenset[str], frozenset[str]]], words: Tokeniser
) -> float:
    held = set(words.tokenise("\n".join((hit.document.search_title, *hit.block.section_path, hit.text))))
    meant = frozenset[str]().union(*(word for form, word in forms if form and form <= held))
    return sum(weights[token] for token in weights.keys() & (held | meant))
