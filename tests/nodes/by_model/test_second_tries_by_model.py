"""Reflections and rewritten sentences: told what is known, and held to what was shown."""

from __future__ import annotations

from typing import Any

import pytest
from support.scripted_access import ScriptedAccess, scripted
from veriloop.configs.model_settings import Tier
from veriloop.decisions import FailureReason, Strategy
from veriloop.nodes.by_model.reflect import reflect_by_model
from veriloop.nodes.by_model.rewrite import RefusedSentence, rewrite_by_model


def reflect(reply: Any, **given: Any) -> tuple[Any, ScriptedAccess]:
    access = scripted(reply)
    case: dict[str, Any] = {
        "failed": [("t2", "王芳的电话是多少？", ("电话",)), ("t3", "王芳的部门？", ())],
        "tried": [(Strategy.REWRITE_QUERY, ("王芳的电话",))],
        "known": {"t1": "王芳"},
        **given,
    }
    return reflect_by_model("借走显微镜的人的电话和部门？", language="zh", access=access, **case), access


def test_a_reflection_names_reason_strategy_and_a_query_for_each_open_task() -> None:
    queries = [{"id": "t2", "query": "王芳 联系方式"}, {"id": "t9", "query": "别的"}]
    found, access = reflect({"thought": "换说法", "reason": "证据不足", "strategy": "改写", "queries": queries})
    assert (found.reason, found.strategy) == (FailureReason.INSUFFICIENT_EVIDENCE, Strategy.REWRITE_QUERY)
    assert found.queries == {"t2": "王芳 联系方式"}
    assert found.thought == "换说法"
    assert access.sent[0].tier is Tier.MID


@pytest.mark.parametrize(
    "queries",
    [{"t2": "甲", "t3": "乙"}, ["甲", "乙"], [{"query": "甲"}, {"query": "乙"}], [{"id": "t2", "query": "甲"}]],
)
def test_queries_are_found_in_every_usual_form(queries: Any) -> None:
    found, _ = reflect({"reason": "wrong_source", "strategy": "switch_source", "queries": queries})
    assert found.queries["t2"] == "甲"
    assert set(found.queries) <= {"t2", "t3"}


def test_a_query_that_was_asked_before_is_none() -> None:
    reply = {"reason": "insufficient_evidence", "strategy": "rewrite_query", "queries": {"t2": " 王芳的电话"}}
    assert reflect(reply)[0].queries == {}


def test_the_rewrite_is_told_what_is_known_what_was_tried_and_what_is_missing() -> None:
    reply = {"reason": "not_in_library", "strategy": "report_missing", "queries": []}
    _, access = reflect(reply, context="第1步 查过通讯录")
    case = access.sent[0].case
    for shown in ("查过通讯录", "t1 <<<", "王芳", "rewrite_query <<<", "王芳的电话", "t2 <<<", "缺少：电话"):
        assert shown in case


def test_sentences_are_written_anew_in_one_call_and_cite_only_what_was_shown() -> None:
    access = scripted("重写：\n借用设备的期限最长为30日[3]。\n每日扣减信用分2分[3][7]。\n没有依据的话。\n编造的话[9]。")
    reply = rewrite_by_model(
        [RefusedSentence("可以借40天。", ("number: 40",)), RefusedSentence("扣5分。", ("number: 5",))],
        [(3, "期限最长为30日"), (5, "每日扣减信用分2分")],
        question="能借多久？",
        language="zh",
        access=access,
    )
    assert [(s.text, s.markers) for s in reply.sentences] == [
        ("借用设备的期限最长为30日。", (3,)),
        ("每日扣减信用分2分。", (3,)),
    ]
    assert len(access.sent) == 1 and access.sent[0].tier is Tier.STRONG
    assert "[3] <<<" in access.sent[0].case and "[5] <<<" in access.sent[0].case
