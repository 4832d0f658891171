"""The rule table covers every state, names what it does, brakes what runs away, and leads only to nodes that exist."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.decisions import (
    DecidedBy,
    FailureReason,
    Finding,
    GateDecision,
    Plan,
    Reflection,
    Route,
    Strategy,
    SubTask,
    Sufficiency,
    TaskVerdict,
)
from veriloop.graphs.agent import build_graph
from veriloop.graphs.linear import build_linear
from veriloop.graphs.loop import build_loop
from veriloop.graphs.predicates import MOST_REFLECTIONS, similarity
from veriloop.graphs.reading_route import build_reading_route
from veriloop.graphs.rules import (
    AGENT,
    LINEAR,
    LOOP,
    READING,
    RULES,
    TWO_STEP,
    RuleKind,
    deciding_nodes,
    first_rule,
    targets,
)
from veriloop.graphs.two_step import build_two_step
from veriloop.knowledge.evidence.models import SentenceCheck
from veriloop.ledger import StepRecord
from veriloop.models.budget import BudgetLimits, TierUsage
from veriloop.state import AgentState, Draft, DraftSentence, RoundRecord, ToolCall

GRAPHS = (AGENT, LINEAR, TWO_STEP, LOOP, READING)
PLACES = [(graph, node) for graph in GRAPHS for node in deciding_nodes(graph)]
GATHERING = [(graph, "verify_evidence") for graph in (TWO_STEP, LOOP)]
SENTENCE = DraftSentence(text="甲。", markers=(1,))
TASK = SubTask(id="t1", question="多久？", tool="search_documents", arguments={"query": "多久？"})


def call(query: str) -> ToolCall:
    return ToolCall(tool="search_documents", arguments=(("query", query),))


def a_round(number: int, query: str, **changes: Any) -> RoundRecord:
    values = {"new_blocks": 1, "confidence": 0.1, "conflicts": 0, "attempts": number, **changes}
    return RoundRecord(number=number, calls=(call(query),), **values)


def verdict(how: Sufficiency) -> TaskVerdict:
    return TaskVerdict(task_id="t1", question="多久？", sufficiency=how, finding=Finding(confidence=0.1))


def reflection(strategy: Strategy) -> Reflection:
    return Reflection(reason=FailureReason.INSUFFICIENT_EVIDENCE, strategy=strategy, tasks=(TASK,))


def spent(seconds: float = 1.0, steps: int = 1, tokens: int = 0) -> StepRecord:
    return StepRecord(
        trace_id="run",
        key="search/1",
        node="search",
        started_at=datetime(2026, 1, 1, tzinfo=UTC),
        steps=steps,
        strong=TierUsage(calls=1, tokens_in=tokens),
        elapsed_seconds=seconds,
        milliseconds=1.0,
    )


def gathered(*rounds: RoundRecord, reflections: tuple[Reflection, ...] = (), **changes: Any) -> AgentState:
    """A state behind `verify_evidence` in which the one sub-question is still open."""
    state = {
        "question": "?",
        "limits": BudgetLimits.for_class("complex"),
        "has_models": False,
        "plan": Plan(tasks=(TASK,)),
        "evidence": ("something",),
        "verdicts": (verdict(Sufficiency.MISSING),),
        "pending": (),
        "results": (),
        "rounds": rounds,
        "reflections": reflections,
        "steps": (spent(),),
        **changes,
    }
    return cast(AgentState, state)


@st.composite
def states(draw: st.DrawFn) -> AgentState:
    """States as they can stand behind any node, consistent or not."""
    checks = draw(st.lists(st.booleans(), max_size=4))
    queries = draw(st.lists(st.sampled_from(["验收期限", "付款方式", "违约金多少"]), max_size=6))
    rounds = tuple(
        a_round(n, query, new_blocks=draw(st.integers(0, 2)), confidence=draw(st.floats(0, 1)))
        for n, query in enumerate(queries, start=1)
    )
    return gathered(
        *rounds,
        reflections=tuple(reflection(s) for s in draw(st.lists(st.sampled_from(Strategy), max_size=5))),
        problem=draw(st.sampled_from(["", "empty", "too_long", "unclear"])),
        gate=GateDecision(route=draw(st.sampled_from(Route)), question_class="simple"),
        limits=BudgetLimits.for_class(draw(st.sampled_from(["simple", "medium", "complex"]))),
        steps=(spent(draw(st.floats(0, 400)), draw(st.integers(0, 12)), draw(st.integers(0, 60_000))),),
        has_models=draw(st.booleans()),
        may_escalate=draw(st.booleans()),
        plan=draw(st.sampled_from([None, Plan(tasks=(TASK,))])),
        plan_problem=draw(st.sampled_from(["", "t1: unknown tool"])),
        pending=draw(st.sampled_from([(), (TASK,)])),
        evidence=draw(st.sampled_from([(), ("something",)])),
        verdicts=draw(st.sampled_from([(), *((verdict(how),) for how in Sufficiency)])),
        draft=Draft(
            sentences=draw(st.sampled_from([(), (SENTENCE,)])),
            missing=draw(st.sampled_from([(), ("价格",)])),
            failure=draw(st.sampled_from([None, "endpoint is down"])),
            decided_by=draw(st.sampled_from([DecidedBy.RULES, DecidedBy.STRONG])),
            rewritten=draw(st.booleans()),
        ),
        checks=tuple(SentenceCheck(text="甲。", supported=ok, score=1.0) for ok in checks),
    )


@given(states(), st.sampled_from(PLACES))
def test_a_rule_fires_in_every_state_and_asking_again_gives_the_same(state: AgentState, place: tuple[str, str]) -> None:
    rule = first_rule(*place, state)
    assert (rule.after, place[0] in rule.graphs) == (place[1], True)
    assert first_rule(*place, state) is rule


@given(states(), st.sampled_from(GATHERING))
def test_with_the_budget_used_up_nothing_more_is_gathered(state: AgentState, place: tuple[str, str]) -> None:
    limits, record = state["limits"], state["steps"][0]
    rule = first_rule(*place, state)
    over = record.elapsed_seconds >= limits.seconds or record.steps >= limits.steps
    over |= state["has_models"] and record.tokens >= limits.tokens
    assert not over or rule.target in ("answer", "extract")


@given(states())
def test_after_three_reflections_the_loop_does_not_look_back_again(state: AgentState) -> None:
    looked_back = len(state["reflections"])
    rule = first_rule(LOOP, "verify_evidence", state)
    forced = rule.name in ("contradiction", "repeated_call", "oscillation")
    assert looked_back < MOST_REFLECTIONS or forced or rule.target != "reflect"


@given(states(), st.sampled_from([LINEAR, TWO_STEP, LOOP, READING]))
def test_an_answer_is_called_verified_only_when_every_sentence_is_supported(state: AgentState, graph: str) -> None:
    if first_rule(graph, "verify_answer", state).name == "answer_verified":
        assert all(check.supported for check in state["checks"])


@given(states(), st.sampled_from([LINEAR, TWO_STEP, LOOP, READING]))
def test_quoting_instead_of_a_model_and_rewriting_happen_at_most_once(state: AgentState, graph: str) -> None:
    draft = cast(Draft, state["draft"])
    state["draft"] = draft.model_copy(update={"decided_by": DecidedBy.RULES, "failure": None})
    assert first_rule(graph, "verify_answer", state).target == "deliver"
    state["draft"] = draft.model_copy(update={"rewritten": True})
    assert first_rule(graph, "verify_answer", state).target != "rewrite"


def test_evidence_for_every_sub_question_stops_the_search() -> None:
    state = gathered(a_round(1, "验收期限"), verdicts=(verdict(Sufficiency.ANSWERED),))
    assert first_rule(LOOP, "verify_evidence", state).name == "evidence_sufficient"


def test_what_is_missing_is_looked_for_once_more() -> None:
    assert first_rule(LOOP, "verify_evidence", gathered(a_round(1, "验收期限"))).name == "evidence_missing"


def test_the_same_call_twice_running_plans_anew_once_and_then_lands() -> None:
    rounds = (a_round(1, "设备的验收期限是多少个工作日"), a_round(2, "设备的验收期限是多少个工作日?"))
    assert first_rule(LOOP, "verify_evidence", gathered(*rounds)).name == "repeated_call"
    again = gathered(*rounds, reflections=(reflection(Strategy.REPLAN),))
    landing = first_rule(LOOP, "verify_evidence", again)
    assert (landing.name, landing.target) == ("repeated_call_again", "answer")


def test_going_to_and_fro_is_noticed() -> None:
    queries = ["验收期限", "付款方式", "验收期限", "付款方式"]
    rounds = tuple(a_round(n, query) for n, query in enumerate(queries, start=1))
    assert first_rule(LOOP, "verify_evidence", gathered(*rounds)).name == "oscillation"
    assert first_rule(LOOP, "verify_evidence", gathered(*rounds[:3])).name == "evidence_missing"


def test_two_rounds_without_news_end_the_search() -> None:
    rounds = (a_round(1, "验收", new_blocks=0), a_round(2, "付款方式与期限", new_blocks=0))
    assert first_rule(LOOP, "verify_evidence", gathered(*rounds)).name == "no_new_evidence"


def test_confidence_that_falls_twice_running_ends_the_search() -> None:
    rounds = tuple(a_round(n, q, confidence=c) for n, q, c in [(1, "验收", 0.3), (2, "付款", 0.2), (3, "质保期", 0.1)])
    assert first_rule(LOOP, "verify_evidence", gathered(*rounds)).name == "confidence_falling"


@pytest.mark.parametrize("thought", ["不太确定，可能不对", "I am not sure about this"])
def test_a_model_that_doubts_itself_twice_running_ends_the_search(thought: str) -> None:
    doubts = tuple(
        reflection(strategy).model_copy(update={"thought": thought})
        for strategy in (Strategy.REWRITE_QUERY, Strategy.SWITCH_SOURCE)
    )
    rounds = (a_round(1, "验收"), a_round(2, "付款"), a_round(3, "质保期"))
    assert first_rule(LOOP, "verify_evidence", gathered(*rounds, reflections=doubts)).name == "confidence_falling"
    assert first_rule(LOOP, "verify_evidence", gathered(*rounds, reflections=doubts[:1])).name == "evidence_missing"


def test_the_two_step_route_searches_twice_and_no_more() -> None:
    first = gathered(a_round(1, "验收"))
    assert first_rule(TWO_STEP, "verify_evidence", first).target == "reflect"
    second = gathered(a_round(1, "验收"), a_round(2, "付款"), reflections=(reflection(Strategy.REWRITE_QUERY),))
    assert first_rule(TWO_STEP, "verify_evidence", second).name == "second_search_made"


def test_a_second_new_plan_is_refused() -> None:
    state = gathered(reflections=(reflection(Strategy.REPLAN), reflection(Strategy.REPLAN)))
    assert first_rule(LOOP, "reflect", state).name == "replans"


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("HN-3200B设备的额定功率是多少千瓦", "HN-3200B设备的额定功率是多少千瓦呢", True),
        ("what is the rated power of HN-3200B", "what is the rated power of HN-3200B?", True),
        ("验收期限", "付款方式", False),
    ],
)
def test_calls_are_alike_when_nearly_all_of_their_arguments_are(one: str, other: str, alike: bool) -> None:
    assert (similarity(call(one), call(other)) > 0.9) is alike
    wider = ToolCall(tool="search_documents", arguments=(*call(one).arguments, ("documents", "a.pdf")))
    assert similarity(call(one), wider) == 0.0


def test_rule_names_are_unique_behind_each_node_of_a_graph() -> None:
    for graph, node in PLACES:
        names = [rule.name for rule in RULES if graph in rule.graphs and rule.after == node]
        assert len(set(names)) == len(names)


def test_the_last_rule_of_each_node_always_holds() -> None:
    nothing = cast(AgentState, {})
    for graph, node in PLACES:
        assert [rule for rule in RULES if graph in rule.graphs and rule.after == node][-1].holds(nothing)


def test_a_node_without_rules_is_a_mistake_that_is_named() -> None:
    with pytest.raises(LookupError, match="nowhere"):
        first_rule(AGENT, "nowhere", cast(AgentState, {}))


def test_every_target_is_a_node_of_its_graph_or_lies_outside_it() -> None:
    inner = {LINEAR: build_linear(), TWO_STEP: build_two_step(), LOOP: build_loop(), READING: build_reading_route()}
    outer = set(build_graph().get_graph().nodes)
    for graph, node in PLACES:
        if graph == AGENT:
            assert set(targets(graph, node)) <= outer
        else:
            assert set(targets(graph, node)) - {"deliver", "loop", "reading"} <= set(inner[graph].get_graph().nodes)


def test_every_rule_says_what_it_means() -> None:
    assert all(rule.meaning and isinstance(rule.kind, RuleKind) for rule in RULES)
