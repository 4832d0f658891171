"""What one source says of a document: its description and who may read it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce

from pydantic import BaseModel, ConfigDict, field_serializer

from ..description import Description
from ..documents import EVERYONE
from ..metadata_fields import description_of
from ..text.normalise import fold_widths, well_formed
from .yaml_text import UnusableFileError

_READERS = frozenset({"readers", "读者", "可读者", "可见范围", "阅读范围"})
_EVERYONE = frozenset({"everyone", "所有人", "全员"})
_SEPARATORS = str.maketrans("，、；;", ",,,,")


class Statement(BaseModel):
    """What is said of a document; None says nothing, no readers mean everyone."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    description: Description = Description()
    readers: frozenset[str] | None = None

    @field_serializer("readers")
    def _in_order(self, readers: frozenset[str] | None) -> list[str] | None:
        """So that equal statements have equal texts."""
        return None if readers is None else sorted(readers)

    def before(self, other: Statement) -> Statement:
        """This, and where it says nothing, the other; of the other no day that contradicts this one's."""
        mine: dict[str, object] = {name: value for name, value in self.description if value is not None}
        merged = other.description.model_copy(update=mine)
        if ends_before_it_begins(merged):
            mine |= {"effective_to": None} if self.description.effective_to is None else {"effective_from": None}
        return Statement(
            description=other.description.model_copy(update=mine),
            readers=other.readers if self.readers is None else self.readers,
        )


def ends_before_it_begins(said: Description) -> bool:
    """Whether a document could never have been in force."""
    return said.effective_from is not None and said.effective_to is not None and said.effective_to < said.effective_from


def first_of(statements: Iterable[Statement]) -> Statement:
    """For each field what the first of them says that says anything."""
    return reduce(Statement.before, statements, Statement())


def read_statement(fields: Mapping[str, object]) -> Statement:
    """What the fields of a file beside documents say; unlike in front matter every field must be understood.

    Raises:
        UnusableFileError: with the field and what to write instead.
    """
    rights = {key: value for key, value in fields.items() if key.strip().casefold() in _READERS}
    read = description_of({key: value for key, value in fields.items() if key not in rights})
    if read.unknown:
        raise UnusableFileError(f"has a field that nobody knows: {', '.join(map(repr, read.unknown))}")
    if read.unusable:
        key = read.unusable[0]
        raise UnusableFileError(f"gives {key!r} a value that is none: {str(fields[key])[:80]!r}")
    if len(rights) > 1:
        raise UnusableFileError(f"names the readers twice: {', '.join(map(repr, rights))}")
    first, last = read.description.effective_from, read.description.effective_to
    if ends_before_it_begins(read.description):
        raise UnusableFileError(f"lets a document end ({last}) before it begins ({first})")
    return Statement(description=read.description, readers=_readers(*rights.values()) if rights else None)


def _readers(value: object) -> frozenset[str]:
    pieces = value.translate(_SEPARATORS).split(",") if isinstance(value, str) else value
    if not isinstance(pieces, list) or not all(isinstance(piece, str) for piece in pieces):
        raise UnusableFileError("names no readers: write `readers: [hr, legal]`, or `readers: everyone`")
    names = frozenset(name for piece in pieces if (name := well_formed(piece).strip()))
    public = {name for name in names if fold_widths(name).casefold() in _EVERYONE}
    if not names or (public and names != public):
        raise UnusableFileError("is unclear about the readers: write `readers: [hr, legal]`, or `readers: everyone`")
    return EVERYONE if public else names
