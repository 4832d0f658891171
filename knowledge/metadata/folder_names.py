"""The names of the YAML files of a folder as they are spelled: a rule in `Veriloop.YAML` closes documents, too."""

from __future__ import annotations

import os
import time
from functools import lru_cache
from pathlib import Path

_ENDINGS = (".yaml", ".yml")
_SETTLED_NANOSECONDS = 2_000_000_000
"""The coarsest clock of a file system: what is younger may change once more without a sign of it."""


def metadata_names(folder: Path) -> tuple[str, ...]:
    """The names that end as those of YAML files do; none where the folder cannot be listed.

    Of the same state of a folder they are looked for once.
    """
    try:
        changed = folder.stat().st_mtime_ns
        settled = time.time_ns() - changed > _SETTLED_NANOSECONDS
        return _settled_names(folder, changed) if settled else _names(folder)
    except OSError:
        return ()


def _names(folder: Path) -> tuple[str, ...]:
    with os.scandir(folder) as entries:
        return tuple(sorted(entry.name for entry in entries if entry.name.casefold().endswith(_ENDINGS)))


@lru_cache(maxsize=1_024)
def _settled_names(folder: Path, _changed: int) -> tuple[str, ...]:
    return _names(folder)
