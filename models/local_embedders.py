"""Embedders that run in this process through torch: sentence-transformers and FlagEmbedding (extra `bge`)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from ..configs.embedding_settings import EmbeddingProvider, EmbeddingSettings
from ..errors import ModelUnavailableError
from ..knowledge.sparse import Encoded, SparseVector
from .embedder_base import BatchedEmbedder, batches, unit_vectors
from .local_models import computing, loading, need_extra, readable, window
from .m3 import HEADS, M3Model, is_called_m3, is_m3, load_m3
from .model_files import LocalModel, local_model

_WHAT = "embedding model"


class LocalEmbedder(BatchedEmbedder):
    """A model that runs in this process through torch. Subclasses supply `_load` and `_encode_with`."""

    provider: EmbeddingProvider
    module: str
    owner = ""

    def __init__(self, settings: EmbeddingSettings) -> None:
        need_extra(self.module, f"embedding with {self.module}")
        found = local_model(str(settings.model), _WHAT, self.owner, self._needed(settings))
        super().__init__(settings, f"{self.provider}:{found.source}")
        self._lock = Lock()
        self._window = window(found.folder)
        self._model = self._load(import_module(self.module), found)
        self._dimension = self._measured()
        self._check_settings()

    def _needed(self, settings: EmbeddingSettings) -> tuple[str, ...]:
        """Files that the settings call for beside those of every model."""
        return ()

    def _encode(self, texts: Sequence[str], query: bool) -> Any:
        # The tokenizers refuse a second thread while one sets their padding.
        with self._lock, computing(self.name, _WHAT):
            return self._encode_with(self._model, [readable(text) for text in texts])

    @abstractmethod
    def _load(self, module: Any, found: LocalModel) -> Any:
        """The model of a folder."""

    @abstractmethod
    def _encode_with(self, model: Any, texts: list[str]) -> Any:
        """Vectors of texts by a loaded model."""


class SentenceTransformersEmbedder(LocalEmbedder):
    """Any sentence-transformers model, by folder or name (extra `bge`)."""

    provider = "sentence-transformers"
    module = "sentence_transformers"
    owner = "sentence-transformers"

    def _load(self, module: Any, found: LocalModel) -> Any:
        with loading(found.source, _WHAT):
            return module.SentenceTransformer(str(found.folder), local_files_only=True)

    def _encode_with(self, model: Any, texts: list[str]) -> Any:
        return model.encode(texts, batch_size=self._settings.batch_size, show_progress_bar=False)


class FlagEmbedder(LocalEmbedder):
    """BGE models through FlagEmbedding, by folder or name (extra `bge`); of BGE-M3 also the sparse vectors.

    FlagEmbedding tells the kind of model by its name, so a folder must be called as the model is
    (`bge-large-zh-v1.5`). Only BGE-M3 is known by its files, too.
    """

    provider = "flag-embedding"
    module = "FlagEmbedding"

    @property
    def gives_sparse(self) -> bool:
        """Whether the model is BGE-M3 and its sparse vectors are wanted."""
        return self._settings.sparse and isinstance(self._model, M3Model)

    def encode_passages(self, texts: Sequence[str]) -> Encoded:
        """Unit vectors of passages, and their sparse vectors where the settings ask for them."""
        if not self.gives_sparse:
            return super().encode_passages(texts)
        parts = [self._both(batch) for batch in batches(texts, self._settings.batch_size)]
        sparse: tuple[SparseVector, ...] = tuple(vector for part in parts for vector in part.sparse or ())
        dense = [part.dense for part in parts] or [np.zeros((0, self.dimension), dtype=np.float32)]
        return Encoded(np.concatenate(dense), sparse)

    def encode_query(self, text: str) -> Encoded:
        """One row: the unit vector of a question, and its sparse vector where the settings ask for it."""
        return self._both([self._instruction + text]) if self.gives_sparse else super().encode_query(text)

    def _both(self, texts: Sequence[str]) -> Encoded:
        with computing(self.name, _WHAT):
            outputs = self._model.outputs([readable(text) for text in texts], sparse=True)
        return Encoded(unit_vectors(outputs.dense, len(texts), self.dimension, self.name), outputs.sparse)

    def _needed(self, settings: EmbeddingSettings) -> tuple[str, ...]:
        return HEADS if settings.sparse and is_called_m3(str(settings.model)) else ()

    def _load(self, module: Any, found: LocalModel) -> Any:
        if is_m3(found):
            return load_m3(found, _WHAT)
        known = import_module("FlagEmbedding.inference.embedder.model_mapping").AUTO_EMBEDDER_MAPPING
        kind = known.get(Path(found.source).name)
        if kind is None:
            raise ModelUnavailableError(
                f"{_WHAT} {found.source!r} cannot be loaded: FlagEmbedding knows models by the name of their folder;"
                " call it as the model is called, such as bge-m3 or bge-large-zh-v1.5, or set `embeddings.provider`"
                " to sentence-transformers"
            )
        with loading(found.source, _WHAT):
            return _ready(
                kind.model_class(
                    str(found.folder),
                    use_fp16=False,
                    pooling_method=kind.pooling_method.value,
                    trust_remote_code=kind.trust_remote_code,
                )
            )

    def _encode_with(self, model: Any, texts: list[str]) -> Any:
        if isinstance(model, M3Model):
            return model.outputs(texts).dense
        if isinstance(model, import_module(self.module).FlagModel):
            return _encode_once(model, texts, self._window)
        # One more than there are texts: from a full batch on, the package draws progress bars.
        return model.encode(texts, batch_size=len(texts) + 1, max_length=self._window)


def _ready(model: Any) -> Any:
    model.model.to(model.target_devices[0]).eval()
    return model


def _encode_once(model: Any, texts: list[str], tokens: int) -> Any:
    """Vectors of one batch; the model's own `encode` would compute it twice (see `M3Model`)."""
    with import_module("torch").no_grad():
        inputs = model.tokenizer(texts, truncation=True, max_length=tokens, padding=True, return_tensors="pt")
        inputs = inputs.to(model.target_devices[0])
        hidden = model.model(**inputs, return_dict=True).last_hidden_state
        return model.pooling(hidden, inputs["attention_mask"]).float().cpu().numpy()
