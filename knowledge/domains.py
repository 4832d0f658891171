"""Keeps business areas apart: a question is searched in one domain, or in several whose hits stay apart.

Each domain is searched as if its documents were the whole library: its own term frequencies decide which words tell
something, so a word that is common in one area and rare in another counts accordingly in each. Hits of different
domains are never interleaved, since their scores are not on one scale; what compares domains is the share of the
question's weight that their best hits hold, weighed over everything that the caller may read.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence

from ..configs.domain_settings import DomainSettings
from .domain_choice import NO_DOMAIN, Asked, HowChosen, as_told, choose, held_weight, named_domains, shares
from .library_words import LibraryWords
from .search import DomainsShown, Explanation, HybridSearch, SearchRequest, SearchResult
from .snapshots import Snapshot
from .store import StoreState

_MOST_SEARCHED = 12
"""Domains that a question is searched in one by one; of more, those of the best hits over the whole library."""
_HITS_LOOKED_AT = 50
_MOST_OPEN = 24
"""Domains whose indexes stay open; each takes some files, of which a process has few."""


def together(results: Mapping[str, SearchResult], chosen: DomainsShown, most: Mapping[str, int]) -> SearchResult:
    """One result of the domains that are used: their hits one domain after the other.

    Args:
        results: of every domain that was searched.
        chosen: which are used; empty if there are no hits at all.
        most: hits of each domain at most.
    """
    base = results[chosen.used[0]] if chosen.used else next(iter(results.values()))
    hits = [hit for domain in chosen.used for hit in results[domain].hits[: most[domain]]]
    said = [note for domain in chosen.used or results for note in results[domain].notes]
    return base.model_copy(
        update={
            "hits": tuple(hit.model_copy(update={"rank": rank}) for rank, hit in enumerate(hits, start=1)),
            "notes": tuple(dict.fromkeys(said)),
            "domains": chosen if chosen.used else None,
            "vectors_used": any(results[domain].vectors_used for domain in chosen.used),
        }
    )


def explained(result: SearchResult, results: Mapping[str, SearchResult], told: HowChosen) -> SearchResult:
    """A result of several domains with what explains the hits of each, and why they are from these domains."""
    shown = [one for name in told.shown.used if (one := results[name].explanation) is not None]
    base = result.explanation
    if base is None:
        return result
    kept = {hit.block.block_id for hit in result.hits}
    documents = [one.documents for one in shown]
    together = base.model_copy(
        update={
            "added": {token: weight for one in reversed(shown) for token, weight in one.added.items()},
            "reasons": tuple(dict.fromkeys(reason for one in shown for reason in one.reasons)),
            "documents": None if None in documents else sum(filter(None, documents)),
            "candidates": _summed(shown),
            "hits": tuple(hit for one in shown for hit in one.hits if hit.block_id in kept),
            "dropped": tuple(dropped for one in shown for dropped in one.dropped),
            "domains": {name: round(share, 3) for name, share in told.held.items()},
            "domains_chosen": told.choice,
        }
    )
    return result.model_copy(update={"explanation": together})


def _summed(explanations: Sequence[Explanation]) -> dict[str, int]:
    legs = dict.fromkeys(leg for one in explanations for leg in one.candidates)
    return {leg: sum(one.candidates.get(leg, 0) for one in explanations) for leg in legs}


def _likely(
    readable: tuple[str, ...], request: SearchRequest, whole: HybridSearch, words: LibraryWords
) -> tuple[str, ...]:
    """The domains to search in for a question that names none; at least one.

    A search over all domains does not know the words of single ones: what those would find is looked for in them.
    """
    if len(readable) <= _MOST_SEARCHED:
        return readable
    hits = whole.search(request._replace(k=max(_HITS_LOOKED_AT, request.k), explain=False)).hits
    best = tuple(dict.fromkeys(hit.document.domain or NO_DOMAIN for hit in hits))
    own = (domain for domain in readable if words.widened(request.query, domain) != request.query)
    return tuple(dict.fromkeys((*own, *best)))[:_MOST_SEARCHED] or readable[:1]


class DomainSearch:
    """Searches over one domain each, as long as the library stays as it is. Safe for several threads.

    Args:
        open_domain: makes the snapshot of a domain.
        settings: by domain.
        words: the library's, by domain.
    """

    def __init__(
        self,
        open_domain: Callable[[StoreState, str], Snapshot],
        settings: Mapping[str, DomainSettings],
        words: LibraryWords,
    ) -> None:
        self._open_domain = open_domain
        self._settings = settings
        self._words = words
        self._state: StoreState | None = None
        self._opened: OrderedDict[str, Snapshot] = OrderedDict()
        self._guard = threading.Lock()

    def search(
        self,
        state: StoreState,
        request: SearchRequest,
        asked: Asked,
        whole: HybridSearch,
        k: int | None,
        past: Snapshot | None = None,
    ) -> SearchResult:
        """The hits of the domains that a question is for.

        Args:
            state: of the library.
            request: what is searched for; its `k` holds where neither `k` nor a domain's settings say another number.
            asked: which domains.
            whole: the search over all domains.
            k: hits at most, as the caller of the search wants it.
            past: the library as it was on the day that is asked for; None: as it is.
        """
        by_words = () if asked.named else named_domains(request.query.original, asked.readable, self._settings)
        names = asked.named or by_words or _likely(asked.readable, request, whole, self._words)
        idf = whole.idf(request.caller)
        most = {name: k or self._keep(name) or request.k for name in names}
        requests = {name: self.in_words_of(name, request)._replace(k=most[name]) for name in names}
        results = {name: self._search_one(state, name, one, past) for name, one in requests.items()}
        held = {
            name: held_weight(result.hits, requests[name].query, self._words.tokeniser(name), idf)
            for name, result in results.items()
            if result.hits
        }
        told = choose(held, asked, by_words)
        share = shares(most, told.shown.used)
        told = told._replace(shown=as_told(told.shown, share, held))
        return explained(together(results, told.shown, share), results, told)

    def in_words_of(self, domain: str, request: SearchRequest) -> SearchRequest:
        """A request cut by the words of a domain and widened by its synonyms."""
        return request._replace(query=self._words.widened(request.query, domain), words=self._words.tokeniser(domain))

    def _search_one(
        self, state: StoreState, domain: str, request: SearchRequest, past: Snapshot | None
    ) -> SearchResult:
        if past is None:
            return self._of(state, domain).search.search(request)
        # A view of each domain on each day would be held for few questions: here words weigh as in all of that day.
        ids = past.context(request.caller).of_domain(domain)
        return past.search.search(request._replace(doc_ids=ids if request.doc_ids is None else ids & request.doc_ids))

    def _keep(self, domain: str) -> int | None:
        return self._settings[domain].keep if domain in self._settings else None

    def _of(self, state: StoreState, domain: str) -> Snapshot:
        with self._guard:
            if state != self._state:
                self._state = state
                self._opened.clear()
            if domain not in self._opened:
                self._opened[domain] = self._open_domain(state, domain)
            self._opened.move_to_end(domain)
            found = self._opened[domain]
            while len(self._opened) > _MOST_OPEN:
                self._opened.popitem(last=False)
            return found

    def close(self) -> None:
        """Let go of all of them; one that a search still uses is closed when that has ended."""
        with self._guard:
            self._opened.clear()
