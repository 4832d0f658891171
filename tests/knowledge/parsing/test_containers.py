"""Documents inside ZIP archives, and archives that mean harm."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr
from veriloop.errors import InputFileError
from veriloop.knowledge.elements import ParseOptions
from veriloop.knowledge.parsing.containers import Member, RefusedMember, is_container, members


def pack(path: Path, files: dict[str, bytes], **options: object) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def raw_zip(names: Sequence[bytes], content: bytes = b"text", *, flags: int = 0) -> bytes:
    """An archive as old programs wrote it: names in any bytes, no flag for their encoding."""
    body, directory = b"", b""
    for name in names:
        common = struct.pack("<HHHHHIIIHH", 20, flags, 0, 0, 33, zlib.crc32(content), *[len(content)] * 2, len(name), 0)
        directory += b"PK\x01\x02\x14\x00" + common + bytes(10) + struct.pack("<I", len(body)) + name
        body += b"PK\x03\x04" + common + name + content
    end = struct.pack("<HHHHIIH", 0, 0, len(names), len(names), len(directory), len(body), 0)
    return body + directory + b"PK\x05\x06" + end


def take(path: Path, into: Path, passwords: Sequence[str] = ()) -> tuple[dict[str, bytes], dict[str, str]]:
    """What came out by name, and what was refused with the reason."""
    into.mkdir(exist_ok=True)
    options = ParseOptions(passwords=tuple(SecretStr(word) for word in passwords))
    taken: dict[str, bytes] = {}
    refused: dict[str, str] = {}
    for found in members(path, path.name, into, options):
        if isinstance(found, Member):
            assert found.path.resolve().is_relative_to(into.resolve())
            taken[found.name] = found.path.read_bytes()
        else:
            refused[found.name] = found.reason
    return taken, refused


def nested(depth: int) -> bytes:
    content, name = b"deep", "deep.txt"
    for level in range(depth):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr(name, content)
        content, name = buffer.getvalue(), f"{level}.zip"
    return content


def test_files_come_out_with_names_for_people_and_endings_for_readers(tmp_path: Path) -> None:
    path = pack(tmp_path / "a.zip", {"制度/差旅 办法.md": b"# x", "b.TXT": b"y", "__MACOSX/._b": b"", ".DS_Store": b""})
    (tmp_path / "out").mkdir()
    found = list(members(path, "a.zip", tmp_path / "out", ParseOptions()))
    assert [(one.name, one.path.suffix) for one in found if isinstance(one, Member)] == [
        ("a.zip/制度/差旅 办法.md", ".md"),
        ("a.zip/b.TXT", ".txt"),
    ]
    assert isinstance(found[0], Member) and found[0].uri_suffix.startswith("!/%E5%88%B6")
    assert len(found) == 2


@pytest.mark.parametrize("encoding", ["gbk", "big5", "cp932", "utf-8", "cp437"])
def test_names_of_old_archives_are_read_in_their_encoding(encoding: str, tmp_path: Path) -> None:
    names = {
        "gbk": ["采购管理办法.txt", "附件/合同.txt"], "big5": ["員工請假辦法.txt", "採購合約.txt"],
        "cp932": ["契約書のひな形.txt", "これは会社の資料です.txt"],
        "utf-8": ["制度.txt"], "cp437": ["Überblick über Größe.txt"],
    }[encoding]  # fmt: skip
    path = tmp_path / "old.zip"
    path.write_bytes(raw_zip([name.encode(encoding) for name in names]))
    taken, _ = take(path, tmp_path / "out")
    assert list(taken) == [f"old.zip/{name}" for name in names]


@pytest.mark.parametrize(
    "name", ["../outside.txt", "/etc/outside.txt", "C:\\outside.txt", "a/../../b.txt", "..\\b.txt"]
)
def test_a_name_that_points_outside_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(raw_zip([name.encode(), b"good.txt"]))
    taken, refused = take(path, tmp_path / "out")
    assert list(taken) == ["a.zip/good.txt"]
    assert list(refused.values()) == ["points outside the archive: it is not unpacked"]
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.zip", "out"]


def test_a_link_inside_is_not_followed(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        link = zipfile.ZipInfo("link.txt")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    taken, refused = take(path, tmp_path / "out")
    assert not taken
    assert "link" in refused["a.zip/link.txt"]


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = pack(tmp_path / "a.zip", {"zeros.txt": bytes(30_000_000)})
    with pytest.raises(InputFileError, match=r"^a\.zip: would unpack to far more than its size"):
        take(path, tmp_path / "out")


def test_a_bomb_among_large_files_is_refused_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("zeros.txt", bytes(30_000_000), zipfile.ZIP_DEFLATED)
        archive.writestr("large.bin", bytes(1_000_000), zipfile.ZIP_STORED)
    taken, refused = take(path, tmp_path / "out")
    assert list(taken) == ["a.zip/large.bin"]
    assert "zip bomb" in refused["a.zip/zeros.txt"]


def test_too_many_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(raw_zip([b"%d.txt" % number for number in range(10_001)]))
    with pytest.raises(InputFileError, match="more than 10,000 files"):
        take(path, tmp_path / "out")


def test_archives_in_archives_are_read_two_levels_deep(tmp_path: Path) -> None:
    for depth in (1, 2, 3):
        (tmp_path / f"{depth}.zip").write_bytes(nested(depth))
    assert take(tmp_path / "2.zip", tmp_path / "two") == ({"2.zip/0.zip/deep.txt": b"deep"}, {})
    taken, refused = take(tmp_path / "3.zip", tmp_path / "three")
    assert not taken
    assert "levels deep" in refused["3.zip/1.zip/0.zip"]


def test_of_two_files_of_one_name_the_last_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("a.txt", "old")
        archive.writestr("a.txt", "new")
    taken, refused = take(path, tmp_path / "out")
    assert taken == {"a.zip/a.txt": b"new"}
    assert "more than once" in refused["a.zip/a.txt"]


def _encrypted(path: Path, password: str) -> Path:
    import pyzipper

    with pyzipper.AESZipFile(path, "w", compression=zipfile.ZIP_DEFLATED, encryption=pyzipper.WZ_AES) as archive:
        archive.setpassword(password.encode())
        archive.writestr("secret.txt", "机密".encode())
    return path


def test_an_encrypted_archive_opens_with_its_password(tmp_path: Path) -> None:
    path = _encrypted(tmp_path / "a.zip", "口令-7")
    taken, refused = take(path, tmp_path / "out", ["wrong", "口令-7"])
    assert taken == {"a.zip/secret.txt": "机密".encode()}
    assert not refused


def test_without_its_password_an_encrypted_archive_says_what_to_give(tmp_path: Path) -> None:
    path = _encrypted(tmp_path / "a.zip", "right")
    assert take(path, tmp_path / "out")[1] == {"a.zip/secret.txt": "is encrypted: give its password with --password"}
    reason = take(path, tmp_path / "out", ["hunter2", "swordfish"])[1]["a.zip/secret.txt"]
    assert reason == "is encrypted: none of the 2 passwords given opens it"


def test_office_files_are_no_archives(tmp_path: Path) -> None:
    import docx

    docx.Document().save(str(tmp_path / "a.docx"))
    assert not is_container(tmp_path / "a.docx")
    assert not is_container(tmp_path / "missing.zip")
    assert is_container(pack(tmp_path / "a.zip", {"a.txt": b"a"}))


@given(at=st.integers(0, 400), byte=st.integers(0, 255), cut=st.integers(0, 60))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_damaged_archive_gives_members_refusals_or_one_clear_error(
    tmp_path: Path, at: int, byte: int, cut: int
) -> None:
    content = bytearray(pack(tmp_path / "whole.zip", {"a.txt": b"first file" * 9, "b/c.md": b"# second"}).read_bytes())
    content[at % len(content)] = byte
    path = tmp_path / "a.zip"
    path.write_bytes(content[: len(content) - cut])
    (tmp_path / "out").mkdir(exist_ok=True)
    try:
        for found in members(path, "a.zip", tmp_path / "out", ParseOptions()):
            assert isinstance(found, (Member, RefusedMember))
    except InputFileError as error:
        assert error.path == "a.zip"
