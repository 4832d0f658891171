"""The reader of the old Office formats (DOC, XLS, PPT, XLSB), which LibreOffice turns into the new ones."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ..elements import ParsedDocument, ParseOptions
from . import decryption, libreoffice, sniff


class _Way(NamedTuple):
    """How an old format is read: its ending and that of the format that takes its place."""

    source: str
    target: str


_WAYS = {
    sniff.DOC: _Way("doc", "docx"),
    sniff.XLS: _Way("xls", "xlsx"),
    sniff.PPT: _Way("ppt", "pptx"),
    sniff.XLSB: _Way("xlsb", "xlsx"),
}


class LegacyOfficeParser:
    """Reads the old Office formats as what LibreOffice makes of them."""

    media_types = tuple(_WAYS)

    def parse(self, path: Path, media_type: str, options: ParseOptions) -> ParsedDocument:
        """See `Parser.parse`."""
        with decryption.opened(path, options.passwords) as plain:
            parsed = _convert(plain, media_type, options)
        return parsed.model_copy(update={"media_type": media_type, "reader": f"{parsed.reader} (LibreOffice)"})


def _convert(path: Path, media_type: str, options: ParseOptions) -> ParsedDocument:
    from .registry import parse_file  # noqa: PLC0415  # which knows this reader

    way = _WAYS[media_type]
    with libreoffice.converted(path, way.source, way.target) as result:
        return parse_file(result, str(path), options)


READER = LegacyOfficeParser()
