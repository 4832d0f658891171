"""The versions of a document on the command line: listed, compared, shown, and searched by the day they held."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.documents import write
from support.shell import Result, run_command

Shell = Callable[..., Result]


def policy(limit: int, year: int) -> str:
    return (
        f"# Travel policy\n\nEffective from 1 January {year}.\n\n## Hotels\n\nA hotel may cost at most {limit} EUR a "
        "night.\n\n## Receipts\n\nReceipts must be handed in within 14 days after the trip.\n"
    )


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Commands in this process over a library that holds a policy of 2022 and the one of 2024 that replaced it."""
    monkeypatch.setenv("VERILOOP_EMBEDDINGS__PROVIDER", "none")
    monkeypatch.setenv("COLUMNS", "200")

    def call(*arguments: str) -> Result:
        return run_command(capsys, monkeypatch, *arguments, "--library", str(tmp_path / "library"))

    for limit, year in ((120, 2022), (150, 2024)):
        call("add", str(write(tmp_path / "documents", policy=policy(limit, year))))
    return call


def test_the_history_tells_since_when_each_version_holds_and_what_changed(shell: Shell) -> None:
    first, second = shell("history", "policy", "--json").json["versions"]
    assert (first["number"], first["effective_from"], first["status"]) == (1, "2022-01-01", "replaced")
    assert first["replaced_at"] is not None
    assert (second["number"], second["effective_from"], second["in_force_today"]) == (2, "2024-01-01", True)
    assert second["added"]
    assert second["removed"]
    assert not set(second["added"]) & set(second["removed"])
    assert "in force today" in shell("history", "policy").out


@pytest.mark.parametrize("name", ["x" * 5_000, "a/" * 3_000, "a\nb", "*"])
def test_a_name_that_no_file_could_have_is_a_name_of_no_document(shell: Shell, name: str) -> None:
    for command in (["history"], ["show"], ["show", "--parsed"]):
        result = shell(*command, name)
        assert result.code == 2
        assert "no document" in result.err


def test_the_history_shows_the_lines_that_changed(shell: Shell) -> None:
    diff = shell("history", "policy", "--diff", "--json").json["versions"][1]["diff"]
    assert [line for line in diff if "EUR" in line] == [
        "-A hotel may cost at most 120 EUR a night.",
        "+A hotel may cost at most 150 EUR a night.",
    ]
    assert not [line for line in diff if line.startswith(("-", "+")) and "Receipts" in line]


@pytest.mark.parametrize(
    ("options", "limit"),
    [
        (("--version", "1"), "120 EUR"),
        (("--version", "2"), "150 EUR"),
        (("--in-force-on", "2023-06-01"), "120 EUR"),
        (("--in-force-on", "today"), "150 EUR"),
        ((), "150 EUR"),
    ],
)
def test_a_version_is_shown_by_its_number_or_a_day(shell: Shell, options: tuple[str, ...], limit: str) -> None:
    assert limit in shell("show", "policy", *options).out


def test_a_version_is_shown_by_its_id(shell: Shell) -> None:
    version = shell("history", "policy", "--json").json["versions"][0]["version"]
    assert "120 EUR" in shell("show", "policy", "--version", version[:10]).out


@pytest.mark.parametrize("options", [("--version", "7"), ("--version", ""), ("--in-force-on", "2020-01-01")])
def test_a_version_that_there_is_not_is_refused(shell: Shell, options: tuple[str, ...]) -> None:
    result = shell("show", "policy", *options)
    assert result.code == 2
    assert "history" in result.err


def test_sources_lists_replaced_versions_with_their_time(shell: Shell) -> None:
    listed = shell("sources", "--all", "--json").json
    assert {one["status"]: one["replaced_at"] is not None for one in listed} == {"replaced": True, "active": False}
    assert len(shell("sources", "--json").json) == 1


def test_a_search_of_a_past_day_says_that_its_hits_were_replaced(shell: Shell) -> None:
    hits = shell("search", "hotel cost", "--in-force-on", "2023-06-01", "--json").json["hits"]
    assert {hit["status"] for hit in hits} == {"replaced"}
    assert any("120 EUR" in hit["text"] for hit in hits)
    assert "replaced" in shell("search", "hotel cost", "--in-force-on", "2023-06-01").out


@pytest.mark.parametrize(
    ("question", "limit", "is_old"),
    [
        ("What may a hotel cost under the policy in force in 2022?", "120 EUR", True),
        ("What may a hotel cost?", "150 EUR", False),
    ],
)
def test_an_answer_cites_the_version_of_the_day(shell: Shell, question: str, limit: str, is_old: bool) -> None:
    answer = shell("ask", question, "--json").json
    assert limit in answer["text"]
    cited = answer["citations"][0]
    assert (cited["replaced_at"] is not None) == is_old
    assert cited["in_force_from"] == ("2022-01-01" if is_old else "2024-01-01")
    assert any("earlier version" in note for note in answer["notes"]) == is_old


def test_the_history_of_what_one_may_not_read_is_that_of_no_document(shell: Shell, tmp_path: Path) -> None:
    shell("add", str(tmp_path / "documents"), "--readers", "finance")
    assert shell("history", "policy", "--as", "guest").err == shell("history", "policy2", "--as", "guest").err.replace(
        "policy2", "policy"
    )
    assert len(shell("history", "policy", "--as", "finance", "--json").json["versions"]) == 2
