"""The local embedders through the real sentence-transformers and FlagEmbedding, with models of random weights.

Such a model finds nothing by meaning; what is proved here is that vectors come out as the library needs them.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.documents import filled, lexical_settings
from veriloop import Library
from veriloop.configs import Settings
from veriloop.configs.embedding_settings import EmbeddingSettings
from veriloop.errors import ModelError, ModelUnavailableError, SettingsError
from veriloop.models.embeddings import TextEmbedder, make_embedder

pytestmark = [
    pytest.mark.slow,  # importing torch and transformers alone takes ten seconds
    pytest.mark.extras,
    pytest.mark.skipif(
        find_spec("FlagEmbedding") is None or find_spec("sentence_transformers") is None,
        reason="needs the extra `bge`: pip install -e '.[bge]'",
    ),
]

SIZE = 32
TEXTS = [
    "甲方应当自收到验收申请之日起10个工作日内组织验收。",
    "Employees may spend at most 120 EUR per night on a hotel.",
    "质量保证期为24个月。",
    "Receipts " * 300,
    "",
]
CASES = [
    ("sentence-transformers", "sentences"),
    ("sentence-transformers", "bge-m3"),
    ("flag-embedding", "bge-m3"),
    ("flag-embedding", "bge-small-zh-v1.5"),
]
PROVIDERS = ["sentence-transformers", "flag-embedding"]


def _tokenizer() -> Any:
    """One token for each character, as a XLM-RoBERTa reads them."""
    import tokenizers
    from transformers import PreTrainedTokenizerFast

    special = ["<s>", "<pad>", "</s>", "<unk>"]
    characters = [chr(code) for code in range(33, 127)] + sorted(set("".join(TEXTS)) - set(map(chr, range(127))))
    vocabulary = {token: number for number, token in enumerate(special + characters)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Split(tokenizers.Regex(r"\S"), "isolated")
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    names = {"bos_token": "<s>", "cls_token": "<s>", "eos_token": "</s>", "sep_token": "</s>"}
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="<unk>", pad_token="<pad>", model_max_length=512, **names
    )


def _save_encoder(folder: Path, positions: int = 514) -> Path:
    import torch
    from transformers import XLMRobertaConfig, XLMRobertaModel

    torch.manual_seed(20260101)
    tokenizer = _tokenizer()
    config = XLMRobertaConfig(
        vocab_size=len(tokenizer),
        hidden_size=SIZE,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=2 * SIZE,
        max_position_embeddings=positions,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
    )
    XLMRobertaModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _add_m3_heads(folder: Path) -> None:
    """BGE-M3 has two more outputs, in files of their own."""
    import torch

    torch.save(torch.nn.Linear(SIZE, SIZE).state_dict(), folder / "colbert_linear.pt")
    torch.save(torch.nn.Linear(SIZE, 1).state_dict(), folder / "sparse_linear.pt")


def _save_sentence_transformer(encoder: Path, folder: Path) -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer

    modules = [Transformer(str(encoder)), Pooling(SIZE, "mean")]
    SentenceTransformer(modules=modules, device="cpu").save(str(folder))


@pytest.fixture(scope="module", autouse=True)
def _offline() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        # Where another test has imported it already, the variable is not read again.
        patch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
        yield


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one small model for each case."""
    folder = tmp_path_factory.mktemp("models")
    small = _save_encoder(folder / "bge-small-zh-v1.5")
    _add_m3_heads(_save_encoder(folder / "bge-m3"))
    _save_sentence_transformer(small, folder / "sentences")
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
    plain, instructed = made(provider, models / name), made(provider, models / name, query_instruction=instruction)
    assert np.allclose(plain.embed_passages(TEXTS), instructed.embed_passages(TEXTS), atol=1e-6)
    question = TEXTS[0]
    assert np.allclose(instructed.embed_query(question), plain.embed_query(instruction + question), atol=1e-6)
    assert np.abs(instructed.embed_query(question) - plain.embed_query(question)).max() > 1e-4


@pytest.mark.parametrize(("provider", "name"), CASES)
def test_awkward_texts_are_embedded_by_several_threads_at_once(provider: str, name: str, models: Path) -> None:
    embedder = made(provider, models / name)
    texts = ["a\0b", "\ud800", "长" * 5_000, "\n", "𠮷野家", *TEXTS] * 3
    expected = [embedder.embed_query(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert np.allclose(list(pool.map(embedder.embed_query, texts)), expected, atol=1e-5)


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("missing", ["./no/bge-m3", "~/no such folder/bge-m3", "models/of/ours/bge-m3"])
def test_a_missing_folder_is_named(provider: str, missing: str) -> None:
    with pytest.raises(ModelUnavailableError, match="there is no such folder") as caught:
        make_embedder(settings_of(provider, missing))
    assert missing in str(caught.value)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_models_name_is_not_looked_up_offline(provider: str) -> None:
    with pytest.raises(ModelUnavailableError, match=r"'BAAI/bge-m3' cannot be loaded .*name the folder"):
        make_embedder(settings_of(provider, "BAAI/bge-m3"))


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("damaged", ["model.safetensors", "tokenizer.json", "config.json"])
@pytest.mark.parametrize("content", [None, b"{}"])
def test_a_damaged_model_is_refused_by_its_folder(
    provider: str, damaged: str, content: bytes | None, models: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "bge-m3"
    folder.mkdir()
    for path in (models / "bge-m3").iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    if content is None:
        (folder / damaged).unlink()
    else:
        (folder / damaged).write_bytes(content)
    with pytest.raises(ModelUnavailableError, match=r"cannot be loaded") as caught:
        make_embedder(settings_of(provider, folder))
    assert str(folder) in str(caught.value)


def test_a_folder_whose_name_flag_embedding_does_not_know_is_explained(models: Path) -> None:
    with pytest.raises(ModelUnavailableError, match=r"such as bge-m3 .*provider` to sentence-transformers"):
        make_embedder(settings_of("flag-embedding", models / "sentences"))


def test_a_text_that_the_model_cannot_hold_is_a_models_error(tmp_path: Path) -> None:
    embedder = made("flag-embedding", _save_encoder(tmp_path / "bge-small-en-v1.5", positions=20))
    with pytest.raises(ModelError, match="failed on these texts"):
        embedder.embed_passages(["x" * 100])


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
