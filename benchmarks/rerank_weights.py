"""Fits the weights of the model-free reranker, and shows what they gain.

    python benchmarks/rerank_weights.py clauses=LIBRARY companies=LIBRARY --vectors cache.sqlite

Each argument is a set and a library that holds its documents (`veriloop add`). The weights are those that make the
right block most likely under a softmax over the blocks that were found (ListNet's top-one loss: Cao et al. 2007),
bounded to be no less than 0, for Chinese and other questions apart. They are fitted on the half of each set that
`retrieval.py --half tune` takes, and shown on the other one, too.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import corpora
import numpy as np
from numpy.typing import NDArray
from retrieval_workload import half
from rich.console import Console
from rich.progress import track
from rich.table import Table
from scipy.optimize import minimize
from vector_cache import CachedEmbedder
from veriloop.configs import Settings, load_settings
from veriloop.knowledge.documents import Caller
from veriloop.knowledge.library import Library
from veriloop.knowledge.rerank.features import RankFeatures
from veriloop.knowledge.rerank.weights import CHINESE, ENGLISH
from veriloop.knowledge.text.normalise import has_chinese
from veriloop.knowledge.vectors import Embedder
from veriloop.models.embeddings import make_embedder

FIELDS = RankFeatures._fields
LOOKED_AT = 50
COUNTED_RANKS = 10
Weights = NDArray[np.float64]
Numbers = NDArray[np.float64]


class Case(NamedTuple):
    """A question's blocks in the present order: features of shape (blocks, features), and which of them are right."""

    set_name: str
    tuning: bool
    chinese: bool
    features: Numbers
    right: NDArray[np.bool_]


def read_cases(name: str, folder: Path, embedder: Embedder | None, settings: Settings, most: int) -> Iterator[Case]:
    """The cases of a set, as the library's search sees them."""
    questions = corpora.questions(name)
    tuning = {question.id for question in half(questions, "tune")}
    random.Random(corpora.SAMPLE_SEED).shuffle(questions)
    with closing(Library(folder, settings, embedder)) as library:
        held = {Path(summary.document.name).stem for summary in library.documents(Caller.owner())}
        answerable = [q for q in questions if held.issuperset(Path(d).stem for d in q.documents)]
        for question in track(list(islice(answerable, most)), name, console=Console(stderr=True)):
            yield _case(name, question, library)._replace(tuning=question.id in tuning)


def _case(name: str, question: corpora.Question, library: Library) -> Case:
    result = library.search(question.text, k=LOOKED_AT, caller=Caller.owner(), explain=True)
    assert result.explanation is not None
    explained = {one.block_id: one.features for one in result.explanation.hits}
    wanted = {Path(document).stem for document in question.documents}
    rows = [[explained[hit.block.block_id].get(field, 0.0) for field in FIELDS] for hit in result.hits]
    right = [
        Path(hit.document.name).stem in wanted and any(w in corpora.bare(hit.text) for w in question.wanted)
        for hit in result.hits
    ]
    features = np.array(rows, dtype=np.float64).reshape(-1, len(FIELDS))
    return Case(name, False, has_chinese(question.text), features, np.array(right, dtype=np.bool_))


def fit(cases: Sequence[Case], shares: Mapping[str, float], penalty: float) -> Weights:
    """The weights for these cases, with that of the search's own score at 1."""
    usable = [case for case in cases if case.right.any() and not case.right.all()]
    counts = {name: sum(case.set_name == name for case in usable) for name in shares}
    importance = [shares.get(case.set_name, 1.0) / counts[case.set_name] for case in usable]

    def loss(weights: Weights) -> tuple[float, Weights]:
        value, slope = 0.0, np.zeros_like(weights)
        for case, weight in zip(usable, importance, strict=True):
            part, part_slope = _case_loss(case, weights)
            value += weight * part
            slope += weight * part_slope
        total = sum(importance)
        return value / total + penalty * float(weights @ weights), slope / total + 2 * penalty * weights

    start = np.full(len(FIELDS), 1.0)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(FIELDS))
    weights: Weights = found.x / found.x[0]
    return weights


def _case_loss(case: Case, weights: Weights) -> tuple[float, Weights]:
    scores = case.features @ weights
    scores -= scores.max()
    likely = np.exp(scores)
    everything, right = likely.sum(), likely[case.right].sum()
    slope = (likely @ case.features) / everything - (likely[case.right] @ case.features[case.right]) / right
    return float(np.log(everything) - np.log(right)), slope


def figures(cases: Sequence[Case], weights: Mapping[bool, Weights]) -> tuple[float, float, float]:
    """Hit@1, Hit@5 and MRR of the cases in the order of these weights."""
    rows = []
    for case in cases:
        order = np.argsort(-(case.features @ weights[case.chinese]), kind="stable")[:COUNTED_RANKS]
        found = np.flatnonzero(case.right[order])
        first = int(found[0]) if len(found) else None
        rows.append((first == 0, first is not None and first < 5, 0.0 if first is None else 1 / (first + 1)))
    hit1, hit5, reciprocal = np.mean(np.array(rows, dtype=np.float64), axis=0) if rows else (0.0, 0.0, 0.0)
    return float(hit1), float(hit5), float(reciprocal)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", nargs="+", metavar="SET=FOLDER")
    parser.add_argument("--vectors", type=Path, help="an SQLite file of cached vectors; without it: words alone")
    parser.add_argument("--n", type=int, default=400, help="questions of each set")
    parser.add_argument("--penalty", type=float, default=0.0005, help="on the squares of the weights")
    parser.add_argument("--share", action="append", default=[], metavar="SET=NUMBER", help="how much a set counts")
    return parser.parse_args()


def main() -> None:
    """Prints the figures before and after, and the weights."""
    arguments = _arguments()
    settings = load_settings()
    embedder: Embedder | None = None
    if arguments.vectors:
        made = make_embedder(settings.embeddings)
        assert made is not None
        embedder = CachedEmbedder(made, arguments.vectors)
    cases: list[Case] = []
    for argument in arguments.libraries:
        name, _, folder = argument.partition("=")
        cases += read_cases(name, Path(folder), embedder, settings, arguments.n)
    shares = {case.set_name: 1.0 for case in cases}
    shares |= {name: float(number) for name, _, number in (one.partition("=") for one in arguments.share)}
    _report(cases, shares, arguments.penalty)


def _report(cases: Sequence[Case], shares: Mapping[str, float], penalty: float) -> None:
    by_set = {name: [case for case in cases if case.set_name == name] for name in shares}
    tuned = [case for case in cases if case.tuning]
    fitted = {
        chinese: fit([case for case in tuned if case.chinese is chinese], shares, penalty)
        for chinese in {case.chinese for case in tuned}
    }
    present = {True: np.array(CHINESE), False: np.array(ENGLISH)}
    table = Table("set", "weights", "tuned on: Hit@1", "Hit@5", "MRR", "held out: Hit@1", "Hit@5", "MRR")
    for name, own in by_set.items():
        both: dict[str, Mapping[bool, Weights]] = {"present": present, "fitted": fitted}
        for label, weights in both.items():
            shown = [
                number
                for tuning in (True, False)
                for number in figures([case for case in own if case.tuning is tuning], weights)
            ]
            table.add_row(name, label, *(f"{number:.3f}" for number in shown))
    console = Console(width=140)
    console.print(table)
    for chinese, own_weights in fitted.items():
        console.print("CHINESE" if chinese else "ENGLISH")
        console.print(", ".join(f"{field}={weight:.2f}" for field, weight in zip(FIELDS, own_weights, strict=True)))


if __name__ == "__main__":
    main()
