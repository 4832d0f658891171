"""The rule table covers every state, names what it does, and leads only to nodes that exist."""

from __future__ import annotations

from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.graphs.agent import build_graph
from veriloop.graphs.linear import build_linear
from veriloop.graphs.rules import RULES, RuleKind, first_rule, targets
from veriloop.knowledge.evidence.models import SentenceCheck
from veriloop.models.budget import BudgetLimits, BudgetUsage, TierUsage
from veriloop.state import AgentState, DecidedBy, Draft, DraftSentence, GateDecision, Route

NODES = tuple(dict.fromkeys(rule.after for rule in RULES))
SENTENCE = DraftSentence(text="甲。", markers=(1,))


@st.composite
def states(draw: st.DrawFn) -> AgentState:
    """States as they can stand behind any node, consistent or not."""
    usage = BudgetUsage(
        started_at=draw(st.datetimes()),
        elapsed_seconds=draw(st.floats(0, 400)),
        steps=draw(st.integers(0, 12)),
        strong=TierUsage(calls=1, tokens_in=draw(st.integers(0, 60_000))),
    )
    checks = draw(st.lists(st.booleans(), max_size=4))
    return cast(
        AgentState,
        {
            "question": "?",
            "problem": draw(st.sampled_from(["", "empty", "too_long"])),
            "gate": GateDecision(route=draw(st.sampled_from(Route)), question_class="simple"),
            "limits": BudgetLimits.for_class(draw(st.sampled_from(["simple", "medium", "complex"]))),
            "usage": usage,
            "has_models": draw(st.booleans()),
            "evidence": draw(st.sampled_from([(), ("something",)])),
            "draft": Draft(
                sentences=draw(st.sampled_from([(), (SENTENCE,)])),
                missing=draw(st.sampled_from([(), ("价格",)])),
                failure=draw(st.sampled_from([None, "endpoint is down"])),
                decided_by=draw(st.sampled_from([DecidedBy.RULES, DecidedBy.STRONG])),
            ),
            "checks": tuple(SentenceCheck(text="甲。", supported=ok, score=1.0) for ok in checks),
        },
    )


@given(states(), st.sampled_from(NODES))
def test_a_rule_fires_in_every_state_and_asking_again_gives_the_same(state: AgentState, node: str) -> None:
    rule = first_rule(node, state)
    assert rule.after == node
    assert first_rule(node, state) is rule


@given(states())
def test_no_search_result_reaches_a_model_when_the_budget_is_used_up(state: AgentState) -> None:
    rule = first_rule("search", state)
    limits, usage = state["limits"], state["usage"]
    if usage.elapsed_seconds >= limits.seconds or usage.steps >= limits.steps:
        assert rule.target in ("extract", "deliver")


@given(states())
def test_an_answer_is_called_verified_only_when_every_sentence_is_supported(state: AgentState) -> None:
    if first_rule("verify", state).name == "answer_verified":
        assert all(check.supported for check in state["checks"])


@given(states())
def test_quoting_instead_of_a_model_happens_at_most_once(state: AgentState) -> None:
    state["draft"] = state["draft"].model_copy(update={"decided_by": DecidedBy.RULES, "failure": None})
    assert first_rule("verify", state).target == "deliver"


def test_rule_names_are_unique_behind_each_node() -> None:
    assert len({(rule.after, rule.name) for rule in RULES}) == len(RULES)


def test_the_last_rule_of_each_node_always_holds() -> None:
    nothing = cast(AgentState, {})
    for node in NODES:
        assert [rule for rule in RULES if rule.after == node][-1].holds(nothing)


def test_a_node_without_rules_is_a_mistake_that_is_named() -> None:
    with pytest.raises(LookupError, match="nowhere"):
        first_rule("nowhere", cast(AgentState, {}))


def test_every_target_is_a_node_of_its_graph() -> None:
    outer, inner = set(build_graph().get_graph().nodes), set(build_linear().get_graph().nodes)
    for node in ("understand", "gate"):
        assert set(targets(node)) <= outer
    for node in ("search", "answer", "extract", "verify"):
        assert set(targets(node)) - {"deliver"} <= inner


def test_every_rule_says_what_it_means() -> None:
    assert all(rule.meaning and isinstance(rule.kind, RuleKind) for rule in RULES)
