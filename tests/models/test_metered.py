"""Each call of a step is booked and written down, and a replay gives the same replies for the same charge."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pydantic import BaseModel
from support.scripted_endpoint import ScriptedEndpoint, Turn
from veriloop.configs.model_settings import ChatModelSettings, Tier, TierSettings
from veriloop.errors import BudgetExceededError, ModelError, ModelUnavailableError
from veriloop.models.budget import Budget, BudgetLimits
from veriloop.models.chat import ModelTiers
from veriloop.models.messages import Message
from veriloop.models.metered import MeteredModels, ReplayedModels

PROMPT = [Message("user", "多久？")]


class Verdict(BaseModel):
    """A decision."""

    answered: bool


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint() as server:
        yield server


def tiers(endpoint: ScriptedEndpoint, **changes: object) -> ModelTiers:
    settings = ChatModelSettings.model_validate(
        {"base_url": endpoint.base_url, "model": "scripted", "retries": 0, **changes}
    )
    return ModelTiers(TierSettings(strong=settings))


def budget() -> Budget:
    return Budget(BudgetLimits.for_class("complex"))


def test_a_replay_gives_what_was_said_and_charges_what_it_cost(endpoint: ScriptedEndpoint) -> None:
    endpoint.script = ["十天。", '{"answered": tru', '```json\n{"answered": true}\n```']
    meter = budget()
    live = MeteredModels(tiers(endpoint), meter)
    said = live.complete(PROMPT, tier=Tier.STRONG).text
    judged = live.structured(PROMPT, Verdict, tier=Tier.LIGHT, language="zh")

    second = budget()
    replayed = MeteredModels(ReplayedModels(live.exchanges, 8_192), second)
    assert replayed.complete(PROMPT, tier=Tier.STRONG).text == said == "十天。"
    assert replayed.structured(PROMPT, Verdict, tier=Tier.LIGHT, language="zh") == judged
    assert second.usage().strong == meter.usage().strong
    assert second.usage().light == meter.usage().light
    assert [e.request for e in live.exchanges]


def test_a_failure_is_written_down_and_fails_again(endpoint: ScriptedEndpoint) -> None:
    endpoint.script = [Turn(status=429)]
    meter = budget()
    live = MeteredModels(tiers(endpoint), meter)
    with pytest.raises(ModelUnavailableError) as first:
        live.complete(PROMPT, tier=Tier.STRONG)
    with pytest.raises(ModelUnavailableError) as second:
        MeteredModels(ReplayedModels(live.exchanges, 8_192), budget()).complete(PROMPT, tier=Tier.STRONG)
    assert str(first.value) == str(second.value)


def test_a_replay_that_runs_out_of_replies_says_so() -> None:
    with pytest.raises(ModelError, match="another way"):
        MeteredModels(ReplayedModels((), 8_192), budget()).complete(PROMPT, tier=Tier.STRONG)


def test_decisions_leave_the_answers_reserve_untouched(endpoint: ScriptedEndpoint) -> None:
    limits = BudgetLimits(tokens=1_500, steps=3, seconds=20, answer_reserve=1_000)
    models = MeteredModels(tiers(endpoint), Budget(limits), limits.answer_reserve)
    with pytest.raises(BudgetExceededError):
        models.structured(PROMPT, Verdict, tier=Tier.LIGHT, language="en")
    assert endpoint.requests == []
    assert models.complete(PROMPT, tier=Tier.STRONG).text is not None
