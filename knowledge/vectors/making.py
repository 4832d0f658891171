"""Makes the vectors that are missing, batch by batch; each batch is kept, whatever happens later."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np

from ...errors import ModelError
from ..searchable import searchable_text
from ..sparse import Encoded
from ..store import PendingPassage, VectorProgress, Vectors, VectorStore
from ..store.pending import pending_batches
from .protocol import Embedder, gives_sparse

Progress = Callable[[VectorProgress], None]
_BATCHES_SORTED = 8
"""Batches that are taken together, so that texts of about one length share a batch: torch pads to the longest."""


def make_missing(
    store: VectorStore, embedder: Embedder, batch: int, *, seconds: float | None, progress: Progress | None
) -> VectorProgress:
    """Make vectors for the passages that have none of this model.

    Args:
        store: where they are missing.
        embedder: makes them.
        batch: passages a transaction.
        seconds: stop after the batch in which this time ran out; None: go on to the end.
        progress: told after each batch.

    Raises:
        ModelError: the model failed, or returned something else than vectors; nothing of that batch was stored.
        LibraryError: other vectors have become the active ones meanwhile.
    """
    sparse = gives_sparse(embedder)
    end = None if seconds is None else time.monotonic() + seconds
    done, total = store.progress(embedder.name, sparse=sparse)
    following = partial(_following, store, embedder.name, batch * _BATCHES_SORTED, sparse)
    for texts in chain.from_iterable(_batches(pending, batch) for pending in pending_batches(following)):
        if end is not None and time.monotonic() >= end:
            break
        encoded = encode_checked(embedder, [one.text for one in texts], store.dimension(embedder.name))
        store.put(embedder.name, [one.search_hash for one in texts], encoded)
        # Counting anew would look at every passage; this misses only those that share their text with another.
        done = min(done + sum(one.passages for one in texts), total)
        if progress is not None:
            progress(VectorProgress(done, total))
    return store.progress(embedder.name, sparse=sparse)


class _Text(NamedTuple):
    """A text without a vector, and how many of the passages that were looked at have it."""

    search_hash: str
    text: str
    passages: int


def _following(store: VectorStore, model: str, count: int, sparse: bool, after: int) -> list[PendingPassage]:
    return store.without(model, count, after=after, sparse=sparse)


def _batches(pending: Sequence[PendingPassage], size: int) -> Iterator[Sequence[_Text]]:
    """Each text once, texts of about one length together."""
    counts = Counter(passage.search_hash for passage in pending)
    found = {passage.search_hash: passage.found for passage in pending}
    texts = [
        _Text(search_hash, searchable_text(one.document, one.block, one.passage), counts[search_hash])
        for search_hash, one in found.items()
    ]
    texts.sort(key=lambda one: len(one.text))
    return (texts[start : start + size] for start in range(0, len(texts), size))


def encode_checked(embedder: Embedder, texts: Sequence[str], dimension: int | None) -> Encoded:
    """What the model makes of texts: one vector of numbers each, all of one size.

    Args:
        embedder: the model.
        texts: at least one.
        dimension: of the vectors that the library has of this model already; None: there are none.

    Raises:
        ModelError: the model failed or returned something else.
    """
    if gives_sparse(embedder):
        encoded = embedder.encode_passages(texts)
    else:
        encoded = Encoded(embedder.embed_passages(texts), None)
    dense = _checked(encoded.dense, len(texts), dimension or embedder.dimension, embedder.name)
    if encoded.sparse is not None and not _are_sound(encoded, len(texts)):
        raise ModelError(f"embedding model {embedder.name} returned unusable sparse vectors: check the model")
    return Encoded(dense, encoded.sparse)


def _checked(rows: Vectors, count: int, dimension: int, model: str) -> Vectors:
    vectors = np.asarray(rows)
    if vectors.shape != (count, dimension):
        raise ModelError(
            f"embedding model {model} returned an array of shape {vectors.shape}, expected {(count, dimension)}: "
            "check the model; if it is another one now, make new vectors with: veriloop reindex --embeddings"
        )
    if not np.isfinite(vectors).all():
        raise ModelError(
            f"embedding model {model} returned values that are not numbers (NaN or infinite): check the model; "
            "the vectors made before are kept, veriloop index goes on from there"
        )
    return vectors.astype(np.float32, copy=False)


def _are_sound(encoded: Encoded, count: int) -> bool:
    vectors = encoded.sparse or ()
    return len(vectors) == count and all(
        len(one.token_ids) == len(one.weights) and bool(np.isfinite(one.weights).all()) for one in vectors
    )


def encode_query(embedder: Embedder, query: str, dimension: int | None, *, sparse: bool = False) -> Encoded:
    """A question's vector for an index of vectors of this size, one row.

    Args:
        embedder: the model.
        query: the question.
        dimension: of the vectors to compare it with (`FaissIndex.dimension`); None: there are none.
        sparse: whether the sparse vector is wanted, too, if the model gives one.

    Raises:
        ModelError: the model failed, or returned something else than a vector of this size.
    """
    if sparse and gives_sparse(embedder):
        encoded = embedder.encode_query(query)
    else:
        encoded = Encoded(np.asarray(embedder.embed_query(query)).reshape(1, -1), None)
    dense = _checked(encoded.dense, 1, dimension or embedder.dimension, embedder.name)
    return Encoded(dense, encoded.sparse if _are_sound(encoded, 1) else None)
