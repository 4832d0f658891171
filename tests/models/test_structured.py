"""Typed replies are had from endpoints that master little and from models that are careless."""

from __future__ import annotations

import json
from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict
from support.responders import broken_json, fenced, thinking
from support.scripted_endpoint import Feature, ScriptedEndpoint, Turn
from veriloop.configs.model_settings import ChatModelSettings
from veriloop.errors import BudgetExceededError, ModelError, ModelUnavailableError
from veriloop.models.budget import Budget, BudgetLimits
from veriloop.models.chat import ChatModel
from veriloop.models.endpoint import Timing
from veriloop.models.messages import Message
from veriloop.models.structured import structured

ASK = [Message("user", "比较甲和乙的价格")]
GOOD = json.dumps({"kind": "comparison", "entities": ["甲", "乙"]}, ensure_ascii=False)


class Understanding(BaseModel):
    """What a question asks."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["single_hop", "comparison"]
    entities: tuple[str, ...] = ()


EXPECTED = Understanding(kind="comparison", entities=("甲", "乙"))


def model_at(endpoint: ScriptedEndpoint) -> ChatModel:
    settings = ChatModelSettings(base_url=endpoint.base_url, model="scripted")
    return ChatModel(settings, timing=Timing(sleep=lambda _seconds: None))


def budget(tokens: int = 20_000) -> Budget:
    return Budget(BudgetLimits(tokens=tokens, steps=3, seconds=60))


def features(endpoint: ScriptedEndpoint) -> list[Feature | None]:
    return [request.feature for request in endpoint.requests]


@pytest.mark.parametrize(
    ("refused", "tried"),
    [
        ([], ["json_schema"]),
        (["json_schema"], ["json_schema", "tools"]),
        (["json_schema", "tools"], ["json_schema", "tools", "json_object"]),
        (["json_schema", "tools", "json_object"], ["json_schema", "tools", "json_object", None]),
    ],
)
def test_the_best_way_that_the_endpoint_takes_is_found_and_remembered(
    scripted_endpoint: ScriptedEndpoint, refused: list[Feature], tried: list[Feature | None]
) -> None:
    scripted_endpoint.refuses = frozenset(refused)
    scripted_endpoint.responder = lambda _messages: GOOD
    model = model_at(scripted_endpoint)
    assert structured(model, ASK, Understanding, budget=budget()) == EXPECTED
    assert features(scripted_endpoint) == tried
    assert structured(model, ASK, Understanding, budget=budget()) == EXPECTED
    assert features(scripted_endpoint) == [*tried, tried[-1]]


def test_what_one_model_learned_does_not_bind_another(scripted_endpoint: ScriptedEndpoint) -> None:
    scripted_endpoint.responder = lambda _messages: GOOD
    scripted_endpoint.refuses = frozenset({"json_schema"})
    structured(model_at(scripted_endpoint), ASK, Understanding, budget=budget())
    scripted_endpoint.refuses = frozenset()
    structured(model_at(scripted_endpoint), ASK, Understanding, budget=budget())
    assert features(scripted_endpoint) == ["json_schema", "tools", "json_schema"]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_without_schema_support_the_schema_is_put_into_the_prompt(
    scripted_endpoint: ScriptedEndpoint, language: Literal["zh", "en"]
) -> None:
    scripted_endpoint.refuses = frozenset({"json_schema", "tools"})
    scripted_endpoint.responder = lambda _messages: GOOD
    structured(model_at(scripted_endpoint), ASK, Understanding, budget=budget(), language=language)
    sent = scripted_endpoint.requests[-1].prompt
    assert '"enum": ["single_hop", "comparison"]' in sent
    assert ("不要翻译" if language == "zh" else "do not translate") in sent


@pytest.mark.parametrize("reply", [thinking(GOOD), fenced(GOOD), broken_json(GOOD), f"当然：{GOOD}", f"[{GOOD}]"])
def test_careless_replies_are_cleaned_and_repaired(scripted_endpoint: ScriptedEndpoint, reply: str) -> None:
    scripted_endpoint.script = [reply]
    assert structured(model_at(scripted_endpoint), ASK, Understanding, budget=budget()) == EXPECTED
    assert len(scripted_endpoint.requests) == 1


@pytest.mark.parametrize(
    ("reply", "named"),
    [
        (GOOD.replace("comparison", "对比"), "kind: Input should be 'single_hop' or 'comparison'"),
        ('{"entities": []}', "kind: Field required"),
        ("I cannot say.", "no JSON object"),
        ("", "no JSON object"),
        (Turn('{"kind": "comparison", "entities": ["甲"', finish_reason="length"), "cut off"),
    ],
)
def test_a_bad_reply_is_sent_back_once_with_the_error_named(
    scripted_endpoint: ScriptedEndpoint, reply: str | Turn, named: str
) -> None:
    scripted_endpoint.script = [reply, GOOD]
    assert structured(model_at(scripted_endpoint), ASK, Understanding, budget=budget()) == EXPECTED
    assert named in scripted_endpoint.requests[1].prompt


def test_a_way_that_never_worked_is_given_up_after_a_bad_reply(scripted_endpoint: ScriptedEndpoint) -> None:
    scripted_endpoint.script = ["nonsense", GOOD, GOOD]
    model = model_at(scripted_endpoint)
    structured(model, ASK, Understanding, budget=budget())
    structured(model, ASK, Understanding, budget=budget())
    assert features(scripted_endpoint) == ["json_schema", "tools", "tools"]


def test_a_way_that_has_worked_survives_a_bad_reply(scripted_endpoint: ScriptedEndpoint) -> None:
    scripted_endpoint.script = [GOOD, "nonsense", GOOD]
    model = model_at(scripted_endpoint)
    structured(model, ASK, Understanding, budget=budget())
    structured(model, ASK, Understanding, budget=budget())
    assert features(scripted_endpoint) == ["json_schema"] * 3


def test_two_bad_replies_end_in_an_error_and_not_in_a_third(scripted_endpoint: ScriptedEndpoint) -> None:
    scripted_endpoint.responder = lambda _messages: "nonsense"
    with pytest.raises(ModelError, match="no valid Understanding in two replies"):
        structured(model_at(scripted_endpoint), ASK, Understanding, budget=budget())
    assert len(scripted_endpoint.requests) == 2


def test_every_call_is_booked_on_the_one_budget(scripted_endpoint: ScriptedEndpoint) -> None:
    scripted_endpoint.script = ["nonsense", GOOD]
    meter = budget()
    structured(model_at(scripted_endpoint), ASK, Understanding, budget=meter)
    assert (meter.usage().light.calls, meter.usage().tokens) == (2, 240)


def test_a_correction_that_does_not_fit_is_not_asked_for(scripted_endpoint: ScriptedEndpoint) -> None:
    scripted_endpoint.responder = lambda _messages: Turn("nonsense", usage=(600, 800))
    with pytest.raises(BudgetExceededError):
        structured(model_at(scripted_endpoint), ASK, Understanding, budget=budget(2_000))
    assert len(scripted_endpoint.requests) == 1


def test_an_endpoint_that_is_down_is_not_mistaken_for_one_that_refuses(
    scripted_endpoint: ScriptedEndpoint,
) -> None:
    scripted_endpoint.responder = lambda _messages: Turn(status=500)
    model = model_at(scripted_endpoint)
    with pytest.raises(ModelUnavailableError):
        structured(model, ASK, Understanding, budget=budget())
    scripted_endpoint.responder = lambda _messages: GOOD
    structured(model, ASK, Understanding, budget=budget())
    assert features(scripted_endpoint)[-1] == "json_schema"


def test_a_way_that_has_worked_survives_a_passing_failure(scripted_endpoint: ScriptedEndpoint) -> None:
    scripted_endpoint.script = [GOOD, Turn(status=500), GOOD]
    model = model_at(scripted_endpoint)
    structured(model, ASK, Understanding, budget=budget())
    structured(model, ASK, Understanding, budget=budget())
    assert features(scripted_endpoint) == ["json_schema"] * 3
