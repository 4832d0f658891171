"""A model plans with the tools that are offered: seven at most, of the kinds that it picks; rules check its plan."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pydantic import BaseModel
from support.documents import lexical_settings, write
from support.scripted_endpoint import RecordedRequest, ScriptedEndpoint
from veriloop import Answer, Caller, Library, add_files, build_agent
from veriloop.configs.model_settings import ChatModelSettings, TierSettings
from veriloop.decisions import Route
from veriloop.models.chat import ModelTiers
from veriloop.state import AnswerStatus
from veriloop.tools.calculate import make_calculate
from veriloop.tools.contracts import Category, Tool, ToolOutput
from veriloop.tools.results import result_hit
from veriloop.tools.search_documents import make_search_documents

DEPOSITS = "# 押金规定\n\n显微镜的押金为500元。望远镜的押金为300元。\n"
QUESTION = "显微镜押金加上两成手续费一共要准备多少钱？"


class Question(BaseModel):
    """What the test tools take."""

    question: str


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("planned")
    with Library.open(folder / "library", lexical_settings()) as opened:
        add_files(opened, [write(folder / "documents", 押金规定=DEPOSITS)])
        yield opened


def task(number: int, question: str, tool: str, **arguments: str) -> dict[str, Any]:
    depends = [f"t{number - 1}"] if number > 1 else []
    return {"id": f"t{number}", "question": question, "tool": tool, "arguments": arguments, "depends_on": depends}


PLAN = [
    task(1, "显微镜的押金是多少？", "search_documents", query="显微镜的押金是多少？"),
    task(2, "{t1}加上两成是多少？", "calculate", expression="{t1} * 120%"),
]


class Planner:
    """A model that plays the decisions from a script and keeps what it was asked."""

    def __init__(self, *plans: list[dict[str, Any]], **replies: dict[str, Any]) -> None:
        self._plans = list(plans)
        self._replies = replies
        self.asked: list[tuple[str, str]] = []

    def __call__(self, request: RecordedRequest) -> str:
        kind = request.schema or "text"
        self.asked.append((kind, str(request.body["messages"][-1]["content"])))
        if kind == "PlanReply":
            plan = self._plans.pop(0) if len(self._plans) > 1 else self._plans[0]
            return json.dumps({"tasks": plan}, ensure_ascii=False)
        known = {"GateReply": {"complexity": 9, "sources": 8, "stakes": 8}, **self._replies}
        return json.dumps(known[kind], ensure_ascii=False) if kind in known else "?"

    def prompts(self, kind: str) -> list[str]:
        return [text for asked, text in self.asked if asked == kind]


def ask(
    library: Library, endpoint: ScriptedEndpoint, model: Callable[[RecordedRequest], str], question: str, *tools: Tool
) -> Answer:
    endpoint.player = model
    settings = ChatModelSettings(base_url=endpoint.base_url, model="m", retries=0, request_seconds=5)
    models = ModelTiers(TierSettings(light=settings, mid=settings))
    own = (make_search_documents(library, Caller.owner()), make_calculate(library.settings.tools.calendar))
    agent = build_agent(library, caller=Caller.owner(), models=models, only_tools=[*own, *tools], routes=[Route.LOOP])
    return agent.ask(question)


def extra(name: str, category: Category = Category.OTHER, **fields: Any) -> Tool:
    def run(_: Any) -> ToolOutput:
        return ToolOutput(hits=(result_hit(name, name, f"{name} says seven."),))

    return Tool(
        **{"name": name, "description": f"{name}.", "arguments": Question, "run": run, "category": category, **fields}
    )


def test_a_models_plan_of_two_tools_is_carried_out(library: Library, scripted_endpoint: ScriptedEndpoint) -> None:
    model = Planner(PLAN)
    answer = ask(library, scripted_endpoint, model, QUESTION)
    assert "600 元" in answer.text and answer.status in (AnswerStatus.ANSWERED, AnswerStatus.PARTIAL)
    (prompt,) = model.prompts("PlanReply")
    assert "search_documents" in prompt and "calculate" in prompt


def test_a_plan_with_a_tool_that_is_not_offered_is_repaired(
    library: Library, scripted_endpoint: ScriptedEndpoint
) -> None:
    model = Planner([task(1, "押金是多少？", "query_sql", sql="SELECT 1")], PLAN)
    answer = ask(library, scripted_endpoint, model, QUESTION)
    assert "600 元" in answer.text
    assert "there is no tool 'query_sql'" in model.prompts("PlanReply")[1]


def test_arguments_out_of_bounds_are_repaired_before_anything_runs(
    library: Library, scripted_endpoint: ScriptedEndpoint
) -> None:
    bad = [task(1, "是多少？", "calculate", expression="import os")]
    model = Planner(bad, PLAN)
    assert "600 元" in ask(library, scripted_endpoint, model, QUESTION).text
    assert "calculate" in model.prompts("PlanReply")[1].split("上一个计划的错误")[1]


def test_of_many_tools_the_planner_picks_kinds_first_and_sees_seven(
    library: Library, scripted_endpoint: ScriptedEndpoint
) -> None:
    many = [extra(f"gauge_{number}", Category.DATA) for number in range(20)]
    model = Planner(PLAN, CategoryReply={"categories": ["文件", "computing"]})
    answer = ask(library, scripted_endpoint, model, QUESTION, *many)
    assert "600 元" in answer.text
    (kinds,) = model.prompts("CategoryReply")
    assert "gauge_19" in kinds and "computing" in kinds
    (prompt,) = model.prompts("PlanReply")
    assert "calculate" in prompt and "gauge_" not in prompt


def test_a_model_that_picks_no_kind_leaves_the_offer_to_rules(
    library: Library, scripted_endpoint: ScriptedEndpoint
) -> None:
    many = [extra(f"gauge_{number}", Category.DATA) for number in range(20)]
    model = Planner(PLAN, CategoryReply={"categories": ["nothing"]})
    assert "600 元" in ask(library, scripted_endpoint, model, QUESTION, *many).text
    (prompt,) = model.prompts("PlanReply")
    assert prompt.count("- gauge_") + prompt.count("- search_documents") + prompt.count("- calculate") == 7


@pytest.mark.parametrize(("said", "expected"), [("moon_phase", "moon_phase says seven."), ("search_documents", "")])
def test_where_rules_are_unsure_of_a_tool_a_light_model_says_which(
    library: Library, scripted_endpoint: ScriptedEndpoint, said: str, expected: str
) -> None:
    moon = extra("moon_phase", description="The phase of the moon.", examples=("Is the moon full or half tonight?",))
    scripted_endpoint.player = Planner(PLAN, ToolReply={"reason": "", "tool": said})
    settings = ChatModelSettings(base_url=scripted_endpoint.base_url, model="m", retries=0, request_seconds=5)
    search = make_search_documents(library, Caller.owner())
    models = ModelTiers(TierSettings(light=settings))
    answer = build_agent(library, caller=Caller.owner(), models=models, only_tools=[search, moon]).ask(
        "Tell me about the moon over Husum"
    )
    assert (expected in answer.text) if expected else (answer.status is AnswerStatus.INSUFFICIENT)
