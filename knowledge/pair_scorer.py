"""What a reranker asks of a model that judges how well a text answers a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class PairScorer(Protocol):
    """Scores pairs of a question and a text."""

    @property
    def name(self) -> str:
        """Provider and model, for explanations and measurements."""

    def score(self, query: str, texts: Sequence[str], seconds: float | None = None) -> list[float | None]:
        """One score from 0 to 1 for each text, None for those that the time did not reach.

        Args:
            query: the question, without any instruction.
            texts: the likeliest first; they are scored in this order until the time is up.
            seconds: wall time of the whole call; default: that of the settings.

        Raises:
            ModelError: the model returned something else than one finite number a pair.
        """
