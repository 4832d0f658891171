"""The rules that find the operation and the parameters of a question, and name what is not said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.configs.api_settings import ApiSettings
from veriloop.knowledge.documents import Caller
from veriloop.tools.api.call_api import make_call_api
from veriloop.tools.api.checking import problems
from veriloop.tools.api.choosing import found_call
from veriloop.tools.api.declared import declared_api
from veriloop.tools.api.models import Operation
from veriloop.tools.choosing.rules import choose_by_rules
from veriloop.tools.contracts import Permission
from veriloop.tools.declaration import declaration_problem
from veriloop.tools.registry import ToolRegistry

FILE = """
base_url: https://facility.example.com
operations:
  book_room:
    method: POST
    path: /bookings
    summary: 预订会议室 / book a meeting room
    parameters:
      person: {type: string, maxLength: 60, description: 预订人, required: true}
      day: {type: string, format: date, description: 日期, required: true}
      people: {type: integer, minimum: 1, maximum: 200, description: 人数}
      kind: {type: string, enum: [large, small]}
  parcel_status:
    path: /parcels/{parcel_no}
    summary: 查询包裹的位置 / location of a parcel
    examples: ["包裹PK-1200到哪里了？"]
    parameters:
      parcel_no: {type: string, pattern: '^PK-\\d+$', description: 包裹号}
  power_now:
    path: /power
    summary: 当前用电负荷 / current power load
    parameters:
      building: {type: string, enum: [A座, B座], description: 楼栋}
"""


@pytest.fixture(scope="module")
def operations(tmp_path_factory: pytest.TempPathFactory) -> tuple[Operation, ...]:
    file = Path(tmp_path_factory.mktemp("api")) / "facility.yaml"
    file.write_text(FILE, encoding="utf-8")
    settings = ApiSettings(file=file, operations=("book_room", "parcel_status", "power_now"))
    return declared_api("facility", settings).operations


@pytest.mark.parametrize(
    ("question", "operation", "parameters"),
    [
        ("包裹PK-7731现在的位置在哪？", "parcel_status", {"parcel_no": "PK-7731"}),
        ("What is the location of parcel PK-7731?", "parcel_status", {"parcel_no": "PK-7731"}),
        ("A座当前的用电负荷是多少？", "power_now", {"building": "A座"}),
        ("What is the current power load?", "power_now", {}),
        (
            "给李明华预订2026年5月3日的会议室，人数12人",
            "book_room",
            {"person": "李明华", "day": "2026-05-03", "people": 12},
        ),
        (
            "Book a small meeting room for Anna Schmidt on 2026-05-03",
            "book_room",
            {"person": "Anna Schmidt", "day": "2026-05-03", "kind": "small"},
        ),
        ("{t1}的包裹位置在哪？", "parcel_status", {"parcel_no": "{t1}"}),
    ],
)
def test_the_operation_and_its_parameters_are_read_from_the_question(
    operations: tuple[Operation, ...], question: str, operation: str, parameters: dict[str, Any]
) -> None:
    found = found_call(question, operations)
    assert found is not None
    assert found.arguments == {"operation": f"facility.{operation}", "parameters": parameters}
    assert found.missing == ()
    assert found.confidence >= 0.6


def test_what_the_question_does_not_say_is_named_and_not_guessed(operations: tuple[Operation, ...]) -> None:
    found = found_call("预订一间会议室", operations)
    assert found is not None
    assert found.arguments["parameters"] == {}
    assert found.missing == ("person（预订人）", "day（日期）")


@pytest.mark.parametrize(
    "question",
    [
        "怎么预订会议室？",
        "How do I book a meeting room?",
        "会议室的预订规定是什么？",
        "验收期限是几天？",
        "Who signs contracts?",
    ],
)
def test_a_question_about_something_is_no_order_to_do_it(operations: tuple[Operation, ...], question: str) -> None:
    assert found_call(question, operations) is None


def test_a_named_operation_leaves_no_doubt(operations: tuple[Operation, ...]) -> None:
    found = found_call("facility.parcel_status PK-1", operations)
    assert found is not None
    assert found.confidence >= 0.9


@given(question=st.text(max_size=80))
def test_whatever_is_found_is_valid(operations: tuple[Operation, ...], question: str) -> None:
    for text in (question, f"预订会议室 {question}", f"location of parcel {question}"):
        found = found_call(text, operations)
        if found is not None and not found.missing:
            operation = next(one for one in operations if one.name == found.arguments["operation"])
            assert problems(operation, found.arguments["parameters"]) == ()


EXAMPLE = Path(__file__).parents[3] / "examples" / "orders_api.yaml"


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("取消订单SO-20391，原因：重复下单", "重复下单"),
        ("请取消订单SO-20391,原因是重复下单。", "重复下单"),
        ("把订单SO-20391取消，原因：不符合规定，客户下错了", "不符合规定，客户下错了"),
        ("取消订单SO-20391 原因:客户要求取消", "客户要求取消"),
        ("由于客户重复下单，请帮我取消订单SO-20391。", "客户重复下单"),
        ("取消订单SO-20391，因为重复下单，谢谢", "重复下单"),
        ("Please cancel order SO-20391 because it is a duplicate", "it is a duplicate"),
        ("Because the customer asked for it, please cancel order SO-20391.", "the customer asked for it"),
        ("Cancel order SO-20391. The reason is that it was ordered twice.", "it was ordered twice"),
        ("Cancel order SO-20391 due to a duplicate order", "a duplicate order"),
    ],
)
def test_an_order_that_gives_its_reason_is_a_call_with_that_reason(order: str, reason: str) -> None:
    tool = make_call_api({"orders": ApiSettings(file=EXAMPLE, operations=("get_order", "cancel_order"))}, Caller())
    assert tool is not None
    chosen = choose_by_rules(order, [tool], ToolRegistry([tool]))
    assert chosen.arguments == {
        "operation": "orders.cancel_order",
        "parameters": {"order_id": "SO-20391", "reason": reason},
    }


@pytest.mark.parametrize(
    "question",
    [
        "取消订单SO-20391的原因是什么？",
        "取消订单SO-20391，原因是什么？",
        "取消订单需要什么原因",
        "为什么取消订单SO-20391",
        "What is the reason to cancel order SO-20391?",
        "Was order SO-20391 cancelled because it was a duplicate?",
    ],
)
def test_a_question_for_a_reason_cancels_nothing(question: str) -> None:
    tool = make_call_api({"orders": ApiSettings(file=EXAMPLE, operations=("cancel_order",))}, Caller())
    assert tool is not None
    assert choose_by_rules(question, [tool], ToolRegistry([tool])).tool == "search_documents"


def test_interfaces_that_only_read_are_offered() -> None:
    for operations in ((), ("get_order", "list_orders")):
        tool = make_call_api({"orders": ApiSettings(file=EXAMPLE, operations=operations)}, Caller())
        assert tool is not None and not declaration_problem(tool)
        assert tool.permission is Permission.READ
