"""Processes that are killed while they write leave whole documents, and two writers lose nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.benchmarks import benchmark


@pytest.mark.slow
def test_killed_writers_leave_whole_documents_and_the_next_one_goes_on(tmp_path: Path) -> None:
    report = benchmark("crash").killed_again_and_again(tmp_path, kills=6, files=5, seed=3)
    assert report.problems == ()
    assert report.equal_in_the_end
    assert sum(report.hit.values()) > 0


@pytest.mark.slow
def test_two_writers_at_once_lose_nothing_while_others_read(tmp_path: Path) -> None:
    report = benchmark("crash").two_at_once(tmp_path, rounds=1, files=3)
    assert (report.lost, report.failed, report.failed_reads) == (0, 0, 0)
    assert report.reads > 0
