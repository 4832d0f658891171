"""How the lines of a directory are worded for a reader."""

from __future__ import annotations

from typing import NamedTuple

from ..documents import Block, BlockKind
from .models import DirectoryLine

_INDENTS = {"library": 0, "domain": 0, "document": 1, "section": 2, "block": 3}


class Wording(NamedTuple):
    """The words of one language."""

    library: str
    no_domain: str
    documents: str
    blocks: str
    comma: str
    opening: str
    closing: str
    colon: str
    more: str
    page: str
    sheet: str
    table: str


ZH = Wording("文库", "未分领域", "{:,}份文档", "{:,}块", "，", "（", "）", "：", "……另有", "第{}页", "表{}", "表格")
EN = Wording(
    "Library", "without a domain", "{:,} documents", "{:,} blocks", ", ", " (", ")", ": ", "… and", "p. {}", "sheet {}",
    "table",
)  # fmt: skip


def wording(language: str) -> Wording:
    """The words of a language: ``zh``, anything else is English."""
    return ZH if language == "zh" else EN


def place_of(block: Block, words: Wording) -> str:
    """Where a block stands in its document, as its line names it."""
    page = () if block.page_first is None else (words.page.format(block.page_first),)
    table = (words.table,) if block.kind is BlockKind.TABLE else ()
    return words.comma.join((*page, *table)) or f"#{block.ordinal + 1}"


def text_of_line(line: DirectoryLine, words: Wording, number: int | None = None) -> str:
    """A line as a reader sees it.

    Args:
        line: of the directory.
        words: of the reader's language.
        number: of the entry that it stands for, by which a reader can name it; None: it stands for none.
    """
    names_one = line.level == "document" and bool(line.doc_id)
    counts = [words.documents.format(line.documents)] if line.documents and not names_one else []
    counts += [words.blocks.format(line.blocks)] if line.blocks and line.level != "block" else []
    size = words.comma.join(counts)
    label = line.label if number is None else f"[{number}] {line.label}"
    if line.label == words.more:
        head = f"{label}{size}" if words is ZH else f"{label} {size}"
    else:
        head = f"{label}{words.opening}{size}{words.closing}" if size else label
    said = f"{words.colon}{line.summary}" if line.summary else ""
    return f"{'  ' * _INDENTS[line.level]}{head}{said}"
