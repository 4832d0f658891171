"""`veriloop show`: a document or a block as the library holds it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...errors import InputFileError, UsageError
from .ages import age_of
from .finding import find_document
from .history import chosen_version
from .options import (
    DEFAULT_LIBRARY,
    CallerOption,
    JsonOption,
    LibraryOption,
    PasswordFileOption,
    PasswordOption,
    ProfileOption,
    caller_of,
    day,
    open_library,
    passwords_of,
)
from .output import print_json, say
from .parsed_view import ParsedView, print_view, view_document, view_of_document, view_of_file
from .wording import place_of

if TYPE_CHECKING:
    from ...knowledge.documents import Block, Caller, Document
    from ...knowledge.library import Library


def show(
    name: Annotated[str, typer.Argument(help="A document's name, title, path or id, or a block's id.")],
    version: Annotated[
        str | None, typer.Option("--version", help="This version of it: its number or id, see `veriloop history`.")
    ] = None,
    in_force_on: Annotated[
        str | None, typer.Option("--in-force-on", help="The version in force on this day (2024-03-01, today).")
    ] = None,
    parsed: Annotated[
        bool,
        typer.Option("--parsed", help="What was understood, page by page; also of a file that was not added."),
    ] = False,
    page: Annotated[int | None, typer.Option("--page", min=1, help="Only this page; with --parsed.")] = None,
    password: PasswordOption = None,
    password_file: PasswordFileOption = None,
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Print a document's blocks, or one block, as they were understood."""
    if page is not None and not parsed:
        raise UsageError("--page goes with --parsed")
    asking = caller_of(caller)
    if parsed and _is_only_a_file(name, library, profile, asking):
        _show_view(_of_file(Path(name), profile, passwords_of(password, password_file)), page, as_json=json)
        return
    opened = open_library(library, profile)
    document, blocks = _find(opened, name, asking)
    if version is not None or in_force_on is not None:
        on = day(in_force_on, "--in-force-on")
        document, blocks = chosen_version(opened, document, version, on, asking)
    if parsed:
        _show_view(view_of_document(opened, document, blocks, asking), page, as_json=json)
        return
    if json:
        print_json(
            {
                "document": document.model_dump(mode="json", exclude={"source_uri"}),
                "blocks": [block.model_dump(mode="json") for block in blocks],
            }
        )
        return
    say(f"{document.name}  {document.title}  {document.doc_id}{age_of(document)}", style="bold")
    for block in blocks:
        place = "" if block.page_first is None else f"  {place_of(block.page_first, document.media_type)}"
        say(
            f"\n── {block.ordinal} {block.kind.value} {block.block_id}{place}  {' › '.join(block.section_path)}",
            style="dim",
        )
        say(block.text)


def _is_only_a_file(name: str, library: Path, profile: str | None, caller: Caller) -> bool:
    """Whether a name is that of a file, and no document here is called so."""
    from ...knowledge.library import STORE_FILE  # noqa: PLC0415 - `--help` should not wait for it

    try:
        is_file = Path(name).is_file()
    except (OSError, ValueError):  # no name that a file could have
        is_file = False
    if not is_file:
        return False
    if not (library / STORE_FILE).is_file():
        return True
    return not open_library(library, profile).find_documents(name, caller)


def _of_file(path: Path, profile: str | None, passwords: Sequence[str]) -> ParsedView:
    from ...configs import load_settings  # noqa: PLC0415

    try:
        return view_of_file(path, load_settings(profile), passwords)
    except InputFileError as error:
        # The command was given one file, and it is the wrong one.
        raise UsageError(f"{path.name}: {error.reason}") from error


def _show_view(view: ParsedView, page: int | None, *, as_json: bool) -> None:
    if as_json:
        print_json(view_document(view, page))
    else:
        print_view(view, page)


def _find(library: Library, name: str, caller: Caller) -> tuple[Document, list[Block]]:
    found = library.block(name, caller)
    if found is not None:
        return found[1], [found[0]]
    document = find_document(library, name, caller, "document or block")
    return document, library.blocks(document.doc_id, caller)
