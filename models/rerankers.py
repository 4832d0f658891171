"""Models that judge how well a text answers a question, within a time box (extra `bge`)."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from importlib import import_module
from threading import Lock
from typing import Any

import numpy as np

from ..configs.rerank_settings import RerankProvider, RerankSettings
from ..errors import ModelError, SettingsError
from ..knowledge.sparse import dot
from .local_models import computing, configuration, loading, need_extra, readable, window
from .m3 import HEADS, M3Outputs, is_m3, load_m3
from .model_files import LocalModel, local_model
from .pace import Pace
from .tokens import estimate_tokens

Clock = Callable[[], float]

_WHAT = "reranker"
_PAIR_OVERHEAD = 8
"""Tokens that stand for what every pair costs beside its texts."""
_M3_WEIGHTS = (0.4, 0.2, 0.4)
"""Dense, sparse and token vectors in the score of BGE-M3, as in the example of its model card."""


class LocalPairScorer(ABC):
    """What the scorers share: batches within the time box, and the checks. Subclasses supply the model."""

    provider: RerankProvider
    module: str
    owner = ""
    needed: tuple[str, ...] = ()

    def __init__(self, settings: RerankSettings, clock: Clock = time.monotonic) -> None:
        need_extra(self.module, f"reranking with {self.module}")
        found = local_model(str(settings.model), _WHAT, self.owner, self.needed)
        self._check_kind(found)
        self._settings = settings
        self._name = f"{self.provider}:{found.source}"
        self._clock = clock
        self._lock = Lock()
        self._pace = Pace()
        self._window = window(found.folder)
        self._load(import_module(self.module), found)
        # The first call of a network is slower than all others, and no measure of its speed.
        with computing(self._name, _WHAT):
            self._checked(self._judge(self._understand("0"), ["0"]), 1)

    @property
    def name(self) -> str:
        """Provider and model."""
        return self._name

    def score(self, query: str, texts: Sequence[str], seconds: float | None = None) -> list[float | None]:
        """One score from 0 to 1 for each text, None for those that the time did not reach.

        A batch is begun only if it is expected to end in time, by the speed of the batches before it. The very first
        batch is of one pair.

        Args:
            query: the question.
            texts: the likeliest first; they are scored in this order.
            seconds: wall time of the whole call; default: `rerank.seconds`.

        Raises:
            ModelError: the model failed, or returned something else than one finite number a pair.
        """
        end = self._clock() + (self._settings.seconds if seconds is None else seconds)
        question = readable(query)
        scores: list[float] = []
        with computing(self._name, _WHAT):
            while len(scores) < len(texts) and (batch := self._next(question, texts[len(scores) :], end)):
                scores += batch
        if texts and not scores:
            self._pace.doubt()
        return [*scores, *[None] * (len(texts) - len(scores))]

    def _next(self, question: str, texts: Sequence[str], end: float) -> list[float]:
        """Scores of the first of these texts, as many as one batch may hold; none if it would not be done in time."""
        left = end - self._clock()
        if left <= 0 or not self._lock.acquire(timeout=left):
            return []
        try:
            batch = [readable(text) for text in texts[: self._settings.batch_size]]
            sizes = [self._size(question, text) for text in batch]
            begun = self._clock()
            fitting = self._pace.fitting(sizes, end - begun)
            if not fitting:
                return []
            scores = self._checked(self._judge(self._understand(question), batch[:fitting]), fitting)
            self._pace.learn(sizes[:fitting], self._clock() - begun)
            return scores
        finally:
            self._lock.release()

    def _size(self, question: str, text: str) -> int:
        return _PAIR_OVERHEAD + min(self._window, estimate_tokens(question) + estimate_tokens(text))

    def _checked(self, scores: Any, count: int) -> list[float]:
        values = np.asarray(scores, dtype=np.float64)
        if values.shape != (count,):
            raise ModelError(
                f"reranker {self._name} returned an array of shape {values.shape} for {count} pairs, which must be"
                " one number a pair; is it a model for another task?"
            )
        if not np.isfinite(values).all():
            raise ModelError(f"reranker {self._name} returned scores that are not numbers (NaN or infinite)")
        kept: list[float] = np.clip(values, 0, 1).tolist()
        return kept

    def _check_kind(self, found: LocalModel) -> None:
        """Refuses a model that cannot judge pairs: the libraries would quietly give it a random last layer.

        Raises:
            SettingsError: with what to set instead.
        """
        stated = configuration(found.folder).get("architectures")
        kinds = [str(kind) for kind in stated] if isinstance(stated, list) else []
        if kinds and not any(kind.endswith("ForSequenceClassification") for kind in kinds):
            raise SettingsError(
                f"rerank.model: {found.source!r} is no reranker of provider {self.provider!r} (its config.json says"
                f" {', '.join(kinds)}, not …ForSequenceClassification); set it to one, such as"
                " BAAI/bge-reranker-v2-m3, or for an embedding model BGE-M3 set rerank.provider to bge-m3"
            )

    def _understand(self, question: str) -> Any:
        """The question in the form in which `_judge` takes it."""
        return question

    @abstractmethod
    def _load(self, module: Any, found: LocalModel) -> None:
        """Loads the model of a folder."""

    @abstractmethod
    def _judge(self, question: Any, texts: list[str]) -> Any:
        """Scores of one batch, unchecked."""


class FlagPairScorer(LocalPairScorer):
    """Rerankers of the BGE family through FlagEmbedding, such as bge-reranker-v2-m3.

    Its own `compute_score` computes the first batch of each call twice, once to see whether it fits into memory.
    Here a call is one batch, so that would be every batch; therefore the network is called directly.
    """

    provider = "flag"
    module = "FlagEmbedding"

    def _load(self, module: Any, found: LocalModel) -> None:
        with loading(found.source, _WHAT):
            model = module.FlagReranker(str(found.folder), use_fp16=False)
        self._tokenizer, self._device = model.tokenizer, model.target_devices[0]
        self._network = model.model.to(self._device).eval()

    def _judge(self, question: Any, texts: list[str]) -> Any:
        torch = import_module("torch")
        with torch.no_grad():
            # The longer of the two is cut: the text, unless somebody asks with a whole document.
            inputs = self._tokenizer(
                [question] * len(texts),
                texts,
                truncation="longest_first",
                max_length=self._window,
                padding=True,
                return_tensors="pt",
            ).to(self._device)
            logits = self._network(**inputs, return_dict=True).logits
            return torch.sigmoid(logits.float()).flatten().cpu().numpy()


class CrossEncoderPairScorer(LocalPairScorer):
    """Any reranker that sentence-transformers reads as a CrossEncoder."""

    provider = "cross-encoder"
    module = "sentence_transformers"
    owner = "cross-encoder"

    def _load(self, module: Any, found: LocalModel) -> None:
        with loading(found.source, _WHAT):
            self._model = module.CrossEncoder(str(found.folder), max_length=self._window, local_files_only=True)
        # Some models are saved to return logits; a score has to lie between 0 and 1.
        self._sigmoid = import_module("torch").nn.Sigmoid()

    def _judge(self, question: Any, texts: list[str]) -> Any:
        pairs = [(question, text) for text in texts]
        return self._model.predict(pairs, batch_size=len(pairs), show_progress_bar=False, activation_fn=self._sigmoid)


class M3PairScorer(LocalPairScorer):
    """BGE-M3 comparing a question's vectors with a text's: the whole texts', the words' and the tokens'.

    Its score is the mean of the three by their weights. A model that also embeds is loaded once for both uses.
    """

    provider = "bge-m3"
    module = "FlagEmbedding"
    needed = HEADS

    def _check_kind(self, found: LocalModel) -> None:
        if not is_m3(found):
            raise SettingsError(f"rerank.model: {found.source!r} is not BGE-M3, which provider 'bge-m3' needs")

    def _load(self, module: Any, found: LocalModel) -> None:
        self._model = load_m3(found, _WHAT)
        self._last: tuple[str, M3Outputs] | None = None

    def _understand(self, question: str) -> M3Outputs:
        if self._last is None or self._last[0] != question:  # the batches of one rerank ask the same
            self._last = question, self._model.outputs([question], sparse=True, token_vectors=True)
        return self._last[1]

    def _judge(self, question: Any, texts: list[str]) -> Any:
        made = self._model.outputs(texts, sparse=True, token_vectors=True)
        dense = made.dense @ question.dense[0]
        sparse = [dot(question.sparse[0], vector) for vector in made.sparse]
        tokens = [_nearest_tokens(question.token_vectors[0], rows) for rows in made.token_vectors]
        return np.average([dense, sparse, tokens], axis=0, weights=_M3_WEIGHTS)

    def _size(self, question: str, text: str) -> int:
        return _PAIR_OVERHEAD + min(self._window, estimate_tokens(text))


def _nearest_tokens(question: Any, text: Any) -> float:
    """Mean over the question's tokens of the similarity of the nearest token of the text."""
    return float((question @ text.T).max(axis=1).mean())


LoadedPairScorer = FlagPairScorer | CrossEncoderPairScorer | M3PairScorer

_PROVIDERS: dict[RerankProvider, Callable[[RerankSettings, Clock], LoadedPairScorer]] = {
    "flag": FlagPairScorer,
    "cross-encoder": CrossEncoderPairScorer,
    "bge-m3": M3PairScorer,
}


def make_pair_scorer(settings: RerankSettings, clock: Clock = time.monotonic) -> LoadedPairScorer | None:
    """The reranking model of the settings, loaded; None where none is set.

    Args:
        settings: which model.
        clock: seconds of a clock that never goes back.

    Raises:
        MissingExtraError: the extra `bge` is not installed.
        ModelUnavailableError: files of the model are missing, damaged, or cannot be fetched.
        ModelError: the model does not give one number a pair.
        SettingsError: the model is none that judges pairs.
    """
    if settings.provider == "none":
        return None
    return _PROVIDERS[settings.provider](settings, clock)
