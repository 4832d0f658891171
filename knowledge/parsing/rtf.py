"""The reader of RTF: its text and tables; headings are told by their labels alone."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from pathlib import Path

from ...errors import InputFileError
from ..elements import ParsedDocument, ParseOptions
from . import outline, text
from .files import read_bytes
from .tables import to_markdown

_ROW, _ROW_END, _CELL = "\ue000", "\ue001", "\ue002"
_PLAIN, _LEFTWARDS, _UPWARDS = "\ue003", "\ue004", "\ue005"
"""Private characters that carry the structure of tables through the conversion; the last three, one for each cell of a
row, say whether a cell is joined to the one on its left or above."""
_MARKS = re.compile(r"\\(trowd|row|cellx-?\d*|cell|clmrg|clvmrg|nestrow|nestcell)(?![a-z0-9])[ ]?")
_DOUBLE_BYTE = re.compile(r"\\ansicpg(?:932|936|949|950)\b|\\fcharset(?:128|129|134|136)\b")
_HEX_RUN = re.compile(r"((?:\\'[0-9a-fA-F]{2})+)(\\[\\{}]|[@-\[\]-z|~])")
_ROWS = re.compile(f"{_ROW}(.*?){_ROW_END}", re.DOTALL)
_STRUCTURE = re.compile("[\ue000-\ue005]")


class RtfParser:
    """Reads RTF."""

    media_types = ("application/rtf",)

    def parse(self, path: Path, media_type: str, options: ParseOptions) -> ParsedDocument:
        """See `Parser.parse`."""
        from striprtf.striprtf import rtf_to_text  # noqa: PLC0415

        source = read_bytes(path).decode("latin-1")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                plain = rtf_to_text(_mark_tables(_join_pairs(source)), errors="replace")
        except (ValueError, LookupError, TypeError, AttributeError, OverflowError) as error:
            raise InputFileError(str(path), "is damaged: the RTF cannot be read; save it again") from error
        return outline.finish(path, media_type, list(_parts(_surrogates_joined(plain))))


def _join_pairs(source: str) -> str:
    """Write the second byte of a Chinese character as a code, too, where it stands there as a letter."""
    return _HEX_RUN.sub(_joined, source) if _DOUBLE_BYTE.search(source) else source


def _joined(match: re.Match[str]) -> str:
    codes, following = match.groups()
    content = bytes.fromhex(codes.replace("\\'", ""))
    position = 0
    while position < len(content):
        position += 2 if content[position] > 0x80 else 1
    return f"{codes}\\'{ord(following[-1]):02x}" if position > len(content) else match.group()


def _mark_tables(source: str) -> str:
    inside = False
    joins: list[str] = []

    def mark(match: re.Match[str]) -> str:
        nonlocal inside
        word = match.group(1)
        if word == "trowd" and not inside:
            inside = True
            return match.group() + _code(_ROW)
        if word == "row":
            inside = False
            return _code(_ROW_END)
        if word in {"clmrg", "clvmrg"}:
            joins.append(_LEFTWARDS if word == "clmrg" else _UPWARDS)
        if word.startswith("cellx"):
            join = joins.pop() if joins else _PLAIN
            joins.clear()
            return match.group() + _code(join)
        return _code(_CELL) if word == "cell" else match.group()

    return _MARKS.sub(mark, source)


def _code(character: str) -> str:
    return f"\\uc1\\u{ord(character) - 0x10000}?"


def _surrogates_joined(plain: str) -> str:
    """Characters beyond the first plane come as two halves."""
    return plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _parts(plain: str) -> Iterator[outline.Part]:
    table: list[list[str]] = []
    position = 0
    for row in _ROWS.finditer(plain):
        between = _STRUCTURE.sub("", plain[position : row.start()])
        if between.strip():
            yield from _table(table)
            table = []
            yield from text.parts_of(between)
        table.append(_cells(row.group(1), table))
        position = row.end()
    yield from _table(table)
    yield from text.parts_of(_STRUCTURE.sub("\n", plain[position:]))


def _table(rows: list[list[str]]) -> Iterator[outline.Part]:
    if rows:
        yield outline.table(to_markdown(rows))


def _cells(row: str, above: list[list[str]]) -> list[str]:
    """The texts of a row's cells, those of joined cells repeated."""
    joins = re.findall(f"[{_PLAIN}{_LEFTWARDS}{_UPWARDS}]", row)
    texts = [_STRUCTURE.sub("", cell).strip() for cell in row.split(_CELL)[:-1]]
    # Word repeats the description of the cells behind them; one of the two counts.
    joins = joins[: len(texts)]
    for index, join in enumerate(joins):
        if join == _LEFTWARDS and index:
            texts[index] = texts[index] or texts[index - 1]
        elif join == _UPWARDS and above and index < len(above[-1]):
            texts[index] = texts[index] or above[-1][index]
    return texts


READER = RtfParser()
