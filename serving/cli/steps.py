"""How a step of a run looks to people: one line while it runs, a few in a trace."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .output import say

if TYPE_CHECKING:
    from ...ledger import StepRecord

_ARGUMENT_CHARACTERS = 200
# What every run passes through says nothing to somebody who waits for an answer.
_SILENT = ("understand", "gate", "deliver")


def shorten(text: str, most: int) -> str:
    """The text on one line, cut at so many characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"


def progress_line(record: StepRecord) -> str:
    """What a step did, on one line; empty for a step that is not worth one."""
    if record.node in _SILENT:
        return ""
    if record.node in ("search", "act"):
        return f"{record.node}: {record.action}, {record.observation}"
    if record.node == "reflect":
        return f"reflect: {record.observation} -> {record.action}"
    return f"{record.node}: {_verdicts(record)}{record.observation} by {record.decided_by.value}"


def _verdicts(record: StepRecord) -> str:
    """How far each sub-question is answered, where that is what the step decides."""
    if record.node != "verify_evidence" or not record.arguments:
        return ""
    return ", ".join(f"{task} {verdict}" for task, verdict in json.loads(record.arguments).items()) + "; "


def print_record(number: int, record: StepRecord) -> None:
    """A step of a trace with its reasons, its cost and the rule behind it."""
    tokens = f", {record.tokens:,} tokens" if record.tokens else ""
    say(f"{number}. {record.node}  by {record.decided_by.value}, {record.milliseconds:.0f} ms{tokens}", style="bold")
    action = f"{record.action} {shorten(record.arguments, _ARGUMENT_CHARACTERS)}".strip()
    lines = {"thought": record.thought, "action": action, "observed": record.observation, "rule": _rule(record)}
    for label, text in lines.items():
        if text:
            say(f"   {label + ':':<10}{shorten(text, _ARGUMENT_CHARACTERS * 2)}")
    for note in record.notes:
        say(f"   {'note:':<10}{note}")


def _rule(record: StepRecord) -> str:
    return f"{record.rule} ({record.kind}) -> {record.target}" if record.rule else ""
