"""The single legs: BM25 over Chinese words by jieba, and exact search over the vectors."""

from __future__ import annotations

import logging
from contextlib import ExitStack
from importlib import import_module
from typing import Any

import numpy as np

from .contract import CANDIDATES, Build, Search, Workload


def jieba_words() -> Any:
    """jieba's function from a text to its words, its dictionary loaded."""
    jieba = import_module("jieba")
    jieba.setLogLevel(logging.ERROR)
    jieba.initialize()

    def words(text: str) -> list[str]:
        return [word for word in jieba.lcut(text.lower()) if any(character.isalnum() for character in word)]

    return words


def bm25(workload: Workload) -> Build:
    """rank_bm25 (Okapi, its own k1 and b) over jieba's words."""
    okapi, words = import_module("rank_bm25").BM25Okapi, jieba_words()

    def build(_: ExitStack) -> Search:
        index = okapi([words(text) for text in workload.texts])

        def search(question: str) -> list[int]:
            scores = index.get_scores(words(question))
            best = np.argsort(-scores, kind="stable")[:CANDIDATES]
            return [int(row) for row in best if scores[row] > 0]

        return search

    return build


def vectors(workload: Workload) -> Build:
    """Cosine over all vectors, by FAISS."""
    faiss, passages, asked = import_module("faiss"), workload.passage_vectors(), workload.vector_of()

    def build(_: ExitStack) -> Search:
        index = faiss.IndexFlatIP(passages.shape[1])
        index.add(passages)

        def search(question: str) -> list[int]:
            _, rows = index.search(asked[question].reshape(1, -1), min(CANDIDATES, len(passages)))
            return [int(row) for row in rows[0]]

        return search

    return build
