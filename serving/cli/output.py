"""How commands print: JSON to stdout for scripts, words for people, progress and errors to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence

from rich.console import Console

stderr = Console(stderr=True, highlight=False)
stdout = Console(highlight=False, soft_wrap=True)


def print_json(value: Mapping[str, object] | Sequence[object]) -> None:
    """One JSON document on stdout."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def print_error(message: str, *, as_json: bool) -> None:
    """One line on stderr, and for scripts the same as JSON on stdout."""
    if as_json:
        print_json({"error": message})
    stderr.print(f"veriloop: {message}", markup=False, soft_wrap=True, style="red")
