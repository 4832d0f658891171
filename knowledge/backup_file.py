"""The file of a backup: a ZIP archive of the store as it was at one moment and a manifest with its digest."""

from __future__ import annotations

import json
import os
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import IO, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..errors import LibraryFormatError, UsageError
from .store.formats import FORMAT_VERSION

BACKUP_FORMAT = 1
STORE_MEMBER = "library.sqlite"

_MANIFEST = "manifest.json"
_PIECE = 1 << 20
_LONGEST_MANIFEST = 65_536
# Vectors hardly shrink; the fastest level leaves text a few per cent larger.
_COMPRESSION_LEVEL = 1
_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, KeyError, ValueError, RuntimeError)

Progress = Callable[[int, int], None]
"""Told how many bytes are done, and of how many."""


class Manifest(BaseModel):
    """What a backup says of itself."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    format: int = Field(ge=1, description="of the backup")
    store_format: int = Field(ge=1)
    created_at: datetime
    made_by: str
    library_version: int = Field(ge=0)
    documents: int = Field(ge=0)
    blocks: int = Field(ge=0)
    bytes: int = Field(ge=0, description="of the store")
    sha256: str = Field(description="of the store")


class Poured(NamedTuple):
    """What went through `pour`."""

    digest: str
    size: int


def read_manifest(file: Path) -> Manifest:
    """What a backup says of itself.

    Raises:
        UsageError: there is no such file.
        LibraryFormatError: it is no backup, is damaged, or was made by a newer version.
    """
    if not file.is_file():
        raise UsageError(f"{file}: no such file: name a backup")
    with _sound(file), zipfile.ZipFile(file) as archive:
        if archive.getinfo(_MANIFEST).file_size > _LONGEST_MANIFEST:
            raise LibraryFormatError(f"{file}: is no backup of a library")
        manifest = Manifest.model_validate_json(archive.read(_MANIFEST))
    if manifest.format > BACKUP_FORMAT or manifest.store_format > FORMAT_VERSION:
        raise LibraryFormatError(f"{file}: was made by a newer version ({manifest.made_by}): upgrade veriloop")
    return manifest


def pack(copy: Path, packed: Path, manifest: Manifest, tell: Progress) -> None:
    """Write a backup of a copy of a store."""
    with zipfile.ZipFile(packed, "x", zipfile.ZIP_DEFLATED, compresslevel=_COMPRESSION_LEVEL) as archive:
        archive.writestr(_MANIFEST, json.dumps(manifest.model_dump(mode="json"), indent=2))
        with copy.open("rb") as source, archive.open(STORE_MEMBER, "w", force_zip64=True) as target:
            pour(source, target, lambda done: tell((manifest.bytes + done) // 2, manifest.bytes))


def verify(file: Path, manifest: Manifest) -> None:
    """Read a backup to its end.

    Raises:
        LibraryFormatError: it does not hold what its manifest says.
    """
    with _sound(file), zipfile.ZipFile(file) as archive:
        _compare(file, manifest, archive, None, None)


def unpack(file: Path, manifest: Manifest, copy: Path, tell: Progress) -> None:
    """Write the store that a backup holds to a new file.

    Raises:
        LibraryFormatError: it does not hold what its manifest says.
    """
    with _sound(file), zipfile.ZipFile(file) as archive, copy.open("xb") as target:
        _compare(file, manifest, archive, target, lambda done: tell(done, manifest.bytes))
        target.flush()
        os.fsync(target.fileno())


def _compare(
    file: Path,
    manifest: Manifest,
    archive: zipfile.ZipFile,
    target: IO[bytes] | None,
    told: Callable[[int], None] | None,
) -> None:
    if archive.getinfo(STORE_MEMBER).file_size != manifest.bytes:
        raise LibraryFormatError(f"{file}: is damaged: its store has another size than it says; use another backup")
    with archive.open(STORE_MEMBER) as source:
        summed = pour(source, target, told)
    if summed != (manifest.sha256, manifest.bytes):
        raise LibraryFormatError(f"{file}: is damaged: its store is not what was backed up; use another backup")


def pour(source: IO[bytes], target: IO[bytes] | None, told: Callable[[int], None] | None = None) -> Poured:
    """Read a stream to its end, into another one if there is one."""
    digest, size = sha256(), 0
    while piece := source.read(_PIECE):
        digest.update(piece)
        size += len(piece)
        if target is not None:
            target.write(piece)
        if told is not None:
            told(size)
    return Poured(digest.hexdigest(), size)


@contextmanager
def _sound(file: Path) -> Iterator[None]:
    try:
        yield
    except ValidationError as error:
        raise LibraryFormatError(f"{file}: is no backup of a library") from error
    except _UNREADABLE as error:
        raise LibraryFormatError(f"{file}: is no backup of a library, or damaged ({error}): use another one") from error
