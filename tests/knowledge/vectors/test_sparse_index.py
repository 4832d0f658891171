"""The sparse index finds what adding up shared tokens finds, and a library keeps what its model gives."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.documents import lexical_settings, write
from support.vectors import HashEmbedder
from veriloop import Library, add_files
from veriloop.knowledge.sparse import Encoded, SparseVector, dot, sparse_vector
from veriloop.knowledge.store import PassageSparse, SqliteStore
from veriloop.knowledge.vectors import SparseIndex

weights = st.dictionaries(st.integers(0, 12), st.floats(0.015625, 4, width=32), max_size=6)


@settings(max_examples=200, deadline=None)
@given(
    passages=st.dictionaries(st.integers(1, 99), weights, max_size=20),
    query=weights,
    k=st.integers(0, 25),
    allowed=st.none() | st.lists(st.integers(1, 99), unique=True),
)
def test_the_passages_with_the_largest_products_are_found_among_the_allowed(
    passages: dict[int, dict[int, float]], query: dict[int, float], k: int, allowed: list[int] | None
) -> None:
    index = SparseIndex(PassageSparse(number, sparse_vector(one)) for number, one in passages.items())
    kept = passages.keys() if allowed is None else passages.keys() & set(allowed)
    products = {number: dot(sparse_vector(query), sparse_vector(passages[number])) for number in kept}
    right = sorted((score for score in products.values() if score > 0), reverse=True)[:k]
    found = index.search(sparse_vector(query), k, None if allowed is None else np.array(allowed, dtype=np.int64))
    assert [hit.score for hit in found] == pytest.approx(right, rel=1e-4)
    assert all(hit.score == pytest.approx(products[hit.passage_id], rel=1e-4) for hit in found)
    assert len({hit.passage_id for hit in found}) == len(found)


def test_an_empty_index_and_an_empty_question_find_nothing() -> None:
    one = sparse_vector({3: 1.0})
    assert SparseIndex(()).search(one, 5, None) == []
    assert SparseIndex([PassageSparse(1, one)]).search(sparse_vector({}), 5, None) == []
    assert len(SparseIndex([PassageSparse(1, one)])) == 1


class Lettered(HashEmbedder):
    """Gives each letter of a text as a token, too."""

    def __init__(self, *, gives_sparse: bool) -> None:
        super().__init__("lettered")
        self.gives_sparse = gives_sparse

    def encode_passages(self, texts: Sequence[str]) -> Encoded:
        return Encoded(self.embed_passages(texts), tuple(self._tokens(text) for text in texts))

    def encode_query(self, text: str) -> Encoded:
        return Encoded(self.embed_query(text)[np.newaxis], (self._tokens(text),))

    def _tokens(self, text: str) -> SparseVector:
        return sparse_vector({ord(letter): 1.0 for letter in set(text)})


def test_a_library_stores_the_sparse_vectors_of_its_model_and_makes_missing_ones(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    folder.mkdir()
    documents = write(tmp_path / "documents", a="# 甲\n\n公务轿车停放在车库。", b="# 乙\n\n员工享有带薪休假。")
    with Library(folder, lexical_settings(), Lettered(gives_sparse=False)) as library:
        add_files(library, [documents], vector_minutes=1)
    store = SqliteStore(folder / "library.sqlite")
    assert list(store.vectors.sparse("lettered")) == []
    with Library(folder, lexical_settings(), Lettered(gives_sparse=True)) as library:
        library.embed()
    stored = list(store.vectors.sparse("lettered"))
    assert [len(one.vector.token_ids) == len(one.vector.weights) > 5 for one in stored] == [True, True]
    asked = Lettered(gives_sparse=True).encode_query("轿车").sparse
    assert asked is not None
    found = SparseIndex(stored).search(asked[0], 5, None)
    assert [hit.passage_id for hit in found] == [stored[0].passage_id] and found[0].score == pytest.approx(2)
    store.close()
