"""Measures how well the right passage is found.

    python benchmarks/retrieval.py --set clauses --documents 60 --vectors cache.npz

Half of the questions (`--half tune`) may be used to choose weights; figures are reported on the other half
(`--half held`, the default). Hits are judged as quoted evidence inside the passage, and inside its block.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import corpora
import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table
from veriloop.knowledge.fusion import FusionWeights, weighted_fusion
from veriloop.knowledge.lexical import DEFAULT_B, DEFAULT_K1, Bm25Index, best_rows
from veriloop.knowledge.rerank import Candidate, CoverageReranker
from veriloop.knowledge.text.tokens import tokenise

CANDIDATES = 50
COUNTED_RANKS = 10
Search = Callable[[str], list[int]]


class Figures(NamedTuple):
    """Shares of the questions, from 0 to 1."""

    hit1: float
    hit5: float
    mrr: float
    block_hit1: float
    block_hit5: float
    right_document: float


class Vectors(NamedTuple):
    """Cached vectors: of the passages by row, and of the questions."""

    passages: npt.NDArray[np.float32]
    questions: dict[str, npt.NDArray[np.float32]]


def vector_key(kind: str, text: str) -> str:
    """The name of a cached vector; `kind` is ``query`` or ``passage``."""
    return sha256((kind + text).encode()).hexdigest()[:32]


def load_vectors(
    path: Path, units: Sequence[corpora.Unit], questions: Sequence[corpora.Question]
) -> tuple[Vectors, list[corpora.Question]]:
    """The cached vectors, and the questions that have one; a passage without one gets a row of zeros."""
    with np.load(path) as stored:
        cache = {name: stored[name].astype(np.float32) for name in stored.files}
    size = len(next(iter(cache.values())))
    empty = np.zeros(size, dtype=np.float32)
    rows = [cache.get(vector_key("passage", corpora.searchable(unit)), empty) for unit in units]
    asked = {q.text: vector for q in questions if (vector := cache.get(vector_key("query", q.text))) is not None}
    return Vectors(np.stack(rows), asked), [q for q in questions if q.text in asked]


class Pipelines:
    """The ways of finding that are compared, over one collection."""

    def __init__(self, units: Sequence[corpora.Unit], vectors: Vectors | None, weights: FusionWeights) -> None:
        self._units, self._vectors, self._weights = units, vectors, weights
        self._plain = Bm25Index.build(tokenise(unit.text) for unit in units)
        self._index = Bm25Index.build((tokenise(corpora.searchable(u)) for u in units), DEFAULT_K1, DEFAULT_B)
        self._reranker = CoverageReranker(self._index.idf)

    def plain(self, question: str) -> list[int]:
        """BM25 over the bare text: the baseline."""
        return [row for row, _ in self._plain.search(tokenise(question), CANDIDATES)]

    def lexical(self, question: str) -> list[int]:
        """BM25 over title, section and text."""
        return list(self._by_words(question))

    def vector(self, question: str) -> list[int]:
        """Vectors alone."""
        return list(self._by_meaning(question))

    def fused(self, question: str) -> list[int]:
        """Words and vectors together."""
        return list(self._fused(question))

    def reranked(self, question: str) -> list[int]:
        """The fused order, reranked."""
        found = list(self._fused(question).items())[:CANDIDATES]
        candidates = [Candidate(r, u.text, u.title, u.section, s) for r, s in found for u in (self._units[r],)]
        return [row for row, _ in self._reranker.rerank(question, candidates)]

    def _by_words(self, question: str) -> dict[int, float]:
        return dict(self._index.search(tokenise(question, for_query=True), CANDIDATES))

    def _by_meaning(self, question: str) -> dict[int, float]:
        if self._vectors is None:
            return {}
        return dict(best_rows(self._vectors.passages @ self._vectors.questions[question], CANDIDATES))

    def _fused(self, question: str) -> dict[int, float]:
        vectors = self._vectors
        has_vector = set() if vectors is None else {int(row) for row in np.flatnonzero(vectors.passages.any(axis=1))}
        return weighted_fusion(self._by_words(question), self._by_meaning(question), has_vector, self._weights)


def measure(search: Search, units: Sequence[corpora.Unit], questions: Sequence[corpora.Question]) -> Figures:
    """The figures of one way of finding."""
    rows = np.zeros(len(Figures._fields))
    for question in questions:
        found = search(question.text)
        hits = [_right(question, units[row], units[row].text) for row in found[:COUNTED_RANKS]]
        blocks = {units[row].block: units[row] for row in reversed(found)}
        order = dict.fromkeys(units[row].block for row in found)
        block_hits = [_right(question, blocks[block], block) for block in order][:COUNTED_RANKS]
        first = next((1 / rank for rank, hit in enumerate(hits, start=1) if hit), 0.0)
        document = bool(found) and units[found[0]].document in question.documents
        rows += (any(hits[:1]), any(hits[:5]), first, any(block_hits[:1]), any(block_hits[:5]), document)
    return Figures(*(rows / max(len(questions), 1)))


def _right(question: corpora.Question, unit: corpora.Unit, text: str) -> bool:
    bare = corpora.bare(text)
    return unit.document in question.documents and any(wanted in bare for wanted in question.wanted)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=("clauses", "cmrc", "drcd", "companies"), required=True, dest="name")
    parser.add_argument("--n", type=int, default=0, help="how many questions; 0: all")
    parser.add_argument("--documents", type=int, default=0, help="how many documents; 0: all")
    parser.add_argument("--vectors", type=Path, help="an .npz file of cached vectors")
    parser.add_argument("--half", choices=("tune", "held", "all"), default="held")
    parser.add_argument("--lexical-weight", type=float, default=FusionWeights().lexical)
    return parser.parse_args()


def main() -> None:
    """Prints the comparison for one set."""
    arguments = _arguments()
    sources, questions = corpora.load(arguments.name, arguments.documents)
    random.Random(corpora.SAMPLE_SEED).shuffle(questions)
    questions = questions[: arguments.n or None]
    halves = {"tune": questions[::2], "held": questions[1::2], "all": questions}
    questions = halves[arguments.half]
    units = [unit for source in sources for unit in corpora.cut(source)]
    vectors = None
    if arguments.vectors:
        vectors, questions = load_vectors(arguments.vectors, units, questions)
    weights = FusionWeights(arguments.lexical_weight, 1 - arguments.lexical_weight)
    pipelines = Pipelines(units, vectors, weights)
    ways: dict[str, Search] = {"BM25, text only": pipelines.plain, "BM25, title and section": pipelines.lexical}
    if vectors is not None:
        ways |= {"vectors": pipelines.vector, "fused": pipelines.fused}
    ways["reranked"] = pipelines.reranked
    title = f"{arguments.name}: {len(sources)} documents, {len(units)} passages, {len(questions)} questions"
    table = Table("way", *Figures._fields, title=title)
    for name, search in ways.items():
        table.add_row(name, *(f"{share:.3f}" for share in measure(search, units, questions)))
    Console().print(table)


if __name__ == "__main__":
    main()
