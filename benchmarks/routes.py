"""Agents that may use only some routes, and the time that an answer takes."""

from __future__ import annotations

import inspect
import sys
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, cast

from veriloop import Agent, Answer, Caller, Library, build_agent

ANY_ROUTE = "all"
"""The setting under which the agent chooses among all its routes."""


class Asked(NamedTuple):
    """An answer and how long it took."""

    answer: Answer
    milliseconds: float


def takes_routes() -> bool:
    """Whether this product can be told which routes it may use."""
    return "routes" in inspect.signature(build_agent).parameters


def usable_settings(names: Sequence[str]) -> list[str]:
    """The settings that differ in this product: all, or the first where routes cannot be chosen."""
    if takes_routes() or len(names) == 1:
        return list(names)
    sys.stderr.write(f"this product has one route: only {names[0]!r} is measured\n")
    return list(names[:1])


def agent_for(library: Library, setting: str, caller: Caller | None = None) -> Agent:
    """An agent that may use the routes of a setting: names joined by ``+``, or ``all``."""
    build = cast(Callable[..., Agent], build_agent)
    if setting == ANY_ROUTE or not takes_routes():
        return build(library, caller=caller)
    return build(library, caller=caller, routes=frozenset(setting.split("+")))


def ask(agent: Agent, question: str) -> Asked:
    """Ask one question."""
    start = time.perf_counter()
    answer = agent.ask(question)
    return Asked(answer, (time.perf_counter() - start) * 1000)
