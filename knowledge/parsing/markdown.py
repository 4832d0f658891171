"""The reader of Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ..elements import ParsedDocument, ParseOptions
from . import html, outline
from .files import read_bytes, undecodable
from .front_matter import split_front_matter
from .tables import to_markdown
from .text import decode


def inline_text(tokens: Sequence[Token]) -> str:
    """The words of a run of inline markup, without the markup; a picture's description stands for it."""
    pieces: list[str] = []
    for token in tokens:
        if token.type in {"softbreak", "hardbreak"}:
            pieces.append("\n")
        elif token.type == "image":
            pieces.append(token.content)
        elif token.type == "html_inline":
            pieces.append("\n" if re.match(r"<br\b", token.content, re.IGNORECASE) else "")
        else:
            pieces.append(token.content)
    return "".join(pieces)


class _Collector:
    """Walks the flat list of block tokens."""

    def __init__(self) -> None:
        self.parts: list[outline.Part] = []
        self._numbers: list[int | None] = []
        self._label: str | None = None
        self._rows: list[list[str]] = []

    def collect(self, tokens: Sequence[Token]) -> list[outline.Part]:
        opener: Token | None = None
        for token in tokens:
            if token.type == "inline":
                self._inline(opener, inline_text(token.children or []))
            elif token.type in {"fence", "code_block"}:
                self.parts.append(outline.paragraph(token.content))
            elif token.type == "html_block":
                self.parts += html.parts_of(token.content)
            else:
                opener = token
                self._structure(token)
        return self.parts

    def _inline(self, opener: Token | None, text: str) -> None:
        kind = opener.type if opener is not None else ""
        if kind == "heading_open" and opener is not None:
            self.parts.append(outline.heading(text, int(opener.tag[1])))
        elif kind in {"th_open", "td_open"}:
            self._rows[-1].append(text)
        elif self._label is not None:
            self.parts.append(outline.item(self._label + text))
            self._label = None
        else:
            self.parts.append(outline.line(text))

    def _structure(self, token: Token) -> None:
        match token.type:
            case "ordered_list_open":
                self._numbers.append(int(token.attrs.get("start", 1)))
            case "bullet_list_open":
                self._numbers.append(None)
            case "ordered_list_close" | "bullet_list_close":
                self._numbers.pop()
            case "list_item_open":
                self._label = self._next_label(token)
            case "table_open":
                self._rows = []
            case "tr_open":
                self._rows.append([])
            case "table_close":
                self.parts.append(outline.table(to_markdown(self._rows)))
            case _:
                pass

    def _next_label(self, token: Token) -> str:
        number = self._numbers[-1]
        if number is None:
            return ""
        self._numbers[-1] = number + 1
        return f"{number}{token.markup} "


def parts_of(text: str) -> list[outline.Part]:
    """The parts of a Markdown text without front matter."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    return _Collector().collect(tokens)


class MarkdownParser:
    """Reads Markdown with tables and front matter."""

    media_types = ("text/markdown",)

    def parse(self, path: Path, media_type: str, options: ParseOptions) -> ParsedDocument:
        """See `Parser.parse`."""
        text = decode(read_bytes(path))
        if text is None:
            raise undecodable(path)
        front = split_front_matter(text.replace("\r\n", "\n"))
        described = front.described
        return outline.finish(
            path,
            media_type,
            parts_of(front.body),
            title=described.title,
            published_at=described.published_at,
            told=outline.Told(described=described),
        )


READER = MarkdownParser()
