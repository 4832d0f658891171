"""LangChain's EnsembleRetriever over its BM25 retriever and its FAISS store, in equal parts as it comes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from importlib import import_module
from typing import Any

from .contract import CANDIDATES, Build, Search, Vectors, Workload
from .words import jieba_words


def as_it_comes(workload: Workload) -> Build:
    """With the BM25 retriever's default, which cuts texts at blanks."""
    return _ensemble(workload, {})


def with_jieba(workload: Workload) -> Build:
    """With the words of jieba."""
    return _ensemble(workload, {"preprocess_func": jieba_words()})


def _ensemble(workload: Workload, bm25_options: dict[str, Any]) -> Build:
    ensemble = import_module("langchain_classic.retrievers").EnsembleRetriever
    bm25 = import_module("langchain_community.retrievers").BM25Retriever
    faiss = import_module("langchain_community.vectorstores").FAISS
    strategy = import_module("langchain_community.vectorstores.utils").DistanceStrategy.MAX_INNER_PRODUCT
    asked = _query_embeddings(workload.vector_of())
    passages = workload.passage_vectors()
    names = [{"row": row} for row in range(len(workload.texts))]

    def build(_: ExitStack) -> Search:
        words = bm25.from_texts(workload.texts, metadatas=names, k=CANDIDATES, **bm25_options)
        pairs = list(zip(workload.texts, passages.tolist(), strict=True))
        store = faiss.from_embeddings(pairs, asked, metadatas=names, distance_strategy=strategy)
        near = store.as_retriever(search_kwargs={"k": CANDIDATES})
        both = ensemble(retrievers=[words, near], id_key="row")
        return lambda question: [document.metadata["row"] for document in both.invoke(question)]

    return build


def _query_embeddings(vectors: dict[str, Vectors]) -> Any:
    """LangChain's interface of an embedding model, over vectors that are ready."""
    base: Any = import_module("langchain_core.embeddings").Embeddings
    ready: dict[str, list[float]] = {text: vector.tolist() for text, vector in vectors.items()}
    methods: dict[str, Callable[..., Any]] = {
        "embed_query": lambda _, text: ready[text],
        "embed_documents": lambda _, texts: [ready[text] for text in texts],
    }
    return type("ReadyEmbeddings", (base,), methods)()
