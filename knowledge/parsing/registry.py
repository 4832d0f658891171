"""Which reader reads which media type; a reader's module is imported when its first file comes."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import cast

from ...errors import InputFileError, MissingExtraError
from ..elements import ParsedDocument, ParseOptions, Parser
from . import decryption, sniff
from .pictures_inside import with_pictures

_READERS: dict[str, str] = {
    sniff.PDF: "pdf",
    sniff.DOCX: "docx",
    sniff.XLSX: "xlsx",
    sniff.PPTX: "pptx",
    sniff.HTML: "html",
    sniff.XML: "html",
    sniff.MARKDOWN: "markdown",
    sniff.CSV: "csv",
    sniff.PLAIN: "text",
    sniff.RTF: "rtf",
    sniff.JSON: "json",
    sniff.JSON_LINES: "json",
    sniff.SUBRIP: "subtitles",
    sniff.WEBVTT: "subtitles",
    sniff.EMAIL: "mail",
    sniff.OUTLOOK: "outlook",
    sniff.EPUB: "epub",
    sniff.ODT: "opendocument",
    sniff.OTT: "opendocument",
    sniff.ODS: "opendocument",
    sniff.ODP: "opendocument",
    sniff.DOC: "legacy_office",
    sniff.XLS: "legacy_office",
    sniff.PPT: "legacy_office",
    sniff.XLSB: "legacy_office",
    "image/jpeg": "pictures",
    "image/png": "pictures",
    "image/tiff": "pictures",
    "image/gif": "pictures",
    "image/bmp": "pictures",
    "image/webp": "pictures",
}
_UNSTRUCTURED = "unstructured"
_UNSTRUCTURED_MODULE = "unstructured_reader"

_TEXT_SUFFIXES = frozenset(
    {".md", ".markdown", ".txt", ".text", ".log", ".rst", ".csv", ".tsv", ".html", ".htm", ".xhtml", ".xml"}
    | {".json", ".jsonl", ".ndjson", ".ipynb", ".srt", ".vtt", ".eml", ".mht", ".mhtml"}
)
_OFFICE_SUFFIXES = frozenset(
    {".pdf", ".docx", ".docm", ".dotx", ".xlsx", ".xlsm", ".xltx", ".pptx", ".pptm", ".ppsx", ".rtf", ".epub", ".msg"}
    | {".odt", ".ott", ".ods", ".odp", ".doc", ".dot", ".xls", ".xlsb", ".ppt", ".pps", ".wps", ".et", ".dps"}
)
_PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".tif", ".tiff", ".gif", ".bmp", ".webp"})

_ARCHIVE = "is an archive: unpack it and add the files inside"
_ZIP = "is an archive, not a document: add it whole and each file inside becomes one, or unpack it"
_REFUSALS: tuple[tuple[str, str], ...] = (
    ("image/", "is a kind of picture that is not read: save it as PNG and add that"),
    ("audio/", "is a sound file: add its transcript instead"),
    ("video/", "is a film: add its transcript instead"),
    (sniff.ZIP, _ZIP),
    (sniff.TAR, _ARCHIVE),
    ("application/x-7z", _ARCHIVE),
    ("application/vnd.rar", _ARCHIVE),
    ("application/gzip", _ARCHIVE),
    ("application/x-bzip2", _ARCHIVE),
    ("application/x-xz", _ARCHIVE),
    ("application/zstd", _ARCHIVE),
    (sniff.IWORK, "is an Apple iWork file: export it as .docx, .xlsx, .pptx or PDF and add that"),
)


def supported_suffixes() -> frozenset[str]:
    """File name endings, with dot and in lower case, worth trying when a folder is added.

    The content decides in the end. The old Office formats need the program LibreOffice, pictures the extra ``ocr``.
    """
    return _TEXT_SUFFIXES | _OFFICE_SUFFIXES | _PICTURE_SUFFIXES


def reader_for(media_type: str) -> Parser | None:
    """This package's own reader of a media type, or None if there is none."""
    module = _READERS.get(media_type)
    return None if module is None else _load(module)


def unstructured_reader() -> Parser:
    """The reader that goes by way of the optional package `unstructured`."""
    return _load(_UNSTRUCTURED_MODULE)


def _load(module: str) -> Parser:
    return cast(Parser, import_module(f".{module}", __package__).READER)


def parse_file(path: Path, name: str | None = None, options: ParseOptions | None = None) -> ParsedDocument:
    """Read one file of any kind.

    Args:
        path: the file.
        name: how errors call the file; its path if not given.
        options: how it is to be read.

    Raises:
        InputFileError: if the file cannot be read: the reason says why and what to do. Also where only an
            optional part is missing; that `MissingExtraError` is then its cause.
    """
    try:
        return _parse(path, options or ParseOptions())
    except InputFileError as error:
        raise InputFileError(name or str(path), error.reason) from error.__cause__
    except MissingExtraError as error:
        raise InputFileError(name or str(path), f"is not read: {error}") from error
    except RecursionError as error:
        raise InputFileError(name or str(path), "is nested too deeply: save it anew in another program") from error
    except MemoryError as error:
        raise InputFileError(name or str(path), "is too large for the memory of this machine: split it") from error


def _parse(path: Path, options: ParseOptions) -> ParsedDocument:
    media_type = sniff.media_type_of(path)
    if media_type == sniff.ENCRYPTED_OFFICE:
        return _parse_encrypted(path, options)
    if options.readers.get(path.suffix.lower()) == _UNSTRUCTURED and media_type in unstructured_reader().media_types:
        return unstructured_reader().parse(path, media_type, options).model_copy(update={"reader": _UNSTRUCTURED})
    reader = reader_for(media_type)
    if reader is not None:
        parsed = with_pictures(path, media_type, lambda: reader.parse(path, media_type, options), options)
        return parsed if parsed.reader else parsed.model_copy(update={"reader": _READERS[media_type]})
    reason = next((text for prefix, text in _REFUSALS if media_type.startswith(prefix)), None)
    raise InputFileError(
        str(path), reason or f"has no reader: it is of the kind {media_type}; save it as PDF or text and add that"
    )


def _parse_encrypted(path: Path, options: ParseOptions) -> ParsedDocument:
    """A document of the new Office formats in its encrypted wrapping."""
    with decryption.opened(path, options.passwords) as plain:
        if plain == path or sniff.media_type_of(plain) == sniff.ENCRYPTED_OFFICE:
            raise InputFileError(str(path), decryption.UNKNOWN)
        return _parse(plain, options)
