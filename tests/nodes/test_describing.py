"""Who says what of a document, through adding files: the order of the sources, and what lasts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from docx import Document as WordFile
from support.documents import lexical_settings, write
from support.vectors import HashEmbedder
from veriloop import Caller, Library, add_files
from veriloop.configs.settings import ParsingSettings
from veriloop.graphs.adding import AddReport
from veriloop.knowledge.description import Description
from veriloop.knowledge.documents import Document

OWNER = Caller.owner()
TEXT = "# 考勤办法\n\n发布日期：2024年3月1日\n\n员工每日考勤。\n"
FRONT = f"---\ntype: front\ndomain: front\nauthority: 20\npublished: 2024-04-01\n---\n{TEXT}"
SIDECAR = "type: sidecar\ndomain: sidecar\n"
RULE = "type: rule\nauthority: 30\nreaders: [hr]\n"


class Shelf:
    """A folder with one document, and a library that it is added to."""

    def __init__(self, folder: Path) -> None:
        self.folder = write(folder / "documents")
        self.file = self.folder / "a.md"
        self.embedder = HashEmbedder()
        (folder / "library").mkdir()
        settings = lexical_settings(parsing=ParsingSettings(processes=0))
        self.library = Library(folder / "library", settings, self.embedder)

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def add(self, said: Description | None = None, readers: frozenset[str] | None = None) -> AddReport:
        return add_files(self.library, [self.folder], described=said, readers=readers)

    @property
    def document(self) -> Document:
        (summary,) = self.library.documents(OWNER)
        return summary.document


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    made = Shelf(tmp_path)
    with made.library:
        yield made


def test_each_source_counts_where_those_before_it_say_nothing(shelf: Shelf) -> None:
    shelf.write("a.md", FRONT)
    shelf.write("a.md.meta.yaml", SIDECAR)
    shelf.write("veriloop.yaml", RULE)
    shelf.add(Description(doc_type="hand"))
    document = shelf.document
    assert (document.doc_type, document.domain, document.authority) == ("hand", "sidecar", 30)
    assert (document.published_at, document.readers) == (date(2024, 4, 1), frozenset({"hr"}))


def test_a_document_does_not_say_itself_who_reads_it_or_how_much_it_counts(shelf: Shelf) -> None:
    shelf.write("a.md", f"---\nauthority: 100\nreaders: [hr]\n---\n{TEXT}")
    shelf.write("b.html", f"<html><head><meta name='authority' content='100'></head><body><p>{TEXT}</p></body></html>")
    assert not shelf.add().failed
    assert [(s.document.authority, s.document.readers) for s in shelf.library.documents(OWNER)] == [
        (0, frozenset())
    ] * 2


@pytest.mark.parametrize(
    ("inside", "said", "expected"),
    [
        (("2024-01-01", "2023-01-01"), Description(), (date(2024, 1, 1), None)),
        (("2024-01-01", "2025-01-01"), Description(effective_to=date(2023, 1, 1)), (None, date(2023, 1, 1))),
        (("2024-01-01", "2025-01-01"), Description(effective_from=date(2026, 1, 1)), (date(2026, 1, 1), None)),
        (
            ("2024-01-01", "2025-01-01"),
            Description(effective_to=date(2024, 6, 1)),
            (date(2024, 1, 1), date(2024, 6, 1)),
        ),
    ],
)
def test_of_days_that_contradict_each_other_the_one_of_the_better_source_holds(
    shelf: Shelf, inside: tuple[str, str], said: Description, expected: tuple[date | None, date | None]
) -> None:
    first, last = inside
    shelf.write("a.md", f"---\neffective_from: {first}\neffective_to: {last}\n---\n# 考勤办法\n\n员工每日考勤。\n")
    shelf.add(said)
    assert (shelf.document.effective_from, shelf.document.effective_to) == expected


def test_a_last_day_given_after_a_first_one_takes_its_place_where_both_cannot_be(shelf: Shelf) -> None:
    shelf.write("a.md", TEXT)
    shelf.add(Description(effective_from=date(2024, 1, 1)))
    shelf.add(Description(effective_to=date(2023, 1, 1)))
    assert (shelf.document.effective_from, shelf.document.effective_to) == (None, date(2023, 1, 1))


def test_a_changed_sidecar_changes_what_is_known_without_a_new_reading(shelf: Shelf) -> None:
    shelf.write("a.md", TEXT)
    shelf.add()
    before, texts = shelf.document, len(shelf.embedder.texts)
    blocks = shelf.library.blocks(before.doc_id, OWNER)
    shelf.write("a.md.yaml", "domain: HR\npublished: 2025-01-01\nreaders: [hr]\n")
    report = shelf.add()
    after = shelf.document
    assert (report.updated, report.blocks.added, report.blocks.removed) == (("a.md",), 0, 0)
    assert (after.domain, after.published_at, after.readers) == ("HR", date(2025, 1, 1), frozenset({"hr"}))
    assert (after.version, after.updated_at) == (before.version, before.updated_at)
    assert shelf.library.blocks(before.doc_id, OWNER) == blocks and len(shelf.embedder.texts) == texts
    assert shelf.add().unchanged == ("a.md",)
    assert shelf.library.documents(Caller()) == []


def test_a_value_goes_when_its_source_goes_but_readers_stay(shelf: Shelf) -> None:
    shelf.write("a.md", FRONT)
    shelf.write("a.md.yaml", f"{SIDECAR}published: 2025-01-01\nreaders: [hr]\n")
    shelf.add()
    (shelf.folder / "a.md.yaml").unlink()
    shelf.add()
    document = shelf.document
    assert (document.doc_type, document.domain, document.published_at) == ("front", "front", date(2024, 4, 1))
    assert document.readers == frozenset({"hr"})
    shelf.write("a.md.yaml", "readers: everyone\n")
    shelf.add()
    assert shelf.document.readers == frozenset()


def test_a_value_given_by_hand_survives_a_changed_file_that_states_another(shelf: Shelf) -> None:
    shelf.write("a.md", TEXT)
    shelf.add(Description(published_at=date(2020, 1, 1), domain="HR"), frozenset({"boss"}))
    shelf.write("a.md", FRONT.replace("每日", "每周"))
    shelf.add()
    document = shelf.document
    assert (document.published_at, document.domain, document.readers) == (date(2020, 1, 1), "HR", frozenset({"boss"}))
    assert document.doc_type == "front"
    shelf.add(Description(domain=""))
    assert shelf.document.domain == "front"


def test_a_date_that_a_changed_text_no_longer_states_is_no_longer_known(shelf: Shelf) -> None:
    shelf.write("a.md", TEXT)
    shelf.add()
    assert shelf.document.published_at == date(2024, 3, 1)
    shelf.write("a.md", "# 考勤办法\n\n员工每周考勤。\n")
    shelf.add()
    assert shelf.document.published_at is None


def test_readers_that_were_set_through_the_library_hold_against_any_file(shelf: Shelf) -> None:
    shelf.write("a.md", TEXT)
    shelf.write("veriloop.yaml", "readers: everyone\n")
    shelf.add()
    shelf.library.set_readers(shelf.document.doc_id, frozenset({"boss"}))
    shelf.write("a.md", TEXT.replace("每日", "每周"))
    shelf.add()
    assert shelf.document.readers == frozenset({"boss"})


@pytest.mark.parametrize("name", ["a.md.yaml", "veriloop.yaml"])
def test_a_broken_rule_keeps_a_document_out_and_one_that_is_in_as_it_was(shelf: Shelf, name: str) -> None:
    shelf.write("a.md", TEXT)
    shelf.write(name, "readers: [hr\n")
    report = shelf.add()
    assert [name in failed.reason for failed in report.failed] == [True]
    assert shelf.library.documents(OWNER) == []
    shelf.write(name, "readers: [hr]\n")
    shelf.add()
    shelf.write(name, "readers: everyone, hr\n")
    shelf.write("a.md", TEXT.replace("每日", "每周"))
    assert len(shelf.add().failed) == 1
    assert shelf.document.readers == frozenset({"hr"})
    assert "每日" in shelf.library.blocks(shelf.document.doc_id, OWNER)[0].text


def test_a_title_beside_the_file_is_searched(shelf: Shelf) -> None:
    shelf.write("a.md", TEXT)
    shelf.add()
    shelf.write("a.md.yaml", "title: 打卡细则\nreplaces: 《旧打卡细则》\n")
    assert shelf.add().updated == ("a.md",)
    assert (shelf.document.title, shelf.document.replaces) == ("打卡细则", ("旧打卡细则",))
    assert [hit.document.title for hit in shelf.library.search("打卡细则", caller=OWNER).hits] == ["打卡细则"]


@pytest.mark.parametrize(("noted", "title"), [("采购 指南", "采购 指南"), ("Normal template", "b"), ("Word.docx", "b")])
def test_a_title_among_the_properties_counts_where_the_text_begins_with_it(
    shelf: Shelf, noted: str, title: str
) -> None:
    word = WordFile()
    word.core_properties.title = noted
    word.add_paragraph("采购指南")
    word.add_paragraph("本指南适用于全体员工的采购活动，自发布之日起试行一年。")
    word.save(str(shelf.folder / "b.docx"))
    shelf.add()
    assert shelf.document.title in (title, "采购指南")
    assert shelf.document.title != noted or noted == "采购 指南"
    assert shelf.document.published_at is None
