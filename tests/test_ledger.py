"""A run's records are counted once, however often parallel branches and inner graphs hand them back."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st
from veriloop.ledger import StepRecord, merged, usage_of
from veriloop.models.budget import TierUsage


def record(key: str, run: str = "run", **fields: object) -> StepRecord:
    values: dict[str, object] = {
        "trace_id": run,
        "key": key,
        "node": key.split("/")[0],
        "started_at": datetime(2026, 1, 1, tzinfo=UTC),
        "elapsed_seconds": 0.0,
        "milliseconds": 0.0,
        **fields,
    }
    return StepRecord.model_validate(values)


KEYS = st.lists(st.sampled_from([f"act/t{n}/1" for n in range(6)]), max_size=8)


@given(KEYS, KEYS)
def test_handing_back_what_is_known_changes_nothing(first: list[str], second: list[str]) -> None:
    left = merged((), [record(key) for key in first])
    both = merged(left, [record(key) for key in second])
    assert merged(both, both) == both
    assert merged(both, left) == both
    assert [entry.key for entry in both] == list(dict.fromkeys([*first, *second]))


@given(KEYS, KEYS)
def test_the_order_in_which_branches_arrive_does_not_change_the_sum(first: list[str], second: list[str]) -> None:
    cost = TierUsage(calls=1, tokens_in=10, tokens_out=2)
    one = [record(key, strong=cost, steps=1) for key in first]
    other = [record(key, strong=cost, steps=1) for key in second]
    there, back = usage_of(merged(one, other)), usage_of(merged(other, one))
    count = len({*first, *second})
    assert there == back
    assert (there.model_calls, there.steps, there.tokens) == (count, count, 12 * count) if there else count == 0


def test_the_records_of_an_earlier_question_make_room() -> None:
    old = merged((), [record("plan/1", run="before")])
    assert merged(old, [record("plan/1", run="now")]) == (record("plan/1", run="now"),)
    assert merged(old, ()) == old


def test_parallel_steps_end_at_their_own_times_of_one_clock() -> None:
    usage = usage_of([record("act/t1/1", elapsed_seconds=1.5), record("act/t2/1", elapsed_seconds=1.2)])
    assert usage is not None
    assert usage.elapsed_seconds == 1.5
