"""Runs a tool for so many seconds and no longer."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from threading import Thread
from typing import Generic, TypeVar

T = TypeVar("T")


class _Outcome(Generic[T]):
    """What a thread leaves behind."""

    def __init__(self) -> None:
        self.values: list[T] = []
        self.error: BaseException | None = None


def run_within(seconds: float, call: Callable[[], T]) -> T:
    """The result of a call, which sees the caller's context (LangGraph's interrupts need it).

    A call that is too slow goes on in a thread of its own that nobody waits for: Python cannot end it.

    Raises:
        TimeoutError: it did not end in time.
        BaseException: what the call raised.
    """
    outcome: _Outcome[T] = _Outcome()
    context = copy_context()

    def work() -> None:
        try:
            outcome.values.append(context.run(call))
        except BaseException as error:  # noqa: BLE001 - carried over to the thread that waits
            outcome.error = error

    thread = Thread(target=work, daemon=True, name="veriloop-tool")
    thread.start()
    thread.join(max(0.0, seconds))
    if outcome.error is not None:
        raise outcome.error
    if not outcome.values:
        raise TimeoutError(f"no result within {seconds:.3g} seconds")
    return outcome.values[0]
