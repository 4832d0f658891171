"""Finds what is said of a file in the files beside it: its sidecar, and the rules of the folders that it lies in."""

from __future__ import annotations

import errno
import mimetypes
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ...errors import InputFileError
from ..file_uris import path_of
from .folder_names import metadata_names
from .folder_rules import read_rules
from .statement import Statement, first_of, read_statement
from .yaml_text import UnusableFileError, read_mapping

RULE_FILES = ("veriloop.yaml", "veriloop.yml")
SIDECAR_ENDINGS = (".meta.yaml", ".meta.yml", ".yaml", ".yml")


class Beside(NamedTuple):
    """What is said of a file beside it."""

    sidecar: Statement
    folder: Statement


def is_metadata_file(path: Path) -> bool:
    """Whether a file describes others, so that it is no document: a rule file, or the sidecar of a document."""
    name = path.name.casefold()
    if name in RULE_FILES or name.endswith(SIDECAR_ENDINGS[:2]):
        return True
    described = path.with_suffix("")
    # The document may be gone already: its sidecar is no document even then.
    is_beside_one = described.is_file() or mimetypes.guess_type(described.name)[0] is not None
    return name.endswith(SIDECAR_ENDINGS) and is_beside_one


def said_beside(path: Path, uri: str | None = None) -> Beside:
    """What the sidecar and the folder rules of a file say; the nearest folder goes first.

    A file that is reached by a link is described where the link is, and for the rest where the file lies.

    Args:
        path: the file.
        uri: where it comes from, if that is not `path`: what is said of an archive holds for all its members.

    Raises:
        InputFileError: one of these files cannot be read or is unclear; the rights of the document may hang on it.
    """
    origin = path if uri is None else _file_of(path, uri)
    places = dict.fromkeys((Path(os.path.normpath(origin.absolute())), origin.resolve()))
    sidecars = [statement for place in places for statement in _sidecars(path, place)]
    folders = [statement for place in places for statement in _folders(path, place)]
    return Beside(first_of(sidecars), first_of(folders))


def file_of(uri: str) -> Path | None:
    """The file on disk that a URI leads to or into, such as the archive of a member; None where it is not there."""
    inner = path_of(uri)
    for place in (inner, *inner.parents):
        for one in (place, place.with_name(place.name.removesuffix("!")) if place.name.strip("!") else place):
            with suppress(OSError):  # where nobody may look
                if one.is_file():
                    return one
    return None


def _file_of(path: Path, uri: str) -> Path:
    found = file_of(uri)
    if found is not None:
        return found
    raise InputFileError(str(path), f"comes from {uri}, which is not there: add it again from where it is")


def _sidecars(path: Path, place: Path) -> Iterator[Statement]:
    found = _present(path, [Path(f"{place}{ending}") for ending in SIDECAR_ENDINGS], kept=len(place.name))
    if len(found) > 1:
        names = " and ".join(one.name for one in found)
        raise InputFileError(str(path), f"is described by two files, {names}: keep one of them")
    for one in found:
        try:
            yield read_statement(read_mapping(one))
        except UnusableFileError as error:
            raise _unusable(path, one, error) from error


def _folders(path: Path, place: Path) -> Iterator[Statement]:
    for folder in place.parents:
        found = _present(path, [folder / name for name in RULE_FILES])
        if len(found) > 1:
            names = " and ".join(one.name for one in found)
            raise InputFileError(str(path), f"has two rule files in {folder}, {names}: keep one of them")
        for one in found:
            try:
                rules = read_rules(one)
            except UnusableFileError as error:
                raise _unusable(path, one, error) from error
            yield rules.statement_of(place.relative_to(folder).as_posix())
            if rules.is_root:
                return


def _present(path: Path, wanted: Sequence[Path], kept: int = 0) -> list[Path]:
    """Which of some files of one folder are there; behind the first `kept` letters in small or capital ones."""
    folder = wanted[0].parent
    spelled = [name for name in metadata_names(folder) if len(name) > kept]
    found = []
    for one in wanted:
        named = [n for n in spelled if (n[:kept], n[kept:].casefold()) == (one.name[:kept], one.name[kept:].casefold())]
        found += [folder / name for name in named] or ([one] if _is_there(path, one) else [])
    return found


def _is_there(path: Path, one: Path) -> bool:
    """A link to nowhere is there, too: somebody meant to say something."""
    try:
        one.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        # The name itself may be too long with an ending; such a file cannot exist.
        if error.errno == errno.ENAMETOOLONG:
            return False
        raise InputFileError(
            str(path), f"{one} cannot be looked at ({error.strerror}): check its permissions"
        ) from error
    return True


def _unusable(path: Path, one: Path, error: UnusableFileError) -> InputFileError:
    # Beside the file its name says where it is.
    shown = one.name if one.parent == path.absolute().parent else one
    return InputFileError(str(path), f"is described by {shown}, which {error}; mend that file, then add this one again")
