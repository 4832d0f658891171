"""Every run leaves a trace beside the documents that it has seen, and never fails because of it."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver
from support.documents import SECRET, filled, lexical_settings, write
from support.scripted_endpoint import ScriptedEndpoint
from veriloop import Caller, Library, add_files, build_agent
from veriloop.configs import Settings
from veriloop.configs.model_settings import ChatModelSettings, TierSettings
from veriloop.context import Context
from veriloop.graphs.agent import build_graph
from veriloop.graphs.replaying import answer_of, records_of
from veriloop.models.chat import ModelTiers
from veriloop.tools.registry import ToolOutput
from veriloop.tools.search_documents import make_search_documents

ZH, EN = "甲方应当在几个工作日内组织验收？", "How much may employees spend per night on a hotel?"
OWNER = Caller.owner()


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with filled(tmp_path) as opened:
        yield opened


def with_traces(**changes: bool | int) -> Settings:
    usual = lexical_settings()
    return usual.model_copy(update={"traces": usual.traces.model_copy(update=changes)})


@pytest.mark.parametrize(
    ("question", "status"),
    [
        (ZH, "answered"),
        (EN, "answered"),
        ("食堂的开放时间是几点？", "insufficient"),
        ("你好", "direct"),
        ("？", "clarify"),
    ],
)
def test_a_run_of_any_kind_leaves_its_answer_and_all_of_its_steps(library: Library, question: str, status: str) -> None:
    answer = build_agent(library).ask(question)
    trace = library.trace(answer.trace_id, Caller())
    assert trace is not None
    assert (trace.question, trace.status, trace.stop_rule) == (question, status, answer.stop_rule)
    assert answer_of(trace) == answer
    records = records_of(trace)
    assert [records[0].node, records[-1].node] == ["understand", "deliver"]
    assert {record.trace_id for record in records} == {answer.trace_id}
    assert trace.context_window == 0 and trace.model_calls == 0


def test_a_trace_names_every_document_that_was_found_cited_or_not(library: Library) -> None:
    answer = build_agent(library).ask(ZH)
    trace = library.trace(answer.trace_id, OWNER)
    assert trace is not None
    hits = library.search(ZH).hits
    assert {hit.document.doc_id for hit in hits} <= trace.doc_ids
    assert {citation.doc_id for citation in answer.citations} <= trace.doc_ids


def test_a_trace_names_the_documents_that_its_tasks_name_though_nothing_is_found_there(library: Library) -> None:
    search = make_search_documents(library, Caller())
    blind = replace(search, run=lambda _: ToolOutput())
    answer = build_agent(library, only_tools=[blind]).ask("设备采购合同和Travel policy的期限分别是多久？")
    trace = library.trace(answer.trace_id, OWNER)
    assert trace is not None
    assert "contract.md" in trace.steps and "policy.md" in trace.steps
    assert len(trace.doc_ids) == 2


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.none(), st.integers(), st.text(), st.lists(st.one_of(st.none(), st.text())), st.text(min_size=300)))
def test_whatever_a_model_writes_where_a_document_belongs_the_run_leaves_a_trace(
    library: Library, scripted_endpoint: ScriptedEndpoint, documents: object
) -> None:
    arguments = {"query": "验收", "documents": documents}
    task = {"id": "t1", "question": ZH, "tool": "search_documents", "arguments": arguments}
    scripted_endpoint.responder = lambda _: json.dumps({"tasks": [task]})
    model = ChatModelSettings(base_url=scripted_endpoint.base_url, model="m", retries=0)
    agent = build_agent(library, models=ModelTiers(TierSettings(strong=model)), routes=["loop"])
    answer = agent.ask("质量保证期是多久？逾期交货的违约金是多少？")
    assert library.trace(answer.trace_id, OWNER) is not None


def test_a_trace_holds_the_replies_of_models_and_their_window(
    library: Library, scripted_endpoint: ScriptedEndpoint
) -> None:
    scripted_endpoint.responder = lambda _: "甲方应当自收到验收申请之日起10个工作日内组织验收[1]。"
    model = ChatModelSettings(base_url=scripted_endpoint.base_url, model="m", retries=0, context_window=16_000)
    answer = build_agent(library, models=ModelTiers(TierSettings(strong=model))).ask(ZH)
    trace = library.trace(answer.trace_id, OWNER)
    assert trace is not None
    assert trace.context_window == 16_000
    assert trace.tokens == answer.usage.tokens > 0
    replies = [exchange.text for record in records_of(trace) for exchange in record.exchanges]
    assert any("10个工作日" in reply for reply in replies)


def test_text_that_no_file_takes_is_stored_all_the_same(library: Library, scripted_endpoint: ScriptedEndpoint) -> None:
    scripted_endpoint.responder = lambda _: "甲方应当在10个工作日内组织验收\ud800[1]。"
    model = ChatModelSettings(base_url=scripted_endpoint.base_url, model="m", retries=0)
    answer = build_agent(library, models=ModelTiers(TierSettings(strong=model))).ask(f"{ZH}\ud800")
    trace = library.trace(answer.trace_id, OWNER)
    assert trace is not None
    assert json.loads(trace.steps)


def test_nothing_is_recorded_where_traces_are_switched_off_or_none_is_kept(tmp_path: Path) -> None:
    for number, chosen in enumerate((with_traces(enabled=False), with_traces(keep=0))):
        with filled(tmp_path / str(number), settings=chosen) as library:
            assert build_agent(library).ask(ZH).status.value == "answered"
            assert library.traces(OWNER) == []


def test_the_trace_of_a_restricted_document_is_seen_by_its_readers_only(library: Library, tmp_path: Path) -> None:
    hr = Caller(readers=frozenset({"hr"}))
    add_files(library, [write(tmp_path / "secret", salaries=SECRET)], readers=frozenset({"hr"}))
    build_agent(library, caller=hr).ask("总经理的年薪是多少？")
    build_agent(library, caller=OWNER).ask("总经理的年薪是多少？")
    assert len(library.traces(OWNER)) == 2
    assert len(library.traces(hr)) == 1
    assert library.traces(Caller()) == []


def test_each_question_of_a_conversation_has_its_own_trace_with_its_own_documents(library: Library) -> None:
    host = build_graph()
    host.checkpointer = InMemorySaver()
    asked = [
        host.invoke({"question": question}, {"configurable": {"thread_id": "t"}}, context=Context(library=library))
        for question in (ZH, "你好", EN)
    ]
    traces = [library.trace(output["answer"].trace_id, OWNER) for output in asked]
    assert [trace and trace.question for trace in traces] == [ZH, "你好", EN]
    assert [bool(trace and trace.doc_ids) for trace in traces] == [True, False, True]
    for trace in traces:
        assert trace is not None
        assert {record.trace_id for record in records_of(trace)} == {trace.trace_id}


def test_a_library_that_cannot_be_written_costs_the_trace_and_not_the_answer(
    library: Library, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    other = sqlite3.connect(tmp_path / "library" / "library.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with caplog.at_level(logging.WARNING, logger="veriloop"):
        answer = build_agent(library).ask(ZH)
    other.execute("ROLLBACK")
    other.close()
    assert "10个工作日" in answer.text
    assert library.traces(OWNER) == []
    assert any("trace_not_stored" in str(record.msg) for record in caplog.records)
