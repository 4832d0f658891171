"""Rerankers through the real FlagEmbedding and sentence-transformers, with models of random weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError
from support.small_models import TEXTS, copied, needs_bge, offline, save_m3, save_reranker, spoil_weights
from veriloop.configs import load_settings
from veriloop.configs.embedding_settings import EmbeddingSettings
from veriloop.configs.rerank_settings import RerankSettings
from veriloop.errors import MissingExtraError, ModelError, ModelUnavailableError, SettingsError
from veriloop.knowledge.pair_scorer import PairScorer
from veriloop.models import local_models, m3
from veriloop.models.embeddings import make_embedder
from veriloop.models.rerankers import LoadedPairScorer, make_pair_scorer

PROVIDERS = ["flag", "cross-encoder", "bge-m3"]
QUESTIONS = ["验收期限是多久？", "How much may a hotel cost?"]
AWKWARD = ["a\0b", "\ud800", "长" * 50_000, "\n", "𠮷野家", "[SEP] </s> <pad>"]


def test_without_a_setting_no_model_reranks() -> None:
    assert make_pair_scorer(RerankSettings()) is None
    assert load_settings(environment={}).rerank.provider == "none"


def test_profile_bge_reranks_with_the_model_of_its_family() -> None:
    settings = load_settings("bge", environment={}).rerank
    assert (settings.provider, settings.model) == ("flag", "BAAI/bge-reranker-v2-m3")
    ours = load_settings("bge", environment={"VERILOOP_RERANK__MODEL": "/models/bge-reranker-base"})
    assert ours.rerank.model == "/models/bge-reranker-base"


@pytest.mark.parametrize(
    "fields",
    [
        {"provider": "flag"},
        {"candidates": 201},
        {"candidates": 0},
        {"seconds": 0},
        {"seconds": 601},
        {"weight": 1.1},
        {"batch_size": 0},
        {"provider": "gpu", "model": "m"},
        {"modell": "m"},
    ],
)
def test_settings_that_make_no_sense_are_refused(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        RerankSettings.model_validate(fields)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_missing_extra_is_named(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_models, "find_spec", lambda _name: None)
    with pytest.raises(MissingExtraError, match=r"reranking .*veriloop\[bge\]"):
        make_pair_scorer(RerankSettings.model_validate({"provider": provider, "model": "BAAI/bge-m3"}))


class Clock:
    """A clock that stands still unless it is told what passes."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("models")
    with offline(tmp_path_factory.mktemp("cache")):
        save_m3(folder / "bge-m3")
        save_reranker(folder / "bge-reranker-v2-m3")
        yield folder


def name_for(provider: str) -> str:
    return "bge-m3" if provider == "bge-m3" else "bge-reranker-v2-m3"


def made(provider: str, model: Path, clock: Clock | None = None, **fields: object) -> LoadedPairScorer:
    settings = RerankSettings.model_validate({"provider": provider, "model": str(model), "seconds": 600, **fields})
    scorer = make_pair_scorer(settings, clock or Clock())
    assert scorer is not None
    return scorer


def slow(scorer: LoadedPairScorer, clock: Clock, seconds: float) -> list[list[str]]:
    """Makes each pair take so many seconds of that clock; returns the batches that are computed from now on."""
    judge, batches = scorer._judge, []

    def slowly(question: Any, texts: list[str]) -> Any:
        batches.append(texts)
        clock.now += seconds * len(texts)
        return judge(question, texts)

    scorer._judge = slowly  # type: ignore[method-assign]
    return batches


def numbers(scores: Sequence[float | None]) -> list[float]:
    assert all(score is not None for score in scores)
    return [score for score in scores if score is not None]


class TestWithModels:
    pytestmark = needs_bge

    @pytest.mark.parametrize("provider", PROVIDERS)
    @pytest.mark.parametrize("question", QUESTIONS)
    def test_every_text_has_a_score_between_0_and_1(self, provider: str, question: str, models: Path) -> None:
        scorer: PairScorer = made(provider, models / name_for(provider))
        scores = numbers(scorer.score(question, TEXTS))
        assert len(scores) == len(TEXTS)
        assert all(0 <= score <= 1 for score in scores)
        assert len({round(score, 4) for score in scores}) > 2
        assert scorer.name == f"{provider}:{models / name_for(provider)}"
        assert scorer.score(question, []) == []

    @pytest.mark.parametrize("provider", PROVIDERS)
    def test_a_text_has_the_same_score_in_any_batch_and_any_company(self, provider: str, models: Path) -> None:
        model = models / name_for(provider)
        together = numbers(made(provider, model, batch_size=2).score(QUESTIONS[0], TEXTS))
        scorer = made(provider, model)
        apart = [scorer.score(QUESTIONS[0], [text])[0] for text in TEXTS]
        backwards = made(provider, model, batch_size=5).score(QUESTIONS[0], TEXTS[::-1])[::-1]
        assert together == pytest.approx(apart, abs=1e-5)
        assert together == pytest.approx(backwards, abs=1e-5)

    def test_scores_are_those_of_flag_embeddings_own_reranker(self, models: Path) -> None:
        from FlagEmbedding import FlagReranker

        own = FlagReranker(str(models / "bge-reranker-v2-m3"), use_fp16=False)
        texts = ["质量保证期为24个月。", "Employees", "收到验收申请", "Receipts"]
        expected = own.compute_score([("验收", text) for text in texts], normalize=True)
        assert made("flag", models / "bge-reranker-v2-m3").score("验收", texts) == pytest.approx(expected, abs=1e-5)

    def test_both_libraries_score_with_the_same_model_alike(self, models: Path) -> None:
        flag, cross = (made(p, models / "bge-reranker-v2-m3").score("验收", TEXTS) for p in PROVIDERS[:2])
        assert flag == pytest.approx(cross, abs=1e-5)

    def test_scores_of_bge_m3_are_those_of_flag_embedding(self, models: Path) -> None:
        from FlagEmbedding import BGEM3FlagModel

        own: Any = BGEM3FlagModel(str(models / "bge-m3"), use_fp16=False)
        texts = [text for text in TEXTS if text]  # it divides by the tokens of an empty one
        for question in QUESTIONS:
            pairs = [(question, text) for text in texts]
            expected = own.compute_score(pairs, weights_for_different_modes=[0.4, 0.2, 0.4])["colbert+sparse+dense"]
            scores = made("bge-m3", models / "bge-m3").score(question, texts)
            assert scores == pytest.approx(np.clip(expected, 0, 1).tolist(), abs=1e-5)

    @pytest.mark.parametrize("provider", PROVIDERS)
    def test_awkward_questions_and_texts_are_scored_too(self, provider: str, models: Path) -> None:
        scorer = made(provider, models / name_for(provider))
        assert len(numbers(scorer.score(QUESTIONS[0], AWKWARD))) == len(AWKWARD)
        for question in ["", "？", "期" * 10_000, "SELECT * FROM t; (.*)+$", *AWKWARD]:
            assert len(numbers(scorer.score(question, TEXTS[:3]))) == 3

    @pytest.mark.parametrize("provider", PROVIDERS)
    def test_several_threads_get_their_own_scores(self, provider: str, models: Path) -> None:
        scorer = made(provider, models / name_for(provider), batch_size=2)
        questions, texts = [*QUESTIONS, "质量保证期", "Receipts"] * 3, TEXTS[:3]
        expected = [numbers(scorer.score(question, texts)) for question in questions]
        with ThreadPoolExecutor(4) as pool:
            found = [numbers(scores) for scores in pool.map(lambda q: scorer.score(q, texts), questions)]
        assert np.allclose(found, expected, atol=1e-5)

    @pytest.mark.parametrize("provider", PROVIDERS)
    def test_texts_that_the_time_does_not_reach_have_no_score(self, provider: str, models: Path) -> None:
        clock = Clock()
        scorer = made(provider, models / name_for(provider), clock, batch_size=4)
        batches = slow(scorer, clock, 1.0)
        texts = ["质量保证期"] * 20
        scores = scorer.score("质量保证期", texts, seconds=10)
        # One to learn the speed, then full batches, then what still fits into the last second but a margin.
        assert [len(batch) for batch in batches] == [1, 4, 4]
        assert None not in scores[:9]
        assert scores[9:] == [None] * 11
        assert clock.now <= 1_010

    @pytest.mark.parametrize("provider", PROVIDERS)
    def test_the_time_of_the_settings_holds_where_none_is_given(self, provider: str, models: Path) -> None:
        clock = Clock()
        scorer = made(provider, models / name_for(provider), clock, seconds=3)
        slow(scorer, clock, 1.0)
        scores = scorer.score("期限", ["期限"] * 9)
        assert sum(score is not None for score in scores) == 2
        assert scorer.score("期限", ["期限"] * 9, seconds=0) == [None] * 9

    def test_long_texts_are_expected_to_take_longer(self, models: Path) -> None:
        clock = Clock()
        scorer = made("flag", models / "bge-reranker-v2-m3", clock, batch_size=4)
        batches = slow(scorer, clock, 1.0)
        scorer.score("期限", ["期限"] * 5, seconds=600)
        batches.clear()
        scorer.score("期限", ["期限", "期限", "期限" * 200, "期限"], seconds=4)
        assert [len(batch) for batch in batches] == [2]

    def test_a_speed_measured_on_a_busy_machine_is_measured_again(self, models: Path) -> None:
        clock = Clock()
        scorer = made("flag", models / "bge-reranker-v2-m3", clock)
        judge = scorer._judge
        slow(scorer, clock, 100.0)
        assert scorer.score("期限", ["期限"] * 3, seconds=2)[1:] == [None, None]
        scorer._judge = judge  # type: ignore[method-assign]
        tries = [scorer.score("期限", ["期限"] * 3, seconds=2) for _ in range(10)]
        assert tries[0] == [None] * 3
        assert None not in tries[-1]

    @pytest.mark.parametrize("provider", PROVIDERS)
    def test_a_model_whose_weights_are_not_numbers_is_refused(
        self, provider: str, models: Path, tmp_path: Path
    ) -> None:
        folder = spoil_weights(copied(models / name_for(provider), tmp_path))
        with pytest.raises(ModelError, match="not numbers") as caught:
            made(provider, folder)
        assert str(folder) in str(caught.value)

    @pytest.mark.parametrize("provider", PROVIDERS)
    def test_scores_that_are_not_numbers_are_refused_while_it_runs(self, provider: str, models: Path) -> None:
        scorer = made(provider, models / name_for(provider))
        for wrong in ([float("nan")], [], [0.1, 0.2], [[0.1]]):
            scorer._judge = lambda _question, _texts, wrong=wrong: wrong  # type: ignore[method-assign, misc]
            with pytest.raises(ModelError, match=rf"reranker {provider}:"):
                scorer.score("期限", ["期限"])

    @pytest.mark.parametrize("provider", PROVIDERS[:2])
    def test_a_classifier_of_several_labels_is_refused(self, provider: str, tmp_path: Path) -> None:
        with pytest.raises(ModelError, match="one number a pair"):
            made(provider, save_reranker(tmp_path / "classifier", labels=3))

    @pytest.mark.parametrize("provider", PROVIDERS[:2])
    def test_an_embedding_model_is_not_given_a_random_last_layer(self, provider: str, models: Path) -> None:
        with pytest.raises(SettingsError, match=r"is no reranker .*XLMRobertaModel.*set rerank\.provider to bge-m3"):
            made(provider, models / "bge-m3")

    def test_only_bge_m3_compares_its_own_vectors(self, models: Path) -> None:
        with pytest.raises(ModelUnavailableError, match=r"lacks colbert_linear\.pt, sparse_linear\.pt"):
            made("bge-m3", models / "bge-reranker-v2-m3")

    @pytest.mark.parametrize("provider", PROVIDERS)
    @pytest.mark.parametrize("damaged", ["model.safetensors", "tokenizer.json", "config.json"])
    def test_a_damaged_model_is_refused_by_its_folder(
        self, provider: str, damaged: str, models: Path, tmp_path: Path
    ) -> None:
        folder = copied(models / name_for(provider), tmp_path)
        (folder / damaged).write_bytes(b"{}")
        with pytest.raises(ModelUnavailableError, match="cannot be loaded") as caught:
            made(provider, folder)
        assert str(folder) in str(caught.value)

    def test_bge_m3_is_loaded_once_for_embedding_and_reranking(self, models: Path) -> None:
        folder = models / "bge-m3"
        settings = EmbeddingSettings(provider="flag-embedding", model=str(folder), sparse=True)
        embedder, scorer = make_embedder(settings), made("bge-m3", folder)
        assert embedder is not None
        assert embedder._model is scorer._model is m3._in_use[folder.resolve()]  # type: ignore[union-attr]
        assert numbers(scorer.score("期限", TEXTS)) and embedder.gives_sparse
