"""What a search shows, leaves out, and says about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from support.documents import lexical_settings, write
from veriloop import Caller, Library, add_files
from veriloop.configs.rerank_settings import RerankSettings
from veriloop.configs.settings import SearchSettings, Settings
from veriloop.errors import ModelError
from veriloop.knowledge.description import Description
from veriloop.knowledge.search import DropReason

OWNER = Caller.owner()
TEXTS = {
    "leave": "# 休假制度\n\n员工每年享有带薪年休假十五天。\n\n病假须提交医院证明。",
    "travel": "# Travel Policy\n\nHotel costs are refunded up to 120 EUR a night.\n\nFlights are booked by the office.",
    "pumps": "# 设备清单\n\nHN-3200 型水泵的额定功率为 55 kW，由动力车间维护。",
}


class RecordingScorer:
    """Prefers texts with a word; None for those behind the first so many."""

    name = "recording"

    def __init__(self, word: str, reaches: int = 100, fails: bool = False) -> None:
        self.word, self.reaches, self.fails = word, reaches, fails
        self.seen: list[str] = []

    def score(self, query: str, texts: Sequence[str], seconds: float | None = None) -> list[float | None]:
        if self.fails:
            raise ModelError("reranker recording returned values that are not numbers")
        self.seen = list(texts)
        scores = [0.9 if self.word in text else 0.1 for text in texts]
        return [score if place < self.reaches else None for place, score in enumerate(scores)]


class BrokenEmbedder:
    """Makes vectors of passages; fails on questions."""

    name = "broken"
    dimension = 2

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.tile(np.array([1, 0], dtype=np.float32), (len(texts), 1))

    def embed_query(self, text: str) -> NDArray[np.float32]:
        raise ModelError("embedding model broken returned values that are not numbers (NaN or infinite)")


def opened(folder: Path, texts: dict[str, str], settings: Settings | None = None, **more: object) -> Library:
    (folder / "library").mkdir()
    library = Library(folder / "library", settings or lexical_settings(), None, **more)  # type: ignore[arg-type]
    add_files(library, [write(folder / "documents", **texts)])
    return library


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with opened(tmp_path, TEXTS) as made:
        yield made


@pytest.mark.parametrize(
    "question",
    ["红烧肉怎么做才好吃", "今晚的足球比赛几点开始", "Who wrote the opera about a barber?", "', DROP TABLE x; --"],
)
def test_a_question_about_something_else_finds_nothing(library: Library, question: str) -> None:
    assert library.search(question, caller=OWNER).hits == ()


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("年休假有几天？", "leave.md"),
        ("hotel costs a night", "travel.md"),
        ("HN-3200", "pumps.md"),
        ("病假", "leave.md"),
    ],
)
def test_a_question_about_the_documents_finds_them(library: Library, question: str, document: str) -> None:
    assert library.search(question, caller=OWNER).hits[0].document.name == document


def test_a_library_about_one_subject_still_answers_about_it(tmp_path: Path) -> None:
    texts = {f"warranty{n}": f"# Warranty {n}\n\nThe warranty period of model {n} is {n} months." for n in range(9)}
    texts |= {f"zhibao{n}": f"# 质量保证书{n}\n\n型号{n}的质量保证期为{n}个月。" for n in range(9)}
    with opened(tmp_path, texts) as library:
        for question in ("How long is the warranty period?", "质量保证期是多久？"):
            assert library.search(question, caller=OWNER).hits


@pytest.mark.parametrize("question", ["年休假有几天", "How much is refunded for a hotel night?"])
def test_an_explanation_names_terms_features_and_places(library: Library, question: str) -> None:
    result = library.search(question, k=1, caller=OWNER, explain=True)
    explanation = result.explanation
    assert explanation is not None
    assert set(explanation.tokens) >= set(explanation.hits[0].terms)
    assert explanation.hits[0].lexical_score == pytest.approx(sum(explanation.hits[0].terms.values()), abs=0.01)
    assert explanation.hits[0].features["fused"] == 1
    assert explanation.reranked_by == "coverage"
    assert library.search(question, caller=OWNER).explanation is None


def test_what_is_left_out_is_named_with_the_reason(tmp_path: Path) -> None:
    same = "采购合同应当在验收合格后三十日内付款，付款前须核对发票。"
    texts = {
        "a": f"# 付款规定\n\n{same}",
        "b": f"# 付款规定副本\n\n{same}",
        "c": "# 付款日程\n\n采购合同的付款日程由财务部定。",
        "d": "# 用车规定\n\n公务用车由行政部调度，合同另行规定。",
    }
    with opened(tmp_path, texts) as library:
        result = library.search("采购合同验收合格后多少日内付款？", k=1, caller=OWNER, explain=True)
        assert result.explanation is not None
        reasons = {one.document: one.reason for one in result.explanation.dropped}
        assert [hit.document.name for hit in result.hits] == ["a.md"]
        assert reasons["b.md"] in (DropReason.NEAR_DUPLICATE, DropReason.BEYOND_K)
        assert reasons["c.md"] is DropReason.BEYOND_K
        assert reasons["d.md"] is DropReason.NOT_RELEVANT


@pytest.mark.parametrize(
    ("same", "question"),
    [
        ("采购合同应当在验收合格后三十日内付款，付款前须核对发票。", "采购合同何时付款"),
        ("Invoices are paid within thirty days after acceptance of the goods.", "When are invoices paid?"),
    ],
)
def test_of_copies_the_one_with_more_authority_is_shown(tmp_path: Path, same: str, question: str) -> None:
    with opened(tmp_path, {"copy": same}) as library:
        add_files(library, [write(tmp_path / "official", official=same)], described=Description(authority=80))
        result = library.search(question, caller=OWNER, explain=True)
        assert [hit.document.name for hit in result.hits] == ["official.md"]
        assert result.explanation is not None
        assert result.explanation.dropped[0].reason is DropReason.NEAR_DUPLICATE
        assert result.explanation.dropped[0].duplicate_of == result.hits[0].block.block_id


@pytest.mark.parametrize("question", ["员工休假 水泵功率", "flights 员工 额定功率"])
def test_a_model_puts_first_what_it_judges_best(tmp_path: Path, question: str) -> None:
    scorer = RecordingScorer("水泵")
    settings = lexical_settings(rerank=RerankSettings(provider="flag", model="x"))
    with opened(tmp_path, TEXTS, settings, make_scorer=lambda: scorer) as library:
        result = library.search(question, caller=OWNER, explain=True)
        assert result.hits[0].document.name == "pumps.md"
        assert result.explanation is not None
        assert result.explanation.hits[0].model_score == 0.9
        assert scorer.seen


def test_what_the_model_had_no_time_for_comes_behind_in_its_order(tmp_path: Path) -> None:
    scorer = RecordingScorer("nothing", reaches=1)
    settings = lexical_settings(rerank=RerankSettings(provider="flag", model="x"))
    with opened(tmp_path, TEXTS, settings, make_scorer=lambda: scorer) as library:
        result = library.search("员工休假 水泵功率", caller=OWNER)
        assert len(result.hits) == 2
        assert result.hits[0].score == pytest.approx(0.1)


def test_a_rerank_model_that_fails_costs_its_order_not_the_search(tmp_path: Path) -> None:
    scorer = RecordingScorer("水泵", fails=True)
    settings = lexical_settings(rerank=RerankSettings(provider="flag", model="x"))
    with opened(tmp_path, TEXTS, settings, make_scorer=lambda: scorer) as library:
        result = library.search("年休假有几天", caller=OWNER)
        assert result.hits[0].document.name == "leave.md"
        assert "reranked without the model" in result.notes[0]


def test_an_embedding_model_that_fails_leaves_the_search_by_words_with_a_note(tmp_path: Path) -> None:
    (tmp_path / "library").mkdir()
    with Library(tmp_path / "library", lexical_settings(), BrokenEmbedder()) as library:
        add_files(library, [write(tmp_path / "documents", **TEXTS)])
        result = library.search("年休假有几天", caller=OWNER)
        assert result.hits[0].document.name == "leave.md"
        assert not result.vectors_used
        assert "searched by words alone" in result.notes[0]


@pytest.mark.parametrize(
    "question", ["休", "。。。！？", "的 了 是", "the of and", "SELECT * FROM blocks", ".*[a-z]+(", "😀", "年" * 4_000]
)
def test_odd_questions_end_in_a_result(library: Library, question: str) -> None:
    result = library.search(question, caller=OWNER, explain=True)
    assert result.explanation is not None


def test_rank_fusion_is_a_setting(tmp_path: Path) -> None:
    settings = lexical_settings(search=SearchSettings(fusion="rrf"))
    with opened(tmp_path, TEXTS, settings) as library:
        assert library.search("年休假有几天", caller=OWNER).hits[0].document.name == "leave.md"
