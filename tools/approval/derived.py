"""Which arguments of a call the user gave: those whose values stand in the question; all others were derived."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from .calls import PlannedCall

_BLANKS = re.compile(r"\s+")
# A grouping comma or a thin space between digits, as in 12,000.
_GROUPING = re.compile(r"(?<=\d)[,\u2009\u00a0'](?=\d{3}(?!\d))")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The plain values in arguments with the way to each: `body.items.0.price`."""
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from leaves(inner, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list | tuple) and value:
        for number, inner in enumerate(value):
            yield from leaves(inner, f"{path}.{number}")
    else:
        yield path, value


def derived_arguments(said: str, call: PlannedCall) -> tuple[str, ...]:
    """The arguments whose values do not stand in what the user said, by their paths.

    A text has to stand there word for word (case, width and blanks aside), a number as a number. What the tool fills in
    by itself came from nobody; the operation is what policies are about. True, false, null and what is empty cannot be
    said literally, and set or clear something: they count as derived.
    """
    words = _plain(said)
    numbers = {float(found) for found in _NUMBER.findall(_GROUPING.sub("", unicodedata.normalize("NFKC", said)))}
    return tuple(
        path
        for path, value in leaves(call.arguments)
        if path.partition(".")[0] not in call.defaults
        and not (call.operation and value == call.operation)
        and not _is_said(value, words, numbers)
    )


def _is_said(value: Any, words: str, numbers: set[float]) -> bool:
    if value is None or isinstance(value, bool | dict | list):
        return False
    if isinstance(value, int | float):
        return float(value) in numbers
    text = _plain(str(value))
    return bool(text) and _stands(text, words)


def _stands(value: str, words: str) -> bool:
    """Whether a value stands in a text as a whole: `12` does not stand in `1200`, nor `art` in `start`."""
    edge = r"(?<![0-9a-z_])" if re.match(r"[0-9a-z_]", value) else ""
    end = r"(?![0-9a-z_])" if re.search(r"[0-9a-z_]$", value) else ""
    return re.search(f"{edge}{re.escape(value)}{end}", words) is not None


def _plain(text: str) -> str:
    return _BLANKS.sub(" ", unicodedata.normalize("NFKC", text)).strip().casefold()
