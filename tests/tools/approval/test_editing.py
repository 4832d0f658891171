"""Edits name what changes: it is merged into the arguments that stand there."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.tools.approval.editing import edited_arguments

CALL = {"operation": "orders.cancel", "parameters": {"order_id": "SO-1", "reason": "late", "note": {"a": 1, "b": 2}}}


@pytest.mark.parametrize(
    ("changes", "parameters"),
    [
        ({"reason": "duplicate"}, {"order_id": "SO-1", "reason": "duplicate", "note": {"a": 1, "b": 2}}),
        ({"parameters": {"reason": "x"}}, {"order_id": "SO-1", "reason": "x", "note": {"a": 1, "b": 2}}),
        ({"note": {"b": 3}}, {"order_id": "SO-1", "reason": "late", "note": {"a": 1, "b": 3}}),
        ({"note": None}, {"order_id": "SO-1", "reason": "late"}),
        ({"operation": "orders.get", "order_id": "SO-2"}, {"order_id": "SO-2"}),
        ({}, CALL["parameters"]),
    ],
)
def test_a_parameter_that_changes_is_merged_into_those_of_the_operation(
    changes: dict[str, Any], parameters: dict[str, Any]
) -> None:
    assert edited_arguments("call_api", CALL, changes)["parameters"] == parameters


@given(
    st.dictionaries(st.text(max_size=3), st.integers() | st.text(max_size=3)),
    st.dictionaries(st.text(max_size=3), st.integers() | st.dictionaries(st.text(max_size=2), st.integers())),
)
def test_of_another_tool_what_is_named_changes_and_the_rest_stays(now: dict[str, Any], changes: dict[str, Any]) -> None:
    assert edited_arguments("booking", now, changes) == {**now, **changes}
