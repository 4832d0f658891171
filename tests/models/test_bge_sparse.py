"""The sparse vectors of BGE-M3 through the real FlagEmbedding, with a model of random weights."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.small_models import SIZE, TEXTS, copied, needs_bge, offline, save_encoder, save_m3
from veriloop.configs.embedding_settings import EmbeddingSettings
from veriloop.errors import ModelError, ModelUnavailableError, SettingsError
from veriloop.knowledge.sparse import SparseVector, dot
from veriloop.models.embeddings import TextEmbedder, make_embedder

pytestmark = needs_bge


@pytest.fixture(scope="module", autouse=True)
def _offline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with offline(tmp_path_factory.mktemp("cache")):
        yield


@pytest.fixture(scope="module")
def m3(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_m3(tmp_path_factory.mktemp("models") / "bge-m3")


def made(model: Path, **fields: object) -> TextEmbedder:
    given = {"provider": "flag-embedding", "model": str(model), "sparse": True, **fields}
    embedder = make_embedder(EmbeddingSettings.model_validate(given))
    assert embedder is not None
    return embedder


def by_token(vector: SparseVector) -> dict[str, float]:
    return dict(zip(map(str, vector.token_ids.tolist()), vector.weights.tolist(), strict=True))


def test_sparse_vectors_are_those_of_flag_embeddings_own_encode(m3: Path) -> None:
    from FlagEmbedding import BGEM3FlagModel

    model: Any = BGEM3FlagModel(str(m3), use_fp16=False)
    own = model.encode(TEXTS, return_sparse=True)
    embedder = made(m3, batch_size=2)
    assert embedder.gives_sparse
    encoded = embedder.encode_passages(TEXTS)
    assert encoded.sparse is not None
    assert np.allclose(encoded.dense, own["dense_vecs"], atol=1e-5)
    for vector, weights in zip(encoded.sparse, own["lexical_weights"], strict=True):
        assert vector.token_ids.dtype == np.int32 and vector.weights.dtype == np.float32
        assert (np.diff(vector.token_ids) > 0).all()
        assert by_token(vector) == pytest.approx(dict(weights), abs=1e-5)
    left, right = own["lexical_weights"][:2]
    assert dot(*encoded.sparse[:2]) == pytest.approx(model.compute_lexical_matching_score(left, right), abs=1e-5)


@pytest.mark.parametrize("question", ["验收期限是多久？", "How much may a hotel cost?", "期限" * 5_000, "？", ""])
def test_a_question_is_encoded_as_one_row(question: str, m3: Path) -> None:
    embedder = made(m3)
    encoded = embedder.encode_query(question)
    assert encoded.dense.shape == (1, SIZE)
    assert np.allclose(encoded.dense[0], embedder.embed_query(question), atol=1e-5)
    assert encoded.sparse is not None and len(encoded.sparse) == 1


def test_no_texts_give_no_rows_and_no_sparse_vectors(m3: Path) -> None:
    encoded = made(m3).encode_passages([])
    assert encoded.dense.shape == (0, SIZE)
    assert encoded.sparse == ()


def test_sparse_vectors_are_made_only_where_the_settings_ask_for_them(m3: Path) -> None:
    embedder = made(m3, sparse=False)
    assert not embedder.gives_sparse
    assert embedder.encode_passages(TEXTS).sparse is None
    assert embedder.encode_query("验收").sparse is None


def test_a_model_tuned_from_bge_m3_is_known_by_its_files(m3: Path, tmp_path: Path) -> None:
    tuned = copied(m3, tmp_path).rename(tmp_path / "our-model")
    assert np.allclose(made(tuned).embed_query("验收"), made(m3).embed_query("验收"), atol=1e-6)
    assert made(tuned).gives_sparse


@pytest.mark.parametrize("head", ["sparse_linear.pt", "colbert_linear.pt"])
def test_without_a_file_of_the_sparse_vectors_they_are_refused_not_drawn_at_random(
    head: str, m3: Path, tmp_path: Path
) -> None:
    folder = copied(m3, tmp_path)
    (folder / head).unlink()
    with pytest.raises(ModelUnavailableError, match=rf"the folder lacks {head};"):
        made(folder)
    assert made(folder, sparse=False).embed_query("验收").shape == (SIZE,)
    (folder / head).write_bytes(b"no weights")
    with pytest.raises(ModelUnavailableError, match="cannot be loaded"):
        made(folder)


@pytest.mark.parametrize("provider", ["flag-embedding", "sentence-transformers"])
def test_a_model_without_sparse_vectors_says_which_has_them(provider: str, tmp_path: Path) -> None:
    folder = save_encoder(tmp_path / "bge-small-zh-v1.5")
    with pytest.raises(SettingsError, match=r"makes no sparse vectors; .*embeddings\.model to BAAI/bge-m3"):
        made(folder, provider=provider)


def test_weights_of_words_that_are_not_numbers_are_refused(m3: Path, tmp_path: Path) -> None:
    import torch

    folder = copied(m3, tmp_path)
    spoilt = {
        name: torch.full_like(tensor, torch.nan) for name, tensor in torch.load(folder / "sparse_linear.pt").items()
    }
    torch.save(spoilt, folder / "sparse_linear.pt")
    with pytest.raises(ModelError, match="not numbers"):
        made(folder).encode_passages(["质量保证期", "warranty"])
