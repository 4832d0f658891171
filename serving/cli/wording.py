"""Places in documents, in words."""

from __future__ import annotations

_SHEETS = ("spreadsheet", "ms-excel")
_SLIDES = ("presentation", "ms-powerpoint")


def page_name(media_type: str) -> str:
    """What a page of a kind of file is called: `page`, `sheet` of workbooks, `slide` of presentations."""
    if any(sign in media_type for sign in _SHEETS):
        return "sheet"
    return "slide" if any(sign in media_type for sign in _SLIDES) else "page"


def place_of(page: int, media_type: str) -> str:
    """Where something stands, in short: p. 3, sheet 1, slide 2."""
    name = page_name(media_type)
    return f"p. {page}" if name == "page" else f"{name} {page}"


def place_in_both(page: int, media_type: str) -> str:
    """The same in both languages, for those who read either."""
    chinese = {"page": "第 {0} 页", "sheet": "第 {0} 个工作表", "slide": "第 {0} 张幻灯片"}[page_name(media_type)]
    return f"{chinese.format(page)} / {place_of(page, media_type)}"
