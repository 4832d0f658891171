"""The reader of web pages and, by their text alone, of XML files."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from bs4 import BeautifulSoup, MarkupResemblesLocatorWarning, Tag, XMLParsedAsHTMLWarning
from bs4.element import Comment, Declaration, Doctype, NavigableString, ProcessingInstruction

from ...errors import InputFileError
from ..elements import ParsedDocument, ParseOptions
from . import outline
from .archives import parse_xml
from .files import read_bytes, undecodable
from .lines import clean, clean_line
from .tables import Span, place, to_markdown
from .text import decode

_DROPPED = frozenset(
    {"script", "style", "nav", "noscript", "template", "svg", "iframe", "head", "button", "select", "form-menu"}
    | {"audio", "video", "object", "canvas", "map"}
)
_DROPPED_ROLES = frozenset({"navigation", "banner", "contentinfo", "search", "menu", "menubar"})
_BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "caption",
        "center",
        "dd",
        "details",
        "dialog",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "html",
        "li",
        "main",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "ul",
    ]
)
_INVISIBLE = (Comment, Declaration, Doctype, ProcessingInstruction)
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
        self._parts: list[outline.Part] = []
        self._loose: list[str] = []

    def walk(self, root: Tag) -> list[outline.Part]:
        self._children(root, 0)
        self._flush()
        return self._parts

    def _children(self, tag: Tag, depth: int) -> None:
        for child in tag.children:
            if isinstance(child, Tag):
                self._tag(child, depth + 1)
            elif isinstance(child, NavigableString) and not isinstance(child, _INVISIBLE):
                self._loose.append(re.sub(r"\s+", " ", child) if tag.name != "pre" else child)

    def _tag(self, tag: Tag, depth: int) -> None:
        if is_dropped(tag):
            return
        if tag.name == "br":
            self._loose.append("\n")
        elif tag.name not in _BLOCKS and not _holds_blocks(tag):
            self._loose.append(text_of(tag))
        else:
            self._flush()
            self._block(tag, depth)
            self._flush()

    def _block(self, tag: Tag, depth: int) -> None:
        if re.fullmatch("h[1-6]", tag.name):
            self._parts.append(outline.heading(text_of(tag), int(tag.name[1])))
        elif tag.name == "table" and not _is_layout(tag):
            self._table(tag)
        elif tag.name == "li" and not _holds_blocks(tag):
            self._parts.append(outline.item(_number_of(tag) + text_of(tag)))
        elif tag.name == "pre" or depth > _DEEPEST:
            self._parts.append(outline.paragraph(text_of(tag)))
        else:
            if tag.name == "li":
                self._loose.append(_number_of(tag))
            self._children(tag, depth)

    def _table(self, tag: Tag) -> None:
        caption = tag.find("caption")
        if isinstance(caption, Tag):
            self._parts.append(outline.paragraph(text_of(caption)))
        self._parts.append(outline.table(table_markdown(tag)))

    def _flush(self) -> None:
        text = "".join(self._loose)
        self._loose.clear()
        self._parts += [outline.line(line) for line in clean(text).split("\n") if line]


def is_dropped(tag: Tag) -> bool:
    """Whether an element is no part of the readable text: scripts, navigation, what is hidden."""
    style = str(tag.get("style") or "").replace(" ", "").lower()
    return (
        tag.name in _DROPPED
        or str(tag.get("role") or "") in _DROPPED_ROLES
        or tag.has_attr("hidden")
        or "display:none" in style
    )


def text_of(tag: Tag) -> str:
    """The visible text inside an element, line breaks where the page has them."""
    pieces: list[str] = []
    for node in tag.descendants:
        if isinstance(node, Tag):
            if node.name in _BLOCKS or node.name in {"br", "tr"}:
                pieces.append("\n")
        elif isinstance(node, NavigableString) and not isinstance(node, _INVISIBLE) and _is_visible(node, tag):
            pieces.append(str(node) if tag.name == "pre" else re.sub(r"\s+", " ", node))
    return re.sub(r"\n\s*\n+", "\n", clean("".join(pieces)))


def _is_visible(node: NavigableString, root: Tag) -> bool:
    for parent in node.parents:
        if parent is root:
            return True
        if is_dropped(parent):
            return False
    return True


def _holds_blocks(tag: Tag) -> bool:
    return tag.find(_BLOCKS - {"p"} if tag.name == "li" else _BLOCKS) is not None


def _number_of(tag: Tag) -> str:
    """The number that a browser shows before an entry of an ordered list."""
    parent = tag.parent
    if parent is None or parent.name != "ol":
        return ""
    before = sum(1 for sibling in tag.find_previous_siblings("li"))
    return f"{_integer(parent.get('start'), 1) + before}. "


def _is_layout(table: Tag) -> bool:
    """Whether a table only arranges the page: it holds headings or tables, or has a single cell."""
    if table.find("th") is not None:
        return False
    cells = table.find_all("td")
    return len(cells) < 2 or table.find(["table", "h1", "h2", "h3"]) is not None


def table_markdown(table: Tag) -> str:
    """A table as Markdown, spans repeated, several header rows flattened."""
    rows = list(_own_rows(table))
    spans = [[_span(cell, len(rows)) for cell in row.find_all(["td", "th"], recursive=False)] for row in rows]
    return to_markdown(place(spans), _header_rows(rows))


def _own_rows(table: Tag) -> Iterator[Tag]:
    for row in table.find_all("tr"):
        if row.find_parent("table") is table:
            yield row


def _header_rows(rows: list[Tag]) -> int:
    depth = 0
    for row in rows:
        if (row.parent is not None and row.parent.name == "thead") or not row.find_all("td", recursive=False):
            depth += 1
        else:
            break
    return max(depth, 1)


def _span(cell: Tag, most_rows: int) -> Span:
    rows = _integer(cell.get("rowspan"), 1)
    return Span(text_of(cell), most_rows if rows == 0 else rows, _integer(cell.get("colspan"), 1))


def _integer(value: object, otherwise: int) -> int:
    text = str(value or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else otherwise


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
            soup = _soup(text)
            title = clean_line(soup.title.get_text()) if soup.title else None
            parts = _Walker().walk(_main(soup))
            return outline.finish(path, media_type, parts, title=title, published_at=_published(soup))
        except (AssertionError, ValueError) as error:
            raise InputFileError(str(path), f"is damaged: its markup cannot be read ({error})") from error


def _as_utf8(text: str) -> bytes:
    return re.sub(r"^\s*<\?xml[^>]*\?>", "", text).encode("utf-8", "ignore")


READER = HtmlParser()
__all__ = ["READER", "HtmlParser", "parts_of", "table_markdown"]
