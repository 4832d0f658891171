"""How often models are asked, with how much, and in what order, class by class of question."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.documents import filled
from support.planner_model import PlannerModel
from support.scripted_endpoint import ScriptedEndpoint
from veriloop import Answer, Library, build_agent
from veriloop.configs.model_settings import ChatModelSettings, TierSettings
from veriloop.models.chat import ModelTiers

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
