"""Hybrid search: legs under the caller's filter, fused, reranked, and widened to blocks (design §4)."""

from .explaining import DomainChoice, Dropped, DropReason, Explanation, HitExplanation
from .hybrid import HybridSearch
from .requests import SearchRequest
from .results import DomainsShown, Hit, SearchResult

__all__ = [
    "DomainChoice",
    "DomainsShown",
    "DropReason",
    "Dropped",
    "Explanation",
    "Hit",
    "HitExplanation",
    "HybridSearch",
    "SearchRequest",
    "SearchResult",
]
