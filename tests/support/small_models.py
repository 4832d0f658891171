"""Small models of random weights on disk, read by the same code as the real ones; they find nothing by meaning."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

SIZE = 32
TEXTS = [
    "甲方应当自收到验收申请之日起10个工作日内组织验收。",
    "Employees may spend at most 120 EUR per night on a hotel.",
    "质量保证期为24个月。",
    "Receipts " * 300,
    "",
]
needs_bge = [
    pytest.mark.slow,  # importing torch and transformers alone takes ten seconds
    pytest.mark.extras,
    pytest.mark.skipif(
        find_spec("FlagEmbedding") is None or find_spec("sentence_transformers") is None,
        reason="needs the extra `bge`: pip install -e '.[bge]'",
    ),
]


@contextmanager
def offline(cache: Path) -> Iterator[None]:
    """No network for the hub, and a cache of one's own."""
    with pytest.MonkeyPatch.context() as patch:
        # Where another test has imported it already, the variables are not read again.
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
        patch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(cache))
        yield


def save_encoder(folder: Path, positions: int = 514) -> Path:
    """An XLM-RoBERTa of two layers, which is what BGE-M3 is, without its further outputs."""
    from transformers import XLMRobertaModel

    XLMRobertaModel(_config(positions)).save_pretrained(folder)
    _tokenizer().save_pretrained(folder)
    return folder


def save_m3(folder: Path) -> Path:
    """An encoder with the two further outputs of BGE-M3, in files of their own."""
    import torch

    save_encoder(folder)
    torch.save(torch.nn.Linear(SIZE, SIZE).state_dict(), folder / "colbert_linear.pt")
    torch.save(torch.nn.Linear(SIZE, 1).state_dict(), folder / "sparse_linear.pt")
    return folder


def save_reranker(folder: Path, labels: int = 1, positions: int = 514) -> Path:
    """The same encoder with a last layer that judges pairs, which is what bge-reranker-v2-m3 is."""
    from transformers import XLMRobertaForSequenceClassification

    model = XLMRobertaForSequenceClassification(_config(positions, num_labels=labels))
    model.classifier.out_proj.weight.data *= 50  # random scores would all be about a half
    model.save_pretrained(folder)
    _tokenizer().save_pretrained(folder)
    return folder


def save_sentence_transformer(encoder: Path, folder: Path) -> Path:
    """The encoder as a sentence-transformers model."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer

    modules = [Transformer(str(encoder)), Pooling(SIZE, "mean")]
    SentenceTransformer(modules=modules, device="cpu").save(str(folder))
    return folder


def copied(model: Path, folder: Path) -> Path:
    """A copy under the model's own name, to be damaged."""
    return Path(shutil.copytree(model, folder / model.name))


def spoil_weights(folder: Path) -> Path:
    """Puts a value that is not a number into every weight."""
    import torch
    from safetensors.torch import load_file, save_file

    path = folder / "model.safetensors"
    spoilt = {name: torch.full_like(tensor, torch.nan) for name, tensor in load_file(path).items()}
    save_file(spoilt, path, metadata={"format": "pt"})
    return folder


def _config(positions: int, **fields: int) -> Any:
    import torch
    from transformers import XLMRobertaConfig

    torch.manual_seed(20260101)
    return XLMRobertaConfig(
        vocab_size=len(_tokenizer()),
        hidden_size=SIZE,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=2 * SIZE,
        max_position_embeddings=positions,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
        type_vocab_size=1,
        **fields,
    )


def _tokenizer() -> Any:
    """One token for each character, and pairs as XLM-RoBERTa reads them."""
    import tokenizers
    from transformers import PreTrainedTokenizerFast

    special = ["<s>", "<pad>", "</s>", "<unk>"]
    characters = [chr(code) for code in range(33, 127)] + sorted(set("".join(TEXTS)) - set(map(chr, range(127))))
    vocabulary = {token: number for number, token in enumerate(special + characters)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="<unk>"))
    split, pattern = tokenizers.pre_tokenizers.Split, tokenizers.Regex
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Sequence(
        [split(pattern(r"\s"), "removed"), split(pattern(r"\S"), "isolated")]
    )
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B:0 </s>:0", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    names = {"bos_token": "<s>", "cls_token": "<s>", "eos_token": "</s>", "sep_token": "</s>"}
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        unk_token="<unk>",
        pad_token="<pad>",
        model_max_length=512,
        model_input_names=["input_ids", "attention_mask"],
        **names,
    )
