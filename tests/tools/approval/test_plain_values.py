"""Arguments that no request or journal could hold as they are reach neither a person nor a tool."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict
from veriloop.tools.approval.judging import MALFORMED, judged
from veriloop.tools.approval.models import ApprovalRequest
from veriloop.tools.approval.plain_values import unspeakable
from veriloop.tools.contracts import ErrorCode, Permission, Tool, ToolFailure, ToolOutput
from veriloop.tools.registry import ToolRegistry


class Anything(BaseModel):
    model_config = ConfigDict(extra="allow")


def nested(depth: int) -> Any:
    value: Any = "x"
    for _ in range(depth):
        value = [value]
    return value


VALUES = [float("inf"), float("nan"), "\ud800", 10**5_000, nested(60), nested(5_000), {"\udcff": 1}]


@pytest.mark.parametrize("value", VALUES, ids=["infinite", "nan", "half", "digits", "deep", "deeper", "name"])
def test_what_cannot_be_shown_as_it_is_is_refused_in_calls_and_in_edits(value: Any) -> None:
    tool = Tool(name="pay", description="Pays.", arguments=Anything, run=lambda _: ToolOutput())
    ran = ToolRegistry([tool]).run("pay", {"to": {"x": value}})
    assert isinstance(ran, ToolFailure) and ran.code is ErrorCode.INVALID_ARGUMENTS
    request = ApprovalRequest(
        approval_id="a", trace_id="t", tool="pay", permission=Permission.WRITE, arguments={}, digest="d", question="q",
        expires_at=datetime.now(UTC) + timedelta(days=1),
    )  # fmt: skip
    said = {"decision": "edit", "digest": "d", "arguments": {"to": value}}
    assert judged(request, said, datetime.now(UTC)) == MALFORMED


@given(
    st.dictionaries(st.text(max_size=5), st.recursive(st.text() | st.integers() | st.booleans(), st.lists), max_size=3)
)
def test_plain_values_are_taken(arguments: dict[str, Any]) -> None:
    assert unspeakable(arguments) == ""
