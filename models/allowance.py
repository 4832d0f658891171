"""What a tool may use of the run that called it: its models, its time and its tokens, without being told of the run.

A node lends it around the call; whoever asks models inside the call finds it here, so that every inner call is booked
on the run's budget and kept for its trace. Parallel branches each see their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from .budget import BudgetLimits
from .completing import ModelSource


@dataclass(frozen=True)
class Allowance:
    """What is lent for one call of a tool.

    Attributes:
        models: metered on the run's budget; None: no model may be asked.
        limits: what is left of the run for this call, its answer's reserve left out.
        said: what the call wants to stand in the trace, without text of documents; it appends here.
    """

    models: ModelSource | None
    limits: BudgetLimits
    said: list[str] = field(default_factory=list)


_current: ContextVar[Allowance | None] = ContextVar("veriloop_allowance", default=None)


def allowance() -> Allowance | None:
    """What was lent to the present call; None outside a run."""
    return _current.get()


@contextmanager
def lending(lent: Allowance) -> Iterator[Allowance]:
    """Lends to whatever is called inside."""
    token = _current.set(lent)
    try:
        yield lent
    finally:
        _current.reset(token)
