"""A recorded run, run again: the same path and answer on the replies of then, and a plain word where it is another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.documents import CONTRACT, SECRET, filled, write
from support.responders import broken_json, echo_evidence, fenced, invents_markers, thinking, wrong_numbers
from support.scripted_endpoint import Reply, ScriptedEndpoint, Turn
from veriloop import Caller, Library, add_files, build_agent
from veriloop.configs.model_settings import ChatModelSettings, TierSettings
from veriloop.errors import LibraryFormatError
from veriloop.graphs.replaying import ReplayReport, records_of, replay
from veriloop.knowledge.store import StoredTrace
from veriloop.models.chat import ModelTiers

ZH, EN = "甲方应当在几个工作日内组织验收？", "How much may employees spend per night on a hotel?"
BOTH = "质量保证期是多久？逾期交货的违约金是多少？"
COMPARED = "设备的保修期与验收期相比哪个更长？"
BOTH_EN = "How much may a hotel cost per night, and within how many days must receipts be handed in?"
OWNER = Caller.owner()
SCORES = json.dumps({"complexity": 8, "sources": 8, "stakes": 8})


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with filled(tmp_path_factory.mktemp("replaying")) as opened:
        yield opened


def models(endpoint: ScriptedEndpoint, **changes: Any) -> ModelTiers:
    chosen = ChatModelSettings(base_url=endpoint.base_url, model="scripted", retries=0, **changes)
    return ModelTiers(TierSettings(strong=chosen))


def recorded(library: Library, question: str, **given: Any) -> StoredTrace:
    answer = build_agent(library, **given).ask(question)
    trace = library.trace(answer.trace_id, OWNER)
    assert trace is not None
    return trace


def assert_same(report: ReplayReport) -> None:
    assert report.differences == ()
    assert report.same_path and report.same_answer and not report.library_changed


@pytest.mark.parametrize("routes", [None, ("linear",), ("two_step",), ("loop",)])
@pytest.mark.parametrize("question", [ZH, EN, BOTH, BOTH_EN, COMPARED, "食堂的开放时间是几点？", "你好", "？"])
def test_without_models_a_run_is_repeated_step_by_step_on_every_route(
    library: Library, question: str, routes: tuple[str, ...] | None
) -> None:
    assert_same(replay(library, recorded(library, question, routes=routes)))


@pytest.mark.parametrize(
    "script",
    [
        [],
        [Turn(status=429)] * 8,
        [Turn(status=429), Turn(status=500), Turn(status=401)],
        ["{'complexity': 9,", broken_json(SCORES), fenced(SCORES), thinking(SCORES)],
        [Turn(fault="not_json")] * 3,
        [Turn(text="", usage=None)] * 3,
        [Turn(text=SCORES, finish_reason="length")] * 2,
    ],
    ids=["honest", "always 429", "429 500 401", "broken JSON", "HTML", "empty", "cut off"],
)
@pytest.mark.parametrize("question", [ZH, BOTH_EN, COMPARED])
@pytest.mark.parametrize("routes", [None, ("loop",)])
def test_a_run_with_models_is_repeated_on_their_replies_and_failures_without_asking_them(
    library: Library,
    scripted_endpoint: ScriptedEndpoint,
    script: list[Reply],
    question: str,
    routes: tuple[str, ...] | None,
) -> None:
    scripted_endpoint.script = list(script)
    scripted_endpoint.responder = echo_evidence
    trace = recorded(library, question, models=models(scripted_endpoint), routes=routes)
    asked = len(scripted_endpoint.requests)
    assert_same(replay(library, trace))
    assert len(scripted_endpoint.requests) == asked


PLAN = json.dumps(
    {
        "tasks": [
            {
                "id": "t1",
                "question": "质量保证期是多久？",
                "tool": "search_documents",
                "arguments": {"query": "质量保证期"},
            },
            {
                "id": "t2",
                "question": "验收期是多久？",
                "tool": "search_documents",
                "arguments": {"query": "验收 工作日"},
            },
        ]
    },
    ensure_ascii=False,
)
REFLECTION = json.dumps(
    {"reason": "insufficient_evidence", "strategy": "rewrite_query", "queries": [{"id": "t1", "query": "保证期"}]},
    ensure_ascii=False,
)
turns = st.sampled_from(
    [
        Turn(text=PLAN),
        Turn(text=REFLECTION),
        Turn(status=429),
        Turn(status=500),
        Turn(fault="not_json"),
        Turn(text=SCORES),
        Turn(text=broken_json(SCORES)),
        Turn(text="甲方应当在99个工作日内组织验收[1]。"),
        Turn(text='{"sufficiency": "missing", "missing": "价格"}', usage=None),
        Turn(text="缺失：一切", finish_reason="length"),
    ]
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    script=st.lists(turns, max_size=10),
    responder=st.sampled_from([echo_evidence, wrong_numbers, invents_markers]),
    question=st.sampled_from([ZH, EN, BOTH, BOTH_EN, COMPARED]),
    routes=st.sampled_from([None, ("two_step",), ("loop",)]),
)
def test_whatever_models_say_the_replay_takes_the_same_path(
    library: Library,
    scripted_endpoint: ScriptedEndpoint,
    script: list[Reply],
    responder: Any,
    question: str,
    routes: tuple[str, ...] | None,
) -> None:
    scripted_endpoint.script, scripted_endpoint.responder = list(script), responder
    assert_same(replay(library, recorded(library, question, models=models(scripted_endpoint), routes=routes)))


def test_a_replay_goes_by_the_clock_of_then(library: Library) -> None:
    trace = recorded(library, ZH, routes=("linear",))
    late = [
        {**step, "elapsed_seconds": 99.0} if step["node"] == "verify_evidence" else step
        for step in json.loads(trace.steps)
    ]
    report = replay(library, trace.model_copy(update={"steps": json.dumps(late)}))
    assert next(difference.now for difference in report.differences) == "verify_evidence: seconds -> extract"


def test_a_replay_leaves_no_trace_of_its_own(library: Library) -> None:
    trace = recorded(library, ZH)
    before = library.traces(OWNER, 1_000)
    replay(library, trace)
    assert library.traces(OWNER, 1_000) == before


def test_a_replay_sees_what_the_one_who_asked_may_see_and_no_more(tmp_path: Path) -> None:
    question = "总经理的年薪是多少？"
    with filled(tmp_path) as library:
        refused = recorded(library, question, caller=Caller(readers=frozenset({"sales"})))
        add_files(library, [write(tmp_path / "secret", salaries=SECRET)], readers=frozenset({"hr"}))
        told = recorded(library, question, caller=Caller(readers=frozenset({"hr"})))
        assert "300万元" in json.loads(told.answer)["text"]
        assert_same(replay(library, told))
        report = replay(library, refused)
        assert "300万元" not in report.model_dump_json()
        assert report.library_changed and report.same_answer


def test_a_replay_over_a_changed_library_says_where_it_goes_another_way(tmp_path: Path) -> None:
    with filled(tmp_path) as library:
        trace = recorded(library, ZH)
        write(tmp_path / "documents", contract="# 食堂通知\n\n本周供应面条。\n")
        add_files(library, [tmp_path / "documents"])
        report = replay(library, trace)
    assert report.library_changed and not report.same_path and not report.same_answer
    first = report.differences[0]
    assert first.step > 1 and first.what == "step"
    assert first.recorded != first.now
    assert {"text", "status"} <= {difference.what for difference in report.differences}


def test_a_changed_value_is_another_answer_on_the_same_path(tmp_path: Path) -> None:
    with filled(tmp_path) as library:
        trace = recorded(library, ZH)
        write(tmp_path / "documents", contract=CONTRACT.replace("10个工作日", "7个工作日"))
        add_files(library, [tmp_path / "documents"])
        report = replay(library, trace)
    assert report.same_path and not report.same_answer
    (difference,) = report.differences
    assert (difference.what, difference.step) == ("text", 0)
    assert "10个工作日" in difference.recorded and "7个工作日" in difference.now


@pytest.mark.parametrize("steps", ["[{}]", "{", '[{"trace_id": "x", "unknown": 1}]'])
def test_steps_that_cannot_be_read_are_named_as_such(library: Library, steps: str) -> None:
    trace = recorded(library, ZH).model_copy(update={"steps": steps})
    with pytest.raises(LibraryFormatError, match=f"{trace.trace_id} cannot be read"):
        replay(library, trace)
    with pytest.raises(LibraryFormatError):
        records_of(trace)
