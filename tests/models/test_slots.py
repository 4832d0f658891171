"""An endpoint gets no more calls at once than it is allowed, and nobody waits for ever."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import pytest
from support.scripted_endpoint import ScriptedEndpoint, Turn
from veriloop.configs.model_settings import ChatModelSettings, Tier, TierSettings
from veriloop.errors import ModelUnavailableError
from veriloop.models.budget import Budget, BudgetLimits
from veriloop.models.chat import ModelTiers
from veriloop.models.messages import Message
from veriloop.models.slots import CallSlots


def test_who_finds_no_place_in_time_is_told_so() -> None:
    slots = CallSlots(1)
    with slots.taken(1, "small"), pytest.raises(ModelUnavailableError, match="small: too many calls"):
        slots.taken(0.01, "small").__enter__()
    with slots.taken(0, "small"):
        pass  # the place is free again


def test_calls_of_all_tiers_share_the_places_of_their_endpoint() -> None:
    now, most, guard = 0, 0, Lock()

    def slow(_: object) -> Turn:
        nonlocal now, most
        with guard:
            now += 1
            most = max(most, now)
        endpoint.closing.wait(0.1)
        with guard:
            now -= 1
        return Turn(text="ok")

    with ScriptedEndpoint() as endpoint:
        endpoint.player = slow
        shared = {"base_url": endpoint.base_url, "concurrent_calls": 2}
        tiers = TierSettings(
            light=ChatModelSettings(model="small", **shared), strong=ChatModelSettings(model="large", **shared)
        )
        models, budget = ModelTiers(tiers), Budget(BudgetLimits.for_class("complex"))

        def call(tier: Tier) -> str:
            return models.complete([Message("user", "?")], budget=budget, tier=tier).text

        with ThreadPoolExecutor(6) as pool:
            assert list(pool.map(call, [Tier.LIGHT, Tier.STRONG] * 3)) == ["ok"] * 6
    assert most == 2
