"""How `veriloop search --explain` shows why a search found what it found, and why not the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .output import say

if TYPE_CHECKING:
    from ...knowledge.search import Dropped, Explanation, Hit, HitExplanation, SearchResult

_SHOWN_TERMS = 8
_SHOWN_FEATURES = 6
_SHOWN_LEFT_OUT = 12


def print_explanation(result: SearchResult) -> None:
    """Tokens, filter, the hits' ranks and scores, and what was left out with the reason."""
    explanation = result.explanation
    if explanation is None:
        return
    say("")
    _print_query(result, explanation)
    by_block = {one.block_id: one for one in explanation.hits}
    for hit in result.hits:
        _print_hit(hit, by_block[hit.block.block_id])
    if explanation.dropped:
        say("left out:")
    for one in explanation.dropped[:_SHOWN_LEFT_OUT]:
        _print_left_out(one)
    if len(explanation.dropped) > _SHOWN_LEFT_OUT:
        say(f"   and {len(explanation.dropped) - _SHOWN_LEFT_OUT} more: --json has them")


def _print_query(result: SearchResult, explanation: Explanation) -> None:
    say(f"tokens: {_listed(explanation.tokens)}  (idf; 0: unknown here)")
    if explanation.added:
        say(f"added: {_listed(explanation.added)}  (weight)")
    for part in explanation.parts:
        say(f"searched, too: {part}")
    for reason in explanation.reasons:
        say(f"because: {reason}")
    if explanation.domains_chosen is not None:
        _print_domains(result, explanation)
    documents = "all" if explanation.documents is None else f"{explanation.documents:,}"
    say(f"documents searched: {documents}")
    floor = "" if explanation.vector_floor is None else f"; similarity floor {explanation.vector_floor:.3f}"
    say(f"passages found: {_listed(explanation.candidates)}{floor}; reranked by {explanation.reranked_by}")


_WHY = {
    "named": "asked for by name",
    "by_words": "the question holds one of its words",
    "clearly_best": "its best hit holds clearly more than that of any other",
    "nearly_equal": "their best hits hold nearly as much",
}


def _print_domains(result: SearchResult, explanation: Explanation) -> None:
    held = {name or "(no domain)": share for name, share in explanation.domains.items()}
    say(f"domains: {_listed(held)}  (share of the query's weight that the best hit holds, 0 to 1)")
    if result.domains is not None:
        used = ", ".join(name or "(no domain)" for name in result.domains.used)
        say(f"hits are from {used}: {_WHY[str(explanation.domains_chosen)]}")


def _print_hit(hit: Hit, one: HitExplanation) -> None:
    ranks = (
        f"lexical {_ranked(hit.lexical_rank, one.lexical_score)}",
        f"vector {_ranked(hit.vector_rank, one.vector_score)}",
        f"fused {_ranked(hit.fused_rank, one.fused_score)}",
    )
    model = "" if one.model_score is None else f", model {one.model_score:.2f}"
    say(f"{hit.rank}. score {hit.score:.3f}: {', '.join(ranks)}{model}; holds {one.relevance:.0%} of the query")
    say(f"   terms: {_strongest(one.terms, _SHOWN_TERMS)}")
    say(f"   signs: {_strongest(one.features, _SHOWN_FEATURES)}")


def _print_left_out(one: Dropped) -> None:
    ranks = ((name, rank) for name, rank in (("lexical", one.lexical_rank), ("vector", one.vector_rank)) if rank)
    found = ", ".join(f"{name} {rank}" for name, rank in ranks)
    score = "" if one.score is None else f", score {one.score:.3f}"
    say(f"   {one.reason.value.replace('_', ' ')} ({found}{score}): {_place(one)}")


def _place(one: Dropped) -> str:
    shown_instead = f"  (instead: {one.duplicate_of})" if one.duplicate_of else ""
    return f"{' › '.join((one.document, *one.section_path))}  {one.block_id}{shown_instead}"


def _ranked(rank: int | None, score: float | None) -> str:
    return "–" if rank is None or score is None else f"{rank} ({score:.2f})"


def _listed(numbers: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {number:g}" for name, number in numbers.items())


def _strongest(numbers: Mapping[str, float], most: int) -> str:
    first = sorted(numbers.items(), key=lambda pair: -pair[1])[:most]
    return " ".join(f"{name} {number:.2f}" for name, number in first)
