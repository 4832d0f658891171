"""What was understood of a document, page by page, for a person to check: of the library or of a file beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...errors import UsageError
from ...knowledge.text.counting import counted
from .output import say
from .wording import page_name

if TYPE_CHECKING:
    from ...configs import Settings
    from ...knowledge.documents import Block, Caller, Document
    from ...knowledge.elements import ParsedDocument, ParseOptions
    from ...knowledge.library import Library
    from ...knowledge.parse_record import HeadingMark, ParseRecord
    from ...knowledge.quality import QualityFinding

_SHOWN_PAGES = 12
_AHEAD = 3  # headings that may be missing in the blocks before the next one that is found there


class ViewPart(NamedTuple):
    """A part of what was understood; `level` of headings only."""

    kind: str
    text: str
    level: int | None = None
    page: int | None = None
    last_page: int | None = None
    doubt: str | None = None


class ParsedView(NamedTuple):
    """A document as it was understood."""

    name: str
    title: str
    media_type: str
    pages: int | None
    unread_pages: tuple[int, ...]
    record: ParseRecord | None
    """None of documents that were added before it was kept, and of versions before"""
    parts: tuple[ViewPart, ...]

    def on_page(self, page: int) -> ParsedView:
        """What stands on one page alone.

        Raises:
            UsageError: there is no such page.
        """
        if self.pages is not None and not 1 <= page <= self.pages:
            raise UsageError(f"--page {page}: {self.name} has {counted(self.pages, page_name(self.media_type))}")
        parts = (part for part in self.parts if (part.page or 1) <= page <= (part.last_page or part.page or 1))
        return self._replace(parts=tuple(parts))


def view_of_file(path: Path, settings: Settings, passwords: Sequence[str] = ()) -> ParsedView:
    """Read a file, within the limits of the settings, without adding it anywhere.

    Raises:
        InputFileError: it cannot be read.
    """
    import time  # noqa: PLC0415 - `--help` should not wait for any of these

    from ...knowledge.parse_record import record_of  # noqa: PLC0415
    from ...knowledge.reading import IsolatedReader, ReadLimits  # noqa: PLC0415

    limits = settings.parsing
    reader = IsolatedReader(1, ReadLimits(limits.file_seconds, limits.memory_megabytes), keep_small=True)
    with closing(reader):
        start = time.monotonic()
        parsed = reader.parse(path, path.name, _options(settings, passwords))
        record = record_of(parsed, time.monotonic() - start)
    title = parsed.title or path.stem
    parts = tuple(_parts_of(parsed))
    return ParsedView(path.name, title, parsed.media_type, parsed.pages, parsed.unread_pages, record, parts)


def _options(settings: Settings, passwords: Sequence[str]) -> ParseOptions:
    from pydantic import SecretStr  # noqa: PLC0415

    from ...knowledge.elements import ParseOptions  # noqa: PLC0415

    limits = settings.parsing
    return ParseOptions(
        passwords=tuple(SecretStr(password) for password in passwords),
        readers=limits.readers,
        ocr=limits.ocr,
        ocr_seconds=limits.ocr_seconds_of_file,
        most_pages=limits.max_pages,
        most_cells=limits.max_cells,
    )


def _parts_of(parsed: ParsedDocument) -> Iterator[ViewPart]:
    for one in parsed.elements:
        doubt = None if one.doubt is None else one.doubt.value
        yield ViewPart(one.kind.value, one.text, one.level, one.page, one.last_page, doubt)


def view_of_document(library: Library, document: Document, blocks: Sequence[Block], caller: Caller) -> ParsedView:
    """A document as the library holds it: its blocks, and what was noted when it was read."""
    record = library.parse_record(document.doc_id, caller) if document.replaced_at is None else None
    parts = tuple(_parts_of_blocks(blocks, record.headings if record is not None else ()))
    return ParsedView(
        document.name, document.title, document.media_type, document.pages, document.unread_pages, record, parts
    )


def _parts_of_blocks(blocks: Iterable[Block], headings: Sequence[HeadingMark]) -> Iterator[ViewPart]:
    """The lines of the blocks: headings as they were noted, tables whole, everything else as text."""
    from ...knowledge.documents import BlockKind  # noqa: PLC0415

    waiting = list(headings)
    for block in blocks:
        plain = "list_item" if block.kind is BlockKind.LIST else "paragraph"
        page = block.page_first
        for is_table, lines in groupby(block.text.split("\n"), lambda line: line.startswith("|")):
            if is_table:
                yield ViewPart("table", "\n".join(lines), page=page, last_page=block.page_last)
                continue
            for line in lines:
                mark = _next_heading(line, waiting)
                if mark is not None:
                    page = mark.page or page
                    yield ViewPart("heading", line, mark.level, page)
                elif line.strip():
                    yield ViewPart(plain, line, page=page, last_page=block.page_last)


def _next_heading(line: str, waiting: list[HeadingMark]) -> HeadingMark | None:
    for number, mark in enumerate(waiting[:_AHEAD]):
        if mark.text and line.startswith(mark.text) and (len(line) == len(mark.text) or len(mark.text) >= 300):
            del waiting[: number + 1]
            return mark
    return None


def print_view(view: ParsedView, page: int | None) -> None:
    """For people: first what to look at, then the text by page."""
    shown = view if page is None else view.on_page(page)
    pages = "" if view.pages is None else f", {counted(view.pages, page_name(view.media_type))}"
    say(f"{view.name}  {view.title}", style="bold")
    say(f"{view.media_type}{pages}")
    for line in _remarks(view, page):
        say(line)
    name = page_name(view.media_type)
    for number, parts in groupby(shown.parts, lambda part: part.page):
        say(f"\n── {name} {number} ──" if number is not None else "\n──", style="dim")
        for part in parts:
            say(f"{_label(part)}", style="dim")
            say(part.text)
    if page in view.unread_pages:
        say(f"\n── {name} {page} ──\nnot read: it holds only a picture", style="dim")


def _label(part: ViewPart) -> str:
    kind = {"list_item": "list item", "paragraph": "text"}.get(part.kind, part.kind)
    size = ""
    if part.kind == "table":
        lines = part.text.split("\n")
        columns = lines[0].count("|") - lines[0].count(chr(92) + "|") - 1
        size = f", {counted(len(lines) - 2, 'row')} of {counted(columns, 'column')}"
    level = "" if part.level is None else f" {part.level}"
    until = f", to page {part.last_page}" if part.last_page not in (None, part.page) else ""
    doubt = "" if part.doubt is None else f", guessed: {part.doubt}"
    return f"[{kind}{level}{size}{until}{doubt}]"


def _remarks(view: ParsedView, page: int | None) -> Iterator[str]:
    """What a person should look at, of the whole document or of one page."""
    if view.unread_pages:
        yield f"unread: {pages_with_pictures(view.unread_pages)}"
    record = view.record
    if record is None:
        yield "how it was read is not known: it was added before that was kept, or this is a version before"
        return
    yield f"read by {record.reader} in {record.seconds:.2f} s; score {record.quality.score:.2f}"
    for finding in record.quality.findings:
        yield f"  {finding_text(finding)}"
    for doubts in record.doubts:
        yield f"guessed: {doubts.kind.value} of {counted(doubts.count, 'part')}{_on_pages(doubts.pages)}"
    for one in record.furniture:
        if page is None or page in one.pages:
            yield f"left out: {one.kind.value} {one.text!r}{_on_pages(one.pages)}"
    for note in record.notes:
        if page is None or note.page in (None, page):
            yield f"note: {note.kind.value} {note.detail}{_on_pages(() if note.page is None else (note.page,))}"


def finding_text(finding: QualityFinding) -> str:
    """A fault in words."""
    detail = f", such as {finding.detail}" if finding.detail else ""
    one, several = _FAULTS[finding.fault.value]
    said = (one if finding.count == 1 else several).format(count=f"{finding.count:,}")
    return f"{said}{_on_pages(finding.pages)}{detail}"


# In the singular and the plural.
_FAULTS = {
    "unread": ("{count} page holds only pictures", "{count} pages hold only pictures"),
    "garbled": (
        "{count} character cannot be read: a font without a map, or a wrong encoding",
        "{count} characters cannot be read: a font without a map, or a wrong encoding",
    ),
    "spaced": (
        "{count} Chinese character stands apart, with blanks around it",
        "{count} Chinese characters stand apart, with blanks between them",
    ),
    "empty": ("{count} part holds neither letters nor digits", "{count} parts hold neither letters nor digits"),
    "headless": ("{count} table has no header, or a guessed one", "{count} tables have no header, or a guessed one"),
    "ragged": (
        "{count} table has uneven rows or empty columns",
        "{count} tables have uneven rows or empty columns",
    ),
    "lost_numbers": ("{count} number of the plain text is missing", "{count} numbers of the plain text are missing"),
    "no_headings": ("no heading in {count} character", "no heading in {count} characters"),
    "crowded": (
        "one page holds nearly all text, {count} character",
        "one page holds nearly all text, {count} characters",
    ),
    "guessed": (
        "{count} part was guessed: its order, columns or letters",
        "{count} parts were guessed: their order, columns or letters",
    ),
    "left_out": ("{count} part was not read", "{count} parts were not read"),
}


def _on_pages(pages: Sequence[int]) -> str:
    return f" (p. {page_list(pages)})" if pages else ""


def pages_with_pictures(pages: Sequence[int]) -> str:
    """That pages could not be read, in words."""
    one = len(set(pages)) == 1
    return f"{'page' if one else 'pages'} {page_list(pages)} {'holds' if one else 'hold'} only pictures"


def page_list(pages: Sequence[int]) -> str:
    """Page numbers with ranges, such as 1–4, 7; long lists are cut."""
    ranges: list[list[int]] = []
    for page in sorted(set(pages)):
        if ranges and page == ranges[-1][-1] + 1:
            ranges[-1][1:] = [page]
        else:
            ranges.append([page])
    shown = ["–".join(map(str, one)) for one in ranges[:_SHOWN_PAGES]]
    return ", ".join(shown) + (", …" if len(ranges) > _SHOWN_PAGES else "")


def view_document(view: ParsedView, page: int | None) -> dict[str, object]:
    """The same as JSON."""
    shown = view if page is None else view.on_page(page)
    record = None if view.record is None else view.record.model_dump(mode="json", exclude={"headings"})
    return {
        "name": view.name,
        "title": view.title,
        "media_type": view.media_type,
        "pages": view.pages,
        "unread_pages": list(view.unread_pages),
        "record": record,
        "parts": [part._asdict() for part in shown.parts],
    }
