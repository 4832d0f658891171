"""Vectors that are kept by text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from support.benchmarks import benchmark

vector_cache = benchmark("vector_cache")


class CountingEmbedder:
    """Makes a vector of a text's length and remembers what it was asked for."""

    dimension = 2

    def __init__(self, name: str = "counting", fails_at: int = 1_000) -> None:
        self.name, self.asked, self._fails_at = name, list[str](), fails_at

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        if len(self.asked) >= self._fails_at:
            raise RuntimeError("stopped")
        self.asked.append(text)
        return np.array([len(text), 1], dtype=np.float32)


Open = Callable[[CountingEmbedder], Any]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Opens one file, again and again."""
    with ExitStack() as closing:
        yield lambda embedder: closing.enter_context(
            vector_cache.CachedEmbedder(embedder, tmp_path / "vectors.sqlite")
        )  # fmt: skip


def test_a_text_is_embedded_once_also_by_a_later_run(opened: Open) -> None:
    first, second = CountingEmbedder(), CountingEmbedder()
    made = opened(first).embed_passages(["甲", "beta", "甲"])
    assert first.asked == ["甲", "beta"]
    later = opened(second)
    np.testing.assert_array_equal(later.embed_passages(["甲", "beta", "甲"]), made)
    assert (second.asked, later.name, later.dimension) == ([], "counting", 2)


def test_a_question_and_a_passage_of_one_text_are_kept_apart(opened: Open) -> None:
    embedder = CountingEmbedder()
    cached = opened(embedder)
    cached.embed_passages(["甲"])
    cached.embed_query("甲")
    cached.embed_query("甲")
    assert embedder.asked == ["甲", "甲"]


def test_a_run_that_was_stopped_goes_on_where_it_was(opened: Open) -> None:
    texts = [f"text {number}" for number in range(100)]
    with pytest.raises(RuntimeError, match="stopped"):
        opened(CountingEmbedder(fails_at=70)).embed_passages(texts)
    rest = CountingEmbedder()
    assert opened(rest).embed_passages(texts).shape == (100, 2)
    assert rest.asked == texts[64:]


def test_vectors_of_two_models_are_not_mixed(opened: Open) -> None:
    opened(CountingEmbedder())
    with pytest.raises(ValueError, match="holds vectors of counting, not of other"):
        opened(CountingEmbedder("other"))


def test_no_texts_give_no_vectors(opened: Open) -> None:
    assert opened(CountingEmbedder()).embed_passages([]).shape == (0, 2)
