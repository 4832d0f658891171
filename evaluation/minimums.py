"""Minimums that figures must reach, such as `hit@5>=0.9`, for scripts that must not let quality fall."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from ..errors import UsageError
from .figures import NOTHING_FOUND
from .metrics import measures
from .reports import RetrievalReport

_MINIMUM = re.compile(r"\s*([a-z_@0-9]+)\s*(?:>=|≥)\s*([0-9.]+)\s*", re.IGNORECASE | re.ASCII)


class Minimum(BaseModel):
    """What the mean of a measure over all questions must reach at least, from 0 to 1."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    measure: str
    at_least: float


class CheckedMinimum(Minimum):
    """A minimum with what was measured; None where no question has that measure."""

    value: float | None
    met: bool


def parse_minimum(text: str, depths: Sequence[int]) -> Minimum:
    """A minimum as it is written on the command line.

    Raises:
        UsageError: it does not read as `MEASURE>=NUMBER`, nothing of that name is measured at these depths, or the
            number is not a share.
    """
    found = _MINIMUM.fullmatch(text)
    if found is None:
        raise UsageError(f"{text!r} is no minimum: write for example hit@5>=0.9")
    name, known = found[1].lower(), [*(measure.name for measure in measures(depths)), NOTHING_FOUND]
    if name not in known:
        raise UsageError(f"{text!r}: {name} is not measured; what is: {', '.join(known)}")
    try:
        at_least = float(found[2])
    except ValueError as error:
        raise UsageError(f"{text!r}: {found[2]} is not a number") from error
    if at_least > 1:
        raise UsageError(f"{text!r}: figures are shares from 0 to 1")
    return Minimum(measure=name, at_least=at_least)


def check_minimum(minimum: Minimum, report: RetrievalReport) -> CheckedMinimum:
    """Whether the figure over all questions reaches a minimum; one that was not measured does not."""
    everything = report.groups[0]
    figures = (*everything.figures, *((everything.nothing_found,) if everything.nothing_found else ()))
    value = next((figure.mean for figure in figures if figure.measure == minimum.measure), None)
    met = value is not None and value >= minimum.at_least
    return CheckedMinimum(measure=minimum.measure, at_least=minimum.at_least, value=value, met=met)
