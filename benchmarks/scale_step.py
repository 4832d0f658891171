"""One step of `scale.py` in a process of its own; the last line that it prints is a JSON object of figures."""

from __future__ import annotations

import argparse
import gc
import json
import resource
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from peers.measuring import Lapper, grown, resident_megabytes, times
from rich.console import Console
from rich.progress import Progress, track
from scale_library import GeneratedLibrary, HashEmbedder, ScaleQuestion
from veriloop import Caller, Library
from veriloop.configs import Settings, load_settings
from veriloop.knowledge.searchable import searchable_text
from veriloop.knowledge.text.tokens import tokenise

FOUND_RANKS = 10
CANDIDATES = 50
FILTERED_SHARE = 0.01
NEW_WORD = "QZX-90817"
NEW_SENTENCE = f"另见{NEW_WORD}。 See {NEW_WORD}."
_ERRORS = Console(stderr=True)

Figures = dict[str, Any]


class TimedEmbedder(HashEmbedder):
    """Keeps the time that it takes for passages, and has the vectors of questions before they are asked."""

    def __init__(self, questions: Sequence[str] = ()) -> None:
        self.lapper = Lapper()
        self._known = {question: super(TimedEmbedder, self).embed_query(question) for question in questions}

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of shape (len(texts), dimension), float32, length 1."""
        with self.lapper:
            rows = [super(TimedEmbedder, self).embed_query(text) for text in texts]
            return np.stack(rows) if rows else np.zeros((0, self.dimension), dtype=np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """One vector of shape (dimension,), float32, length 1."""
        known = self._known.get(text)
        return super().embed_query(text) if known is None else known


def _settings() -> Settings:
    return load_settings(environment={})


def build(arguments: argparse.Namespace) -> Figures:
    """Write the library, and its index files."""
    generated = GeneratedLibrary(arguments.blocks, _settings().splitting)
    embedder = None if arguments.no_vectors else TimedEmbedder()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    put, words, vectors = Lapper(), Lapper(), Lapper()
    with Library(arguments.folder, _settings(), embedder) as library:
        for document, split in track(generated.documents(), "documents", generated.size, console=_ERRORS):
            with put:
                library.put(document, split)
        with words:
            library.refresh()
        if embedder is not None:
            _embed(library, vectors)
    made = embedder.lapper if embedder is not None else Lapper()
    size = sum(path.stat().st_size for path in arguments.folder.rglob("*") if path.is_file()) / 1e6
    seconds = (put.seconds, words.seconds, vectors.seconds - made.seconds)
    cpu = put.cpu_seconds + words.cpu_seconds + vectors.cpu_seconds - made.cpu_seconds
    figures = {
        "index_s": sum(seconds), "index_cpu_s": cpu, "disk_mb": size,
        "put_s": seconds[0], "words_index_s": seconds[1], "vectors_index_s": seconds[2], "build_mb": _peak_megabytes(),
    }  # fmt: skip
    (arguments.folder / "built.json").write_text(json.dumps(figures))
    return figures


def _peak_megabytes() -> float:
    """The most memory that this process has held at once; Linux counts it in kilobytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def _embed(library: Library, spent: Lapper) -> None:
    with Progress(console=_ERRORS) as bar, spent:
        task = bar.add_task("vectors", total=library.vector_progress().total)
        library.embed(progress=lambda p: bar.update(task, completed=p.done))
        library.refresh()


def read(arguments: argparse.Namespace) -> Figures:
    """Search a library that another process has written, then add one document to it."""
    generated = GeneratedLibrary(arguments.blocks, _settings().splitting)
    questions = generated.questions(arguments.questions)
    texts = [*(question.text for question in questions), NEW_WORD]
    embedder = None if arguments.no_vectors else TimedEmbedder(texts)
    tokenise("预热 warm-up")
    gc.collect()
    before, opened = resident_megabytes(), Lapper()
    with Library(arguments.folder, _settings(), embedder) as library:
        with opened:
            library.search(questions[0].text, caller=Caller.owner())
        figures = _search(library, questions) | {"open_s": opened.seconds}
        figures["memory_mb"] = grown(before, resident_megabytes())
        figures["filtered_ms"], figures["filtered_full"] = _filtered(library, questions)
        figures["add_s"] = _add(library, generated)
    built: Figures = json.loads((arguments.folder / "built.json").read_text())
    return built | figures


def _search(library: Library, questions: Sequence[ScaleQuestion]) -> Figures:
    lapper, found = Lapper(), 0
    for question in track(questions, "questions", console=_ERRORS):
        with lapper:
            hits = library.search(question.text, k=FOUND_RANKS, caller=Caller.owner()).hits
        found += any(hit.block.block_id == question.block_id for hit in hits)
    return _times(lapper) | {"found": found / len(questions)}


def _times(lapper: Lapper) -> Figures:
    median, p95, cpu = times(lapper.laps)
    return {"median_ms": median, "p95_ms": p95, "cpu_ms": cpu}


def _filtered(library: Library, questions: Sequence[ScaleQuestion]) -> tuple[float, float]:
    """Milliseconds where only every hundredth document is searched, and the share of questions with k hits then."""
    documents = [summary.document.doc_id for summary in library.documents(Caller.owner())]
    among = documents[:: round(1 / FILTERED_SHARE)]
    lapper, full = Lapper(), 0
    for question in questions:
        with lapper:
            hits = library.search(question.text, k=FOUND_RANKS, caller=Caller.owner(), among=among).hits
        full += len(hits) == FOUND_RANKS
    return times(lapper.laps).median, full / len(questions)


def _add(library: Library, generated: GeneratedLibrary) -> float:
    """Seconds from handing over a document to the search that finds it; the library is left as it was."""
    document, split = generated.document(generated.size, NEW_SENTENCE)
    start = time.perf_counter()
    library.put(document, split)
    hits = library.search(NEW_WORD, caller=Caller.owner()).hits
    seconds = time.perf_counter() - start
    if not any(NEW_WORD in hit.block.text for hit in hits):
        sys.exit("the document that was added last is not found")
    library.remove(document.doc_id)
    library.refresh()
    return seconds


def _passages(generated: GeneratedLibrary) -> list[tuple[str, str]]:
    """Block id and searchable text of every passage."""
    rows = []
    for document, split in track(generated.documents(), "documents", generated.size, console=_ERRORS):
        blocks = {block.block_id: block for block in split.blocks}
        rows += [(p.block_id, searchable_text(document, blocks[p.block_id], p)) for p in split.passages]
    return rows


Search = Callable[[str], Sequence[int]]


def _peer(arguments: argparse.Namespace, index: Callable[[list[str], list[str]], Callable[[], Search]]) -> Figures:
    """The figures of a search: `index` prepares the passages and questions, what it returns builds the index."""
    generated = GeneratedLibrary(arguments.blocks, _settings().splitting)
    questions, rows = generated.questions(arguments.questions), _passages(generated)
    ready = index([text for _, text in rows], [question.text for question in questions])
    gc.collect()
    before, built, lapper, found = resident_megabytes(), Lapper(), Lapper(), 0
    with built:
        search = ready()
    for question in questions:
        with lapper:
            best = search(question.text)
        found += question.block_id in (rows[row][0] for row in best[:FOUND_RANKS])
    memory = grown(before, resident_megabytes())
    costs = {"index_s": built.seconds, "index_cpu_s": built.cpu_seconds, "memory_mb": memory}
    return _times(lapper) | {"found": found / len(questions)} | costs


def _tokens(texts: list[str]) -> list[list[str]]:
    return [[sys.intern(token) for token in tokenise(text)] for text in track(texts, "tokens", console=_ERRORS)]


def _bm25s(passages: list[str], _: list[str]) -> Callable[[], Search]:
    bm25, tokens = import_module("bm25s").BM25, _tokens(passages)

    def build_index() -> Search:
        index = bm25(k1=1.2, b=0.5)
        index.index(tokens, show_progress=False)
        known = index.vocab_dict

        def search(question: str) -> Sequence[int]:
            asked = [token for token in tokenise(question, for_query=True) if token in known]
            rows, _ = index.retrieve([asked], k=min(CANDIDATES, len(tokens)), show_progress=False)
            return [int(row) for row in rows[0]]

        return search

    return build_index


def _rank_bm25(passages: list[str], _: list[str]) -> Callable[[], Search]:
    okapi, tokens = import_module("rank_bm25").BM25Okapi, _tokens(passages)

    def build_index() -> Search:
        index = okapi(tokens)
        return lambda question: _best(index.get_scores(tokenise(question, for_query=True)))

    return build_index


def _best(scores: NDArray[np.float64]) -> list[int]:
    return [int(row) for row in np.argsort(-scores, kind="stable")[:CANDIDATES]]


def _faiss(passages: list[str], questions: list[str]) -> Callable[[], Search]:
    import faiss

    embedder = HashEmbedder()
    vectors = embedder.embed_passages(passages)
    asked = {question: embedder.embed_query(question).reshape(1, -1) for question in questions}

    def build_index() -> Search:
        index = faiss.IndexFlatIP(vectors.shape[1])
        index.add(vectors)
        return lambda question: [int(row) for row in index.search(asked[question], CANDIDATES)[1][0]]

    return build_index


def main() -> None:
    """Run by `scale.py`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=("build", "read", "bm25s", "rank-bm25", "faiss"))
    parser.add_argument("--blocks", type=int, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--no-vectors", action="store_true")
    arguments = parser.parse_args()
    peers = {"bm25s": _bm25s, "rank-bm25": _rank_bm25, "faiss": _faiss}
    steps = {"build": build, "read": read}
    step = arguments.step
    figures = steps[step](arguments) if step in steps else _peer(arguments, peers[step])
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
