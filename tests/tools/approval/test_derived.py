"""Arguments that stand in the question came from the user; all others were derived, and are marked."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from veriloop.tools.approval.calls import PlannedCall
from veriloop.tools.approval.derived import derived_arguments
from veriloop.tools.registry import Permission


def call(arguments: dict[str, Any], *, defaults: tuple[str, ...] = (), operation: str = "") -> PlannedCall:
    return PlannedCall("book", operation, Permission.WRITE, arguments, "", True, frozenset(defaults))


@pytest.mark.parametrize(
    ("said", "arguments", "derived"),
    [
        ("取消订单SO-20391，原因：客户要求", {"order": "SO-20391", "reason": "客户要求"}, ()),
        ("取消订单ＳＯ－20391", {"order": "SO-20391"}, ()),
        ("Cancel order so-20391", {"order": "SO-20391"}, ()),
        ("Cancel order SO-203911", {"order": "SO-20391"}, ("order",)),
        ("Pay 12,000 EUR", {"amount": 12000}, ()),
        ("Pay 12,000 EUR", {"amount": 12000.5}, ("amount",)),
        ("付款1200元", {"amount": 120}, ("amount",)),
        ("Book the blue room", {"room": {"name": "blue room", "seats": [4, 6]}}, ("room.seats.0", "room.seats.1")),
        ("Start it", {"how": "art"}, ("how",)),
        ("Notify them", {"urgent": True, "note": None, "text": ""}, ("urgent", "note", "text")),
        ("Notify them", {"who": [], "room": {}, "text": " \u3000"}, ("who", "room", "text")),
    ],
)
def test_what_does_not_stand_in_the_question_is_derived(
    said: str, arguments: dict[str, Any], derived: tuple[str, ...]
) -> None:
    assert derived_arguments(said, call(arguments)) == derived


def test_what_the_tool_fills_in_and_the_operation_itself_came_from_nobody() -> None:
    arguments = {"operation": "orders.cancel", "limit": 10, "to": "boss"}
    found = derived_arguments("cancel it", call(arguments, defaults=("limit",), operation="orders.cancel"))
    assert found == ("to",)


@given(st.text(min_size=1, max_size=20), st.text(max_size=30))
def test_a_value_that_was_said_alone_is_never_derived(value: str, rest: str) -> None:
    assume(value.strip())
    assert derived_arguments(f"{value} 。 {rest}", call({"value": value})) == ()


@given(st.integers(-(10**9), 10**9))
def test_a_number_that_was_said_is_never_derived_and_another_one_is(number: int) -> None:
    assert derived_arguments(f"pay {number} now", call({"amount": number})) == ()
    assert derived_arguments(f"pay {number} now", call({"amount": number + 1})) == ("amount",)
