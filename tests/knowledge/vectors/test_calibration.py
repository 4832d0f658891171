"""The floor of similarity comes from the library's own vectors and parts related passages from unrelated ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from support.documents import lexical_settings, write
from support.vectors import unit_vectors
from veriloop import Caller, Library, add_files
from veriloop.errors import ModelError
from veriloop.knowledge.store import SqliteStore
from veriloop.knowledge.vector_files import VectorFiles
from veriloop.knowledge.vectors import FaissIndex, VectorFloor
from veriloop.knowledge.vectors.calibration import FEWEST_VECTORS, pseudo_questions
from veriloop.knowledge.vectors.floor import stored_floor

TOPICS = 40
COMMON = 0.9


class Topical:
    """Vectors as embedding models make them: all near one direction, those of a topic nearer, English farther away."""

    name = "topical"
    dimension = 256

    def __init__(self) -> None:
        self.questions = 0
        self._directions = unit_vectors(TOPICS + 2, self.dimension, 1)

    def _vector(self, text: str) -> NDArray[np.float32]:
        found = re.search(r"(?:主题|topic )(\d+)", text)
        own = self._directions[int(found.group(1))] if found else unit_vectors(1, self.dimension, len(text))[0]
        noise = unit_vectors(1, self.dimension, sum(map(ord, text)) % 100_000)[0]
        common = self._directions[-1] if re.search(r"[一-鿿]", text) else self._directions[-2]
        vector = COMMON * common + 0.5 * own + 0.25 * noise
        unit: NDArray[np.float32] = (vector / np.linalg.norm(vector)).astype(np.float32)
        return unit

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self._vector(text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        self.questions += 1
        return self._vector(text)


def texts(first: int, documents: int) -> dict[str, str]:
    """Documents of six sections each about a topic of their own."""
    return {
        f"d{n}": "\n\n".join(
            f"# 第{part}部分\n\n" + f"这一段说的是主题{n % TOPICS}，编号{n}之{part}。" * 30 for part in range(6)
        )
        for n in range(first, first + documents)
    }


class Opened:
    """A library, its store and its model."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "library").mkdir(exist_ok=True)
        self.embedder = Topical()
        self.library = Library(folder / "library", lexical_settings(), self.embedder)
        self.store = SqliteStore(folder / "library" / "library.sqlite")

    def add(self, first: int, documents: int) -> None:
        add_files(self.library, [write(self.folder / f"documents{first}", **texts(first, documents))], vector_minutes=2)

    def index(self) -> FaissIndex:
        """As another process would open it."""
        return VectorFiles(self.folder / "library" / "index", self.store.vectors).current()

    @property
    def floor(self) -> VectorFloor | None:
        return stored_floor(self.store.vectors)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    made = Opened(tmp_path)
    yield made
    made.store.close()
    made.library.close()


def test_the_floor_lies_between_the_passages_of_a_topic_and_those_of_others(opened: Opened) -> None:
    opened.add(0, TOPICS)
    floor = opened.floor
    assert floor is not None and floor.model == "topical" and floor.vectors >= FEWEST_VECTORS
    assert floor.samples > 5_000
    index = opened.index()
    shares = []
    for topic in range(TOPICS):
        question = opened.embedder.embed_query(f"主题{topic}是什么？")
        limit = index.floor_of(question)
        hits = index.search(question, len(index), None)
        above = {hit.passage_id for hit in hits if limit is not None and hit.score >= limit}
        found = opened.store.passages(sorted(above), Caller.owner())
        assert found and {f"d{topic}.md"} <= {one.document.name for one in found.values()}
        shares.append(len(above) / len(hits))
    assert np.mean(shares) < 0.12


def test_questions_in_another_language_have_a_lower_floor_that_their_topic_passes(opened: Opened) -> None:
    opened.add(0, TOPICS)
    floor = opened.floor
    assert floor is not None and floor.cosine is not None
    index = opened.index()
    foreign = opened.embedder.embed_query("what is topic 7 about?")
    limit = index.floor_of(foreign)
    assert limit is not None and limit < floor.cosine - 0.1
    best = index.search(foreign, 1, None)[0]
    assert limit <= best.score < floor.cosine
    assert index.floor_of(opened.embedder.embed_query("主题7是什么？")) == pytest.approx(floor.cosine, abs=0.05)


def test_few_passages_have_no_floor_for_candidates_but_say_what_is_near(opened: Opened) -> None:
    opened.add(0, 3)
    floor, index = opened.floor, opened.index()
    assert floor is not None and floor.cosine is None and floor.vectors == 18
    assert index.floor_of(opened.embedder.embed_query("主题1是什么？")) is None
    assert near(opened, "主题1是什么？") == {"d1.md"}


@pytest.mark.parametrize("documents", [1, 3, TOPICS])
@pytest.mark.parametrize("words", ["换个话题吧", "something else"])
def test_most_questions_about_something_else_are_near_nothing_in_a_library_of_any_size(
    opened: Opened, words: str, documents: int
) -> None:
    opened.add(0, documents)
    asked = [f"{words}{'!' * number}" for number in range(40)]
    assert sum(bool(near(opened, question)) for question in asked) <= 16


@pytest.mark.parametrize("documents", [3, TOPICS])
@pytest.mark.parametrize("question", ["主题2有哪些内容", "How about topic 2?"])
def test_a_question_in_either_language_is_near_what_it_is_about_in_a_library_of_any_size(
    opened: Opened, question: str, documents: int
) -> None:
    opened.add(0, documents)
    assert "d2.md" in near(opened, question)
    assert len(near(opened, question)) <= max(1, documents / 8)


@pytest.mark.parametrize("question", ["主题7怎么样", "How about topic 7?"])
def test_in_a_library_about_one_subject_all_is_near_to_a_question_about_it(opened: Opened, question: str) -> None:
    same = {f"d{n}": f"# 第{n}份\n\n" + f"这一段说的是主题7，编号{n}。" * 30 for n in range(12)}
    add_files(opened.library, [write(opened.folder / "same", **same)], vector_minutes=2)
    assert len(near(opened, question)) == 12
    assert not near(opened, question.replace("7", "9"))


def near(opened: Opened, question: str) -> set[str]:
    """The documents with a passage that is near enough to a question whatever its words."""
    index, vector = opened.index(), opened.embedder.embed_query(question)
    limit = index.near_of(vector, chinese="topic" not in question and "else" not in question)
    assert limit is not None
    above = [hit.passage_id for hit in index.search(vector, len(index), None) if hit.score >= limit]
    return {one.document.name for one in opened.store.passages(above, Caller.owner()).values()}


def test_a_floor_is_computed_once_and_anew_when_the_library_has_doubled(opened: Opened) -> None:
    opened.add(0, 40)
    first, asked = opened.floor, opened.embedder.questions
    opened.add(100, 5)
    assert opened.floor == first and opened.embedder.questions == asked
    opened.add(200, 45)
    assert opened.floor is not None and first is not None and opened.floor.vectors >= 2 * first.vectors
    assert opened.index().floor == opened.floor


def test_a_library_that_grows_large_enough_has_a_floor_for_candidates_at_once(opened: Opened) -> None:
    opened.add(0, 18)
    before = opened.floor
    opened.add(100, 10)
    after = opened.floor
    assert before is not None and before.cosine is None
    assert after is not None and after.cosine is not None and after.vectors < 2 * before.vectors


def test_a_model_that_fails_on_questions_leaves_the_library_without_a_floor(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: Topical, text: str) -> NDArray[np.float32]:
        raise ModelError("the model is ill")

    monkeypatch.setattr(Topical, "embed_query", broken)
    opened.add(0, TOPICS)
    assert opened.floor is None and opened.library.vector_progress().done >= FEWEST_VECTORS


def test_vectors_of_another_model_forget_the_floor_of_the_one_before(opened: Opened) -> None:
    opened.add(0, TOPICS)
    assert opened.floor is not None
    opened.store.vectors.begin("other")
    with Library(opened.folder / "library", lexical_settings(), Other()) as library:
        library.reindex_vectors()
    assert opened.floor is not None and opened.floor.model == "other"


class Other(Topical):
    """Another model."""

    name = "other"


def test_a_floor_that_this_version_cannot_read_counts_as_none(opened: Opened) -> None:
    opened.add(0, 3)
    opened.store.vectors.put_floor('{"kind": "of a later version"}')
    assert opened.floor is None
    assert opened.library.search("主题1").hits


def test_pseudo_questions_come_from_as_many_documents_as_there_are(opened: Opened) -> None:
    opened.add(0, 12)
    numbers = opened.store.vectors.passages().numbers.tolist()
    found = list(opened.store.passages(numbers, Caller.owner()).values())
    asked = pseudo_questions(found, 12)
    assert len({one.doc_id for one in asked}) == 12
    assert all(0 < len(one.text) <= 60 for one in asked)
    assert pseudo_questions(found, 12) == asked
