"""The reader of OpenDocument texts, sheets and slides (ODT, ODS, ODP)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import InputFileError
from ..elements import FileProperties, ParsedDocument, ParseNote, ParseNoteKind, ParseOptions
from . import outline
from .archives import DAMAGED, Container, check
from .lines import clean, clean_line
from .opendocument_lists import STYLE, TEXT, Level, label, levels_of, positive
from .opendocument_tables import TABLE, Cells, table_part
from .opendocument_text import DRAW, PRESENTATION, flat_text

if TYPE_CHECKING:
    from lxml.etree import _Element

OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_ANY = "{*}"
_LEFT_OUT = {
    f"{TEXT}tracked-changes",
    f"{TEXT}table-of-content",
    f"{TEXT}illustration-index",
    f"{TEXT}table-index",
    f"{TEXT}alphabetical-index",
    f"{OFFICE}forms",
    f"{TEXT}sequence-decls",
    f"{TEXT}variable-decls",
    f"{OFFICE}annotation",
    f"{PRESENTATION}notes",
}
_ENCRYPTED = "is encrypted: save it without a password and add it again"
_DEEPEST = 100


class OpenDocumentParser:
    """Reads OpenDocument texts, spreadsheets and presentations."""

    media_types = (
        "application/vnd.oasis.opendocument.text",
        "application/vnd.oasis.opendocument.spreadsheet",
        "application/vnd.oasis.opendocument.presentation",
        "application/vnd.oasis.opendocument.text-template",
    )

    def parse(self, path: Path, media_type: str, options: ParseOptions) -> ParsedDocument:
        """See `Parser.parse`."""
        check(path, declarations=False)
        try:
            with Container(path) as container:
                manifest = container.read("META-INF/manifest.xml") or b""
                if b"encryption-data" in manifest or b"encrypted-package" in manifest:
                    raise InputFileError(str(path), _ENCRYPTED)
                content, styles = container.tree("content.xml"), container.tree("styles.xml")
                properties = _properties(container.tree("meta.xml"))
        except DAMAGED as error:
            raise InputFileError(str(path), "is damaged: its parts cannot be read; save it again") from error
        body = content.find(f"{OFFICE}body") if content is not None else None
        if content is None or body is None:
            raise InputFileError(str(path), "is damaged: it has no text; save it again in an office program")
        walker = _Walker([root for root in (styles, content) if root is not None], options)
        parts = walker.walk(body)
        told = outline.Told(notes=walker.notes, properties=properties)
        return outline.finish(path, media_type, parts, title=walker.title or None, pages=walker.page, told=told)


class _Walker:
    """Collects the parts of a document's body."""

    def __init__(self, roots: list[_Element], options: ParseOptions) -> None:
        self.notes: list[ParseNote] = []
        self.title = ""
        self.page: int | None = None
        self._parts: list[outline.Part] = []
        self._cells = Cells(options.most_cells)
        self._lists: dict[str, dict[int, Level]] = {}
        self._parents: dict[str, str] = {}
        self._hidden: set[str] = set()
        self._outline: dict[int, Level] = {}
        self._heading_counts: list[int] = []
        for root in roots:
            self._learn(root)

    def _learn(self, root: _Element) -> None:
        for style in root.iter(f"{TEXT}list-style"):
            self._lists[str(style.get(f"{STYLE}name"))] = levels_of(style)
        for style in root.iter(f"{TEXT}outline-style"):
            self._outline = levels_of(style)
        for style in root.iter(f"{STYLE}style"):
            name = str(style.get(f"{STYLE}name"))
            self._parents[name] = str(style.get(f"{STYLE}parent-style-name") or "")
            shown = style.find(f"{STYLE}table-properties")
            if shown is not None and shown.get(f"{TABLE}display") == "false":
                self._hidden.add(name)

    def walk(self, body: _Element) -> list[outline.Part]:
        self._children(body, 0)
        return self._parts

    def _children(self, parent: _Element, depth: int) -> None:
        for child in parent:
            if isinstance(child.tag, str) and child.tag not in _LEFT_OUT and depth < _DEEPEST:
                self._element(child, depth)

    def _element(self, element: _Element, depth: int) -> None:
        match element.tag:
            case tag if tag == f"{TEXT}h":
                self._heading(element)
            case tag if tag == f"{TEXT}p":
                self._paragraph(element, depth)
            case tag if tag == f"{TEXT}list":
                self._list(element, [], str(element.get(f"{TEXT}style-name") or ""))
            case tag if tag == f"{TABLE}table":
                self._table(element)
            case tag if tag == f"{DRAW}page":
                self.page = (self.page or 0) + 1
                self._children(element, depth + 1)
            case tag if tag == f"{DRAW}frame" and element.get(f"{PRESENTATION}class") == "title":
                text = flat_text(element)
                self._parts.append(outline.heading(text, 1, self.page))
            case _:
                self._children(element, depth + 1)

    def _heading(self, element: _Element) -> None:
        text = clean_line(flat_text(element))
        level = min(positive(element.get(f"{TEXT}outline-level")), outline.DEEPEST_LEVEL)
        if not text:
            return
        counts = [*self._heading_counts, *[0] * 10][:level]
        counts[-1] += 1
        self._heading_counts = counts
        number = (
            "" if element.get(f"{TEXT}is-list-header") == "true" else label(self._outline, [c or 1 for c in counts])
        )
        self._parts.append(outline.heading(number + text, level, self.page))

    def _paragraph(self, element: _Element, depth: int) -> None:
        text = clean(flat_text(element))
        style = self._style_chain(str(element.get(f"{TEXT}style-name") or ""))
        if "Title" in style and text and not self.title:
            self.title = clean_line(text)
            self._parts.append(outline.heading(text, 1, self.page))
        elif text:
            self._parts.append(outline.line(text, self.page))
        for box in element.iter(f"{DRAW}text-box"):
            if next(box.iterancestors(f"{TEXT}p"), None) is element:
                self._children(box, depth + 1)

    def _style_chain(self, name: str) -> set[str]:
        chain: set[str] = set()
        while name and name not in chain:
            chain.add(name)
            name = self._parents.get(name, "")
        return chain

    def _list(self, element: _Element, counts: list[int], style: str) -> None:
        levels = self._lists.get(style, {})
        depth = len(counts) + 1
        count = levels[depth].start - 1 if depth in levels else 0
        for entry in element:
            if entry.tag == f"{TEXT}list-header":
                self._children(entry, 1)
            if entry.tag != f"{TEXT}list-item":
                continue
            start = str(entry.get(f"{TEXT}start-value") or "")
            count = int(start) if start.isascii() and start.isdigit() else count + 1
            self._entry(entry, [*counts, count], style)

    def _entry(self, entry: _Element, counts: list[int], style: str) -> None:
        number = label(self._lists.get(style, {}), counts)
        for child in entry:
            if child.tag == f"{TEXT}list" and len(counts) < _DEEPEST:
                self._list(child, counts, str(child.get(f"{TEXT}style-name") or style))
            elif child.tag == f"{TEXT}h":
                self._heading(child)
            elif child.tag == f"{TEXT}p":
                text = clean(flat_text(child))
                if text:
                    self._parts.append(outline.item(number + text, self.page))
                    number = ""
            elif isinstance(child.tag, str):
                self._children(child, 1)

    def _table(self, element: _Element) -> None:
        name = str(element.get(f"{TABLE}name") or "")
        is_sheet = next(element.iterancestors(f"{OFFICE}spreadsheet"), None) is not None
        if is_sheet:
            self.page = (self.page or 0) + 1
            self._parts.append(outline.heading(name, 1, self.page))
            if self._style_chain(str(element.get(f"{TABLE}style-name") or "")) & self._hidden:
                self.notes.append(ParseNote(kind=ParseNoteKind.HIDDEN, detail=name, page=self.page))
        part = table_part(element, self._cells, self.page)
        if part.text:
            self._parts.append(part)
        elif is_sheet:
            self._parts.pop()
        if self._cells.is_exhausted:
            self.notes.append(ParseNote(kind=ParseNoteKind.CUT_SHORT, detail=name, page=self.page))


def _properties(meta: _Element | None) -> FileProperties:
    if meta is None:
        return FileProperties()

    def stated(name: str) -> Iterator[str]:
        for found in meta.iter(f"{_ANY}{name}"):
            text = clean_line("".join(map(str, found.itertext())))
            if text:
                yield text

    return FileProperties(
        title=next(stated("title"), ""),
        author=next(stated("initial-creator"), next(stated("creator"), "")),
        subject=next(stated("subject"), ""),
        keywords=tuple(stated("keyword")),
        created=_moment(next(stated("creation-date"), "")),
        modified=_moment(next(stated("date"), "")),
    )


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


READER = OpenDocumentParser()
