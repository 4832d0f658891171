"""Two thousand random mixtures of misbehaving models: every run ends, within its budget, with nothing invented."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.adversaries import Mixture
from support.adversary_runs import Run, hostile_library, run
from support.scripted_endpoint import ScriptedEndpoint
from veriloop import Library
from veriloop.graphs.rules import RULES

CHUNKS, RUNS_A_CHUNK = 20, 100
_ENDING = {rule.name for rule in RULES if rule.target in ("deliver", "answer", "extract")}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with hostile_library(Path(tmp_path_factory.mktemp("hostile"))) as opened:
        yield opened


def check(done: Run) -> None:
    """What holds of every run, whatever the model does."""
    assert done.answer.text
    assert done.answer.stop_rule in _ENDING
    assert max(done.tokens, done.steps) <= 1, done.mixture
    assert done.seconds <= 1, done.mixture
    assert done.unsupported == (), (done.mixture, done.question, done.answer.text)
    assert_rule_is_right(done)


def assert_rule_is_right(done: Run) -> None:
    """The rule that is named is one that fired, and the budget's brakes only where the budget was used up."""
    fired = [record.rule for record in done.records if record.rule]
    rule = done.answer.stop_rule
    assert rule in fired
    if rule == "seconds":
        assert done.seconds >= 0.95
    if rule == "steps":
        assert done.steps >= 0.6
    if rule.endswith("_again"):
        assert "replan" in fired
    brakes = [r for r in done.records if r.kind == "brake" and r.target in ("answer", "extract", "deliver")]
    assert not brakes or rule == brakes[-1].rule


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_run_ends_within_its_budget_and_invents_nothing(chunk: int, library: Library) -> None:
    with ScriptedEndpoint() as endpoint:
        for seed in range(chunk * RUNS_A_CHUNK, (chunk + 1) * RUNS_A_CHUNK):
            check(run(Mixture.of(seed), library, endpoint))
