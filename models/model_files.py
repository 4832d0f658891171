"""Where the files of a local model lie, which of them are missing, and how they are fetched by the model's name."""

from __future__ import annotations

import json
import ssl
import sys
import urllib.error
import urllib.request
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import ModelUnavailableError

_WEIGHTS = ("model.safetensors", "model.safetensors.index.json", "pytorch_model.bin", "pytorch_model.bin.index.json")
_TOKENIZERS = (
    "tokenizer.json",
    "sentencepiece.bpe.model",
    "spiece.model",
    "tokenizer.model",
    "vocab.txt",
    "vocab.json",
)
_TRANSFORMER = "Transformer"
"""The last part of the type, in `modules.json`, of the module that has a configuration, weights and a tokenizer."""
_OTHER_FRAMEWORKS = ("onnx/*", "openvino/*", "*.onnx*", "*.msgpack", "*.h5", "*.ot", "*.gguf")
_DOUBLED_WEIGHTS = ("pytorch_model*.bin", "pytorch_model*.bin.index.json")
PROBE_SECONDS = 5.0
"""How long a server may take to answer at all; the libraries' own patience adds up to minutes."""


class LocalModel(NamedTuple):
    """A model as the user named it (the full path of a folder, or a name at its source), and its folder."""

    source: str
    folder: Path


def missing_files(folder: Path, needed: tuple[str, ...] = ()) -> tuple[str, ...]:
    """What a folder lacks to be loaded as a model, each as it is to be named to the user; nothing if complete.

    Args:
        folder: a folder of a transformers or sentence-transformers model.
        needed: further files that the use of it calls for.
    """
    listed = _listed_modules(folder)
    absent = [name for name in needed if not (folder / name).is_file()]
    for module in listed:
        place = str(module["path"])
        if str(module["type"]).rpartition(".")[2] == _TRANSFORMER:
            absent += [f"{place}/{name}" if place else name for name in _missing_of_transformer(folder / place)]
        elif not (folder / place).is_dir():
            absent.append(f"{place}/")
    return tuple(absent) if listed else (*absent, *_missing_of_transformer(folder))


def _listed_modules(folder: Path) -> list[dict[str, Any]]:
    """The parts of a sentence-transformers model; none where the list is absent or not readable as one."""
    try:
        modules = json.loads((folder / "modules.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    usable = isinstance(modules, list) and all(isinstance(m, dict) and {"path", "type"} <= m.keys() for m in modules)
    return modules if usable else []


def _missing_of_transformer(folder: Path) -> list[str]:
    absent = [] if (folder / "config.json").is_file() else ["config.json"]
    weights = next((folder / name for name in _WEIGHTS if (folder / name).is_file()), None)
    if weights is None:
        absent.append(f"weights ({_WEIGHTS[0]} or {_WEIGHTS[2]})")
    elif weights.suffix == ".json":
        absent += [name for name in _shards(weights) if not (folder / name).is_file()]
    if not any((folder / name).is_file() for name in _TOKENIZERS):
        absent.append(f"a tokenizer ({', '.join(_TOKENIZERS[:2])} or vocab.txt)")
    return absent


def _shards(index: Path) -> list[str]:
    """Files that large weights are split into; none if their list is damaged, which loading them will tell."""
    try:
        listed = json.loads(index.read_text(encoding="utf-8"))["weight_map"]
        return sorted({str(name) for name in listed.values()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return []


def local_model(model: str, what: str, owner: str = "", needed: tuple[str, ...] = ()) -> LocalModel:
    """Finds the files of a model: in its folder, in the cache of the hub, and only then over the network.

    Args:
        model: a folder, or a name at its source.
        what: what it is, for messages, such as "embedding model".
        owner: whose models are meant by a name without an owner.
        needed: files that the use of it calls for beside those of every model.

    Raises:
        ModelUnavailableError: files are missing; the message names them, or the cache, and says how to get them.
    """
    folder = Path(model).expanduser()
    if folder.is_dir():
        return _in_folder(folder.resolve(), what, needed)
    looks_like_a_path = model.startswith((".", "~")) or "\\" in model or folder.is_absolute()
    if looks_like_a_path or model.strip("/").count("/") > 1:
        raise ModelUnavailableError(f"{what} {model!r} cannot be loaded: there is no such folder")
    return _by_name(model if "/" in model or not owner else f"{owner}/{model}", what, needed)


def _in_folder(folder: Path, what: str, needed: tuple[str, ...]) -> LocalModel:
    absent = missing_files(folder, needed)
    if absent:
        raise ModelUnavailableError(
            f"{what} {str(folder)!r} cannot be loaded: the folder lacks {', '.join(absent)}; copy them from where the"
            f" model comes from, or get all with: hf download NAME --local-dir {folder}"
        )
    return LocalModel(str(folder), folder)


def _by_name(name: str, what: str, needed: tuple[str, ...]) -> LocalModel:
    hub = import_module("huggingface_hub")
    found = _cached(hub, name)
    lacking = missing_files(found, needed) if found else ()
    if found and not lacking:
        return LocalModel(name, found)
    try:
        fetched = _fetched(hub, name)
    except _network_failures() as error:
        place = f"the local cache ({hub.constants.HF_HUB_CACHE})"
        where = f"in {place} it lacks {', '.join(lacking)}" if lacking else f"it is not in {place}"
        raise ModelUnavailableError(_not_fetched(name, f"{what} {name!r} cannot be loaded: {where}", error)) from error
    absent = missing_files(fetched, needed)
    if absent:
        raise ModelUnavailableError(f"{what} {name!r} cannot be loaded: its source lacks {', '.join(absent)}")
    return LocalModel(name, fetched)


def _cached(hub: Any, name: str) -> Path | None:
    """The folder of the cache that holds this model, complete or not."""
    for file in ("config.json", "modules.json"):
        try:
            path = hub.try_to_load_from_cache(name, file)
        except ValueError:  # no name of a model; asking for it will say so
            return None
        if isinstance(path, str):
            return Path(path).parent
    return None


def _fetched(hub: Any, name: str) -> Path:
    _check_reachable(hub, name)
    files = {sibling.rfilename for sibling in hub.HfApi().model_info(name, timeout=PROBE_SECONDS).siblings or ()}
    doubled = _DOUBLED_WEIGHTS if files & set(_WEIGHTS[:2]) else ()
    return Path(hub.snapshot_download(name, ignore_patterns=[*_OTHER_FRAMEWORKS, *doubled]))


def _check_reachable(hub: Any, name: str) -> None:
    """One short request: a server that refuses it is there all the same, and its own client knows what to say.

    Raises:
        OSError: nothing answers.
    """
    constants = hub.constants
    if constants.HF_HUB_OFFLINE:
        raise OSError("HF_HUB_OFFLINE is set")
    try:
        urllib.request.urlopen(f"{constants.ENDPOINT}/api/models/{name}", timeout=PROBE_SECONDS).close()
    except urllib.error.HTTPError as refusal:
        refusal.close()
    except urllib.error.URLError as error:
        if not isinstance(error.reason, ssl.SSLError):  # the hub's client may know other certificates
            raise


def _network_failures() -> tuple[type[Exception], ...]:
    """The hub raises errors of its own, which are of these, and those of the HTTP client of its version."""
    clients = [sys.modules[name] for name in ("requests", "httpx", "httpx2") if name in sys.modules]
    return (OSError, ValueError, *(client.HTTPError for client in clients))


def _not_fetched(name: str, what_failed: str, error: Exception) -> str:
    reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
    return (
        f"{what_failed} and it cannot be fetched ({reason}); on a machine with network run: hf download {name}"
        f" --local-dir {name.rpartition('/')[2]} – then bring this folder here and set `model` to the folder"
    )
