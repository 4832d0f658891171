"""The reader of web pages and, by their text alone, of XML files."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from bs4 import BeautifulSoup, MarkupResemblesLocatorWarning, Tag, XMLParsedAsHTMLWarning
from bs4.element import NavigableString

from ...errors import InputFileError
from ..elements import Doubt, Furniture, ParsedDocument, ParseOptions
from . import outline
from .archives import parse_xml
from .files import read_bytes, undecodable
from .front_matter import described_by_page, split_front_matter
from .html_tables import is_layout, nested_tables, read_table, table_markdown
from .html_text import BLOCKS, INVISIBLE, furniture_kind, integer, is_dropped, text_of
from .lines import clean, clean_line
from .table_units import carry_units
from .text import decode

_DEEPEST = 200  # levels of elements after which what is inside is read as one text
_CHARSET = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9_\-:]+)""")


def decode_markup(content: bytes) -> str | None:
    """The text of a page in its declared encoding, if that fits, or in the one that its bytes show."""
    declared = _CHARSET.search(content[:4096])
    return decode(content, declared.group(1).decode("ascii") if declared else None)


def parts_of(markup: str) -> list[outline.Part]:
    """Headings, paragraphs, list items and tables of a page's main content."""
    soup = _soup(markup)
    return _Walker().walk(_main(soup))


def _soup(markup: str) -> BeautifulSoup:
    """The tree of a page; that it may look like XML or like a file name is no concern here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        warnings.simplefilter("ignore", MarkupResemblesLocatorWarning)
        return BeautifulSoup(markup, "lxml")


def _main(soup: BeautifulSoup) -> Tag:
    """The one element that is marked as the main content, if it holds most of the text; else everything."""
    marked = soup.find_all(["main", "article"])
    body = soup.body or soup
    if len(marked) == 1 and isinstance(marked[0], Tag):
        return marked[0] if len(marked[0].get_text()) * 2 > len(body.get_text()) else body
    return body


class _Walker:
    """Collects the parts of a tree; loose text between block elements becomes paragraphs."""

    def __init__(self) -> None:
        self.furniture: list[Furniture] = []
        self._parts: list[outline.Part] = []
        self._loose: list[str] = []
        self._numbers: dict[int, int] = {}

    def walk(self, root: Tag) -> list[outline.Part]:
        self._children(root, 0)
        self._flush()
        return self._parts

    def _children(self, tag: Tag, depth: int) -> None:
        for child in tag.children:
            if isinstance(child, Tag):
                self._tag(child, depth + 1)
            elif isinstance(child, NavigableString) and not isinstance(child, INVISIBLE):
                self._loose.append(re.sub(r"\s+", " ", child) if tag.name != "pre" else child)

    def _tag(self, tag: Tag, depth: int) -> None:
        kind = furniture_kind(tag)
        if kind is not None:
            text = clean(tag.get_text(" "))
            self.furniture += [Furniture(kind=kind, text=re.sub(r"\s*\n\s*", "\n", text))] if text else []
        if kind is not None or is_dropped(tag):
            return
        if tag.name == "br":
            self._loose.append("\n")
        elif tag.name not in BLOCKS and not _holds_blocks(tag):
            self._loose.append(text_of(tag))
        else:
            self._flush()
            self._block(tag, depth)
            self._flush()

    def _block(self, tag: Tag, depth: int) -> None:
        if re.fullmatch("h[1-6]", tag.name):
            self._parts.append(outline.heading(text_of(tag), int(tag.name[1])))
        elif tag.name == "table" and not is_layout(tag):
            self._table(tag)
        elif tag.name == "table":
            self._arranged(tag, depth)
        elif tag.name == "li" and not _holds_blocks(tag):
            self._parts.append(outline.item(self._number_of(tag) + text_of(tag)))
        elif tag.name == "pre" or depth > _DEEPEST:
            self._parts.append(outline.paragraph(text_of(tag)))
        else:
            if tag.name == "li":
                self._loose.append(self._number_of(tag))
            self._children(tag, depth)

    def _number_of(self, tag: Tag) -> str:
        """The number that a browser shows before an entry of an ordered list."""
        parent = tag.parent
        if parent is None or parent.name != "ol":
            return ""
        if id(tag) not in self._numbers:  # All of a list at once: lists have tens of thousands of entries.
            entries = enumerate(parent.find_all("li", recursive=False), integer(parent.get("start"), 1))
            self._numbers.update({id(entry): number for number, entry in entries})
        return f"{self._numbers[id(tag)]}. "

    def _table(self, tag: Tag) -> None:
        caption = tag.find("caption")
        if isinstance(caption, Tag):
            self._parts.append(outline.paragraph(text_of(caption)))
        table = read_table(tag)
        self._parts.append(outline.table(table.markdown)._replace(doubt=table.doubt))
        self._parts += [outline.table(i.markdown)._replace(doubt=i.doubt) for i in nested_tables(tag)]

    def _arranged(self, tag: Tag, depth: int) -> None:
        """What is in the cells of a table that only arranges the page; a row of short ones in a line."""
        start = len(self._parts)
        cells = [cell for cell in tag.find_all(["td", "th"]) if cell.find_parent("table") is tag]
        in_line = len(list(tag.find_all("tr"))) == 1 and not any(map(_holds_blocks, cells))
        for cell in cells:
            if is_dropped(cell):
                continue
            self._children(cell, depth + 1)
            self._loose.append(" ")
            if not in_line:
                self._flush()
        self._flush()
        arranged = self._parts[start:]
        self._parts[start:] = [part._replace(doubt=part.doubt or Doubt.LAYOUT) for part in arranged]

    def _flush(self) -> None:
        text = "".join(self._loose)
        self._loose.clear()
        self._parts += [outline.line(line) for line in clean(text).split("\n") if line]


def _holds_blocks(tag: Tag) -> bool:
    return tag.find(BLOCKS - {"p"} if tag.name == "li" else BLOCKS) is not None


def _published(soup: BeautifulSoup) -> date | None:
    for name in ("article:published_time", "pubdate", "publishdate", "date", "dc.date"):
        tag = soup.find("meta", attrs={"property": name}) or soup.find("meta", attrs={"name": name})
        match = re.match(r"(\d{4})-(\d{2})-(\d{2})", str(tag.get("content") or "")) if isinstance(tag, Tag) else None
        if match:
            try:
                return date(*map(int, match.groups()))
            except ValueError:
                continue
    return None


def _xml_parts(content: bytes) -> list[outline.Part]:
    """The texts of an XML file in their order; markup inside a text is read as a page is."""
    root = parse_xml(content)
    parts: list[outline.Part] = []
    for element in root.iter() if root is not None else ():
        text = (element.text or "") if isinstance(element.tag, str) else ""
        for piece in (text, element.tail or ""):
            if "</" in piece:
                parts += parts_of(piece)
            elif piece.strip():
                parts.append(outline.line(piece))
    return parts


class HtmlParser:
    """Reads web pages and XML."""

    media_types = ("text/html", "application/xml")

    def parse(self, path: Path, media_type: str, options: ParseOptions) -> ParsedDocument:
        """See `Parser.parse`."""
        content = read_bytes(path)
        text = decode_markup(content)
        if text is None:
            raise undecodable(path)
        try:
            if media_type == "application/xml":
                return outline.finish(path, media_type, _xml_parts(_as_utf8(text)))
            front = split_front_matter(text.replace("\r\n", "\n"))
            soup = _soup(front.body)
            title = clean_line(soup.title.get_text()) if soup.title else None
            walker = _Walker()
            parts = carry_units(walker.walk(_main(soup)))
            told = outline.Told(furniture=walker.furniture, described=described_by_page(front, _metas(soup)))
            return outline.finish(path, media_type, parts, title=title, published_at=_published(soup), told=told)
        except (AssertionError, ValueError) as error:
            raise InputFileError(str(path), f"is damaged: its markup cannot be read ({error})") from error


def _metas(soup: BeautifulSoup) -> Iterator[tuple[str, str]]:
    for tag in soup.find_all("meta"):
        yield str(tag.get("name") or tag.get("property") or ""), str(tag.get("content") or "")


def _as_utf8(text: str) -> bytes:
    return re.sub(r"^\s*<\?xml[^>]*\?>", "", text).encode("utf-8", "ignore")


READER = HtmlParser()
__all__ = ["READER", "HtmlParser", "parts_of", "table_markdown"]
