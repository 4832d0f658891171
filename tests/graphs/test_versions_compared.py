"""What a document said before and says now is answered side by side, each from its own version."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.documents import lexical_settings, write
from veriloop import Answer, Caller, Library, add_files, build_agent


def texts(year: int, night: int, month: int) -> dict[str, str]:
    return {
        "差旅费管理办法": f"# 差旅费管理办法\n\n自{year}年1月1日起施行。\n\n"
        f"第五条 员工出差住宿费标准为每人每天{night}元。\n\n第六条 出差结束后14日内办理报销手续。\n",
        "remote_work_policy": f"# Remote work policy\n\nEffective from 1 January {year}.\n\n"
        f"The home office allowance is {month} EUR a month.\n\nLaptops are replaced every four years.\n",
    }


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Two documents whose texts of 2025 have replaced those of 2023."""
    folder = tmp_path_factory.mktemp("versions")
    (folder / "library").mkdir()
    with Library(folder / "library", lexical_settings(), None) as opened:
        for year, night, month in ((2023, 350, 40), (2025, 500, 65)):
            add_files(opened, [write(folder / "documents", **texts(year, night, month))])
        yield opened


def ask(library: Library, question: str) -> Answer:
    return build_agent(library, caller=Caller.owner()).ask(question)


@pytest.mark.parametrize(
    ("question", "old", "new"),
    [
        ("差旅费管理办法2023版和2025版的住宿费标准有什么不同？", "350元", "500元"),
        ("2023年和2025年的差旅费管理办法中住宿费标准分别是多少？", "350元", "500元"),
        ("How much is the home office allowance in the 2023 and in the 2025 remote work policy?", "40 EUR", "65 EUR"),
        (
            "How did the home office allowance change between the 2023 and 2025 remote work policies?",
            "40 EUR",
            "65 EUR",
        ),
        ("What changed in the home office allowance from the 2023 to the 2025 remote work policy?", "40 EUR", "65 EUR"),
    ],
)
def test_both_versions_answer_and_are_cited_as_what_they_are(
    library: Library, question: str, old: str, new: str
) -> None:
    answer = ask(library, question)
    assert answer.status == "answered"
    assert old in answer.text
    assert new in answer.text
    since = {str(one.in_force_from): one.replaced_at is not None for one in answer.citations}
    assert since == {"2023-01-01": True, "2025-01-01": False}
    assert any("2023-01-01" in note for note in answer.notes)


@pytest.mark.parametrize(
    ("question", "old", "new"),
    [
        ("差旅费管理办法2023版的住宿费标准是多少？", "350元", "500元"),
        ("How much is the home office allowance in the 2023 version of the remote work policy?", "40 EUR", "65 EUR"),
    ],
)
def test_one_edition_by_its_year_is_the_version_of_that_year(
    library: Library, question: str, old: str, new: str
) -> None:
    answer = ask(library, question)
    assert old in answer.text
    assert new not in answer.text


@pytest.mark.parametrize(
    ("question", "new", "missing"),
    [
        ("2019版和2025版的差旅费管理办法住宿费标准有什么不同？", "500元", "2019版"),
        ("How much is the home office allowance in the 2019 and in the 2025 remote work policy?", "65 EUR", "2019"),
    ],
)
def test_a_side_of_which_no_version_is_there_is_named_as_missing(
    library: Library, question: str, new: str, missing: str
) -> None:
    answer = ask(library, question)
    assert answer.status == "partial"
    assert new in answer.text
    assert any(missing in part for part in answer.missing)


@pytest.mark.parametrize(
    "question",
    [
        "差旅费管理办法2023版和2025版相比有什么变化？",
        "What changed between the 2023 and the 2025 remote work policy?",
    ],
)
def test_what_changed_as_a_whole_is_answered_from_both_versions(library: Library, question: str) -> None:
    answer = ask(library, question)
    assert {str(one.in_force_from) for one in answer.citations} == {"2023-01-01", "2025-01-01"}
