"""Policies are read in order; what none of them fits is refused; a write never runs on derived arguments unasked."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from veriloop.configs.approval_settings import DEFAULT_POLICIES, ApprovalPolicy
from veriloop.tools.approval.calls import Consent, PlannedCall, unconsented
from veriloop.tools.approval.models import arguments_digest
from veriloop.tools.approval.policies import decide
from veriloop.tools.registry import Permission

PATTERNS = st.sampled_from(["*", "orders.*", "orders.cancel", "call_*", "call_api", "query_sql", "", "[!c]*"])
POLICIES = st.lists(
    st.builds(
        ApprovalPolicy,
        tool=PATTERNS,
        operation=PATTERNS,
        permission=st.sampled_from(["*", "read", "sensitive", "write"]),
        decision=st.sampled_from(["allow", "ask", "refuse"]),
    ),
    max_size=5,
)
DERIVED = st.lists(st.sampled_from(["amount", "reason"]), max_size=2)


def planned(tool: str = "call_api", operation: str = "", permission: Permission = Permission.WRITE) -> PlannedCall:
    arguments = {"amount": 5}
    digest = arguments_digest(tool, arguments)
    return PlannedCall(tool, operation, permission, arguments, digest, True, frozenset())


CALLS = st.builds(
    planned,
    tool=st.sampled_from(["call_api", "query_sql", "call_other"]),
    operation=st.sampled_from(["", "orders.cancel", "orders.get"]),
    permission=st.sampled_from(list(Permission)),
)


def fits(policy: ApprovalPolicy, call: PlannedCall) -> bool:
    names = ((call.tool, policy.tool), (call.operation, policy.operation))
    return all(fnmatchcase(*pair) for pair in names) and policy.permission in ("*", call.permission)


@given(POLICIES, CALLS, DERIVED)
def test_the_first_policy_that_fits_decides_and_none_means_refuse(
    policies: list[ApprovalPolicy], call: PlannedCall, derived: list[str]
) -> None:
    ruling = decide(policies, call, derived)
    fitting = [number for number, policy in enumerate(policies) if fits(policy, call)]
    if not fitting:
        assert (ruling.decision, ruling.policy) == ("refuse", None)
        return
    wanted = policies[fitting[0]].decision
    raised = wanted == "allow" and derived and call.permission is Permission.WRITE
    assert (ruling.decision, ruling.policy) == ("ask" if raised else wanted, fitting[0])
    assert ruling.reason


@given(POLICIES, POLICIES, CALLS)
def test_what_comes_after_the_policy_that_fits_changes_nothing(
    first: list[ApprovalPolicy], later: list[ApprovalPolicy], call: PlannedCall
) -> None:
    ruling = decide(first, call)
    if ruling.policy is not None:
        assert decide([*first, *later], call) == ruling


@given(POLICIES, CALLS, DERIVED)
def test_no_policy_lets_a_write_run_unasked_on_arguments_that_the_user_did_not_give(
    policies: list[ApprovalPolicy], call: PlannedCall, derived: list[str]
) -> None:
    if derived and call.permission is Permission.WRITE:
        assert decide(policies, call, derived).decision != "allow"


@given(CALLS)
def test_by_default_reading_is_allowed_and_anything_more_is_asked(call: PlannedCall) -> None:
    wanted = "allow" if call.permission is Permission.READ else "ask"
    assert decide(DEFAULT_POLICIES, call).decision == wanted


@given(CALLS, st.none() | st.text(max_size=8))
def test_consent_is_for_just_these_arguments(call: PlannedCall, digest: str | None) -> None:
    consent = None if digest is None else Consent("a", digest)
    may = unconsented(call, consent) is None
    assert may is (consent is None and call.permission is Permission.READ)
    assert unconsented(call, Consent("a", call.digest)) is None


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.booleans() | st.none(), max_size=4))
def test_a_digest_tells_arguments_apart_and_not_their_order(arguments: dict[str, Any]) -> None:
    turned = dict(reversed(list(arguments.items())))
    assert arguments_digest("a", arguments) == arguments_digest("a", turned)
    assert arguments_digest("a", arguments) != arguments_digest("b", arguments)
    assert arguments_digest("a", arguments) != arguments_digest("a", {**arguments, "more": 1})
