"""Which passages a question of the news sets is asked over."""

from __future__ import annotations

import random
from typing import Any

import pytest
from support.benchmarks import benchmark

news_sets = benchmark("news_sets")
TRUE = tuple(f"true {n}" for n in range(6))
FALSE = tuple(f"false {n}" for n in range(6))
NOISE = tuple(f"noise {n}" for n in range(6))


def _pool(**changed: Any) -> Any:
    fields = {"set_name": "zh_fact", "number": 1, "question": "q", "facts": (("a",),), "wrong": ("b",)}
    return news_sets.Pool(**{**fields, "true": TRUE, "false": FALSE, "noise": NOISE, **changed})


def _kinds(mode: str, noise: float, pool: Any) -> list[str]:
    made = news_sets.trial(pool, mode, 5, noise, random.Random(1))
    return sorted(text.split()[0] for text in made.passages)


@pytest.mark.parametrize(("noise", "idle"), [(0.0, 0), (0.4, 2), (0.8, 4)])
def test_the_noise_ratio_is_the_share_of_passages_that_do_not_answer(noise: float, idle: int) -> None:
    kinds = _kinds("noise", noise, _pool())
    assert (kinds.count("noise"), kinds.count("true"), kinds.count("false")) == (idle, 5 - idle, 0)


def test_negatives_hold_no_answer_and_disagreeing_passages_are_as_many_on_each_side() -> None:
    assert set(_kinds("negatives", 0.4, _pool())) == {"noise"}
    assert _kinds("disagree", 0.4, _pool()) == ["false", "false", "true", "true"]


def test_a_set_without_such_passages_gives_no_trial() -> None:
    chance = random.Random(1)
    assert news_sets.trial(_pool(noise=()), "negatives", 5, 0.4, chance) is None
    assert news_sets.trial(_pool(wrong=()), "disagree", 5, 0.4, chance) is None
    assert news_sets.trial(_pool(false=()), "disagree", 5, 0.4, chance) is None
