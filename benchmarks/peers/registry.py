"""The searches by name."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from .contract import Build, Workload

OWN = "veriloop"


class Contender(NamedTuple):
    """A search: where it is, and what it is in words."""

    module: str
    function: str
    title: str
    vectors: bool = True
    own_interpreter: bool = False

    def prepare(self, workload: Workload) -> Build:
        """Import it and load what it is made of.

        Raises:
            ImportError: a package that it needs is not installed.
        """
        build: Build = getattr(import_module(f"peers.{self.module}"), self.function)(workload)
        return build


CONTENDERS = {
    OWN: Contender("own", "hybrid", "Veriloop"),
    "veriloop-words": Contender("own", "words", "Veriloop without vectors", vectors=False),
    "bm25": Contender("words", "bm25", "BM25, jieba words", vectors=False),
    "vectors": Contender("words", "vectors", "vectors alone"),
    "langchain": Contender("langchain", "as_it_comes", "LangChain ensemble, default"),
    "langchain-jieba": Contender("langchain", "with_jieba", "LangChain ensemble, jieba"),
    "llamaindex": Contender("llamaindex", "as_it_comes", "LlamaIndex fusion, default"),
    "llamaindex-jieba": Contender("llamaindex", "reciprocal", "LlamaIndex fusion by rank, jieba"),
    "llamaindex-scores": Contender("llamaindex", "relative", "LlamaIndex fusion by score, jieba"),
    "haiku": Contender("haiku", "hybrid", "haiku.rag hybrid", own_interpreter=True),
}
