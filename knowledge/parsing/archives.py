"""Opens the zip containers of office files with bounds, before any library unpacks them."""

from __future__ import annotations

import zipfile
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from lxml import etree

from ...errors import InputFileError
from .zip_bounds import BROKEN

_MOST_MEMBERS = 10_000
_MOST_TOTAL_BYTES = 1024 * 1024 * 1024
_MOST_XML_BYTES = 256 * 1024 * 1024  # a tree takes about ten times its text in memory
_FREE_BYTES = 1024 * 1024  # below this a member is harmless however well it was compressed
_MOST_RATIO = 200  # office XML packs 5 to 40 times; sparse sheets up to 100

DAMAGED: tuple[type[Exception], ...] = (
    *BROKEN,
    KeyError,
    etree.XMLSyntaxError,
)
"""What reading a damaged container or a damaged part in it raises."""

_STRICT = b"http://purl.oclc.org/ooxml/"
_TRANSITIONAL = {
    b"http://purl.oclc.org/ooxml/wordprocessingml/main": (
        b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    ),
    b"http://purl.oclc.org/ooxml/officeDocument/relationships": (
        b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    ),
    b"http://purl.oclc.org/ooxml/drawingml/main": b"http://schemas.openxmlformats.org/drawingml/2006/main",
}


def check(path: Path, *, declarations: bool = True) -> None:
    """Refuse a container that would unpack to too much, or whose XML declares entities.

    Python's zip reader never gives more than a member's declared size, so the declared sizes are a bound.

    Args:
        declarations: whether to look for entities; pages of books declare their kind, and are read without any.

    Raises:
        InputFileError: with what was found.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            _check_sizes(path, members)
            for member in members:
                if declarations and member.filename.lower().endswith((".xml", ".rels", ".vml")):
                    _check_declarations(path, archive, member)
    except DAMAGED as error:
        raise InputFileError(str(path), "is damaged: its zip container cannot be read; save it again") from error


def _check_sizes(path: Path, members: list[zipfile.ZipInfo]) -> None:
    if any(member.flag_bits & 1 for member in members):
        raise InputFileError(str(path), "is encrypted: save it without a password and add it again")
    too_many = len(members) > _MOST_MEMBERS or sum(member.file_size for member in members) > _MOST_TOTAL_BYTES
    if too_many or any(_is_bomb(member) for member in members):
        raise InputFileError(str(path), "would unpack to far more than its size: it looks like a zip bomb")


def _is_bomb(member: zipfile.ZipInfo) -> bool:
    if member.file_size <= _FREE_BYTES:
        return False
    is_xml = member.filename.lower().endswith(".xml")
    return (is_xml and member.file_size > _MOST_XML_BYTES) or (
        member.file_size > _MOST_RATIO * max(member.compress_size, 1)
    )


def _check_declarations(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> None:
    with archive.open(member) as part:
        head = part.read(65_536).replace(b"\x00", b"").upper()
    if b"<!DOCTYPE" in head or b"<!ENTITY" in head:
        raise InputFileError(str(path), f"declares entities in {member.filename}, which office files never do")


class Container:
    """An office file's parts, each read as bytes or as an XML tree that resolves nothing and fetches nothing."""

    def __init__(self, path: Path) -> None:
        self._archive = zipfile.ZipFile(path)
        self._names = {name.lower().lstrip("/"): name for name in self._archive.namelist()}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._archive.close()

    def open(self, name: str) -> IO[bytes]:
        """A part as a stream.

        Raises:
            KeyError: if the file has no such part.
        """
        return self._archive.open(self._names[name.lower().lstrip("/")])

    def read(self, name: str) -> bytes | None:
        """A part's content, or None if the file has no such part."""
        stored = self._names.get(name.lower().lstrip("/"))
        return None if stored is None else self._archive.read(stored)

    def tree(self, name: str) -> etree._Element | None:
        """The root of a part, or None if the file has no such part; broken XML is mended where possible."""
        stored = self._names.get(name.lower().lstrip("/"))
        if stored is None:
            return None
        content = self._archive.read(stored)
        if _STRICT in content:
            for strict, transitional in _TRANSITIONAL.items():
                content = content.replace(strict, transitional)
        return parse_xml(content)


def parse_xml(content: bytes) -> etree._Element | None:
    """The root of an XML text, read without entities, network or schemas; None where nothing can be made of it."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True)
    return etree.fromstring(content, parser) if content.strip() else None
