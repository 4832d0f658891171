"""Questions of several parts through the whole graph, by rules: taken apart, answered from several places, combined."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt
from support.documents import lexical_settings, write
from veriloop import Answer, Caller, Library, add_files, build_agent
from veriloop.context import Context
from veriloop.decisions import Route
from veriloop.errors import LibraryBusyError, UsageError
from veriloop.graphs.agent import build_graph
from veriloop.graphs.checkpoints import serializer
from veriloop.ledger import StepRecord
from veriloop.state import AnswerStatus
from veriloop.tools.registry import Tool, ToolOutput, ToolRegistry
from veriloop.tools.search_documents import SearchArguments, make_search_documents

EQUIPMENT = """# 设备清单

## 压机

压机HN-3200的质量保证期为12个月，供应商为海宁机械有限公司。
压机HN-4100的质量保证期为24个月，供应商为远洲装备有限公司。

## 价格

| 设备 | 数量 | 金额（元） |
| --- | --- | --- |
| 压机 | 2 | 1200.50 |
| 输送机 | 1 | 300.25 |
| 合计 | 3 | 1500.75 |

## 供应商

海宁机械有限公司的联系电话是0573-1234567。
远洲装备有限公司的联系电话是021-7654321。
"""
PUMPS = """# Pump data

The pump A-100 weighs 35 kg. The pump B-200 weighs 48 kg.
The warranty of the pump A-100 is 12 months.
"""
OLD = "# 差旅规定（2022版）\n\n第一条 住宿费标准为每晚300元。\n第二条 本规定自2022年3月1日起施行。\n"
NEW = "# 差旅规定（2024版）\n\n第一条 住宿费标准为每晚450元。\n第二条 本规定自2024年5月1日起施行，2022版同时废止。\n"
SITE = "# 工地说明\n\n北门每天开放8个小时。\n"
OTHER_SITE = "# 门卫通知\n\n北门每天开放12个小时。\n"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("loop")
    with Library.open(folder / "library", lexical_settings()) as opened:
        texts = {"设备清单": EQUIPMENT, "pumps": PUMPS, "差旅规定_2022版": OLD, "差旅规定_2024版": NEW}
        add_files(opened, [write(folder / "documents", **texts, 工地说明=SITE, 门卫通知=OTHER_SITE)])
        yield opened


def asked(library: Library, question: str, **options: Any) -> tuple[Answer, list[StepRecord]]:
    """The answer and the records of its run."""
    answer = None
    records: dict[str, StepRecord] = {}
    for event in build_agent(library, **options).steps(question):
        answer = event.update.get("answer", answer)
        records.update((record.key, record) for record in event.update.get("steps", ()))
    assert answer is not None
    return answer, list(records.values())


def rules_of(records: list[StepRecord]) -> list[str]:
    return [record.rule for record in records if record.rule]


@pytest.mark.parametrize(
    ("question", "winner", "values"),
    [
        ("HN-3200和HN-4100的质量保证期哪个长？", "HN-4100", ("12个月", "24个月")),
        ("Which is heavier, the pump A-100 or the pump B-200?", "B-200", ("35 kg", "48 kg")),
    ],
)
def test_a_comparison_searches_for_each_side_and_names_the_winner(
    library: Library, question: str, winner: str, values: tuple[str, ...]
) -> None:
    answer, records = asked(library, question)
    first = answer.text.splitlines()[0]
    assert winner in first.split("，")[0].split(":")[0].split("：")[0]
    assert all(value in answer.text for value in values)
    assert answer.status is AnswerStatus.ANSWERED
    assert answer.route is Route.TWO_STEP
    assert sum(record.node == "act" for record in records) == 2
    assert answer.citations


@pytest.mark.parametrize(
    ("question", "facts", "missing"),
    [
        ("HN-3200的质量保证期是多久？冷却塔QX-77的噪声是多少？", "12个月", "QX-77"),
        ("What does the pump A-100 weigh? What is the warranty of the compressor QX-77?", "35 kg", "QX-77"),
    ],
)
def test_what_is_found_is_answered_and_what_is_not_is_named(
    library: Library, question: str, facts: str, missing: str
) -> None:
    answer, _ = asked(library, question)
    assert facts in answer.text
    assert answer.status is AnswerStatus.PARTIAL
    assert any(missing in part for part in answer.missing)


def test_a_value_is_looked_up_by_a_name_that_is_found_first(library: Library) -> None:
    answer, records = asked(library, "压机HN-4100的供应商的联系电话是多少？")
    assert "021-7654321" in answer.text
    assert "0573-1234567" not in answer.text
    assert "next_tasks" in rules_of(records)
    assert "远洲装备有限公司" in records[-1].arguments + "".join(record.arguments for record in records)


def test_the_newer_edition_is_followed_and_the_older_one_named_as_superseded(library: Library) -> None:
    answer, records = asked(library, "差旅规定的住宿费标准是每晚多少元？")
    lines = answer.text.splitlines()
    assert "450元" in lines[0]
    assert any("300元" in line and "较早" in line for line in lines[1:])
    assert answer.conflicts
    assert answer.status is AnswerStatus.ANSWERED
    assert "contradiction" in rules_of(records)
    assert sum("verify_conflict" in record.action for record in records) == 1


def test_sources_that_disagree_without_a_reason_to_prefer_one_are_both_shown(library: Library) -> None:
    answer, records = asked(library, "北门每天开放几个小时？")
    assert answer.status is AnswerStatus.CONFLICT
    assert "8个小时" in answer.text and "12个小时" in answer.text
    assert {citation.document for citation in answer.citations} == {"工地说明.md", "门卫通知.md"}
    assert answer.stop_rule == "conflict_presented"
    assert rules_of(records).count("verify_conflict") == 1


def test_the_version_in_force_is_named_with_the_words_that_say_so(library: Library) -> None:
    answer, _ = asked(library, "差旅规定现行有效的是哪个版本？")
    assert "差旅规定_2024版" in answer.text
    assert "2024年5月1日" in answer.text


def test_a_sum_over_a_table_is_computed_and_shows_its_rows(library: Library) -> None:
    answer, _ = asked(library, "设备清单价格表里的金额一共是多少元？")
    assert "1500.75" in answer.text.replace(",", "")
    assert answer.citations


@pytest.mark.parametrize("route", [Route.LINEAR, Route.TWO_STEP, Route.LOOP])
def test_each_route_is_a_graph_of_its_own(library: Library, route: Route) -> None:
    alone = build_graph([route], route.value)
    answer = alone.invoke({"question": "HN-3200的质量保证期是多久？"}, context=Context(library=library))["answer"]
    assert "12个月" in answer.text
    assert answer.route is route
    assert set(alone.get_output_jsonschema()["properties"]) == {"answer"}
    assert set(alone.get_input_jsonschema()["properties"]) == {"question"}


def test_an_agent_can_be_kept_to_some_routes(library: Library) -> None:
    answer, _ = asked(library, "北门每天开放几个小时？", routes=["linear"])
    assert answer.route is Route.LINEAR
    with pytest.raises(UsageError, match="two_step"):
        build_agent(library, routes=["shortcut"])


class Flaky:
    """A search that fails at chosen calls."""

    def __init__(self, library: Library, *fails: int, error: BaseException | None = None) -> None:
        self._search = make_search_documents(library, Caller())
        self._fails = fails
        self._error = error or LibraryBusyError("someone is writing")
        self._lock = threading.Lock()
        self.calls = 0

    def tool(self) -> Tool:
        search = self._search
        return Tool(name=search.name, description=search.description, arguments=search.arguments, run=self._run)

    def _run(self, arguments: SearchArguments) -> ToolOutput:
        with self._lock:
            self.calls += 1
            number = self.calls
        if number in self._fails:
            raise self._error
        return self._search.run(arguments)


@pytest.mark.parametrize(
    ("question", "routes"),
    [("HN-3200的质量保证期是多久？", ["linear"]), ("HN-3200和HN-4100的质量保证期哪个长？", ["two_step"])],
)
def test_a_tool_that_fails_in_passing_is_tried_once_more(library: Library, question: str, routes: list[str]) -> None:
    answer, records = asked(library, question, tools=[Flaky(library, 1).tool()], routes=routes)
    assert answer.status is AnswerStatus.ANSWERED
    assert rules_of(records).count("transient_tool_error") == 1


def test_a_tool_that_always_fails_ends_in_an_answer_that_says_nothing_was_found(library: Library) -> None:
    flaky = Flaky(library, *range(100), error=RuntimeError("broken"))
    answer, _ = asked(library, "HN-3200和HN-4100的质量保证期哪个长？", tools=[flaky.tool()])
    assert answer.status is AnswerStatus.INSUFFICIENT


class Approved(Flaky):
    """A search that waits for approval at its second call."""

    def _run(self, arguments: SearchArguments) -> ToolOutput:
        with self._lock:
            self.calls += 1
            number = self.calls
        if number == 2:
            interrupt("go on?")
        return self._search.run(arguments)


def test_a_run_that_was_interrupted_goes_on_with_exactly_what_it_had_used(library: Library) -> None:
    question = "HN-3200和HN-4100的质量保证期哪个长？"
    whole, _ = asked(library, question)
    graph = build_graph()
    graph.checkpointer = InMemorySaver(serde=serializer())
    context = Context(library=library, tools=ToolRegistry([Approved(library).tool()]))
    config: Any = {"configurable": {"thread_id": "one"}}
    stopped = graph.invoke({"question": question}, config, context=context)
    assert "__interrupt__" in stopped
    answer = graph.invoke(Command(resume="yes"), config, context=context)["answer"]
    assert answer.text == whole.text
    assert (answer.usage.steps, answer.usage.model_calls) == (whole.usage.steps, whole.usage.model_calls)
    records = graph.get_state(config).values["steps"]
    assert len({record.key for record in records}) == len(records)


def test_a_run_goes_on_only_for_whom_it_began(library: Library) -> None:
    graph = build_graph()
    graph.checkpointer = InMemorySaver(serde=serializer())
    tools = ToolRegistry([Approved(library).tool()])
    config: Any = {"configurable": {"thread_id": "four"}}
    graph.invoke(
        {"question": "HN-3200和HN-4100的质量保证期哪个长？"},
        config,
        context=Context(library=library, tools=tools, caller=Caller(readers=frozenset({"hr"}))),
    )
    with pytest.raises(UsageError, match="another caller"):
        graph.invoke(Command(resume="yes"), config, context=Context(library=library, tools=tools))


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("HN-3200和冷却塔QX-77的质量保证期哪个长？", "12个月"),
        ("Which is heavier, the pump A-100 or the compressor QX-77?", "35 kg"),
    ],
)
def test_a_comparison_without_one_side_is_no_answer_but_shows_what_is_known(
    library: Library, question: str, found: str
) -> None:
    answer, _ = asked(library, question)
    assert answer.status is AnswerStatus.INSUFFICIENT
    assert found in answer.text
    assert any("QX-77" in part for part in answer.missing)
    assert answer.citations


def test_a_thread_forgets_the_question_before(library: Library) -> None:
    graph = build_graph()
    graph.checkpointer = InMemorySaver(serde=serializer())
    config: Any = {"configurable": {"thread_id": "two"}}
    context = Context(library=library)
    first = graph.invoke({"question": "北门每天开放几个小时？"}, config, context=context)["answer"]
    second = graph.invoke({"question": "HN-3200的质量保证期是多久？"}, config, context=context)["answer"]
    assert first.status is AnswerStatus.CONFLICT
    assert (second.status, second.conflicts, second.usage.steps) == (AnswerStatus.ANSWERED, (), 1)


def test_a_checkpoint_can_be_read_where_only_known_types_are_allowed(
    library: Library, caplog: pytest.LogCaptureFixture
) -> None:
    graph = build_graph()
    graph.checkpointer = InMemorySaver(serde=serializer())
    config: Any = {"configurable": {"thread_id": "three"}}
    for question in (
        "HN-3200和HN-4100的质量保证期哪个长？",
        "北门每天开放几个小时？",
        "价格表里的金额一共是多少元？",
    ):
        answer = graph.invoke({"question": question}, config, context=Context(library=library))["answer"]
        assert graph.get_state(config).values["answer"] == answer
    assert "unregistered" not in caplog.text and "Blocked" not in caplog.text
