"""The order of candidates without a model: by what speaks for each, weighed."""

from __future__ import annotations

from collections.abc import Mapping

from ..text.normalise import has_chinese
from .features import RankFeatures
from .models import Ranked
from .weights import CHINESE, ENGLISH


def order_by_features(question: str, features: Mapping[int, RankFeatures]) -> list[Ranked]:
    """Rows with their scores, best first; those of equal score in the order given."""
    weights = CHINESE if has_chinese(question) else ENGLISH
    ranked = [Ranked(row, one.weighed(weights)) for row, one in features.items()]
    return sorted(ranked, key=lambda item: -item.score)
