"""A document that says it replaces another one takes its place, as far as the reader may see both."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.catalogue import document
from support.documents import lexical_settings, write
from veriloop import Library, add_files
from veriloop.knowledge.documents import Caller, Document
from veriloop.knowledge.query.models import SearchFilter
from veriloop.knowledge.replacing import superseded, titles_replaced_by

OWNER = Caller.owner()


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("本办法自2024年1月1日起施行，原《车辆管理办法》（厂办〔2012〕5号）同时废止。", ["车辆管理办法"]),
        ("1999年发布的《考勤制度》和《加班管理规定》同时废止。", ["考勤制度", "加班管理规定"]),
        ("自本规程施行之日起，原《锅炉操作规程》废止。", ["锅炉操作规程"]),
        ("《值班规定》自本规定施行之日起停止执行。", ["值班规定"]),
        ("本手册取代《员工手册（2019版）》。", ["员工手册(2019版)"]),
        ("现决定废止《会议管理办法》、《公章管理办法》。", ["会议管理办法", "公章管理办法"]),
        ("替代文件：《质量手册》", ["质量手册"]),
        ("关于印发《甲》的通知自即日起执行，《关于印发〈乙〉的通知》同时废止。", ["关于印发〈乙〉的通知"]),
        ("This policy replaces the Travel and Expense Policy (2020).", ["Travel and Expense Policy"]),
        (
            "This Policy supersedes the “Remote Work Guidelines” and the Home Office Policy.",
            ["Remote Work Guidelines", "Home Office Policy"],
        ),
        ("The Laptop Policy 2019 is hereby withdrawn.", ["Laptop Policy 2019"]),
        ("The Parking Rules are replaced by this policy.", ["Parking Rules"]),
        ("Supersedes: IT Security Policy v1.2", ["IT Security Policy v1.2"]),
        ("This manual shall replace previous versions of the Safety Manual.", ["Safety Manual"]),
    ],
)
def test_what_a_text_repeals_is_read_from_it(text: str, titles: list[str]) -> None:
    assert list(dict.fromkeys(titles_replaced_by(text))) == titles


@pytest.mark.parametrize(
    "text",
    [
        "《新办法》自2020年1月1日起施行，原《旧办法》同时废止。",
        "根据《关于清理文件的决定》，《仓库管理办法》已于2019年废止。",
        "《合同管理办法》尚未废止。",
        "违反《安全管理办法》的，停止执行作业。",
        "本办法未尽事宜按照《财务制度》执行。",
        "This Agreement supersedes all prior agreements between the parties.",
        "This policy does not replace the Travel Policy.",
        "The pump replaces the Old Pump Model.",
        "Worn filters are replaced by the Maintenance Team.",
    ],
)
def test_what_is_said_of_other_texts_or_denied_repeals_nothing(text: str) -> None:
    assert not list(titles_replaced_by(text))


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    for title in titles_replaced_by(text):
        assert len(title) > 1


@given(st.sampled_from(["物资", "车辆", "档案", "宿舍"]), st.sampled_from(["办法", "规定", "细则"]), st.integers(1, 28))
def test_a_repeal_names_the_title_whatever_it_is(subject: str, kind: str, day: int) -> None:
    text = f"第三十条 本{kind}自2025年3月{day}日起施行，原《{subject}管理{kind}》同时废止。"
    assert list(dict.fromkeys(titles_replaced_by(text))) == [f"{subject}管理{kind}"]


def replacing(title: str, *titles: str, begins: date | None = None, authority: int = 0) -> Document:
    return document(title, begins=begins, authority=authority).model_copy(update={"replaces": titles})


NEW = replacing("车辆使用办法", "车辆管理办法", begins=date(2024, 1, 1))


def test_the_document_of_just_this_title_is_superseded() -> None:
    old = document("车辆管理办法", begins=date(2012, 1, 1))
    found = superseded([NEW, old, document("车辆管理办法实施细则")])
    assert {doc_id: one.by.doc_id for doc_id, one in found.items()} == {old.doc_id: NEW.doc_id}
    assert found[old.doc_id].since == date(2024, 1, 1)


def test_a_document_does_not_replace_one_of_more_authority() -> None:
    assert not superseded([NEW, document("车辆管理办法", authority=50)])
    assert superseded([NEW.model_copy(update={"authority": 50}), document("车辆管理办法", authority=50)])


def test_an_older_document_replaces_no_newer_one_of_its_title() -> None:
    first = replacing("车辆管理办法（2012年）", "车辆管理办法", begins=date(2012, 1, 1))
    second = replacing("车辆管理办法（2024年）", "车辆管理办法", begins=date(2024, 1, 1))
    assert {doc_id: one.by.doc_id for doc_id, one in superseded([first, second]).items()} == {
        first.doc_id: second.doc_id
    }


def test_two_documents_that_claim_to_replace_each_other_both_stay() -> None:
    assert not superseded([replacing("甲管理办法", "乙管理办法"), replacing("乙管理办法", "甲管理办法")])


def test_only_the_edition_that_is_named_is_replaced() -> None:
    new = replacing("新员工手册", "员工手册(2019版)")
    found = superseded([new, document("员工手册2019版"), document("员工手册2021版")])
    assert list(found) == ["员工手册2019版"]


OLD_TEXT = "# 车辆管理办法\n\n本办法自2012年1月1日起施行。\n\n公务用车的用车申请应当提前三日提出。\n"
NEW_TEXT = (
    "# 车辆使用办法\n\n公务用车的用车申请应当提前一日提出。\n\n"
    "本办法自2024年1月1日起施行，原《车辆管理办法》同时废止。\n"
)
QUESTION = "公务用车的用车申请应当提前几日提出？"


def library_of(folder: Path, readers_of_new: frozenset[str] | None = None) -> Library:
    library = Library.open(folder / "library", lexical_settings())
    add_files(library, [write(folder / "old", old=OLD_TEXT)])
    add_files(library, [write(folder / "new", new=NEW_TEXT)], readers=readers_of_new)
    return library


def test_search_puts_what_replaces_first_and_marks_the_other(tmp_path: Path) -> None:
    with library_of(tmp_path) as library:
        first, second = library.search(QUESTION, caller=OWNER).hits[:2]
        assert (first.document.name, first.document.superseded_by) == ("new.md", None)
        assert (second.document.name, second.document.superseded_by) == ("old.md", "new.md")
        listed = {one.document.name: one.document.superseded_by for one in library.documents(OWNER)}
        assert listed == {"new.md": None, "old.md": "new.md"}


def test_a_superseded_document_was_in_force_until_the_other_began(tmp_path: Path) -> None:
    with library_of(tmp_path) as library:

        def names(day: date) -> set[str]:
            found = library.search(QUESTION, caller=OWNER, filters=SearchFilter(in_force_on=day))
            return {hit.document.name for hit in found.hits}

        assert names(date(2023, 12, 31)) == {"old.md"}
        assert names(date(2024, 1, 1)) == {"new.md"}


def test_who_may_not_read_the_new_document_learns_nothing_of_it(tmp_path: Path) -> None:
    with library_of(tmp_path, frozenset({"board"})) as library:
        everyone = library.search(QUESTION).hits
        assert [(hit.document.name, hit.document.superseded_by) for hit in everyone] == [("old.md", None)]
        assert [one.document.superseded_by for one in library.documents()] == [None]
        day = SearchFilter(in_force_on=date(2025, 1, 1))
        assert [hit.document.name for hit in library.search(QUESTION, filters=day).hits] == ["old.md"]
        board = library.search(QUESTION, caller=Caller(readers=frozenset({"board"}))).hits
        assert {hit.document.superseded_by for hit in board} == {None, "new.md"}


@pytest.mark.parametrize(
    ("newer", "older", "counts"),
    [
        ("file:///docs/hr/new.md", "file:///docs/hr/old.md", True),
        ("file:///docs/hr/2024/new.md", "file:///docs/hr/2023/old.md", True),
        ("file:///docs/hr/new.md", "file:///docs/hr/archive/old.md", True),
        ("file:///docs/new.md", "file:///docs/hr/old.md", True),
        ("file:///docs/uploads/new.md", "file:///docs/hr/old.md", False),
        ("file:///docs/hr/uploads/new.md", "file:///docs/hr/old.md", False),
        ("https://a.example/hr/new", "https://b.example/hr/old", False),
    ],
)
def test_a_text_has_a_say_in_its_own_folder_and_below(newer: str, older: str, counts: bool) -> None:
    claims = NEW.model_copy(update={"source_uri": newer})
    other = document("车辆管理办法").model_copy(update={"source_uri": older})
    assert bool(superseded([claims, other])) is counts


def test_what_a_person_says_of_a_document_counts_in_every_folder() -> None:
    said = '{"hand": {"description": {"replaces": ["车辆管理办法"]}}}'
    claims = NEW.model_copy(update={"source_uri": "file:///docs/uploads/new.md", "statements": said})
    other = document("车辆管理办法").model_copy(update={"source_uri": "file:///docs/hr/old.md"})
    assert superseded([claims, other])
