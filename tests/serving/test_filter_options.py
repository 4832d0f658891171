"""What documents are described with when they are added, and how a search is narrowed from the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.documents import write
from support.shell import Result, run_command

TEXTS = {
    "放假通知": "# 放假通知\n\n发布日期：2024年1月20日\n\n春节放假八天，值班表另发。",
    "采购合同": "# 采购合同\n\n签订日期：2025年3月1日\n\n春节期间不交货。",
    "notes": "# Notes\n\nThe office is closed at Spring Festival. 春节关门。",
}


Shell = Callable[..., Result]


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Commands in this process over one library."""
    monkeypatch.setenv("VERILOOP_EMBEDDINGS__PROVIDER", "none")
    monkeypatch.setenv("COLUMNS", "200")

    def call(*arguments: str) -> Result:
        return run_command(capsys, monkeypatch, *arguments, "--library", str(tmp_path / "library"))

    return call


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    return write(tmp_path / "documents", **TEXTS)


@pytest.fixture
def filled(shell: Shell, documents: Path) -> Shell:
    shell("add", str(documents))
    return shell


def found(shell: Shell, *options: str) -> set[str]:
    """The documents that a search for 春节 finds."""
    return {hit["document"] for hit in shell("search", "春节", "--json", *options).json["hits"]}


def sources(shell: Shell) -> dict[str, dict[str, Any]]:
    return {source["document"]: source for source in shell("sources", "--json").json}


def test_a_document_is_dated_by_what_it_says(filled: Shell) -> None:
    listed = sources(filled)
    assert listed["放假通知.md"]["published_at"] == "2024-01-20"
    assert listed["采购合同.md"]["published_at"] == "2025-03-01"
    assert listed["notes.md"]["published_at"] is None


def test_what_the_person_says_about_the_files_is_kept_and_shown(shell: Shell, documents: Path) -> None:
    described = (
        *("--type", "circular", "--domain", "HR", "--authority", "40", "--published", "2023/5/6"),
        *("--effective-from", "2023-06-01", "--effective-to", "2025年5月31日"),
    )
    shell("add", str(documents / "notes.md"), *described)
    (documents / "notes.md").write_text("# Notes\n\nChanged.", encoding="utf-8")
    assert shell("add", str(documents / "notes.md"), "--json").json["updated"] == ["notes.md"]
    listed = sources(shell)["notes.md"]
    assert (listed["doc_type"], listed["domain"], listed["authority"]) == ("circular", "HR", 40)
    assert (listed["published_at"], listed["effective_from"], listed["effective_to"]) == (
        "2023-05-06", "2023-06-01", "2025-05-31",
    )  # fmt: skip
    shown = shell("sources").out
    assert "circular" in shown
    assert "issued 2023-05-06, 2023-06-01 to 2025-05-31" in shown


def test_a_new_description_of_an_unchanged_file_is_taken_once(filled: Shell, documents: Path) -> None:
    file = str(documents / "notes.md")
    assert filled("add", file, "--type", "通知", "--json").json["updated"] == ["notes.md"]
    assert filled("add", file, "--type", "通知", "--json").json["unchanged"] == ["notes.md"]
    assert filled("add", file, "--json").json["unchanged"] == ["notes.md"]
    assert filled("add", file, "--type", "", "--json").json["updated"] == ["notes.md"]
    assert sources(filled)["notes.md"]["doc_type"] is None


@pytest.mark.parametrize(
    ("options", "documents_found"),
    [
        ((), {"放假通知.md", "采购合同.md", "notes.md"}),
        (("--type", "notice"), {"放假通知.md"}),
        (("--type", "通知,contract"), {"放假通知.md", "采购合同.md"}),
        (("--from", "2025-01-01"), {"采购合同.md", "notes.md"}),
        (("--from", "2024-01-01", "--to", "2024-12-31"), {"放假通知.md", "notes.md"}),
        (("--domain", "HR"), set()),
    ],
)
def test_options_narrow_a_search(filled: Shell, options: tuple[str, ...], documents_found: set[str]) -> None:
    assert found(filled, *options) == documents_found


def test_what_has_expired_is_left_out_on_a_day(shell: Shell, documents: Path) -> None:
    shell("add", str(documents), "--effective-to", "2025-06-30")
    assert found(shell, "--in-force-on", "2025-06-30")
    assert found(shell, "--in-force-on", "2025-07-01") == set()


def test_a_filter_of_the_query_is_shown_and_can_be_switched_off(filled: Shell) -> None:
    query = "2024年发布的通知里，春节放几天假？"
    result = filled("search", query)
    assert "2024-01-01至2024-12-31" in result.out
    assert "采购合同" not in result.out
    assert filled("search", query, "--json").json["filter"] == {
        "doc_types": ["notice"], "dated_from": "2024-01-01", "dated_to": "2024-12-31",
    }  # fmt: skip
    assert filled("search", query, "--no-filters", "--json").json["filter"] == {}


@pytest.mark.parametrize(
    "arguments",
    [
        ("search", "春节", "--from", "gestern"),
        ("search", "春节", "--from", "2024"),
        ("search", "春节", "--from", "2025-01-01", "--to", "2024-01-01"),
        ("search", "春节", "--in-force-on", "2024-02-30"),
        ("add", "x.md", "--published", "2023年13月45日"),
        ("add", "x.md", "--effective-from", "2025-01-01", "--effective-to", "2024-01-01"),
        ("add", "x.md", "--authority", "101"),
    ],
    ids=lambda arguments: " ".join(arguments[2:]),
)
def test_an_option_that_makes_no_sense_is_a_usage_error(filled: Shell, arguments: tuple[str, ...]) -> None:
    result = filled(*arguments)
    assert result.code == 2
    assert "--" in result.err


def test_search_explains_from_which_domains_its_hits_are(shell: Shell, tmp_path: Path) -> None:
    for domain, days in (("HR", 2), ("IT", 5)):
        folder = write(tmp_path / domain, **{domain: f"# 规定\n\n审批时限为{days}个工作日。"})
        shell("add", str(folder), "--domain", domain)
    explained = shell("search", "审批时限是几个工作日", "--explain")
    assert (
        "domains: HR " in explained.out and "hits are from HR, IT: their best hits hold nearly as much" in explained.out
    )
    assert "hits are from IT: asked for by name" in shell("search", "审批时限", "--explain", "--domain", "IT").out
