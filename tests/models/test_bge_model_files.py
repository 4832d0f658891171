"""A model whose files are not here: which are missing, and how they are got, in seconds."""

from __future__ import annotations

import json
import shutil
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.small_models import (
    copied,
    needs_bge,
    offline,
    save_encoder,
    save_m3,
    save_reranker,
    save_sentence_transformer,
)
from veriloop.configs.embedding_settings import EmbeddingSettings
from veriloop.configs.rerank_settings import RerankSettings
from veriloop.errors import ModelUnavailableError
from veriloop.models.embeddings import make_embedder
from veriloop.models.rerankers import make_pair_scorer

pytestmark = needs_bge

USES = ["sentence-transformers", "flag-embedding", "flag", "cross-encoder", "bge-m3"]
EMBEDDERS = USES[:2]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "cache"
    with offline(folder):
        yield folder


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    save_m3(folder / "bge-m3")
    save_reranker(folder / "bge-reranker-v2-m3")
    save_sentence_transformer(save_encoder(tmp_path_factory.mktemp("parts") / "encoder"), folder / "sentences")
    return folder


def name_for(use: str) -> str:
    return "bge-reranker-v2-m3" if use in ("flag", "cross-encoder") else "bge-m3"


def load(use: str, model: Path | str) -> object:
    if use in EMBEDDERS:
        return make_embedder(EmbeddingSettings.model_validate({"provider": use, "model": str(model)}))
    return make_pair_scorer(RerankSettings.model_validate({"provider": use, "model": str(model)}))


def cached(model: Path, cache: Path, owner: str = "BAAI") -> Path:
    """The model as the hub's client leaves it in its cache."""
    repository = cache / f"models--{owner}--{model.name}"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text("0123abc", encoding="utf-8")
    return Path(shutil.copytree(model, repository / "snapshots" / "0123abc"))


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("missing", ["./no/bge-m3", "~/no such folder/bge-m3", "models/of/ours/bge-m3"])
def test_a_missing_folder_is_named(use: str, missing: str) -> None:
    with pytest.raises(ModelUnavailableError, match="there is no such folder") as caught:
        load(use, missing)
    assert missing in str(caught.value)


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize(
    ("gone", "named"),
    [
        (["config.json"], "config.json"),
        (["model.safetensors"], "weights (model.safetensors or pytorch_model.bin)"),
        (["tokenizer.json"], "a tokenizer (tokenizer.json, sentencepiece.bpe.model or vocab.txt)"),
        (["config.json", "tokenizer.json"], "config.json, a tokenizer (tokenizer.json,"),
    ],
)
def test_missing_files_of_a_folder_are_named(
    use: str, gone: list[str], named: str, models: Path, tmp_path: Path
) -> None:
    folder = copied(models / name_for(use), tmp_path)
    for name in gone:
        (folder / name).unlink()
    with pytest.raises(ModelUnavailableError) as caught:
        load(use, folder)
    assert f"the folder lacks {named}" in str(caught.value)
    assert f"hf download NAME --local-dir {folder}" in str(caught.value)


def test_missing_parts_of_split_weights_are_named(models: Path, tmp_path: Path) -> None:
    folder = copied(models / "bge-m3", tmp_path)
    (folder / "model.safetensors").rename(folder / "model-00001-of-00002.safetensors")
    parts = {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": parts}), encoding="utf-8")
    with pytest.raises(ModelUnavailableError, match=r"the folder lacks model-00002-of-00002\.safetensors;"):
        load("flag-embedding", folder)


def test_a_missing_part_of_a_sentence_transformers_model_is_named(models: Path, tmp_path: Path) -> None:
    folder = copied(models / "sentences", tmp_path)
    shutil.rmtree(folder / "1_Pooling")
    with pytest.raises(ModelUnavailableError, match="the folder lacks 1_Pooling/;"):
        load("sentence-transformers", folder)


@pytest.mark.parametrize("use", USES)
def test_a_name_that_is_not_in_the_cache_says_where_it_was_sought_and_how_to_get_it(use: str, cache: Path) -> None:
    name = f"BAAI/{name_for(use)}"
    with pytest.raises(ModelUnavailableError) as caught:
        load(use, name)
    for part in (f"{name!r} cannot be loaded", f"local cache ({cache})", "HF_HUB_OFFLINE", f"hf download {name} "):
        assert part in str(caught.value)


def connections(server: socket.socket) -> int:
    """How many have called so far."""
    server.setblocking(False)
    count = 0
    with ExitStack() as opened:
        while True:
            try:
                opened.enter_context(server.accept()[0])
            except BlockingIOError:
                return count
            count += 1


@pytest.mark.parametrize("answers", [False, True])
@pytest.mark.parametrize("use", ["flag-embedding", "flag"])
def test_without_network_a_name_is_asked_for_once_and_not_again(
    use: str, answers: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.setattr("veriloop.models.model_files.PROBE_SECONDS", 0.5)
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        if answers:  # takes connections, and then is silent; otherwise it refuses them
            server.listen()
        endpoint = f"http://127.0.0.1:{server.getsockname()[1]}"
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", endpoint)
        with pytest.raises(ModelUnavailableError, match=r"it cannot be fetched .*then bring this folder here"):
            load(use, f"BAAI/{name_for(use)}")
        assert not answers or connections(server) == 1


@pytest.mark.parametrize("use", USES)
def test_a_model_in_the_cache_is_loaded_without_network_and_keeps_its_name(use: str, models: Path, cache: Path) -> None:
    cached(models / name_for(use), cache)
    loaded = load(use, f"BAAI/{name_for(use)}")
    assert getattr(loaded, "name", None) == f"{use}:BAAI/{name_for(use)}"


def test_a_name_without_an_owner_is_that_of_sentence_transformers(models: Path, cache: Path) -> None:
    cached(models / "sentences", cache, owner="sentence-transformers")
    loaded = load("sentence-transformers", "sentences")
    assert getattr(loaded, "name", None) == "sentence-transformers:sentence-transformers/sentences"


@pytest.mark.parametrize("name", ["a b/c", "--/..", "模型/名称"])
def test_what_cannot_be_a_name_is_refused_without_asking_anybody(name: str, cache: Path) -> None:
    with pytest.raises(ModelUnavailableError, match="cannot be loaded"):
        load("sentence-transformers", name)


def test_a_cached_model_that_is_not_complete_is_fetched_again(
    models: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = cached(models / "bge-m3", cache)
    (folder / "model.safetensors").unlink()
    with pytest.raises(ModelUnavailableError, match=r"in the local cache .* it lacks weights"):
        load("flag-embedding", "BAAI/bge-m3")

    def download(name: str, **options: object) -> str:
        assert name == "BAAI/bge-m3"
        shutil.copy(models / "bge-m3" / "model.safetensors", folder)
        return str(folder)

    answer: Callable[..., object] = lambda *_a, **_o: type("Info", (), {"siblings": None})()  # noqa: E731
    monkeypatch.setattr("veriloop.models.model_files._check_reachable", lambda _hub, _name: None)
    monkeypatch.setattr("huggingface_hub.HfApi.model_info", answer)
    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    assert getattr(load("flag-embedding", "BAAI/bge-m3"), "name", None) == "flag-embedding:BAAI/bge-m3"
