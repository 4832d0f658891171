"""Editions of one rule are told apart, and the newer comes first unless the question asks for the older."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from support.documents import lexical_settings, write
from veriloop import Library, add_files
from veriloop.knowledge.editions import edition_of, older_editions


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("员工手册_2023版.docx", "员工手册_2025版.docx"),
        ("安全规定（2022年修订）", "安全规定（2024年修订）"),
        ("IT Policy v1.9", "IT Policy v1.10"),
        ("Handbook 2nd edition", "Handbook 3rd edition"),
        ("操作规程第2版", "操作规程第3版"),
        ("招标文件", "招标文件2025"),
    ],
)
def test_the_newer_edition_of_a_title_is_known(older: str, newer: str) -> None:
    assert edition_of(older).title == edition_of(newer).title
    assert edition_of(older).number < edition_of(newer).number


@pytest.mark.parametrize(("first", "second"), [("员工手册2023", "考勤办法2025"), ("contract A-17", "contract A-18")])
def test_different_titles_are_no_editions(first: str, second: str) -> None:
    assert not older_editions([first, second], "?")


def test_a_question_that_names_a_year_wants_that_edition() -> None:
    names = ["员工手册_2023版", "员工手册_2025版"]
    assert older_editions(names, "年假有几天？") == {"员工手册_2023版"}
    assert older_editions(names, "2023版的年假有几天？") == frozenset()


@pytest.mark.parametrize(
    ("question", "first"),
    [("年休假有几天？", "handbook_2025.md"), ("2023年的手册里，年休假有几天？", "handbook_2023.md")],
)
def test_search_puts_the_edition_in_force_first(tmp_path: Path, question: str, first: str) -> None:
    texts = {
        f"handbook_{year}": f"# 员工手册{year}版\n\n员工年休假为{days}天。" for year, days in ((2023, 5), (2025, 7))
    }
    with Library.open(tmp_path / "library", lexical_settings()) as library:
        add_files(library, [write(tmp_path / "documents", **texts)])
        assert library.search(question).hits[0].document.name == first


def test_an_edition_of_a_coming_year_does_not_replace_the_one_in_force() -> None:
    names = ["员工手册_2023版", "员工手册_2025版", "员工手册_2099版"]
    today = date(2026, 11, 30)
    assert older_editions(names, "年假有几天？", today) == {"员工手册_2023版", "员工手册_2099版"}
    assert older_editions(names, "2099版的年假有几天？", today) == {"员工手册_2023版"}
    assert older_editions(names[2:], "年假有几天？", today) == frozenset()
