"""Plain text of any encoding, and the reader of plain text files."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from ..elements import ElementKind, ParsedDocument, ParseOptions
from . import outline
from .encodings import guess_legacy
from .files import read_bytes, undecodable
from .lines import clean, east_asian_share, join_lines
from .numbering import looks_like_title, read_label

_BYTE_ORDER_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it starts with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MOST_CONTROLS = 0.02  # share of control characters above which a file is not text
_MOST_NULLS = 0.05  # share of null bytes that damage or padding leaves in a text; binary files and UTF-16 have more
_FAMILIAR = re.compile(
    "[\t\n\r -~\u00a0-\u024f\u0370-\u04ff\u2010-\u2026\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff00-\uffef]"
)
_RULE = re.compile(r"[\W_]{4,}")  # a line drawn with characters
_WRAPPED_WIDTH = range(40, 110)  # characters per line that mail, terminals and editors wrap English text at


def decode(content: bytes, declared: str | None = None, *, cut: bool = False) -> str | None:
    """The text in a file's bytes, or None if they are not text.

    In order: byte order mark, UTF-8, what the file declares, UTF-16 or UTF-32 without a mark, Chinese and other
    legacy encodings by their frequent characters. A few null bytes between them are left out.

    Args:
        cut: the content may end in the middle of a character.
    """
    for mark, marked in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(marked, "replace")
    for codec in ("utf-8", _wider(declared)):
        text = _strictly(content, codec, cut)
        if text is not None and "\x00" not in text:
            return text if _is_text(text) else None
    text = _without_mark(content) if b"\x00" in content else guess_legacy(content)
    if text is not None:
        return text if _is_text(text) else None
    few = 0 < content.count(0) <= _MOST_NULLS * len(content)
    return decode(content.replace(b"\x00", b""), declared, cut=cut) if few else None


def _wider(declared: str | None) -> str | None:
    """GB18030 contains GB2312 and GBK, whose names web pages use for it."""
    name = (declared or "").strip().lower().replace("_", "-")
    return "gb18030" if name in {"gb2312", "gbk", "gb-2312", "x-gbk"} else name or None


def _strictly(content: bytes, codec: str | None, cut: bool) -> str | None:
    if not codec:
        return None
    try:
        decoder = codecs.getincrementaldecoder(codec)("strict")
        return decoder.decode(content, final=not cut)
    except (UnicodeDecodeError, LookupError):
        return None


def _without_mark(content: bytes) -> str | None:
    best: tuple[float, str] = (0.0, "")
    for codec in ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be"):
        text = content.decode(codec, "replace")
        familiar = len(_FAMILIAR.findall(text)) / max(len(text), 1)
        best = max(best, (familiar, text), key=lambda pair: pair[0])
    return best[1] if best[0] >= 0.9 else None


def _is_text(text: str) -> bool:
    controls = sum(1 for character in text[:65_536] if character < " " and character not in "\t\n\r\f\x0b\x1a\x1b")
    return controls <= _MOST_CONTROLS * max(len(text[:65_536]), 1)


def parts_of(text: str) -> list[outline.Part]:
    """Headings, list items and paragraphs of a text without markup."""
    parts: list[outline.Part] = []
    for block in re.split(r"\n\s*\n|\f", clean(text)):
        lines = [line for line in block.split("\n") if line and not _RULE.fullmatch(line)]
        if _is_wrapped(lines):
            parts += [outline.line(paragraph) for paragraph in _unwrap(lines)]
        else:
            parts += [outline.line(line) for line in lines]
    return _with_title(parts)


def _is_wrapped(lines: list[str]) -> bool:
    """Whether the lines of a block are pieces of paragraphs: English, of even length, mostly without an end."""
    if len(lines) < 2 or east_asian_share("".join(lines)) > 0.3:
        return False
    widest = max(map(len, lines))
    inner = lines[:-1]
    full = sum(1 for line in inner if len(line) > 0.6 * widest and not line.endswith((":", ";")))
    return widest in _WRAPPED_WIDTH and full >= 0.7 * len(inner)


def _unwrap(lines: list[str]) -> list[str]:
    paragraphs: list[list[str]] = [[]]
    for line in lines:
        if paragraphs[-1] and read_label(line) is not None:
            paragraphs.append([])
        paragraphs[-1].append(line)
    return [join_lines(paragraph) for paragraph in paragraphs]


def _with_title(parts: list[outline.Part]) -> list[outline.Part]:
    """The first line becomes the document's title if it reads like one and more follows."""
    if len(parts) < 2 or parts[0].kind is not ElementKind.PARAGRAPH or "\n" in parts[0].text:
        return parts
    first = parts[0]
    if looks_like_title(first.text) and any(map(str.isalpha, first.text)) and read_label(first.text) is None:
        return [outline.heading(first.text, 1, first.page), *parts[1:]]
    return parts


class TextParser:
    """Reads plain text: a line or a wrapped paragraph is an element, labels make headings."""

    media_types = ("text/plain",)

    def parse(self, path: Path, media_type: str, options: ParseOptions) -> ParsedDocument:
        """See `Parser.parse`."""
        text = decode(read_bytes(path))
        if text is None:
            raise undecodable(path)
        return outline.finish(path, media_type, parts_of(text))


READER = TextParser()
