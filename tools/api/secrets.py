"""Header values that are secrets: taken from the environment at the call, and masked wherever they come back."""

from __future__ import annotations

import binascii
import json
import os
import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import quote, quote_plus

from ..contracts import ErrorCode, ToolError

MASK = "•••"
_VARIABLE = re.compile(r"env:([A-Za-z_][A-Za-z0-9_]*)")
_SHORTEST = 4
"""Characters of what is masked: shorter values stand everywhere."""
_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")


def resolved_headers(declared: Mapping[str, str]) -> dict[str, str]:
    """The headers with the values that they have right now.

    Raises:
        ToolError: a variable is not set, or a header cannot be sent; the message holds no value.
    """
    return {name: _resolved(name, value) for name, value in declared.items()}


def _resolved(name: str, value: str) -> str:
    def of_environment(match: re.Match[str]) -> str:
        found = os.environ.get(match[1])
        if found is None:
            detail = f"header {name} needs the environment variable {match[1]}: set it"
            raise ToolError(ErrorCode.FAILED, detail, f"请求头 {name} 需要的环境变量 {match[1]} 没有设置")
        return found

    full = _VARIABLE.sub(of_environment, value).strip()
    if not _NAME.fullmatch(name) or any(ord(one) < 0x20 or ord(one) > 0xFF or ord(one) == 0x7F for one in full):
        raise ToolError(ErrorCode.FAILED, f"header {name!r} has a name or a value that cannot be sent")
    return full


class SecretMask:
    """Replaces secrets in texts, in the spellings in which servers echo them.

    Args:
        values: of the headers that were sent.
    """

    def __init__(self, values: Iterable[str]) -> None:
        spellings = {spelling for value in values for part in _parts(value) for spelling in _spellings(part)}
        longest_first = sorted(spellings, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE) if longest_first else None

    def masked(self, text: str) -> str:
        """The text without the secrets."""
        return text if self._pattern is None else self._pattern.sub(MASK, text)


def _parts(value: str) -> Iterator[str]:
    """A value, what stands behind its scheme (`Bearer x`), and the user and password of `Basic`."""
    yield value
    scheme, _, credentials = value.partition(" ")
    if not credentials:
        return
    yield credentials.strip()
    if scheme.lower() == "basic":
        try:
            user, _, password = b64decode(credentials, validate=True).decode("utf-8").partition(":")
        except (binascii.Error, UnicodeDecodeError):
            return
        yield f"{user}:{password}"
        yield password


def _spellings(part: str) -> Iterator[str]:
    if len(part) < _SHORTEST:
        return
    raw = part.encode("utf-8")
    yield part
    yield part[::-1]
    yield quote(part, safe="")
    yield quote_plus(part)
    yield json.dumps(part)[1:-1]
    yield json.dumps(part, ensure_ascii=False)[1:-1]
    yield raw.hex()
    yield b64encode(raw).decode().rstrip("=")
