"""Models that run in this process through torch: what their failures mean, and what their texts must be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pickle import UnpicklingError

from ..errors import MissingExtraError, ModelError, ModelUnavailableError

WINDOW = 512
"""Tokens that the BGE models were trained on as passages, and what FlagEmbedding cuts to."""
MOST_CHARACTERS = 32_768
"""More than any model here reads of one text; spares the tokenizers from megabytes."""

_COMPUTING_FAILURES = (RuntimeError, ValueError, IndexError, AttributeError)
"""What torch raises while computing: no memory left, or a text longer than the model has positions for.

AttributeError is FlagEmbedding's: it tries ever smaller batches, and fails itself on the empty one.
"""
_GAVE_UP = "too little memory, or a text longer than the model takes"


def need_extra(module: str, feature: str) -> None:
    """Makes sure that a package of the extra `bge` is installed.

    Raises:
        MissingExtraError: it is not.
    """
    if find_spec(module) is None:
        raise MissingExtraError(feature, "bge")


@contextmanager
def loading(source: str, what: str) -> Iterator[None]:
    """Turns what the libraries raise on files that are damaged or of another kind into one error.

    Raises:
        ModelUnavailableError: with the reason and what to do.
    """
    try:
        with _without_bars():
            yield
    except _load_failures() as error:
        raise ModelUnavailableError(
            f"{what} {source!r} cannot be loaded ({_first_line(error)}); a file may be damaged: fetch it again"
        ) from error


@contextmanager
def _without_bars() -> Iterator[None]:
    """Keeps transformers from drawing a bar of its own while it loads weights."""
    bars = import_module("transformers.utils.logging")
    shown = bars.is_progress_bar_enabled()
    bars.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            bars.enable_progress_bar()


@contextmanager
def computing(name: str, what: str = "embedding model") -> Iterator[None]:
    """Turns what torch raises while a model computes into one error.

    Raises:
        ModelError: with the reason.
    """
    try:
        yield
    except _COMPUTING_FAILURES as error:
        reason = _GAVE_UP if isinstance(error, AttributeError) else _first_line(error)
        raise ModelError(f"{what} {name} failed on these texts ({reason})") from error


def configuration(folder: Path) -> dict[str, object]:
    """What `config.json` says; nothing where it is absent or no mapping, which loading the model will tell."""
    try:
        read = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}


def window(folder: Path) -> int:
    """Tokens of one text, or of one pair, that are read; what is longer is cut at its end."""
    stated = configuration(folder)
    positions = stated.get("max_position_embeddings")
    if not isinstance(positions, int) or positions < 1:
        return WINDOW
    # RoBERTa counts positions from the one after its padding.
    unused = 2 if "roberta" in str(stated.get("model_type")) else 0
    return max(1, min(WINDOW, positions - unused))


def readable(text: str) -> str:
    """A text as the tokenizers take it: without halves of surrogate pairs, and not longer than any model reads."""
    return without_lone_surrogates(text[:MOST_CHARACTERS])


def without_lone_surrogates(text: str) -> str:
    """Documents may hold half of a surrogate pair, which the tokenizers refuse."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _load_failures() -> tuple[type[Exception], ...]:
    known: tuple[type[Exception], ...] = (OSError, ValueError, KeyError, RuntimeError, UnpicklingError, EOFError)
    if find_spec("safetensors") is None:
        return known
    # Weights that are cut short; this error has no other base than Exception.
    return (*known, import_module("safetensors").SafetensorError)


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
