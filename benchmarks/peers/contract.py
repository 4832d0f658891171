"""What every search is given, and how each is measured; nothing here needs Veriloop or any peer."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .measuring import Lap, Lapper, grown, resident_megabytes

CANDIDATES = 50
"""How many passages each leg of a peer gives, as many as Veriloop's."""

UNCOUNTED = Lapper()
"""What is done inside `with UNCOUNTED` is taken off the figures: a model at work."""

Vectors = NDArray[np.float32]
Search = Callable[[str], Sequence[int]]
Build = Callable[[ExitStack], Search]
"""Builds an index; what has to be closed afterwards goes onto the stack."""


class Workload(NamedTuple):
    """The passages that are searched, by row, and the questions. The vectors are made by the same model for all."""

    folder: Path
    texts: list[str]
    documents: list[str]
    questions: list[str]
    vectors: Vectors | None
    question_vectors: Vectors | None

    def save(self) -> None:
        """Write everything into the folder."""
        plain = {"texts": self.texts, "documents": self.documents, "questions": self.questions}
        (self.folder / "workload.json").write_text(json.dumps(plain, ensure_ascii=False), encoding="utf-8")
        if self.vectors is not None and self.question_vectors is not None:
            np.save(self.folder / "vectors.npy", self.vectors)
            np.save(self.folder / "question_vectors.npy", self.question_vectors)

    @classmethod
    def load(cls, folder: Path) -> Workload:
        """What `save` has written."""
        plain = json.loads((folder / "workload.json").read_text(encoding="utf-8"))
        paths = (folder / "vectors.npy", folder / "question_vectors.npy")
        vectors = [np.load(path) if path.is_file() else None for path in paths]
        return cls(folder, plain["texts"], plain["documents"], plain["questions"], *vectors)

    def vector_of(self) -> dict[str, Vectors]:
        """The vectors of the questions by text."""
        if self.question_vectors is None:
            raise NeedsVectorsError
        return dict(zip(self.questions, self.question_vectors, strict=True))

    def passage_vectors(self) -> Vectors:
        """The vectors of the passages by row."""
        if self.vectors is None:
            raise NeedsVectorsError
        return self.vectors


class NeedsVectorsError(Exception):
    """A search by vectors was asked for in a run without any."""


class Measured(NamedTuple):
    """What one search has found and cost. `rows` are passages by question, best first."""

    rows: list[list[int]]
    laps: list[Lap]
    index_seconds: float
    memory_mb: float | None


def measure(prepare: Callable[[Workload], Build], workload: Workload) -> Measured:
    """Build an index and ask every question once, after one that does not count.

    Args:
        prepare: imports and loads what the search is made of, which is not measured; what it returns builds the index.
        workload: passages and questions.
    """
    build = prepare(workload)
    gc.collect()
    before, built = resident_megabytes(), Lapper()
    UNCOUNTED.laps.clear()
    with ExitStack() as closing:
        with built:
            search = build(closing)
        index_seconds = built.seconds - UNCOUNTED.seconds
        search(workload.questions[0])
        rows, laps = _ask(search, workload.questions)
        return Measured(rows, laps, index_seconds, grown(before, resident_megabytes()))


def _ask(search: Search, questions: Sequence[str]) -> tuple[list[list[int]], list[Lap]]:
    rows, laps, asked = [], [], Lapper()
    for question in questions:
        UNCOUNTED.laps.clear()
        with asked:
            found = search(question)
        rows.append([int(row) for row in found])
        laps.append(_less(asked.laps[-1], UNCOUNTED.laps))
    return rows, laps


def _less(lap: Lap, off: Sequence[Lap]) -> Lap:
    return Lap(lap.wall - sum(one.wall for one in off), lap.cpu - sum(one.cpu for one in off))
