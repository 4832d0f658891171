"""The reader of mails (EML, MHT) with what is attached to them."""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Iterator
from datetime import datetime
from email.errors import HeaderParseError, MessageError
from email.header import decode_header
from email.message import Message
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import NamedTuple

from ...errors import InputFileError
from ..elements import FileProperties, ParsedDocument, ParseNote, ParseNoteKind, ParseOptions
from . import html, outline, text
from .attachments import Attachment, read_attachments
from .files import read_bytes
from .lines import clean_line
from .pictures import EmbeddedPicture, picture_texts

_PEOPLE = ("From", "To", "Cc")
_MOST_PARTS = 1_000
_LEAST_SHARE = 0.5  # of the plain text that the HTML text must have, to be the one that is read
_SEALED = {"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"}
_DAMAGED: tuple[type[Exception], ...] = (MessageError, ValueError, LookupError, TypeError, AttributeError)
"""What the standard library's mail parser raises on damaged mails."""


class Letter(NamedTuple):
    """What a mail consists of, whatever kind of file it comes in."""

    subject: str
    people: list[tuple[str, str]]
    """role and names, such as ``("From", "Li Wei <li@example.com>")``"""
    sent: datetime | None
    body: list[outline.Part]
    attachments: list[Attachment]
    pictures: list[EmbeddedPicture]
    """shown in the text"""
    notes: list[ParseNote]


def document_of(path: Path, media_type: str, letter: Letter, options: ParseOptions) -> ParsedDocument:
    """The parsed mail: subject, people, date, text, pictures, attachments."""
    lines = [f"{role}: {names}" for role, names in letter.people if names]
    if letter.sent is not None:
        lines.append(f"Date: {letter.sent:%Y-%m-%d %H:%M}")
    head = [outline.heading(letter.subject, 1)] if letter.subject else []
    own = "\n".join([letter.subject, *(part.text for part in letter.body)])
    shown = picture_texts(letter.pictures, options)
    attached = read_attachments(letter.attachments, options, own)
    parts = [*head, *map(outline.paragraph, lines), *letter.body, *shown.parts, *attached.parts]
    author = dict(letter.people).get("From", "")
    return outline.finish(
        path,
        media_type,
        parts,
        title=letter.subject or None,
        published_at=letter.sent.date() if letter.sent else None,
        told=outline.Told(
            notes=[*letter.notes, *shown.notes, *attached.notes],
            properties=FileProperties(title=letter.subject, author=author, created=letter.sent),
        ),
    )


class MailParser:
    """Reads mails: headers, the richer of its texts, quoted history, pictures and attachments."""

    media_types = ("message/rfc822",)

    def parse(self, path: Path, media_type: str, options: ParseOptions) -> ParsedDocument:
        """See `Parser.parse`."""
        try:
            message = email.message_from_bytes(read_bytes(path).lstrip(), policy=email.policy.compat32)
            letter = _letter(message)
        except _DAMAGED as error:
            raise InputFileError(str(path), "is damaged: the mail cannot be read; save it again") from error
        return document_of(path, media_type, letter, options)


def _letter(message: Message) -> Letter:
    leaves = list(_leaves(message))
    body = [part for leaf in leaves if _is_text(leaf) for part in _text_parts(leaf)]
    shown = [leaf for leaf in leaves if not _is_text(leaf) and _is_shown(leaf)]
    files = [leaf for leaf in leaves if not _is_text(leaf) and not _is_shown(leaf)]
    sealed = any(part.get_content_type() in _SEALED for part in message.walk())
    note = ParseNote(kind=ParseNoteKind.UNREAD, detail="the mail's text, which is encrypted")
    return Letter(
        subject=clean_line(_header(message, "Subject")),
        people=[(role, clean_line(_header(message, role))) for role in _PEOPLE],
        sent=_sent(message),
        body=body,
        attachments=[Attachment(_name(leaf), _content(leaf)) for leaf in files],
        pictures=[EmbeddedPicture(_name(leaf), _content(leaf)) for leaf in shown],
        notes=[note] if sealed else [],
    )


def _leaves(message: Message) -> Iterator[Message]:
    """The parts to read, in order: of alternatives the best one, of mails inside the mail as a whole."""
    pending, count = [message], 0
    while pending and count < _MOST_PARTS:
        part = pending.pop(0)
        count += 1
        kind = part.get_content_type()
        inner = part.get_payload()
        if part is not message and kind == "message/rfc822":
            yield part
        elif kind in _SEALED and not part.is_multipart():
            continue
        elif isinstance(inner, list):
            children = [child for child in inner if isinstance(child, Message)]
            pending[:0] = _best(children) if kind == "multipart/alternative" else children
        else:
            yield part


def _best(alternatives: list[Message]) -> list[Message]:
    """The HTML text, unless it says much less than the plain one, as where it only holds a picture."""
    plain = [part for part in alternatives if part.get_content_type() == "text/plain"]
    rich = [part for part in alternatives if part not in plain and _holds(part, "text/html")]
    if not plain or not rich:
        return rich or plain or alternatives[-1:]
    said = sum(len(part.text) for leaf in _leaves(rich[-1]) if _is_text(leaf) for part in _text_parts(leaf))
    return rich[-1:] if said >= _LEAST_SHARE * sum(len(part.text) for part in _text_parts(plain[0])) else plain[:1]


def _holds(part: Message, kind: str) -> bool:
    return any(inner.get_content_type() == kind for inner in part.walk())


def _is_text(leaf: Message) -> bool:
    is_attached = leaf.get_content_disposition() == "attachment"
    return leaf.get_content_type() in {"text/plain", "text/html"} and not is_attached and not leaf.get_filename()


def _is_shown(leaf: Message) -> bool:
    is_attached = leaf.get_content_disposition() == "attachment"
    return leaf.get_content_maintype() == "image" and leaf.get("Content-ID") is not None and not is_attached


def _text_parts(leaf: Message) -> list[outline.Part]:
    content, declared = _content(leaf), leaf.get_content_charset()
    if leaf.get_content_type() == "text/html":
        return html.parts_of(text.decode(content, declared) or "")
    return text.parts_of(text.decode(content, declared) or "")


def _content(leaf: Message) -> bytes:
    inner = leaf.get_payload()
    if isinstance(inner, list):
        return b"\n".join(part.as_bytes() for part in inner if isinstance(part, Message))
    content = leaf.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _name(leaf: Message) -> str:
    if leaf.get_content_type() == "message/rfc822":
        inner = leaf.get_payload()
        subject = _header(inner[0], "Subject") if isinstance(inner, list) and isinstance(inner[0], Message) else ""
        return f"{clean_line(subject) or 'message'}.eml"
    name = clean_line(_decoded(leaf.get_filename() or ""))
    subtype = re.sub(r"[^a-z0-9]", "", leaf.get_content_subtype())
    return name or f"unnamed.{subtype}"


def _sent(message: Message) -> datetime | None:
    try:
        return parsedate_to_datetime(str(message.get("Date") or ""))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _header(message: Message, name: str) -> str:
    return ", ".join(_decoded(value) for value in message.get_all(name) or [])


def _decoded(value: object) -> str:
    """A header's words; bytes that stand there without an encoding are read by their look."""
    try:
        pieces = decode_header(str(value) if isinstance(value, str) else value)  # type: ignore[arg-type]
    except (HeaderParseError, ValueError):
        pieces = [(str(value), None)]
    return "".join(_piece(piece, charset) for piece, charset in pieces)


def _piece(piece: str | bytes, charset: str | None) -> str:
    content = piece.encode("utf-8", "surrogateescape") if isinstance(piece, str) else piece

    return text.decode(content, charset) or content.decode("utf-8", "replace")


READER = MailParser()
