"""`veriloop history`: the versions that a document has had, and what changed from one to the next."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from ...errors import UsageError
from .finding import find_document
from .options import DEFAULT_LIBRARY, CallerOption, JsonOption, LibraryOption, ProfileOption, caller_of, open_library
from .output import print_json, say

if TYPE_CHECKING:
    from ...knowledge.documents import Block, Caller, Document
    from ...knowledge.library import Library
    from ...knowledge.versions import VersionChange

_ID_CHARACTERS = 8


class _Version(NamedTuple):
    """A version with what sets it apart from the one before."""

    number: int
    document: Document
    blocks: list[Block]
    change: VersionChange | None
    """None for the first one, and where the text of either is no longer kept."""
    diff: list[str]
    is_in_force: bool


def history(
    name: Annotated[str, typer.Argument(help="A document's name, title, path or id.")],
    diff: Annotated[bool, typer.Option("--diff", help="Show the lines that changed.")] = False,
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """List the versions of a document: since when, what changed, and which one is in force today."""
    opened, asking = open_library(library, profile), caller_of(caller)
    document = find_document(opened, name, asking)
    versions = _versions(opened, document.doc_id, asking)
    if json:
        print_json(_history_document(document, versions, with_diff=diff))
        return
    say(f"{document.name}  {document.title}  {document.doc_id}", style="bold")
    for version in versions:
        say(_line(version), style="bold" if version.is_in_force else None)
        for line in version.diff if diff else ():
            say(f"     {line}", style="dim" if line.startswith("@@") else None)


def chosen_version(
    library: Library, document: Document, version: str | None, day: date | None, caller: Caller
) -> tuple[Document, list[Block]]:
    """A version of a document with its blocks.

    Args:
        library: where it is.
        document: its present version.
        version: number in the history, or the beginning of the version's id.
        day: on which it was in force; `version` goes first.
        caller: on whose behalf.

    Raises:
        UsageError: there is no such version, or its text is no longer kept.
    """
    from ...knowledge.versions import version_on  # noqa: PLC0415 - `--help` should not wait for it

    versions = [summary.document for summary in library.versions(document.doc_id, caller)]
    found = _by_name(versions, version) if version is not None else version_on(versions, day or date.today())
    if found is None:
        wanted = f"version {version!r}" if version is not None else f"version in force on {day}"
        raise UsageError(f"{document.name}: no {wanted}; see: veriloop history {document.doc_id}")
    blocks = library.blocks_of_version(document.doc_id, found.version, caller)
    if not blocks:
        raise UsageError(f"{document.name}: the text of version {found.version[:_ID_CHARACTERS]} is no longer kept")
    return found, blocks


def _by_name(versions: list[Document], name: str) -> Document | None:
    if name.isdecimal() and len(name) < _ID_CHARACTERS:
        return versions[int(name) - 1] if 1 <= int(name) <= len(versions) else None
    return next((one for one in reversed(versions) if name and one.version.startswith(name)), None)


def _versions(library: Library, doc_id: str, caller: Caller) -> list[_Version]:
    from ...knowledge.versions import changed_blocks, unified_changes, version_on  # noqa: PLC0415

    documents = [summary.document for summary in library.versions(doc_id, caller)]
    today = version_on(documents, date.today())
    found: list[_Version] = []
    for number, document in enumerate(documents, start=1):
        blocks = library.blocks_of_version(doc_id, document.version, caller)
        before = found[-1].blocks if found else []
        compared = bool(before and blocks)
        change = changed_blocks(before, blocks) if compared else None
        diff = unified_changes(before, blocks) if compared else []
        found.append(_Version(number, document, blocks, change, diff, document is today))
    return found


def _line(version: _Version) -> str:
    document = version.document
    until = "…" if document.effective_to is None else document.effective_to.isoformat()
    since = document.effective_from or document.published_at
    term = f"{since} to {until}" if since or document.effective_to else "no dates stated"
    replaced = "" if document.replaced_at is None else f", replaced {document.replaced_at.date()}"
    parts = [
        f"{version.number:>3}. {document.version[:_ID_CHARACTERS]}",
        term,
        f"added {document.updated_at.date()}{replaced}",
        _size(version),
        *(["in force today"] if version.is_in_force else []),
    ]
    return "  ".join(parts)


def _size(version: _Version) -> str:
    if not version.blocks:
        return "text no longer kept"
    count = f"{len(version.blocks)} block{'s' * (len(version.blocks) != 1)}"
    if version.change is None:
        return count
    change = version.change
    return f"{count}: {len(change.added)} added, {len(change.removed)} removed, {change.kept} kept"


def _history_document(document: Document, versions: list[_Version], *, with_diff: bool) -> dict[str, object]:
    """The documented JSON shape of a history."""
    return {
        "document": document.name,
        "title": document.title,
        "doc_id": document.doc_id,
        "versions": [_version_document(version, with_diff=with_diff) for version in versions],
    }


def _version_document(version: _Version, *, with_diff: bool) -> dict[str, object]:
    said = version.document.model_dump(
        mode="json", include={"version", "status", "published_at", "effective_from", "effective_to"}
    )
    change, replaced = version.change, version.document.replaced_at
    return {
        "number": version.number,
        **said,
        "added_at": version.document.updated_at.isoformat(),
        "replaced_at": None if replaced is None else replaced.isoformat(),
        "in_force_today": version.is_in_force,
        "blocks": len(version.blocks),
        "added": None if change is None else [block.block_id for block in change.added],
        "removed": None if change is None else [block.block_id for block in change.removed],
        "kept": None if change is None else change.kept,
        **({"diff": version.diff} if with_diff else {}),
    }
