"""The local embedders through the real sentence-transformers and FlagEmbedding, with models of random weights.

Such a model finds nothing by meaning; what is proved here is that vectors come out as the library needs them.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from support.documents import filled, lexical_settings
from support.small_models import (
    SIZE,
    TEXTS,
    copied,
    needs_bge,
    offline,
    save_encoder,
    save_m3,
    save_sentence_transformer,
    spoil_weights,
)
from veriloop import Library
from veriloop.configs import Settings
from veriloop.configs.embedding_settings import EmbeddingSettings
from veriloop.errors import ModelError, ModelUnavailableError, SettingsError
from veriloop.models.embeddings import TextEmbedder, make_embedder

pytestmark = needs_bge

CASES = [
    ("sentence-transformers", "sentences"),
    ("sentence-transformers", "bge-m3"),
    ("flag-embedding", "bge-m3"),
    ("flag-embedding", "bge-small-zh-v1.5"),
]
PROVIDERS = ["sentence-transformers", "flag-embedding"]


@pytest.fixture(scope="module", autouse=True)
def _offline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with offline(tmp_path_factory.mktemp("cache")):
        yield


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one small model for each case."""
    folder = tmp_path_factory.mktemp("models")
    small = save_encoder(folder / "bge-small-zh-v1.5")
    save_m3(folder / "bge-m3")
    save_sentence_transformer(small, folder / "sentences")
    return folder


def settings_of(provider: str, model: Path | str, **fields: object) -> EmbeddingSettings:
    return EmbeddingSettings.model_validate({"provider": provider, "model": str(model), **fields})


def made(provider: str, model: Path | str, **fields: object) -> TextEmbedder:
    embedder = make_embedder(settings_of(provider, model, **fields))
    assert embedder is not None
    return embedder


@pytest.mark.parametrize(("provider", "name"), CASES)
def test_vectors_have_the_models_size_and_length_one(provider: str, name: str, models: Path) -> None:
    embedder = made(provider, models / name, dimension=SIZE)
    vectors = embedder.embed_passages(TEXTS)
    assert vectors.shape == (len(TEXTS), SIZE)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert embedder.embed_query("验收期限是多久？").shape == (SIZE,)
    assert embedder.embed_passages([]).shape == (0, SIZE)
    assert np.abs(vectors[0] - vectors[1]).max() > 1e-3


@pytest.mark.parametrize(("provider", "name"), CASES)
def test_batches_give_the_vectors_of_single_calls(
    provider: str, name: str, models: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    embedder = made(provider, models / name, batch_size=2)
    capfd.readouterr()
    together = embedder.embed_passages(TEXTS)
    assert capfd.readouterr().err == ""  # no progress bars in the middle of ours
    apart = np.concatenate([embedder.embed_passages([text]) for text in TEXTS])
    assert np.allclose(together, apart, atol=1e-5)


@pytest.mark.parametrize(("provider", "name"), CASES)
@pytest.mark.parametrize("instruction", ["为这个句子生成表示：", "Represent this sentence: "])
def test_the_instruction_changes_questions_only(provider: str, name: str, instruction: str, models: Path) -> None:
    plain = made(provider, models / name, query_instruction="")
    instructed = made(provider, models / name, query_instruction=instruction)
    assert np.allclose(plain.embed_passages(TEXTS), instructed.embed_passages(TEXTS), atol=1e-6)
    question = TEXTS[0]
    assert np.allclose(instructed.embed_query(question), plain.embed_query(instruction + question), atol=1e-6)
    assert np.abs(instructed.embed_query(question) - plain.embed_query(question)).max() > 1e-4


@pytest.mark.parametrize("provider", PROVIDERS)
def test_left_out_the_instruction_is_the_one_that_the_model_documents(provider: str, models: Path) -> None:
    question, model = TEXTS[0], models / "bge-small-zh-v1.5"
    plain = made(provider, model, query_instruction="")
    expected = plain.embed_query("为这个句子生成表示以用于检索相关文章：" + question)
    assert np.allclose(made(provider, model).embed_query(question), expected, atol=1e-6)
    assert np.allclose(made(provider, model).embed_passages([question]), plain.embed_passages([question]), atol=1e-6)
    m3 = made(provider, models / "bge-m3")
    assert np.allclose(m3.embed_query(question), m3.embed_passages([question])[0], atol=1e-6)


@pytest.mark.parametrize(("provider", "name"), CASES)
def test_awkward_texts_are_embedded_by_several_threads_at_once(provider: str, name: str, models: Path) -> None:
    embedder = made(provider, models / name)
    texts = ["a\0b", "\ud800", "长" * 5_000, "\n", "𠮷野家", *TEXTS] * 3
    expected = [embedder.embed_query(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert np.allclose(list(pool.map(embedder.embed_query, texts)), expected, atol=1e-5)


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("damaged", ["model.safetensors", "tokenizer.json", "config.json"])
def test_a_damaged_model_is_refused_by_its_folder(provider: str, damaged: str, models: Path, tmp_path: Path) -> None:
    folder = copied(models / "bge-m3", tmp_path)
    (folder / damaged).write_bytes(b"{}")
    with pytest.raises(ModelUnavailableError, match=r"cannot be loaded .*damaged") as caught:
        make_embedder(settings_of(provider, folder))
    assert str(folder) in str(caught.value)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_model_whose_weights_are_not_numbers_is_refused(provider: str, models: Path, tmp_path: Path) -> None:
    folder = spoil_weights(copied(models / "bge-m3", tmp_path))
    with pytest.raises(ModelError, match="not numbers"):
        made(provider, folder).embed_passages(["质量保证期", "warranty"])


def test_a_folder_whose_name_flag_embedding_does_not_know_is_explained(models: Path) -> None:
    with pytest.raises(ModelUnavailableError, match=r"such as bge-m3 .*provider` to sentence-transformers"):
        make_embedder(settings_of("flag-embedding", models / "sentences"))


@pytest.mark.parametrize("name", ["bge-small-en-v1.5", "bge-m3"])
def test_a_text_longer_than_the_model_reads_is_cut(name: str, tmp_path: Path) -> None:
    embedder = made("flag-embedding", save_encoder(tmp_path / name, positions=20), query_instruction="")
    beginning, longer = embedder.embed_passages(["x" * 16, "x" * 16 + "长" * 100_000])
    assert np.allclose(beginning, longer, atol=1e-5)
    assert embedder.embed_query("期限？" * 5_000).shape == (SIZE,)


@pytest.mark.parametrize("name", ["bge-small-zh-v1.5", "bge-m3"])
def test_vectors_are_those_of_flag_embeddings_own_encode(name: str, models: Path) -> None:
    from FlagEmbedding import FlagAutoModel

    own = FlagAutoModel.from_finetuned(str(models / name), use_fp16=False).encode(TEXTS)
    expected = own["dense_vecs"] if isinstance(own, dict) else own
    assert np.allclose(made("flag-embedding", models / name).embed_passages(TEXTS), expected, atol=1e-5)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_model_of_another_size_than_stated_is_refused(provider: str, models: Path) -> None:
    with pytest.raises(ModelError, match="has 32 dimensions, the settings say 1024"):
        made(provider, models / "bge-m3", dimension=1024)


def test_a_folder_has_one_name_however_it_is_written(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(models)
    written = [f"{models}/bge-m3", f"{models}/bge-m3/", "bge-m3", "./bge-m3"]
    assert {made("flag-embedding", model).name for model in written} == {f"flag-embedding:{models / 'bge-m3'}"}


def with_embeddings(embeddings: EmbeddingSettings) -> Settings:
    return lexical_settings().model_copy(update={"embeddings": embeddings})


@pytest.mark.parametrize(("provider", "name"), CASES)
def test_a_library_is_searched_with_these_vectors_and_refuses_another_models(
    provider: str, name: str, models: Path, tmp_path: Path
) -> None:
    with filled(tmp_path, settings=with_embeddings(settings_of(provider, models / name))) as library:
        progress = library.embed()
        assert progress.done == progress.total > 0
        for question in ("验收期限是多久？", "How much may a hotel cost?"):
            result = library.search(question)
            assert result.vectors_used
            assert result.hits
    others = [case for case in CASES if case != (provider, name)]
    for other_provider, other_name in others:
        other = with_embeddings(settings_of(other_provider, models / other_name))
        with Library.open(tmp_path / "library", other) as library:
            with pytest.raises(SettingsError, match=r"made by .* these settings ask for"):
                library.embed()
            assert not library.search("验收期限是多久？").vectors_used
