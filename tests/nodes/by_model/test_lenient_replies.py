"""What careless models write is understood; what cannot be understood is an error that names what is allowed."""

from __future__ import annotations

import json
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError
from support.responders import broken_json, fenced, thinking
from veriloop.decisions import FailureReason, Strategy, Sufficiency
from veriloop.knowledge.questions.models import Combination, QuestionType
from veriloop.models.messages import Reply
from veriloop.models.structured import read_reply
from veriloop.nodes.by_model.entail import EntailReply
from veriloop.nodes.by_model.gate import GateReply, scores_of
from veriloop.nodes.by_model.judge import JudgeReply
from veriloop.nodes.by_model.lenient import reading
from veriloop.nodes.by_model.other_names import COMBINATIONS, QUESTION_TYPES, REASONS, STRATEGIES, SUFFICIENCIES
from veriloop.nodes.by_model.plan import PlanReply
from veriloop.nodes.by_model.reflect import ReflectReply
from veriloop.nodes.by_model.understand import UnderstandReply

REPLIES: list[tuple[type[BaseModel], dict[str, Any]]] = [
    (GateReply, {"reason": "比较两份文件", "complexity": 5, "sources": 4, "stakes": 2}),
    (
        UnderstandReply,
        {
            "question_type": "comparison",
            "combination": "larger",
            "parts": ["甲多重？", "乙多重？"],
            "subjects": ["甲", "乙"],
        },
    ),
    (
        PlanReply,
        {"tasks": [{"id": "t1", "question": "甲多重？", "tool": "s", "arguments": {"query": "x"}, "depends_on": []}]},
    ),
    (JudgeReply, {"verdicts": [{"number": 1, "answer": "最长为30日", "sufficiency": "answered", "missing": ""}]}),
    (
        ReflectReply,
        {
            "thought": "换个说法",
            "reason": "wrong_source",
            "strategy": "rewrite_query",
            "queries": [{"id": "t2", "query": "联系方式"}],
        },
    ),
    (EntailReply, {"verdicts": [{"number": 1, "added": "所有人", "supported": False}]}),
]
ENUMERATIONS: list[tuple[type[Enum], dict[str, Any]]] = [
    (QuestionType, QUESTION_TYPES),
    (Combination, COMBINATIONS),
    (Sufficiency, SUFFICIENCIES),
    (FailureReason, REASONS),
    (Strategy, STRATEGIES),
]


@pytest.mark.parametrize(("schema", "fields"), REPLIES, ids=lambda value: getattr(value, "__name__", ""))
@pytest.mark.parametrize("wrapped", [str, broken_json, fenced, thinking, lambda text: thinking(fenced(text))])
def test_every_reply_survives_thinking_fences_and_broken_json(
    schema: type[BaseModel], fields: dict[str, Any], wrapped: Any
) -> None:
    expected = schema.model_validate(fields)
    assert read_reply(Reply(wrapped(json.dumps(fields, ensure_ascii=False))), schema) == expected


@pytest.mark.parametrize(("schema", "fields"), REPLIES, ids=lambda value: getattr(value, "__name__", ""))
def test_fields_that_nobody_asked_for_do_no_harm(schema: type[BaseModel], fields: dict[str, Any]) -> None:
    with_more = schema.model_validate({**fields, "confidence": 0.9, "答案": ["x"]})
    assert with_more == schema.model_validate(fields)


@pytest.mark.parametrize(("schema", "fields"), REPLIES, ids=lambda value: getattr(value, "__name__", ""))
def test_the_schema_that_a_model_sees_is_small_and_lists_the_enumerations(
    schema: type[BaseModel], fields: dict[str, Any]
) -> None:
    shape = json.dumps(schema.model_json_schema(), ensure_ascii=False)
    assert len(shape) < 1_200
    assert "design §" not in shape and "S2" not in shape
    assert schema.model_json_schema()["required"] == list(fields)
    if schema is UnderstandReply:
        assert all(f'"{member.value}"' in shape for member in (*QuestionType, *Combination))


@pytest.mark.parametrize(("kind", "names"), ENUMERATIONS, ids=lambda value: getattr(value, "__name__", ""))
@given(data=st.data())
def test_an_enumeration_is_read_in_any_case_spacing_and_with_words_around_it(
    kind: type[Enum], names: dict[str, Any], data: st.DataObject
) -> None:
    read = reading(kind, names)
    member = data.draw(st.sampled_from(list(kind)))
    text = data.draw(st.sampled_from([member.value, member.name, member.value.replace("_", " ").title()]))
    around = data.draw(st.sampled_from(["{}", " {} ", "{}.", "“{}”", "[{}]", f"{kind.__name__}: {{}}"]))
    assert read(around.format(text if " " not in text else text.replace(" ", "-"))) is member


@pytest.mark.parametrize(
    ("kind", "name", "names", "member"),
    [(kind, name, names, member) for kind, names in ENUMERATIONS for name, member in names.items()],
)
def test_translations_and_near_words_are_read(kind: type[Enum], name: str, names: dict[str, Any], member: Enum) -> None:
    read = reading(kind, names)
    assert read(name) is member
    assert read(f" {name.upper()} ") is member
    assert read([name]) is member


def test_an_enumeration_beside_its_translation_is_read_and_two_of_them_are_not() -> None:
    read = reading(QuestionType, QUESTION_TYPES)
    assert read("comparison（对比）") is QuestionType.COMPARISON
    assert read("summary or action") == "summary or action"


def test_an_unknown_value_is_an_error_that_lists_what_is_allowed() -> None:
    with pytest.raises(ValidationError, match="'larger'"):
        UnderstandReply.model_validate({"question_type": "comparison", "combination": "blue", "parts": ["甲？"]})


@given(st.one_of(st.integers(-50, 50), st.floats(-50, 50), st.integers(-50, 50).map(lambda n: f"{n}/10 分")))
def test_scores_stay_within_their_range_however_they_are_written(score: float | str) -> None:
    scores = scores_of(GateReply.model_validate({"complexity": score, "sources": score, "stakes": "3"}))
    assert 0 <= scores.complexity <= 10
    assert scores.sources == scores.complexity
    assert scores.stakes == 3


@pytest.mark.parametrize("score", [float("nan"), float("inf"), "很高", None, {}])
def test_a_score_that_is_no_number_is_refused(score: Any) -> None:
    with pytest.raises(ValidationError):
        GateReply.model_validate({"complexity": score, "sources": 1, "stakes": 1})


@pytest.mark.parametrize(
    ("word", "truth"),
    [("是", True), ("不支持", False), ("Not supported", False), ("YES", True), (0, False), ("矛盾", False)],
)
def test_truth_is_read_in_words(word: Any, truth: bool) -> None:
    reply = EntailReply.model_validate({"verdicts": [{"number": "1.", "supported": word}]})
    assert reply.verdicts[0].supported is truth
    assert reply.verdicts[0].number == 1


@pytest.mark.parametrize("nothing", ["无", "None", "（无）", "n/a", None, "", "没有。"])
def test_words_for_nothing_are_nothing(nothing: Any) -> None:
    verdict = {"number": 1, "answer": "x", "sufficiency": "完整", "missing": nothing}
    assert JudgeReply.model_validate({"verdicts": [verdict]}).verdicts[0].missing == ""


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=6))
@pytest.mark.parametrize(("schema", "fields"), REPLIES, ids=lambda value: getattr(value, "__name__", ""))
def test_no_value_in_any_field_raises_anything_but_a_validation_error(
    schema: type[BaseModel], fields: dict[str, Any], value: Any
) -> None:
    for name in fields:
        try:
            schema.model_validate({**fields, name: value})
        except ValidationError as error:
            assert name in str(error) or "part" in str(error)
