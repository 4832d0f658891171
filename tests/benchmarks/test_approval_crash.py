"""Processes that are killed around an approved call carry it out once, or say that its outcome is not known."""

from __future__ import annotations

import json
import subprocess
import sys

from support.benchmarks import BENCHMARKS


def test_kills_around_approved_calls_neither_repeat_nor_lose_one() -> None:
    # A process of its own: those that it starts begin from it, and a forked copy of all tests would be slow.
    command = [sys.executable, str(BENCHMARKS / "approval_crash.py"), "--tries", "6", "--seed", "5"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["problems"] == [] and report["kills"] > 0
    assert report["idempotent_carried_out_once"] == report["idempotent_tries"] == 3
