"""Takes documents out of ZIP archives, with bounds on everything an archive can lie about."""

from __future__ import annotations

import errno
import shutil
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple
from urllib.parse import quote

from ...errors import InputFileError
from ..elements import ParseOptions
from . import sniff
from .zip_bounds import BROKEN
from .zip_names import NameSource, decode_names
from .zip_passwords import Locked, opened

MOST_MEMBERS = 10_000
MOST_TOTAL_BYTES = 2 * 1024 * 1024 * 1024
MOST_MEMBER_BYTES = 512 * 1024 * 1024
DEEPEST = 2
"""Archives inside each other: a file of an archive in an archive is read, one level further is not."""

_FREE_BYTES = 8 * 1024 * 1024  # below this a member is harmless however well it was compressed
_MOST_RATIO = 200  # text packs 3 to 10 times, sparse sheets and logs up to 100
_COMPRESSIONS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, 99}  # 99: AES
_PIECE = 1024 * 1024
_KEPT_FREE_BYTES = 256 * 1024 * 1024  # on the disk, for the library itself and everybody else
_LEFTOVERS = frozenset({"__macosx", "thumbs.db", "desktop.ini"})
_NO_ROOM = "does not fit on the disk unpacked: make room where the library lies and add it again"
_DAMAGED = "is damaged: the archive cannot be read; pack it again"


class Member(NamedTuple):
    """A file that was taken out of an archive."""

    path: Path
    """where it lies now, under a name of no meaning but its ending; whoever asked may delete it when done"""
    name: str
    """as shown to people: the archive's name and the way inside, such as ``archive.zip/inner/a.pdf``"""
    uri_suffix: str
    """what makes the archive's URI the member's, such as ``!/inner/a.pdf``"""


class RefusedMember(NamedTuple):
    """A file in an archive that is not read."""

    name: str
    """as in `Member`"""
    reason: str
    """why, and what to do about it, in one sentence without the name"""


class _Budget:
    """What is still free to be unpacked, over an archive and those inside it."""

    def __init__(self) -> None:
        self.members = MOST_MEMBERS
        self.bytes = MOST_TOTAL_BYTES


class _Place(NamedTuple):
    """An archive on its way through: its name and URI so far, and how deep it lies."""

    path: Path
    name: str
    uri_suffix: str
    into: Path
    depth: int


def is_container(path: Path) -> bool:
    """Whether a file is an archive whose members can be read; false also for what cannot be opened."""
    try:
        return sniff.has_zip_mark(path) and sniff.media_type_of(path) == sniff.ZIP
    except (InputFileError, OSError):
        return False


def members(path: Path, name: str, into: Path, options: ParseOptions) -> Iterator[Member | RefusedMember]:
    """The files inside a ZIP archive, one after the other, those of archives inside it too.

    Each is unpacked when it is asked for. Files that editors and systems leave behind are passed over.

    Args:
        name: how people call the archive; it begins the members' names.
        into: an existing empty folder for the files.
        options: its passwords are tried on encrypted members.

    Raises:
        InputFileError: with `name`, if the archive as a whole is damaged or would unpack to far more than its size.
    """
    return _members(_Place(path, name, "", into, 1), options, _Budget())


def _members(place: _Place, options: ParseOptions, budget: _Budget) -> Iterator[Member | RefusedMember]:
    try:
        with zipfile.ZipFile(place.path) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
            _refuse_bomb(place.name, infos, budget)
            for index, (info, inner) in enumerate(_named(infos)):
                if not _is_leftover(inner):
                    yield from _member(_Unpacking(archive, info, inner, index, place), options, budget)
    except BROKEN as error:
        raise InputFileError(place.name, _DAMAGED) from error


def _refuse_bomb(name: str, infos: list[zipfile.ZipInfo], budget: _Budget) -> None:
    """Python's zip reader never gives more than a member's declared size, so the declared sizes are a bound."""
    total = sum(info.file_size for info in infos)
    if len(infos) > budget.members:
        raise InputFileError(name, f"holds more than {MOST_MEMBERS:,} files: unpack it and add the folder")
    if total > budget.bytes:
        raise InputFileError(name, f"would unpack to {total / 1e9:,.0f} GB or more: unpack it and add what you need")
    if total > max(_FREE_BYTES, _MOST_RATIO * sum(info.compress_size for info in infos)):
        raise InputFileError(name, "would unpack to far more than its size: it looks like a zip bomb")
    budget.members -= len(infos)
    budget.bytes -= total


def _named(infos: list[zipfile.ZipInfo]) -> list[tuple[zipfile.ZipInfo, str]]:
    return list(zip(infos, decode_names([NameSource.of(info) for info in infos]), strict=True))


def _is_leftover(inner: str) -> bool:
    return any(part.startswith((".", "~$")) and part not in {".", ".."} for part in inner.split("/")) or any(
        part.lower() in _LEFTOVERS for part in inner.split("/")
    )


class _Unpacking(NamedTuple):
    """One file of an archive, before it is unpacked."""

    archive: zipfile.ZipFile
    info: zipfile.ZipInfo
    inner: str
    position: int
    place: _Place

    @property
    def name(self) -> str:
        return f"{self.place.name}/{self.inner.lstrip('/')}"

    @property
    def uri_suffix(self) -> str:
        return f"{self.place.uri_suffix}!/{quote(self.inner)}"

    @property
    def target(self) -> Path:
        """Where it goes: the ending stays, since it helps to tell text formats apart; nothing else of the name does."""
        ending = PurePosixPath(self.inner).suffix.lower()
        kept = ending if ending[1:].isascii() and ending[1:].isalnum() and len(ending) <= 12 else ""
        return self.place.into / f"{self.place.depth}-{self.position:05d}{kept}"


def _member(unpacking: _Unpacking, options: ParseOptions, budget: _Budget) -> Iterator[Member | RefusedMember]:
    reason = _refusal(unpacking)
    if reason is None:
        try:
            _unpack(unpacking, options)
        except Locked as error:
            reason = str(error)
        except BROKEN as error:
            is_full = isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT}
            reason = _NO_ROOM if is_full else "is damaged in the archive: pack it again"
    if reason is not None:
        unpacking.target.unlink(missing_ok=True)
        yield RefusedMember(unpacking.name, reason)
    elif is_container(unpacking.target):
        yield from _inner_archive(unpacking, options, budget)
    else:
        yield Member(unpacking.target, unpacking.name, unpacking.uri_suffix)


def _inner_archive(unpacking: _Unpacking, options: ParseOptions, budget: _Budget) -> Iterator[Member | RefusedMember]:
    place, target = unpacking.place, unpacking.target
    if place.depth >= DEEPEST:
        reason = f"is an archive more than {DEEPEST} levels deep: unpack it and add the files inside"
        target.unlink(missing_ok=True)
        yield RefusedMember(unpacking.name, reason)
        return
    into = target.with_name(f"{target.name}.members")
    into.mkdir()
    inside = _Place(target, unpacking.name, unpacking.uri_suffix, into, place.depth + 1)
    try:
        yield from _members(inside, options, budget)
    except InputFileError as error:
        yield RefusedMember(error.path, error.reason)
    finally:
        target.unlink(missing_ok=True)


def _refusal(unpacking: _Unpacking) -> str | None:
    info, inner = unpacking.info, unpacking.inner
    mode = info.external_attr >> 16
    if stat.S_IFMT(mode) not in {0, stat.S_IFREG}:
        return "is a link or a device inside the archive: it is not followed"
    if inner.startswith("/") or inner[1:2] == ":" or ".." in inner.split("/") or "\x00" in info.orig_filename:
        return "points outside the archive: it is not unpacked"
    if unpacking.archive.getinfo(info.filename) is not info:
        return "stands in the archive more than once: the last one of that name is read"
    if info.compress_type not in _COMPRESSIONS:
        return "is packed in a way that is not read: pack it again as a plain ZIP"
    if info.file_size > MOST_MEMBER_BYTES:
        return f"has {info.file_size / 1e6:,.0f} MB inside the archive: unpack it, split it and add the parts"
    if info.file_size > max(_FREE_BYTES, _MOST_RATIO * info.compress_size):
        return "would unpack to far more than its size: it looks like a zip bomb"
    if (
        info.file_size > _FREE_BYTES
        and shutil.disk_usage(unpacking.place.into).free < info.file_size + _KEPT_FREE_BYTES
    ):
        return _NO_ROOM
    return None


def _unpack(unpacking: _Unpacking, options: ParseOptions) -> None:
    def write(source: IO[bytes]) -> None:
        with unpacking.target.open("wb") as target:
            while piece := source.read(_PIECE):
                target.write(piece)

    opened(unpacking.archive, unpacking.info, options.passwords, write)
