"""LlamaIndex's QueryFusionRetriever over its BM25 and vector retrievers, with one query and no language model.

Its BM25 retriever takes no segmenter: the usual way to Chinese is to hand it texts and questions that are cut into
words by blanks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from importlib import import_module
from typing import Any

from .contract import CANDIDATES, Build, Search, Vectors, Workload
from .words import jieba_words

_ANY_WORD = r"(?u)\b\w+\b"


def as_it_comes(workload: Workload) -> Build:
    """Reciprocal rank fusion, texts and BM25's pattern for words left alone."""
    return _fusion(workload, "reciprocal_rerank", lambda text: text, {})


def reciprocal(workload: Workload) -> Build:
    """Reciprocal rank fusion, texts cut by jieba."""
    return _fusion(workload, "reciprocal_rerank", _spaced(jieba_words()), {"token_pattern": _ANY_WORD})


def relative(workload: Workload) -> Build:
    """Fusion by scores relative to each leg's range, texts cut by jieba."""
    return _fusion(workload, "relative_score", _spaced(jieba_words()), {"token_pattern": _ANY_WORD})


def _spaced(words: Callable[[str], Iterable[str]]) -> Callable[[str], str]:
    return lambda text: " ".join(words(text))


def _fusion(workload: Workload, mode: str, cut: Callable[[str], str], bm25_options: dict[str, Any]) -> Build:
    core = import_module("llama_index.core")
    node = import_module("llama_index.core.schema").TextNode
    bm25 = import_module("llama_index.retrievers.bm25").BM25Retriever
    fusion = import_module("llama_index.core.retrievers").QueryFusionRetriever
    silent = import_module("llama_index.core.llms").MockLLM()
    asked = {cut(question): vector for question, vector in workload.vector_of().items()}
    embedding = _query_embedding(asked)
    passages = workload.passage_vectors()
    most = min(CANDIDATES, len(workload.texts))

    def build(_: ExitStack) -> Search:
        pairs = zip(workload.texts, passages.tolist(), strict=True)
        nodes = [node(id_=str(row), text=cut(text), embedding=vector) for row, (text, vector) in enumerate(pairs)]
        words = bm25.from_defaults(nodes=nodes, similarity_top_k=most, **bm25_options)
        near = core.VectorStoreIndex(nodes, embed_model=embedding).as_retriever(similarity_top_k=most)
        both = fusion(
            [words, near], llm=silent, mode=mode, num_queries=1, similarity_top_k=most, use_async=False
        )  # fmt: skip
        return lambda question: [int(found.node.node_id) for found in both.retrieve(cut(question))]

    return build


def _query_embedding(vectors: dict[str, Vectors]) -> Any:
    """LlamaIndex's interface of an embedding model, over vectors that are ready."""
    base: Any = import_module("llama_index.core.embeddings").BaseEmbedding
    ready: dict[str, list[float]] = {text: vector.tolist() for text, vector in vectors.items()}

    async def later(_: Any, text: str) -> list[float]:
        return ready[text]

    methods: dict[str, Callable[..., Any]] = {
        "_get_query_embedding": lambda _, text: ready[text],
        "_get_text_embedding": lambda _, text: ready[text],
        "_aget_query_embedding": later,
    }
    return type("ReadyEmbedding", (base,), methods)(model_name="ready")
