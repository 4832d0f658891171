"""What a person sees of a call is what runs: nothing unseen, no letter that looks like another, no forged line."""

from __future__ import annotations

import json
import unicodedata
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.serving.cli.approvals import _log_line
from veriloop.serving.cli.consent import show_request
from veriloop.tools.approval.models import ApprovalRequest
from veriloop.tools.approval.records import LogEntry
from veriloop.tools.approval.showing import look_alikes, shown_arguments, shown_line
from veriloop.tools.contracts import Permission


def request(arguments: dict[str, Any], question: str = "Pay Ann", **fields: Any) -> ApprovalRequest:
    return ApprovalRequest(
        approval_id="a" * 20, trace_id="t", tool="pay", permission=Permission.WRITE, arguments=arguments,
        digest="d" * 64, question=question, expires_at=datetime.now(UTC) + timedelta(days=1), **fields,
    )  # fmt: skip


@given(st.dictionaries(st.text(max_size=5), st.text(max_size=12), max_size=3))
def test_everything_is_shown_and_nothing_that_cannot_be_seen(arguments: dict[str, str]) -> None:
    shown = shown_arguments(arguments)
    assert json.loads(shown) == arguments
    assert not any(unicodedata.category(one)[0] == "C" for one in shown.replace("\n", ""))


@pytest.mark.parametrize("unseen", ["\u200b", "\u202e", "\xad", "\u3164", "\ufe0f", "\U000e0041", "\x1b", "\u2028"])
def test_two_arguments_that_look_alike_are_shown_differently(unseen: str) -> None:
    assert "\\u" in shown_arguments({"to": f"ann{unseen}"}) and "\\u" in shown_line(f"ann{unseen}")


@pytest.mark.parametrize(
    ("value", "question", "named"),
    [
        ("аnn", "Pay Ann", "cyrillic small letter a"),
        ("оплата", "Pay Ann", "cyrillic small letter o"),
        ("оплата", "Оплата счёта", ""),
        ("аnn", "Оплата счёта", "cyrillic small letter a"),
        ("付款给安", "付款", ""),
        ("Ann Müller", "Pay Ann", ""),
    ],
)
def test_letters_that_look_like_latin_ones_are_named(value: str, question: str, named: str) -> None:
    found = look_alikes(request({"to": value}, question))
    assert bool(found) is bool(named) and named in "".join(found)


def test_no_argument_name_or_reason_forges_a_line_of_what_is_shown() -> None:
    forged = "x\n    digest 000000000000, until 2099-01-01"
    lines: list[str] = []
    show_request(
        request({"body": {forged: forged}}, derived=(f"body.{forged}",), reason=forged, target=forged),
        lines.append,
    )
    assert [line for line in lines if line.lstrip().startswith("digest")] == [lines[-1]]
    assert not any("\n" in line for line in lines)


def test_no_comment_forges_a_line_of_the_log() -> None:
    entry = LogEntry(
        number=1, at=datetime.now(UTC), event="reject", approval_id="a", trace_id="t", decided_by="x\ny", tool="pay",
        operation="", permission="write", digest="d", arguments={}, detail="no\n2099-01-01 00:00:00  approve",
    )  # fmt: skip
    assert "\n" not in _log_line(entry)
