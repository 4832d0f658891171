"""BGE-M3 with its three kinds of output: one vector a text, weighted tokens, and one vector a token."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelError
from ..knowledge.sparse import SparseVector, sparse_vector
from .local_models import loading, window
from .model_files import LocalModel

HEADS = ("colbert_linear.pt", "sparse_linear.pt")
"""Files of the two further outputs; without them FlagEmbedding would quietly draw random ones."""
_NAME = "bge-m3"
_NO_WORDS = ("cls_token", "eos_token", "pad_token", "unk_token")
"""Tokens that say nothing of a text; the model's authors leave them out of its sparse vectors."""


class M3Outputs(NamedTuple):
    """What the model makes of texts, in their order; the kinds that were not asked for are empty."""

    dense: NDArray[np.float32]
    sparse: tuple[SparseVector, ...]
    token_vectors: tuple[NDArray[np.float32], ...]


def is_called_m3(model: str) -> bool:
    """Whether a folder or name is that of BGE-M3."""
    return Path(model).name.lower() == _NAME


def is_m3(found: LocalModel) -> bool:
    """Whether a model is BGE-M3, or one tuned from it, which has its files for the further outputs."""
    return is_called_m3(found.source) or all((found.folder / head).is_file() for head in HEADS)


class M3Model:
    """A loaded BGE-M3, for several threads.

    Its own `encode` computes the first batch of each call twice, once to see whether it fits into memory. Here a
    call is one batch, so that would be every batch; therefore the network is called directly.
    """

    def __init__(self, found: LocalModel) -> None:
        model = import_module("FlagEmbedding").BGEM3FlagModel(str(found.folder), use_fp16=False)
        self._source = found.source
        self._tokenizer = model.tokenizer
        self._device = model.target_devices[0]
        self._network = model.model.to(self._device).eval()
        self._window = window(found.folder)
        self._no_words = {
            self._tokenizer.convert_tokens_to_ids(token)
            for name, token in self._tokenizer.special_tokens_map.items()
            if name in _NO_WORDS
        }
        self._lock = Lock()

    def outputs(self, texts: Sequence[str], sparse: bool = False, token_vectors: bool = False) -> M3Outputs:
        """Dense vectors of texts as one batch, and the further kinds that are asked for.

        Raises:
            ModelError: values are not numbers.
        """
        with self._lock, import_module("torch").no_grad():  # the tokenizer refuses a second thread
            inputs = self._tokenizer(
                list(texts), truncation=True, max_length=self._window, padding=True, return_tensors="pt"
            ).to(self._device)
            raw = self._network(inputs, return_dense=True, return_sparse=sparse, return_colbert_vecs=token_vectors)
            return M3Outputs(
                self._array(raw["dense_vecs"]),
                self._words(inputs, raw["sparse_vecs"]) if sparse else (),
                self._tokens(inputs, raw["colbert_vecs"]) if token_vectors else (),
            )

    def _words(self, inputs: Any, weights: Any) -> tuple[SparseVector, ...]:
        """A token that occurs several times in a text has the greatest of its weights."""
        rows = zip(inputs["input_ids"].tolist(), self._array(weights)[:, :, 0].tolist(), strict=True)
        return tuple(self._weighted(ids, row) for ids, row in rows)

    def _weighted(self, ids: list[int], weights: list[float]) -> SparseVector:
        greatest: dict[int, float] = {}
        for token, weight in zip(ids, weights, strict=True):
            if token not in self._no_words:
                greatest[token] = max(weight, greatest.get(token, 0.0))
        return sparse_vector(greatest)

    def _tokens(self, inputs: Any, vectors: Any) -> tuple[NDArray[np.float32], ...]:
        """Rows of a text's own tokens; the first token stands for the whole text and has none."""
        lengths = inputs["attention_mask"].sum(dim=1).tolist()
        return tuple(rows[: length - 1] for rows, length in zip(self._array(vectors), lengths, strict=True))

    def _array(self, tensor: Any) -> NDArray[np.float32]:
        array: NDArray[np.float32] = tensor.float().cpu().numpy()
        if not np.isfinite(array).all():
            raise ModelError(f"model {self._source} returned values that are not numbers (NaN or infinite)")
        return array


_in_use: WeakValueDictionary[Path, M3Model] = WeakValueDictionary()
_loading = Lock()


def load_m3(found: LocalModel, what: str) -> M3Model:
    """The model of a folder, one for all who use it at the same time: it takes more than two gigabytes.

    Raises:
        ModelUnavailableError: a file is damaged.
    """
    with _loading, loading(found.source, what):
        model = _in_use.get(found.folder)
        if model is None:
            model = _in_use[found.folder] = M3Model(found)
        return model
