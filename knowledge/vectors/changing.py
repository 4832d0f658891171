"""Changes the model of a library's vectors: new ones are made beside the old ones, which serve until all are there."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import NamedTuple

from ...errors import UsageError
from ..store import VectorProgress, VectorStore
from .floor import VectorFloor, stored_floor
from .making import Progress, make_missing
from .protocol import Embedder


class ModelChange(NamedTuple):
    """How far a change of the model is."""

    model: str
    progress: VectorProgress
    """Passages that have a vector of the new model."""
    is_active: bool
    """Whether searches use the new model now."""


class VectorState(NamedTuple):
    """Which vectors a library has."""

    model: str
    next_model: str | None
    """Whose vectors are being made beside those."""
    floor: VectorFloor | None


def vector_state(store: VectorStore) -> VectorState | None:
    """Which vectors are there; None while there are none."""
    active = store.active()
    return None if active is None else VectorState(active.model, store.next_model(), stored_floor(store))


def change_model(
    store: VectorStore,
    embedder: Embedder,
    batch: int,
    writing: Callable[[], AbstractContextManager[None]],
    *,
    seconds: float | None,
    progress: Progress | None,
) -> ModelChange:
    """Make the vectors of another model, and search with it once all passages have one.

    Each batch is kept: whenever this is stopped, calling it again goes on. Documents may be added meanwhile: an
    addition makes the vectors of the model that its settings name, of the two; here follow those of the new model that
    are missing, the last ones while nobody else may write, so that the switch finds every passage with one.

    Args:
        store: the vectors of the library.
        embedder: the new model.
        batch: passages a transaction.
        writing: keeps other writers out, for the last passages and the switch.
        seconds: stop after the batch in which this time ran out; None: go on to the end.
        progress: told after each batch.

    Raises:
        UsageError: vectors of a third model are being made.
        ModelError: the model failed or returned no vectors; what was made before is kept.
        LibraryBusyError: another writer did not finish in time; the vectors are kept.
    """
    active = store.active()
    if active is None or active.model == embedder.name:
        made = make_missing(store, embedder, batch, seconds=seconds, progress=progress)
        return ModelChange(embedder.name, made, is_active=True)
    unfinished = store.next_model()
    if unfinished not in (None, embedder.name):
        raise UsageError(
            f"vectors of {unfinished} are being made already: finish them with its settings, or drop them with: "
            "veriloop reindex --abandon"
        )
    store.begin(embedder.name)
    made = make_missing(store, embedder, batch, seconds=seconds, progress=progress)
    if made.done < made.total:
        return ModelChange(embedder.name, made, is_active=False)
    with writing():
        made = make_missing(store, embedder, batch, seconds=None, progress=progress)
        return ModelChange(embedder.name, made, is_active=store.activate(embedder.name))


def unused_vectors(store: VectorStore, embedder: Embedder | None) -> str | None:
    """Why searches with this embedder do not use the vectors that are there, in a sentence; None where they do."""
    active = store.active()
    if active is None or embedder is None or active.model == embedder.name:
        return None
    what = f"the vectors here were made by {active.model}, these settings ask for {embedder.name}: search goes by words"
    if store.next_model() != embedder.name:
        return f"{what}; use the settings it was made with, or make new vectors with: veriloop reindex"
    done, total = store.progress(embedder.name)
    return f"{what} until its vectors are complete ({done:,} of {total:,}); go on with: veriloop reindex"
