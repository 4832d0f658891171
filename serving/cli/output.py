"""How commands print: JSON to stdout for scripts, words for people, progress and errors to stderr."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console

stderr = Console(stderr=True, highlight=False, emoji=False)
stdout = Console(highlight=False, soft_wrap=True, emoji=False)

# Everything but line breaks and tabs: a document must not steer the terminal (colours, titles, the clipboard).
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def prepare_streams() -> None:
    """Make output possible in every locale and with closed streams: what cannot be shown becomes a question mark."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - lives as long as the process
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def visible(text: str) -> str:
    """The text with control codes as replacement characters."""
    return _CONTROLS.sub("�", text)


def one_line(text: str) -> str:
    """A name or a reason, which may hold line breaks, in one line."""
    return "�".join(text.splitlines())


def json_text(value: Mapping[str, object] | Sequence[object], indent: int | None = 2) -> str:
    """JSON that a terminal can show, too: control codes only as escapes, of which JSON itself asks for the lower."""
    is_unicode = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
    written = json.dumps(value, ensure_ascii=not is_unicode, indent=indent)
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", written)


def discard_stdout() -> None:
    """Send what is still to be flushed nowhere: nobody can take it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say(text: str, style: str | None = None) -> None:
    """Text for people on stdout, as it stands: no markup is read in it and no control code gets through."""
    stdout.print(visible(text), markup=False, style=style)


def tell(text: str, style: str | None = None) -> None:
    """The same on stderr."""
    stderr.print(visible(text), markup=False, style=style, soft_wrap=True)


def tell_waiting(holder: str) -> None:
    """That another process is writing, for which this one waits."""
    tell(f"waiting for {holder} to finish writing")


def print_json(value: Mapping[str, object] | Sequence[object]) -> None:
    """One JSON document on stdout."""
    sys.stdout.write(json_text(value) + "\n")


def print_error(message: str, *, as_json: bool) -> None:
    """One line on stderr, and for scripts the same as JSON on stdout."""
    if as_json:
        print_json({"error": message})
    tell(f"veriloop: {message}", style="red")
