"""The instruction that a model's authors say to put before questions, by the model's name."""

from __future__ import annotations

import re

_CHINESE = "为这个句子生成表示以用于检索相关文章："
_ENGLISH = "Represent this sentence for searching relevant passages: "
# The model cards of the BGE family: these sizes have an instruction in their own language; BGE-M3 has none.
_BGE = re.compile(r"bge-(?:small|base|large)-(?P<language>zh|en)(?:-v1\.5)?", re.IGNORECASE)


def documented_instruction(model: str) -> str:
    """What the model was trained to find before a question; empty for a model that is not known to need it.

    Args:
        model: a folder that is called as the model is, or the model's name with or without its owner.
    """
    match = _BGE.fullmatch(re.split(r"[\\/]", model.rstrip("\\/"))[-1])
    if match is None:
        return ""
    return _CHINESE if match["language"].lower() == "zh" else _ENGLISH
