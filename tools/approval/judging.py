"""Reads what a person, or a program on a person's behalf, says to a request: a decision, or why it is none."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from pydantic import ValidationError

from .models import ApprovalDecision, ApprovalRequest
from .plain_values import unspeakable

MALFORMED = "the last decision could not be read"
OTHER_ARGUMENTS = "the last decision named other arguments"
NO_DIGEST = "the last decision named no digest: give that of the request, so that it is clear what is agreed to"
NO_ARGUMENTS = "the last edit held no arguments"
_CLOCK_MAY_DIFFER = timedelta(minutes=10)
"""Between machines, and when a clock is corrected; set back further, it cannot tell whether the time is over."""


def judged(request: ApprovalRequest, said: Any, now: datetime) -> ApprovalDecision | str:
    """The decision about this request, or why what was said is none.

    Consent has to name the digest of just these arguments. A rejection may leave it out. After the request's time
    everything that is said means that it has expired.
    """
    if now >= request.expires_at or (request.asked_at is not None and now < request.asked_at - _CLOCK_MAY_DIFFER):
        return ApprovalDecision(decision="expire", digest=request.digest, decided_by="clock")
    try:
        decision = ApprovalDecision.model_validate(said)
    except ValidationError:
        return MALFORMED
    if decision.arguments is not None and unspeakable(decision.arguments):
        return MALFORMED
    names_it = decision.digest == request.digest
    if decision.decision in ("reject", "expire"):
        return decision if names_it or not decision.digest else OTHER_ARGUMENTS
    if not names_it:
        return OTHER_ARGUMENTS if decision.digest else NO_DIGEST
    return NO_ARGUMENTS if decision.decision == "edit" and decision.arguments is None else decision
