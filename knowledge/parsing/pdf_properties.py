"""The properties that a PDF file keeps about itself."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

from ..elements import FileProperties
from .lines import clean_line

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument  # type: ignore[import-untyped]

_MOMENT = re.compile(
    r"D?:?(?P<digits>\d{4}(?:\d{2}){0,5})(?:(?P<sign>[+\-Z])(?:(?P<hours>\d{2})'?(?P<minutes>\d{2})?)?)?"
)
_FORMS = {4: "%Y", 6: "%Y%m", 8: "%Y%m%d", 10: "%Y%m%d%H", 12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S"}


def properties_of(document: PdfDocument) -> FileProperties:
    """What the file says about itself; what is missing or malformed stays empty."""
    from pypdfium2 import PdfiumError  # noqa: PLC0415

    try:
        found = {key: clean_line(value) for key, value in document.get_metadata_dict().items()}
    except (PdfiumError, UnicodeError, ValueError):
        return FileProperties()
    return FileProperties(
        title=found.get("Title", ""),
        author=found.get("Author", ""),
        subject=found.get("Subject", ""),
        keywords=tuple(filter(None, (word.strip() for word in re.split(r"[,;，；、]", found.get("Keywords", ""))))),
        created=moment_of(found.get("CreationDate", "")),
        modified=moment_of(found.get("ModDate", "")),
    )


def moment_of(text: str) -> datetime | None:
    """A point in time as PDF writes it, such as ``D:20240131120000+08'00'``; None if it is malformed."""
    match = _MOMENT.match(text)
    if match is None:
        return None
    try:
        moment = datetime.strptime(match["digits"], _FORMS[len(match["digits"])])
        return moment.replace(tzinfo=_zone(match)) if match["sign"] else moment
    except ValueError:
        return None


def _zone(match: re.Match[str]) -> timezone:
    away = timedelta(hours=int(match["hours"] or 0), minutes=int(match["minutes"] or 0))
    return timezone(-away if match["sign"] == "-" else away)
