"""The made-up library on which the growth of search is measured."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest
from support.benchmarks import benchmark
from veriloop.configs.settings import SplittingSettings

scale_library = benchmark("scale_library")


@pytest.fixture(scope="module")
def generated() -> Any:
    return scale_library.GeneratedLibrary(400, SplittingSettings())


def test_a_document_is_the_same_in_every_library(generated: Any) -> None:
    larger = scale_library.GeneratedLibrary(4_000, SplittingSettings())
    assert larger.document(7) == generated.document(7)
    assert generated.document(7)[1] != generated.document(8)[1]


def test_there_are_as_many_blocks_as_asked_for_in_both_languages(generated: Any) -> None:
    documents = list(generated.documents())
    assert sum(len(split.blocks) for _, split in documents) == 400
    titles = {document.title.split()[0] for document, _ in documents}
    assert titles == {"规程", "manual"}


def test_words_are_unequally_frequent(generated: Any) -> None:
    english = [split for document, split in generated.documents() if document.title.startswith("manual")]
    words = Counter(word for split in english for block in split.blocks for word in block.text.split())
    counts = sorted(words.values(), reverse=True)
    assert counts[0] > 20 * counts[len(counts) // 2]


def test_a_question_is_made_of_what_its_block_says(generated: Any) -> None:
    blocks = {block.block_id: block for _, split in generated.documents() for block in split.blocks}
    for question in generated.questions(30):
        text = blocks[question.block_id].text.lower()
        *_, said = re.split(r"(?:规程|manual) \d{6} |HN-[-\d]+ ", question.text)
        parts = said.removesuffix("是什么？") if said.endswith("是什么？") else said.removesuffix("?").split()
        assert all(part in text for part in parts)


def test_texts_of_one_document_point_roughly_the_same_way() -> None:
    embedder = scale_library.HashEmbedder()
    texts = ["规程 000001 甲", "规程 000001 乙", "规程 000002 甲"]
    vectors = embedder.embed_passages(texts)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-5)
    assert vectors[0] @ vectors[1] > 0.5 > vectors[0] @ vectors[2]
    np.testing.assert_array_equal(vectors, embedder.embed_passages(texts))
