"""How often models are asked, with how much, and in what order, class by class of question."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt
from support.documents import filled
from support.planner_model import PlannerModel
from support.scripted_endpoint import ScriptedEndpoint
from veriloop import Answer, Caller, Library, build_agent
from veriloop.configs.model_settings import ChatModelSettings, TierSettings
from veriloop.context import Context
from veriloop.decisions import SubTask
from veriloop.graphs.agent import build_graph
from veriloop.graphs.checkpoints import serializer
from veriloop.graphs.deciding import parallel_tasks
from veriloop.ledger import StepRecord
from veriloop.models.budget import BudgetLimits, TierUsage
from veriloop.models.chat import ModelTiers
from veriloop.state import AgentState
from veriloop.tools.registry import Tool, ToolOutput, ToolRegistry
from veriloop.tools.search_documents import SearchArguments, make_search_documents

SIMPLE = ("HN-3200的额定功率是多少？", "How much may employees spend per night on a hotel?")
MEDIUM = (
    "验收期限是多少个工作日？质量保证期是多少个月？",
    "What is the hotel limit per night, and within how many days must receipts be handed in?",
)
COMPLEX = (
    "比较合同与差旅政策对验收、违约金、质量保证和住宿的规定，哪一个对公司风险更大，为什么，会带来什么法律后果？",
    "Compare the contract's acceptance, penalty and warranty terms with the travel policy's limits, explain which "
    "causes the larger financial risk, and why, and what follows for the supplier and the employees?",
)
PARTS = ("验收期限是多少个工作日？", "质量保证期是多少个月？", "住宿标准是多少？", "逾期交货的违约金是多少？")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with filled(Path(tmp_path_factory.mktemp("calls"))) as opened:
        yield opened


def asked(library: Library, model: PlannerModel, question: str, window: int = 8_192) -> Answer:
    with ScriptedEndpoint() as endpoint:
        endpoint.player = model
        settings = ChatModelSettings(
            base_url=endpoint.base_url, model="scripted", retries=0, context_window=window, max_output_tokens=400
        )
        return build_agent(library, models=ModelTiers(TierSettings(strong=settings))).ask(question)


@pytest.mark.parametrize(
    ("question", "most"),
    [*((q, 2) for q in SIMPLE), *((q, 5) for q in MEDIUM), *((q, 12) for q in COMPLEX)],
    ids=lambda value: str(value)[:24],
)
@pytest.mark.parametrize("satisfied", [True, False], ids=["satisfied", "wants more"])
def test_a_class_of_question_takes_so_many_calls_at_most(
    library: Library, question: str, most: int, satisfied: bool
) -> None:
    model = PlannerModel(*PARTS[:2] if most == 5 else PARTS, satisfied=satisfied)
    answer = asked(library, model, question)
    assert 1 <= answer.usage.model_calls <= most, model.calls
    assert answer.text


def test_a_plain_question_asks_for_nothing_but_its_answer(library: Library) -> None:
    model = PlannerModel()
    asked(library, model, SIMPLE[0])
    assert dict(model.calls) == {"text": 1}


def test_the_calls_are_booked_under_the_tier_that_the_decision_needs(library: Library) -> None:
    answer = asked(library, PlannerModel(*PARTS), COMPLEX[0])
    assert {"light", "mid", "strong"} >= set(answer.usage.by_tier) >= {"mid", "strong"}
    assert sum(cost.calls for cost in answer.usage.by_tier.values()) == answer.usage.model_calls


@pytest.mark.parametrize("window", [2_600, 4_096])
def test_what_a_model_is_sent_never_outgrows_its_window_however_long_the_run(library: Library, window: int) -> None:
    model = PlannerModel(*PARTS, satisfied=False)
    asked(library, model, COMPLEX[0], window)
    sizes = [len(request.prompt) for request in model.prompts if request.schema == "ReflectReply"]
    assert sizes
    assert all(len(request.prompt) <= window for request in model.prompts)


def test_prompts_of_one_decision_begin_alike_so_that_endpoints_can_keep_the_beginning(library: Library) -> None:
    model = PlannerModel(*PARTS, satisfied=False)
    asked(library, model, COMPLEX[0])
    asked(library, model, COMPLEX[0].replace("住宿", "航班"))
    by_kind: dict[str, set[str]] = {}
    for request in model.prompts:
        first = request.body["messages"][0]
        assert first["role"] == "system"
        by_kind.setdefault(request.schema or request.prompt[:20], set()).add(first["content"])
    assert all(len(beginnings) == 1 for beginnings in by_kind.values())


def interrupted_search(library: Library) -> Tool:
    """A search that waits for approval the first time that it is called."""
    search = make_search_documents(library, Caller())

    def run(arguments: SearchArguments) -> ToolOutput:
        interrupt("go on?")
        return search.run(arguments)

    return Tool(name=search.name, description=search.description, arguments=search.arguments, run=run)


def test_a_run_that_resumes_has_spent_exactly_what_it_had_spent(library: Library) -> None:
    whole = asked(library, PlannerModel(*PARTS), COMPLEX[0])
    graph = build_graph()
    graph.checkpointer = InMemorySaver(serde=serializer())
    with ScriptedEndpoint() as endpoint:
        endpoint.player = PlannerModel(*PARTS)
        settings = ChatModelSettings(
            base_url=endpoint.base_url, model="scripted", retries=0, context_window=8_192, max_output_tokens=400
        )
        models, tools = ModelTiers(TierSettings(strong=settings)), ToolRegistry([interrupted_search(library)])
        context = Context(library=library, models=models, tools=tools)
        config: Any = {"configurable": {"thread_id": "one"}}
        stopped = graph.invoke({"question": COMPLEX[0]}, config, context=context)
        waiting = len(endpoint.requests)
        while "__interrupt__" in stopped:
            resume = {item.id: "yes" for item in stopped["__interrupt__"]}
            stopped = graph.invoke(Command(resume=resume), config, context=context)
        answer = stopped["answer"]
        assert waiting > 0
        assert len(endpoint.requests) == answer.usage.model_calls == whole.usage.model_calls
    assert answer.usage.tokens == whole.usage.tokens
    assert answer.usage.by_tier == whole.usage.by_tier
    assert answer.text == whole.text


@given(st.integers(1, 6), st.integers(0, 60_000), st.sampled_from(["simple", "medium", "complex"]))
def test_parallel_tasks_can_together_spend_no_more_than_is_left(count: int, tokens: int, name: Any) -> None:
    record = StepRecord(
        trace_id="run",
        key="plan/1",
        node="plan",
        started_at=datetime(2026, 1, 1, tzinfo=UTC),
        strong=TierUsage(calls=1, tokens_in=tokens),
        elapsed_seconds=1.0,
        milliseconds=1.0,
        rule="planned",
        target="act",
    )
    limits = BudgetLimits.for_class(name)
    pending = tuple(
        SubTask(id=f"t{n}", question="?", tool="search_documents", arguments={}) for n in range(1, count + 1)
    )
    run = {"question": "?", "asked_by": "somebody", "trace_id": "run", "limits": limits}
    state = cast(AgentState, {**run, "steps": (record,), "pending": pending, "results": ()})
    messages = parallel_tasks(state)
    assert len(messages) == count
    shares = [message.arg["limits"].tokens - message.arg["spent"].tokens for message in messages]
    assert all(share >= 0 for share in shares)
    assert sum(shares) <= max(0, limits.tokens - tokens)
    assert [message.arg["number"] for message in messages] == list(range(count))
