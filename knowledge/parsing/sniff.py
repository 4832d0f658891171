"""Finds out what a file is: by its content first; the suffix only decides where content cannot."""

from __future__ import annotations

import re
import struct
import zipfile
from pathlib import Path

from ...errors import InputFileError
from .text import decode
from .zip_bounds import BROKEN, lists_too_much

_HEAD_BYTES = 65_536
_OLE_SEARCH_BYTES = 64 * 1024 * 1024

OOXML = "application/vnd.openxmlformats-officedocument."
DOCX = OOXML + "wordprocessingml.document"
XLSX = OOXML + "spreadsheetml.sheet"
PPTX = OOXML + "presentationml.presentation"
XLSB = "application/vnd.ms-excel.sheet.binary.macroenabled.12"
PDF = "application/pdf"
HTML = "text/html"
XML = "application/xml"
MARKDOWN = "text/markdown"
CSV = "text/csv"
PLAIN = "text/plain"
RTF = "application/rtf"
JSON = "application/json"
JSON_LINES = "application/jsonl"
SUBRIP = "application/x-subrip"
WEBVTT = "text/vtt"
EPUB = "application/epub+zip"
ODT = "application/vnd.oasis.opendocument.text"
ODS = "application/vnd.oasis.opendocument.spreadsheet"
ODP = "application/vnd.oasis.opendocument.presentation"
OTT = ODT + "-template"
IWORK = "application/vnd.apple.iwork"
TAR = "application/x-tar"
ZIP = "application/zip"
EMAIL = "message/rfc822"
OUTLOOK = "application/vnd.ms-outlook"
DOC = "application/msword"
XLS = "application/vnd.ms-excel"
PPT = "application/vnd.ms-powerpoint"
ENCRYPTED_OFFICE = "application/x-encrypted-office"
UNKNOWN = "application/octet-stream"

_ZIP_MARKS = (b"PK\x03\x04", b"PK\x05\x06")
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"{\\rtf", RTF),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF8", "image/gif"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"BZh", "application/x-bzip2"),
    (b"\xfd7zXZ\x00", "application/x-xz"),
    (b"(\xb5/\xfd", "application/zstd"),
    (b"WEBVTT", WEBVTT),
    (b"\xef\xbb\xbfWEBVTT", WEBVTT),
    (b"ID3", "audio/mpeg"),
    (b"\x09\x08\x10\x00\x00\x06\x05\x00", XLS),
    (b"\x09\x04\x06\x00", XLS),
    (b"\x09\x02\x06\x00", XLS),
    (b"\x09\x00\x04\x00", XLS),
)

# Names of streams in the old Office container; the first that is found decides.
_OLE_STREAMS: tuple[tuple[str, str], ...] = (
    ("EncryptedPackage", ENCRYPTED_OFFICE),
    ("__properties_version1.0", OUTLOOK),
    ("WordDocument", DOC),
    ("PowerPoint Document", PPT),
    ("Workbook", XLS),
    ("Book", XLS),
)

_TEXT_SUFFIXES: dict[str, str] = {
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".csv": CSV,
    ".tsv": CSV,
    ".htm": HTML,
    ".html": HTML,
    ".xhtml": HTML,
    ".xml": XML,
    ".eml": EMAIL,
    ".mht": EMAIL,
    ".mhtml": EMAIL,
    ".json": JSON,
    ".ipynb": JSON,
    ".jsonl": JSON_LINES,
    ".ndjson": JSON_LINES,
    ".srt": SUBRIP,
    ".vtt": WEBVTT,
}

_MAIL_HEADER = re.compile(r"(?:Return-Path|Received|From|To|Subject|Date|Message-ID|MIME-Version|Delivered-To): ", re.I)
_HTML_START = re.compile(
    # Possessive: a comment that has ended is not tried again as the beginning of a longer one.
    r"\s*+(?:<\?xml[^>]*+\?>\s*+)?(?:(?><!--.*?-->)\s*+)*+<(?:!doctype\s+html|html|head|body)\b",
    re.I | re.S,
)
_XML_START = re.compile(r"\s*<\?xml\s", re.I)


def has_zip_mark(path: Path) -> bool:
    """Whether a file begins as ZIP containers do.

    Raises:
        OSError: it cannot be opened.
    """
    with path.open("rb") as file:
        return file.read(4) in _ZIP_MARKS


def media_type_of(path: Path) -> str:
    """The media type of a file's content.

    Raises:
        InputFileError: if the file is empty or cannot be opened.
    """
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError as error:
        raise InputFileError(str(path), f"cannot be opened: {error.strerror or error}") from error
    if not head.strip(b"\x00 \t\r\n\xef\xbb\xbf"):
        raise InputFileError(str(path), "nothing to index: the file is empty")
    if b"%PDF-" in head[:1024]:
        return PDF
    if head.startswith(_ZIP_MARKS):
        return _zip_type(path)
    if head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        return _ole_type(path)
    known = next((media_type for magic, media_type in _MAGIC if head.startswith(magic)), None)
    return known or _framed_type(head) or _text_type(head, path.suffix.lower())


def _framed_type(head: bytes) -> str | None:
    """Kinds whose mark alone is too short, or stands farther inside."""
    if head[257:262] == b"ustar":
        return TAR
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "image/webp"
    # Two letters, but then a size and two words that are always nought.
    if head.startswith(b"BM") and head[6:10] == bytes(4) and len(head) > 26:
        return "image/bmp"
    return None


def _zip_type(path: Path) -> str:
    try:
        if lists_too_much(path):
            raise InputFileError(str(path), "lists far more files than are read: unpack it and add what you need")
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            declared = _declared(archive) if "mimetype" in names else b""
    except BROKEN as error:
        raise InputFileError(str(path), "is damaged: its zip container cannot be read; save it again") from error
    if declared:
        return declared.decode("ascii", "replace").strip()
    return _ooxml_type(names)


def _declared(archive: zipfile.ZipFile) -> bytes:
    with archive.open("mimetype") as member:
        return member.read(100)


def _ooxml_type(names: set[str]) -> str:
    plain = {name.replace("\\", "/").lower().lstrip("/") for name in names}
    if "xl/workbook.bin" in plain:
        return XLSB
    folders = {name.split("/", 1)[0] for name in plain if "/" in name}
    for folder, media_type in (("word", DOCX), ("xl", XLSX), ("ppt", PPTX)):
        if folder in folders and "[content_types].xml" in plain:
            return media_type
    if "index/document.iwa" in plain or "index.zip" in plain:
        return IWORK
    return ZIP


def _ole_type(path: Path) -> str:
    """By the streams at the top of the container; those further inside belong to embedded objects."""
    from olefile import OleFileIO  # noqa: PLC0415
    from olefile.olefile import OleFileError  # noqa: PLC0415

    try:
        with OleFileIO(str(path)) as container:
            found = next((kind for stream, kind in _OLE_STREAMS if container.exists(stream)), None)
    except (OleFileError, OSError, ValueError, LookupError, TypeError, struct.error):
        found = None
    return found or _damaged_ole_type(path)


def _damaged_ole_type(path: Path) -> str:
    with path.open("rb") as file:
        content = file.read(_OLE_SEARCH_BYTES)
    for stream, media_type in _OLE_STREAMS:
        if stream.encode("utf-16-le") in content:
            return media_type
    return "application/x-ole-storage"


def _text_type(head: bytes, suffix: str) -> str:
    text = decode(head, cut=True)
    if text is None:
        return UNKNOWN
    if _HTML_START.match(text):
        return HTML
    if suffix == ".eml" or len(_MAIL_HEADER.findall("\n".join(text.lstrip().splitlines()[:6]))) >= 3:
        return EMAIL
    if _XML_START.match(text):
        return XML
    return _TEXT_SUFFIXES.get(suffix, PLAIN)
