"""The reader of Outlook's mails (MSG)."""

from __future__ import annotations

import codecs
import re
import struct
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import InputFileError
from ..elements import ParsedDocument, ParseNote, ParseNoteKind, ParseOptions
from . import html, outline, text
from .attachments import Attachment
from .lines import clean, clean_line
from .mail import Letter, document_of

if TYPE_CHECKING:
    from oxmsg import Message
    from oxmsg.attachment import Attachment as Attached

_DAMAGED: tuple[type[Exception], ...] = (
    OSError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    AssertionError,
    EOFError,
    struct.error,
)
"""What the package raises on damaged mails, its own errors aside."""
_CODE_PAGE, _INTERNET_CODE_PAGE = 0x3FFD, 0x3FDE  # properties of a mail
_UNICODE_TEXT = 0x001F  # the kind of a property
_UTF = {1200, 1201, 65000, 65001}
_TAKEN_FOR = "iso-8859-15"
_WINDOWS = re.compile(r"windows[-_](\d{3,5})")


class OutlookParser:
    """Reads Outlook's mails: people, date, text, attachments."""

    media_types = ("application/vnd.ms-outlook",)

    def parse(self, path: Path, media_type: str, options: ParseOptions) -> ParsedDocument:
        """See `Parser.parse`."""
        from olefile.olefile import OleFileError  # noqa: PLC0415
        from oxmsg import Message  # noqa: PLC0415
        from oxmsg.domain.model import UnrecognizedCodePageError, UnsupportedEncodingError  # noqa: PLC0415

        failures = (*_DAMAGED, OleFileError, UnrecognizedCodePageError, UnsupportedEncodingError)
        _know_windows_names()
        try:
            letter = _letter(Message.load(str(path)))
        except failures as error:
            raise InputFileError(str(path), "is damaged: the mail cannot be read; save it as .eml") from error
        return document_of(path, media_type, letter, options)


def _know_windows_names() -> None:
    """Outlook calls code pages such as Big5 ``windows-950``; Python knows only some of them by such a name."""
    try:
        codecs.lookup("windows-950")
    except LookupError:
        codecs.register(_windows_codec)


def _windows_codec(name: str) -> codecs.CodecInfo | None:
    match = _WINDOWS.fullmatch(name)
    return codecs.lookup(f"cp{match.group(1)}") if match else None


class _Words:
    """Texts of a mail in the right characters.

    Where an old mail states no encoding for its names and texts, the package takes them for Western ones; the encoding
    of its HTML text, or the look of the bytes, tells better.
    """

    def __init__(self, message: Message) -> None:
        properties = list(message.properties)
        self._is_guessed = not any(one.pid == _CODE_PAGE or one.ptyp == _UNICODE_TEXT for one in properties)
        page = message.properties.int_prop_value(_INTERNET_CODE_PAGE)
        self._codec = f"cp{page}" if page and page not in _UTF else None

    def read(self, words: str | None) -> str:
        if not words or words.isascii() or not self._is_guessed:
            return words or ""
        try:
            return text.decode(words.encode(_TAKEN_FOR), self._codec) or words
        except UnicodeEncodeError:
            return words


def _letter(message: Message) -> Letter:
    words = _Words(message)
    attachments: list[Attachment] = []
    notes: list[ParseNote] = []
    for attached in message.attachments:
        content = _bytes_of(attached)
        name = clean_line(words.read(attached.file_name)) or "unnamed"
        if content is None:
            notes.append(ParseNote(kind=ParseNoteKind.UNREAD, detail=f"{name}: is not stored in the mail as a file"))
        else:
            attachments.append(Attachment(name, content))
    to = ", ".join(_person(words.read(one.name), one.email_address) for one in message.recipients)
    return Letter(
        subject=clean_line(words.read(message.subject)),
        people=[("From", clean_line(words.read(message.sender))), ("To", clean_line(to))],
        sent=message.sent_date if isinstance(message.sent_date, datetime) else None,
        body=_body(words.read(message.html_body), clean(words.read(message.body))),
        attachments=attachments,
        pictures=[],
        notes=notes,
    )


def _bytes_of(attached: Attached) -> bytes | None:
    try:
        return attached.file_bytes
    except (KeyError, OSError, AttributeError):
        return None


def _person(name: str, address: str) -> str:
    return name if not address or address == name else f"{name} <{address}>"


def _body(markup: str, plain: str) -> list[outline.Part]:
    """The HTML text where there is one, for its headings and tables."""
    rich = html.parts_of(markup)
    said = sum(len(part.text) for part in rich)
    return rich if said * 2 >= len(plain) and rich else text.parts_of(plain)


READER = OutlookParser()
