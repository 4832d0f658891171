"""A container's share of the machine sets the number of threads; nothing else does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from veriloop.models.cpu_limit import cpu_share, patient_threads, threads_to_set


def group(folder: Path, **files: str) -> Path:
    (folder / "cpu").mkdir()
    for name, text in files.items():
        (folder / name.replace("__", "/").replace("_dot_", ".")).write_text(text, encoding="ascii")
    return folder


@pytest.mark.parametrize(
    ("files", "share"),
    [
        ({"cpu_dot_max": "150000 100000\n"}, 1.5),
        ({"cpu_dot_max": "max 100000\n"}, None),
        ({"cpu__cpu_dot_cfs_quota_us": "50000\n", "cpu__cpu_dot_cfs_period_us": "100000\n"}, 0.5),
        ({"cpu__cpu_dot_cfs_quota_us": "-1\n", "cpu__cpu_dot_cfs_period_us": "100000\n"}, None),
        ({"cpu_dot_max": "nonsense"}, None),
        ({}, None),
    ],
)
def test_the_share_is_read_from_either_version_of_control_groups(
    tmp_path: Path, files: dict[str, str], share: float | None
) -> None:
    assert cpu_share(group(tmp_path, **files)) == share


def test_a_share_below_the_cores_of_the_machine_sets_as_many_threads_rounded_up(tmp_path: Path) -> None:
    folder = group(tmp_path, cpu_dot_max="50000 100000")
    assert threads_to_set({}, folder) == 1


def test_a_share_of_all_cores_and_a_number_set_by_the_user_leave_openmp_to_itself(tmp_path: Path) -> None:
    everything = group(tmp_path, cpu_dot_max=f"{100_000 * (os.cpu_count() or 1)} 100000")
    assert threads_to_set({}, everything) is None
    (tmp_path / "cpu.max").write_text("50000 100000", encoding="ascii")
    assert threads_to_set({"OMP_NUM_THREADS": "4"}, tmp_path) is None


@pytest.mark.parametrize("value", [None, "ACTIVE"])
def test_threads_sleep_unless_the_user_wants_otherwise_and_nothing_stays_set(
    monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    if value is not None:
        monkeypatch.setenv("OMP_WAIT_POLICY", value)
    with patient_threads():
        assert os.environ["OMP_WAIT_POLICY"] == (value or "PASSIVE")
        os.environ["OMP_NUM_THREADS"] = "3"
    assert os.environ.get("OMP_WAIT_POLICY") == value
    assert os.environ.get("OMP_NUM_THREADS") != "3"
