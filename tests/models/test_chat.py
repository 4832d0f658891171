"""Calls to a chat model keep to the budget and to the clock, whatever the endpoint does."""

from __future__ import annotations

import threading
import time
from random import Random

import pytest
from support.scripted_endpoint import ScriptedEndpoint, Turn
from veriloop.configs.model_settings import ChatModelSettings, Tier, TierSettings
from veriloop.errors import BudgetExceededError, ModelError, ModelUnavailableError
from veriloop.models.breaker import CircuitBreaker
from veriloop.models.budget import Budget, BudgetLimits
from veriloop.models.chat import ChatModel, ModelTiers
from veriloop.models.endpoint import Timing
from veriloop.models.failures import RefusedRequestError
from veriloop.models.messages import CallUsage, Message

KEY = "sk-very-secret-123456"
ASK = [Message("system", "简短回答。"), Message("user", "验收时限是多久？")]


def quick(pauses: list[float] | None = None) -> Timing:
    return Timing(sleep=(pauses if pauses is not None else []).append, random=Random(1))


def model_at(endpoint: ScriptedEndpoint, timing: Timing | None = None, **settings: object) -> ChatModel:
    fields = {"base_url": endpoint.base_url, "model": "scripted", "api_key": KEY, **settings}
    return ChatModel(ChatModelSettings.model_validate(fields), timing=timing or quick())


def budget(tokens: int = 8_000, seconds: float = 20) -> Budget:
    return Budget(BudgetLimits(tokens=tokens, steps=3, seconds=seconds))


def test_a_reply_comes_back_and_is_booked_as_the_endpoint_reports_it(scripted_endpoint: ScriptedEndpoint) -> None:
    scripted_endpoint.script = [Turn("30日[1]", usage=(41, 7))]
    meter = budget()
    reply = model_at(scripted_endpoint).complete(ASK, budget=meter, tier=Tier.MID, max_tokens=50)
    assert (reply.text, reply.usage, reply.finish_reason) == ("30日[1]", CallUsage(41, 7), "stop")
    assert (meter.usage().mid.calls, meter.usage().tokens) == (1, 48)
    sent = scripted_endpoint.requests[0]
    assert sent.body["max_tokens"] == 50
    assert sent.body["temperature"] == 0
    assert sent.headers["authorization"] == f"Bearer {KEY}"
    assert "验收时限" in sent.prompt


def test_the_output_limit_can_go_under_openais_newer_name(scripted_endpoint: ScriptedEndpoint) -> None:
    model_at(scripted_endpoint, output_limit_field="max_completion_tokens").complete(ASK, budget=budget())
    assert scripted_endpoint.requests[0].body["max_completion_tokens"] == 800
    assert "max_tokens" not in scripted_endpoint.requests[0].body


def test_a_call_that_does_not_fit_is_never_sent(scripted_endpoint: ScriptedEndpoint) -> None:
    with pytest.raises(BudgetExceededError, match="tokens"):
        model_at(scripted_endpoint).complete(ASK, budget=budget(tokens=700))
    with pytest.raises(BudgetExceededError, match="tokens"):
        model_at(scripted_endpoint).complete(ASK, budget=budget(), reserve=7_500)
    with pytest.raises(BudgetExceededError, match="seconds"):
        model_at(scripted_endpoint).complete(ASK, budget=budget(seconds=0))
    with pytest.raises(ModelError, match="exceed its window of 600"):
        model_at(scripted_endpoint, context_window=600).complete(ASK, budget=budget())
    assert scripted_endpoint.requests == []


def test_without_a_key_none_is_taken_from_the_environment(
    scripted_endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    model_at(scripted_endpoint, api_key=None).complete(ASK, budget=budget())
    assert KEY not in str(scripted_endpoint.requests[0].headers)


def test_nothing_is_sent_to_a_tracing_service(
    scripted_endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedEndpoint() as tracing:
        for name in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"):
            monkeypatch.setenv(name, "true")
        monkeypatch.setenv("LANGSMITH_API_KEY", "x")
        monkeypatch.setenv("LANGSMITH_ENDPOINT", tracing.base_url)
        model_at(scripted_endpoint).complete(ASK, budget=budget())
        time.sleep(0.5)
        assert tracing.requests == []


@pytest.mark.parametrize("status", [429, 500, 503])
def test_transient_errors_are_tried_again(scripted_endpoint: ScriptedEndpoint, status: int) -> None:
    scripted_endpoint.script = [Turn(status=status), Turn(status=status), "好的"]
    meter, pauses = budget(), list[float]()
    assert model_at(scripted_endpoint, quick(pauses)).complete(ASK, budget=meter).text == "好的"
    assert meter.usage().model_calls == 3
    assert meter.usage().tokens == 120
    assert 0 < pauses[0] < pauses[1]


def test_the_endpoints_wish_to_wait_is_kept_if_there_is_time(scripted_endpoint: ScriptedEndpoint) -> None:
    pauses = list[float]()
    model = model_at(scripted_endpoint, quick(pauses))
    scripted_endpoint.script = [Turn(status=429, retry_after=3), "ok"]
    assert model.complete(ASK, budget=budget()).text == "ok"
    assert pauses == [3]
    scripted_endpoint.script = [Turn(status=429, retry_after=300), "ok"]
    with pytest.raises(ModelUnavailableError, match="HTTP 429"):
        model.complete(ASK, budget=budget())
    assert pauses == [3]


@pytest.mark.parametrize("status", [400, 404, 422])
def test_a_refused_request_is_not_repeated(scripted_endpoint: ScriptedEndpoint, status: int) -> None:
    scripted_endpoint.script = [Turn("no such model", status=status)]
    with pytest.raises(ModelError, match=f"HTTP {status}.*no such model") as caught:
        model_at(scripted_endpoint).complete(ASK, budget=budget())
    assert not isinstance(caught.value, ModelUnavailableError)
    assert len(scripted_endpoint.requests) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 429, 500])
def test_no_error_shows_the_key(scripted_endpoint: ScriptedEndpoint, status: int) -> None:
    scripted_endpoint.script = [Turn(f"bad key {KEY}", status=status)]
    with pytest.raises(ModelError) as caught:
        model_at(scripted_endpoint, retries=0).complete(ASK, budget=budget())
    chain: BaseException | None = caught.value
    while chain is not None:
        assert KEY not in str(chain)
        chain = chain.__cause__
    assert "127.0.0.1:" in str(caught.value)


@pytest.mark.parametrize("fault", ["hang", "drip"])
def test_a_server_that_hangs_or_trickles_is_left_in_time(scripted_endpoint: ScriptedEndpoint, fault: str) -> None:
    turn = Turn("x", fault="hang" if fault == "hang" else "drip")
    scripted_endpoint.responder = lambda _messages: turn
    model = model_at(scripted_endpoint, Timing())
    meter = budget(seconds=1.0)
    began = time.monotonic()
    with pytest.raises(ModelUnavailableError, match="no complete reply within"):
        model.complete(ASK, budget=meter)
    assert time.monotonic() - began < 5
    assert meter.usage().tokens > 800  # what it did cost is unknown: charged in full


def test_a_call_that_was_cut_off_leaves_no_thread_behind(scripted_endpoint: ScriptedEndpoint) -> None:
    scripted_endpoint.script = [Turn(fault="drip")]
    with pytest.raises(ModelUnavailableError):
        model_at(scripted_endpoint, request_seconds=0.5).complete(ASK, budget=budget())
    deadline = time.monotonic() + 5
    while any(thread.name.startswith("veriloop-endpoint") for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_an_endless_reply_is_cut(scripted_endpoint: ScriptedEndpoint) -> None:
    scripted_endpoint.script = [Turn("x", fault="endless")]
    with pytest.raises(ModelError, match="grew beyond"):
        model_at(scripted_endpoint).complete(ASK, budget=budget())


def test_a_connection_that_breaks_off_is_tried_again(scripted_endpoint: ScriptedEndpoint) -> None:
    scripted_endpoint.script = [Turn("half", fault="drop"), "whole"]
    assert model_at(scripted_endpoint).complete(ASK, budget=budget()).text == "whole"


def test_a_reply_that_is_not_of_the_protocol_is_named_so(scripted_endpoint: ScriptedEndpoint) -> None:
    scripted_endpoint.script = [Turn(fault="not_json")]
    with pytest.raises(ModelError, match="not of the OpenAI protocol"):
        model_at(scripted_endpoint).complete(ASK, budget=budget())


def test_an_endpoint_that_is_not_there_costs_no_tokens() -> None:
    with ScriptedEndpoint() as gone:
        model = model_at(gone)
    meter = budget()
    with pytest.raises(ModelUnavailableError, match=r"127\.0\.0\.1:\d+: no connection.*is it running"):
        model.complete(ASK, budget=meter)
    assert meter.usage().tokens == 0


def test_a_failing_endpoint_is_left_alone_for_a_while(scripted_endpoint: ScriptedEndpoint) -> None:
    scripted_endpoint.responder = lambda _messages: Turn(status=500)
    model = ChatModel(
        ChatModelSettings(base_url=scripted_endpoint.base_url, model="scripted", retries=1),
        CircuitBreaker(threshold=2, clock=lambda: 0.0),
        quick(),
    )
    with pytest.raises(ModelUnavailableError, match="HTTP 500"):
        model.complete(ASK, budget=budget())
    with pytest.raises(ModelUnavailableError, match="not asked again for 30 seconds"):
        model.complete(ASK, budget=budget())
    assert len(scripted_endpoint.requests) == 2


def test_a_refused_feature_says_nothing_against_the_endpoint(scripted_endpoint: ScriptedEndpoint) -> None:
    scripted_endpoint.refuses = frozenset({"json_object"})
    model = model_at(scripted_endpoint)
    fields = {"response_format": {"type": "json_object"}}
    for _ in range(6):
        with pytest.raises(RefusedRequestError):
            model.complete(ASK, budget=budget(), extra_body=fields, probing=True)
    assert model.complete(ASK, budget=budget()).text == "ok"


def test_an_empty_reply_is_a_reply(scripted_endpoint: ScriptedEndpoint) -> None:
    scripted_endpoint.script = [Turn("", usage=None)]
    assert model_at(scripted_endpoint).complete(ASK, budget=budget()).text == ""


def test_tiers_without_a_model_use_the_nearest_and_share_it(scripted_endpoint: ScriptedEndpoint) -> None:
    mid = ChatModelSettings(base_url=scripted_endpoint.base_url, model="mid")
    tiers = ModelTiers(TierSettings(mid=mid))
    assert tiers.get(Tier.LIGHT) is tiers.get(Tier.MID) is tiers.get(Tier.STRONG)
    meter = budget()
    assert tiers.complete(ASK, budget=meter, tier=Tier.LIGHT).text == "ok"
    assert meter.usage().light.calls == 1


def test_without_any_model_the_tiers_say_so() -> None:
    tiers = ModelTiers(TierSettings())
    assert not tiers
    with pytest.raises(ModelError, match="no model is configured"):
        tiers.complete(ASK, budget=budget(), tier=Tier.STRONG)
