"""The reader of EPUB books: their chapters in reading order."""

from __future__ import annotations

import posixpath
from datetime import datetime, time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from ...errors import InputFileError
from ..elements import FileProperties, ParsedDocument, ParseNote, ParseNoteKind, ParseOptions
from ..metadata_fields import day_of
from . import html, outline
from .archives import DAMAGED, Container, check
from .lines import clean_line

if TYPE_CHECKING:
    from lxml.etree import _Element

_ANY = "{*}"
_PAGES = {"application/xhtml+xml", "text/html", "application/xml", "text/x-oeb1-document", ""}
_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""Fonts are often scrambled in books that are otherwise free to read."""
_MOST_CHAPTERS = 5_000


class EpubParser:
    """Reads EPUB books; a book's own list of its chapters is left out."""

    media_types = ("application/epub+zip",)

    def parse(self, path: Path, media_type: str, options: ParseOptions) -> ParsedDocument:
        """See `Parser.parse`."""
        check(path, declarations=False)
        try:
            with Container(path) as container:
                return _document(path, media_type, container)
        except DAMAGED as error:
            raise InputFileError(str(path), "is damaged: the book cannot be read; save it again") from error


def _document(path: Path, media_type: str, container: Container) -> ParsedDocument:
    if _is_locked(container):
        raise InputFileError(str(path), "is protected against copying (DRM): add an unprotected edition")
    place = _package_place(container)
    package = container.tree(place) if place else None
    if package is None:
        raise InputFileError(str(path), "is damaged: the book has no list of its chapters; save it again")
    parts: list[outline.Part] = []
    notes: list[ParseNote] = []
    for chapter in _chapters(package, posixpath.dirname(place)):
        content = container.read(chapter)
        if content is None:
            notes.append(ParseNote(kind=ParseNoteKind.UNREAD, detail=f"{chapter}, which is missing in the book"))
            continue
        parts += html.parts_of(html.decode_markup(content) or "")
    properties = _properties(package)
    return outline.finish(
        path,
        media_type,
        parts,
        title=properties.title or None,
        published_at=properties.created.date() if properties.created else None,
        told=outline.Told(notes=notes, properties=properties),
    )


def _is_locked(container: Container) -> bool:
    root = container.tree("META-INF/encryption.xml")
    methods = root.iter(f"{_ANY}EncryptionMethod") if root is not None else ()
    return any(str(method.get("Algorithm")) not in _FONTS for method in methods)


def _package_place(container: Container) -> str:
    root = container.tree("META-INF/container.xml")
    found = root.find(f".//{_ANY}rootfile") if root is not None else None
    return str(found.get("full-path") or "") if found is not None else ""


def _chapters(package: _Element, folder: str) -> list[str]:
    """The places of the chapters in the order of the spine."""
    items = {str(item.get("id")): item for item in package.iter(f"{_ANY}item")}
    chapters = []
    for reference in package.iter(f"{_ANY}itemref"):
        item = items.get(str(reference.get("idref")))
        if item is None or "nav" in str(item.get("properties") or "").split():
            continue
        if str(item.get("media-type") or "") in _PAGES:
            place = unquote(str(item.get("href") or "")).split("#", 1)[0]
            chapters.append(posixpath.normpath(posixpath.join(folder, place)))
    return list(dict.fromkeys(chapters))[:_MOST_CHAPTERS]


def _properties(package: _Element) -> FileProperties:
    def stated(name: str) -> list[str]:
        texts = (clean_line("".join(map(str, found.itertext()))) for found in package.iter(f"{_ANY}{name}"))
        return [text for text in texts if text]

    dates = [day for text in stated("date") if (day := day_of(text))]
    return FileProperties(
        title=next(iter(stated("title")), ""),
        author=", ".join(stated("creator")),
        keywords=tuple(stated("subject")),
        created=datetime.combine(dates[0], time()) if dates else None,
    )


READER = EpubParser()
