"""From the URI of a file back to its path."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit
from urllib.request import url2pathname


def path_of(uri: str) -> Path:
    """The path that `Path.as_uri` was asked for, also where its name is no UTF-8."""
    quoted = urlsplit(uri).path
    return Path(url2pathname(quoted) if os.name == "nt" else os.fsdecode(unquote_to_bytes(quoted)))
