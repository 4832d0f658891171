"""Reranking by a model that judges pairs of a question and a text, as far as the time reaches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ...configs.rerank_settings import RerankSettings
from ...errors import ModelError, ModelUnavailableError
from ..pair_scorer import PairScorer
from ..rerank import Ranked
from ..searchable import context_of, passage_text
from ..store import FoundPassage


class ModelScores(NamedTuple):
    """The order after a rerank model, its scores by passage, and what the reader should know."""

    ranked: list[Ranked]
    scores: dict[int, float]
    note: str = ""


def rerank_by_model(
    make_scorer: Callable[[], PairScorer | None],
    settings: RerankSettings,
    question: str,
    ranked: Sequence[Ranked],
    found: Mapping[int, FoundPassage],
) -> ModelScores:
    """The first candidates in the model's order, before those that its time did not reach.

    Args:
        make_scorer: gives the model; None leaves the order as it is.
        settings: how many pairs at most, how long, and the model's share in the score.
        question: as asked.
        ranked: candidates in the order of the model-free reranker.
        found: their texts.
    """
    if settings.provider == "none" or not ranked:
        return ModelScores(list(ranked), {})
    head = list(ranked[: settings.candidates])
    texts = [_text(found[one.row]) for one in head]
    try:
        scorer = make_scorer()
        judged = [None] * len(head) if scorer is None else scorer.score(question, texts, settings.seconds)
    except (ModelError, ModelUnavailableError) as error:
        return ModelScores(list(ranked), {}, f"reranked without the model: {error}")
    scores = {one.row: score for one, score in zip(head, judged, strict=True) if score is not None}
    best, least = head[0].score, head[-1].score
    span = (best - least) or 1.0
    mixed = [
        one._replace(score=settings.weight * scores[one.row] + (1 - settings.weight) * (one.score - least) / span)
        for one in head
        if one.row in scores
    ]
    mixed.sort(key=lambda one: -one.score)
    # What the model has not seen keeps its order behind what it has, below its worst score.
    lowest = min((one.score for one in mixed), default=0.0)
    rest = [one for one in ranked if one.row not in scores]
    behind = [one._replace(score=lowest - 1e-3 * place) for place, one in enumerate(rest, start=1)]
    return ModelScores([*mixed, *behind] if mixed else list(ranked), scores)


def _text(found: FoundPassage) -> str:
    return f"{context_of(found.document, found.block)}\n{passage_text(found.block, found.passage)}"
