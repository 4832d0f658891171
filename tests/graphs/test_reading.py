"""The reading loop by itself: what it follows, when it stops, what a model can and cannot make it do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, TypedDict

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from support.documents import lexical_settings, write
from support.reading_rules import reading_library
from support.scripted_endpoint import RecordedRequest, ScriptedEndpoint, Turn
from veriloop import Caller, Library, add_files
from veriloop.configs.model_settings import ChatModelSettings, TierSettings
from veriloop.configs.reading_settings import ReadingSettings
from veriloop.context import Context
from veriloop.decisions import DecidedBy, Finding, SubTask, Sufficiency, TaskVerdict
from veriloop.errors import UsageError
from veriloop.graphs.checkpoints import serializer
from veriloop.graphs.reading import build_reading, graph
from veriloop.knowledge.evidence.models import ExtractedSentence
from veriloop.models.budget import BudgetLimits
from veriloop.models.chat import ModelTiers
from veriloop.nodes.reading.judging import doubtful_parts, is_sure, open_parts
from veriloop.reading_state import ReadingAction, ReadingResult, ReadingStop, WhyRead

LATE = "逾期归还设备的怎么处理？"
LATE_EN = "What happens to equipment that is returned late?"
UNANSWERED = "仓库的备件采购价格是多少元？"
MOST = 4
_FENCED = re.compile(r"^\[(\d+)\] <<<(\w+)\n(.*?)\n\2>>>$", re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with reading_library(tmp_path_factory.mktemp("reading"), reading=ReadingSettings(max_blocks=MOST)) as opened:
        yield opened


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Many documents that speak of what `UNANSWERED` asks, and none that answers it."""
    folder = tmp_path_factory.mktemp("stores")
    names = "甲乙丙丁戊己庚辛壬癸子丑寅卯"
    texts = {
        f"仓库{n}": f"# {n}仓库\n\n{n}仓库的备件由第{i}组采购，{n}组长巡查备件。\n" for i, n in enumerate(names, 1)
    }
    with Library.open(folder / "library", lexical_settings()) as opened:
        add_files(opened, [write(folder / "documents", **texts)])
        yield opened


def read(library: Library, question: str, *, caller: Caller | None = None, models: Any = None, **more: Any) -> Any:
    context = Context(library=library, caller=caller or Caller(), models=models)
    given: Any = {"question": question, **more}
    return graph.invoke(given, context=context)["reading"]


def texts(result: ReadingResult) -> str:
    return "\n".join(note.text for note in result.notes)


@pytest.mark.parametrize(
    ("question", "told"), [(LATE, "每迟一日扣减信用分2分"), (LATE_EN, "For each day of delay 3 points")]
)
def test_a_clause_that_a_note_refers_to_is_read_and_noted(library: Library, question: str, told: str) -> None:
    result = read(library, question)
    assert told in texts(result)
    assert result.stop is ReadingStop.SUFFICIENT and not result.open
    assert [one.why for one in result.read][:2] == [WhyRead.CANDIDATE, WhyRead.REFERENCE]
    assert all(one.reason for one in result.read)


def test_a_block_that_shares_no_word_with_the_question_is_not_noted(library: Library) -> None:
    result = read(library, LATE, documents=("equipment_lending",), section="Labels")
    assert [one.action for one in result.read] == [ReadingAction.SKIP] and not result.notes


def test_another_document_that_a_note_names_is_read(library: Library) -> None:
    result = read(library, "损坏设备怎么赔偿？")
    assert [(one.document, one.why) for one in result.read[:2]] == [
        ("设备借用规定.md", WhyRead.CANDIDATE),
        ("资产赔偿细则.md", WhyRead.REFERENCE),
    ]
    assert "修理费用的80%" in texts(result)


def test_a_clause_that_the_question_names_is_where_reading_begins(library: Library) -> None:
    result = read(library, "设备借用规定第十一条是怎么规定的？")
    assert result.read[0].why is WhyRead.START
    assert result.notes[0].text.startswith("第十一条") and "第十二条" not in result.notes[0].text


def test_the_rest_of_a_table_and_its_notes_are_lined_up_behind_a_row(library: Library) -> None:
    result = read(library, "泵P-030的容量使用三年后怎么计算？")
    assert "按照标称值的90%计算" in texts(result)
    assert any(one.why is WhyRead.TABLE for one in read(library, "泵P-030的容量是多少？").read)


def test_quotes_of_notes_are_stretches_of_their_blocks(library: Library) -> None:
    for note in read(library, LATE).notes:
        stored, _ = library.block(note.block.block_id) or pytest.fail("the block is gone")
        assert note.quotes
        assert "\n".join(stored.text[span.start : span.end] for span in note.quotes) == note.text


def test_a_name_that_one_part_finds_is_looked_up_for_the_next(tmp_path: Any) -> None:
    folder = write(tmp_path / "documents", 台账="# 设备台账\n\n压机HN-4100的供应商为远洲装备有限公司。\n")
    write(folder, 名录="# 供应商名录\n\n海宁机械有限公司的联系电话是0573-1234567。\n")
    write(folder, 通讯="# 通讯\n\n远洲装备有限公司的联系电话是021-7654321。\n")
    with reading_library(tmp_path) as library:
        add_files(library, [folder])
        result = read(library, "压机HN-4100的供应商的联系电话是多少？")
    assert "远洲装备有限公司" in texts(result) and "021-7654321" in texts(result)
    assert not result.open


def test_reading_stops_at_twelve_blocks(stores: Library) -> None:
    result = read(stores, UNANSWERED)
    assert len(result.read) == 12 and result.stop is ReadingStop.MAX_BLOCKS
    assert len({one.block_id for one in result.read}) == 12
    assert result.open == ("仓库的备件采购价格是多少元",) and not result.signals


def test_nothing_to_begin_with_is_said(library: Library) -> None:
    result = read(library, "量子纠缠")
    assert (result.stop, result.read, result.notes) == (ReadingStop.NOTHING_FOUND, (), ())
    assert result.open == ("量子纠缠",)


def test_what_is_not_answered_beyond_doubt_stays_open_when_nothing_is_left() -> None:
    parts = tuple(
        SubTask(id=f"t{number}", question=question, tool="read_section", arguments={})
        for number, question in enumerate(("借用的设备可以用多久", "押金是多少"), start=1)
    )
    sentence = ExtractedSentence(text="押金为2,000元。", quotes=(), score=0.4)
    verdicts = tuple(
        TaskVerdict(
            task_id=part.id,
            question=part.question,
            sufficiency=Sufficiency.ANSWERED,
            finding=Finding(sentences=(sentence,), confidence=confidence),
        )
        for part, confidence in zip(parts, (0.9, 0.4), strict=True)
    )
    assert open_parts(parts, verdicts) == ()
    assert doubtful_parts(parts, verdicts) == ("押金是多少",)
    assert not is_sure(parts, verdicts)


def test_reading_ends_with_its_time(stores: Library) -> None:
    limits = BudgetLimits(tokens=0, steps=0, seconds=0)
    result = read(stores, UNANSWERED, limits=limits)
    assert len(result.read) == 1 and result.stop is ReadingStop.SECONDS


@pytest.mark.parametrize("more", [{}, {"documents": ("内部处理细则",)}, {"section": "第十一条"}])
def test_what_a_caller_may_not_read_is_neither_read_nor_named(library: Library, more: dict[str, Any]) -> None:
    hidden = read(library, "逾期归还设备罚款多少元？", **more)
    assert "888元" not in hidden.model_dump_json() and "内部处理细则" not in "".join(r.document for r in hidden.read)
    board = read(library, "逾期归还设备罚款多少元？", caller=Caller(readers=frozenset({"board"})), **more)
    assert "888元" in texts(board)


def test_reading_keeps_to_the_documents_that_are_named(library: Library) -> None:
    result = read(library, "损坏设备怎么赔偿？", documents=("设备借用规定",))
    assert {one.document for one in result.read} == {"设备借用规定.md"}


def test_the_loop_is_a_node_of_a_larger_graph_and_its_types_stand_in_checkpoints(
    library: Library, caplog: pytest.LogCaptureFixture
) -> None:
    class Outer(TypedDict, total=False):
        question: str
        reading: ReadingResult

    builder = StateGraph(Outer, Context)
    builder.add_node("reading", build_reading())
    builder.add_edge(START, "reading")
    builder.add_edge("reading", END)
    outer = builder.compile(checkpointer=InMemorySaver(serde=serializer()))
    config: Any = {"configurable": {"thread_id": "one"}}
    first = outer.invoke({"question": LATE}, config, context=Context(library=library))["reading"]
    second = outer.invoke({"question": LATE_EN}, config, context=Context(library=library))["reading"]
    assert "信用分2分" in texts(first) and "3 points" in texts(second) and "信用分" not in texts(second)
    assert outer.get_state(config).values["reading"].model_dump() == second.model_dump()
    assert "unregistered" not in caplog.text and "Blocked" not in caplog.text


def test_a_reading_goes_on_only_for_whom_it_began(library: Library) -> None:
    loop = build_reading()
    loop.checkpointer = InMemorySaver(serde=serializer())
    config: Any = {"configurable": {"thread_id": "two"}}
    board = Context(library=library, caller=Caller(readers=frozenset({"board"})))
    loop.invoke({"question": LATE}, config, context=board, interrupt_before=["decide"])
    with pytest.raises(UsageError, match="another caller"):
        loop.invoke(None, config, context=Context(library=library))


PLANNED = json.dumps({"thought": "", "blocks": [1]})
Player = Callable[[RecordedRequest], str | Turn]


def played(library: Library, question: str, player: Player, **more: Any) -> tuple[ReadingResult, ScriptedEndpoint]:
    with ScriptedEndpoint() as endpoint:
        endpoint.player = lambda request: PLANNED if request.schema == "ReadPlanReply" else player(request)
        settings = ChatModelSettings(base_url=endpoint.base_url, model="scripted", retries=0, context_window=16_384)
        return read(library, question, models=ModelTiers(TierSettings(strong=settings)), **more), endpoint


def reading_reply(**fields: Any) -> str:
    plain = {"answered": [], "missing": "一切", "action": "continue", "quote": "", "note": "", "next_block": ""}
    return json.dumps({**plain, **fields}, ensure_ascii=False)


def options_in(request: RecordedRequest) -> list[tuple[str, str]]:
    listed = re.split(r"可以接着读：|Blocks that can be read next:", request.prompt)[-1]
    return [(number, text) for number, _, text in _FENCED.findall(listed)]


def test_a_model_takes_tidied_notes_and_its_word_ends_the_reading(library: Library) -> None:
    def player(request: RecordedRequest) -> str:
        if "每迟一日扣减信用分2分" in request.prompt.split("刚读的一段：")[-1].split("可以接着读")[0]:
            note = "逾期归还：每迟一日扣信用分2分，扣满10分的三个月内不得申请（第十一条）"
            return reading_reply(answered=[1], missing="", action="stop", quote="每迟一日扣减信用分2分", note=note)
        quote = "逾期归还设备的，按照本规定第十一条处理"
        numbers = [number for number, text in options_in(request) if "附带条款" in text]
        return reading_reply(action="extract", quote=quote, note=quote, next_block=numbers[0] if numbers else "1")

    result, endpoint = played(library, LATE, player)
    assert result.stop is ReadingStop.SUFFICIENT
    assert result.notes[-1].text.startswith("逾期归还：每迟一日") and result.notes[-1].decided_by is DecidedBy.LIGHT
    assert result.read[-1].action is ReadingAction.STOP
    assert result.usage is not None and result.usage.model_calls == len(endpoint.requests)
    assert all(request.prompt.count("<<<") for request in endpoint.requests)


def test_a_note_that_its_block_does_not_bear_out_is_replaced_by_the_quote(library: Library) -> None:
    def player(request: RecordedRequest) -> str:
        quote = "逾期归还设备的，按照本规定第十一条处理"
        return reading_reply(answered=[1], action="stop", quote=quote, note="逾期归还的，罚款500元")

    result, _ = played(library, LATE, player)
    assert "500" not in texts(result) and "按照本规定第十一条处理" in texts(result)


def test_a_model_that_always_goes_on_is_stopped(stores: Library) -> None:
    result, endpoint = played(stores, UNANSWERED, lambda _: reading_reply())
    assert len(result.read) == 12 and result.stop is ReadingStop.MAX_BLOCKS
    assert sum(request.schema == "ReadReply" for request in endpoint.requests) == 12


def test_a_model_that_overlooks_the_answer_does_not_keep_it_from_being_noted(library: Library) -> None:
    result, _ = played(library, "泵P-030的容量是多少？", lambda _: reading_reply(action="skip"))
    assert "300 升" in texts(result)


def test_a_block_that_is_read_again_more_than_twice_is_signalled_and_left(stores: Library) -> None:
    def player(request: RecordedRequest) -> str:
        options = options_in(request)
        return reading_reply(next_block=options[-1][0] if options else "")

    result, _ = played(stores, UNANSWERED, player)
    assert max(one.times for one in result.read) == 4
    assert result.signals and all("read again more than twice" in signal for signal in result.signals)
    assert len(result.read) == 12 and result.stop is ReadingStop.MAX_BLOCKS


@pytest.mark.parametrize("named", ["99", "内部处理细则.md#1", ""])
def test_blocks_that_were_not_offered_cannot_be_chosen(library: Library, named: str) -> None:
    hidden = next(d.document for d in library.documents(Caller.owner()) if "内部" in d.document.name)
    reply = reading_reply(next_block=named or library.blocks(hidden.doc_id, Caller.owner())[0].block_id)
    result, endpoint = played(library, LATE, lambda _: reply)
    assert "888元" not in result.model_dump_json()
    assert all("888" not in request.prompt for request in endpoint.requests)
    assert all(one.document != "内部处理细则.md" for one in result.read)


def test_a_model_is_not_asked_where_the_tokens_would_not_last(library: Library) -> None:
    limits = BudgetLimits(tokens=3_000, steps=3, seconds=60)
    result, endpoint = played(library, LATE, lambda _: reading_reply(), limits=limits)
    assert not endpoint.requests and result.decided_by is DecidedBy.RULES
    assert "信用分2分" in texts(result)


def test_a_model_reads_within_its_tokens(stores: Library) -> None:
    limits = BudgetLimits(tokens=7_000, steps=3, seconds=60)
    costly = Turn(text=reading_reply(), usage=(900, 300))
    result, endpoint = played(stores, UNANSWERED, lambda _: costly, limits=limits)
    assert endpoint.requests
    assert result.usage is not None and result.usage.tokens <= 7_000


@pytest.mark.parametrize("broken", [Turn(status=500), Turn(text="我不知道"), Turn(fault="not_json")])
def test_a_model_that_gives_no_usable_reply_is_replaced_by_the_rules(library: Library, broken: Turn) -> None:
    result, endpoint = played(library, LATE, lambda _: broken)
    assert "信用分2分" in texts(result) and result.stop is ReadingStop.SUFFICIENT
    assert len(endpoint.requests) < 20
