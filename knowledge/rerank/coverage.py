"""The reranker that needs no model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..text.normalise import has_chinese
from .features import Question, RankFeatures
from .models import Candidate, Ranked
from .weights import CHINESE, ENGLISH


class CoverageReranker:
    """Orders by how much of the question a passage and its headings cover, how closely together, and by its answer.

    Args:
        idf: how telling a token is in the collection, such as `LexicalIndex.idf`; without it all count the same.
    """

    def __init__(self, idf: Callable[[str], float] | None = None) -> None:
        self._idf = idf or (lambda token: 1.0)

    def rerank(self, question: str, candidates: Sequence[Candidate]) -> list[Ranked]:
        """All candidates, best first; those of equal score in the order given."""
        asked = Question(question, self._idf)
        return order_by_features(question, {one.row: asked.judge(one).features for one in candidates})


def order_by_features(question: str, features: Mapping[int, RankFeatures]) -> list[Ranked]:
    """Rows with their scores, best first; those of equal score in the order given."""
    weights = CHINESE if has_chinese(question) else ENGLISH
    ranked = [Ranked(row, one.weighed(weights)) for row, one in features.items()]
    return sorted(ranked, key=lambda item: -item.score)
