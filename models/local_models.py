"""Models that run in this process through torch: which folder is meant, and what their failures mean."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from ..errors import ModelError, ModelUnavailableError

_COMPUTING_FAILURES = (RuntimeError, ValueError, IndexError, AttributeError)
"""What torch raises while computing: no memory left, or a text longer than the model has positions for.

AttributeError is FlagEmbedding's: it tries ever smaller batches, and fails itself on the empty one.
"""
_GAVE_UP = "too little memory, or a text longer than the model takes"
_NO_NETWORK = "without network, put the model into a folder and name the folder"
_UNKNOWN_TO_FLAG_EMBEDDING = (
    "FlagEmbedding knows models by the name of their folder: call it as the model is called, such as bge-m3"
    " or bge-large-zh-v1.5, or set `embeddings.provider` to sentence-transformers"
)


def model_source(model: str) -> str:
    """What to load: the full path of a folder, or a model's name at its source (`owner/name`).

    Raises:
        ModelUnavailableError: it can only be meant as a folder, and there is none. The libraries would take it
            for a name and ask the network.
    """
    folder = Path(model).expanduser()
    if folder.is_dir():
        return str(folder.resolve())
    looks_like_a_path = model.startswith((".", "~")) or "\\" in model or folder.is_absolute()
    if looks_like_a_path or model.strip("/").count("/") > 1:
        raise ModelUnavailableError(f"embedding model {model!r} cannot be loaded: there is no such folder")
    return model


@contextmanager
def loading(source: str) -> Iterator[None]:
    """Turns what the libraries raise on files that are absent, damaged or of another kind into one error.

    Raises:
        ModelUnavailableError: with the reason and what to do.
    """
    try:
        yield
    except _load_failures() as error:
        advice = _UNKNOWN_TO_FLAG_EMBEDDING if "model mapping" in str(error) else _NO_NETWORK
        raise ModelUnavailableError(
            f"embedding model {source!r} cannot be loaded ({_first_line(error)}); {advice}"
        ) from error


@contextmanager
def computing(name: str) -> Iterator[None]:
    """Turns what torch raises while it embeds into one error.

    Raises:
        ModelError: with the reason.
    """
    try:
        yield
    except _COMPUTING_FAILURES as error:
        reason = _GAVE_UP if isinstance(error, AttributeError) else _first_line(error)
        raise ModelError(f"embedding model {name} failed on these texts ({reason})") from error


def without_lone_surrogates(text: str) -> str:
    """Documents may hold half of a surrogate pair, which the tokenizers refuse."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _load_failures() -> tuple[type[Exception], ...]:
    known: tuple[type[Exception], ...] = (OSError, ValueError, KeyError, RuntimeError)
    if find_spec("safetensors") is None:
        return known
    # Weights that are cut short; this error has no other base than Exception.
    return (*known, import_module("safetensors").SafetensorError)


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
