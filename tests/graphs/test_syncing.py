"""A library made equal to a folder: what goes in, what moves, what goes, and what is left alone."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.documents import CONTRACT, POLICY, lexical_settings, write
from support.vectors import HashEmbedder
from veriloop import Caller, Library, add_files
from veriloop.configs.settings import ParsingSettings
from veriloop.errors import UsageError
from veriloop.graphs.syncing import SyncReport, sync_folder
from veriloop.graphs.watching import watch_folder

OWNER = Caller.owner()


@pytest.fixture
def embedder() -> HashEmbedder:
    return HashEmbedder()


@pytest.fixture
def library(tmp_path: Path, embedder: HashEmbedder) -> Iterator[Library]:
    (tmp_path / "library").mkdir()
    # In this process: none of these files is hostile, and processes take their time to start.
    chosen = lexical_settings(parsing=ParsingSettings(processes=0))
    with Library(tmp_path / "library", chosen, embedder) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "documents", contract=CONTRACT, policy=POLICY)


def _names(library: Library, caller: Caller = OWNER) -> list[str]:
    return [summary.document.name for summary in library.documents(caller)]


def _changes(report: SyncReport) -> dict[str, list[str]]:
    moved = [f"{move.before} {move.now}" for move in report.moved]
    return {
        **{kind: list(getattr(report, kind)) for kind in ("added", "updated", "removed", "unchanged")},
        "moved": moved,
    }


@pytest.mark.parametrize(
    ("text", "readers"),
    [
        ("# 秘密方案\n\n全部内容都是另外写的。\n", {"boss"}),
        ("# 改了名的方案\n\n## 甲\n\n收购价为九亿元。\n\n## 乙\n\n另议。\n", {"boss"}),
        ("# 食堂通知\n\n食堂周五休息。\n", set()),
    ],
)
def test_a_document_closed_by_hand_stays_closed_when_its_file_is_renamed_and_changed(
    library: Library, folder: Path, text: str, readers: set[str]
) -> None:
    long = "收购价为九亿元。" + "此事不得外传。" * 100
    text = text.replace("收购价为九亿元。", long)
    write(folder, secret=f"# 秘密方案\n\n## 甲\n\n{long}\n\n## 丙\n\n{'旧的内容。' * 120}\n")
    add_files(library, [folder / "secret.md"], readers=frozenset({"boss"}))
    sync_folder(library, folder)
    (folder / "secret.md").unlink()
    write(folder, other=text)
    report = sync_folder(library, folder)
    assert (report.added, report.removed) == (("other.md",), ("secret.md",))
    (document,) = library.find_documents("other.md", OWNER)
    assert document.readers == readers
    sync_folder(library, write(folder, other=f"{text}\n又改了。\n"))
    assert library.find_documents("other.md", OWNER)[0].readers == readers
    assert "secret.md" not in _names(library)


def test_a_folder_is_followed_through_additions_changes_moves_and_removals(library: Library, folder: Path) -> None:
    write(folder, old="# Old\n\nThis one goes.\n")
    sync_folder(library, folder)
    (folder / "old.md").unlink()
    (folder / "sub").mkdir()
    (folder / "contract.md").rename(folder / "sub" / "contract.md")
    write(folder, policy=POLICY.replace("120", "130"), new="# New\n\nThis one comes.\n")
    foreseen = sync_folder(library, folder, dry_run=True)
    assert _names(library) == ["contract.md", "old.md", "policy.md"]
    report = sync_folder(library, folder)
    expected = {
        "added": ["new.md"],
        "updated": ["policy.md"],
        "removed": ["old.md"],
        "unchanged": [],
        "moved": ["contract.md sub/contract.md"],
    }
    assert _changes(report) == _changes(foreseen) == expected
    assert _names(library) == ["new.md", "policy.md", "sub/contract.md"]
    assert sync_folder(library, folder).is_quiet


def test_a_moved_document_keeps_its_id_its_blocks_and_its_vectors(
    library: Library, folder: Path, embedder: HashEmbedder
) -> None:
    sync_folder(library, folder)
    before = library.find_documents("contract.md")[0]
    blocks = library.blocks(before.doc_id, OWNER)
    made = len(embedder.texts)
    assert made > 0
    (folder / "2026").mkdir()
    (folder / "contract.md").rename(folder / "2026" / "purchase.md")
    sync_folder(library, folder)
    after = library.find_documents("2026/purchase.md")[0]
    assert (after.doc_id, after.version, library.blocks(after.doc_id, OWNER)) == (before.doc_id, before.version, blocks)
    assert len(embedder.texts) == made
    assert library.search("质量保证期", caller=OWNER).hits[0].document.name == "2026/purchase.md"


def test_a_document_that_moves_into_a_closed_folder_is_closed_at_once(library: Library, folder: Path) -> None:
    write(folder / "hr")
    (folder / "hr" / "veriloop.yaml").write_text("readers: [hr]\n", encoding="utf-8")
    sync_folder(library, folder)
    assert "contract.md" in _names(library, Caller())
    (folder / "contract.md").rename(folder / "hr" / "contract.md")
    sync_folder(library, folder)
    assert _names(library, Caller()) == ["policy.md"]
    (folder / "hr" / "contract.md").rename(folder / "contract.md")
    sync_folder(library, folder)
    assert _names(library, Caller()) == ["policy.md"], "no rule any more is no leave to open it"


def test_a_document_is_not_followed_to_where_nobody_knows_who_may_read_it(library: Library, folder: Path) -> None:
    write(folder / "hr")
    sync_folder(library, folder)
    (folder / "hr" / "veriloop.yaml").write_text("readers: [hr\n", encoding="utf-8")
    (folder / "contract.md").rename(folder / "hr" / "contract.md")
    report = sync_folder(library, folder)
    assert [failed.path.endswith("hr/contract.md") for failed in report.failed] == [True]
    assert _names(library) == ["contract.md", "policy.md"] and not report.removed


def test_documents_from_elsewhere_are_left_alone(library: Library, folder: Path, tmp_path: Path) -> None:
    other = write(tmp_path / "documents2", other="# Other\n\nFrom another folder with a similar name.\n")
    add_files(library, [other])
    sync_folder(library, folder)
    shutil.rmtree(folder)
    folder.mkdir()
    report = sync_folder(library, folder, allow_empty=True)
    assert sorted(report.removed) == ["contract.md", "policy.md"]
    assert _names(library) == ["other.md"]


@pytest.mark.parametrize("is_there", [True, False])
def test_a_folder_that_vanished_or_is_suddenly_empty_removes_nothing(
    library: Library, folder: Path, is_there: bool
) -> None:
    sync_folder(library, folder)
    folder.rename(folder.parent / "unmounted")
    if is_there:
        folder.mkdir()
    for dry_run in (True, False):
        with pytest.raises(UsageError, match="--allow-empty"):
            sync_folder(library, folder, dry_run=dry_run)
    assert len(_names(library)) == 2
    assert len(sync_folder(library, folder, allow_empty=True).removed) == 2


def test_a_folder_inside_that_cannot_be_listed_removes_nothing(library: Library, folder: Path, tmp_path: Path) -> None:
    write(folder / "inner", a="# A\n\nText of a.\n")
    sync_folder(library, folder)
    (folder / "inner").chmod(0)
    try:
        if any(True for _ in _listed(folder / "inner")):
            pytest.skip("this user may list everything")
        report = sync_folder(library, folder)
    finally:
        (folder / "inner").chmod(0o755)
    assert report.failed and not report.removed


def _listed(folder: Path) -> Iterator[Path]:
    try:
        yield from folder.iterdir()
    except PermissionError:
        return


def test_a_file_that_became_unreadable_keeps_its_last_version(library: Library, folder: Path) -> None:
    sync_folder(library, folder)
    (folder / "policy.md").write_bytes(b"%PDF-1.7 broken")
    report = sync_folder(library, folder)
    assert len(report.failed) == 1 and not report.removed
    assert len(_names(library)) == 2


def test_members_of_archives_come_and_go_with_what_the_archive_holds(library: Library, folder: Path) -> None:
    def pack(**texts: str) -> None:
        with zipfile.ZipFile(folder / "all.zip", "w") as archive:
            for name, text in texts.items():
                archive.writestr(f"{name}.md", text)

    pack(a="# A\n\nThe first text.\n", b="# B\n\nThe second text.\n")
    sync_folder(library, folder)
    assert _names(library)[:2] == ["all.zip/a.md", "all.zip/b.md"]
    pack(a="# A\n\nThe first text.\n")
    assert sync_folder(library, folder).removed == ("all.zip/b.md",)
    (folder / "all.zip").unlink()
    assert sync_folder(library, folder).removed == ("all.zip/a.md",)


def test_an_archive_that_describes_its_own_documents_is_refused(library: Library, folder: Path) -> None:
    with zipfile.ZipFile(folder / "all.zip", "w") as archive:
        archive.writestr("a.md", "# A\n\nA secret.\n")
        archive.writestr("veriloop.yaml", "readers: [hr]\n")
    report = sync_folder(library, folder)
    assert ["veriloop.yaml" in failed.reason for failed in report.failed] == [True]
    assert _names(library) == ["contract.md", "policy.md"]


def test_of_two_copies_that_moved_each_is_found_again(library: Library, folder: Path) -> None:
    write(folder / "x", copy=CONTRACT)
    sync_folder(library, folder)
    ids = {d.name: d.doc_id for d in (s.document for s in library.documents(OWNER))}
    write(folder / "y")
    (folder / "x" / "copy.md").rename(folder / "y" / "copy.md")
    (folder / "contract.md").rename(folder / "y" / "contract.md")
    assert len(sync_folder(library, folder).moved) == 2
    now = {d.name: d.doc_id for d in (s.document for s in library.documents(OWNER))}
    assert (now["y/copy.md"], now["y/contract.md"]) == (ids["x/copy.md"], ids["contract.md"])


_TEXTS = st.sampled_from(["one", "two", "three"])
_FOLDERS = st.dictionaries(st.sampled_from(["a.md", "b.md", "x/a.md", "x/b.md", "y/c.md"]), _TEXTS, max_size=5)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(states=st.lists(_FOLDERS, min_size=2, max_size=3))
def test_after_any_changes_a_library_holds_what_the_folder_holds(
    tmp_path_factory: pytest.TempPathFactory, states: list[dict[str, str]]
) -> None:
    room = tmp_path_factory.mktemp("states")
    chosen = lexical_settings(parsing=ParsingSettings(processes=0))
    with Library.open(room / "library", chosen) as library:
        for state in states:
            shutil.rmtree(room / "documents", ignore_errors=True)
            (room / "documents").mkdir()
            for name, text in state.items():
                path = room / "documents" / name
                path.parent.mkdir(exist_ok=True)
                path.write_text(f"# Title {text}\n\nThe text is {text}.\n", encoding="utf-8")
            sync_folder(library, room / "documents", allow_empty=True)
            documents = [summary.document for summary in library.documents(OWNER)]
            texts = {d.name: library.blocks(d.doc_id, OWNER)[0].text for d in documents}
            assert texts.keys() == state.keys()
            assert all(f"is {state[name]}." in text for name, text in texts.items())


class _Rounds:
    def __init__(self) -> None:
        self.reports: list[SyncReport] = []
        self.errors: list[str] = []

    def synced(self, report: SyncReport) -> None:
        self.reports.append(report)

    def failed(self, error: Exception) -> None:
        self.errors.append(str(error))


def test_a_watch_follows_changes_survives_errors_and_makes_vectors_in_between(library: Library, folder: Path) -> None:
    told = _Rounds()

    def changes(_folder: Path, _own: Path) -> Iterator[bool]:
        yield False  # time for vectors
        write(folder, new="# New\n\nThis one comes.\n")
        yield True
        yield False
        folder.rename(folder.parent / "away")
        yield True
        (folder.parent / "away").rename(folder)
        (folder / "new.md").unlink()
        yield True

    watch_folder(library, folder, told, changes=changes)
    assert [(report.added, report.removed) for report in told.reports] == [
        (("contract.md", "policy.md"), ()),
        (("new.md",), ()),
        ((), ("new.md",)),
    ]
    assert ["--allow-empty" in error for error in told.errors] == [True]
    assert library.vector_progress().done == library.vector_progress().total > 0


def test_a_watch_tells_of_a_failed_file_again_only_when_something_is_new_of_it(library: Library, folder: Path) -> None:
    told = _Rounds()
    broken = folder / "broken.docx"
    broken.write_bytes(b"PK\x03\x04 nothing")
    with zipfile.ZipFile(folder / "a.zip", "w") as archive:
        archive.writestr("inner.docx", b"PK\x03\x04 nothing")

    def changes(_folder: Path, _own: Path) -> Iterator[bool]:
        yield True
        write(folder, new="# New\n\nThis one comes.\n")
        yield True
        broken.write_bytes(b"PK\x03\x04 nothing yet")
        yield True
        broken.unlink()
        yield True
        broken.write_bytes(b"PK\x03\x04 nothing yet")
        yield True

    watch_folder(library, folder, told, changes=changes)
    assert [sorted(one.path for one in report.failed) for report in told.reports] == [
        ["a.zip/inner.docx", "broken.docx"],
        [],
        ["broken.docx"],
        ["broken.docx"],
    ]


def test_a_watch_ends_at_once_where_the_folder_is_not_there(library: Library, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not there"):
        watch_folder(library, tmp_path / "nowhere", _Rounds(), changes=lambda *_: iter(()))
