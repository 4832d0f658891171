"""Adding files: side by side and in order, what it reports, archives, links, files that change meanwhile."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest
from docx import Document as WordFile
from support.documents import CONTRACT, POLICY, lexical_settings, write
from veriloop import Caller, Library, add_files
from veriloop.configs import Settings
from veriloop.configs.settings import ParsingSettings
from veriloop.graphs.add_report import AddReport
from veriloop.graphs.adding import FileProgress
from veriloop.graphs.ingest import build_ingest
from veriloop.knowledge.documents import Block, Document
from veriloop.knowledge.elements import ParsedDocument, ParseOptions
from veriloop.knowledge.reading import CutDocument, Cutting, DirectReader
from veriloop.knowledge.store import VectorProgress
from veriloop.nodes.ingest.state import IngestContext, Outcome, SourceFile


def _settings(processes: int, seconds: float = 120) -> Settings:
    return lexical_settings(parsing=ParsingSettings(processes=processes, file_seconds=seconds))


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library", lexical_settings()) as opened:
        yield opened


def _names(library: Library) -> list[str]:
    return [summary.document.name for summary in library.documents(Caller.owner())]


def _word_file(path: Path, text: str) -> Path:
    word = WordFile()
    for line in text.splitlines():
        word.add_paragraph(line)
    word.save(str(path))
    return path


def _many(folder: Path) -> Path:
    folder.mkdir()
    for number in range(5):
        _word_file(folder / f"{number}.docx", CONTRACT.replace("HN-3200", f"HN-{number}"))
    for number in range(5, 10):
        (folder / f"{number}.md").write_text(POLICY.replace("120", f"{number}20"), encoding="utf-8")
    (folder / "broken.docx").write_bytes(b"PK\x03\x04 broken")
    return folder


def test_side_by_side_gives_the_same_library_as_one_by_one(tmp_path: Path) -> None:
    documents, contents = _many(tmp_path / "documents"), []
    for processes in (0, 3):
        with Library.open(tmp_path / f"{processes}", _settings(processes)) as library:
            report = add_files(library, [documents])
            assert [failed.path for failed in report.failed] == ["broken.docx"]
            assert report.added == tuple(sorted(f"{n}.docx" if n < 5 else f"{n}.md" for n in range(10)))
            marks = [(mark.number, mark.doc_id, mark.first_passage) for mark in library._store.document_marks()]
            texts = [block.text for mark in marks for block in library.blocks(mark[1], Caller.owner())]
            found = library.search("HN-3 验收", caller=Caller.owner())
            contents.append((marks, texts, [(hit.block.block_id, hit.score) for hit in found.hits]))
    assert contents[0] == contents[1]


def test_the_report_counts_the_blocks_of_a_change_and_names_the_seconds_of_each_stage(
    library: Library, tmp_path: Path
) -> None:
    clauses = [
        f"第{number}条 第{number}项义务应当在{number}日内履行，" + "逾期的承担违约责任。" * 130
        for number in range(1, 9)
    ]
    write(tmp_path / "documents", rule="\n\n".join(clauses))
    first = add_files(library, [tmp_path / "documents"])
    assert (first.blocks.added, first.blocks.kept, first.blocks.removed) == (8, 0, 0)
    write(tmp_path / "documents", rule="\n\n".join(["新增的一条。" * 220, *clauses[:-1]]))
    second = add_files(library, [tmp_path / "documents"])
    assert (second.blocks.added, second.blocks.kept, second.blocks.removed) == (1, 7, 1)
    seconds = second.seconds
    assert 0 < seconds.read + seconds.index <= seconds.total
    assert seconds.split > 0
    third = add_files(library, [tmp_path / "documents"])
    assert third.unchanged == ("rule.md",)
    assert third.blocks == AddReport(library_version=0).blocks


class _Listener:
    def __init__(self) -> None:
        self.progress: list[FileProgress] = []

    def waiting(self, holder: str) -> None:
        raise AssertionError(holder)

    def file(self, progress: FileProgress) -> None:
        self.progress.append(progress)

    def vectors(self, progress: VectorProgress) -> None:
        raise AssertionError(progress)


@pytest.mark.parametrize("processes", [0, 2])
def test_a_listener_hears_the_name_of_every_file_and_the_end(tmp_path: Path, processes: int) -> None:
    documents, listener = write(tmp_path / "documents", contract=CONTRACT, policy=POLICY), _Listener()
    with Library.open(tmp_path / "library", _settings(processes)) as library:
        add_files(library, [documents], listener=listener)
    assert {one.name for one in listener.progress} == {"contract.md", "policy.md", ""}
    assert listener.progress[-1] == FileProgress(2, 2, "")
    assert [one.done for one in listener.progress] == sorted(one.done for one in listener.progress)


class _StoppingListener(_Listener):
    def file(self, progress: FileProgress) -> None:
        super().file(progress)
        if progress.done:
            raise KeyboardInterrupt


@pytest.mark.parametrize("processes", [0, 2])
def test_a_stopped_addition_leaves_whole_documents_and_goes_on(tmp_path: Path, processes: int) -> None:
    documents = _many(tmp_path / "documents")
    with Library.open(tmp_path / "library", _settings(processes)) as library:
        with pytest.raises(KeyboardInterrupt):
            add_files(library, [documents], listener=_StoppingListener())
        kept = _names(library)
        assert 0 < len(kept) < 11
        report = add_files(library, [documents])
        assert set(kept) <= set(report.unchanged)
        assert len(report.added) + len(report.unchanged) == 10
        alone = {block.block_id for name in kept for block in _blocks(library, name)}
    with Library.open(tmp_path / "other", _settings(0)) as other:
        add_files(other, [documents])
        assert alone == {block.block_id for name in kept for block in _blocks(other, name)}


def _blocks(library: Library, name: str) -> list[Block]:
    (document,) = library.find_documents(name, Caller.owner())
    return list(library.blocks(document.doc_id, Caller.owner()))


class _Writer:
    """A reader of files, while another program writes to them."""

    def __init__(self, *texts: str | None) -> None:
        self._texts = list(texts)
        self._direct = DirectReader()

    def place(self) -> AbstractContextManager[object]:
        return nullcontext()

    def parse(self, path: Path, name: str, options: ParseOptions) -> ParsedDocument:
        parsed = self._direct.parse(path, name, options)
        if self._texts:
            text = self._texts.pop(0)
            path.unlink() if text is None else path.write_text(text, encoding="utf-8")
        return parsed

    def cut(self, parsed: ParsedDocument, document: Document, cutting: Cutting) -> CutDocument:
        return self._direct.cut(parsed, document, cutting)

    def close(self) -> None:
        self._direct.close()


def _add_while_written(library: Library, path: Path, *texts: str | None) -> dict[str, object]:
    context = IngestContext(library=library, reader=_Writer(*texts))
    return build_ingest().invoke({"source": SourceFile(path=path, name=path.name)}, context=context)


def test_a_file_that_changes_while_it_is_read_is_read_again(library: Library, tmp_path: Path) -> None:
    path = write(tmp_path / "documents", rule="# 规定\n\n旧的第一稿。") / "rule.md"
    assert _add_while_written(library, path, "# 规定\n\n新的第二稿。")["outcome"] is Outcome.ADDED
    (document,) = library.find_documents("rule.md", Caller.owner())
    assert [block.text for block in library.blocks(document.doc_id, Caller.owner())] == ["规定\n新的第二稿。"]
    assert add_files(library, [path]).unchanged == ("rule.md",)


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        (("# 规定\n\n第二稿。", "# 规定\n\n第三稿。"), "is being written to by another program"),
        ((None,), "has gone while it was read"),
    ],
)
def test_a_file_that_does_not_hold_still_is_reported(
    library: Library, tmp_path: Path, texts: tuple[str | None, ...], reason: str
) -> None:
    path = write(tmp_path / "documents", rule="# 规定\n\n旧的第一稿。") / "rule.md"
    end = _add_while_written(library, path, *texts)
    assert end["outcome"] is Outcome.FAILED
    assert reason in str(end["reason"])
    assert _names(library) == []


def test_a_file_whose_time_alone_changes_is_read_once(library: Library, tmp_path: Path) -> None:
    text = "# 规定\n\n旧的第一稿。"
    path = write(tmp_path / "documents", rule=text) / "rule.md"
    assert _add_while_written(library, path, text, text, text)["outcome"] is Outcome.ADDED


def test_files_in_archives_are_documents_of_their_own(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    with zipfile.ZipFile(folder / "a.zip", "w") as archive:
        archive.writestr("内/合同.md", CONTRACT)
        archive.writestr("policy.md", POLICY)
        archive.writestr("../evil.md", POLICY)
    report = add_files(library, [folder])
    assert report.added == ("a.zip/内/合同.md", "a.zip/policy.md")
    assert [failed.path for failed in report.failed] == ["a.zip/../evil.md"]
    found = {one.name: one.source_uri for one in library.find_documents("a.zip/policy.md", Caller.owner())}
    assert found["a.zip/policy.md"].startswith((folder / "a.zip").as_uri())
    assert add_files(library, [folder]).unchanged == report.added
    with zipfile.ZipFile(folder / "a.zip", "w") as archive:
        archive.writestr("内/合同.md", CONTRACT)
        archive.writestr("policy.md", POLICY.replace("120", "130"))
    again = add_files(library, [folder])
    assert (again.updated, again.unchanged) == (("a.zip/policy.md",), ("a.zip/内/合同.md",))


def test_nothing_that_was_unpacked_stays_behind(library: Library, tmp_path: Path) -> None:
    left = library.folder / "unpacked-by-one-that-was-killed"
    left.mkdir()
    (left / "secret.md").write_text(CONTRACT, encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("good.md", CONTRACT)
        archive.writestr("bad.docx", b"PK\x03\x04 broken")
    report = add_files(library, [tmp_path / "a.zip"])
    assert report.added == ("a.zip/good.md",)
    assert [failed.path for failed in report.failed] == ["a.zip/bad.docx"]
    kept = [path for path in library.folder.rglob("*") if "unpacked" in str(path.relative_to(library.folder))]
    assert kept == []


def test_a_link_out_of_the_folder_is_reported_and_not_followed(library: Library, tmp_path: Path) -> None:
    outside = write(tmp_path / "elsewhere", secret=CONTRACT) / "secret.md"
    folder = write(tmp_path / "documents", policy=POLICY)
    (folder / "link.md").symlink_to(outside)
    (folder / "same.md").symlink_to(folder / "policy.md")
    (folder / "around").symlink_to(folder)
    report = add_files(library, [folder])
    assert report.added == ("policy.md",)
    assert [failed.path for failed in report.failed] == ["link.md"]
    assert "outside this folder" in report.failed[0].reason
    assert add_files(library, [folder / "link.md"]).added == ("link.md",)


def test_documents_may_lie_beside_the_files_of_the_library_and_above_it(tmp_path: Path) -> None:
    folder = write(tmp_path / "shelf", policy=POLICY)
    write(folder / "sub", contract=CONTRACT)
    with Library.open(folder, lexical_settings()) as library:
        report = add_files(library, [folder])
        assert (report.added, report.failed) == (("policy.md", "sub/contract.md"), ())
        again = add_files(library, [folder])
        assert (again.unchanged, again.failed) == (report.added, ())
    with Library.open(folder / "sub" / "inner", lexical_settings()) as library:
        add_files(library, [folder / "sub"])
        assert add_files(library, [folder / "sub"]).unchanged == ("contract.md",)


@pytest.mark.parametrize("name", ["a b.md", "😀 合同.md", "two\nlines.md", "tab\there.md", "'quoted'.md", "-rf.md"])
def test_files_with_odd_names_go_in_and_are_known_again(library: Library, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / name).write_text(CONTRACT, encoding="utf-8")
    assert add_files(library, [folder]).added == (name,)
    assert add_files(library, [folder]).unchanged == (name,)


def test_a_sparse_file_up_to_the_limit_and_beyond_costs_one_line(tmp_path: Path) -> None:
    folder = write(tmp_path / "documents", policy=POLICY)
    for name, size in (("blank.txt", 40_000_000), ("large.txt", 40_000_001)):
        with (folder / name).open("wb") as sparse:
            sparse.truncate(size)
    limited = lexical_settings(parsing=ParsingSettings(max_file_megabytes=40))
    with Library.open(tmp_path / "library", limited) as library:
        report = add_files(library, [folder])
    assert report.added == ("policy.md",)
    reasons = {Path(failed.path).name: failed.reason for failed in report.failed}
    assert "nothing to index" in reasons["blank.txt"]
    assert "the limit is 40 MB" in reasons["large.txt"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_reported_and_the_rest_goes_in(library: Library, tmp_path: Path) -> None:
    folder = write(tmp_path / "documents", locked=CONTRACT, policy=POLICY)
    (folder / "locked.md").chmod(0)
    report = add_files(library, [folder])
    assert report.added == ("policy.md",)
    assert "Permission denied" in report.failed[0].reason


def test_documents_are_found_while_others_are_still_being_added(tmp_path: Path) -> None:
    documents = write(
        tmp_path / "documents", **{f"{number:02}": f"# 规定{number}\n\n型号ZX-{number:02}00。" for number in range(7)}
    )
    seen: list[tuple[int, int]] = []

    class Searching(_Listener):
        def file(self, progress: FileProgress) -> None:
            with Library.open(tmp_path / "library", _settings(0), create=False) as second:
                there = _names(second)
                hits = [name for name in there if second.search(f"ZX-{name[:2]}00", caller=Caller.owner()).hits]
            seen.append((len(there), len(hits)))

    with Library.open(tmp_path / "library", _settings(2)) as library:
        add_files(library, [documents], listener=Searching())
    assert all(there == hits for there, hits in seen)
    assert any(0 < there < 7 for there, _ in seen)


def test_two_additions_at_once_take_turns_and_lose_nothing(tmp_path: Path) -> None:
    folders = [write(tmp_path / name, **{f"{name}{number}": CONTRACT + name for number in range(9)}) for name in "ab"]
    with ThreadPoolExecutor(2) as executor:
        for future in [executor.submit(_add, tmp_path / "library", folder) for folder in folders]:
            assert len(future.result(timeout=120).added) == 9
    with Library.open(tmp_path / "library", _settings(0)) as library:
        assert len(_names(library)) == 18


def _add(folder: Path, documents: Path) -> AddReport:
    with Library.open(folder, _settings(0)) as library:
        return add_files(library, [documents], listener=_Patient())


class _Patient(_Listener):
    def waiting(self, holder: str) -> None:
        assert holder
