"""Compares Veriloop's search with others on the same documents, passages and vectors.

    python benchmarks/retrieval.py --set cmrc --n 300 --vectors vectors.sqlite [--worst 10] [--json]

The public sets are found through VERILOOP_DATA. Every search gets the passages that Veriloop indexes (title, section
and text) and the same vectors, and runs in a process of its own. Peers are in the extra `bench`; one that is not
installed has a row that says so. haiku.rag wants an environment of its own: `--haiku-python PATH`.

What is found is judged twice: by passage (of a block that Veriloop finds, the passage that it points at), and by block
(the blocks around a peer's passages, each once, in order), so that neither larger nor more units win by that alone.
Right is a unit of a document that the question needs with the first 60 characters of a quote (the answer, where the
set quotes nothing). "all documents": of the questions that need several documents, the share for which each is among
the ten best; "all quoted": the same with one of the quotes from each. `*` marks differences from Veriloop that are
unlikely by chance (5 %).

Half of the questions (`--half tune`) may be used to choose weights; figures are reported on the other half (`--half
held`, the default). Milliseconds leave out the embedding of the question, whose vector is ready; index seconds leave
out that of the passages. Settings of Veriloop's search come from the environment (VERILOOP_SEARCH__…).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import corpora
from peer_step import NOT_INSTALLED, load_measured
from peers.contract import Measured
from peers.measuring import run_isolated
from peers.registry import CONTENDERS
from retrieval_report import Result, Run, as_json, result, show, show_worst
from retrieval_workload import Row, about, cached_only, cut_documents, half, workload
from rich.console import Console
from rich.progress import track
from vector_cache import CachedEmbedder
from veriloop.configs import load_settings
from veriloop.knowledge.vectors import Embedder
from veriloop.models.embeddings import make_embedder

STEP = Path(__file__).with_name("peer_step.py")
STEP_SECONDS = 3 * 3_600
HAIKU_MISSING = "not installed: pip install haiku.rag-slim (Python 3.12 or newer), then --haiku-python PATH"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=corpora.SETS, required=True, dest="name")
    parser.add_argument("--n", type=int, default=0, help="how many questions of the half; 0: all")
    parser.add_argument("--documents", type=int, default=0, help="how many documents; 0: all")
    parser.add_argument("--half", choices=("tune", "held", "all"), default="held")
    parser.add_argument("--types", nargs="+", help="only questions of these types")
    parser.add_argument("--vectors", type=Path, help="file that keeps vectors by text; without it, words alone")
    parser.add_argument("--vectors-only-cached", action="store_true", help="leave out what has no vector there yet")
    parser.add_argument("--searches", nargs="+", choices=list(CONTENDERS), default=list(CONTENDERS), metavar="NAME")
    parser.add_argument("--haiku-python", help="interpreter of an environment with haiku.rag")
    parser.add_argument("--work", type=Path, help="folder that keeps the documents that were read, for the next run")
    parser.add_argument("--worst", type=int, default=0, help="show so many questions where Veriloop is behind")
    parser.add_argument("--worst-by", choices=("passage", "block"), default="block")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")
    return parser.parse_args()


def run_search(name: str, folder: Path, arguments: argparse.Namespace) -> Measured | str:
    """What one search finds and costs, or why there is nothing."""
    contender = CONTENDERS[name]
    if contender.vectors and arguments.vectors is None:
        return "needs --vectors"
    if contender.own_interpreter and not arguments.haiku_python:
        return HAIKU_MISSING
    python = arguments.haiku_python if contender.own_interpreter else sys.executable
    ended = run_isolated([python, str(STEP), name, str(folder)], STEP_SECONDS)
    if not ended.reason:
        return load_measured(folder / f"{name}.json")
    if ended.code == NOT_INSTALLED and not contender.own_interpreter:
        return f"not installed: pip install 'veriloop[bench]' ({ended.reason})"
    return ended.reason


def compare(arguments: argparse.Namespace, folder: Path, embedder: CachedEmbedder | None) -> Run:
    """Everything that one run finds.

    Raises:
        SystemExit: there are no questions about these documents.
    """
    cuts = cut_documents(arguments.name, arguments.documents, arguments.work or folder)
    questions = about(half(corpora.questions(arguments.name), arguments.half), cuts)
    questions = [q for q in questions if not arguments.types or q.type in arguments.types]
    if embedder is not None and arguments.vectors_only_cached:
        cuts, questions = cached_only(cuts, questions, embedder)
    questions = questions[: arguments.n or None]
    if not questions:
        raise SystemExit("no question is about these documents alone")
    workload(cuts, questions, embedder, folder)
    rows = [row for cut in cuts for row in cut.rows]
    title = f"{arguments.name}: {len(cuts)} documents, {len(rows)} passages, {len(questions)} questions"
    return _run(f"{title} ({arguments.half})", arguments, folder, questions, rows)


def _run(
    title: str, arguments: argparse.Namespace, folder: Path, questions: Sequence[corpora.Question], rows: Sequence[Row]
) -> Run:
    found: dict[str, list[list[int]]] = {}
    results: dict[str, Result] = {}
    for name in track(arguments.searches, "searches", console=Console(stderr=True)):
        measured = run_search(name, folder, arguments)
        if isinstance(measured, str):
            results[name] = Result(None, {}, measured)
        else:
            found[name] = measured.rows
            results[name] = result(measured, questions, rows)
    return Run(title, questions, rows, found, results)


def _embedder() -> Embedder:
    embedder = make_embedder(load_settings().embeddings)
    if embedder is None:
        raise SystemExit("the settings name no embedding model: VERILOOP_EMBEDDINGS__PROVIDER is none")
    return embedder


def main() -> None:
    """Run from the command line."""
    arguments = _arguments()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        path = arguments.vectors
        embedder = None if path is None else stack.enter_context(CachedEmbedder(_embedder(), path))
        run = compare(arguments, folder, embedder)
    if arguments.json:
        sys.stdout.write(as_json(run) + "\n")
    else:
        show(run)
    if arguments.worst and not arguments.json:
        show_worst(run, arguments.worst, arguments.worst_by)


if __name__ == "__main__":
    main()
