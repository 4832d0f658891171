"""Files beside documents: what they say, who goes first, and that an unclear one opens nothing."""

from __future__ import annotations

import fnmatch
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.errors import InputFileError
from veriloop.knowledge.metadata import is_metadata_file, said_beside
from veriloop.knowledge.metadata.patterns import matches


def _file(folder: Path, name: str, text: str = "text") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("ending", [".meta.yaml", ".yaml", ".meta.yml", ".yml"])
def test_a_sidecar_describes_the_file_beside_it(tmp_path: Path, ending: str) -> None:
    path = _file(tmp_path, "制度.pdf")
    _file(
        tmp_path,
        f"制度.pdf{ending}",
        "标题: 差旅制度\n发布日期: 2026年1月15日\nreaders: [hr, 法务]\nreplaces: 《旧制度》\n",
    )
    said = said_beside(path).sidecar
    assert said.readers == frozenset({"hr", "法务"})
    assert said.description.title == "差旅制度"
    assert said.description.published_at == date(2026, 1, 15)
    assert said.description.replaces == ("旧制度",)


def test_the_nearest_folder_goes_first_and_of_its_rules_the_last(tmp_path: Path) -> None:
    path = _file(tmp_path, "a/b/合同.pdf")
    _file(tmp_path, "veriloop.yaml", "domain: all\nauthority: 10\nreaders: [staff]\n")
    rules = "- match: '*.PDF'\n  type: paper\n  authority: 30\n- match: b/\n  authority: 40\n"
    _file(tmp_path, "a/veriloop.yaml", f"type: letter\nrules:\n{rules}")
    said = said_beside(path).folder
    assert (said.description.domain, said.description.doc_type, said.description.authority) == ("all", "paper", 40)
    assert said.readers == frozenset({"staff"})


def test_a_root_folder_ends_the_looking_upwards(tmp_path: Path) -> None:
    path = _file(tmp_path, "a/x.pdf")
    _file(tmp_path, "veriloop.yaml", "domain: outer\n")
    _file(tmp_path, "a/veriloop.yaml", "root: true\n")
    assert said_beside(path).folder.description.domain is None


def test_what_is_said_of_an_archive_holds_for_its_members(tmp_path: Path) -> None:
    archive = _file(tmp_path, "closed/all papers.zip")
    _file(tmp_path, "closed/veriloop.yaml", "readers: [hr]\n")
    _file(tmp_path, "closed/all papers.zip.yaml", "domain: HR\n")
    member = _file(tmp_path, "elsewhere/member.md")
    for uri in (
        f"{archive.as_uri()}!/in/member.md",
        f"{archive.as_uri()}#in/member.md",
        f"{archive.as_uri()}/member.md",
    ):
        said = said_beside(member, uri)
        assert said.folder.readers == frozenset({"hr"}) and said.sidecar.description.domain == "HR"


def test_a_linked_file_is_described_where_the_link_is_then_where_it_lies(tmp_path: Path) -> None:
    target = _file(tmp_path, "store/1.pdf")
    _file(tmp_path, "store/veriloop.yaml", "domain: store\nauthority: 7\n")
    _file(tmp_path, "hr/veriloop.yaml", "domain: HR\nreaders: [hr]\n")
    link = tmp_path / "hr" / "salaries.pdf"
    link.symlink_to(target)
    said = said_beside(link).folder
    assert (said.description.domain, said.description.authority, said.readers) == ("HR", 7, frozenset({"hr"}))


@pytest.mark.parametrize(
    "text",
    [
        *("readers: [hr\n", "reader: hr\n", "readers:\n", "readers: []\n", "readers: [everyone, hr]\n", "readers: 7\n"),
        *("readers: [hr]\nreaders: everyone\n", "readers: hr\n读者: it\n", "- readers: hr\n", "readers: {hr: 1}\n"),
        *("a: &x [hr]\nreaders: *x\n", "published: 2026-02-30\n", "authority: 101\n", "published: soon\n", "\0"),
        *("effective_from: 2026-02-01\neffective_to: 2026-01-01\n", "readers: !!python/name:os.system\n", "[" * 9_000),
        *("readers: [hr]\n" + "# padding\n" * 30_000, "text"),
    ],
)
@pytest.mark.parametrize("name", ["a.pdf.meta.yaml", "veriloop.yaml"])
def test_an_unclear_metadata_file_fails_the_documents_that_it_governs(tmp_path: Path, name: str, text: str) -> None:
    path = _file(tmp_path, "a.pdf")
    _file(tmp_path, name, text)
    with pytest.raises(InputFileError) as failed:
        said_beside(path)
    assert name in failed.value.reason and "mend that file" in failed.value.reason
    assert "\n" not in failed.value.reason


@pytest.mark.parametrize(
    "text",
    [
        "rules: 5\n",
        "rules:\n- domain: HR\n",
        "rules:\n- match: '*'\n",
        "rules:\n- match: []\n  domain: x\n",
        "root: 1\n",
    ],
)
def test_an_unclear_rule_is_refused(tmp_path: Path, text: str) -> None:
    path = _file(tmp_path, "a.pdf")
    _file(tmp_path, "veriloop.yaml", text)
    with pytest.raises(InputFileError, match="mend that file"):
        said_beside(path)


def test_a_metadata_file_that_cannot_be_reached_is_no_missing_one(tmp_path: Path) -> None:
    path = _file(tmp_path, "a.pdf")
    (tmp_path / "a.pdf.yaml").symlink_to(tmp_path / "nowhere")
    with pytest.raises(InputFileError, match="mend that file"):
        said_beside(path)


def test_two_sidecars_of_one_file_are_refused(tmp_path: Path) -> None:
    path = _file(tmp_path, "a.pdf")
    _file(tmp_path, "a.pdf.yaml", "readers: [hr]\n")
    _file(tmp_path, "a.pdf.meta.yaml", "readers: everyone\n")
    with pytest.raises(InputFileError, match="two files"):
        said_beside(path)


def test_metadata_files_are_told_from_documents(tmp_path: Path) -> None:
    for name in ("a.pdf", "b.pdf.yaml", "notes.2026"):
        _file(tmp_path, name)
    known = ("veriloop.yaml", "VERILOOP.YML", "a.pdf.yaml", "b.pdf.yaml", "gone.docx.meta.yaml", "notes.2026.yml")
    assert all(is_metadata_file(tmp_path / name) for name in known)
    assert not any(is_metadata_file(tmp_path / name) for name in ("config.yaml", "a.pdf", "veriloop.yaml.txt"))


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*.pdf", "x/y/A.PDF", True),
        ("salaries", "hr/salaries/2026/a.pdf", True),
        ("/salaries", "hr/salaries/a.pdf", False),
        ("hr/**/a?.pdf", "hr/a1.pdf", True),
        ("hr/**/a?.pdf", "hr/x/y/a1.pdf", True),
        ("hr/*.pdf", "hr/x/a.pdf", False),
        ("hr/", "hr/x/a.pdf", True),
        ("**", "x/a", True),
        ("[!a]*.md", "b.md", True),
        ("[!a]*.md", "a.md", False),
        ("[]", "[]", True),
        ("薪酬*", "x/薪酬方案.docx", True),
        ("caf\u00e9.md", "cafe\u0301.md", True),
        ("a.pdf", "aXpdf", False),
    ],
)
def test_patterns_match_as_in_gitignore(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, path) is expected


@given(st.text("ab*?.", min_size=1, max_size=8), st.text("ab.", min_size=1, max_size=8))
def test_patterns_of_names_match_as_the_shell_does(pattern: str, name: str) -> None:
    assert matches(pattern, name) is fnmatch.fnmatchcase(name, pattern)


@pytest.mark.parametrize("name", ["Veriloop.yaml", "VERILOOP.YML", "report.pdf.YAML", "report.pdf.Meta.yaml"])
def test_a_file_that_closes_documents_counts_in_any_letter_case(tmp_path: Path, name: str) -> None:
    path = _file(tmp_path, "report.pdf")
    _file(tmp_path, name, "readers: [hr]\n")
    said = said_beside(path)
    assert is_metadata_file(tmp_path / name)
    assert (said.sidecar.readers or said.folder.readers) == frozenset({"hr"})


def test_two_spellings_of_one_rule_file_are_refused(tmp_path: Path) -> None:
    path = _file(tmp_path, "report.pdf")
    _file(tmp_path, "veriloop.yaml", "readers: everyone\n")
    _file(tmp_path, "Veriloop.yaml", "readers: [hr]\n")
    if len(list(tmp_path.iterdir())) < 3:
        pytest.skip("this file system knows one spelling")
    with pytest.raises(InputFileError, match="two rule files"):
        said_beside(path)


def test_a_sidecar_of_a_file_that_differs_in_letter_case_is_not_its_own(tmp_path: Path) -> None:
    path = _file(tmp_path, "report.pdf")
    _file(tmp_path, "Report.pdf.yaml", "readers: everyone\n")
    assert said_beside(path).sidecar.readers is None
