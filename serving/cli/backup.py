"""`veriloop backup` and `veriloop restore`: a library in one file, and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...knowledge.text.counting import counted
from .options import DEFAULT_LIBRARY, CallerOption, JsonOption, LibraryOption, refuse_others
from .output import print_json, say, tell_waiting
from .sizes import SizeBar

if TYPE_CHECKING:
    from ...knowledge.backup import Manifest


def backup(
    file: Annotated[Path, typer.Argument(help="The file to make.")],
    library: LibraryOption = DEFAULT_LIBRARY,
    replace: Annotated[bool, typer.Option("--replace", help="Overwrite a file of that name.")] = False,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Write the whole library, as it is at this moment, into one file. Others may read and write meanwhile."""
    from ...knowledge.backup import write_backup  # noqa: PLC0415 - `--help` should not wait for it

    refuse_others(caller, "backup")
    with SizeBar("backup") as bar:
        manifest = write_backup(library, file, replace=replace, progress=bar.show)
    _report(manifest, file, f"{_contents(manifest)} in {file}", as_json=json)


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `veriloop backup` has made.")],
    library: LibraryOption = DEFAULT_LIBRARY,
    replace: Annotated[bool, typer.Option("--replace", help="Replace a library that holds documents.")] = False,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Make the library what it was at a backup. A backup that is not sound changes nothing."""
    from ...configs import load_settings  # noqa: PLC0415
    from ...knowledge.backup import restore_backup  # noqa: PLC0415

    refuse_others(caller, "restore")
    wait = load_settings(None).storage.lock_seconds
    with SizeBar("restore") as bar:
        manifest = restore_backup(
            file,
            library,
            replace=replace,
            wait_seconds=wait,
            on_wait=tell_waiting,
            progress=bar.show,
        )
    _report(manifest, file, f"{_contents(manifest)} of {manifest.created_at:%Y-%m-%d %H:%M} UTC", as_json=json)


def _contents(manifest: Manifest) -> str:
    size = f"{counted(manifest.documents, 'document')}, {counted(manifest.blocks, 'block')}"
    return f"{size}, version {manifest.library_version}"


def _report(manifest: Manifest, file: Path, text: str, *, as_json: bool) -> None:
    if as_json:
        print_json({"file": str(file), **manifest.model_dump(mode="json")})
    else:
        say(text)
