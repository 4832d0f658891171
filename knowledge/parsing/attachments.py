"""Reads what is attached to mails, with bounds on number, size and depth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ...errors import InputFileError
from ..elements import Element, ElementKind, ParsedDocument, ParseNote, ParseNoteKind, ParseOptions
from . import containers, outline
from .lines import clean_line, east_asian_share

_MOST_ATTACHMENTS = 100
_MOST_BYTES = 256 * 1024 * 1024
_DEEPEST = 3
"""Mails inside mails whose attachments are still read."""
_LEVELS_BELOW = 2  # the subject has level 1, the name of the attachment 2
_LONGEST_ENDING = 12

_depth: ContextVar[int] = ContextVar("depth of mails in mails", default=0)


class Attachment(NamedTuple):
    """A file that is attached to a mail."""

    name: str
    content: bytes


class AttachedTexts(NamedTuple):
    """The attachments' text, each under a heading with its name, and which of them are unread."""

    parts: list[outline.Part]
    notes: list[ParseNote]


def read_attachments(attachments: Iterable[Attachment], options: ParseOptions, beside: str) -> AttachedTexts:
    """Read attachments as files of their own.

    Args:
        attachments: in their order; archives are unpacked.
        options: how to read them.
        beside: the mail's own text, whose language the headings take.
    """
    label = "附件：" if east_asian_share(beside) > 0.3 else "Attachment: "
    parts: list[outline.Part] = []
    notes: list[ParseNote] = []
    free = _MOST_BYTES
    with _one_deeper() as is_allowed:
        for index, attachment in enumerate(attachments):
            free -= len(attachment.content)
            if not is_allowed or index >= _MOST_ATTACHMENTS or free < 0:
                notes.append(_unread(attachment.name, "more attachments, or mails deeper inside mails, than are read"))
                continue
            read = _read(attachment, options, label)
            parts += read.parts
            notes += read.notes
    return AttachedTexts(parts, notes)


@contextmanager
def _one_deeper() -> Iterator[bool]:
    before = _depth.get()
    token = _depth.set(before + 1)
    try:
        yield before < _DEEPEST
    finally:
        _depth.reset(token)


def _read(attachment: Attachment, options: ParseOptions, label: str) -> AttachedTexts:
    ending = PurePosixPath(attachment.name).suffix.lower()
    kept = ending if len(ending) <= _LONGEST_ENDING and ending[1:].isascii() and ending[1:].isalnum() else ""
    with TemporaryDirectory(prefix="veriloop-") as folder:
        path = Path(folder) / f"attachment{kept}"
        path.write_bytes(attachment.content)
        if not containers.is_container(path):
            return _read_file(path, attachment.name, options, label)
        return _read_archive(path, attachment.name, options, label)


def _read_archive(path: Path, name: str, options: ParseOptions, label: str) -> AttachedTexts:
    parts: list[outline.Part] = []
    notes: list[ParseNote] = []
    into = path.with_name("members")
    into.mkdir()
    try:
        for found in containers.members(path, name, into, options):
            if isinstance(found, containers.RefusedMember):
                notes.append(_unread(found.name, found.reason))
                continue
            read = _read_file(found.path, found.name, options, label)
            found.path.unlink(missing_ok=True)
            parts += read.parts
            notes += read.notes
    except InputFileError as error:
        notes.append(_unread(name, error.reason))
    return AttachedTexts(parts, notes)


def _read_file(path: Path, name: str, options: ParseOptions, label: str) -> AttachedTexts:
    from .registry import parse_file  # noqa: PLC0415  # which imports the readers of mails

    try:
        document = parse_file(path, name, options)
    except InputFileError as error:
        return AttachedTexts([], [_unread(name, error.reason)])
    head = outline.heading(label + clean_line(name), _LEVELS_BELOW)
    return AttachedTexts([head, *map(_below, document.elements)], list(_notes(name, document)))


def _below(element: Element) -> outline.Part:
    """An element of an attachment; its page is one of the attachment's, not of the mail."""
    level = min((element.level or 1) + _LEVELS_BELOW, outline.DEEPEST_LEVEL)
    is_heading = element.kind is ElementKind.HEADING
    return outline.Part(element.kind, element.text, level=level if is_heading else None, doubt=element.doubt)


def _notes(name: str, document: ParsedDocument) -> Iterator[ParseNote]:
    for note in document.notes:
        detail = f"{name}: {note.detail}" + (f", p. {note.page}" if note.page else "")
        yield ParseNote(kind=note.kind, detail=detail)
    if document.unread_pages:
        yield _unread(name, f"pages without readable text: {', '.join(map(str, document.unread_pages))}")


def _unread(name: str, reason: str) -> ParseNote:
    return ParseNote(kind=ParseNoteKind.UNREAD, detail=f"{clean_line(name)}: {reason}")
