"""The reading route: what one search hands over to it, what it costs, and what it never makes worse."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from support.documents import lexical_settings
from support.reading_rules import SETTINGS, reading_library
from support.scripted_endpoint import RecordedRequest, ScriptedEndpoint
from veriloop import Answer, Caller, Library, build_agent
from veriloop.configs.model_settings import ChatModelSettings, TierSettings
from veriloop.configs.reading_settings import ReadingSettings
from veriloop.context import Context
from veriloop.decisions import Route
from veriloop.graphs.agent import build_graph
from veriloop.graphs.replaying import replay
from veriloop.ledger import StepRecord
from veriloop.models.chat import ModelTiers
from veriloop.state import AnswerStatus
from veriloop.tools.search_documents import make_search_documents

LATE = "逾期归还设备的怎么处理？"
LATE_EN = "What happens to equipment that is returned late?"
COMPLEX = "比较设备借用规定和资产赔偿细则对逾期归还和损坏设备的处理，哪一个对员工更不利，为什么，会带来什么法律后果？"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with reading_library(tmp_path_factory.mktemp("route")) as opened:
        yield opened


def asked(library: Library, question: str, **options: Any) -> tuple[Answer, list[StepRecord]]:
    answer = None
    records: dict[str, StepRecord] = {}
    for event in build_agent(library, **options).steps(question):
        answer = event.update.get("answer", answer)
        records.update((record.key, record) for record in event.update.get("steps", ()))
    assert answer is not None
    return answer, list(records.values())


@pytest.mark.parametrize(
    ("question", "told"), [(LATE, "每迟一日扣减信用分2分"), (LATE_EN, "For each day of delay 3 points")]
)
def test_an_answer_that_only_refers_to_another_clause_is_completed_by_reading_it(
    library: Library, question: str, told: str
) -> None:
    before, _ = asked(library, question, routes=["linear"])
    answer, records = asked(library, question)
    assert told not in before.text and told in answer.text
    assert (answer.route, answer.status) == (Route.READING, AnswerStatus.ANSWERED)
    assert any(told in citation.quote for citation in answer.citations)
    assert "refers_elsewhere" in [record.rule for record in records]
    assert answer.usage.steps == 2


def test_the_trace_tells_what_was_read_without_its_text(library: Library) -> None:
    _, records = asked(library, LATE)
    (act,) = (record for record in records if record.node == "act")
    assert act.action == "read_section"
    assert re.search(r"read \d blocks \(.*\d extract.*\), stop: sufficient", act.observation)
    assert "信用分" not in act.observation


def test_an_answer_that_states_what_is_asked_is_not_read_up_on(library: Library) -> None:
    answer, _ = asked(library, "泵P-030的容量是多少？")
    assert answer.route is Route.LINEAR and answer.usage.steps == 1


def test_what_nothing_answers_stays_unanswered(library: Library) -> None:
    for question in ("冷却塔QX-77的噪声是多少分贝？", "What is the salary of the store manager?"):
        answer, _ = asked(library, question)
        assert answer.status is AnswerStatus.INSUFFICIENT


def test_the_route_answers_by_itself_part_by_part(library: Library) -> None:
    alone = build_graph([Route.READING], "reading")
    question = "泵P-030的容量是多少？损坏设备怎么赔偿？"
    answer = alone.invoke({"question": question}, context=Context(library=library))["answer"]
    assert "300 升" in answer.text and "修理费用的80%" in answer.text
    assert answer.route is Route.READING and answer.usage.steps <= 3


def test_reading_for_an_agent_shows_nothing_that_its_caller_may_not_read(library: Library) -> None:
    question = "逾期归还设备罚款多少元？"
    hidden, _ = asked(library, question, routes=["reading"])
    assert "888元" not in hidden.model_dump_json()
    told, _ = asked(library, question, routes=["reading"], caller=Caller(readers=frozenset({"board"})))
    assert "888元" in told.text


def test_without_a_tool_that_reads_the_loop_is_what_a_doubt_is_handed_to(library: Library) -> None:
    own = [make_search_documents(library, Caller())]
    answer, records = asked(library, LATE, only_tools=own)
    assert answer.route is Route.LINEAR and "reading" not in {record.target for record in records}
    only, _ = asked(library, "泵P-030的容量是多少？", only_tools=own, routes=["reading"])
    assert "300 升" in only.text


def test_questions_that_name_a_clause_may_be_read_up_on_at_once(tmp_path: Any) -> None:
    with reading_library(tmp_path, reading=ReadingSettings(starts_at_labels=True)) as library:
        named, records = asked(library, "设备借用规定第十一条规定了什么？")
        other, _ = asked(library, "泵P-030的容量是多少？")
    assert named.route is Route.READING and "search" not in {record.node for record in records}
    assert named.text.startswith("第十一条") and "第八条" not in named.text
    assert other.route is Route.LINEAR


def test_reading_can_be_switched_off(tmp_path: Any) -> None:
    settings = lexical_settings(**{**SETTINGS, "reading": ReadingSettings(enabled=False)})
    with reading_library(tmp_path, reading=settings.reading) as library:
        answer, _ = asked(library, LATE)
    assert answer.route is Route.LINEAR


class Reader:
    """A model that scores a question high, and reads on and on."""

    def __init__(self) -> None:
        self.schemas: list[str] = []

    def __call__(self, request: RecordedRequest) -> str:
        self.schemas.append(request.schema)
        parts = ["逾期归还设备的怎么处理？", "损坏设备怎么赔偿？"]
        understood = {"question_type": "comparison", "combination": "list", "parts": parts, "subjects": ["", ""]}
        read = {"answered": [], "missing": "更多", "action": "continue", "quote": "", "note": "", "next_block": "1"}
        replies: dict[str, Any] = {
            "GateReply": {"complexity": 8, "sources": 8, "stakes": 8},
            "UnderstandReply": understood,
            "ReadPlanReply": {"thought": "", "blocks": [1]},
            "ReadReply": read,
        }
        return json.dumps(replies.get(request.schema, {"verdicts": []}), ensure_ascii=False)


def test_the_calls_inside_readings_are_counted_and_replayed(library: Library) -> None:
    reader = Reader()
    with ScriptedEndpoint() as endpoint:
        endpoint.player = reader
        settings = ChatModelSettings(base_url=endpoint.base_url, model="scripted", retries=0, context_window=16_384)
        models = ModelTiers(TierSettings(strong=settings))
        answer, records = asked(library, COMPLEX, models=models, routes=["reading"])
        sent = len(endpoint.requests)
    assert reader.schemas.count("ReadReply") > 2
    assert answer.usage.model_calls == sent == sum(len(record.exchanges) for record in records)
    assert answer.usage.tokens <= 50_000
    acts = [record for record in records if record.node == "act"]
    assert len(acts) == 2 and all(record.light.calls for record in acts)
    stored = library.trace(answer.trace_id, Caller.owner())
    assert stored is not None
    report = replay(library, stored)
    assert report.same_path and report.same_answer, report.differences
