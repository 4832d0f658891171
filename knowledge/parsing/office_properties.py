"""The properties that Word, Excel and PowerPoint files keep about themselves (``docProps/core.xml``)."""

from __future__ import annotations

import re
from datetime import datetime

from lxml import etree

from ..elements import FileProperties
from .archives import Container
from .lines import clean_line

_PART = "docProps/core.xml"


def properties_of(container: Container) -> FileProperties:
    """What the file says about itself; what is missing or malformed stays empty."""
    root = container.tree(_PART)
    found = {_name(node): clean_line(node.text or "") for node in root} if root is not None else {}
    return FileProperties(
        title=found.get("title", ""),
        author=found.get("creator", ""),
        subject=found.get("subject", ""),
        keywords=tuple(filter(None, (word.strip() for word in re.split(r"[,;，；、]", found.get("keywords", ""))))),
        created=_moment(found.get("created", "")),
        modified=_moment(found.get("modified", "")),
    )


def _name(node: etree._Element) -> str:
    return etree.QName(node).localname if isinstance(node.tag, str) else ""


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
