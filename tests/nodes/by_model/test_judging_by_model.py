"""Evidence and claims are judged in one call; a judge that points at nothing in the evidence has failed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.scripted_access import scripted
from support.scripted_endpoint import ScriptedEndpoint
from veriloop.configs.model_settings import ChatModelSettings, Tier, TierSettings
from veriloop.decisions import Sufficiency
from veriloop.errors import ModelError
from veriloop.knowledge.questions.models import Combination
from veriloop.models.budget import Budget, BudgetLimits
from veriloop.models.chat import ModelTiers
from veriloop.models.metered import MeteredModels
from veriloop.nodes.by_model.entail import Claim, entailed_by_model
from veriloop.nodes.by_model.judge import JudgedQuestion, Judgement, judge_by_model
from veriloop.nodes.by_model.understand import understand_by_model

WEIGHT = "甲型和乙型显微镜哪个更重？"


def parts_reply(parts: list[Any], combination: str = "list", kind: str = "multi_hop", **more: Any) -> dict[str, Any]:
    return {"question_type": kind, "combination": combination, "parts": parts, **more}


LOAN = JudgedQuestion("设备最长能借多久？", ["第七条 借用设备的期限最长为30日，到期可续借一次。"])
DAMAGE = JudgedQuestion("设备损坏赔多少钱？", ["第九条 逾期归还的，每日扣减信用分2分。"])


def verdict(number: int, sufficiency: str, answer: str = "", missing: str = "") -> dict[str, Any]:
    return {"number": number, "sufficiency": sufficiency, "answer": answer, "missing": missing}


def test_all_sub_questions_are_judged_in_one_call_in_their_order() -> None:
    access = scripted({"verdicts": [verdict(2, "缺失", missing="赔偿金额"), verdict(1, "answered", "最长为30日")]})
    assert judge_by_model([LOAN, DAMAGE], "zh", access) == [
        Judgement(Sufficiency.ANSWERED),
        Judgement(Sufficiency.MISSING, "赔偿金额"),
    ]
    assert len(access.sent) == 1 and access.sent[0].tier is Tier.LIGHT


@pytest.mark.parametrize("word", ["answered", "partly"])
def test_what_is_named_as_missing_decides_between_answered_and_partly(word: str) -> None:
    words = "借用设备的期限最长为30日"
    named = scripted({"verdicts": [verdict(1, word, words, "续借手续")]})
    assert judge_by_model([LOAN], "zh", named) == [Judgement(Sufficiency.PARTLY, "续借手续")]
    unnamed = scripted({"verdicts": [verdict(1, word, words, "无")]})
    assert judge_by_model([LOAN], "zh", unnamed) == [Judgement(Sufficiency.ANSWERED)]


@pytest.mark.parametrize(
    "answer", ["借用设备的期限，最长为 30 日", "借用设备的期限最长为３０日", "借用设备期限最长为30日"]
)
def test_the_words_of_the_evidence_may_differ_in_signs_and_a_character(answer: str) -> None:
    assert judge_by_model([LOAN], "zh", scripted({"verdicts": [verdict(9, "answered", answer)]}))


@pytest.mark.parametrize(
    "verdicts",
    [
        [verdict(1, "answered", "最长为90天，可以续借三次")],
        [verdict(1, "answered", "第七条 借用设备的期限最长为90日，到期可续借一次")],
        [verdict(1, "answered")],
        [verdict(1, "partly", "无")],
        [verdict(1, "missing", "借用设备的期限最长为30日")],
        [verdict(1, "conflicting_maybe", "最长为30日")],
        [],
    ],
)
def test_a_judge_whose_word_does_not_fit_what_it_points_at_has_failed(verdicts: list[dict[str, Any]]) -> None:
    with pytest.raises(ModelError):
        judge_by_model([LOAN], "zh", scripted({"verdicts": verdicts}))


def test_a_judge_may_not_say_conflicting_and_must_judge_every_question() -> None:
    with pytest.raises(ModelError, match="some of 2"):
        judge_by_model([LOAN, DAMAGE], "zh", scripted({"verdicts": [verdict(1, "answered", "最长为30日")]}))
    with pytest.raises(ModelError):
        judge_by_model([LOAN], "zh", scripted({"verdicts": [verdict(1, "conflicting", "最长为30日")]}))


def test_without_questions_no_model_is_asked() -> None:
    access = scripted()
    assert judge_by_model([], "zh", access) == []
    assert entailed_by_model([], "zh", access) == []


def test_all_claims_are_checked_in_one_call_in_their_order() -> None:
    access = scripted({"verdicts": [{"number": 2, "supported": "是"}, {"number": 1, "supported": "不支持"}]})
    assert entailed_by_model([Claim("甲", "乙"), Claim("丙", "丙")], "zh", access) == [False, True]
    assert len(access.sent) == 1 and access.sent[0].tier is Tier.LIGHT


@pytest.mark.parametrize(("added", "supported"), [("所有人员", False), ("无", True), (None, True)])
def test_a_claim_that_adds_something_is_not_supported_whatever_the_verdict_says(
    added: str | None, supported: bool
) -> None:
    access = scripted({"verdicts": [{"number": 1, "added": added, "supported": True}]})
    assert entailed_by_model([Claim("所有人员都可以借用", "教师可以借用")], "zh", access) == [supported]


def test_a_claim_without_a_verdict_is_an_error() -> None:
    with pytest.raises(ModelError, match="some of 2"):
        entailed_by_model(
            [Claim("甲", "乙"), Claim("丙", "丙")], "zh", scripted({"verdicts": [{"number": 1, "supported": 1}]})
        )


def metered(endpoint: ScriptedEndpoint) -> MeteredModels:
    settings = ChatModelSettings(base_url=endpoint.base_url, model="scripted", retries=0)
    budget = Budget(BudgetLimits(tokens=20_000, steps=3, seconds=60))
    return MeteredModels(ModelTiers(TierSettings(light=settings)), budget)


def test_an_endpoint_that_takes_no_schema_and_translates_still_gives_an_understanding(
    scripted_endpoint: ScriptedEndpoint,
) -> None:
    scripted_endpoint.refuses = frozenset({"json_schema", "tools", "json_object"})
    reply = parts_reply(
        ["甲型显微镜的重量是多少？", "乙型显微镜的重量是多少？"], "更大", "对比", subjects=["甲型", "乙型"]
    )
    scripted_endpoint.responder = lambda _messages: f"<think>?</think>```json\n{json.dumps(reply)}\n```"
    access = metered(scripted_endpoint)
    assert understand_by_model(WEIGHT, "zh", access).combination is Combination.LARGER
    assert '"contrast"' in scripted_endpoint.requests[-1].prompt  # the schema stands in the prompt, values and all
    assert access.exchanges[-1].charged_calls == 1


def test_a_judge_that_is_corrected_once_is_heard(scripted_endpoint: ScriptedEndpoint) -> None:
    good = {"verdicts": [verdict(1, "answered", "最长为30日")]}
    scripted_endpoint.script = ["我认为可以。", json.dumps(good, ensure_ascii=False)]
    assert judge_by_model([LOAN], "zh", metered(scripted_endpoint)) == [Judgement(Sufficiency.ANSWERED)]
    assert len(scripted_endpoint.requests) == 2
